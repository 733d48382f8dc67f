// SPDX-License-Identifier: Apache-2.0
#include "unknot/ethernet/pauses/pause_verdict.hpp"

#include <fmt/format.h>

#include "unknot/deadlock/components.hpp"
#include "unknot/deadlock/shortest_cycle.hpp"
#include "unknot/deadlock/topological.hpp"

namespace unknot::ethernet {

DependencyGraph wait_graph(const Waits& waits, const std::vector<std::uint64_t>& pairs) {
  std::vector<std::uint8_t> used(std::size_t{waits.channel_count()} * waits.layer_count(), 0);
  for (const std::uint64_t pair : pairs) used[pair >> 32] = used[pair & 0xFFFFFFFFU] = 1;
  return {waits.channel_count(), waits.layer_count(), std::move(used), [&](const auto& visit) {
            for (const std::uint64_t pair : pairs)
              visit(static_cast<std::uint32_t>(pair >> 32), static_cast<std::uint32_t>(pair));
          }};
}

PauseVerdict pause_verdict(const Waits& waits, const Queues& queues, const DependencyGraph& graph) {
  PauseVerdict verdict;
  verdict.dependencies = graph.arc_count();
  for (std::uint32_t v = 0; v < graph.vertex_count(); ++v) verdict.buffers += graph.used(v) ? 1 : 0;
  TopologicalNumbers numbers = topological_numbers(graph);
  verdict.deadlock_free = numbers.acyclic;
  for (const std::uint8_t p : queues.priorities()) verdict.free_of_priority.emplace_back(p, true);
  if (numbers.acyclic) {
    verdict.number = std::move(numbers.number);
    return verdict;
  }
  const CyclicComponents cyclic = cyclic_components(graph);
  for (std::uint32_t v = 0; v < graph.vertex_count(); ++v) {
    if (cyclic.component[v] != CyclicComponents::kNone)
      verdict.free_of_priority[v / waits.channel_count()].second = false;
  }
  if (queues.uniform()) {
    for (auto& [priority, free] : verdict.free_of_priority) free = false;
  }
  const std::vector<std::uint32_t> cycle = shortest_cycle(graph);
  verdict.witness.reserve(cycle.size());
  const auto any = [](const WaitReason&) { return true; };
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const std::uint32_t next = cycle[(i + 1) % cycle.size()];
    verdict.witness.push_back({waits.channel_of(cycle[i]), waits.priority_of(cycle[i]),
                               waits.reason_where(cycle[i], next, any).value_or(WaitReason{})});
  }
  return verdict;
}

std::string channel_text(const Fabric& fabric, std::uint32_t channel) {
  const Channel& c = fabric.channels[channel];
  return fmt::format("{} {} -> {} {}", fabric.switches[c.from].name, c.out_port, fabric.switches[c.to].name,
                     c.in_port);
}

std::string describe(const Forwarding& forwarding, const std::vector<PauseWait>& witness) {
  const Fabric& fabric = forwarding.fabric();
  std::string lines;
  for (std::size_t i = 0; i < witness.size(); ++i) {
    const PauseWait& wait = witness[i];
    const PauseWait& next = witness[(i + 1) % witness.size()];
    const Flow& flow = forwarding.flows()[wait.reason.flow];
    const Flow& goes_on = forwarding.flows()[wait.reason.next_flow];
    std::string tunnel;
    if (wait.reason.flow != wait.reason.next_flow) {
      tunnel = goes_on.encapsulated_at != kNone ? fmt::format(", which {} puts into its tunnel,",
                                                              fabric.switches[goes_on.encapsulated_at].name)
                                                : std::string(", which leaves its tunnel,");
    } else if (flow.encapsulated_at != kNone) {
      tunnel = fmt::format(", in the tunnel of {},", fabric.switches[flow.encapsulated_at].name);
    }
    lines += fmt::format("  {}, priority {}: a packet to {}{} waits for {}, priority {}\n",
                         channel_text(fabric, wait.channel), wait.priority,
                         text(forwarding.destinations()[flow.destination].prefix), tunnel,
                         channel_text(fabric, next.channel), next.priority);
  }
  return lines;
}

}  // namespace unknot::ethernet
