// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "unknot/formats/guid_index.hpp"
#include "unknot/formats/lid_map.hpp"
#include "unknot/formats/line_scanner.hpp"
#include "unknot/formats/table_filler.hpp"
#include "unknot/formats/table_formats.hpp"
#include "unknot/formats/text_block.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/file.hpp"

namespace unknot {
namespace {

using nlohmann::json;

constexpr const char* kFormat = "unknot-tables";
constexpr std::uint32_t kVersion = 1;
constexpr std::uint32_t kMostLanes = 254;
constexpr std::int64_t kNoRoute = 0;      // ports count from 1
constexpr std::int64_t kStrayRoute = -1;  // the port itself is not kept

std::string quoted(const std::string& text) {
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

// ---- writing

void put_routers(const Network& network, const ForwardingTable& table, const FileSink& sink) {
  constexpr std::size_t kEntry = 12;
  write_blocks(sink, network.router_count(), records_a_block(kEntry * (network.terminal_count() + 1)),
               [&](std::uint32_t begin, std::uint32_t end, TextBlock& block) {
                 for (RouterId r(begin); r.value < end; ++r.value) {
                   block.append(fmt::format("{}\n{{\"guid\":\"0x{:016x}\",\"name\":{},\"ports\":[",
                                            r.value == 0 ? "" : ",", network.router_guid(r),
                                            quoted(network.router_name(r))));
                   char* p = block.room(kEntry * network.terminal_count());
                   for (const TerminalId t : network.terminals()) {
                     const std::uint32_t position = table.get(r, t);
                     if (t.value != 0) *p++ = ',';
                     if (position == ForwardingTable::kHere) {
                       p = put_decimal(p, network.terminal_port(t));
                     } else if (position == ForwardingTable::kStray) {
                       p = put_text(p, "-1");
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

void put_levels(std::span<const std::uint8_t> row, TextBlock& block) {
  char* p = block.room(5 * row.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i != 0) *p++ = ',';
    p = row[i] == ServiceLevels::kMissing ? put_text(p, "null") : put_decimal(p, row[i]);
  }
  block.end_at(p);
}

void put_service_levels(const Network& network, const ServiceLevels& levels, const FileSink& sink) {
  const bool by_terminal = levels.rows() == ServiceLevels::Rows::by_terminal;
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

// ---- reading

class JsonReader {
 public:
  JsonReader(const Network& network, const std::string& name)
      : network_(network), name_(name), guids_(network) {}

  Routing read(const json& file) {
    if (!file.is_object()) fail("expected an object");
    if (text(file, "format") != kFormat) fail(fmt::format("'format' is not '{}'", kFormat));
    if (number(file, "version", 0, 0xFFFFFFFF) != kVersion) {
      fail(fmt::format("'version' is not {}", kVersion));
    }
    if (file.contains("network") && hex(text(file, "network"), "network") != network_.fingerprint()) {
      fail("the tables were made for another network");
    }
    Routing routing;
    routing.engine = file.contains("engine") ? text(file, "engine") : name_;
    if (file.contains("virtual_lanes")) routing.virtual_lanes = lanes(file, "virtual_lanes");
    routing.lanes_needed =
        file.contains("lanes_needed") ? lanes(file, "lanes_needed") : routing.virtual_lanes;
    read_columns(list(file, "terminals"));
    routing.table = read_routers(list(file, "routers"));
    if (file.contains("service_levels")) {
      routing.service_levels = read_service_levels(list(file, "service_levels"));
    }
    if (file.contains("sl_to_vl")) routing.lane_map = read_lane_map(list(file, "sl_to_vl"));
    return routing;
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(fmt::format("{}: {}", name_, message));
  }
  const json& member(const json& object, const char* key) const {
    const auto found = object.find(key);
    if (found == object.end()) fail(fmt::format("'{}' is missing", key));
    return *found;
  }
  const json& list(const json& object, const char* key) const {
    const json& value = member(object, key);
    if (!value.is_array()) fail(fmt::format("'{}' is not a list", key));
    return value;
  }
  const std::string& text(const json& object, const char* key) const {
    const json& value = member(object, key);
    if (!value.is_string()) fail(fmt::format("'{}' is not text", key));
    return value.get_ref<const std::string&>();
  }
  std::int64_t integer(const json& value, const std::string& what, std::int64_t low,
                       std::int64_t high) const {
    if (!value.is_number_integer()) fail(fmt::format("{} is not a whole number", what));
    const auto big =
        value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(high);
    if (big || value.get<std::int64_t>() < low || value.get<std::int64_t>() > high) {
      fail(fmt::format("{} is outside {} to {}", what, low, high));
    }
    return value.get<std::int64_t>();
  }
  std::int64_t number(const json& object, const char* key, std::int64_t low, std::int64_t high) const {
    return integer(member(object, key), fmt::format("'{}'", key), low, high);
  }
  std::uint32_t lanes(const json& file, const char* key) const {
    return static_cast<std::uint32_t>(number(file, key, 1, kMostLanes));
  }
  std::uint64_t hex(const std::string& text, const char* what) const {
    const char* p = text.data();
    const char* const end = p + text.size();
    std::uint64_t value = 0;
    if (!take_hex(p, end, value) || p != end)
      fail(fmt::format("'{}' is not 0x and hexadecimal digits", what));
    return value;
  }
  const json& object(const json& value, const char* where) const {
    if (!value.is_object()) fail(fmt::format("'{}' holds something that is no object", where));
    return value;
  }
  RouterId router(const json& entry, const char* key) const {
    const std::uint64_t guid = hex(text(entry, key), key);
    const Device device = guids_.port(guid);
    if (!device.is_router()) fail(fmt::format("router 0x{:016x} is not in the fabric", guid));
    return RouterId(device.index());
  }
  TerminalId terminal(const json& entry, const char* key) const {
    const std::uint64_t guid = hex(text(entry, key), key);
    const Device device = guids_.port(guid);
    if (!device.is_terminal()) fail(fmt::format("terminal 0x{:016x} is not in the fabric", guid));
    return TerminalId(device.index());
  }

  void read_columns(const json& terminals) {
    std::vector<bool> seen(network_.terminal_count(), false);
    for (const json& entry : terminals) {
      const TerminalId t = terminal(object(entry, "terminals"), "guid");
      if (seen[t.value]) fail(fmt::format("terminal {} is listed twice", network_.terminal_name(t)));
      seen[t.value] = true;
      columns_.push_back(t);
    }
  }

  ForwardingTable read_routers(const json& routers) const {
    TableFiller filler(network_);
    for (const json& entry : routers) {
      const RouterId r = router(object(entry, "routers"), "guid");
      const std::string name = network_.router_name(r);
      if (!filler.begin(r)) fail(fmt::format("router {} is listed twice", name));
      const json& ports = list(entry, "ports");
      if (ports.size() != columns_.size()) {
        fail(fmt::format("'ports' of {} has {} entries, expected one for each of {} terminals", name,
                         ports.size(), columns_.size()));
      }
      const std::string what = "a port of " + name;
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        const std::int64_t port = integer(ports[i], what, kStrayRoute, network_.port_count(r));
        if (port == kNoRoute) continue;
        // Port 0 is the router itself: no packet for a terminal gets anywhere there.
        filler.set(columns_[i], port == kStrayRoute ? 0 : static_cast<std::uint32_t>(port));
      }
    }
    return filler.take();
  }

  ServiceLevels read_service_levels(const json& entries) const {
    if (entries.empty()) return {};
    const bool by_terminal = object(entries[0], "service_levels").contains("terminal");
    if (by_terminal && entries.size() != network_.terminal_count()) {
      fail(fmt::format("'service_levels' has {} rows, expected one for each of {} terminals", entries.size(),
                       network_.terminal_count()));
    }
    ServiceLevels levels(network_,
                         by_terminal ? ServiceLevels::Rows::by_terminal : ServiceLevels::Rows::by_router,
                         ServiceLevels::kMissing);
    std::vector<bool> seen(levels.row_count(), false);
    for (const json& entry : entries) {
      object(entry, "service_levels");
      std::uint32_t index = 0;
      if (by_terminal) {
        index = levels.row_of(terminal(entry, "terminal"));
      } else {
        const RouterId r = router(entry, "router");
        if (network_.terminals_at(r).empty()) {
          fail(fmt::format("'service_levels' has a row for {}, which has no terminals",
                           network_.router_name(r)));
        }
        index = levels.row_of(network_.terminals_at(r)[0]);
      }
      if (seen[index]) fail("'service_levels' has two rows for one source");
      seen[index] = true;
      const json& values = list(entry, "levels");
      if (values.size() != columns_.size()) {
        fail(fmt::format("a row of 'service_levels' has {} entries, expected one for each of {} terminals",
                         values.size(), columns_.size()));
      }
      const auto row = levels.row(index);
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (values[i].is_null()) continue;
        row[columns_[i].value] =
            static_cast<std::uint8_t>(integer(values[i], "a service level", 0, kMostLanes - 1));
      }
    }
    const auto missing = std::find(seen.begin(), seen.end(), false);
    if (missing != seen.end()) fail("'service_levels' lacks the row of a source");
    return levels;
  }

  std::shared_ptr<const LaneMap> read_lane_map(const json& entries) const {
    auto map = std::make_shared<LaneMap>(network_, std::uint8_t{LaneMap::kLevels});
    for (const json& entry : entries) {
      const RouterId r = router(object(entry, "sl_to_vl"), "router");
      const std::uint16_t ports = network_.port_count(r);
      const std::int64_t in = number(entry, "in", 0, ports);
      const std::int64_t out = number(entry, "out", 0, ports);
      const json& values = list(entry, "lanes");
      if (values.size() != LaneMap::kLevels) fail("'lanes' does not have 16 entries");
      LaneMap::Row row{};
      for (std::size_t i = 0; i < row.size(); ++i) {
        row[i] = static_cast<std::uint8_t>(integer(values[i], "a lane", 0, LaneMap::kLevels - 1));
      }
      map->set(r, static_cast<std::uint16_t>(in), static_cast<std::uint16_t>(out), row);
    }
    return map;
  }

  const Network& network_;
  const std::string& name_;
  GuidIndex guids_;
  std::vector<TerminalId> columns_;
};

}  // namespace

bool recognises_table_json(std::string_view head) {
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && head[first] == '{';
}

Routing read_table_json(const Network& network, std::string_view text, const std::string& name) {
  json file;
  try {
    file = json::parse(text);
  } catch (const json::parse_error& error) {
    const auto at = std::min<std::size_t>(error.byte, text.size());
    const auto line = static_cast<std::size_t>(std::count(text.begin(), text.begin() + at, '\n')) + 1;
    throw InputError(name, line, "this is not JSON");
  } catch (const json::exception&) {
    throw InputError(fmt::format("{}: this is not JSON: a number is too large", name));
  }
  return JsonReader(network, name).read(file);
}

void write_table_json(const Network& network, const Routing& routing, const std::string& path) {
  const LidMap lids = LidMap::of(network);
  write_file(path, [&](const FileSink& sink) {
    sink(
        fmt::format("{{\"format\":\"{}\",\"version\":{},\"network\":\"0x{:016x}\",\"engine\":{},\n"
                    "\"virtual_lanes\":{},\"lanes_needed\":{},\n\"terminals\":[",
                    kFormat, kVersion, network.fingerprint(), quoted(routing.engine), routing.virtual_lanes,
                    routing.lanes_needed));
    TextBlock block;
    for (const TerminalId t : network.terminals()) {
      block.append(fmt::format(
          "{}\n{{\"guid\":\"0x{:016x}\",\"name\":{},\"lid\":{},\"router\":{},\"port\":{}}}",
          t.value == 0 ? "" : ",", network.terminal_port_guid(t), quoted(network.terminal_name(t)),
          lids.of(t), network.router_of(t).value, network.terminal_port(t)));
    }
    block.append("],\n\"channels\":[");
    for (const ChannelId c : network.channels()) {
      block.append(fmt::format("{}[{},{},{}]", c.value == 0 ? "" : ",", network.source(c).value,
                               network.target(c).value, network.source_port(c)));
    }
    block.append("],\n\"routers\":[");
    sink(block.text());
    put_routers(network, routing.table, sink);
    sink("],\n\"service_levels\":[");
    if (!routing.service_levels.empty()) put_service_levels(network, routing.service_levels, sink);
    sink("]");
    if (routing.lane_map != nullptr) {
      sink(",\n\"sl_to_vl\":[");
      put_lane_map(network, *routing.lane_map, sink);
      sink("]");
    }
    sink("}\n");
  });
}

}  // namespace unknot
