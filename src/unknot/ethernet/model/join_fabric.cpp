// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "unknot/ethernet/model/fabric.hpp"
#include "unknot/support/error.hpp"

namespace unknot::ethernet {
namespace {

/// A port that LLDP has seen: with what behind it.
struct SeenPort {
  std::uint32_t at = kNone;  ///< switch behind it; kNone: none of the folder
  std::string port;          ///< of that switch, as it is called there; "" unknown
};

using Ends = std::map<std::string, SeenPort>;  // by port, of one switch

class Join {
 public:
  Join(std::vector<SwitchParts> parts, std::uint8_t lossless) : parts_(std::move(parts)) {
    std::sort(parts_.begin(), parts_.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    others_.lossless = lossless;
    name_switches();
    see_ends();
    see_absent();
    make_channels();
    for (std::uint32_t s = 0; s < parts_.size(); ++s) make_routes(s);
    std::stable_sort(fabric_.absent.begin(), fabric_.absent.end(), [](const auto& a, const auto& b) {
      return std::tie(a.device, a.ports) < std::tie(b.device, b.ports);
    });
  }
  Fabric take() { return std::move(fabric_); }

 private:
  void name_switches() {
    for (std::uint32_t s = 0; s < parts_.size(); ++s) {
      if (s > 0 && parts_[s].name == parts_[s - 1].name) {
        throw InputError(
            fmt::format("{}: there are two switches of the name {}", parts_[s].origin, parts_[s].name));
      }
      number_.emplace(parts_[s].name, s);
    }
    for (std::uint32_t s = 0; s < parts_.size(); ++s) {
      if (!parts_[s].config || parts_[s].config->hostname.empty()) continue;
      const auto [at, added] = number_.emplace(parts_[s].config->hostname, s);
      if (!added && at->second != s) {
        throw InputError(fmt::format("{}: {} and {} both call themselves {}", parts_[s].origin,
                                     parts_[s].name, parts_[at->second].name, parts_[s].config->hostname));
      }
    }
    fabric_.switches.resize(parts_.size());
  }

  /// By its name, or by its name without the domain.
  [[nodiscard]] std::uint32_t find(const std::string& device) const {
    auto found = number_.find(device);
    if (found == number_.end()) found = number_.find(device.substr(0, device.find('.')));
    return found == number_.end() ? kNone : found->second;
  }

  /// The port of switch s that a neighbour calls so; "" where s says nothing about such a port.
  [[nodiscard]] std::string own_name(std::uint32_t s, const std::string& called) const {
    if (called.empty()) return "";
    if (ends_[s].count(called) > 0) return called;
    if (!parts_[s].config) return "";
    const auto alias = parts_[s].config->port_of_alias.find(called);
    if (alias != parts_[s].config->port_of_alias.end()) return alias->second;
    return "";
  }

  void see_ends() {
    ends_.resize(parts_.size());
    for (std::uint32_t s = 0; s < parts_.size(); ++s) {
      for (const Neighbour& n : parts_[s].neighbours) {
        const std::uint32_t at = find(n.device);
        SeenPort& seen = ends_[s][n.port];
        // A port may hear several devices through something that is no switch of ours; one of ours counts.
        if (at == kNone) continue;
        if (seen.at != kNone) {
          throw InputError(fmt::format("{}: port {} of {} has two switches behind it, {} and {}",
                                       parts_[s].origin, n.port, parts_[s].name, parts_[seen.at].name,
                                       parts_[at].name));
        }
        seen.at = at;
      }
    }
    for (std::uint32_t s = 0; s < parts_.size(); ++s) {
      for (const Neighbour& n : parts_[s].neighbours) {
        SeenPort& seen = ends_[s][n.port];
        if (seen.at == kNone || find(n.device) != seen.at) continue;
        seen.port = own_name(seen.at, n.device_port);
        if (seen.port.empty()) seen.port = own_name(seen.at, n.device_port_description);
        if (seen.port.empty()) seen.port = n.device_port.empty() ? n.device_port_description : n.device_port;
        if (seen.port.empty()) {
          throw InputError(fmt::format("{}: port {} of {}: which port of {} is behind it is not said",
                                       parts_[s].origin, n.port, parts_[s].name, n.device));
        }
      }
    }
  }

  /// SONiC's management is no part of the fabric.
  [[nodiscard]] bool manages(std::uint32_t s, const std::string& port) const {
    return parts_[s].config && (port == "eth0" || port == "docker0" || port == "mgmt");
  }

  void see_absent() {
    std::map<std::string, std::set<std::pair<std::uint32_t, std::string>>> ports;
    for (std::uint32_t s = 0; s < parts_.size(); ++s) {
      for (const Neighbour& n : parts_[s].neighbours) {
        if (!n.host && ends_[s].at(n.port).at == kNone && !manages(s, n.port))
          ports[n.device].emplace(s, n.port);
      }
    }
    for (const auto& [device, behind] : ports)
      fabric_.absent.push_back({device, {behind.begin(), behind.end()}});
  }

  [[nodiscard]] std::uint32_t quality_of(std::uint32_t s, const std::string& port) {
    PortQuality quality = others_;
    if (parts_[s].config) {
      const auto own = parts_[s].config->quality.find(port);
      quality = own != parts_[s].config->quality.end() ? own->second : PortQuality{};
    }
    const auto [at, added] =
        quality_number_.emplace(quality, static_cast<std::uint32_t>(fabric_.quality.size()));
    if (added) fabric_.quality.push_back(quality);
    return at->second;
  }

  /// A link between two ports, in whichever order its ends are seen.
  using Link = std::tuple<std::uint32_t, std::string, std::uint32_t, std::string>;

  void make_channels() {
    std::set<Link> links;
    for (std::uint32_t s = 0; s < parts_.size(); ++s) {
      for (const auto& [port, seen] : ends_[s]) {
        if (seen.at == kNone) continue;
        const auto back = ends_[seen.at].find(seen.port);
        if (back != ends_[seen.at].end() && (back->second.at != s || back->second.port != port)) {
          throw InputError(fmt::format(
              "{}: port {} of {} has port {} of {} behind it, and that has {} behind it", parts_[s].origin,
              port, parts_[s].name, seen.port, parts_[seen.at].name,
              back->second.at == kNone
                  ? std::string("no switch")
                  : fmt::format("port {} of {}", back->second.port, parts_[back->second.at].name)));
        }
        if (s == seen.at && port == seen.port) {
          throw InputError(
              fmt::format("{}: port {} of {} has itself behind it", parts_[s].origin, port, parts_[s].name));
        }
        Link link(s, port, seen.at, seen.port);
        if (std::tie(seen.at, seen.port) < std::tie(s, port)) link = Link(seen.at, seen.port, s, port);
        links.insert(std::move(link));
      }
    }
    channel_of_.resize(parts_.size());
    for (const auto& [a, a_port, b, b_port] : links) {
      const auto first = static_cast<std::uint32_t>(fabric_.channels.size());
      const std::uint32_t at_a = quality_of(a, a_port);
      const std::uint32_t at_b = quality_of(b, b_port);
      fabric_.channels.push_back({a, b, first + 1, a_port, b_port, at_a, at_b});
      fabric_.channels.push_back({b, a, first, b_port, a_port, at_b, at_a});
      if (!channel_of_[a].emplace(a_port, first).second ||
          !channel_of_[b].emplace(b_port, first + 1).second) {
        throw InputError(fmt::format("{}: two links are said to be at port {} of {} or port {} of {}",
                                     parts_[a].origin, a_port, parts_[a].name, b_port, parts_[b].name));
      }
    }
    for (std::uint32_t c = 0; c < fabric_.channels.size(); ++c) {
      fabric_.switches[fabric_.channels[c].from].out.push_back(c);
      fabric_.switches[fabric_.channels[c].to].in.push_back(c);
    }
  }

  /// The port, port channel or VLAN that a sub-interface is of: "swp1.100", and SONiC's short "Eth4.10" and
  /// "Po1.10".
  [[nodiscard]] std::string parent_of(std::uint32_t s, const std::string& name) const {
    std::string parent = name.substr(0, name.rfind('.'));
    for (const auto& [brief, whole] : {std::pair("Eth", "Ethernet"), std::pair("Po", "PortChannel")}) {
      if (parts_[s].config && parent.starts_with(brief) && !parent.starts_with(whole))
        return whole + parent.substr(std::string_view(brief).size());
    }
    return parent;
  }

  /// Of the ports of a port channel those that lead to switches; without any it leads to hosts. What has no
  /// neighbour beside such that have is down.
  void add_port_channel(std::uint32_t s, const std::string& name, HopSet& set) {
    const std::vector<std::string>& members = parts_[s].config->members.at(name);
    if (members.empty()) {
      throw InputError(fmt::format("{}: {} of {} has routes and no member in PORTCHANNEL_MEMBER",
                                   parts_[s].origin, name, parts_[s].name));
    }
    std::uint32_t links = 0;
    for (const std::string& member : members) {
      const auto behind = channel_of_[s].find(member);
      if (behind == channel_of_[s].end()) continue;
      set.channels.push_back(behind->second);
      ++links;
    }
    set.leaves |= links == 0;
    const auto least = parts_[s].config->min_links.find(name);
    if (links > 1 && least != parts_[s].config->min_links.end() && least->second > 1)
      fabric_.wholes.emplace(std::pair(s, name), PortChannel{links, least->second});
  }

  /// A VLAN leads to hosts; where a port of it leads to a switch, bridges would have their say.
  void add_vlan(std::uint32_t s, const std::string& name, HopSet& set) const {
    const auto& all = parts_[s].config->members;
    const auto refuse_link = [&](const std::string& port) {
      if (channel_of_[s].count(port) == 0) return;
      throw InputError(
          fmt::format("{}: {} of {} has the port {} to another switch, and what bridges do is not covered",
                      parts_[s].origin, name, parts_[s].name, port));
    };
    for (const std::string& member : all.at(name)) {
      refuse_link(member);
      const auto ports = all.find(member);
      if (ports == all.end()) continue;
      for (const std::string& port : ports->second) refuse_link(port);
    }
    set.leaves = true;
  }

  /// What a route by this interface does. `unknown`: names that no file explains, taken for ways to hosts.
  void add_interface(std::uint32_t s, const std::string& name, HopSet& set, std::set<std::string>& unknown) {
    const auto channel = channel_of_[s].find(name);
    if (channel != channel_of_[s].end()) {
      set.channels.push_back(channel->second);
      return;
    }
    const std::optional<SwitchConfig>& config = parts_[s].config;
    if (name == "lo" || name.starts_with("Loopback") || name.starts_with("dummy")) {
      set.local = true;
    } else if (config && config->tunnel && name.starts_with("tun")) {
      set.tunnel = true;
    } else if (config && config->members.count(name) > 0) {
      if (name.starts_with("Vlan")) {
        add_vlan(s, name, set);
      } else {
        add_port_channel(s, name, set);
      }
    } else if (name.find('.') != std::string::npos) {
      add_interface(s, parent_of(s, name), set, unknown);
    } else if (!manages(s, name)) {
      set.leaves = true;
      if (ends_[s].count(name) == 0) unknown.insert(name);
    }
  }

  /// A name that stands for several ports, which are told nowhere.
  static bool joins_ports(std::string_view name) {
    return name.starts_with("bond") || name.starts_with("team") || name.starts_with("PortChannel");
  }
  static bool bridges_ports(std::string_view name) {
    return name.starts_with("vlan") || name.starts_with("Vlan") || name.starts_with("br");
  }

  /// Links that no route takes may be what the unknown names stand for: then they do not lead to hosts.
  void doubt(std::uint32_t s, const std::set<std::string>& unknown) {
    const Switch& made = fabric_.switches[s];
    std::set<std::uint32_t> taken;
    for (const HopSet& set : made.hop_sets) taken.insert(set.channels.begin(), set.channels.end());
    const auto idle = std::find_if(made.out.begin(), made.out.end(),
                                   [&](std::uint32_t channel) { return taken.count(channel) == 0; });
    if (idle == made.out.end()) return;
    const std::string link = fabric_.channels[*idle].out_port;
    for (const std::string& name : unknown) {
      if (joins_ports(name)) {
        throw InputError(fmt::format(
            "{}: routes of {} go by {}, and none by the link of {}: expected the ports that {} joins, in "
            "PORTCHANNEL_MEMBER of config_db.json",
            parts_[s].origin, parts_[s].name, name, link, name));
      }
      // A bridge, or a port that the two files call by different names.
      if (bridges_ports(name) || taken.empty())
        fabric_.absent.push_back({fmt::format("what {} of {} leads to", name, parts_[s].name), {{s, name}}});
    }
  }

  void make_routes(std::uint32_t s) {
    Switch& made = fabric_.switches[s];
    made.name = parts_[s].name;
    for (const auto& [port, seen] : ends_[s]) made.source |= seen.at == kNone && !manages(s, port);
    std::set<std::string> unknown;
    std::vector<RouteText>& routes = parts_[s].routes;
    if (parts_[s].config) {
      made.tunnel = parts_[s].config->tunnel;
      for (const Prefix& own : parts_[s].config->loopbacks)
        routes.push_back({.prefix = own, .rank = 0, .interfaces = {}, .local = true, .drop = false});
    }
    std::stable_sort(routes.begin(), routes.end(), [](const RouteText& a, const RouteText& b) {
      return std::tie(a.prefix, a.rank) < std::tie(b.prefix, b.rank);
    });
    std::map<std::tuple<std::vector<std::uint32_t>, bool, bool, bool, bool>, std::uint32_t> known;
    for (std::size_t i = 0; i < routes.size();) {
      HopSet set;
      std::size_t j = i;
      // Next hops of one rank may stand in several entries.
      for (; j < routes.size() && routes[j].prefix == routes[i].prefix && routes[j].rank == routes[i].rank;
           ++j) {
        for (const std::string& name : routes[j].interfaces) add_interface(s, name, set, unknown);
        set.local |= routes[j].local;
        set.drop |= routes[j].drop;
      }
      const Prefix prefix = routes[i].prefix;
      i = j;
      std::sort(set.channels.begin(), set.channels.end());
      set.channels.erase(std::unique(set.channels.begin(), set.channels.end()), set.channels.end());
      const bool goes_on = !set.channels.empty() || set.leaves || set.local || set.tunnel;
      if (!goes_on && !set.drop) continue;  // by management alone
      set.drop = !goes_on;
      made.source |= set.leaves;
      const auto [at, added] =
          known.emplace(std::tie(set.channels, set.leaves, set.local, set.tunnel, set.drop),
                        static_cast<std::uint32_t>(made.hop_sets.size()));
      if (added) made.hop_sets.push_back(std::move(set));
      if (made.routes.empty() || made.routes.back().prefix != prefix) made.routes.push_back({prefix, {}});
      made.routes.back().choices.push_back(at->second);
    }
    doubt(s, unknown);
    std::set<std::uint32_t> quality;
    for (const std::uint32_t c : made.out) quality.insert(fabric_.channels[c].out_quality);
    if (!parts_[s].config) {
      quality.insert(quality_of(s, ""));
    } else {
      for (const auto& [port, own] : parts_[s].config->quality) quality.insert(quality_of(s, port));
    }
    made.quality.assign(quality.begin(), quality.end());
    // What was said is not needed any more, and is much of it.
    parts_[s].routes = {};
    parts_[s].neighbours = {};
  }

  std::vector<SwitchParts> parts_;
  PortQuality others_;  // of switches without a configuration
  Fabric fabric_;
  std::unordered_map<std::string, std::uint32_t> number_;  // of switches by their names
  std::vector<Ends> ends_;
  std::vector<std::unordered_map<std::string, std::uint32_t>> channel_of_;  // that leaves by the port
  std::map<PortQuality, std::uint32_t> quality_number_;
};

}  // namespace

Fabric join_fabric(std::vector<SwitchParts> parts, std::uint8_t lossless) {
  return Join(std::move(parts), lossless).take();
}

}  // namespace unknot::ethernet
