// SPDX-License-Identifier: Apache-2.0
// Adaptive routings as JSON, written: docs/table-formats.md.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "unknot/formats/adaptive/adaptive_catalogue.hpp"
#include "unknot/formats/adaptive/adaptive_json.hpp"
#include "unknot/formats/text/text_block.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot {
namespace {

using namespace adaptive_json;

std::string quoted_text(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void put_adaptive_router(const Network& network, const AdaptivePlane& plane, RouterId r, TextBlock& block) {
  const IdRange<ChannelId> out = network.out(r);
  const auto port = [&](std::uint16_t position) { return network.source_port(out[position]); };
  std::string groups;
  for (std::uint32_t i = 0; i < plane.group_count(r); ++i) {
    groups += i == 0 ? "[" : ",[";
    bool first = true;
    for (const std::uint16_t position : plane.group(r, i)) {
      groups += fmt::format("{}{}", first ? "" : ",", port(position));
      first = false;
    }
    groups += "]";
  }
  std::string choices;
  for (const Choice& choice : plane.choices(r)) {
    const int fixed = choice.fixed == Choice::kNone    ? kNoPort
                      : choice.fixed == Choice::kStray ? kStrayPort
                                                       : port(choice.fixed);
    choices += fmt::format("{}[\"{}\",{}", choices.empty() ? "" : ",",
                           kKinds[static_cast<std::size_t>(choice.kind)], fixed);
    if (choice.kind != ChoiceKind::fixed) choices += fmt::format(",{}", choice.group);
    choices += "]";
  }
  block.append(fmt::format(
      "{}\n{{\"guid\":\"0x{:016x}\",\"name\":{},\n\"groups\":[{}],\n\"choices\":[{}],\n\"entries\":[",
      r.value == 0 ? "" : ",", network.router_guid(r), quoted_text(network.router_name(r)), groups, choices));
  constexpr std::size_t kEntry = 8;
  char* p = block.room(kEntry * network.terminal_count());
  bool first = true;
  for (const std::uint16_t entry : plane.row(r)) {
    if (!first) *p++ = ',';
    first = false;
    p = entry == AdaptivePlane::kHere   ? put_text(p, "-2")
        : entry == AdaptivePlane::kNone ? put_text(p, "-1")
                                        : put_decimal(p, entry);
  }
  block.end_at(p);
  block.append("]}");
}

template <class Row>
std::string numbers(const Row& row) {
  std::string text;
  for (const std::uint8_t value : row) text += fmt::format("{}{}", text.empty() ? "" : ",", value);
  return text;
}

/// Rows that differ from lane = level, and the adapters'.
void put_lane_rows(const Network& network, const LaneMap& map, const char* name, const FileSink& sink) {
  LaneMap::Row identity{};
  for (std::uint8_t level = 0; level < LaneMap::kLevels; ++level) identity[level] = level;
  sink(fmt::format(",\n\"{}\":[", name));
  bool first = true;
  TextBlock block;
  for (const RouterId r : network.routers()) {
    const std::uint16_t ports = network.port_count(r);
    for (std::uint16_t in = 0; in <= ports; ++in) {
      for (std::uint16_t out = 0; out <= ports; ++out) {
        const LaneMap::Row& row = map.get(r, in, out);
        if (row == identity) continue;
        block.append(fmt::format("{}\n{{\"router\":\"0x{:016x}\",\"in\":{},\"out\":{},\"lanes\":[{}]}}",
                                 first ? "" : ",", network.router_guid(r), in, out, numbers(row)));
        first = false;
      }
    }
    sink(block.text());
    block.clear();
  }
  for (const TerminalId t : network.terminals()) {
    const LaneMap::Row* row = map.source(t);
    if (row == nullptr) continue;
    block.append(fmt::format("{}\n{{\"terminal\":\"0x{:016x}\",\"lanes\":[{}]}}", first ? "" : ",",
                             network.terminal_port_guid(t), numbers(*row)));
    first = false;
  }
  block.append("]");
  sink(block.text());
}

void put_planes_of_ports(const Network& network, const PlaneMap& map, const FileSink& sink) {
  sink(fmt::format(",\n\"planes_by\":\"{}\",\n\"planes_of_ports\":[",
                   map.key() == PlaneMap::Key::lane ? "lane" : "level"));
  bool first = true;
  for (const RouterId r : network.routers()) {
    for (std::uint16_t port = 0; port <= network.port_count(r); ++port) {
      if (map.row(r, port) == PlaneMap::Row{}) continue;
      sink(fmt::format("{}\n{{\"router\":\"0x{:016x}\",\"in\":{},\"planes\":[{}]}}", first ? "" : ",",
                       network.router_guid(r), port, numbers(map.row(r, port))));
      first = false;
    }
  }
  sink("]");
}

void put_levels_of_pairs(const Network& network, const ServiceLevels& levels, const FileSink& sink) {
  sink(",\n\"service_levels\":[");
  TextBlock block;
  for (const TerminalId t : network.terminals()) {
    if (!levels.begins_row(network, t)) continue;
    block.clear();
    block.append(fmt::format("{}\n{{\"terminal\":\"0x{:016x}\",\"levels\":[", t.value == 0 ? "" : ",",
                             network.terminal_port_guid(t)));
    const std::span<const std::uint8_t> row = levels.row(levels.row_of(t));
    char* p = block.room(5 * row.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i != 0) *p++ = ',';
      p = row[i] == ServiceLevels::kMissing ? put_text(p, "null") : put_decimal(p, row[i]);
    }
    block.end_at(p);
    block.append("]}");
    sink(block.text());
  }
  sink("]");
}

std::vector<unsigned> levels_of_mask(std::uint16_t mask) {
  std::vector<unsigned> levels;
  for (unsigned level = 0; level < 16; ++level)
    if ((mask >> level & 1U) != 0) levels.push_back(level);
  return levels;
}

}  // namespace

void write_adaptive_json(const Network& network, const AdaptiveRouting& routing, const std::string& path) {
  write_file(path, [&](const FileSink& sink) {
    sink(
        fmt::format("{{\"format\":\"{}\",\"version\":{},\"network\":\"0x{:016x}\",\"source\":{},\n"
                    "\"adaptive_levels\":[{}],\"fixed_levels\":[{}],",
                    kFormat, kVersion, network.fingerprint(), quoted_text(routing.source),
                    fmt::join(levels_of_mask(routing.adaptive_levels), ","),
                    fmt::join(levels_of_mask(routing.fixed_levels), ",")));
    if (routing.data_lanes != Routing::kAnyLanes) sink(fmt::format("\"data_lanes\":{},", routing.data_lanes));
    sink("\n\"terminals\":[");
    TextBlock block;
    for (const TerminalId t : network.terminals())
      block.append(fmt::format("{}\"0x{:016x}\"", t.value == 0 ? "" : ",", network.terminal_port_guid(t)));
    sink(block.text());
    sink("],\n\"planes\":[");
    for (std::size_t i = 0; i < routing.planes.size(); ++i) {
      sink(i == 0 ? "[" : ",[");
      write_blocks(sink, network.router_count(),
                   records_a_block(8 * std::size_t{network.terminal_count()} + 256),
                   [&](std::uint32_t begin, std::uint32_t end, TextBlock& rows) {
                     for (RouterId r(begin); r.value < end; ++r.value)
                       put_adaptive_router(network, routing.planes[i], r, rows);
                   });
      sink("]");
    }
    sink("]");
    if (routing.plane_map) put_planes_of_ports(network, *routing.plane_map, sink);
    if (!routing.service_levels.empty()) put_levels_of_pairs(network, routing.service_levels, sink);
    if (routing.lane_map) put_lane_rows(network, *routing.lane_map, "sl_to_vl", sink);
    if (routing.lane_steps) {
      put_lane_rows(network, *routing.lane_steps, "vl_to_vl", sink);
      sink(",\n\"vl_to_vl_at\":[");
      bool first = true;
      for (const RouterId r : network.routers()) {
        if (!routing.has_steps(r)) continue;
        sink(fmt::format("{}\"0x{:016x}\"", first ? "" : ",", network.router_guid(r)));
        first = false;
      }
      sink("]");
    }
    sink("}\n");
  });
}

}  // namespace unknot
