// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/simulation/watch_events.hpp"

#include <fmt/format.h>

#include <bit>
#include <nlohmann/json.hpp>

#include "unknot/cli/output/output.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/text/grouped.hpp"

namespace unknot::cli {
namespace {

using simulate::PacketWatch;
using simulate::Ports;
using simulate::RoutePlan;
using simulate::Unmet;
using simulate::Watched;
using simulate::WatchEvent;

const std::string kWatchPackets = "--watch-packets";

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

/// Why there is nothing to see: mostly since a packet's number counts those to others, too.
std::string unmet_text(const Network& network, const Unmet& unmet) {
  const auto name = [&](std::uint32_t terminal) {
    return terminal == Watched::kAny ? std::string("*") : network.terminal_name(TerminalId(terminal));
  };
  const Watched& wish = unmet.wish;
  std::string text = fmt::format("no packet is {}:{}", name(wish.source), name(wish.destination));
  if (wish.number != Watched::kEvery) text += fmt::format(":{}", wish.number);
  const bool to_any = wish.destination == Watched::kAny;
  if (unmet.first && !to_any) {
    text +=
        fmt::format("; the number counts all that a source sends, and the first from {} to {} is number {}",
                    name(unmet.first->source), name(unmet.first->destination), unmet.first->number);
  } else if (wish.source != Watched::kAny) {
    text += fmt::format("; {} sends {} packet{} in this run", name(wish.source), grouped(unmet.sent),
                        unmet.sent == 1 ? "" : "s");
    if (unmet.sent > 0 && !to_any) text += fmt::format(", none of them to {}", name(wish.destination));
  }
  return text;
}

}  // namespace

PacketWatch watch_of(const Network& network, const SimulateOptions& options) {
  return {options.watch.empty() ? simulate::parse_watch_list(network, options.watch_packets, kWatchPackets)
                                : simulate::parse_watch(network, read_file(options.watch), options.watch),
          network.terminal_count()};
}

void write_events(const RoutePlan& plan, const PacketWatch& watch, std::uint32_t speedup,
                  const SimulateOptions& options, const Common& common) {
  for (const Unmet& unmet : watch.unmet()) {
    note(common, fmt::format("{}: {}", options.watch.empty() ? kWatchPackets : options.watch,
                             unmet_text(plan.network, unmet)));
  }
  write_file(options.events, [&](const FileSink& sink) {
    for (const WatchEvent& event : watch.events()) sink(event_json(plan, event, speedup).dump() + "\n");
  });
}

}  // namespace unknot::cli
