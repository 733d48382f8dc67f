// SPDX-License-Identifier: Apache-2.0
// Tables as JSON, read: docs/table-formats.md.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_set>

#include "unknot/formats/tables/further_lids.hpp"
#include "unknot/formats/tables/lid_map.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/formats/tables/table_filler.hpp"
#include "unknot/formats/tables/table_formats.hpp"
#include "unknot/formats/tables/table_json.hpp"
#include "unknot/formats/tables/table_json_fields.hpp"
#include "unknot/support/text/json_text.hpp"

namespace unknot {
namespace {

using nlohmann::json;
using namespace table_json;

constexpr std::uint32_t kMostLanes = 254;
constexpr std::int64_t kNoRoute = 0;      // ports count from 1
constexpr std::int64_t kStrayRoute = -1;  // the port itself is not told

class JsonReader : TableJsonFields {
 public:
  JsonReader(const Network& network, const std::string& name)
      : TableJsonFields(network, name), lids_(network) {}

  Routing read(const json& file) {
    if (!file.is_object()) fail("expected an object");
    if (text(file, "format") != kFormat) fail(fmt::format("'format' is not '{}'", kFormat));
    read_version(file);
    if (file.contains("network") && hex(text(file, "network"), "network") != network_.fingerprint()) {
      fail("the tables were made for another network");
    }
    Routing routing;
    routing.engine = file.contains("engine") ? text(file, "engine") : name_;
    if (file.contains("flow_control")) routing.flow_control = flow_control(text(file, "flow_control"));
    read_columns(list(file, "terminals"));
    if (file.contains("routes")) {
      if (several_) fail("source routes ('routes') lead to one address of a terminal, expected version 1");
      read_channels(list(file, "channels"), list(file, "routers"));
      routing.paths = read_routes(list(file, "routes"));
      if (file.contains("service_levels"))
        routing.service_levels = read_service_levels(list(file, "service_levels"));
    } else {
      read_tables_and_levels(file, routing);
    }
    if (several_) {
      read_router_lids(list(file, "routers"));
      read_further(list(file, "further"), routing);
    }
    if (file.contains("sl_to_vl")) routing.lane_map = read_lane_map(list(file, "sl_to_vl"));
    share_with_further(routing);  // the SL-to-VL tables, for lanes_in_use()
    read_lanes(file, routing);
    share_with_further(routing);
    return routing;
  }

  /// Of a file that has been read: of its version, terminals and routers alone.
  std::optional<LidMap> read_lids(const json& file) {
    read_version(file);
    read_columns(list(file, "terminals"));
    if (several_) read_router_lids(list(file, "routers"));
    return with_lid_ == 0 ? std::nullopt : std::optional(lids_);
  }

 private:
  std::uint32_t lanes(const json& file, const char* key) const {
    return static_cast<std::uint32_t>(number(file, key, 1, kMostLanes));
  }
  /// What the file declares binds; where it declares nothing there are as many lanes as the paths take.
  void read_lanes(const json& file, Routing& routing) const {
    limit_lanes(routing, LaneMap::kDrop);
    if (file.contains("virtual_lanes")) {
      routing.virtual_lanes = lanes(file, "virtual_lanes");
      limit_lanes(routing, routing.virtual_lanes);
    } else {
      routing.virtual_lanes = lanes_in_use(network_, routing);
    }
    routing.lanes_needed =
        file.contains("lanes_needed") ? lanes(file, "lanes_needed") : routing.virtual_lanes;
  }
  void read_version(const json& file) {
    const std::int64_t version = number(file, "version", 0, 0xFFFFFFFF);
    several_ = version == kVersionOfSeveral;
    if (version != kVersion && !several_)
      fail(fmt::format("'version' is neither {} nor {}", kVersion, kVersionOfSeveral));
    if (!several_) refuse_of_several(file, "further");
  }

  /// What one who takes the file for one of a single address would overlook.
  void refuse_of_several(const json& object, const char* key) const {
    if (object.contains(key)) fail(fmt::format("'{}' is for version {}", key, kVersionOfSeveral));
  }

  void read_columns(const json& terminals) {
    std::vector<bool> seen(network_.terminal_count(), false);
    for (const json& entry : terminals) {
      const TerminalId t = terminal(object(entry, "terminals"), "guid");
      if (seen[t.value]) fail(fmt::format("terminal {} is listed twice", network_.terminal_name(t)));
      seen[t.value] = true;
      columns_.push_back(t);
      if (several_ || entry.contains("lid")) {
        assign(Device(Device::Kind::terminal, t.value), number(entry, "lid", 1, highest_lid()));
        ++with_lid_;
      }
      if (several_) {
        read_further_lids(entry, t);
      } else {
        refuse_of_several(entry, "further_lids");
      }
    }
    if (with_lid_ != 0 && with_lid_ != columns_.size())
      fail(fmt::format("{} of {} terminals have a 'lid', expected all or none", with_lid_, columns_.size()));
    if (several_) require_all(columns_.size(), network_.terminal_count(), "terminals");
  }

  /// So that tables for more addresses take no more memory than the file itself has asked for.
  void require_all(std::size_t listed, std::uint32_t all, const char* what) const {
    if (listed != all) {
      fail(fmt::format("'{0}' has {1} entries, expected one for each of the {2} {0} of the fabric", what,
                       listed, all));
    }
  }

  [[nodiscard]] std::uint32_t highest_lid() const { return several_ ? kLastUnicastLid : LidMap::kHighest; }

  void assign(Device device, std::int64_t lid) {
    const Device other = lids_.assign(device, static_cast<std::uint32_t>(lid));
    if (!other.known()) return;
    const auto name = [this](Device one) {
      return one.is_router() ? network_.router_name(RouterId(one.index()))
                             : network_.terminal_name(TerminalId(one.index()));
    };
    fail(fmt::format("{}{} and {} have the same 'lid' {}", device.is_router() ? "" : "terminals ",
                     name(other), name(device), lid));
  }

  /// Those of `further`, in the same order.
  void read_further_lids(const json& entry, TerminalId t) {
    const json& values = list(entry, "further_lids");
    const std::string what = fmt::format("'further_lids' of {}", network_.terminal_name(t));
    if (columns_.size() == 1) further_ = values.size();
    if (further_ == 0 || further_ > kMostFurther)
      fail(fmt::format("{} has {} LIDs, expected 1 to {}", what, values.size(), kMostFurther));
    if (values.size() != further_) {
      fail(fmt::format("{} has {} LIDs, expected {} as of the terminals above", what, values.size(),
                       further_));
    }
    std::int64_t last = number(entry, "lid", 1, highest_lid());
    for (const json& value : values) {
      const std::int64_t lid = integer(value, "a LID of " + what, 1, highest_lid());
      if (lid <= last) {
        fail(
            fmt::format("{} has {} after {}, expected them in ascending order above 'lid'", what, lid, last));
      }
      assign(Device(Device::Kind::terminal, t.value), lid);
      last = lid;
    }
  }

  void read_router_lids(const json& routers) {
    std::size_t with_lid = 0;
    for (const json& entry : routers) {
      if (!object(entry, "routers").contains("lid")) continue;
      assign(Device(Device::Kind::router, router(entry, "guid").value),
             number(entry, "lid", 1, highest_lid()));
      ++with_lid;
    }
    if (with_lid != 0 && with_lid != routers.size())
      fail(fmt::format("{} of {} routers have a 'lid', expected all or none", with_lid, routers.size()));
  }

  /// The tables to the second lowest LID of each terminal, to the third and so on.
  void read_further(const json& entries, Routing& routing) {
    if (entries.size() != further_) {
      fail(
          fmt::format("'further' has {} entries, expected {}, one for each of the 'further_lids' of a "
                      "terminal",
                      entries.size(), further_));
    }
    for (const json& entry : entries) {
      enter(fmt::format("entry {} of 'further': ", routing.further.size() + 1));
      if (!entry.is_object()) fail("expected an object with 'routers' and 'service_levels'");
      for (const auto& one : entry.items()) {
        if (one.key() == "routers" || one.key() == "service_levels") continue;
        fail(fmt::format("member '{}', expected 'routers' and 'service_levels' alone", one.key()));
      }
      read_tables_and_levels(entry, routing.further.emplace_back());
    }
    enter("");
  }

  /// `object`: the file, or what it tells of a further address.
  void read_tables_and_levels(const json& object, Routing& routing) const {
    const json& routers = list(object, "routers");
    if (several_) require_all(routers.size(), network_.router_count(), "routers");
    routing.paths = read_routers(routers);
    if (object.contains("service_levels"))
      routing.service_levels = read_service_levels(list(object, "service_levels"));
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

  FlowControl flow_control(const std::string& word) const {
    if (word == kBubble) return FlowControl::bubble;
    if (word != kCredits) fail(fmt::format("'flow_control' is neither '{}' nor '{}'", kCredits, kBubble));
    return FlowControl::credits;
  }

  /// [from, to, port] each, routers counted in the order of `routers`.
  void read_channels(const json& channels, const json& routers) {
    std::vector<RouterId> by_number;
    std::vector<bool> seen(network_.router_count(), false);
    for (const json& entry : routers) {
      const RouterId r = router(object(entry, "routers"), "guid");
      if (seen[r.value]) fail(fmt::format("router {} is listed twice", network_.router_name(r)));
      seen[r.value] = true;
      if (entry.contains("ports")) {
        fail(fmt::format("router {} has 'ports' in a file with 'routes'", network_.router_name(r)));
      }
      by_number.push_back(r);
    }
    const auto most = static_cast<std::int64_t>(by_number.size()) - 1;
    for (const json& entry : channels) {
      if (!entry.is_array() || entry.size() != 3)
        fail("'channels' holds something that is no [from, to, port]");
      const RouterId from =
          by_number[static_cast<std::size_t>(integer(entry[0], "'from' of a channel", 0, most))];
      const RouterId to =
          by_number[static_cast<std::size_t>(integer(entry[1], "'to' of a channel", 0, most))];
      const auto port = static_cast<std::uint16_t>(integer(entry[2], "'port' of a channel", 0, 0xFFFF));
      const ChannelId c = network_.channel_at(from, port);
      if (!c.valid() || network_.target(c) != to) {
        fail(fmt::format("no channel leads from {} to {} by port {}", network_.router_name(from),
                         network_.router_name(to), port));
      }
      channels_.push_back(c);
    }
  }

  std::shared_ptr<const SourceRoutes> read_routes(const json& entries) const {
    const std::uint32_t terminals = network_.terminal_count();
    std::vector<const json*> route_of(std::size_t{terminals} * terminals, nullptr);
    std::vector<std::uint16_t> lengths(route_of.size(), 0);
    std::vector<bool> seen(terminals, false);
    for (const json& entry : entries) {
      const TerminalId source = terminal(object(entry, "routes"), "source");
      const std::string from = network_.terminal_name(source);
      if (seen[source.value]) fail(fmt::format("the routes of {} are listed twice", from));
      seen[source.value] = true;
      const json& row = list(entry, "channels");
      if (row.size() != columns_.size()) {
        fail(fmt::format("'channels' of {} has {} entries, expected one for each of {} terminals", from,
                         row.size(), columns_.size()));
      }
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (row[i].is_null()) continue;
        const std::string to = network_.terminal_name(columns_[i]);
        if (!row[i].is_array()) fail(fmt::format("the route of {} to {} is not a list", from, to));
        if (row[i].size() > std::numeric_limits<std::uint16_t>::max())
          fail(fmt::format("the route of {} to {} has {} channels", from, to, row[i].size()));
        const std::size_t pair = std::size_t{source.value} * terminals + columns_[i].value;
        route_of[pair] = &row[i];
        lengths[pair] = static_cast<std::uint16_t>(row[i].size());
      }
    }
    auto routes = std::make_shared<SourceRoutes>(terminals, lengths);
    const auto most = static_cast<std::int64_t>(channels_.size()) - 1;
    for (const TerminalId s : network_.terminals()) {
      for (const TerminalId d : network_.terminals()) {
        const json* numbers = route_of[std::size_t{s.value} * terminals + d.value];
        std::size_t hop = 0;
        for (ChannelId& c : routes->route(s, d)) {
          c = channels_[static_cast<std::size_t>(
              integer((*numbers)[hop++], "a channel of a route", 0, most))];
        }
      }
    }
    return routes;
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
    // Several addresses are InfiniBand's, and so are the levels then.
    const std::int64_t highest_level = (several_ ? LaneMap::kLevels : kMostLanes) - 1;
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
            static_cast<std::uint8_t>(integer(values[i], "a service level", 0, highest_level));
      }
    }
    const auto missing = std::find(seen.begin(), seen.end(), false);
    if (missing != seen.end()) fail("'service_levels' lacks the row of a source");
    return levels;
  }

  std::shared_ptr<const LaneMap> read_lane_map(const json& entries) const {
    auto map = std::make_shared<LaneMap>(network_, std::uint8_t{LaneMap::kLevels});
    std::unordered_set<std::uint64_t> given;
    for (const json& entry : entries) {
      const RouterId r = router(object(entry, "sl_to_vl"), "router");
      const std::uint16_t ports = network_.port_count(r);
      const std::int64_t in = number(entry, "in", 0, ports);
      const std::int64_t out = number(entry, "out", 0, ports);
      const std::uint64_t ends = static_cast<std::uint64_t>(in) << 16 | static_cast<std::uint64_t>(out);
      if (!given.insert(std::uint64_t{r.value} << 32 | ends).second) {
        fail(fmt::format("'sl_to_vl' has two rows for ports {} to {} of {}", in, out,
                         network_.router_name(r)));
      }
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

  bool several_ = false;     // addresses of a terminal
  std::size_t further_ = 0;  // of each terminal
  std::vector<TerminalId> columns_;
  LidMap lids_;
  std::size_t with_lid_ = 0;         // terminals
  std::vector<ChannelId> channels_;  // by their number in the file
};

}  // namespace

bool recognises_table_json(std::string_view head) {
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && head[first] == '{';
}

Routing read_table_json(const Network& network, std::string_view text, const std::string& name) {
  return JsonReader(network, name).read(parse_json(text, name));
}

std::optional<LidMap> table_json_lids(const Network& network, std::string_view text,
                                      const std::string& name) {
  // The rest, mostly all of the file, is passed over and takes no memory.
  const auto wanted = [](int depth, json::parse_event_t event, const json& parsed) {
    if (event != json::parse_event_t::key) return true;
    if (depth > 1) return parsed != "ports";
    return parsed == "version" || parsed == "terminals" || parsed == "routers";
  };
  return JsonReader(network, name).read_lids(json::parse(text, wanted));
}

}  // namespace unknot
