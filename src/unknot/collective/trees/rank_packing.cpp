// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/trees/rank_packing.hpp"

#include <algorithm>
#include <bit>
#include <deque>

#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint16_t kUnranked = 0xFFFFU;
constexpr std::uint32_t kNothingYet = 0xFFFFFFFFU;
constexpr std::size_t kMostCompared = 8;
constexpr std::uint32_t kBits = 64;
/// Where there is a packing each member has been looked at three times at most, seen on networks of all
/// kinds; where there is none it may be more than a hundred before that shows.
constexpr std::uint64_t kMostLooks = 8;

/// Transport at one member: trees of roots to arcs that lead there.
class Transport {
 public:
  explicit Transport(std::size_t roots) : arcs_of_(roots) {}

  void begin(std::size_t arcs) {
    for (std::vector<Held>& held : arcs_of_) held.clear();
    roots_on_.assign(arcs, {});
  }
  struct Held {
    std::uint32_t arc;
    std::uint64_t trees;
  };
  std::vector<std::vector<Held>> arcs_of_;  // by root
  std::vector<std::vector<std::uint32_t>>
      roots_on_;  // by arc, from 0 at this member; may name roots that have gone
};

class RankPacking {
 public:
  RankPacking(const MemberGraph& graph, const std::vector<std::uint64_t>& units, std::uint32_t slack)
      : graph_(graph),
        units_(units),
        members_(static_cast<std::uint32_t>(graph.members.size())),
        transport_(members_) {
    in_.resize(members_);
    out_.resize(members_);
    for (std::uint32_t a = 0; a < graph.arcs.size(); ++a) {
      in_[graph.arcs[a].head].push_back(a);
      out_[graph.arcs[a].tail].push_back(a);
    }
    for (std::uint32_t m = 0; m < members_; ++m) {
      if (units[m] > 0) roots_.push_back(m);
    }
    rank_.assign(members_, std::vector<std::uint16_t>(members_, kUnranked));
    std::uint16_t farthest = 0;
    for (const std::uint32_t root : roots_) farthest = std::max(farthest, find_distances(root));
    most_rank_ = static_cast<std::uint16_t>(std::min<std::uint32_t>(farthest + slack, kUnranked - 1));
    pieces_.resize(members_);
    first_piece_.assign(std::size_t{members_} * (members_ + 1), 0);
  }

  std::optional<TreePieces> run(Progress& progress) {
    std::deque<std::uint32_t> queue;
    queued_.assign(members_, 1);
    for (std::uint32_t m = 0; m < members_; ++m) queue.push_back(m);
    progress.begin("trees", 0);
    std::uint64_t done = 0;
    while (!queue.empty()) {
      if (progress.interrupted()) throw Interrupted();
      if (done > kMostLooks * members_) return std::nullopt;
      const std::uint32_t member = queue.front();
      queue.pop_front();
      queued_[member] = 0;
      raised_.clear();
      if (!settle(member)) return std::nullopt;
      // Who took a tree from here and is no longer above looks again.
      for (const std::uint32_t a : out_[member]) {
        const std::uint32_t next = graph_.arcs[a].head;
        if (queued_[next] != 0) continue;
        const bool below = std::any_of(raised_.begin(), raised_.end(), [&](std::uint32_t root) {
          return rank_[next][root] <= rank_[member][root] && takes(next, root, a);
        });
        if (!below) continue;
        queued_[next] = 1;
        queue.push_back(next);
      }
      progress.update(++done);
    }
    TreePieces result;
    result.of = std::move(pieces_);
    result.rank = std::move(rank_);
    return result;
  }

 private:
  std::uint16_t find_distances(std::uint32_t root) {
    std::vector<std::uint32_t> queue{root};
    rank_[root][root] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (const std::uint32_t a : out_[queue[i]]) {
        const std::uint32_t next = graph_.arcs[a].head;
        if (rank_[next][root] != kUnranked) continue;
        rank_[next][root] = static_cast<std::uint16_t>(rank_[queue[i]][root] + 1);
        queue.push_back(next);
      }
    }
    return rank_[queue.back()][root];
  }

  [[nodiscard]] bool takes(std::uint32_t member, std::uint32_t root, std::uint32_t arc) const {
    const TreePieces::Piece* const pieces = pieces_[member].data();
    const std::uint32_t* const first = first_piece_.data() + std::size_t{member} * (members_ + 1) + root;
    for (std::uint32_t i = first[0]; i < first[1]; ++i) {
      if (pieces[i].arc == arc) return true;
    }
    return false;
  }

  /// The places whose tails are below the member for a root, a bit for each.
  [[nodiscard]] std::uint64_t* allowed(std::uint32_t root) {
    return allowed_.data() + std::size_t{root} * words_;
  }
  [[nodiscard]] bool is_allowed(std::uint32_t root, std::uint32_t place) const {
    return (allowed_[std::size_t{root} * words_ + place / kBits] >> place % kBits & 1U) != 0;
  }
  /// Calls visit(place) for each, ascending.
  template <class Visit>
  void for_allowed(std::uint32_t root, Visit visit) {
    for (std::size_t w = 0; w < words_; ++w) {
      for (std::uint64_t bits = allowed(root)[w]; bits != 0; bits &= bits - 1)
        visit(static_cast<std::uint32_t>(w * kBits) + static_cast<std::uint32_t>(std::countr_zero(bits)));
    }
  }
  void find_allowed(std::uint32_t member) {
    const std::vector<std::uint32_t>& in = in_[member];
    words_ = (in.size() + kBits - 1) / kBits;
    allowed_.assign(words_ * members_, 0);
    const std::uint16_t* const own = rank_[member].data();
    for (std::size_t i = 0; i < in.size(); ++i) {
      const std::uint16_t* const tail = rank_[graph_.arcs[in[i]].tail].data();
      std::uint64_t* const word = allowed_.data() + i / kBits;
      for (std::uint32_t root = 0; root < members_; ++root)
        word[root * words_] |= std::uint64_t{tail[root] < own[root]} << i % kBits;
    }
  }

  std::uint64_t& held(std::uint32_t root, std::uint32_t place) {
    std::vector<Transport::Held>& list = transport_.arcs_of_[root];
    for (Transport::Held& one : list) {
      if (one.arc == place) return one.trees;
    }
    list.push_back({place, 0});
    transport_.roots_on_[place].push_back(root);
    return list.back().trees;
  }

  void put(std::uint32_t root, std::uint32_t place, std::uint64_t trees) {
    held(root, place) += trees;
    room_[place] -= trees;
  }

  /// All trees of all roots to arcs; false where some find none.
  bool settle(std::uint32_t member) {
    const std::vector<std::uint32_t>& in = in_[member];
    transport_.begin(in.size());
    room_.resize(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) room_[i] = graph_.arcs[in[i]].capacity;
    place_.resize(graph_.arcs.size());
    for (std::uint32_t i = 0; i < in.size(); ++i) place_[in[i]] = i;
    find_allowed(member);
    std::vector<std::uint64_t>& wanted = wanted_;
    wanted.assign(members_, 0);
    for (const std::uint32_t root : roots_) wanted[root] = root == member ? 0 : units_[root];
    for (const TreePieces::Piece& piece : pieces_[member]) {
      if (!is_allowed(piece.root, place_[piece.arc])) continue;
      put(piece.root, place_[piece.arc], piece.trees);
      wanted[piece.root] -= piece.trees;
    }
    // Those with the least choice first.
    order_.clear();
    for (const std::uint32_t root : roots_) {
      if (wanted[root] == 0) continue;
      std::uint32_t choices = 0;
      for (std::size_t w = 0; w < words_; ++w)
        choices += static_cast<std::uint32_t>(std::popcount(allowed(root)[w]));
      order_.emplace_back(choices, root);
    }
    std::sort(order_.begin(), order_.end());
    for (const auto& entry : order_) {
      const std::uint32_t root = entry.second;
      // At once where there is room: where most is left of what there was.
      std::uint32_t best = kNothingYet;
      double most = 0;
      for_allowed(root, [&](std::uint32_t i) {
        if (room_[i] < wanted[root]) return;
        const double share = static_cast<double>(room_[i]) / static_cast<double>(graph_.arcs[in[i]].capacity);
        if (share <= most) return;
        most = share;
        best = i;
      });
      if (best == kNothingYet) continue;
      put(root, best, wanted[root]);
      wanted[root] = 0;
    }
    for (const auto& [choices, root] : order_) {
      while (wanted[root] > 0) {
        if (!augment(member, root) && !raise_one(member)) return false;
      }
    }
    std::vector<TreePieces::Piece>& pieces = pieces_[member];
    pieces.clear();
    std::uint32_t* const first = first_piece_.data() + std::size_t{member} * (members_ + 1);
    for (std::uint32_t root = 0; root < members_; ++root) {
      first[root] = static_cast<std::uint32_t>(pieces.size());
      for (const Transport::Held& one : transport_.arcs_of_[root]) {
        if (one.trees > 0) pieces.push_back({root, in[one.arc], one.trees});
      }
    }
    first[members_] = static_cast<std::uint32_t>(pieces.size());
    return true;
  }

  /// Puts trees of a root on an arc with room, others moving on where they must. False where no arc that can
  /// be reached so has any: `reached_` are those arcs, then.
  bool augment(std::uint32_t member, std::uint32_t root) {
    const std::size_t arcs = in_[member].size();
    from_arc_.assign(arcs, kNothingYet);
    mover_.assign(arcs, kNothingYet);
    reached_.clear();
    seen_.assign(words_, 0);
    const auto reach_all = [&](std::uint32_t mover, std::uint32_t from) {
      for (std::size_t w = 0; w < words_; ++w) {
        std::uint64_t bits = allowed(mover)[w] & ~seen_[w];
        seen_[w] |= bits;
        for (; bits != 0; bits &= bits - 1) {
          const auto to =
              static_cast<std::uint32_t>(w * kBits) + static_cast<std::uint32_t>(std::countr_zero(bits));
          from_arc_[to] = from;
          mover_[to] = mover;
          reached_.push_back(to);
        }
      }
    };
    reach_all(root, kNothingYet);
    std::size_t at = 0;
    while (at < reached_.size()) {  // it grows
      const std::uint32_t arc = reached_[at++];
      if (room_[arc] > 0) {
        move_along(arc);
        return true;
      }
      if (reached_.size() == arcs && !any_room()) continue;
      for (const std::uint32_t other : transport_.roots_on_[arc]) {
        if (leads_on(other) && held(other, arc) > 0) reach_all(other, arc);
      }
    }
    return false;
  }

  /// Whether trees of a root may be where no one has looked.
  [[nodiscard]] bool leads_on(std::uint32_t root) {
    for (std::size_t w = 0; w < words_; ++w) {
      if ((allowed(root)[w] & ~seen_[w]) != 0) return true;
    }
    return false;
  }

  [[nodiscard]] bool any_room() const {
    return std::any_of(room_.begin(), room_.end(), [](std::uint64_t room) { return room > 0; });
  }

  void move_along(std::uint32_t last) {
    std::uint64_t amount = room_[last];
    std::uint32_t first = last;
    for (std::uint32_t arc = last; from_arc_[arc] != kNothingYet; arc = from_arc_[arc]) {
      amount = std::min(amount, held(mover_[arc], from_arc_[arc]));
      first = from_arc_[arc];
    }
    const std::uint32_t root = mover_[first];
    amount = std::min(amount, wanted_[root]);
    room_[last] -= amount;
    for (std::uint32_t arc = last; from_arc_[arc] != kNothingYet; arc = from_arc_[arc]) {
      held(mover_[arc], arc) += amount;
      held(mover_[arc], from_arc_[arc]) -= amount;
    }
    held(root, first) += amount;
    wanted_[root] -= amount;
  }

  /// After augment() has failed: the tree that gains an arc beyond those reached with the least rise. False
  /// where none may rise so far.
  bool raise_one(std::uint32_t member) {
    std::vector<std::uint32_t> candidates;
    for (const std::uint32_t arc : reached_) {
      for (const std::uint32_t other : transport_.roots_on_[arc]) {
        if (held(other, arc) > 0) candidates.push_back(other);
      }
    }
    for (const auto& [choices, root] : order_) {
      if (wanted_[root] > 0) {
        candidates.push_back(root);
        break;
      }
    }
    std::sort(candidates.begin(), candidates.end());
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
    std::vector<std::uint32_t> beyond;  // tails of arcs that nobody reaches
    for (std::uint32_t i = 0; i < in_[member].size(); ++i) {
      if ((seen_[i / kBits] >> i % kBits & 1U) == 0) beyond.push_back(graph_.arcs[in_[member][i]].tail);
    }
    // The least rise; of equal ones, of the first few, the one that makes the fewest look again.
    std::uint32_t best_rise = kNothingYet;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> equal;  // root, rank
    for (const std::uint32_t root : candidates) {
      std::uint32_t rank = kUnranked;
      for (const std::uint32_t tail : beyond) rank = std::min<std::uint32_t>(rank, rank_[tail][root]);
      if (++rank > most_rank_) continue;
      const std::uint32_t rise = rank - rank_[member][root];
      if (rise > best_rise) continue;
      if (rise < best_rise) equal.clear();
      best_rise = rise;
      if (equal.size() < kMostCompared) equal.emplace_back(root, rank);
    }
    std::uint32_t best_root = kNothingYet, best_rank = 0, fewest = kNothingYet;
    for (const auto& [root, rank] : equal) {
      const std::uint32_t count = children(member, root, rank);
      if (count >= fewest) continue;
      fewest = count;
      best_root = root;
      best_rank = rank;
      if (count == 0) break;
    }
    if (best_root == kNothingYet) return false;
    rank_[member][best_root] = static_cast<std::uint16_t>(best_rank);
    for (std::uint32_t i = 0; i < in_[member].size(); ++i) {
      if (rank_[graph_.arcs[in_[member][i]].tail][best_root] < best_rank)
        allowed(best_root)[i / kBits] |= std::uint64_t{1} << i % kBits;
    }
    raised_.push_back(best_root);
    return true;
  }

  /// Those who would have to look again.
  [[nodiscard]] std::uint32_t children(std::uint32_t member, std::uint32_t root, std::uint32_t rank) const {
    std::uint32_t count = 0;
    for (const std::uint32_t a : out_[member]) {
      const std::uint32_t next = graph_.arcs[a].head;
      if (rank_[next][root] <= rank && takes(next, root, a)) ++count;
    }
    return count;
  }

  const MemberGraph& graph_;
  const std::vector<std::uint64_t>& units_;
  std::uint32_t members_;
  Transport transport_;
  std::vector<std::vector<std::uint32_t>> in_, out_;  // by member: arcs
  std::vector<std::uint32_t> roots_;
  std::vector<std::vector<std::uint16_t>> rank_;  // by member, then root
  std::uint16_t most_rank_ = 0;
  std::vector<std::vector<TreePieces::Piece>> pieces_;  // by member
  std::vector<std::uint32_t> first_piece_;              // by member, and root and one more
  // Of the member at hand.
  std::vector<std::uint32_t> place_;   // by arc
  std::vector<std::uint64_t> room_;    // by place
  std::vector<std::uint64_t> wanted_;  // by root: trees without an arc
  std::vector<std::pair<std::uint32_t, std::uint32_t>> order_;
  std::vector<std::uint32_t> from_arc_, mover_, reached_;
  std::size_t words_ = 0;                      // of a set of places
  std::vector<std::uint64_t> allowed_, seen_;  // by root and word; by word
  std::vector<std::uint8_t> queued_;           // by member
  std::vector<std::uint32_t> raised_;
};

}  // namespace

std::optional<TreePieces> pack_by_ranks(const MemberGraph& graph, const std::vector<std::uint64_t>& units,
                                        std::uint32_t slack, Progress& progress) {
  return RankPacking(graph, units, slack).run(progress);
}

}  // namespace unknot
