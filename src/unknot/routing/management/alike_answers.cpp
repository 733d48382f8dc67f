// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/management/alike_answers.hpp"

#include <algorithm>
#include <optional>

#include "unknot/routing/layers/lane_dependencies.hpp"

namespace unknot {
namespace {

class AnswerLevels {
 public:
  AnswerLevels(const ManagedNetwork& managed, std::uint32_t lanes, Routing& routing)
      : network_(managed.network), lanes_(lanes), routing_(routing) {
    if (routing.lane_map == nullptr) dependencies_.emplace(network_, routing);
  }

  /// True where question and answer are on one level afterwards, or one of them is not sent.
  bool settle(TerminalId host, TerminalId own) {
    std::uint8_t& question = level(host, own);
    std::uint8_t& answer = level(own, host);
    if (question == ServiceLevels::kMissing || answer == ServiceLevels::kMissing || question == answer)
      return true;
    if (!dependencies_) return false;
    const std::vector<ChannelId> there = path(host, own);
    const std::vector<ChannelId> back = path(own, host);
    for (const std::uint32_t lane : candidates(question, answer)) {
      const std::size_t before = dependencies_->mark();
      if (dependencies_->add_path(lane, there) && dependencies_->add_path(lane, back)) {
        question = answer = static_cast<std::uint8_t>(lane);
        routing_.virtual_lanes = std::max(routing_.virtual_lanes, lane + 1);
        return true;
      }
      dependencies_->undo(before);
    }
    return false;
  }

 private:
  std::uint8_t& level(TerminalId source, TerminalId destination) {
    ServiceLevels& levels = routing_.service_levels;
    return levels.row(levels.row_of(source))[destination.value];
  }

  std::vector<ChannelId> path(TerminalId source, TerminalId destination) const {
    std::vector<ChannelId> channels;
    const RouterId home = network_.router_of(destination);
    for (RouterId at = network_.router_of(source); at != home; at = network_.target(channels.back()))
      channels.push_back(routing_.table().next(network_, at, destination));
    return channels;
  }

  /// The two they have, the others in use, more of them.
  [[nodiscard]] std::vector<std::uint32_t> candidates(std::uint8_t question, std::uint8_t answer) const {
    std::vector<std::uint32_t> lanes{question, answer};
    for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
      if (lane != question && lane != answer) lanes.push_back(lane);
    }
    return lanes;
  }

  const Network& network_;
  std::uint32_t lanes_;
  Routing& routing_;
  std::optional<LaneDependencies> dependencies_;
};

}  // namespace

std::vector<ManagementPair> answer_alike(const ManagedNetwork& managed, std::span<const TerminalId> hosts,
                                         std::uint32_t lanes, Routing& routing) {
  std::vector<ManagementPair> left;
  if (hosts.empty()) return left;
  AnswerLevels answers(managed, lanes, routing);
  for (const TerminalId host : hosts) {
    const TerminalId source = managed.of_terminal[host.value];
    for (const TerminalId own : managed.of_router) {
      if (!answers.settle(source, own)) left.push_back({source, own});
    }
  }
  return left;
}

}  // namespace unknot
