// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/bandwidth/all_reduce_optimum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "unknot/collective/bandwidth/bandwidth_optimum.hpp"
#include "unknot/collective/bandwidth/supplied_flow.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint64_t kMostCapacity = 0xFFFFFFFFU;

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

/// Weights of members such that each set with a member inside has, with half the capacity around it, as much
/// as is `wanted`; where they can be `wanted` together, the time that capacities stand for is enough.
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
    // A link carries 2 * over * capacity while 2 * under pass of each share: half of it each way.
    for (const ArcId a : graph_.arcs()) {
      if (graph_.capacity(a) > kMostCapacity / time.over()) refuse_large_capacities();
      half_.push_back(graph_.capacity(a) * time.over());
      flow_.add_arc(graph_.tail(a).value, graph_.head(a).value, half_.back());
    }
    if (time.under() > kMostCapacity / problem.all_shares) refuse_large_capacities();
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

  /// After a time that is not enough: the sets that lack what they need.
  [[nodiscard]] std::vector<std::vector<NodeId>> parts() const {
    std::vector<std::uint32_t> part(graph_.node_count(), kNoPart);
    std::vector<std::vector<NodeId>> parts;
    for (const std::uint32_t m : members_) {
      std::vector<NodeId> set = tight_[m];
      // What has a member in common is one part.
      for (std::size_t i = 0; i < set.size(); ++i) {
        const std::uint32_t other = part[set[i].value];
        if (other == kNoPart || !problem_.is_member(set[i])) continue;
        for (const NodeId n : parts[other]) part[n.value] = kNoPart;
        set.insert(set.end(), parts[other].begin(), parts[other].end());
        parts[other].clear();
      }
      std::sort(set.begin(), set.end());
      set.erase(std::unique(set.begin(), set.end()), set.end());
      // Switches that two parts have are needed by neither.
      std::erase_if(set, [&](NodeId n) {
        const std::uint32_t other = part[n.value];
        if (other == kNoPart) return false;
        std::erase(parts[other], n);
        part[n.value] = kNoPart;
        return true;
      });
      for (const NodeId n : set) part[n.value] = static_cast<std::uint32_t>(parts.size());
      parts.push_back(std::move(set));
    }
    std::erase_if(parts, [](const std::vector<NodeId>& set) { return set.empty(); });
    return parts;
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
    if (number > kMostCapacity) refuse_large_capacities();
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

}  // namespace

PartitionBound count_partition(const BandwidthProblem& problem, std::vector<std::vector<NodeId>> parts) {
  const NodeGraph& graph = *problem.graph;
  constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  std::erase_if(parts, [&](const std::vector<NodeId>& part) {
    return std::none_of(part.begin(), part.end(), [&](NodeId n) { return problem.is_member(n); });
  });
  for (std::vector<NodeId>& part : parts) std::sort(part.begin(), part.end());
  std::sort(parts.begin(), parts.end());
  std::vector<std::uint32_t> part_of(graph.node_count(), kNone);
  PartitionBound bound;
  for (std::uint32_t part = 0; part < parts.size(); ++part) {
    for (const NodeId n : parts[part]) {
      if (part_of[n.value] != kNone) return bound;
      part_of[n.value] = part;
    }
  }
  for (const NodeId n : problem.members) {
    if (part_of[n.value] == kNone) return bound;
  }
  for (const ArcId a : graph.arcs()) {
    const std::uint32_t into = part_of[graph.head(a).value];
    if (into != kNone && into != part_of[graph.tail(a).value]) bound.capacity += graph.capacity(a);
  }
  bound.shares = 2 * (parts.size() - 1) * problem.all_shares;
  bound.parts = std::move(parts);
  return bound;
}

AllReduceOptimum all_reduce_optimum(const BandwidthProblem& problem, Progress& progress) {
  require_both_ways(*problem.graph);
  std::vector<std::uint32_t> hops;
  problem.graph->distances_from(problem.members.front(), hops);
  // The first guess: every member by itself.
  std::vector<std::vector<NodeId>> parts;
  parts.reserve(problem.members.size());
  for (const NodeId n : problem.members) {
    if (hops[n.value] == NodeGraph::kUnreached)
      throw InputError(fmt::format("node {} cannot be reached by the others", n.value));
    parts.push_back({n});
  }
  PartitionBound proof = count_partition(problem, std::move(parts));
  while (true) {
    Weights weights(problem, proof.time());
    if (weights.find(progress)) {
      AllReduceOptimum result = std::move(weights).divide();
      result.proof = std::move(proof);
      return result;
    }
    PartitionBound next = count_partition(problem, weights.parts());
    if (next.time() <= proof.time())
      throw std::runtime_error("all-reduce: no partition is narrower than the one before");
    proof = std::move(next);
  }
}

}  // namespace unknot
