// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/management/alike_answers.hpp"

#include <algorithm>
#include <optional>

#include "unknot/routing/layers/lane_dependencies.hpp"
#include "unknot/routing/management/question_trees.hpp"

namespace unknot {
namespace {

class AnswerLevels {
 public:
  AnswerLevels(const ManagedNetwork& managed, std::span<const TerminalId> hosts, std::uint32_t lanes,
               Routing& routing)
      : network_(managed.network), lanes_(lanes), in_use_(routing.virtual_lanes), routing_(routing) {
    for (const TerminalId host : hosts) hosts_.push_back(managed.of_terminal[host.value]);
    std::sort(hosts_.begin(), hosts_.end());  // those that share their levels follow each other
    hosts_.erase(std::unique(hosts_.begin(), hosts_.end()), hosts_.end());
    if (routing.lane_map == nullptr) dependencies_.emplace(network_, routing);
  }

  /// Settles what all hosts ask one router, on as few lanes as will do; returns those that it answers on
  /// another level.
  std::vector<TerminalId> settle(TerminalId own) {
    std::vector<TerminalId> left = unlike(own);
    if (!dependencies_) return left;
    bool regrown = false;
    for (std::uint32_t limit = in_use_; !left.empty() && limit <= lanes_; ++limit) {
      const ServiceLevels& levels = routing_.service_levels;
      for (auto first = hosts_.begin(), last = first; first != hosts_.end(); first = last) {
        while (last != hosts_.end() && levels.row_of(*last) == levels.row_of(*first)) ++last;
        settle_alike({first, last}, own, limit);
      }
      left = unlike(own);
      if (left.empty() || regrown) continue;
      regrown = true;  // before there are more lanes
      if (!trees_) trees_.emplace(network_, routing_);
      if (trees_->regrow(own, hosts_, left.size())) left = unlike(own);
    }
    return left;
  }
  [[nodiscard]] std::uint32_t lanes_in_use() const { return in_use_; }

 private:
  std::uint8_t& level(TerminalId source, TerminalId destination) {
    ServiceLevels& levels = routing_.service_levels;
    return levels.row(levels.row_of(source))[destination.value];
  }

  /// Both are sent, on different levels.
  bool differ(TerminalId host, TerminalId own) {
    const std::uint8_t question = level(host, own);
    const std::uint8_t answer = level(own, host);
    return question != answer && question != ServiceLevels::kMissing && answer != ServiceLevels::kMissing;
  }
  std::vector<TerminalId> unlike(TerminalId own) {
    std::vector<TerminalId> left;
    for (const TerminalId host : hosts_) {
      if (differ(host, own)) left.push_back(host);
    }
    return left;
  }

  /// Hosts that ask on one level, whichever that is: all of them, else as many as find the same.
  void settle_alike(std::span<const TerminalId> sharing, TerminalId own, std::uint32_t limit) {
    std::vector<TerminalId> hosts;  // that are answered at all
    for (const TerminalId host : sharing) {
      if (level(own, host) != ServiceLevels::kMissing) hosts.push_back(host);
    }
    if (hosts.empty() || level(hosts[0], own) == ServiceLevels::kMissing) return;
    const auto fits = [&](TerminalId host) { return !differ(host, own); };
    if (std::all_of(hosts.begin(), hosts.end(), fits)) return;
    const std::vector<ChannelId> question = path(hosts[0], own);
    const std::vector<std::uint32_t> lanes = candidates(hosts, own, limit);
    std::size_t most = static_cast<std::size_t>(std::count_if(hosts.begin(), hosts.end(), fits));
    for (const std::uint32_t lane : lanes) {
      const std::size_t before = dependencies_->mark();
      if (!dependencies_->add_path(lane, question)) continue;
      std::vector<TerminalId> answered;
      for (const TerminalId host : hosts) {
        if (level(own, host) == lane || dependencies_->add_path(lane, path(own, host)))
          answered.push_back(host);
      }
      if (answered.size() <= most) {
        dependencies_->undo(before);
        continue;
      }
      // What a lane tried before has given the answers stays on it: it does no harm.
      most = answered.size();
      level(hosts[0], own) = static_cast<std::uint8_t>(lane);
      for (const TerminalId host : answered) level(own, host) = static_cast<std::uint8_t>(lane);
      in_use_ = std::max(in_use_, lane + 1);
      if (most == hosts.size()) return;
    }
  }

  std::vector<ChannelId> path(TerminalId source, TerminalId destination) const {
    std::vector<ChannelId> channels;
    const RouterId home = network_.router_of(destination);
    for (RouterId at = network_.router_of(source); at != home; at = network_.target(channels.back()))
      channels.push_back(routing_.table().next(network_, at, destination));
    return channels;
  }

  /// Those that they have, then the others.
  std::vector<std::uint32_t> candidates(std::span<const TerminalId> hosts, TerminalId own,
                                        std::uint32_t limit) {
    std::vector<std::uint32_t> lanes{level(hosts[0], own)};
    const auto add = [&](std::uint32_t lane) {
      if (std::find(lanes.begin(), lanes.end(), lane) == lanes.end()) lanes.push_back(lane);
    };
    for (const TerminalId host : hosts) add(level(own, host));
    for (std::uint32_t lane = 0; lane < limit; ++lane) add(lane);
    return lanes;
  }

  const Network& network_;
  std::vector<TerminalId> hosts_;
  std::uint32_t lanes_;
  std::uint32_t in_use_;
  Routing& routing_;
  std::optional<LaneDependencies> dependencies_;
  std::optional<QuestionTrees> trees_;
};

}  // namespace

std::vector<ManagementPair> answer_alike(const ManagedNetwork& managed, std::span<const TerminalId> hosts,
                                         std::uint32_t lanes, Routing& routing) {
  std::vector<ManagementPair> left;
  if (hosts.empty()) return left;
  AnswerLevels answers(managed, hosts, lanes, routing);
  for (const RouterId r : managed.network.routers()) {
    const TerminalId own = managed.of_router[r.value];
    for (const TerminalId host : answers.settle(own)) left.push_back({host, own});
  }
  routing.virtual_lanes = answers.lanes_in_use();
  return left;
}

}  // namespace unknot
