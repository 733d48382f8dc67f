// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/simulation/watch_events.hpp"

#include <bit>
#include <nlohmann/json.hpp>

#include "unknot/cli/output/output.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot::cli {
namespace {

using simulate::Ports;
using simulate::RoutePlan;
using simulate::WatchEvent;

/// What is at the other end of a port: a router or a terminal.
std::string other_end(const Network& network, std::uint32_t end, bool input) {
  if ((end & Ports::kTerminal) != 0) return network.terminal_name(TerminalId(end & ~Ports::kTerminal));
  const ChannelId channel(end);
  return network.router_name(input ? network.source(channel) : network.target(channel));
}

Json event_json(const RoutePlan& plan, const WatchEvent& event, std::uint32_t speedup) {
  using Kind = WatchEvent::Kind;
  const Network& network = plan.network;
  const bool at_terminal =
      event.kind == Kind::created || event.kind == Kind::injected || event.kind == Kind::arrived;
  Json json = {{"cycle", event.step % speedup == 0 ? Json(event.step / speedup)
                                                   : Json(static_cast<double>(event.step) / speedup)},
               {"event", name_of(event.kind)},
               {"source", network.terminal_name(TerminalId(event.source))},
               {"destination", network.terminal_name(TerminalId(event.destination))},
               {"number", event.number},
               {"flit", event.flit},
               {"at", at_terminal ? network.terminal_name(TerminalId(event.place))
                                  : network.router_name(RouterId(event.place))}};
  if (event.kind == Kind::buffered) {
    json["from"] = other_end(network, plan.ports.input_from[event.port], true);
  } else if (event.port != WatchEvent::kNoPort) {
    json["to"] = other_end(network, plan.ports.output_to[event.port], false);
  }
  if (event.kind == Kind::routed) {
    json["lanes"] = Json::array();
    for (std::uint32_t rest = event.lanes; rest != 0; rest &= rest - 1)
      json["lanes"].push_back(std::countr_zero(rest));
  } else if (event.lanes != 0) {
    json["lane"] = std::countr_zero(event.lanes);
  }
  return json;
}

}  // namespace

void write_events(const RoutePlan& plan, const std::vector<WatchEvent>& events, std::uint32_t speedup,
                  const std::string& path) {
  write_file(path, [&](const FileSink& sink) {
    for (const WatchEvent& event : events) sink(event_json(plan, event, speedup).dump() + "\n");
  });
}

}  // namespace unknot::cli
