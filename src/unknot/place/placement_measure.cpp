// SPDX-License-Identifier: Apache-2.0
#include "unknot/place/placement_measure.hpp"

#include <algorithm>

#include "unknot/load/flow_load.hpp"

namespace unknot::place {

std::vector<Flow> placed_flows(const Places& places, const Placement& placement,
                               const CommunicationMatrix& sent) {
  std::vector<Flow> flows;
  for (std::uint32_t rank = 0; rank < sent.ranks; ++rank) {
    for (std::uint64_t i = sent.first[rank]; i < sent.first[rank + 1]; ++i) {
      const TerminalId source = places.terminal_of(placement[rank]);
      const TerminalId destination = places.terminal_of(placement[sent.entries[i].column]);
      if (source != destination)
        flows.push_back({source, destination, static_cast<double>(sent.entries[i].bytes)});
    }
  }
  std::stable_sort(flows.begin(), flows.end(), [](const Flow& a, const Flow& b) {
    return a.source != b.source ? a.source < b.source : a.destination < b.destination;
  });
  std::size_t kept = 0;
  for (const Flow& flow : flows) {
    if (kept > 0 && flows[kept - 1].source == flow.source &&
        flows[kept - 1].destination == flow.destination) {
      flows[kept - 1].weight += flow.weight;
    } else {
      flows[kept++] = flow;
    }
  }
  flows.resize(kept);
  return flows;
}

PlacementMeasure measure_placement(const Network& network, const Routing& routing, const LinkWidths& widths,
                                   const std::vector<Flow>& flows) {
  PlacementMeasure measure;
  const FlowLoad found = flow_load(network, routing, flows);
  measure.unroutable = found.unroutable;
  for (const ChannelId c : network.channels()) {
    measure.hop_bytes += found.load[c.value];
    const double load = found.load[c.value] / widths.of(c);
    measure.mean_channel += load / network.channel_count();
    if (load <= measure.busiest_channel) continue;
    measure.busiest_channel = load;
    measure.channel = c;
  }
  std::vector<double> cable(2 * std::size_t{network.terminal_count()}, 0);
  for (const Flow& flow : flows) {
    cable[flow.source.value] += flow.weight / widths.of(flow.source);
    cable[network.terminal_count() + flow.destination.value] += flow.weight / widths.of(flow.destination);
    measure.between_hosts += flow.weight;
  }
  for (const double load : cable) measure.busiest_cable = std::max(measure.busiest_cable, load);
  return measure;
}

}  // namespace unknot::place
