// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "verify/message_stations.hpp"

// Every state that the buffers of a small network can be in, each with room for one packet.
namespace unknot::testing {

/// The states of a network and a protocol as numbers: in each buffer nothing or a packet that may be there.
class MessageStates {
 public:
  MessageStates(const Network& network, const Routing& routing, const std::vector<MessageClass>& classes) {
    for (const MessageClass& c : classes) ways_.push_back(stations(network, routing, c));
    for (const auto& ways : ways_) {
      for (const std::vector<Buffer>& way : ways) {
        for (const Buffer& b : way) numbers_.try_emplace(b, 0);
      }
    }
    // Queues that are waited for though nobody ever sends from them stay empty, and need no number.
    std::uint32_t count = 0;
    for (auto& [buffer, number] : numbers_) number = count++;
    held_.resize(count);
    if (count > 63) {
      fits_ = false;
      return;
    }
    for (std::uint32_t k = 0; k < classes.size(); ++k) {
      for (const std::vector<Buffer>& way : ways_[k]) add_way(network, classes, k, way);
    }
    number_states();
    for (Packet& p : packets_) find_answers(classes, p);
  }

  /// Whether a state fits a number, and no packet wants room twice in a queue that has it once.
  [[nodiscard]] bool fits() const { return fits_; }

  /// No more states than this can be reached.
  [[nodiscard]] double most_states() const {
    double product = 1;
    for (const std::vector<std::uint32_t>& held : held_) product *= 1.0 + static_cast<double>(held.size());
    return product;
  }
  [[nodiscard]] bool anybody_sends() const { return !packets_.empty(); }

  /// Who begins: hosts send every class whenever there is room, or only what nothing else causes, so that
  /// answers follow questions. The second reaches some of the states of the first, and no others.
  enum class Begun { every_class, questions };
  /// Goes through all states that an empty network can come to, until it finds one with packets that no
  /// moves can ever free.
  bool reaches_a_lock(Begun begun) {
    std::size_t size = 16;
    while (static_cast<double>(size) < 2 * most_states()) size *= 2;
    known_.assign(size, 0);
    queue_.clear();
    sent_.clear();
    for (const Packet& p : packets_) {
      if (p.first && (begun == Begun::every_class || !p.caused)) sent_.push_back(&p);
    }
    remember(0);
    for (std::size_t at = 0; at < queue_.size(); ++at) {
      if (locked(queue_[at]) != 0) return true;
      expand(queue_[at]);
    }
    return false;
  }
  /// Of the last search.
  [[nodiscard]] std::size_t states() const { return queue_.size(); }

  /// Whether the buffers can be filled, so that an empty network comes to it or not, with packets of which
  /// none can move: all contents are tried, packets that wait for the same once.
  bool can_stand_still() {
    chosen_.assign(held_.size(), 0);
    waits_.assign(held_.size(), {});
    for (std::size_t b = 0; b < held_.size(); ++b) {
      for (const std::uint32_t p : held_[b]) {
        // A packet that waits for nothing moves.
        if (packets_[p].wants != 0) waits_[b].insert(packets_[p].wants);
      }
    }
    return fill_from(0, 0);
  }

  /// The state in which each buffer of a witness holds a packet of the class that it names, waiting for the
  /// next one's; 0 where there is no such packet.
  [[nodiscard]] std::uint64_t state_of(const std::vector<MessageWait>& witness) const {
    std::uint64_t state = 0;
    for (std::size_t i = 0; i < witness.size(); ++i) {
      const auto here = numbers_.find(buffer_of(witness[i].held));
      const auto next = numbers_.find(buffer_of(witness[(i + 1) % witness.size()].held));
      if (here == numbers_.end() || next == numbers_.end()) return 0;
      const auto& held = held_[here->second];
      const auto found = std::find_if(held.begin(), held.end(), [&](std::uint32_t p) {
        return packets_[p].of == witness[i].message_class && (packets_[p].wants >> next->second & 1U) != 0;
      });
      if (found == held.end()) return 0;
      state |= packets_[*found].placed;
    }
    return state;
  }

  /// Buffers whose packets can never move again: each waits for one of these. Whatever else is in the
  /// network moves out of the way or is among them.
  [[nodiscard]] std::uint64_t locked(std::uint64_t state) const {
    const std::uint32_t count = static_cast<std::uint32_t>(held_.size());
    const std::uint32_t* const shift = shift_.data();
    const std::uint64_t* const wants = wants_.data();
    std::uint64_t full = 0;
    std::uint64_t wanted[64];
    for (std::uint32_t b = 0; b < count; ++b) {
      const std::uint64_t local = state >> shift[b] & ((1ULL << (shift[b + 1] - shift[b])) - 1);
      wanted[b] = wants[first_[b] + local];
      if (local != 0) full |= 1ULL << b;
    }
    for (;;) {
      std::uint64_t stuck = 0;
      for (std::uint64_t left = full; left != 0; left &= left - 1) {
        const int b = std::countr_zero(left);
        if ((wanted[b] & full) != 0) stuck |= 1ULL << b;
      }
      if (stuck == full) return stuck;
      full = stuck;
    }
  }

 private:
  static constexpr std::uint32_t kTaken = ~0U;
  /// A packet where it is. All with the same class and the same way on are one.
  struct Packet {
    std::uint32_t of = 0, buffer = 0, next = kTaken;
    bool first = false, answered = false, caused = false;
    std::uint64_t wants = 0;                          // buffers that have to be empty before it moves
    std::uint64_t placed = 0;                         // the state that has it alone
    std::vector<std::vector<std::uint32_t>> answers;  // for each class that it causes, what may be sent
  };

  void add_way(const Network& network, const std::vector<MessageClass>& classes, std::uint32_t k,
               const std::vector<Buffer>& way) {
    std::uint32_t next = kTaken;
    for (std::size_t i = way.size(); i-- > 0;) {
      const std::uint32_t buffer = numbers_.at(way[i]);
      const auto [at, fresh] =
          known_packets_.try_emplace({k, buffer, next}, static_cast<std::uint32_t>(packets_.size()));
      if (fresh) {
        Packet p;
        p.of = k;
        p.buffer = buffer;
        p.next = next;
        p.first = i == 0;
        p.answered = std::get<0>(way[i]) == 1;
        for (const MessageClass& c : classes)
          p.caused = p.caused || std::find(c.causes.begin(), c.causes.end(), k) != c.causes.end();
        if (next != kTaken) p.wants = 1ULL << packets_[next].buffer;
        if (p.answered) want_answers(network, classes, std::get<2>(way[i]), p);
        held_[buffer].push_back(static_cast<std::uint32_t>(packets_.size()));
        packets_.push_back(std::move(p));
      }
      next = at->second;
    }
  }

  /// A host takes a packet when it has room to send all that the packet causes. What is lost on the way is
  /// taken at once, and so is what causes nothing.
  void want_answers(const Network& network, const std::vector<MessageClass>& classes, std::uint32_t terminal,
                    Packet& p) {
    std::set<Buffer> queues;
    for (const std::uint32_t caused : classes[p.of].causes) {
      if (!has_partner(network, classes[caused], terminal)) continue;
      const Buffer queue{0, classes[caused].network, terminal, 0};
      if (!queues.insert(queue).second) fits_ = false;
      const auto number = numbers_.find(queue);
      if (number != numbers_.end()) p.wants |= 1ULL << number->second;
    }
  }

  void number_states() {
    shift_.assign(1, 0);
    for (const std::vector<std::uint32_t>& held : held_) {
      std::uint32_t bits = 1;
      while (held.size() >> bits != 0) ++bits;
      first_.push_back(static_cast<std::uint32_t>(wants_.size()));
      wants_.push_back(0);
      at_.push_back(nullptr);
      for (std::size_t i = 0; i < held.size(); ++i) {
        Packet& p = packets_[held[i]];
        if (shift_.back() < 63) p.placed = (i + 1) << shift_.back();
        wants_.push_back(p.wants);
        at_.push_back(&p);
      }
      shift_.push_back(shift_.back() + bits);
    }
    fits_ = fits_ && shift_.back() <= 63;
  }

  void find_answers(const std::vector<MessageClass>& classes, Packet& p) {
    if (!p.answered) return;
    const std::uint32_t terminal = std::get<2>(buffer_at(p.buffer));
    for (const std::uint32_t caused : classes[p.of].causes) {
      std::vector<std::uint32_t> from_there;
      for (std::uint32_t a = 0; a < packets_.size(); ++a) {
        if (packets_[a].first && packets_[a].of == caused &&
            std::get<2>(buffer_at(packets_[a].buffer)) == terminal)
          from_there.push_back(a);
      }
      if (!from_there.empty()) p.answers.push_back(std::move(from_there));
    }
  }
  [[nodiscard]] const Buffer& buffer_at(std::uint32_t number) const {
    return std::find_if(numbers_.begin(), numbers_.end(),
                        [&](const auto& row) { return row.second == number; })
        ->first;
  }

  /// All states that one move leads to: a packet goes on, is taken and answered, or enters a send queue.
  void expand(std::uint64_t state) {
    const std::uint32_t count = static_cast<std::uint32_t>(held_.size());
    const std::uint32_t* const shift = shift_.data();
    const Packet* const* const at = at_.data();
    const Packet* here[64];
    std::uint64_t full = 0;
    for (std::uint32_t b = 0; b < count; ++b) {
      const std::uint64_t local = state >> shift[b] & ((1ULL << (shift[b + 1] - shift[b])) - 1);
      here[b] = at[first_[b] + local];
      if (local != 0) full |= 1ULL << b;
    }
    for (std::uint64_t left = full; left != 0; left &= left - 1) {
      const Packet& p = *here[std::countr_zero(left)];
      if ((p.wants & full) != 0) continue;
      const std::uint64_t without = state ^ p.placed;
      if (p.next != kTaken) {
        remember(without | packets_.data()[p.next].placed);
      } else {
        answer(p, 0, without);
      }
    }
    const std::size_t sent = sent_.size();
    const Packet* const* const first = sent_.data();
    for (std::size_t i = 0; i < sent; ++i) {
      if ((full >> first[i]->buffer & 1U) == 0) remember(state | first[i]->placed);
    }
  }
  void answer(const Packet& p, std::size_t from, std::uint64_t state) {
    if (from == p.answers.size()) {
      remember(state);
      return;
    }
    for (const std::uint32_t a : p.answers[from]) answer(p, from + 1, state | packets_[a].placed);
  }

  void remember(std::uint64_t state) {
    std::uint64_t* const known = known_.data();
    const std::size_t mask = known_.size() - 1;
    std::size_t slot = (state * 0x9E3779B97F4A7C15ULL >> 20U) & mask;
    for (; known[slot] != 0; slot = (slot + 1) & mask) {
      if (known[slot] == state + 1) return;
    }
    known[slot] = state + 1;
    queue_.push_back(state);
  }

  /// Fills buffers from `b` on; false where all is done without a state that stands still.
  bool fill_from(std::size_t b, std::uint64_t full) {
    // What waits for a buffer that has been left empty moves.
    for (std::size_t before = 0; before < b; ++before) {
      if (chosen_[before] != 0 && (chosen_[before] & (full | ~0ULL << b)) == 0) return false;
    }
    if (b == held_.size()) return full != 0;
    for (const std::uint64_t wants : waits_[b]) {
      chosen_[b] = wants;
      if (fill_from(b + 1, full | 1ULL << b)) return true;
    }
    chosen_[b] = 0;
    return fill_from(b + 1, full);
  }

  bool fits_ = true;
  std::vector<std::vector<std::vector<Buffer>>> ways_;
  std::map<Buffer, std::uint32_t> numbers_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> known_packets_;
  std::vector<Packet> packets_;
  std::vector<std::vector<std::uint32_t>> held_;  // packets that a buffer may hold
  // A state has, from bit shift_[b] on, 1 + the place of the packet in held_[b]; 0 where there is none.
  std::vector<std::uint32_t> shift_, first_;
  std::vector<std::uint64_t> wants_;
  std::vector<const Packet*> at_, sent_;
  std::vector<std::uint64_t> known_, queue_, chosen_;
  std::vector<std::set<std::uint64_t>> waits_;
};

}  // namespace unknot::testing
