// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/front/step_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::size_t kMostHops = std::size_t{1} << 16U;

/// Lists the ways that lead from each member through switches to the next.
class HopLister {
 public:
  HopLister(const NodeGraph& graph, const std::vector<NodeId>& members)
      : graph_(graph),
        members_(members),
        rank_(graph.node_count(), Problem::kNone),
        on_way_(rank_.size()),
        of_a_member_(rank_.size()) {
    for (std::uint32_t r = 0; r < members.size(); ++r) {
      rank_[members[r].value] = r;
      if (!graph.is_leaf(members[r])) continue;
      for (const ArcId a : graph.out(members[r])) of_a_member_[graph.head(a).value] = true;
    }
  }

  std::vector<StepHop> run() {
    for (std::uint32_t r = 0; r < members_.size(); ++r) follow(r, members_[r]);
    return std::move(hops_);
  }
  [[nodiscard]] const std::vector<std::uint32_t>& ranks() const { return rank_; }

 private:
  void follow(std::uint32_t from, NodeId at) {  // NOLINT(misc-no-recursion): no deeper than ways are long
    on_way_[at.value] = true;
    const bool passes_on = !of_a_member_[at.value] || arcs_.size() == 1;
    for (const ArcId a : graph_.out(at)) {
      const NodeId next = graph_.head(a);
      if (on_way_[next.value] || !(passes_on || graph_.is_leaf(next))) continue;
      arcs_.push_back(a);
      if (rank_[next.value] != Problem::kNone) {
        if (hops_.size() == kMostHops) {
          throw InputError(
              fmt::format("between nodes that take part there are more than {} ways through switches, each "
                          "of which a front "
                          "lists; --goal bandwidth and --bytes do not",
                          kMostHops));
        }
        hops_.push_back({from, rank_[next.value], arcs_});
      } else if (!graph_.is_leaf(next)) {
        follow(from, next);
      }
      arcs_.pop_back();
    }
    on_way_[at.value] = false;
  }

  const NodeGraph& graph_;
  const std::vector<NodeId>& members_;
  std::vector<std::uint32_t> rank_;         // by node
  std::vector<bool> on_way_, of_a_member_;  // the router of one that is a terminal
  std::vector<ArcId> arcs_;
  std::vector<StepHop> hops_;
};

void find_distances(StepProblem& problem) {
  problem.distance.assign(problem.ranks(), std::vector<std::uint32_t>(problem.ranks(), StepProblem::kFar));
  std::vector<std::uint32_t> queue;
  for (std::uint32_t start = 0; start < problem.ranks(); ++start) {
    std::vector<std::uint32_t>& far = problem.distance[start];
    far[start] = 0;
    queue.assign(1, start);
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (std::uint32_t h = problem.first_hop[queue[i]]; h < problem.first_hop[queue[i] + 1]; ++h) {
        const std::uint32_t to = problem.hops[h].to;
        if (far[to] != StepProblem::kFar) continue;
        far[to] = far[queue[i]] + 1;
        queue.push_back(to);
      }
    }
  }
}

void add_images(StepProblem& problem, const Symmetry& symmetry, const std::vector<std::uint32_t>& rank) {
  std::map<std::pair<std::uint32_t, std::vector<ArcId>>, std::uint32_t> number;
  for (std::uint32_t h = 0; h < problem.hops.size(); ++h)
    number[{problem.hops[h].from, problem.hops[h].arcs}] = h;
  for (std::uint32_t e = 0; e < symmetry.order(); ++e) {
    std::vector<std::uint32_t> ranks(problem.ranks()), hops(problem.hops.size());
    for (std::uint32_t r = 0; r < problem.ranks(); ++r)
      ranks[r] = rank[symmetry.image(e, problem.members[r]).value];
    for (std::uint32_t h = 0; h < hops.size(); ++h) {
      std::vector<ArcId> arcs = problem.hops[h].arcs;
      for (ArcId& a : arcs) a = symmetry.image(e, *problem.graph, a);
      hops[h] = number.at({ranks[problem.hops[h].from], std::move(arcs)});
    }
    problem.rank_image.push_back(std::move(ranks));
    problem.hop_image.push_back(std::move(hops));
  }
}

}  // namespace

std::uint32_t StepProblem::least_steps() const {
  std::uint32_t most = 0;
  for (const Source& source : sources) {
    for (const std::uint32_t t : source.targets) most = std::max(most, distance[source.rank][t]);
  }
  return most;
}

std::vector<std::uint32_t> StepProblem::source_orbits() const {
  std::vector<std::uint32_t> first;
  std::vector<bool> seen(ranks(), false);
  for (std::uint32_t i = 0; i < sources.size(); ++i) {
    if (seen[sources[i].rank]) continue;
    first.push_back(i);
    for (const auto& image : rank_image) seen[image[sources[i].rank]] = true;
  }
  return first;
}

StepProblem make_step_problem(const Problem& base) {
  // Of a reduction and of a gather the owner sends, in reversed time.
  const bool gather = base.delivery == Delivery::scatter && base.is_gather() && base.groups() > 1;
  const bool backward = base.delivery == Delivery::reduction || gather;
  const Problem forward = backward ? time_reversed(base) : base;
  StepProblem result;
  result.graph = forward.graph;
  result.backward = backward;
  result.personal = forward.delivery == Delivery::scatter;
  const std::vector<Role> roles = forward.roles();
  for (const NodeId n : forward.graph->nodes()) {
    if (roles[n.value] != Role::switch_only) result.members.push_back(n);
  }
  HopLister lister(*forward.graph, result.members);
  result.hops = lister.run();
  result.first_hop.assign(result.members.size() + 1, 0);
  for (const StepHop& hop : result.hops) ++result.first_hop[hop.from + 1];
  std::partial_sum(result.first_hop.begin(), result.first_hop.end(), result.first_hop.begin());
  find_distances(result);
  for (std::uint32_t g = 0; g < forward.groups(); ++g) {
    StepProblem::Source source{lister.ranks()[forward.owner[g].value], {}};
    for (const NodeId n : forward.partners(g)) {
      const std::uint32_t target = lister.ranks()[n.value];
      if (target == source.rank) continue;
      if (result.distance[source.rank][target] == StepProblem::kFar) {
        throw InputError(fmt::format("node {} cannot be reached from node {} by nodes that take part",
                                     n.value, forward.owner[g].value));
      }
      source.targets.push_back(target);
    }
    result.sources.push_back(std::move(source));
  }
  add_images(result, find_symmetry(forward), lister.ranks());
  return result;
}

StepProblem without_symmetry(StepProblem problem) {
  problem.hop_image.resize(1);
  problem.rank_image.resize(1);
  return problem;
}

}  // namespace unknot
