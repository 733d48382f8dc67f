// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/known/rank_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace unknot {
namespace {

/// Sets of contributors, one for each rank. What is only copied has one contributor, whoever had it first.
class Holdings {
 public:
  Holdings(std::uint32_t ranks, std::uint32_t contributors)
      : words_((contributors + 63) / 64), bits_(std::size_t{ranks} * words_) {}

  void clear() { std::fill(bits_.begin(), bits_.end(), 0); }
  void put(std::uint32_t rank, std::uint32_t contributor) {
    of(rank)[contributor / 64] |= std::uint64_t{1} << (contributor % 64);
  }
  [[nodiscard]] std::uint64_t* of(std::uint32_t rank) { return bits_.data() + std::size_t{rank} * words_; }
  [[nodiscard]] bool holds_any(std::uint32_t rank) {
    return std::any_of(of(rank), of(rank) + words_, [](std::uint64_t word) { return word != 0; });
  }
  [[nodiscard]] std::size_t words() const { return words_; }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

bool is_sum(RankCollective collective) {
  return collective == RankCollective::all_reduce || collective == RankCollective::reduce_scatter;
}

/// What becomes of each block.
class BlockRun {
 public:
  explicit BlockRun(const RankSchedule& schedule)
      : schedule_(schedule),
        ranks_(schedule.ranks()),
        contributors_(is_sum(schedule.collective()) ? ranks_ : 1),
        now_(ranks_, contributors_),
        whole_(now_.words()) {
    for (std::uint32_t c = 0; c < contributors_; ++c) whole_[c / 64] |= std::uint64_t{1} << (c % 64);
  }

  /// `messages` of the block, in order.
  std::string run(std::uint64_t block, const std::uint32_t* messages, std::size_t count,
                  const std::vector<std::uint32_t>& round_of) {
    begin(block);
    std::size_t at = 0;
    while (at < count) {
      std::size_t end = at;
      while (end < count && round_of[messages[end]] == round_of[messages[at]]) ++end;
      if (std::string fault = round(block, messages + at, end - at, round_of[messages[at]]); !fault.empty())
        return fault;
      at = end;
    }
    return finish(block);
  }

 private:
  [[nodiscard]] std::uint32_t owner(std::uint64_t block) const {
    return static_cast<std::uint32_t>(block / schedule_.parts());
  }

  void begin(std::uint64_t block) {
    now_.clear();
    switch (schedule_.collective()) {
      case RankCollective::all_reduce:
      case RankCollective::reduce_scatter:
        for (std::uint32_t r = 0; r < ranks_; ++r) now_.put(r, r);
        return;
      case RankCollective::all_gather:
        now_.put(owner(block), 0);
        return;
      case RankCollective::broadcast:
        now_.put(schedule_.root(), 0);
        return;
      case RankCollective::all_to_all:
        now_.put(owner(block) / ranks_, 0);
        return;
    }
  }

  std::string round(std::uint64_t block, const std::uint32_t* messages, std::size_t count,
                    std::uint32_t number) {
    sent_.clear();
    for (std::size_t i = 0; i < count; ++i) {
      const RankSchedule::Message& m = schedule_.message(messages[i]);
      if (!now_.holds_any(m.from)) return sentence(number, m, block, "the sender holds nothing of it");
      sent_.insert(sent_.end(), now_.of(m.from), now_.of(m.from) + now_.words());
    }
    for (std::size_t i = 0; i < count; ++i) {
      const RankSchedule::Message& m = schedule_.message(messages[i]);
      const std::uint64_t* what = sent_.data() + i * now_.words();
      std::uint64_t* has = now_.of(m.to);
      if (std::equal(whole_.begin(), whole_.end(), has))
        return sentence(number, m, block, "the receiver has all of it already");
      if (!m.combines) {
        if (!std::equal(whole_.begin(), whole_.end(), what))
          return sentence(number, m, block, "a copy of a sum that is not whole");
        std::copy(what, what + now_.words(), has);
        continue;
      }
      for (std::size_t w = 0; w < now_.words(); ++w) {
        if ((has[w] & what[w]) != 0) return sentence(number, m, block, "a contribution would count twice");
        has[w] |= what[w];
      }
    }
    return {};
  }

  std::string finish(std::uint64_t block) {
    for (std::uint32_t r = 0; r < ranks_; ++r) {
      const bool must = schedule_.collective() == RankCollective::all_to_all ? r == owner(block) % ranks_
                        : schedule_.collective() == RankCollective::reduce_scatter ? r == owner(block)
                                                                                   : true;
      if (must && !std::equal(whole_.begin(), whole_.end(), now_.of(r)))
        return fmt::format("in the end rank {} has not all of block {}", r, block);
    }
    return {};
  }

  static std::string sentence(std::uint32_t round, const RankSchedule::Message& m, std::uint64_t block,
                              const char* what) {
    return fmt::format("round {}, {} to {}, block {}: {}", round + 1, m.from, m.to, block, what);
  }

  const RankSchedule& schedule_;
  std::uint32_t ranks_, contributors_;
  Holdings now_;
  std::vector<std::uint64_t> whole_;  // contributors of what is whole
  std::vector<std::uint64_t> sent_;   // of each message of a round
};

/// What can be said of messages without running them.
std::string form_fault(const RankSchedule& schedule, const std::vector<std::uint32_t>& round_of) {
  std::vector<std::uint32_t> sorted;
  for (std::uint32_t m = 0; m < schedule.message_count(); ++m) {
    const RankSchedule::Message& message = schedule.message(m);
    const auto complain = [&](const char* what) {
      return fmt::format("round {}, {} to {}: {}", round_of[m] + 1, message.from, message.to, what);
    };
    if (message.from >= schedule.ranks() || message.to >= schedule.ranks()) return complain("no such rank");
    if (message.from == message.to) return complain("a message to oneself");
    if (message.combines && !is_sum(schedule.collective())) return complain("nothing is added up here");
    const auto blocks = schedule.blocks(m);
    if (blocks.empty()) return complain("a message of nothing");
    sorted.assign(blocks.begin(), blocks.end());
    std::sort(sorted.begin(), sorted.end());
    if (sorted.back() >= schedule.block_count()) return complain("no such block");
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) return complain("a block twice");
  }
  return {};
}

}  // namespace

std::string rank_schedule_fault(const RankSchedule& schedule) {
  std::vector<std::uint32_t> round_of(schedule.message_count());
  for (std::uint32_t round = 0; round < schedule.round_count(); ++round) {
    for (std::uint32_t m = schedule.round_begin(round); m < schedule.round_end(round); ++m)
      round_of[m] = round;
  }
  if (std::string fault = form_fault(schedule, round_of); !fault.empty()) return fault;
  // Messages by block, in order.
  std::vector<std::uint64_t> first(schedule.block_count() + 1);
  for (std::uint32_t m = 0; m < schedule.message_count(); ++m) {
    for (const std::uint32_t block : schedule.blocks(m)) ++first[block + 1];
  }
  for (std::size_t b = 1; b < first.size(); ++b) first[b] += first[b - 1];
  std::vector<std::uint32_t> messages(first.back());
  std::vector<std::uint64_t> next(first.begin(), first.end() - 1);
  for (std::uint32_t m = 0; m < schedule.message_count(); ++m) {
    for (const std::uint32_t block : schedule.blocks(m)) messages[next[block]++] = m;
  }
  BlockRun run(schedule);
  for (std::uint64_t block = 0; block < schedule.block_count(); ++block) {
    std::string fault =
        run.run(block, messages.data() + first[block], first[block + 1] - first[block], round_of);
    if (!fault.empty()) return fault;
  }
  return {};
}

}  // namespace unknot
