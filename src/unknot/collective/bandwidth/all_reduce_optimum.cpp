// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/bandwidth/all_reduce_optimum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include "unknot/collective/bandwidth/bandwidth_optimum.hpp"
#include "unknot/collective/bandwidth/supplied_flow.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

void require_both_ways(const NodeGraph& graph) {
  const ArcId a = graph.first_uneven();
  if (!a.valid()) return;
  const ArcId back = graph.find(graph.head(a), graph.tail(a));
  throw InputError(fmt::format(
      "all-reduce: node {} reaches node {} over a capacity of {}, and back over {}; optimal in "
      "bandwidth it is made where both are the same, elsewhere ask for its halves, "
      "reduce-scatter and all-gather",
      graph.tail(a).value, graph.head(a).value, graph.capacity(a), back.valid() ? graph.capacity(back) : 0));
}

void require_joined(const BandwidthProblem& problem) {
  std::vector<std::uint32_t> there, back;
  problem.graph->distances_from(problem.members.front(), there);
  problem.graph->distances_to(problem.members.front(), back);
  for (const NodeId n : problem.members) {
    const bool reached = there[n.value] != NodeGraph::kUnreached;
    if (reached && back[n.value] != NodeGraph::kUnreached) continue;
    const char* const what = reached ? "does not reach the others" : "cannot be reached by the others";
    throw InputError(fmt::format("node {} {}", n.value, what));
  }
}

/// Weights of members such that each set with a member inside has, with half of what can enter it in the time
/// that is looked at, as much as is `wanted`; where they can be `wanted` together, that time is enough.
///
/// Raised first, each as much as its narrowest set needs, then lowered, each as much as its sets can spare.
class Weights {
 public:
  Weights(const BandwidthProblem& problem, const Fraction& time)
      : problem_(problem),
        graph_(*problem.graph),
        members_(members_in_order(problem)),
        flow_(graph_.node_count() + 1),
        drain_(graph_.node_count()),
        tight_(graph_.node_count()) {
    // An arc carries 2 * over * capacity while 2 * under pass of each share: half of it out, half of it in.
    for (const ArcId a : graph_.arcs()) {
      if (graph_.capacity(a) > SuppliedFlow::kMostNeeded / time.over()) refuse_large_capacities();
      half_.push_back(graph_.capacity(a) * time.over());
      flow_.add_arc(graph_.tail(a).value, graph_.head(a).value, half_.back());
    }
    // Weights together, those below nothing counted twice, are less than 8 times what all members want.
    if (time.under() > SuppliedFlow::kMostNeeded / 16 / problem.all_shares / members_.size())
      refuse_large_capacities();
    scale_ = 2 * time.under();
    wanted_ = scale_ * problem.all_shares;
    weight_.assign(graph_.node_count(), 0);
    for (const std::uint32_t n : members_) {
      drain_arc_.push_back(flow_.add_arc(n, drain_, 0));
      set_weight(n, static_cast<std::int64_t>(scale_));
    }
    together_ = wanted_;
  }

  /// Whether the time is enough.
  bool find(Progress& progress) {
    raise(progress);
    for (const bool evenly : {true, false}) {
      if (together_ > wanted_) lower(evenly, progress);
    }
    return together_ == wanted_;
  }

  /// After a time that is not enough: the sets that lack what they need. What has a member in common is one
  /// part.
  [[nodiscard]] std::vector<std::vector<NodeId>> parts() const {
    std::vector<std::uint32_t> part(graph_.node_count(), kNoPart);  // by member
    std::vector<std::vector<NodeId>> parts;
    for (const std::uint32_t m : members_) {
      std::vector<NodeId> set = tight_[m];
      for (std::size_t i = 0; i < set.size(); ++i) {
        const std::uint32_t other = part[set[i].value];
        if (other == kNoPart) continue;
        for (const NodeId n : parts[other]) part[n.value] = kNoPart;
        set.insert(set.end(), parts[other].begin(), parts[other].end());
        parts[other].clear();
      }
      std::sort(set.begin(), set.end());
      set.erase(std::unique(set.begin(), set.end()), set.end());
      for (const NodeId n : set) {
        if (problem_.is_member(n)) part[n.value] = static_cast<std::uint32_t>(parts.size());
      }
      parts.push_back(std::move(set));
    }
    std::erase_if(parts, [](const std::vector<NodeId>& set) { return set.empty(); });
    return parts;
  }

  /// After a time that is enough: an all-gather from where sums come together. Nothing where some weight is
  /// below nothing.
  [[nodiscard]] std::optional<BandwidthProblem> roots() const {
    std::uint64_t common = scale_;
    for (const std::uint32_t n : members_) {
      if (weight_[n] < 0) return std::nullopt;
      common = std::gcd(common, static_cast<std::uint64_t>(weight_[n]));
    }
    BandwidthProblem result = problem_;
    result.all_reduce = false;
    result.all_shares = wanted_ / common;
    for (const std::uint32_t n : members_)
      result.shares[n] = narrow(static_cast<std::uint64_t>(weight_[n]) / common);
    return result;
  }

  /// After a time that is enough. Weights below nothing are made up for by turning channels towards others.
  AllReduceOptimum divide() && {
    AllReduceOptimum result;
    std::uint64_t owed = 0;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const std::int64_t weight = weight_[members_[i]];
      flow_.set_supply(members_[i], weight < 0 ? static_cast<std::uint64_t>(-weight) : 0);
      flow_.set_capacity(drain_arc_[i], weight > 0 ? static_cast<std::uint64_t>(weight) : 0);
      if (weight < 0) owed += static_cast<std::uint64_t>(-weight);
    }
    if (flow_.run(std::array{drain_}, owed) < owed)
      throw std::runtime_error("all-reduce: channels cannot be turned as weights say");
    std::vector<std::uint64_t> outward;
    std::uint64_t common = scale_;
    for (const ArcId a : graph_.arcs()) {
      const ArcId back = graph_.find(graph_.head(a), graph_.tail(a));
      outward.push_back(half_[a.value] + flow_.flow(a.value) - flow_.flow(back.value));
      common = std::gcd(common, outward.back());
    }
    std::vector<std::uint64_t> roots(graph_.node_count(), 0);
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const std::int64_t weight = weight_[members_[i]];
      roots[members_[i]] = weight > 0 ? static_cast<std::uint64_t>(weight) - flow_.flow(drain_arc_[i]) : 0;
      common = std::gcd(common, roots[members_[i]]);
    }
    result.scale = scale_ / common;
    result.outward = problem_;
    result.outward.all_reduce = false;
    result.outward.all_shares = wanted_ / common;
    for (const NodeId n : graph_.nodes()) result.outward.shares[n.value] = narrow(roots[n.value] / common);
    std::vector<std::uint32_t> capacities;
    capacities.reserve(outward.size());
    for (const std::uint64_t capacity : outward) capacities.push_back(narrow(capacity / common));
    result.outward.graph = std::make_shared<const NodeGraph>(graph_.with_capacities(capacities));
    return result;
  }

 private:
  static constexpr std::uint32_t kNoPart = 0xFFFFFFFFU;

  static std::uint32_t narrow(std::uint64_t number) {
    if (number > 0xFFFFFFFFU) refuse_large_capacities();
    return static_cast<std::uint32_t>(number);
  }

  void set_weight(std::uint32_t n, std::int64_t weight) {
    weight_[n] = weight;
    flow_.set_supply(n, weight > 0 ? static_cast<std::uint64_t>(weight) : 0);
  }

  void raise(Progress& progress) {
    progress.begin("optimum", members_.size());
    for (std::size_t i = 0; i < members_.size(); ++i) {
      if (progress.interrupted()) throw Interrupted();
      const std::uint32_t n = members_[i];
      const std::uint64_t reached = flow_.run(std::array{n}, wanted_);
      if (reached < wanted_) {
        set_weight(n, weight_[n] + static_cast<std::int64_t>(wanted_ - reached));
        together_ += wanted_ - reached;
      }
      // It has enough, and so has every set it is in: those to come are looked at without it.
      flow_.set_supply(n, SuppliedFlow::kEndless);
      progress.update(i + 1);
    }
    for (const std::uint32_t n : members_) set_weight(n, weight_[n]);
  }

  void lower(bool evenly, Progress& progress) {
    progress.begin("optimum", members_.size());
    for (std::size_t i = 0; i < members_.size() && together_ > wanted_; ++i) {
      if (progress.interrupted()) throw Interrupted();
      const std::uint32_t n = members_[i];
      const std::uint64_t left = together_ - wanted_;
      const std::uint64_t most = evenly ? (left + members_.size() - i - 1) / (members_.size() - i) : left;
      const std::uint64_t needed = wanted_ + most + below_;
      const std::uint64_t reached = flow_.run(std::array{n, drain_}, needed);
      if (reached < needed) tight_[n] = nodes_in_want(graph_, flow_);
      const std::uint64_t spare = reached - wanted_ - below_;
      if (spare > 0) {
        set_weight(n, weight_[n] - static_cast<std::int64_t>(spare));
        together_ -= spare;
        if (weight_[n] < 0) {
          const std::uint64_t owed = static_cast<std::uint64_t>(-weight_[n]);
          below_ += owed - flow_.capacity(drain_arc_[i]);
          flow_.set_capacity(drain_arc_[i], owed);
        }
      }
      progress.update(i + 1);
    }
  }

  const BandwidthProblem& problem_;
  const NodeGraph& graph_;
  std::vector<std::uint32_t> members_;
  SuppliedFlow flow_;
  std::uint32_t drain_;                     // where weights below nothing are paid
  std::vector<std::vector<NodeId>> tight_;  // by node
  std::vector<std::uint64_t> half_;         // by arc
  std::vector<std::uint32_t> drain_arc_;    // by place in members_
  std::vector<std::int64_t> weight_;        // by node
  std::uint64_t scale_ = 1, wanted_ = 0;
  std::uint64_t together_ = 0;  // all weights
  std::uint64_t below_ = 0;     // of weights below nothing, how much they are
};

/// Without switches that two parts have, as far as parts that come later keep them.
std::vector<std::vector<NodeId>> disjoint(const NodeGraph& graph, std::vector<std::vector<NodeId>> parts) {
  constexpr std::size_t kNoPart = SIZE_MAX;
  std::vector<std::size_t> part_of(graph.node_count(), kNoPart);
  for (std::size_t part = 0; part < parts.size(); ++part) {
    std::erase_if(parts[part], [&](NodeId n) {
      const std::size_t other = std::exchange(part_of[n.value], kNoPart);
      if (other != kNoPart) std::erase(parts[other], n);
      return other != kNoPart;
    });
    for (const NodeId n : parts[part]) part_of[n.value] = part;
  }
  return parts;
}

/// Of sets that lack what they need. Where links are even neither of two parts needs a switch that both have.
PartitionBound count_sets(const BandwidthProblem& problem, std::vector<std::vector<NodeId>> sets) {
  PartitionBound apart = count_partition(problem, disjoint(*problem.graph, sets));
  PartitionBound all = count_partition(problem, std::move(sets));
  return apart.time() >= all.time() ? apart : all;
}

PartitionBound singles(const BandwidthProblem& problem) {
  std::vector<std::vector<NodeId>> parts;
  parts.reserve(problem.members.size());
  for (const NodeId n : problem.members) parts.push_back({n});
  return count_partition(problem, std::move(parts));
}

BandwidthProblem turned(const BandwidthProblem& problem) {
  BandwidthProblem result = problem;
  result.graph = std::make_shared<const NodeGraph>(problem.graph->reversed());
  return result;
}

/// By Newton's method from a time on: weights at the first that is enough, and the partition that proves it
/// where a longer one than that is needed.
Weights weights_in_time(const BandwidthProblem& problem, Fraction time, std::optional<PartitionBound>& proof,
                        Progress& progress) {
  while (true) {
    Weights weights(problem, time);
    if (weights.find(progress)) return weights;
    PartitionBound next = count_sets(problem, weights.parts());
    if (next.time() <= time)
      throw std::runtime_error("all-reduce: no partition is narrower than the one before");
    time = next.time();
    proof = std::move(next);
  }
}

}  // namespace

PartitionBound count_partition(const BandwidthProblem& problem, std::vector<std::vector<NodeId>> parts,
                               bool leaving) {
  const NodeGraph& graph = *problem.graph;
  std::erase_if(parts, [&](const std::vector<NodeId>& part) {
    return std::none_of(part.begin(), part.end(), [&](NodeId n) { return problem.is_member(n); });
  });
  for (std::vector<NodeId>& part : parts) std::sort(part.begin(), part.end());
  std::sort(parts.begin(), parts.end());
  std::vector<std::size_t> in(graph.node_count(), 0);  // by node: the part before, and one more
  std::size_t members = 0;
  PartitionBound bound;
  bound.leaving = leaving;
  std::uint64_t capacity = 0;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    for (const NodeId n : parts[part]) {
      const bool again = in[n.value] == part + 1 || (in[n.value] != 0 && problem.is_member(n));
      if (again) return bound;
      in[n.value] = part + 1;
      members += problem.is_member(n) ? 1 : 0;
    }
    const auto inside = [&](NodeId n) { return in[n.value] == part + 1; };
    for (const NodeId n : parts[part]) {
      if (leaving) {
        for (const ArcId a : graph.out(n)) capacity += inside(graph.head(a)) ? 0 : graph.capacity(a);
      } else {
        for (const ArcId a : graph.in(n)) capacity += inside(graph.tail(a)) ? 0 : graph.capacity(a);
      }
    }
  }
  if (members < problem.members.size()) return bound;
  bound.capacity = capacity;
  bound.shares = 2 * (parts.size() - 1) * problem.all_shares;
  bound.parts = std::move(parts);
  return bound;
}

std::optional<PartitionBound> better_partition(const BandwidthProblem& problem, const Fraction& time,
                                               bool leaving, Progress& progress) {
  require_joined(problem);
  const BandwidthProblem entered = leaving ? turned(problem) : problem;
  std::optional<PartitionBound> proof = singles(entered);
  if (proof->time() <= time) proof.reset();
  (void)weights_in_time(entered, proof ? proof->time() : time, proof, progress);
  if (proof) proof->leaving = leaving;
  return proof;
}

std::optional<BandwidthProblem> roots_in_time(const BandwidthProblem& problem, const Fraction& time,
                                              bool leaving, Progress& progress) {
  const BandwidthProblem entered = leaving ? turned(problem) : problem;
  Weights weights(entered, time);
  if (!weights.find(progress)) return std::nullopt;
  std::optional<BandwidthProblem> roots = weights.roots();
  if (roots) roots->graph = problem.graph;
  return roots;
}

AllReduceOptimum all_reduce_optimum(const BandwidthProblem& problem, Progress& progress) {
  require_both_ways(*problem.graph);
  require_joined(problem);
  std::optional<PartitionBound> proof = singles(problem);
  AllReduceOptimum result = weights_in_time(problem, proof->time(), proof, progress).divide();
  result.proof = std::move(*proof);
  return result;
}

}  // namespace unknot
