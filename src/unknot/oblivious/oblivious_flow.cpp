// SPDX-License-Identifier: Apache-2.0
#include "unknot/oblivious/oblivious_flow.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "unknot/network/bfs.hpp"
#include "unknot/oblivious/endpoint_routers.hpp"
#include "unknot/support/files/append.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kFar = BreadthFirstSearch::kUnreached;

/// Looks for a path through two consecutive channels, u -> v -> x.
class FlowSearch {
 public:
  FlowSearch(const Network& network, const LaneScheme& scheme, LaneChannel from, LaneChannel to)
      : network_(network),
        scheme_(scheme),
        from_(from),
        to_(to),
        u_(network.source(from.channel)),
        v_(network.target(from.channel)),
        x_(network.target(to.channel)),
        endpoints_(network),
        search_(network),
        to_u_(copy(search_.to(u_))) {}

  std::optional<ObliviousWitnessStep> minimal() {
    for (const RouterId d : endpoints_.all()) {
      if (!leads_to(d)) continue;
      const std::vector<std::uint32_t> distance = copy(search_.to(d));
      for (const RouterId s : nearest_sources(distance)) {
        if (s != d && lanes_fit({0, to_u_[s.value], to_u_[s.value]}, {0, 1, 1})) {
          ObliviousWitnessStep step = start({}, s, d);
          append(step, d);
          step.flow.turn = static_cast<std::uint32_t>(step.flow.channels.size());
          return step;
        }
      }
    }
    return std::nullopt;
  }

  std::optional<ObliviousWitnessStep> valiant() {
    if (auto step = at_intermediate()) return step;
    if (auto step = before_intermediate()) return step;
    return after_intermediate();
  }

 private:
  static std::vector<std::uint32_t> copy(std::span<const std::uint32_t> distance) {
    return {distance.begin(), distance.end()};
  }

  /// Both channels lie on shortest paths to `d`.
  bool leads_to(RouterId d) {
    const std::span<const std::uint32_t> distance = search_.to(d);
    return distance[u_.value] != kFar && distance[u_.value] == distance[v_.value] + 1 &&
           distance[v_.value] == distance[x_.value] + 1;
  }

  /// Routers with terminals that have a shortest path through u to the end of `distance`, nearest to u first.
  [[nodiscard]] std::vector<RouterId> nearest_sources(const std::vector<std::uint32_t>& distance) const {
    std::vector<RouterId> sources;
    for (const RouterId s : endpoints_.all()) {
      if (to_u_[s.value] != kFar && to_u_[s.value] + distance[u_.value] == distance[s.value])
        sources.push_back(s);
    }
    std::stable_sort(sources.begin(), sources.end(),
                     [&](RouterId a, RouterId b) { return to_u_[a.value] < to_u_[b.value]; });
    return sources;
  }

  /// `held` takes the lane of `from`, and the hop that is `onward` from it the lane of `to`.
  [[nodiscard]] bool lanes_fit(LaneHop held, LaneHop onward) const {
    const LaneHop next = {onward.phase, held.hop + onward.hop, held.in_phase + onward.in_phase};
    return scheme_.lane(held) == from_.lane && scheme_.lane(next) == to_.lane;
  }

  /// Some shortest path from the end of the flow's channels (or its source) to `to`.
  void append(ObliviousWitnessStep& step, RouterId to) {
    std::vector<ChannelId>& channels = step.flow.channels;
    RouterId at = channels.empty() ? step.flow.source : network_.target(channels.back());
    const std::span<const std::uint32_t> distance = search_.to(to);
    while (at != to) {
      for (const ChannelId c : network_.out(at)) {
        if (distance[network_.target(c).value] + 1 != distance[at.value]) continue;
        channels.push_back(c);
        at = network_.target(c);
        break;
      }
    }
  }

  /// The flow as far as the channel waited for: from `via` (its source where invalid) to u by a shortest
  /// path.
  ObliviousWitnessStep start(RouterId via, RouterId source, RouterId destination) {
    ObliviousWitnessStep step;
    step.from = from_;
    step.flow.source = source;
    step.flow.destination = destination;
    if (via.valid()) {
      append(step, via);
      step.flow.turn = static_cast<std::uint32_t>(step.flow.channels.size());
    }
    append(step, u_);
    step.held = static_cast<std::uint32_t>(step.flow.channels.size());
    step.flow.channels.push_back(from_.channel);
    step.flow.channels.push_back(to_.channel);
    return step;
  }

  std::optional<ObliviousWitnessStep> at_intermediate() {
    if (endpoints_.index_of(v_) == EndpointRouters::kNone) return std::nullopt;
    const std::vector<std::uint32_t> distance = copy(search_.to(v_));
    if (distance[u_.value] != 1) return std::nullopt;
    const std::vector<RouterId> sources = nearest_sources(distance);
    for (const RouterId d : endpoints_.all()) {
      const std::span<const std::uint32_t> to_d = search_.to(d);
      if (d == v_ || to_d[v_.value] == kFar || to_d[v_.value] != to_d[x_.value] + 1) continue;
      for (const RouterId s : sources) {
        const std::uint32_t hops = to_u_[s.value];
        if (s == d || s == v_ || scheme_.lane({0, hops, hops}) != from_.lane ||
            scheme_.lane({1, hops + 1, 0}) != to_.lane)
          continue;
        ObliviousWitnessStep step = start({}, s, d);
        step.flow.intermediate = v_;
        step.flow.turn = step.held + 1;
        append(step, d);
        return step;
      }
    }
    return std::nullopt;
  }

  std::optional<ObliviousWitnessStep> before_intermediate() {
    for (const RouterId i : endpoints_.all()) {
      if (!leads_to(i)) continue;
      const std::vector<std::uint32_t> distance = copy(search_.to(i));
      const std::vector<std::uint32_t> from_i = copy(search_.from(i));
      for (const RouterId s : nearest_sources(distance)) {
        if (s == i || !lanes_fit({0, to_u_[s.value], to_u_[s.value]}, {0, 1, 1})) continue;
        for (const RouterId d : endpoints_.all()) {
          if (d == s || d == i || from_i[d.value] == kFar) continue;
          ObliviousWitnessStep step = start({}, s, d);
          step.flow.intermediate = i;
          append(step, i);
          step.flow.turn = static_cast<std::uint32_t>(step.flow.channels.size());
          append(step, d);
          return step;
        }
      }
    }
    return std::nullopt;
  }

  std::optional<ObliviousWitnessStep> after_intermediate() {
    for (const RouterId d : endpoints_.all()) {
      if (!leads_to(d)) continue;
      const std::vector<std::uint32_t> distance = copy(search_.to(d));
      for (const RouterId i : nearest_sources(distance)) {
        if (i == d) continue;
        const std::vector<std::uint32_t> to_i = copy(search_.to(i));
        const std::uint32_t hops = to_u_[i.value];
        for (const RouterId s : endpoints_.all()) {
          if (s == d || s == i || to_i[s.value] == kFar ||
              !lanes_fit({1, to_i[s.value] + hops, hops}, {1, 1, 1}))
            continue;
          ObliviousWitnessStep step = start(i, s, d);
          step.flow.intermediate = i;
          append(step, d);
          return step;
        }
      }
    }
    return std::nullopt;
  }

  const Network& network_;
  const LaneScheme& scheme_;
  LaneChannel from_, to_;
  RouterId u_, v_, x_;
  EndpointRouters endpoints_;
  BreadthFirstSearch search_;
  std::vector<std::uint32_t> to_u_;  // distance, by router
};

}  // namespace

std::optional<ObliviousWitnessStep> find_oblivious_flow(const Network& network, const LaneScheme& scheme,
                                                        ObliviousPaths paths, LaneChannel from,
                                                        LaneChannel to) {
  if (network.target(from.channel) != network.source(to.channel)) return std::nullopt;
  FlowSearch search(network, scheme, from, to);
  return paths == ObliviousPaths::minimal ? search.minimal() : search.valiant();
}

std::string describe(const Network& network, const ObliviousFlow& flow) {
  std::string text = fmt::format("{} at {}", network.terminal_name(network.terminals_at(flow.source)[0]),
                                 network.router_name(flow.source));
  for (std::size_t i = 0; i < flow.channels.size(); ++i) {
    const std::string name = network.router_name(network.target(flow.channels[i]));
    const bool intermediate = flow.intermediate.valid() && i + 1 == flow.turn;
    text += intermediate ? fmt::format(", ({})", name) : ", " + name;
  }
  return text + " with " + network.terminal_name(network.terminals_at(flow.destination)[0]);
}

std::string describe(const Network& network, const ObliviousWitness& witness) {
  std::string text;
  const std::size_t length = witness.steps.size();
  append(text, "{} channels wait for each other in a circle:\n", length);
  for (std::size_t i = 0; i < length; ++i) {
    const ObliviousWitnessStep& step = witness.steps[i];
    append(text, "  {}. {}, lane {}: held by packets on the way {}, waiting for {}.\n", i + 1,
           network.channel_name(step.from.channel), step.from.lane, describe(network, step.flow),
           i + 1 < length ? i + 2 : 1);
  }
  return text;
}

}  // namespace unknot
