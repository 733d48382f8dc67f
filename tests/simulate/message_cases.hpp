// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "unknot/simulate/core/engine.hpp"
#include "unknot/simulate/messages/message_hosts.hpp"
#include "unknot/simulate/messages/message_watch.hpp"
#include "unknot/simulate/plan/message_plan.hpp"
#include "unknot/simulate/settings/link_times.hpp"
#include "unknot/simulate/sources/destinations.hpp"
#include "unknot/traffic/catalogue.hpp"
#include "unknot/verify/messages/message_verdict.hpp"
#include "verify/reference_checker.hpp"

namespace unknot::simulate::talks {

/// Room for one packet wherever packets wait.
inline Settings one_packet_each(std::uint32_t lanes, std::uint32_t packet_flits = 1) {
  Settings s;
  s.vcs = lanes;
  s.packet_flits = s.vc_buffer = packet_flits;
  s.switching = Switching::virtual_cut_through;
  s.send_queue = s.receive_queue = 1;
  return s;
}

/// A protocol on its way, piece by piece.
class Talk {
 public:
  Talk(const Network& network, const Routing& routing, const std::vector<MessageClass>& classes,
       std::uint32_t lanes, const Settings& settings, double load = 1, const std::string& pattern = "uniform")
      : plan_(plan_routing(network, routing, false)), settings_(settings) {
    plan_messages(plan_, classes, lanes);
    settings_ = for_lanes(settings_, plan_.lanes_needed);
    to_ = std::make_unique<Destinations>(plan_.network, make_pattern(plan_.network, pattern), settings_.seed);
    hosts_ = std::make_unique<MessageHosts>(plan_, *to_, load, settings_);
    links_ = link_times(plan_.network, settings_);
    engine_ = make_engine(plan_, settings_, links_, *hosts_);
    engine_->recorder.speedup = settings_.speedup;
    hosts_->attach(*engine_);
    hosts_->set_window(0, ~std::uint64_t{0});
  }

  Engine& engine() { return *engine_; }
  MessageHosts& hosts() { return *hosts_; }
  [[nodiscard]] const RoutePlan& plan() const { return plan_; }
  [[nodiscard]] const Settings& settings() const { return settings_; }
  [[nodiscard]] std::vector<MessageWait> deadlock() const {
    return find_message_deadlock(*engine_, plan_, settings_, *hosts_);
  }
  [[nodiscard]] std::uint64_t arrived() const {
    std::uint64_t all = 0;
    for (const ClassReport& one : hosts_->report()) all += one.messages;
    return all;
  }

 private:
  RoutePlan plan_;
  Settings settings_;
  std::unique_ptr<Destinations> to_;
  std::unique_ptr<MessageHosts> hosts_;
  LinkTimes links_;
  std::unique_ptr<Engine> engine_;
};

/// 0 send queue, 1 receive queue, 2 channel; virtual network; terminal or channel; lane.
using Buffer = std::tuple<int, std::uint32_t, std::uint32_t, std::uint32_t>;

inline Buffer buffer_of(const MessageBuffer& held) {
  switch (held.kind) {
    case MessageBuffer::Kind::send:
      return {0, held.network, held.terminal.value, 0};
    case MessageBuffer::Kind::receive:
      return {1, held.network, held.terminal.value, 0};
    case MessageBuffer::Kind::channel:
      break;
  }
  return {2, held.network, held.channel.channel.value, held.channel.lane};
}

/// Empty, or why these packets do not wait for each other: each has to come by the buffer that it is said to
/// fill, by the tables alone, and to go on to the next step's, or to cause a message that does.
inline std::string circle_trouble(const Network& network, const Routing& routing,
                                  const std::vector<MessageClass>& classes,
                                  const std::vector<MessageWait>& circle) {
  std::set<Buffer> seen;
  for (std::size_t i = 0; i < circle.size(); ++i) {
    const MessageWait& wait = circle[i];
    const Buffer here = buffer_of(wait.held), next = buffer_of(circle[(i + 1) % circle.size()].held);
    const MessageClass& c = classes.at(wait.message_class);
    if (!seen.insert(here).second) return "a buffer twice";
    if (std::get<1>(here) != c.network) return "a class on another network";
    if (wait.source == wait.destination || !c.sends(wait.source) || !c.receives(wait.destination))
      return "nobody sends that";
    const auto path = unknot::testing::reference_path(network, routing, wait.source, wait.destination);
    std::vector<Buffer> held{{0, c.network, wait.source.value, 0}};
    for (const unknot::testing::Vertex& hop : path.hops)
      held.emplace_back(2, c.network, hop.first, hop.second);
    held.emplace_back(1, c.network, wait.destination.value, 0);
    bool follows = false;
    for (std::size_t k = 0; k + 1 < held.size(); ++k)
      follows = follows || (held[k] == here && held[k + 1] == next);
    if (here == held.back()) {
      for (const std::uint32_t caused : c.causes) {
        follows = follows || next == Buffer{0, classes[caused].network, wait.destination.value, 0};
      }
    }
    if (!follows) return "step " + std::to_string(i) + " does not wait for the next";
  }
  return circle.size() < 2 ? "no circle" : "";
}

}  // namespace unknot::simulate::talks
