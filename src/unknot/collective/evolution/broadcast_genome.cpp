// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/evolution/broadcast_genome.hpp"

#include <algorithm>
#include <cmath>

#include "unknot/collective/evolution/broadcast_evaluator.hpp"
#include "unknot/collective/evolution/genome_parts.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

/// Radius of the thesis's rule. [Jaros 2010, section 6.5.5]
std::uint32_t radius_for(const Problem& problem) {
  std::uint32_t most_receivers = 1, ports = 1;
  for (std::uint32_t g = 0; g < problem.groups(); ++g) {
    most_receivers = std::max(most_receivers, problem.first[g + 1] - problem.first[g]);
    ports = std::max(ports, problem.send_limit(problem.owner[g]));
  }
  const double k = std::max(2U, ports);
  const bool flood = (problem.groups() - 1.0) / ports > std::log(most_receivers + 1.0) / std::log(k);
  return flood ? 1 : BroadcastGenome::kWide;
}

}  // namespace

BroadcastGenome::BroadcastGenome(const unknot::Problem& problem, std::uint32_t steps,
                                 const GenomeOptions& options)
    : symmetry_(symmetry_for(problem, options)),
      orbit_(symmetry_.node_orbits()),
      problem_(representatives(problem, symmetry_)),
      steps_(steps),
      greedy_(options.greedy),
      paths_(*problem.graph, all_pairs(), limits_for(problem, options.limits), asked(options)),
      resources_(problem_, paths_, symmetry_, asked(options)) {
  require_steps(steps);
  radius_ = options.radius == 0 ? radius_for(problem) : options.radius;
  // Cables of terminals are on every way.
  const std::size_t to_both_ends = problem.graph->has_terminal_nodes() ? 2 : 0;
  ways_.resize(parties_.size() * parties_.size());
  std::uint32_t most_paths = 1, neighbours = 0, others = first_other_;
  for (std::size_t f = 0; f < parties_.size(); ++f) {
    for (std::size_t t = 0; t < parties_.size(); ++t) {
      if (f == t) continue;
      const std::uint32_t pair = are_neighbours(parties_[f], parties_[t]) ? neighbours++ : others++;
      const std::size_t hops = paths_.arcs(paths_.number(pair, 0)).size();
      const bool near = radius_ == kWide || hops <= radius_ + to_both_ends;
      ways_[f * parties_.size() + t] = {paths_.number(pair, 0),
                                        static_cast<std::uint16_t>(paths_.count(pair) - 1),
                                        static_cast<std::uint16_t>(near ? 1 : 0)};
      most_paths = std::max(most_paths, paths_.count(pair));
    }
  }
  std::vector<std::uint32_t> place(problem.graph->node_count(), 0);
  for (std::uint32_t i = 0; i < parties_.size(); ++i) place[parties_[i].value] = i;
  for (std::uint32_t g = 0; g < problem_.groups(); ++g) {
    const std::span<const NodeId> partners = problem_.partners(g);
    places_.push_back(place[problem_.owner[g].value]);
    for (const NodeId n : partners) places_.push_back(place[n.value]);
    const auto members = static_cast<std::uint32_t>(partners.size()) + 1;
    for (std::uint32_t i = 1; i < members; ++i) {
      layout_.add_gene({members, most_paths, steps});
      for (std::uint32_t d = 0; d < members; ++d) {
        if (d != i && ways(g, d, problem_.first[g] + i - 1).near != 0) near_.push_back(static_cast<Value>(d));
      }
      near_begin_.push_back(near_.size());
    }
  }
  find_near_masks();
}

void BroadcastGenome::find_near_masks() {
  for (std::uint32_t g = 0; g < problem_.groups(); ++g) {
    if (problem_.first[g + 1] - problem_.first[g] >= 64) return;
  }
  near_masks_.resize(places_.size());
  for (std::uint32_t g = 0; g < problem_.groups(); ++g) {
    for (std::uint32_t m = problem_.first[g]; m < problem_.first[g + 1]; ++m) {
      const std::uint32_t i = m - problem_.first[g] + 1;
      for (const Value d : near_members(m)) {
        near_masks_[members(g) + i].from |= std::uint64_t{1} << d;
        near_masks_[members(g) + d].to |= std::uint64_t{1} << i;
      }
    }
  }
}

/// All pairs of nodes that take part, neighbours before others, by the first and then the second of them:
/// paths between neighbours are those that are used most, and lie together then.
std::vector<MessageEnds> BroadcastGenome::all_pairs() {
  if (problem_.delivery != Delivery::broadcast) {
    throw InputError("schedule: broadcasts alone have such chromosomes");
  }
  parties_ = problem_.owner;
  parties_.insert(parties_.end(), problem_.partner.begin(), problem_.partner.end());
  std::sort(parties_.begin(), parties_.end());
  parties_.erase(std::unique(parties_.begin(), parties_.end()), parties_.end());
  std::vector<MessageEnds> pairs;
  for (const bool neighbours : {true, false}) {
    for (const NodeId from : parties_) {
      for (const NodeId to : parties_) {
        if (from != to && are_neighbours(from, to) == neighbours) pairs.push_back({from, to});
      }
    }
    if (neighbours) first_other_ = static_cast<std::uint32_t>(pairs.size());
  }
  return pairs;
}

bool BroadcastGenome::are_neighbours(NodeId from, NodeId to) const {
  return problem_.graph->find(from, to).valid();
}

std::unique_ptr<evolve::Evaluator> BroadcastGenome::evaluator() const {
  return std::make_unique<BroadcastEvaluator>(*this);
}

Schedule BroadcastGenome::schedule(std::span<const evolve::Value> chromosome) const {
  ScheduleBuilder builder(*problem_.graph, symmetry_, steps_);
  for (std::uint32_t g = 0; g < problem_.groups(); ++g) {
    for (std::uint32_t m = problem_.first[g]; m < problem_.first[g + 1]; ++m) {
      const Ways& choice = ways(g, chromosome[3 * m], m);
      builder.add(chromosome[3 * m + 2], problem_.owner[g], paths_.arcs(choice.path(chromosome[3 * m + 1])));
    }
  }
  return builder.build();
}

}  // namespace unknot
