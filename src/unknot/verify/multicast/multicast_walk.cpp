// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/multicast/multicast_walk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "unknot/support/error.hpp"
#include "unknot/support/shared_progress.hpp"
#include "unknot/verify/multicast/group_walk.hpp"

namespace unknot {
namespace {

/// Arcs of many groups, each kept once: trees have much in common.
class ArcSet {
 public:
  using Vertex = DependencyGraph::Vertex;
  void add(Vertex from, Vertex to) {
    arcs_.emplace_back(from, to);
    if (arcs_.size() >= limit_) {
      compact();
      limit_ = std::max(limit_, 2 * arcs_.size());
    }
  }
  std::vector<std::pair<Vertex, Vertex>> take() {
    compact();
    return std::move(arcs_);
  }

 private:
  void compact() {
    std::sort(arcs_.begin(), arcs_.end());
    arcs_.erase(std::unique(arcs_.begin(), arcs_.end()), arcs_.end());
  }
  std::vector<std::pair<Vertex, Vertex>> arcs_;
  std::size_t limit_ = std::size_t{1} << 20;
};

/// Counts what the members of a group get from each other.
class Deliveries {
 public:
  Deliveries(const Network& network, std::uint32_t max_findings, MulticastVerdict& verdict)
      : network_(network),
        max_findings_(max_findings),
        verdict_(verdict),
        copies_(network.terminal_count(), 0) {}

  void count(const MulticastGroup& group, GroupWalk& walk) {
    const std::vector<TerminalId> all = members(network_, group);
    const std::uint64_t pairs = std::uint64_t{all.size()} * (all.empty() ? 0 : all.size() - 1);
    verdict_.pairs += pairs;
    if (walk.order().size() < walk.places().size()) {
      ++verdict_.looping_groups;
      verdict_.lost_pairs += pairs;
      find_loop(group, walk);
      return;
    }
    for (const TerminalId source : all) {
      walk.deliver(source, [&](TerminalId t, std::uint8_t copies) {
        copies_[t.value] = static_cast<std::uint8_t>(std::min(2, copies_[t.value] + copies));
      });
      for (const TerminalId t : all) {
        const std::uint8_t copies = std::exchange(copies_[t.value], std::uint8_t{0});
        if (t == source || copies == 1) continue;
        ++(copies == 0 ? verdict_.lost_pairs : verdict_.repeated_pairs);
        find({copies == 0 ? MulticastFinding::Kind::lost : MulticastFinding::Kind::repeated, group.lid(),
              source, t, ChannelId()});
      }
    }
  }

 private:
  void find(const MulticastFinding& finding) {
    if (verdict_.findings.size() < max_findings_) verdict_.findings.push_back(finding);
  }

  /// A place of the loop: from one that is left over, back along others of these until one comes twice.
  void find_loop(const MulticastGroup& group, const GroupWalk& walk) {
    std::vector<bool> left(walk.places().size(), true);
    for (const std::uint32_t p : walk.order()) left[p] = false;
    std::vector<std::uint32_t> before(left.size(), 0);
    std::uint32_t at = 0;
    for (const auto& [from, to] : walk.arcs()) {
      if (!left[from] || !left[to]) continue;
      before[to] = from;
      at = to;
    }
    for (std::size_t step = 0; step < left.size(); ++step) at = before[at];
    const GroupWalk::Place& place = walk.places()[at];
    find({MulticastFinding::Kind::loop, group.lid(), place.source, TerminalId(), place.channel});
  }

  const Network& network_;
  std::uint32_t max_findings_;
  MulticastVerdict& verdict_;
  std::vector<std::uint8_t> copies_;  // by terminal
};

}  // namespace

MulticastWalk walk_multicast(const Network& network, const Routing& routing, std::uint32_t max_findings,
                             Progress& progress) {
  MulticastWalk result;
  if (!routing.multicast) return result;
  const LaneFunction lanes(routing);
  GroupWalk walk(network, lanes);
  Deliveries deliveries(network, max_findings, result.verdict);
  const std::uint32_t channels = network.channel_count();
  std::vector<std::uint8_t> used;
  ArcSet arcs;
  SharedProgress shared(progress, "following groups", routing.multicast->groups.size());
  for (const MulticastGroup& group : routing.multicast->groups) {
    if (group.router_count() != network.router_count()) {
      throw InputError(fmt::format("the multicast tables are of {} routers, the network has {}",
                                   group.router_count(), network.router_count()));
    }
    walk.run(group);
    ++result.verdict.groups;
    result.verdict.dead_ports += walk.dead_ports();
    deliveries.count(group, walk);
    const auto vertex = [&](std::uint32_t p) {
      const GroupWalk::Place& place = walk.places()[p];
      return place.lane * channels + place.channel.value;
    };
    for (std::uint32_t p = 0; p < walk.places().size(); ++p) {
      const std::size_t lanes_there = walk.places()[p].lane + std::size_t{1};
      if (used.size() < lanes_there * channels) used.resize(lanes_there * channels, 0);
      used[vertex(p)] = 1;
    }
    for (const auto& [from, to] : walk.arcs()) arcs.add(vertex(from), vertex(to));
    shared.step();
  }
  const auto lane_count = static_cast<std::uint32_t>(channels == 0 ? 0 : used.size() / channels);
  const auto all = arcs.take();
  result.graph = DependencyGraph(channels, lane_count, std::move(used), [&](const auto& visit) {
    for (const auto& [from, to] : all) visit(from, to);
  });
  return result;
}

std::optional<MulticastFlow> find_multicast_flow(const Network& network, const Routing& routing,
                                                 ChannelId from, std::uint8_t from_lane, ChannelId to,
                                                 std::uint8_t to_lane) {
  if (!routing.multicast) return std::nullopt;
  const LaneFunction lanes(routing);
  GroupWalk walk(network, lanes);
  for (const MulticastGroup& group : routing.multicast->groups) {
    walk.run(group);
    for (const auto& [tail, head] : walk.arcs()) {
      const GroupWalk::Place& a = walk.places()[tail];
      const GroupWalk::Place& b = walk.places()[head];
      if (a.channel == from && a.lane == from_lane && b.channel == to && b.lane == to_lane)
        return MulticastFlow{group.lid(), a.source};
    }
  }
  return std::nullopt;
}

std::string describe(const Network& network, const MulticastFinding& finding) {
  const std::string source = network.terminal_name(finding.source);
  switch (finding.kind) {
    case MulticastFinding::Kind::lost:
      return fmt::format("group 0x{:04x}: {} gets nothing of what {} sends", finding.group,
                         network.terminal_name(finding.destination), source);
    case MulticastFinding::Kind::repeated:
      return fmt::format("group 0x{:04x}: {} gets more than one copy of what {} sends", finding.group,
                         network.terminal_name(finding.destination), source);
    case MulticastFinding::Kind::loop:
      return fmt::format("group 0x{:04x}: copies of what {} sends come back to {} for ever", finding.group,
                         source, network.channel_name(finding.at));
  }
  return {};
}

}  // namespace unknot
