// SPDX-License-Identifier: Apache-2.0
// Tables as JSON, written: docs/table-formats.md.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "unknot/formats/tables/further_lids.hpp"
#include "unknot/formats/tables/lid_map.hpp"
#include "unknot/formats/tables/table_formats.hpp"
#include "unknot/formats/tables/table_json.hpp"
#include "unknot/formats/text/text_block.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot {
namespace {

using nlohmann::json;
using namespace table_json;

std::string quoted(const std::string& text) {
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

/// `lids`: null where those of routers are not told.
void put_routers(const Network& network, const ForwardingTable& table, const LidMap* lids,
                 const FileSink& sink) {
  constexpr std::size_t kEntry = 12;
  write_blocks(sink, network.router_count(), records_a_block(kEntry * (network.terminal_count() + 1)),
               [&](std::uint32_t begin, std::uint32_t end, TextBlock& block) {
                 for (RouterId r(begin); r.value < end; ++r.value) {
                   block.append(fmt::format("{}\n{{\"guid\":\"0x{:016x}\",\"name\":{},{}\"ports\":[",
                                            r.value == 0 ? "" : ",", network.router_guid(r),
                                            quoted(network.router_name(r)),
                                            lids == nullptr ? "" : fmt::format("\"lid\":{},", lids->of(r))));
                   char* p = block.room(kEntry * network.terminal_count());
                   for (const TerminalId t : network.terminals()) {
                     const std::uint32_t position = table.get(r, t);
                     if (t.value != 0) *p++ = ',';
                     if (position == ForwardingTable::kHere) {
                       p = put_decimal(p, network.terminal_port(t));
                     } else if (position == ForwardingTable::kStray) {
                       const std::uint16_t port = table.stray_port(r, t);
                       const bool told = port != 0 && port <= network.port_count(r);
                       p = told ? put_decimal(p, port) : put_text(p, "-1");
                     } else if (position == ForwardingTable::kNone) {
                       *p++ = '0';
                     } else {
                       p = put_decimal(p, network.source_port(network.out(r)[position]));
                     }
                   }
                   block.end_at(p);
                   block.append("]}");
                 }
               });
}

/// The routers without ports, and the routes of each source: channels by number, null where there is none.
void put_routes(const Network& network, const SourceRoutes& routes, const FileSink& sink) {
  TextBlock block;
  for (const RouterId r : network.routers()) {
    block.append(fmt::format("{}\n{{\"guid\":\"0x{:016x}\",\"name\":{}}}", r.value == 0 ? "" : ",",
                             network.router_guid(r), quoted(network.router_name(r))));
  }
  block.append("],\n\"routes\":[");
  sink(block.text());
  constexpr std::size_t kHop = 11;
  constexpr std::size_t kRoute = 6;
  write_blocks(sink, network.terminal_count(), records_a_block(4 * kHop * network.terminal_count()),
               [&](std::uint32_t begin, std::uint32_t end, TextBlock& rows) {
                 for (TerminalId s(begin); s.value < end; ++s.value) {
                   rows.append(fmt::format("{}\n{{\"source\":\"0x{:016x}\",\"channels\":[",
                                           s.value == 0 ? "" : ",", network.terminal_port_guid(s)));
                   for (const TerminalId d : network.terminals()) {
                     const auto route = routes.route(s, d);
                     char* p = rows.room(kRoute + kHop * route.size());
                     if (d.value != 0) *p++ = ',';
                     if (route.empty() && network.router_of(s) != network.router_of(d)) {
                       p = put_text(p, "null");
                     } else {
                       *p++ = '[';
                       for (std::size_t hop = 0; hop < route.size(); ++hop) {
                         if (hop != 0) *p++ = ',';
                         p = put_decimal(p, route[hop].value);
                       }
                       *p++ = ']';
                     }
                     rows.end_at(p);
                   }
                   rows.append("]}");
                 }
               });
}

void put_levels(std::span<const std::uint8_t> row, TextBlock& block) {
  char* p = block.room(5 * row.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i != 0) *p++ = ',';
    p = row[i] == ServiceLevels::kMissing ? put_text(p, "null") : put_decimal(p, row[i]);
  }
  block.end_at(p);
}

void put_service_levels(const Network& network, const ServiceLevels& levels, const FileSink& sink) {
  const bool by_terminal = !levels.shared_by_router();
  TextBlock block;
  bool first = true;
  const auto put = [&](const char* kind, std::uint64_t guid, std::uint32_t row) {
    block.clear();
    block.append(fmt::format("{}\n{{\"{}\":\"0x{:016x}\",\"levels\":[", first ? "" : ",", kind, guid));
    put_levels(levels.row(row), block);
    block.append("]}");
    sink(block.text());
    first = false;
  };
  for (const RouterId r : network.routers()) {
    for (const TerminalId t : network.terminals_at(r)) {
      if (by_terminal) {
        put("terminal", network.terminal_port_guid(t), levels.row_of(t));
      } else {
        put("router", network.router_guid(r), levels.row_of(t));
        break;
      }
    }
  }
}

/// Only the rows that differ from lane = level: most do not.
void put_lane_map(const Network& network, const LaneMap& map, const FileSink& sink) {
  LaneMap::Row identity{};
  for (std::uint8_t level = 0; level < LaneMap::kLevels; ++level) identity[level] = level;
  TextBlock block;
  bool first = true;
  for (const RouterId r : network.routers()) {
    const std::uint32_t ports = network.port_count(r);
    for (std::uint32_t in = 0; in <= ports; ++in) {
      for (std::uint32_t out = 0; out <= ports; ++out) {
        const LaneMap::Row& row = map.get(r, static_cast<std::uint16_t>(in), static_cast<std::uint16_t>(out));
        if (row == identity) continue;
        block.append(fmt::format("{}\n{{\"router\":\"0x{:016x}\",\"in\":{},\"out\":{},\"lanes\":[",
                                 first ? "" : ",", network.router_guid(r), in, out));
        put_levels(row, block);
        block.append("]}");
        first = false;
      }
    }
    sink(block.text());
    block.clear();
  }
}

/// The LIDs of a terminal above its lowest, which they follow (lids_of_addresses()).
std::string further_lids(std::uint32_t lowest, std::size_t count) {
  if (count == 0) return "";
  std::string text = ",\"further_lids\":[";
  for (std::size_t rank = 1; rank <= count; ++rank)
    text += fmt::format("{}{}", rank == 1 ? "" : ",", lowest + rank);
  return text + "]";
}

/// With the brackets that end the lists.
void put_tables_and_levels(const Network& network, const Routing& routing, const LidMap* router_lids,
                           const FileSink& sink) {
  if (routing.routes() != nullptr) {
    put_routes(network, *routing.routes(), sink);
  } else {
    put_routers(network, routing.table(), router_lids, sink);
  }
  sink("],\n\"service_levels\":[");
  if (!routing.service_levels.empty()) put_service_levels(network, routing.service_levels, sink);
  sink("]");
}

}  // namespace

void write_table_json(const Network& network, const Routing& routing, const std::string& path) {
  const LidMap lids = lids_of_addresses(network, routing);
  const bool several = !routing.further.empty();
  write_file(path, [&](const FileSink& sink) {
    sink(
        fmt::format("{{\"format\":\"{}\",\"version\":{},\"network\":\"0x{:016x}\",\"engine\":{},\n"
                    "\"virtual_lanes\":{},\"lanes_needed\":{},\"flow_control\":\"{}\",\n\"terminals\":[",
                    kFormat, several ? kVersionOfSeveral : kVersion, network.fingerprint(),
                    quoted(routing.engine), routing.virtual_lanes, routing.lanes_needed,
                    routing.flow_control == FlowControl::bubble ? kBubble : kCredits));
    TextBlock block;
    for (const TerminalId t : network.terminals()) {
      block.append(fmt::format(
          "{}\n{{\"guid\":\"0x{:016x}\",\"name\":{},\"lid\":{}{},\"router\":{},\"port\":{}}}",
          t.value == 0 ? "" : ",", network.terminal_port_guid(t), quoted(network.terminal_name(t)),
          lids.of(t), further_lids(lids.of(t), routing.further.size()), network.router_of(t).value,
          network.terminal_port(t)));
    }
    block.append("],\n\"channels\":[");
    for (const ChannelId c : network.channels()) {
      block.append(fmt::format("{}[{},{},{}]", c.value == 0 ? "" : ",", network.source(c).value,
                               network.target(c).value, network.source_port(c)));
    }
    block.append("],\n\"routers\":[");
    sink(block.text());
    put_tables_and_levels(network, routing, several ? &lids : nullptr, sink);
    if (routing.lane_map != nullptr) {
      sink(",\n\"sl_to_vl\":[");
      put_lane_map(network, *routing.lane_map, sink);
      sink("]");
    }
    if (several) {
      sink(",\n\"further\":[");
      const char* separator = "\n{\"routers\":[";
      for (const Routing& further : routing.further) {
        sink(separator);
        put_tables_and_levels(network, further, nullptr, sink);
        separator = "},\n{\"routers\":[";
      }
      sink("}]");
    }
    sink("}\n");
  });
}

}  // namespace unknot
