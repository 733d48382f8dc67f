// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "unknot/formats/draft/fabric_draft.hpp"
#include "unknot/formats/draft/label_checks.hpp"
#include "unknot/formats/fabric/native_json.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parameters.hpp"
#include "unknot/support/text/json_text.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

using nlohmann::json;

constexpr std::uint64_t kMaxPort = 65535;
constexpr std::uint64_t kMax32 = 0xFFFFFFFFU;
constexpr std::string_view kFormat = "unknot-network";

const std::vector<std::string>& members() {
  static const std::vector<std::string> names{"format",
                                              "version",
                                              "description",
                                              "routers",
                                              "cables",
                                              "one_way",
                                              "cable_latency",
                                              "one_way_latency",
                                              "cable_capacity",
                                              "one_way_capacity",
                                              "terminals",
                                              "levels",
                                              "coordinates",
                                              "router_name",
                                              "router_guid",
                                              "router_lid",
                                              "router_ports",
                                              "terminal_name",
                                              "terminal_node_guid",
                                              "terminal_port_guid",
                                              "terminal_lid",
                                              "lmc",
                                              "terminal_adapter_port",
                                              "terminal_adapter_ports",
                                              "terminal_rate",
                                              "terminal_latency",
                                              "terminal_capacity",
                                              "service_nodes"};
  return names;
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : file_(file), document_(parse_json(text, file_)) {}

  Network run() {
    check_members();
    const json& links = list("cables");
    const std::uint64_t cables = links.size() + (document_.contains("one_way") ? list("one_way").size() : 0);
    routers_ = number(require("routers"), "routers", 1, kMax32 - 1);
    // Also keeps a short document from asking for much memory.
    if (routers_ > cables + 1) {
      fail(fmt::format("{} routers cannot be one fabric with {} links", routers_, cables));
    }
    builder_.add_routers(static_cast<std::uint32_t>(routers_));
    read_links("cables", true);
    read_links("one_way", false);
    read_terminals();
    read_levels();
    read_coordinates();
    read_labels();
    read_service_nodes();
    // As in the other formats, messages name the file where the network says nothing of itself.
    builder_.set_description(document_.contains("description") ? text(document_["description"], "description")
                                                               : file_);
    try {
      Network network = std::move(builder_).build();
      check_labelled_ports(network, file_);
      require_connected(network, file_);
      return network;
    } catch (const InputError& error) {
      const std::string message = error.what();
      throw InputError(message.starts_with(file_) ? message : file_ + ": " + message);
    }
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { throw InputError(file_ + ": " + message); }

  void check_members() const {
    if (!document_.is_object() || !document_.contains("format") || document_["format"] != kFormat) {
      fail(fmt::format("expected a JSON object with \"format\": \"{}\"", kFormat));
    }
    if (!document_.contains("version") || document_["version"] != 1) {
      fail("expected \"version\": 1, the only one this program knows");
    }
    for (const auto& [key, value] : document_.items()) {
      if (std::find(members().begin(), members().end(), key) != members().end()) continue;
      const std::string near = near_names(key, members());
      fail(fmt::format("no member \"{}\" in this format{}{}", shown(key), near.empty() ? "" : "; ", near));
    }
  }

  const json& require(const char* member) const {
    const auto found = document_.find(member);
    if (found == document_.end()) fail(fmt::format("the member \"{}\" is missing", member));
    return *found;
  }
  const json& list(const char* member) const {
    const json& value = require(member);
    if (!value.is_array()) fail(fmt::format("{}: expected a list", member));
    return value;
  }

  std::uint64_t number(const json& value, const std::string& where, std::uint64_t min,
                       std::uint64_t max) const {
    if (value.is_number_unsigned()) {
      const auto n = value.get<std::uint64_t>();
      if (n >= min && n <= max) return n;
    }
    fail(fmt::format("{}: expected a whole number from {} to {}", where, min, max));
  }
  std::string text(const json& value, const std::string& where) const {
    if (!value.is_string()) fail(fmt::format("{}: expected a string", where));
    return value.get<std::string>();
  }
  std::uint64_t guid(const json& value, const std::string& where) const {
    if (value.is_string()) {
      Cursor cursor(value.get_ref<const std::string&>());
      if (cursor.eat("0x")) {
        const auto n = cursor.hex();
        if (n && cursor.at_end()) return *n;
      }
    }
    fail(fmt::format("{}: expected a GUID such as \"0x0002c90000000001\"", where));
  }
  LinkRate rate(const json& value, const std::string& where) const {
    if (value.is_string()) {
      const auto& name = value.get_ref<const std::string&>();
      const LinkRate known = link_rate_from(name);
      if (known != 0 || name.empty()) return known;
    }
    fail(fmt::format("{}: expected a rate such as \"4xNDR\"", where));
  }
  RouterId router(const json& value, const std::string& where) const {
    return RouterId(static_cast<std::uint32_t>(number(value, where, 0, routers_ - 1)));
  }
  std::uint16_t port(const json& value, const std::string& where) const {
    return static_cast<std::uint16_t>(number(value, where, 1, kMaxPort));
  }

  /// Of data, in megabits a second; 0: not stated.
  std::uint32_t capacity(const json& value, const std::string& where) const {
    if (value.is_number()) {
      const auto gigabits = value.get<double>();
      if (gigabits == 0) return 0;
      if (const auto megabits = megabits_from(gigabits)) return *megabits;
    }
    fail(fmt::format("{}: expected {}, or 0", where, kCapacityRule));
  }

  /// Of the links that `links` names: what `one` reads of each, for cables in each direction. `what` is said
  /// of such a number in messages.
  template <class One>
  std::vector<std::pair<std::uint32_t, std::uint32_t>> read_both_ways(const std::string& links, bool cables,
                                                                      const std::string& what,
                                                                      const One& one) const {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> numbers;
    const std::string member = (cables ? "cable_" : "one_way_") + what;
    if (!document_.contains(links)) {
      if (document_.contains(member)) fail(fmt::format("{} without the member \"{}\"", member, links));
      return numbers;
    }
    column(member.c_str(), list(links.c_str()).size(), numbers,
           [&](const json& value, const std::string& where) {
             if (!cables) return std::pair(one(value, where), std::uint32_t{0});
             if (!value.is_array() || value.size() != 2) {
               fail(fmt::format("{}: expected [{}, {}], of the two directions", where, unit_of(what),
                                unit_of(what)));
             }
             return std::pair(one(value[0], where), one(value[1], where));
           });
    return numbers;
  }
  static std::string_view unit_of(const std::string& what) { return what == "latency" ? "cycles" : "Gb/s"; }

  void read_links(const char* member, bool cables) {
    const auto latencies =
        read_both_ways(member, cables, "latency", [this](const json& value, const std::string& where) {
          return static_cast<std::uint32_t>(number(value, where, 0, kMax32));
        });
    const auto capacities = read_both_ways(
        member, cables, "capacity",
        [this](const json& value, const std::string& where) { return capacity(value, where); });
    if (!document_.contains(member)) return;
    const json& rows = list(member);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const json& row = rows[i];
      const bool shape = row.is_array() && (row.size() == 4 || row.size() == 5);
      const auto where = [&] { return fmt::format("{}[{}]", member, i); };
      if (!shape) fail(where() + ": expected [router, port, router, port] or these and a rate");
      // The place is put into words only where something is wrong.
      if (!fits(row[0], 0, routers_ - 1) || !fits(row[1], 1, kMaxPort) || !fits(row[2], 0, routers_ - 1) ||
          !fits(row[3], 1, kMaxPort)) {
        fail(fmt::format("{}: expected routers from 0 to {} and ports from 1 to {}", where(), routers_ - 1,
                         kMaxPort));
      }
      const RouterId a(row[0].get<std::uint32_t>());
      const RouterId b(row[2].get<std::uint32_t>());
      if (a == b) fail(fmt::format("{}: router {} is connected to itself", where(), a.value));
      const LinkRate link_rate = row.size() == 5 ? rate(row[4], where()) : LinkRate{0};
      const auto port_a = row[1].get<std::uint16_t>();
      const auto port_b = row[3].get<std::uint16_t>();
      if (cables) {
        builder_.add_cable(a, port_a, b, port_b, link_rate);
      } else {
        builder_.add_channel(a, port_a, b, port_b, link_rate);
      }
      if (!latencies.empty()) builder_.set_latency(latencies[i].first, latencies[i].second);
      if (!capacities.empty()) builder_.set_capacity(capacities[i].first, capacities[i].second);
    }
  }

  static bool fits(const json& value, std::uint64_t min, std::uint64_t max) {
    if (!value.is_number_unsigned()) return false;
    const auto n = value.get<std::uint64_t>();
    return n >= min && n <= max;
  }

  void read_terminals() {
    const json& rows = list("terminals");
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const json& row = rows[i];
      if (!row.is_array() || row.size() != 2 || !fits(row[0], 0, routers_ - 1) ||
          !fits(row[1], 1, kMaxPort)) {
        fail(
            fmt::format("terminals[{}]: expected [router, port], routers from 0 to {} and ports from 1 to {}",
                        i, routers_ - 1, kMaxPort));
      }
      const RouterId r(row[0].get<std::uint32_t>());
      if (i != 0 && r.value < rows[i - 1][0].get<std::uint32_t>()) {
        fail(fmt::format("terminals[{}]: expected terminals in the order of their routers", i));
      }
      builder_.add_terminal(r, row[1].get<std::uint16_t>());
    }
  }

  /// Reads a list with `count` items, if it is there; `item` reads one.
  template <class T, class Item>
  void column(const char* member, std::size_t count, std::vector<T>& values, const Item& item) const {
    if (!document_.contains(member)) return;
    const json& rows = list(member);
    if (rows.size() != count) fail(fmt::format("{}: expected {} items, not {}", member, count, rows.size()));
    values.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      values.push_back(static_cast<T>(item(rows[i], fmt::format("{}[{}]", member, i))));
    }
  }

  auto number_from(std::uint64_t min, std::uint64_t max) const {
    return [this, min, max](const json& value, const std::string& where) {
      return number(value, where, min, max);
    };
  }

  void read_levels() {
    std::vector<std::uint32_t> levels;
    column("levels", routers_, levels, number_from(0, kMax32));
    builder_.set_levels(std::move(levels));
  }

  void read_coordinates() {
    const auto found = document_.find("coordinates");
    if (found == document_.end()) return;
    const json& object = *found;
    const bool shape = object.is_object() && object.size() == 3 && object.contains("extent") &&
                       object["extent"].is_array() && object.contains("wraps") &&
                       object["wraps"].is_boolean() && object.contains("values") &&
                       object["values"].is_array();
    if (!shape)
      fail("coordinates: expected {\"extent\": [...], \"wraps\": true or false, \"values\": [...]}");
    Coordinates coordinates;
    const json& extent = object["extent"];
    const json& values = object["values"];
    if (extent.size() > 64 || values.size() != extent.size() * routers_) {
      fail("coordinates: expected at most 64 dimensions, and a value in each of them for every router");
    }
    coordinates.dimensions = static_cast<std::uint32_t>(extent.size());
    coordinates.wraps = object["wraps"].get<bool>();
    for (const json& size : extent) {
      coordinates.extent.push_back(static_cast<std::uint32_t>(number(size, "coordinates.extent", 1, kMax32)));
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::uint32_t size = coordinates.extent[i % extent.size()];
      coordinates.value.push_back(static_cast<std::uint32_t>(
          number(values[i], fmt::format("coordinates.values[{}]", i), 0, size - 1)));
    }
    builder_.set_coordinates(std::move(coordinates));
  }

  void read_labels() {
    Labels& labels = builder_.labels();
    const std::size_t terminals = builder_.terminal_count();
    const auto name = [this](const json& value, const std::string& where) { return text(value, where); };
    const auto address = [this](const json& value, const std::string& where) { return guid(value, where); };
    const auto speed = [this](const json& value, const std::string& where) { return rate(value, where); };
    column("router_name", routers_, labels.router_name, name);
    column("router_guid", routers_, labels.router_guid, address);
    column("router_lid", routers_, labels.router_lid, number_from(1, kMax32));
    column("router_ports", routers_, labels.router_ports, number_from(0, kMaxPort));
    column("terminal_name", terminals, labels.terminal_name, name);
    column("terminal_node_guid", terminals, labels.terminal_node_guid, address);
    column("terminal_port_guid", terminals, labels.terminal_port_guid, address);
    column("terminal_lid", terminals, labels.terminal_lid, number_from(1, kMax32));
    if (document_.contains("lmc"))
      labels.lmc = static_cast<std::uint8_t>(number(document_["lmc"], "lmc", 0, 7));
    column("terminal_adapter_port", terminals, labels.terminal_adapter_port, number_from(1, kMaxPort));
    column("terminal_adapter_ports", terminals, labels.terminal_adapter_ports, number_from(1, kMaxPort));
    column("terminal_rate", terminals, labels.terminal_rate, speed);
    column("terminal_latency", terminals, labels.terminal_latency, number_from(0, kMax32));
    column("terminal_capacity", terminals, labels.terminal_capacity,
           [this](const json& value, const std::string& where) { return capacity(value, where); });
    check_unique("router_guid", labels.router_guid);
    check_unique("terminal_port_guid", labels.terminal_port_guid);
    // Routers and terminals share the addresses.
    std::vector<std::uint32_t> lids(labels.router_lid);
    lids.insert(lids.end(), labels.terminal_lid.begin(), labels.terminal_lid.end());
    check_unique("router_lid, terminal_lid", lids);
  }

  template <class T>
  void check_unique(const char* member, std::vector<T> values) const {
    std::sort(values.begin(), values.end());
    const auto twice = std::adjacent_find(values.begin(), values.end());
    if (twice == values.end()) return;
    fail(fmt::format("{}: {} is given twice", member,
                     sizeof(T) == 8 ? fmt::format("0x{:016x}", *twice) : fmt::format("{}", *twice)));
  }

  void read_service_nodes() {
    if (!document_.contains("service_nodes")) return;
    static constexpr std::array kFields{"router", "router_port", "node_guid", "port_guid",
                                        "lid",    "rate",        "name"};
    const json& rows = list("service_nodes");
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const json& row = rows[i];
      const std::string where = fmt::format("service_nodes[{}]", i);
      const bool complete =
          row.is_object() && row.size() == kFields.size() &&
          std::all_of(kFields.begin(), kFields.end(), [&](const char* f) { return row.contains(f); });
      if (!complete) fail(fmt::format("{}: expected an object with {}", where, fmt::join(kFields, ", ")));
      builder_.labels().service_nodes.push_back(
          {router(row["router"], where + ".router"), port(row["router_port"], where + ".router_port"),
           guid(row["node_guid"], where + ".node_guid"), guid(row["port_guid"], where + ".port_guid"),
           static_cast<std::uint32_t>(number(row["lid"], where + ".lid", 0, kMax32)),
           rate(row["rate"], where + ".rate"), text(row["name"], where + ".name")});
    }
  }

  const std::string& file_;
  const json document_;
  std::uint64_t routers_ = 0;
  NetworkBuilder builder_;
};

}  // namespace

Network read_native_json(std::string_view text, const std::string& name) {
  return Reader(text, name).run();
}

bool looks_like_native_json(std::string_view head) {
  const std::size_t begin = head.find_first_not_of(" \t\r\n");
  return begin != std::string_view::npos && head[begin] == '{' &&
         head.find("\"unknot-network\"") != std::string_view::npos;
}

}  // namespace unknot
