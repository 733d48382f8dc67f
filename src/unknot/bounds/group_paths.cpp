// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "unknot/bounds/group_options.hpp"
#include "unknot/bounds/path_lists.hpp"
#include "unknot/support/error.hpp"
#include "unknot/tables/adaptive/adaptive_routing.hpp"
#include "unknot/tables/lane_function.hpp"

namespace unknot {
namespace {

constexpr std::size_t kFlowsBetweenLooks = 64;
constexpr std::size_t kWaysBetweenLooks = 4096;  // of one flow

/// All ways of one flow after the other, channel by channel.
class GroupWays {
 public:
  GroupWays(const Network& network, const AdaptiveRouting& routing, const Progress& progress)
      : network_(network),
        routing_(routing),
        progress_(progress),
        plane_(only_plane(routing)),
        lanes_(routing),
        on_the_way_(network.router_count(), 0) {}

  void add(const Flow& flow, PathLists& lists) {
    flow_ = flow;
    channels_ = lists.channel_count();
    paths_.clear();
    const std::uint16_t levels = levels_of(routing_, flow.source, flow.destination);
    int passes = 0;
    for (std::uint8_t level = 0; level < LaneMap::kLevels; ++level) {
      if ((levels >> level & 1U) == 0) continue;
      for (const bool adaptive : {true, false}) {
        const std::uint16_t those = adaptive ? routing_.adaptive_levels : routing_.fixed_levels;
        if ((those >> level & 1U) == 0) continue;
        list(level, adaptive);
        ++passes;
      }
    }
    if (passes > 1) {  // each lists a way once
      std::sort(paths_.begin(), paths_.end());
      paths_.erase(std::unique(paths_.begin(), paths_.end()), paths_.end());
    }
    for (const std::vector<ChannelId>& path : paths_) lists.add_path(path);
    if (paths_.empty()) {
      throw InputError(fmt::format("{}: no way leads from {} to {}, which have traffic", routing_.source,
                                   network_.terminal_name(flow.source),
                                   network_.terminal_name(flow.destination)));
    }
  }

 private:
  /// A router on the way, and the channels to try from there.
  struct Step {
    RouterId at;
    std::uint8_t lane;
    std::uint16_t in_port;
    std::span<const std::uint16_t> options;
    std::size_t next = 0;
  };

  /// The ways of packets of that level and kind.
  void list(std::uint8_t level, bool adaptive) {
    const std::uint8_t lane = lanes_.injected(level, flow_.source);
    if (lane >= kLaneDropped) return;
    level_ = level;
    adaptive_ = adaptive;
    path_.clear();
    arrive(network_.router_of(flow_.source), lane, network_.terminal_port(flow_.source));
    follow();
  }

  /// At the end of path_: one more router to go on from, or the end of the way.
  void arrive(RouterId r, std::uint8_t lane, std::uint16_t in_port) {
    const std::uint16_t entry = plane_.entry(r, flow_.destination);
    if (entry == AdaptivePlane::kHere) {
      const std::uint8_t last =
          lanes_.next(level_, lane, r, in_port, network_.terminal_port(flow_.destination));
      if (last < kLaneDropped) keep();
      return;
    }
    if (entry == AdaptivePlane::kNone) return;
    if (on_the_way_[r.value] != 0) refuse_return(network_, routing_, flow_.source, flow_.destination, r);
    on_the_way_[r.value] = 1;
    steps_.push_back({r, lane, in_port, options_of(plane_, r, entry, adaptive_)});
  }

  /// Goes on from the last step, and back. Not by recursion: ways may be as long as there are routers.
  void follow() {
    while (!steps_.empty()) {
      Step& step = steps_.back();
      path_.resize(steps_.size() - 1);
      if (step.next == step.options.size()) {
        on_the_way_[step.at.value] = 0;
        steps_.pop_back();
        continue;
      }
      const ChannelId c = network_.out(step.at)[step.options[step.next++]];
      const std::uint8_t lane =
          lanes_.next(level_, step.lane, step.at, step.in_port, network_.source_port(c));
      if (lane >= kLaneDropped) continue;
      path_.push_back(c);
      arrive(network_.target(c), lane, network_.target_port(c));
    }
  }

  void keep() {
    if (paths_.size() % kWaysBetweenLooks == 0 && progress_.interrupted()) throw Interrupted();
    channels_ += path_.size();
    if (channels_ > kMaxListedChannels) {
      throw TooManyPaths(fmt::format("{}: the ways of all flows have more than {} channels together",
                                     routing_.source, kMaxListedChannels));
    }
    paths_.push_back(path_);
  }

  const Network& network_;
  const AdaptiveRouting& routing_;
  const Progress& progress_;
  const AdaptivePlane& plane_;
  AdaptiveLanes lanes_;
  std::vector<std::uint8_t> on_the_way_;  // by router
  Flow flow_{};
  std::uint8_t level_ = 0;
  bool adaptive_ = false;
  std::vector<Step> steps_;
  std::vector<ChannelId> path_;
  std::vector<std::vector<ChannelId>> paths_;  // of the flow
  std::size_t channels_ = 0;                   // with those of all flows before
};

}  // namespace

PathLists group_path_lists(const Network& network, const AdaptiveRouting& routing,
                           std::span<const Flow> flows, Progress& progress) {
  require_fit(network, routing);
  GroupWays ways(network, routing, progress);
  PathLists lists;
  progress.begin("listing ways", flows.size());
  for (std::size_t i = 0; i < flows.size(); ++i) {
    if (i % kFlowsBetweenLooks == 0) {
      progress.update(i);
      if (progress.interrupted()) throw Interrupted();
    }
    const RouterId source = network.router_of(flows[i].source);
    const RouterId destination = network.router_of(flows[i].destination);
    if (source == destination) continue;
    lists.add_pair({source, destination, flows[i].weight});
    ways.add(flows[i], lists);
  }
  return lists;
}

}  // namespace unknot
