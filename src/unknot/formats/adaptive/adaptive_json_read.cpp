// SPDX-License-Identifier: Apache-2.0
// Adaptive routings as JSON, read: docs/table-formats.md.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "unknot/formats/adaptive/adaptive_catalogue.hpp"
#include "unknot/formats/adaptive/adaptive_json.hpp"
#include "unknot/formats/text/guid_index.hpp"
#include "unknot/formats/text/line_scanner.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/json_text.hpp"

namespace unknot {
namespace {

using nlohmann::json;
using namespace adaptive_json;

constexpr std::size_t kMostPlanes = 256;

class AdaptiveJsonReader {
 public:
  AdaptiveJsonReader(const Network& network, const std::string& name)
      : network_(network), name_(name), guids_(network) {}

  void read(const json& file, AdaptiveRouting& routing) {
    if (!file.is_object()) fail("expected an object");
    if (text(member(file, "format"), "'format'") != kFormat)
      fail(fmt::format("'format' is not '{}'", kFormat));
    if (number(member(file, "version"), "'version'", 0, 0xFFFF) != kVersion)
      fail(fmt::format("'version' is not {}", kVersion));
    if (file.contains("network") && hex(file["network"], "'network'") != network_.fingerprint())
      fail("the routing was made for another network");
    if (file.contains("source")) routing.source = text(file["source"], "'source'");
    routing.adaptive_levels = mask(file, "adaptive_levels");
    routing.fixed_levels = mask(file, "fixed_levels");
    if (routing.levels() == 0) fail("'adaptive_levels' and 'fixed_levels' are both empty: no packet is sent");
    if (file.contains("data_lanes")) {
      routing.data_lanes =
          static_cast<std::uint32_t>(number(file["data_lanes"], "'data_lanes'", 1, Routing::kAnyLanes));
    }
    read_columns(list(file, "terminals"));
    const json& planes = list(file, "planes");
    if (planes.empty() || planes.size() > kMostPlanes)
      fail(fmt::format("'planes' has {} of them, expected 1 to {}", planes.size(), kMostPlanes));
    for (const json& plane : planes) routing.planes.push_back(read_plane(plane));
    if (file.contains("planes_of_ports")) routing.plane_map = read_plane_map(file, planes.size());
    if (file.contains("service_levels")) routing.service_levels = read_levels(list(file, "service_levels"));
    if (file.contains("sl_to_vl")) routing.lane_map = read_lane_rows(list(file, "sl_to_vl"), "sl_to_vl");
    if (file.contains("vl_to_vl")) {
      routing.lane_steps = read_lane_rows(list(file, "vl_to_vl"), "vl_to_vl");
      if (file.contains("vl_to_vl_at")) {
        routing.steps_at.assign(network_.router_count(), false);
        for (const json& one : list(file, "vl_to_vl_at")) routing.steps_at[router(one).value] = true;
      }
    }
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(fmt::format("{}: {}", name_, message));
  }
  const json& member(const json& object, const char* key) const {
    if (!object.is_object()) fail(fmt::format("expected an object with '{}'", key));
    const auto found = object.find(key);
    if (found == object.end()) fail(fmt::format("'{}' is missing", key));
    return *found;
  }
  const json& list(const json& object, const char* key) const {
    const json& value = member(object, key);
    if (!value.is_array()) fail(fmt::format("'{}' is not a list", key));
    return value;
  }
  const std::string& text(const json& value, const char* what) const {
    if (!value.is_string()) fail(fmt::format("{} is not text", what));
    return value.get_ref<const std::string&>();
  }
  std::int64_t number(const json& value, const std::string& what, std::int64_t low, std::int64_t high) const {
    const bool whole =
        value.is_number_integer() &&
        !(value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(high));
    if (!whole || value.get<std::int64_t>() < low || value.get<std::int64_t>() > high)
      fail(fmt::format("{} is not a whole number from {} to {}", what, low, high));
    return value.get<std::int64_t>();
  }
  std::uint64_t hex(const json& value, const char* what) const {
    const std::string& digits = text(value, what);
    const char* p = digits.data();
    const char* const end = p + digits.size();
    std::uint64_t result = 0;
    if (!take_hex(p, end, result) || p != end) fail(fmt::format("{} is not 0x and hexadecimal digits", what));
    return result;
  }
  RouterId router(const json& value) const {
    const std::uint64_t guid = hex(value, "a router");
    const RouterId found = guids_.router(guid);
    if (!found.valid()) fail(fmt::format("router 0x{:016x} is not in the fabric", guid));
    return found;
  }
  TerminalId terminal(const json& value) const {
    const std::uint64_t guid = hex(value, "a terminal");
    const Device found = guids_.port(guid);
    if (!found.is_terminal()) fail(fmt::format("terminal 0x{:016x} is not in the fabric", guid));
    return TerminalId(found.index());
  }
  std::uint16_t mask(const json& file, const char* key) const {
    std::uint32_t levels = 0;
    for (const json& level : list(file, key))
      levels |= 1U << number(level, fmt::format("a level of '{}'", key), 0, LaneMap::kLevels - 1);
    return static_cast<std::uint16_t>(levels);
  }

  void read_columns(const json& terminals) {
    std::vector<bool> seen(network_.terminal_count(), false);
    for (const json& one : terminals) {
      const TerminalId t = terminal(one);
      if (seen[t.value]) fail(fmt::format("terminal {} is listed twice", network_.terminal_name(t)));
      seen[t.value] = true;
      columns_.push_back(t);
    }
  }
  void require_columns(const json& row, const std::string& what) const {
    if (row.size() != columns_.size()) {
      fail(fmt::format("{} has {} entries, expected one for each of {} terminals", what, row.size(),
                       columns_.size()));
    }
  }

  /// Position of the channel at a port; kStray where none is there.
  std::uint16_t position(RouterId r, std::int64_t port) const {
    const ChannelId c = network_.channel_at(r, static_cast<std::uint16_t>(port));
    return c.valid() ? static_cast<std::uint16_t>(c.value - network_.out(r).first()) : Choice::kStray;
  }

  AdaptivePlane read_plane(const json& routers) const {
    if (!routers.is_array()) fail("a plane of 'planes' is not a list of routers");
    AdaptivePlane plane(network_);
    std::vector<bool> seen(network_.router_count(), false);
    for (const json& entry : routers) {
      const RouterId r = router(member(entry, "guid"));
      const std::string who = network_.router_name(r);
      if (seen[r.value]) fail(fmt::format("router {} is twice in one plane", who));
      seen[r.value] = true;
      read_router(entry, r, who, plane);
    }
    return plane;
  }

  void read_router(const json& entry, RouterId r, const std::string& who, AdaptivePlane& plane) const {
    std::vector<std::uint32_t> groups;
    for (const json& group : list(entry, "groups")) {
      if (!group.is_array()) fail(fmt::format("a group of {} is not a list of ports", who));
      std::vector<std::uint16_t> members;
      for (const json& port : group) {
        const std::int64_t its =
            number(port, fmt::format("a port of a group of {}", who), 1, network_.port_count(r));
        const std::uint16_t member = position(r, its);
        if (member == Choice::kStray)
          fail(fmt::format("a group of {} has port {}, which leads to no router", who, its));
        members.push_back(member);
      }
      groups.push_back(plane.add_group(r, std::move(members)));
    }
    std::vector<std::uint16_t> choices;
    for (const json& choice : list(entry, "choices"))
      choices.push_back(plane.add_choice(r, read_choice(choice, r, who, groups)));
    const json& entries = list(entry, "entries");
    require_columns(entries, fmt::format("'entries' of {}", who));
    const std::string what = fmt::format("an entry of {}", who);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::int64_t value =
          number(entries[i], what, kHereEntry, static_cast<std::int64_t>(choices.size()) - 1);
      if (value == kHereEntry && network_.router_of(columns_[i]) != r) {
        fail(fmt::format("{} is not attached to {}, as an entry says", network_.terminal_name(columns_[i]),
                         who));
      }
      plane.set(r, columns_[i],
                value == kHereEntry ? AdaptivePlane::kHere
                : value == kNoEntry ? AdaptivePlane::kNone
                                    : choices[static_cast<std::size_t>(value)]);
    }
  }

  Choice read_choice(const json& value, RouterId r, const std::string& who,
                     const std::vector<std::uint32_t>& groups) const {
    if (!value.is_array() || value.empty())
      fail(fmt::format("a choice of {} is not [kind, port, group]", who));
    const std::string& word = text(value[0], "the kind of a choice");
    const auto* const kind = std::find(kKinds.begin(), kKinds.end(), word);
    if (kind == kKinds.end())
      fail(fmt::format("a choice of {} is '{}', expected fixed, adaptive or hashed", who, word));
    Choice choice;
    choice.kind = static_cast<ChoiceKind>(kind - kKinds.begin());
    const bool alone = choice.kind == ChoiceKind::fixed;
    if (value.size() != (alone ? 2U : 3U)) {
      fail(fmt::format("a choice of {} has {} members, expected {}", who, value.size(),
                       alone ? "[kind, port]" : "[kind, port, group]"));
    }
    const std::int64_t port = number(value[1], fmt::format("the fixed port of a choice of {}", who),
                                     kStrayPort, network_.port_count(r));
    choice.fixed = port == kNoPort ? Choice::kNone : port == kStrayPort ? Choice::kStray : position(r, port);
    if (!alone) {
      choice.group =
          groups.at(static_cast<std::size_t>(number(value[2], fmt::format("the group of a choice of {}", who),
                                                    0, static_cast<std::int64_t>(groups.size()) - 1)));
    }
    return choice;
  }

  template <std::size_t kSize>
  std::array<std::uint8_t, kSize> row_of(const json& entry, const char* key, std::int64_t most) const {
    const json& values = list(entry, key);
    if (values.size() != kSize)
      fail(fmt::format("'{}' has {} entries, expected {}", key, values.size(), kSize));
    std::array<std::uint8_t, kSize> row{};
    for (std::size_t i = 0; i < kSize; ++i)
      row[i] = static_cast<std::uint8_t>(number(values[i], fmt::format("an entry of '{}'", key), 0, most));
    return row;
  }

  std::shared_ptr<const PlaneMap> read_plane_map(const json& file, std::size_t planes) const {
    const std::string& key = text(member(file, "planes_by"), "'planes_by'");
    if (key != "lane" && key != "level") fail("'planes_by' is neither 'lane' nor 'level'");
    auto map =
        std::make_shared<PlaneMap>(network_, key == "lane" ? PlaneMap::Key::lane : PlaneMap::Key::level);
    std::set<std::pair<std::uint32_t, std::int64_t>> given;
    for (const json& entry : list(file, "planes_of_ports")) {
      const RouterId r = router(member(entry, "router"));
      const std::int64_t in = number(member(entry, "in"), "'in'", 0, network_.port_count(r));
      if (!given.emplace(r.value, in).second)
        fail(fmt::format("'planes_of_ports' has two rows for port {} of {}", in, network_.router_name(r)));
      map->set(r, static_cast<std::uint16_t>(in),
               row_of<PlaneMap::kKeys>(entry, "planes", static_cast<std::int64_t>(planes) - 1));
    }
    return map;
  }

  std::shared_ptr<const LaneMap> read_lane_rows(const json& rows, const char* what) const {
    auto map = std::make_shared<LaneMap>(network_, std::uint8_t{LaneMap::kLevels});
    std::set<std::tuple<std::uint32_t, std::int64_t, std::int64_t>> given;
    std::set<std::uint32_t> adapters;
    for (const json& entry : rows) {
      const LaneMap::Row lanes = row_of<LaneMap::kLevels>(entry, "lanes", LaneMap::kDrop);
      if (entry.contains("terminal")) {
        const TerminalId t = terminal(entry["terminal"]);
        if (!adapters.insert(t.value).second)
          fail(fmt::format("'{}' has two rows for terminal {}", what, network_.terminal_name(t)));
        map->set_source(network_, t, lanes);
        continue;
      }
      const RouterId r = router(member(entry, "router"));
      const std::int64_t in = number(member(entry, "in"), "'in'", 0, network_.port_count(r));
      const std::int64_t out = number(member(entry, "out"), "'out'", 0, network_.port_count(r));
      if (!given.emplace(r.value, in, out).second) {
        fail(fmt::format("'{}' has two rows for ports {} to {} of {}", what, in, out,
                         network_.router_name(r)));
      }
      map->set(r, static_cast<std::uint16_t>(in), static_cast<std::uint16_t>(out), lanes);
    }
    if (adapters.empty()) return map;
    // As for pairs of ports without a row: the number of the level.
    LaneMap::Row same{};
    std::iota(same.begin(), same.end(), std::uint8_t{0});
    for (const TerminalId t : network_.terminals())
      if (!adapters.contains(t.value)) map->set_source(network_, t, same);
    return map;
  }

  /// A row counts for the terminals of a router that follow and have none of their own.
  ServiceLevels read_levels(const json& rows) const {
    if (rows.empty()) return {};
    std::vector<bool> begins(network_.terminal_count(), false);
    for (const json& entry : rows) {
      const TerminalId t = terminal(member(entry, "terminal"));
      if (begins[t.value])
        fail(fmt::format("'service_levels' has two rows for {}", network_.terminal_name(t)));
      begins[t.value] = true;
    }
    for (const RouterId r : network_.routers()) {
      const IdRange<TerminalId> here = network_.terminals_at(r);
      if (!here.empty() && !begins[here.first()])
        fail(fmt::format("'service_levels' lacks the row of {}", network_.terminal_name(here[0])));
    }
    ServiceLevels levels(network_, begins, ServiceLevels::kMissing);
    for (const json& entry : rows) {
      const json& values = list(entry, "levels");
      require_columns(values, "a row of 'service_levels'");
      const std::span<std::uint8_t> row = levels.row(levels.row_of(terminal(entry["terminal"])));
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (!values[i].is_null()) {
          row[columns_[i].value] =
              static_cast<std::uint8_t>(number(values[i], "a service level", 0, LaneMap::kLevels - 1));
        }
      }
    }
    return levels;
  }

  const Network& network_;
  const std::string& name_;
  GuidIndex guids_;
  std::vector<TerminalId> columns_;
};

}  // namespace

bool recognises_adaptive_json(std::string_view head) {
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && head[first] == '{' &&
         head.find(kFormat) != std::string_view::npos;
}

void read_adaptive_json(const Network& network, std::string_view text, const std::string& name,
                        AdaptiveRouting& routing) {
  AdaptiveJsonReader(network, name).read(parse_json(text, name), routing);
}

}  // namespace unknot
