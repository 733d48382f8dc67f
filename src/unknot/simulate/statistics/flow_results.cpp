// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/statistics/flow_results.hpp"

#include <algorithm>
#include <cstddef>
#include <tuple>

namespace unknot::simulate {

std::vector<FlowResult> flow_results(std::vector<Recorder::Seen> seen, std::uint32_t speedup) {
  using Seen = Recorder::Seen;
  // The measured ones of a flow by latency, the others behind them.
  std::sort(seen.begin(), seen.end(), [](const Seen& a, const Seen& b) {
    return std::tuple(a.source, a.destination, !a.measured, a.latency) <
           std::tuple(b.source, b.destination, !b.measured, b.latency);
  });
  std::vector<FlowResult> flows;
  for (std::size_t first = 0, end = 0; first < seen.size(); first = end) {
    FlowResult flow{seen[first].source, seen[first].destination};
    std::uint64_t latencies = 0, hops = 0;
    for (end = first; end < seen.size(); ++end) {
      const Seen& one = seen[end];
      if (one.source != flow.source || one.destination != flow.destination) break;
      if (one.accepted) flow.accepted_flits += one.flits;
      if (!one.measured) continue;
      ++flow.packets;
      flow.flits += one.flits;
      latencies += one.latency;
      hops += one.hops;
    }
    if (flow.packets > 0) {
      const auto packets = static_cast<double>(flow.packets);
      const std::size_t rank = first + (flow.packets * 99 + 99) / 100 - 1;
      flow.latency_mean = static_cast<double>(latencies) / packets / speedup;
      flow.latency_p99 = static_cast<double>(seen[rank].latency) / speedup;
      flow.latency_max = static_cast<double>(seen[first + flow.packets - 1].latency) / speedup;
      flow.hops_mean = static_cast<double>(hops) / packets;
    }
    flows.push_back(flow);
  }
  return flows;
}

}  // namespace unknot::simulate
