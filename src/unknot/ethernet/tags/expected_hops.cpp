// SPDX-License-Identifier: Apache-2.0
#include "unknot/ethernet/tags/expected_hops.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "unknot/deadlock/components.hpp"
#include "unknot/deadlock/topological.hpp"

namespace unknot::ethernet {
namespace {

/// Where packets to one destination are: at switches, as flows. A graph of its own, numbered as found.
struct Places {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> place;  // switch and flow
  std::vector<Forwarding::Step> step;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> arcs;
  std::vector<std::uint32_t> channel_of_arc;
};

Places find_places(const Forwarding& forwarding, std::uint32_t destination, DeadChannels dead) {
  const Fabric& fabric = forwarding.fabric();
  Places found;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> number;
  const auto number_of = [&](std::uint32_t at, std::uint32_t flow) {
    const auto [where, added] =
        number.emplace(std::pair(at, flow), static_cast<std::uint32_t>(found.place.size()));
    if (added) found.place.emplace_back(at, flow);
    return where->second;
  };
  for (std::uint32_t s = 0; s < fabric.switches.size(); ++s) {
    if (fabric.switches[s].source) number_of(s, destination);
  }
  for (std::uint32_t i = 0; i < found.place.size(); ++i) {
    const auto [at, flow] = found.place[i];
    const Forwarding::Step step = forwarding.step(at, flow, dead);
    found.step.push_back(step);
    for (const std::uint32_t channel : step.channels()) {
      if (std::find(dead.begin(), dead.end(), channel) != dead.end()) continue;
      found.arcs.emplace_back(i, number_of(fabric.channels[channel].to, step.flow));
      found.channel_of_arc.push_back(channel);
    }
  }
  return found;
}

}  // namespace

std::vector<Hop> expected_hops(const Forwarding& forwarding, std::uint32_t destination, DeadChannels dead) {
  const Places places = find_places(forwarding, destination, dead);
  const auto count = static_cast<std::uint32_t>(places.place.size());
  const DependencyGraph whole(count, 1, std::vector<std::uint8_t>(count, 1), [&](const auto& visit) {
    for (const auto& [from, to] : places.arcs) visit(from, to);
  });
  const CyclicComponents cyclic = cyclic_components(whole);
  const auto in_circle = [&](std::uint32_t from, std::uint32_t to) {
    return cyclic.component[from] != CyclicComponents::kNone && cyclic.component[from] == cyclic.component[to];
  };
  const DependencyGraph straight(count, 1, std::vector<std::uint8_t>(count, 1), [&](const auto& visit) {
    for (const auto& [from, to] : places.arcs) {
      if (!in_circle(from, to)) visit(from, to);
    }
  });
  // In the order of packets: which places they come to without a circle, and back: from which they get out.
  const std::vector<std::uint32_t> number = topological_numbers(straight).number;
  std::vector<std::uint32_t> order(count);
  for (std::uint32_t i = 0; i < count; ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return number[a] < number[b]; });
  std::vector<bool> comes(count, false);
  std::vector<bool> gets_out(count, false);
  for (const std::uint32_t i : order) {
    const auto [at, flow] = places.place[i];
    if (flow == destination && forwarding.fabric().switches[at].source) comes[i] = true;
    if (!comes[i]) continue;
    for (const std::uint32_t next : straight.next(i)) comes[next] = true;
  }
  for (auto i = order.rbegin(); i != order.rend(); ++i) {
    gets_out[*i] = places.step[*i].delivered();
    for (const std::uint32_t next : straight.next(*i)) gets_out[*i] = gets_out[*i] || gets_out[next];
  }
  // Arcs of each place, and the channels by which packets come that are expected.
  std::vector<std::vector<std::uint32_t>> leaving(count);
  for (std::uint32_t a = 0; a < places.arcs.size(); ++a) leaving[places.arcs[a].first].push_back(a);
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> coming(count);
  std::vector<Hop> hops;
  for (const std::uint32_t i : order) {
    if (!comes[i]) continue;
    const auto [at, flow] = places.place[i];
    const bool source = flow == destination && forwarding.fabric().switches[at].source;
    for (const std::uint32_t a : leaving[i]) {
      const std::uint32_t to = places.arcs[a].second;
      if (in_circle(i, to) || !gets_out[to]) continue;
      const std::uint32_t next = places.channel_of_arc[a];
      if (source) hops.push_back({kNone, flow, next, places.step[i].flow});
      for (const auto& [channel, as] : coming[i]) hops.push_back({channel, as, next, places.step[i].flow});
      coming[to].emplace_back(next, places.step[i].flow);
    }
  }
  return hops;
}

}  // namespace unknot::ethernet
