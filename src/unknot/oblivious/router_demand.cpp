// SPDX-License-Identifier: Apache-2.0
#include "unknot/oblivious/router_demand.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "unknot/support/error.hpp"

namespace unknot {

RouterDemand RouterDemand::uniform(const Network& network) {
  RouterDemand demand(network);
  demand.size_.reserve(demand.endpoints_.count());
  for (const RouterId r : demand.endpoints_.all()) demand.size_.push_back(network.terminals_at(r).size());
  if (network.terminal_count() < 2) return demand;
  demand.scale_ = 1.0 / (network.terminal_count() - 1.0);
  demand.peak_ejection_ = 1;
  const double all = network.terminal_count();
  for (const double size : demand.size_) {
    demand.inside_ += demand.scale_ * size * (size - 1);
    demand.between_ += demand.scale_ * size * (all - size);
  }
  return demand;
}

/// Sorts by destination and source and adds up entries of the same pair, in the order they came in.
void RouterDemand::merge(std::vector<Entry>& entries) {
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.destination, a.source) < std::tie(b.destination, b.source);
  });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (kept > 0 && entries[kept - 1].destination == entries[i].destination &&
        entries[kept - 1].source == entries[i].source) {
      entries[kept - 1].rate += entries[i].rate;
    } else {
      entries[kept++] = entries[i];
    }
  }
  entries.resize(kept);
}

void RouterDemand::fill(const std::vector<Entry>& entries) {
  first_.assign(endpoints_.count() + std::size_t{1}, 0);
  for (const Entry& entry : entries) {
    if (entry.destination == entry.source) {
      inside_ += entry.rate;
      continue;
    }
    between_ += entry.rate;
    ++first_[entry.destination + std::size_t{1}];
    source_.push_back(entry.source);
    rate_.push_back(entry.rate);
  }
  for (std::size_t d = 1; d < first_.size(); ++d) first_[d] += first_[d - 1];
}

RouterDemand RouterDemand::of_pattern(const Network& network, const TrafficPattern& pattern,
                                      std::uint64_t seed, std::uint32_t samples) {
  if (pattern.all_pairs) return uniform(network);
  if (!pattern.random) samples = 1;
  if (samples == 0) throw InputError("a traffic pattern needs at least one sample");
  RouterDemand demand(network);
  std::vector<Flow> flows;
  std::vector<double> sent(network.terminal_count(), 0);
  std::vector<double> received(network.terminal_count(), 0);
  std::vector<Entry> entries;
  std::size_t merged = 0;
  for (std::uint32_t sample = 0; sample < samples; ++sample) {
    pattern.flows(seed, sample, flows);
    for (const Flow& flow : flows) sent[flow.source.value] += flow.weight;
    for (const Flow& flow : flows) {
      const double rate = flow.weight / sent[flow.source.value] / samples;
      received[flow.destination.value] += rate;
      entries.push_back({demand.endpoints_.index_of(network.router_of(flow.destination)),
                         demand.endpoints_.index_of(network.router_of(flow.source)), rate});
    }
    for (const Flow& flow : flows) sent[flow.source.value] = 0;
    // Many samples say the same of few pairs of routers.
    if (entries.size() > 2 * merged + flows.size()) {
      merge(entries);
      merged = entries.size();
    }
  }
  merge(entries);
  demand.fill(entries);
  for (const double rate : received) demand.peak_ejection_ = std::max(demand.peak_ejection_, rate);
  return demand;
}

RouterDemand RouterDemand::of_flows(const Network& network, std::span<const RouterFlow> flows) {
  RouterDemand demand(network);
  std::vector<Entry> entries;
  entries.reserve(flows.size());
  for (const RouterFlow& flow : flows) {
    for (const RouterId r : {flow.source, flow.destination}) {
      if (r.value >= network.router_count() || demand.endpoints_.index_of(r) == EndpointRouters::kNone) {
        throw InputError(
            fmt::format("router {} has no terminals, nothing can be sent from or to it",
                        r.value < network.router_count() ? network.router_name(r) : std::to_string(r.value)));
      }
    }
    if (!std::isfinite(flow.rate) || flow.rate < 0) {
      throw InputError(fmt::format("the rate from {} to {} is {}, expected a finite number from 0",
                                   network.router_name(flow.source), network.router_name(flow.destination),
                                   flow.rate));
    }
    if (flow.rate == 0) continue;
    entries.push_back(
        {demand.endpoints_.index_of(flow.destination), demand.endpoints_.index_of(flow.source), flow.rate});
  }
  merge(entries);
  demand.fill(entries);
  return demand;
}

void RouterDemand::column(std::uint32_t destination, std::span<double> rate) const {
  if (!size_.empty()) {
    const double here = scale_ * size_[destination];
    for (std::size_t s = 0; s < rate.size(); ++s) rate[s] = here * size_[s];
    rate[destination] = 0;
    return;
  }
  std::fill(rate.begin(), rate.end(), 0.0);
  for (std::uint64_t i = first_[destination]; i < first_[destination + std::size_t{1}]; ++i)
    rate[source_[i]] = rate_[i];
}

}  // namespace unknot
