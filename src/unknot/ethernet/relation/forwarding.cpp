// SPDX-License-Identifier: Apache-2.0
#include "unknot/ethernet/relation/forwarding.hpp"

#include <algorithm>
#include <unordered_map>

#include "unknot/ethernet/relation/prefix_classes.hpp"

namespace unknot::ethernet {
namespace {

/// Whether a switch sends packets of a chain out of the fabric, unless something fails.
bool leaves(const Switch& at, const std::vector<std::uint32_t>& chain) {
  return !chain.empty() && at.hop_sets[chain.front()].leaves;
}

}  // namespace

Forwarding::Forwarding(const Fabric& fabric) : fabric_(fabric) {
  PrefixRanges ranges = prefix_ranges(fabric);
  const auto switches = static_cast<std::uint32_t>(fabric.switches.size());
  const std::size_t count = ranges.prefix.size();
  // Ranges start as one class and are told apart by one switch after the other.
  std::vector<std::uint32_t> class_of(count, 0);
  std::vector<bool> reaches_out(count, false);
  std::vector<std::uint32_t> chain_of_range;
  std::unordered_map<std::uint64_t, std::uint32_t> known;
  for (std::uint32_t s = 0; s < switches; ++s) {
    ranges.match(fabric, s, chain_of_range);
    std::vector<bool> out_by(ranges.chains[s].size());
    for (std::size_t k = 0; k < out_by.size(); ++k)
      out_by[k] = leaves(fabric.switches[s], ranges.chains[s][k]);
    known.clear();
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t pair = std::uint64_t{class_of[i]} << 32 | chain_of_range[i];
      class_of[i] = known.emplace(pair, static_cast<std::uint32_t>(known.size())).first->second;
      if (out_by[chain_of_range[i]]) reaches_out[i] = true;
    }
  }
  std::vector<std::uint32_t> range_of_column;
  std::vector<std::uint32_t> column_of_class(count, kNone);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!reaches_out[i] || ranges.empty[i]) continue;
    std::uint32_t& column = column_of_class[class_of[i]];
    if (column == kNone) {
      column = static_cast<std::uint32_t>(destinations_.size());
      destinations_.push_back({ranges.prefix[i], 1});
      range_of_column.push_back(i);
    } else {
      ++destinations_[column].prefixes;
    }
  }
  std::vector<std::uint32_t> outside_of_switch(switches, kNone);
  for (std::uint32_t s = 0; s < switches; ++s) {
    if (!fabric.switches[s].tunnel) continue;
    const std::uint32_t range = ranges.range_of(fabric.switches[s].tunnel->peer);
    if (range == kNone) continue;
    outside_of_switch[s] = static_cast<std::uint32_t>(range_of_column.size());
    range_of_column.push_back(range);
  }
  columns_ = static_cast<std::uint32_t>(range_of_column.size());
  chain_of_.resize(std::size_t{switches} * columns_);
  for (std::uint32_t s = 0; s < switches; ++s) {
    ranges.match(fabric, s, chain_of_range);
    for (std::uint32_t k = 0; k < columns_; ++k)
      chain_of_[std::size_t{s} * columns_ + k] = chain_of_range[range_of_column[k]];
  }
  chains_ = std::move(ranges.chains);
  add_tunnels(outside_of_switch);
}

/// A flow for each destination that some switch may send into its tunnel.
void Forwarding::add_tunnels(const std::vector<std::uint32_t>& outside_of_switch) {
  const std::uint32_t destinations = destination_count();
  std::vector<std::vector<std::uint32_t>> families(destinations);
  flows_.reserve(destinations);
  for (std::uint32_t d = 0; d < destinations; ++d) {
    flows_.push_back({d, kNone, 0});
    families[d].push_back(d);
  }
  for (std::uint32_t s = 0; s < outside_of_switch.size(); ++s) {
    if (outside_of_switch[s] == kNone) continue;
    for (std::uint32_t d = 0; d < destinations; ++d) {
      const auto& chain = chains_[s][chain_of_[std::size_t{s} * columns_ + d]];
      const bool enters = std::any_of(chain.begin(), chain.end(), [&](std::uint32_t set) {
        return fabric_.switches[s].hop_sets[set].tunnel;
      });
      if (!enters) continue;
      families[d].push_back(flow_count());
      flows_.push_back({d, s, outside_of_switch[s]});
      conversions_.push_back({s, d});
    }
  }
  for (std::uint32_t f = destinations; f < flow_count(); ++f) {
    for (std::uint32_t s = 0; s < fabric_.switches.size(); ++s) {
      const HopSet* const hops = best(s, flows_[f].outside, {});
      if (hops != nullptr && hops->local) conversions_.push_back({s, f});
    }
  }
  std::sort(conversions_.begin(), conversions_.end(), [](const Conversion& a, const Conversion& b) {
    return std::pair(a.at, a.flow) < std::pair(b.at, b.flow);
  });
  first_of_family_.push_back(0);
  for (const std::vector<std::uint32_t>& one : families) {
    family_.insert(family_.end(), one.begin(), one.end());
    first_of_family_.push_back(static_cast<std::uint32_t>(family_.size()));
  }
}

const HopSet* Forwarding::best(std::uint32_t at, std::uint32_t column, DeadChannels dead) const {
  const Switch& here = fabric_.switches[at];
  for (const std::uint32_t set : chains_[at][chain_of_[std::size_t{at} * columns_ + column]]) {
    const HopSet& hops = here.hop_sets[set];
    if (hops.leaves || hops.local || hops.tunnel || hops.drop) return &hops;
    const bool alive = dead.empty() || std::any_of(hops.channels.begin(), hops.channels.end(),
                                                   [&](std::uint32_t c) { return !is_dead(c, dead); });
    if (alive) return &hops;
  }
  return nullptr;
}

std::uint32_t Forwarding::tunnel_of(std::uint32_t destination, std::uint32_t at) const {
  for (const std::uint32_t f : family(destination)) {
    if (flows_[f].encapsulated_at == at) return f;
  }
  return kNone;
}

Forwarding::Step Forwarding::step(std::uint32_t at, std::uint32_t flow, DeadChannels dead) const {
  Step step;
  step.flow = flow;
  if (in_tunnel(flow)) {
    step.hops = best(at, flows_[flow].outside, dead);
    if (step.hops != nullptr && step.hops->tunnel && !step.hops->local)
      step.hops = nullptr;  // none in another
    if (step.hops == nullptr || !step.hops->local) return step;
    step.left_tunnel = true;
    step.flow = flows_[flow].destination;
  }
  step.hops = best(at, flows_[step.flow].destination, dead);
  if (step.hops == nullptr || !step.hops->tunnel) return step;
  step.leaves = step.hops->leaves;
  step.flow = tunnel_of(step.flow, at);
  step.hops = step.flow == kNone ? nullptr : best(at, flows_[step.flow].outside, dead);
  if (step.hops != nullptr && (step.hops->local || step.hops->tunnel))
    step.hops = nullptr;  // it leads to itself
  if (step.flow == kNone) step.flow = flow;
  return step;
}

}  // namespace unknot::ethernet
