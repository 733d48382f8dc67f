// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/bandwidth/rank_packing.hpp"

#include <algorithm>
#include <deque>

#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint16_t kUnranked = 0xFFFFU;
constexpr std::uint32_t kNone = 0xFFFFFFFFU;
constexpr std::size_t kMostCompared = 8;

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
    rank_.resize(members_);
    std::uint16_t farthest = 0;
    for (const std::uint32_t root : roots_) farthest = std::max(farthest, find_distances(root));
    most_rank_ = static_cast<std::uint16_t>(std::min<std::uint32_t>(farthest + slack, kUnranked - 1));
    pieces_.resize(members_);
  }

  std::optional<TreePieces> run(Progress& progress) {
    std::deque<std::uint32_t> queue;
    queued_.assign(members_, 1);
    for (std::uint32_t m = 0; m < members_; ++m) queue.push_back(m);
    progress.begin("trees", 0);
    std::uint64_t done = 0;
    while (!queue.empty()) {
      if (progress.interrupted()) throw Interrupted();
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
          return rank_[root][next] <= rank_[root][member] && takes(next, root, a);
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
    std::vector<std::uint16_t>& rank = rank_[root];
    rank.assign(members_, kUnranked);
    std::vector<std::uint32_t> queue{root};
    rank[root] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (const std::uint32_t a : out_[queue[i]]) {
        const std::uint32_t next = graph_.arcs[a].head;
        if (rank[next] != kUnranked) continue;
        rank[next] = static_cast<std::uint16_t>(rank[queue[i]] + 1);
        queue.push_back(next);
      }
    }
    return rank[queue.back()];
  }

  [[nodiscard]] bool takes(std::uint32_t member, std::uint32_t root, std::uint32_t arc) const {
    const std::vector<TreePieces::Piece>& pieces = pieces_[member];
    auto at =
        std::lower_bound(pieces.begin(), pieces.end(), root,
                         [](const TreePieces::Piece& piece, std::uint32_t r) { return piece.root < r; });
    for (; at != pieces.end() && at->root == root; ++at) {
      if (at->arc == arc) return true;
    }
    return false;
  }

  [[nodiscard]] bool allowed(std::uint32_t root, std::uint32_t member, std::uint32_t place) const {
    return rank_[root][graph_.arcs[in_[member][place]].tail] < rank_[root][member];
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
    std::vector<std::uint64_t>& wanted = wanted_;
    wanted.assign(members_, 0);
    for (const std::uint32_t root : roots_) wanted[root] = root == member ? 0 : units_[root];
    for (const TreePieces::Piece& piece : pieces_[member]) {
      if (!allowed(piece.root, member, place_[piece.arc])) continue;
      put(piece.root, place_[piece.arc], piece.trees);
      wanted[piece.root] -= piece.trees;
    }
    // Those with the least choice first.
    order_.clear();
    for (const std::uint32_t root : roots_) {
      if (wanted[root] == 0) continue;
      std::uint32_t choices = 0;
      for (std::uint32_t i = 0; i < in.size(); ++i) choices += allowed(root, member, i) ? 1 : 0;
      order_.emplace_back(choices, root);
    }
    std::sort(order_.begin(), order_.end());
    for (const auto& [choices, root] : order_) {
      // At once where there is room: where most is left of what there was.
      std::uint32_t best = kNone;
      double most = 0;
      for (std::uint32_t i = 0; i < in.size(); ++i) {
        if (room_[i] < wanted[root] || !allowed(root, member, i)) continue;
        const double share = static_cast<double>(room_[i]) / static_cast<double>(graph_.arcs[in[i]].capacity);
        if (share <= most) continue;
        most = share;
        best = i;
      }
      if (best == kNone) continue;
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
    for (const std::uint32_t root : roots_) {
      for (const Transport::Held& one : transport_.arcs_of_[root]) {
        if (one.trees > 0) pieces.push_back({root, in[one.arc], one.trees});
      }
    }
    return true;
  }

  /// Puts trees of a root on an arc with room, others moving on where they must. False where no arc that can
  /// be reached so has any: `reached_` are those arcs, then.
  bool augment(std::uint32_t member, std::uint32_t root) {
    const std::size_t arcs = in_[member].size();
    from_arc_.assign(arcs, kNone);
    mover_.assign(arcs, kNone);
    reached_.clear();
    std::vector<std::uint8_t>& seen = seen_;
    seen.assign(arcs, 0);
    const auto reach = [&](std::uint32_t to, std::uint32_t from, std::uint32_t mover) {
      seen[to] = 1;
      from_arc_[to] = from;
      mover_[to] = mover;
      reached_.push_back(to);
    };
    for (std::uint32_t i = 0; i < arcs; ++i) {
      if (allowed(root, member, i)) reach(i, kNone, root);
    }
    std::size_t at = 0;
    while (at < reached_.size()) {  // it grows
      const std::uint32_t arc = reached_[at++];
      if (room_[arc] > 0) {
        move_along(arc);
        return true;
      }
      if (reached_.size() == arcs && !any_room()) continue;
      for (const std::uint32_t other : transport_.roots_on_[arc]) {
        if (held(other, arc) == 0) continue;
        for (std::uint32_t i = 0; i < arcs; ++i) {
          if (seen[i] == 0 && allowed(other, member, i)) reach(i, arc, other);
        }
      }
    }
    return false;
  }

  [[nodiscard]] bool any_room() const {
    return std::any_of(room_.begin(), room_.end(), [](std::uint64_t room) { return room > 0; });
  }

  void move_along(std::uint32_t last) {
    std::uint64_t amount = room_[last];
    std::uint32_t first = last;
    for (std::uint32_t arc = last; from_arc_[arc] != kNone; arc = from_arc_[arc]) {
      amount = std::min(amount, held(mover_[arc], from_arc_[arc]));
      first = from_arc_[arc];
    }
    const std::uint32_t root = mover_[first];
    amount = std::min(amount, wanted_[root]);
    room_[last] -= amount;
    for (std::uint32_t arc = last; from_arc_[arc] != kNone; arc = from_arc_[arc]) {
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
    // The least rise; of equal ones, of the first few, the one that makes the fewest look again.
    std::uint32_t best_rise = kNone;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> equal;  // root, rank
    for (const std::uint32_t root : candidates) {
      std::uint32_t rank = kUnranked;
      for (std::uint32_t i = 0; i < in_[member].size(); ++i) {
        if (seen_[i] == 0)
          rank = std::min<std::uint32_t>(rank, rank_[root][graph_.arcs[in_[member][i]].tail]);
      }
      if (++rank > most_rank_) continue;
      const std::uint32_t rise = rank - rank_[root][member];
      if (rise > best_rise) continue;
      if (rise < best_rise) equal.clear();
      best_rise = rise;
      if (equal.size() < kMostCompared) equal.emplace_back(root, rank);
    }
    std::uint32_t best_root = kNone, best_rank = 0, fewest = kNone;
    for (const auto& [root, rank] : equal) {
      const std::uint32_t count = children(member, root, rank);
      if (count >= fewest) continue;
      fewest = count;
      best_root = root;
      best_rank = rank;
      if (count == 0) break;
    }
    if (best_root == kNone) return false;
    rank_[best_root][member] = static_cast<std::uint16_t>(best_rank);
    raised_.push_back(best_root);
    return true;
  }

  /// Those who would have to look again.
  [[nodiscard]] std::uint32_t children(std::uint32_t member, std::uint32_t root, std::uint32_t rank) const {
    std::uint32_t count = 0;
    for (const std::uint32_t a : out_[member]) {
      const std::uint32_t next = graph_.arcs[a].head;
      if (rank_[root][next] <= rank && takes(next, root, a)) ++count;
    }
    return count;
  }

  const MemberGraph& graph_;
  const std::vector<std::uint64_t>& units_;
  std::uint32_t members_;
  Transport transport_;
  std::vector<std::vector<std::uint32_t>> in_, out_;  // by member: arcs
  std::vector<std::uint32_t> roots_;
  std::vector<std::vector<std::uint16_t>> rank_;  // by root, then member
  std::uint16_t most_rank_ = 0;
  std::vector<std::vector<TreePieces::Piece>> pieces_;  // by member
  // Of the member at hand.
  std::vector<std::uint32_t> place_;   // by arc
  std::vector<std::uint64_t> room_;    // by place
  std::vector<std::uint64_t> wanted_;  // by root: trees without an arc
  std::vector<std::pair<std::uint32_t, std::uint32_t>> order_;
  std::vector<std::uint32_t> from_arc_, mover_, reached_;
  std::vector<std::uint8_t> seen_, queued_;
  std::vector<std::uint32_t> raised_;
};

}  // namespace

std::optional<TreePieces> pack_by_ranks(const MemberGraph& graph, const std::vector<std::uint64_t>& units,
                                        std::uint32_t slack, Progress& progress) {
  return RankPacking(graph, units, slack).run(progress);
}

}  // namespace unknot
