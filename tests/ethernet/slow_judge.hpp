// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "unknot/ethernet/model/parts.hpp"

namespace unknot::ethernet::test {

/// What can happen in a fabric, found the slow way from what its switches say: each packet of each address
/// and code point followed alone from each source, each route looked for from the longest prefix on.
class SlowJudge {
 public:
  using Link = std::set<std::pair<std::string, std::string>>;     // both ends: switch and port
  using Buffer = std::tuple<std::string, std::string, unsigned>;  // switch, port, priority

  /// `gone`: a switch that is down, with all of its links; "": none is.
  SlowJudge(const std::vector<SwitchParts>& parts, unsigned lossless, const std::set<Link>& down,
            const std::string& gone = "")
      : parts_(parts), lossless_(lossless), down_(down) {
    for (const SwitchParts& s : parts) {
      for (const Neighbour& n : s.neighbours) {
        const Link link{{s.name, n.port}, {n.device, n.device_port}};
        links_.insert(link);
        cabled_.insert({s.name, n.port});
        if (s.name == gone || n.device == gone) continue;
        if (down.count(link) == 0) behind_[{s.name, n.port}] = {n.device, n.device_port};
      }
    }
    for (const SwitchParts& s : parts) {
      for (const RouteText& r : s.routes) {
        if (s.name != gone && leaves(s, r)) sources_.insert(s.name);
      }
    }
    for (unsigned a = 0; a < 16; ++a) {
      const Prefix address = *parse_prefix("10.0.0." + std::to_string(a));
      bool out = false;
      bool gone_alone = true;
      for (const SwitchParts& s : parts) {
        if (!sends_out(s, address)) continue;
        out = true;
        gone_alone = gone_alone && s.name == gone;
      }
      if (!out) continue;
      // That packets get no further to hosts of what is down is no loss on their way.
      const bool lost_before = loses_;
      for (unsigned code = 0; code < 9; ++code) {
        for (const std::string& s : sources_) follow({s, "", address, "", code, code});
      }
      if (gone_alone) loses_ = lost_before;
    }
  }

  [[nodiscard]] const std::set<Link>& links() const { return links_; }
  [[nodiscard]] bool loops() const { return loops_; }
  [[nodiscard]] bool loses() const { return loses_; }

  /// The largest set of buffers that each wait for one of it.
  [[nodiscard]] std::set<Buffer> locked() const {
    std::set<Buffer> held;
    for (const auto& [buffer, others] : waits_) held.insert(buffer);
    for (bool changed = true; changed;) {
      changed = false;
      for (auto i = held.begin(); i != held.end();) {
        const std::set<Buffer>& others = waits_.at(*i);
        const bool waits =
            std::any_of(others.begin(), others.end(), [&](const Buffer& b) { return held.count(b) > 0; });
        changed |= !waits;
        i = waits ? std::next(i) : held.erase(i);
      }
    }
    return held;
  }
  [[nodiscard]] const std::map<Buffer, std::set<Buffer>>& waits() const { return waits_; }

 private:
  struct Packet {
    std::string at, came_by;  // "" from a host
    Prefix address;
    std::string encapsulated_at;  // "" in no tunnel
    unsigned code = 0, outer = 0;
    bool operator<(const Packet& o) const {
      return std::tie(at, came_by, address, encapsulated_at, code, outer) <
             std::tie(o.at, o.came_by, o.address, o.encapsulated_at, o.code, o.outer);
    }
  };
  struct Hops {
    std::vector<std::string> ports;
    bool leaves = false, local = false, tunnel = false, found = false;
  };

  const SwitchParts& of(const std::string& name) const {
    return *std::find_if(parts_.begin(), parts_.end(), [&](const SwitchParts& s) { return s.name == name; });
  }
  PortQuality quality(const std::string& s, const std::string& port) const {
    const SwitchParts& parts = of(s);
    if (!parts.config) {
      PortQuality all;
      all.lossless = static_cast<std::uint8_t>(lossless_);
      return all;
    }
    const auto found = parts.config->quality.find(port);
    return found == parts.config->quality.end() ? PortQuality{} : found->second;
  }
  bool leaves(const SwitchParts& s, const RouteText& route) const {
    return std::any_of(route.interfaces.begin(), route.interfaces.end(), [&](const std::string& port) {
      return port != "tun0" && cabled_.count({s.name, port}) == 0;
    });
  }

  /// Whether the best route leads out, with all links.
  bool sends_out(const SwitchParts& s, const Prefix& address) const {
    const RouteText* best = nullptr;
    for (const RouteText& r : s.routes) {
      if (!r.prefix.contains(address)) continue;
      if (best == nullptr || r.prefix.length > best->prefix.length ||
          (r.prefix.length == best->prefix.length && r.rank < best->rank)) {
        best = &r;
      }
    }
    if (best == nullptr) return false;
    return std::any_of(s.routes.begin(), s.routes.end(), [&](const RouteText& r) {
      return r.prefix == best->prefix && r.rank == best->rank && leaves(s, r);
    });
  }

  /// The best route that has something left.
  Hops look_up(const std::string& at, const Prefix& address) const {
    const SwitchParts& s = of(at);
    for (int length = 32; length >= 0; --length) {
      for (std::uint64_t rank = 0; rank < 2; ++rank) {
        Hops hops;
        bool drop = false;
        if (s.config) {
          for (const Prefix& own : s.config->loopbacks)
            hops.local |= rank == 0 && length == 32 && own == address;
        }
        for (const RouteText& r : s.routes) {
          if (r.prefix.length != length || r.rank != rank || !r.prefix.contains(address)) continue;
          drop |= r.drop;
          hops.leaves |= leaves(s, r);
          for (const std::string& port : r.interfaces) {
            hops.tunnel |= port == "tun0";
            if (behind_.count({at, port}) > 0) hops.ports.push_back(port);
          }
        }
        hops.found = hops.leaves || hops.local || hops.tunnel || !hops.ports.empty();
        if (hops.found || drop) return hops;
      }
    }
    return {};
  }

  void follow(const Packet& packet) {
    if (open_.count(packet) > 0) loops_ = true;
    if (!seen_.insert(packet).second) return;
    open_.insert(packet);
    Packet next = packet;
    const SwitchParts& s = of(packet.at);
    const PortQuality in = quality(packet.at, packet.came_by);
    // The class of a packet of a host depends on the host's port: any that there is.
    std::set<unsigned> classes;
    PriorityMap groups = in.group_of_class;
    Hops hops;
    bool out_of_tunnel = false;
    if (!packet.encapsulated_at.empty()) {
      const Prefix outside = of(packet.encapsulated_at).config->tunnel->peer;
      hops = look_up(packet.at, outside);
      out_of_tunnel = hops.found && hops.local;
      if (hops.found && hops.tunnel && !hops.local) hops = {};  // no tunnel in another
    }
    if (packet.encapsulated_at.empty()) {
      classes.insert(in.class_of_code_point[packet.code]);
    } else if (out_of_tunnel && s.config && s.config->tunnel) {
      const TunnelQuality& tunnel = s.config->tunnel->quality;
      if (tunnel.maps_in) {
        classes.insert(tunnel.class_of_code_point[tunnel.pipe ? packet.code : packet.outer]);
      } else {
        classes.insert(in.class_of_code_point[packet.outer]);
      }
      if (tunnel.groups_in) groups = tunnel.group_of_class;
    } else {
      classes.insert(in.class_of_code_point[packet.outer]);
    }
    if (out_of_tunnel) next.encapsulated_at.clear();
    bool enters = false;
    std::set<unsigned> outers{packet.outer};
    if (packet.encapsulated_at.empty() || out_of_tunnel) {
      hops = look_up(packet.at, packet.address);
      outers = {packet.code};
      if (hops.found && hops.tunnel) {
        enters = true;
        const TunnelConfig& tunnel = *s.config->tunnel;
        hops = look_up(packet.at, tunnel.peer);
        if (hops.found && (hops.local || hops.tunnel)) hops = {};
        next.encapsulated_at = packet.at;
        if (tunnel.quality.pipe && tunnel.quality.code_points_out) {
          // By the port that it came by; which one that is is not told apart.
          outers = known_ports(s, tunnel.quality, packet.code);
        }
      }
    }
    loses_ |= !hops.found;
    for (const std::string& port : hops.ports) {
      const auto& [to, in_port] = behind_.at({packet.at, port});
      const PortQuality out = quality(packet.at, port);
      const PortQuality far = quality(to, in_port);
      if (!packet.came_by.empty()) {
        for (const unsigned c : classes) {
          const unsigned held = groups[c];
          if ((in.lossless >> held & 1U) == 0) continue;
          const Buffer buffer{packet.at, packet.came_by, held};
          const PriorityMap& queues = enters && s.config->tunnel->quality.queues_out
                                          ? s.config->tunnel->quality.queue_of_class
                                          : out.queue_of_class;
          for (unsigned p = 0; p < kPriorities; ++p) {
            if (out.queue_of_priority[p] != queues[c] || (out.lossless & far.lossless & 1U << p) == 0)
              continue;
            waits_[buffer].insert({to, in_port, p});
            waits_[{to, in_port, p}];
          }
        }
      }
      for (const unsigned outer : outers) {
        next.at = to;
        next.came_by = in_port;
        next.outer = outer;
        follow(next);
      }
    }
    open_.erase(packet);
  }

  /// Code points outside that the ports which are there may give; a switch without a host has no port for
  /// one.
  std::set<unsigned> known_ports(const SwitchParts& s, const TunnelQuality& tunnel, unsigned code) const {
    std::set<unsigned> outers;
    for (const auto& [port, q] : s.config->quality)
      outers.insert(tunnel.code_point_of_class[q.class_of_code_point[code]]);
    return outers;
  }

  const std::vector<SwitchParts>& parts_;
  unsigned lossless_;
  std::set<Link> down_;
  std::set<Link> links_;
  std::map<std::pair<std::string, std::string>, std::pair<std::string, std::string>> behind_;
  std::set<std::pair<std::string, std::string>> cabled_;
  std::set<std::string> sources_;
  std::set<Packet> seen_, open_;
  std::map<Buffer, std::set<Buffer>> waits_;
  bool loops_ = false, loses_ = false;
};

}  // namespace unknot::ethernet::test
