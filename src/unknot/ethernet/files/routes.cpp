// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <utility>

#include "unknot/ethernet/files/json_access.hpp"
#include "unknot/ethernet/files/readers.hpp"

namespace unknot::ethernet {
namespace {

using nlohmann::json;

constexpr std::string_view kRouteTable = "ROUTE_TABLE:";
constexpr std::string_view kGroupTable = "NEXTHOP_GROUP_TABLE:";

Prefix prefix_of(const JsonFile& file, const std::string& text, const std::string& where) {
  const std::optional<Prefix> prefix = parse_prefix(text);
  if (!prefix) file.fail(where, "a prefix such as 10.1.0.0/24");
  return *prefix;
}

bool has_flag(const JsonFile& file, const json& holder, std::string_view flag, const std::string& where) {
  for (const json& one : file.list(holder, "flags", where)) {
    if (one.is_string() && one.get_ref<const std::string&>() == flag) return true;
  }
  return false;
}

/// A hop that the kernel does not use, because its link is down.
bool is_dead(const JsonFile& file, const json& hop, const std::string& where) {
  return has_flag(file, hop, "dead", where) || has_flag(file, hop, "linkdown", where);
}

/// Families of addresses that a text has shown.
struct Families {
  bool v4 = false, v6 = false;
  void see(std::string_view address) {
    if (address.empty() || address == "default") return;
    (address.find(':') != std::string_view::npos ? v6 : v4) = true;
  }
};

/// `ip -j route`: a list of routes; a default says "default" in both families. Its own gateways tell which it
/// is, else the other routes do.
std::vector<RouteText> read_kernel(const JsonFile& file, bool v6) {
  std::vector<RouteText> routes;
  Families of_all;
  std::vector<std::pair<std::size_t, std::string>> untold;  // defaults, and where they stand
  for (std::size_t i = 0; i < file.document().size(); ++i) {
    const json& entry = file.document()[i];
    const std::string where = fmt::format("route {}", i + 1);
    file.require_object(entry, where);
    RouteText route;
    const std::string& to = file.string(entry, "dst", where);
    const bool all = to == "default";
    Families own;
    own.see(file.string(entry, "gateway", where));
    of_all.see(to);
    if (!all) route.prefix = prefix_of(file, to, where + ".dst");
    route.rank = file.number(entry, "metric", where);
    const std::string& type = file.string(entry, "type", where);
    if (type == "blackhole" || type == "unreachable" || type == "prohibit" || type == "throw") {
      route.drop = true;
    } else if (type == "local") {
      route.local = true;
    } else if (type == "broadcast" || type == "multicast" || type == "anycast") {
      continue;
    }
    if (entry.contains("nexthops")) {
      const json& hops = file.list(entry, "nexthops", where);
      for (const json& hop : hops) {
        file.require_object(hop, where + ".nexthops");
        own.see(file.string(hop, "gateway", where + ".nexthops"));
        const std::string& device = file.string(hop, "dev", where + ".nexthops");
        if (!device.empty() && !is_dead(file, hop, where)) route.interfaces.push_back(device);
      }
    } else if (!is_dead(file, entry, where)) {
      const std::string& device = file.string(entry, "dev", where);
      if (!device.empty() && !route.local && !route.drop) route.interfaces.push_back(device);
    }
    if (route.interfaces.empty() && !route.local && !route.drop) continue;
    if (all && own.v4 == own.v6) untold.emplace_back(routes.size(), where);
    if (all) route.prefix.v6 = own.v6;
    routes.push_back(std::move(route));
  }
  for (const auto& [i, where] : untold) {
    if (of_all.v4 && of_all.v6)
      file.fail(where, "a default with a gateway, as the file has routes of IPv4 and of IPv6");
    routes[i].prefix.v6 = of_all.v6 || (v6 && !of_all.v4);
  }
  return routes;
}

/// The hops of a route of FRR that a packet may take.
void add_hops(const JsonFile& file, const json& entry, bool selected, const std::string& where,
              RouteText& route) {
  for (const json& hop : file.list(entry, "nexthops", where)) {
    file.require_object(hop, where + ".nexthops");
    // What others resolve is not in the forwarding table itself.
    if (file.is_true(hop, "recursive", where) || file.is_true(hop, "duplicate", where)) continue;
    if (file.is_true(hop, "linkDown", where)) continue;
    if (selected ? !file.is_true(hop, "fib", where) && !file.is_true(hop, "active", where)
                 : !file.is_true(hop, "active", where))
      continue;
    if (file.is_true(hop, "unreachable", where) || file.is_true(hop, "blackhole", where) ||
        file.is_true(hop, "reject", where)) {
      route.drop = true;
    }
    const std::string& interface = file.string(hop, "interfaceName", where + ".nexthops");
    if (!interface.empty()) route.interfaces.push_back(interface);
  }
}

/// FRR: for each prefix the routes of all protocols; the selected one is in force.
std::vector<RouteText> read_frr(const JsonFile& file) {
  std::vector<RouteText> routes;
  for (const auto& [key, entries] : file.document().items()) {
    const Prefix prefix = prefix_of(file, key, key);
    if (!entries.is_array()) file.fail(key, "a list of routes, as FRR's show ip route json prints");
    for (const json& entry : entries) {
      file.require_object(entry, key);
      const bool selected = file.is_true(entry, "selected", key);
      RouteText route;
      route.prefix = prefix;
      const std::uint64_t distance = std::min<std::uint64_t>(file.number(entry, "distance", key), 255);
      const std::uint64_t metric = std::min<std::uint64_t>(file.number(entry, "metric", key), 0xFFFFFFFF);
      route.rank = selected ? 0 : 1 + (distance << 32) + metric;
      route.local = file.string(entry, "protocol", key) == "local";
      if (!route.local) add_hops(file, entry, selected, key, route);
      if (route.interfaces.empty() && !route.local && !route.drop) continue;
      routes.push_back(std::move(route));
    }
  }
  return routes;
}

/// The fields of an entry of APPL_DB, which some dumps put into a member of their own.
const json& fields_of(const JsonFile& file, const json& entry, const std::string& key) {
  return entry.contains("value") ? file.object(entry, "value", key) : entry;
}

/// Those of a group of next hops, which stands beside the routes.
const std::string& interfaces_of(const JsonFile& file, const std::string& group, const std::string& where) {
  const std::string key = std::string(kGroupTable) + group;
  if (!file.document().contains(key))
    file.fail(where + ".nexthop_group", fmt::format("a group that is there, {}", key));
  return file.string(fields_of(file, file.object(file.document(), key.c_str(), where), key), "ifname", key);
}

/// APPL_DB: names of interfaces joined by commas, of the default instance.
std::vector<RouteText> read_appl_db(const JsonFile& file) {
  std::vector<RouteText> routes;
  for (const auto& [key, entry] : file.document().items()) {
    if (!std::string_view(key).starts_with(kRouteTable)) continue;
    const std::string to = key.substr(kRouteTable.size());
    if (std::string_view(to).starts_with("Vrf") || std::string_view(to).starts_with("mgmt")) continue;
    file.require_object(entry, key);
    const json& value = fields_of(file, entry, key);
    RouteText route;
    route.prefix = prefix_of(file, to, key);
    const std::string& group = file.string(value, "nexthop_group", key);
    const std::string& interfaces =
        group.empty() ? file.string(value, "ifname", key) : interfaces_of(file, group, key);
    for (std::size_t at = 0; at < interfaces.size();) {
      const std::size_t end = std::min(interfaces.find(',', at), interfaces.size());
      if (end > at) route.interfaces.push_back(interfaces.substr(at, end - at));
      at = end + 1;
    }
    route.drop = file.string(value, "blackhole", key) == "true";
    if (route.interfaces.empty() && !route.drop) continue;
    routes.push_back(std::move(route));
  }
  return routes;
}

}  // namespace

std::vector<RouteText> read_routes(std::string_view text, const std::string& name, bool v6) {
  const JsonFile file(text, name);
  const json& document = file.document();
  if (document.is_array()) return read_kernel(file, v6);
  file.require_object(document, "the document");
  for (const auto& [key, entry] : document.items()) {
    if (std::string_view(key).starts_with(kRouteTable)) return read_appl_db(file);
  }
  return read_frr(file);
}

}  // namespace unknot::ethernet
