// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "fabric.hpp"
#include "held/held_fabric.hpp"
#include "unknot/network/network.hpp"

namespace unknot {

/// A fabric as sweep after sweep finds it. What is dead is away, indices are those of what is there, as
/// OpenSM's are; hosts have LIDs from 1, switches from 10,001, always the same ones.
class SweptFabric {
 public:
  static constexpr std::uint32_t kFirstSwitchLid = 10'001;

  explicit SweptFabric(Network network)
      : network_(std::move(network)),
        dead_cable_(network_.channel_count()),
        dead_switch_(network_.router_count()),
        away_(network_.terminal_count()) {}

  [[nodiscard]] const Network& network() const { return network_; }
  void set_cable(ChannelId c, bool dead) {
    dead_cable_[c.value] = dead_cable_[network_.reverse(c).value] = dead;
  }
  void set_switch(RouterId r, bool dead) { dead_switch_[r.value] = dead; }
  void set_host(TerminalId t, bool away) { away_[t.value] = away; }

  /// Up to three parts fail or are repaired.
  void change(std::mt19937& random) {
    for (std::uint32_t left = 1 + random() % 3; left > 0; --left) {
      const std::uint32_t kind = random() % 8;
      const bool dead = random() % 2 == 0;
      if (kind == 0) {
        set_switch(RouterId(random() % network_.router_count()), dead);
      } else if (kind == 1) {
        set_host(TerminalId(random() % network_.terminal_count()), dead);
      } else if (kind == 2) {
        dead_cable_.assign(dead_cable_.size(), false);
      } else {
        set_cable(ChannelId(random() % network_.channel_count()), dead);
      }
    }
  }

  [[nodiscard]] unknot_fabric sweep() const {
    unknot_fabric fabric;
    std::vector<int> at(network_.router_count(), -1);
    for (const RouterId r : network_.routers()) {
      if (dead_switch_[r.value]) continue;
      at[r.value] = unknot_fabric_add_switch(
          &fabric, network_.router_guid(r), network_.router_name(r).c_str(),
          static_cast<std::uint16_t>(kFirstSwitchLid + r.value), 1, static_cast<std::uint8_t>(most_ports()));
    }
    for (const ChannelId c : network_.channels()) {
      const int from = at[network_.source(c).value], to = at[network_.target(c).value];
      if (dead_cable_[c.value] || from < 0 || to < 0) continue;
      unknot_fabric_link_switch(&fabric, from, static_cast<std::uint8_t>(network_.source_port(c)), to,
                                static_cast<std::uint8_t>(network_.target_port(c)), 8);
    }
    for (const TerminalId t : network_.terminals()) {
      const int home = at[network_.router_of(t).value];
      if (away_[t.value] || home < 0) continue;
      const int adapter = unknot_fabric_add_adapter(
          &fabric, network_.terminal_node_guid(t), network_.terminal_port_guid(t),
          network_.terminal_name(t).c_str(), static_cast<std::uint16_t>(1 + t.value), 1);
      unknot_fabric_link_adapter(&fabric, home, static_cast<std::uint8_t>(network_.terminal_port(t)),
                                 adapter);
    }
    return fabric;
  }

 private:
  [[nodiscard]] std::uint32_t most_ports() const {
    std::uint32_t most = 0;
    for (const RouterId r : network_.routers()) most = std::max<std::uint32_t>(most, network_.port_count(r));
    return most + 2;  // room for a cable that the first sweep lacked
  }

  Network network_;
  std::vector<bool> dead_cable_, dead_switch_, away_;
};

/// A judge of a sweep that knows nothing but the rows, the trees and the fabric: follows every packet of a
/// host, and looks for a circle among all pairs of ports that packets take one after the other.
class SweepJudge {
 public:
  SweepJudge(const unknot_fabric& fabric, const opensm::HeldFabric& held, const unknot_plan& plan)
      : fabric_(fabric), held_(held), hosts_(fabric.switches.size(), 0) {
    for (const unknot_fabric::Adapter& a : fabric.adapters) {
      if (a.at_switch != unknot_fabric::kNowhere) ++hosts_[a.at_switch];
    }
    mark_parts();
    for (const unknot_fabric::Adapter& to : fabric.adapters) {
      if (to.at_switch != unknot_fabric::kNowhere) follow_all(to.lid, to.at_switch, to.at_port, true);
    }
    for (std::uint32_t s = 0; s < fabric.switches.size(); ++s)
      follow_all(fabric.switches[s].lid, s, 0, false);
    for (const opensm::MulticastTree& tree : plan.multicast.trees) take_tree(tree, plan.multicast);
    find_circle();
  }

  std::uint64_t lost = 0;           ///< pairs of hosts that cables join and the rows do not
  std::uint64_t lost_switches = 0;  ///< the same from hosts to the own ports of switches: no row
  std::uint64_t astray = 0;  ///< packets that loop, leave by a port without a cable or arrive elsewhere
  std::uint64_t pairs = 0;   ///< of hosts at different switches that are delivered
  bool circle = false;
  std::uint64_t tree_switches = 0;  ///< of the multicast tree

 private:
  /// Switches that cables join have the same part.
  void mark_parts() {
    part_.assign(fabric_.switches.size(), unknot_fabric::kNowhere);
    for (std::uint32_t first = 0; first < part_.size(); ++first) {
      if (part_[first] != unknot_fabric::kNowhere) continue;
      std::vector<std::uint32_t> left{first};
      part_[first] = first;
      while (!left.empty()) {
        const std::uint32_t s = left.back();
        left.pop_back();
        for (const unknot_fabric::Link& link : fabric_.switches[s].ports) {
          if (link.kind != opensm::Peer::node || part_[link.index] == first) continue;
          part_[link.index] = first;
          left.push_back(link.index);
        }
      }
    }
  }

  void follow_all(std::uint16_t lid, std::uint32_t home, std::uint8_t port, bool host) {
    for (std::uint32_t from = 0; from < fabric_.switches.size(); ++from) {
      if (hosts_[from] == 0) continue;
      const bool there = follow(from, lid, home, port);
      if (there && host && from != home) pairs += hosts_[from];
      if (there || part_[from] != part_[home]) continue;
      (host ? lost : lost_switches) += hosts_[from];
    }
  }

  bool follow(std::uint32_t from, std::uint16_t lid, std::uint32_t home, std::uint8_t port) {
    std::uint32_t before = 0;  // no port
    for (std::size_t hops = 0; hops <= fabric_.switches.size(); ++hops) {
      const std::span<const std::uint8_t> row = held_.row(from);
      const std::uint8_t out = lid < row.size() ? row[lid] : opensm::HeldRows::kNoRow;
      if (from == home && out == port) return true;
      if (out == opensm::HeldRows::kNoRow) return false;
      const auto& ports = fabric_.switches[from].ports;
      if (from == home || out >= ports.size() || ports[out].kind != opensm::Peer::node) break;
      const std::uint32_t now = from * 256 + out;
      if (before != 0) after_.insert({before, now});
      before = now;
      from = ports[out].index;
    }
    ++astray;
    return false;
  }

  /// Packets of a group go from any switch of the tree to all others along it.
  void take_tree(const opensm::MulticastTree& tree, const opensm::MulticastTrees& trees) {
    tree_switches = tree.nodes.size();
    std::vector<std::vector<std::uint32_t>> ports(fabric_.switches.size());
    const auto here = [&](std::uint32_t node) {
      const std::uint64_t guid = trees.guid_of_switch[tree.nodes[node].at];
      for (std::uint32_t s = 0; s < fabric_.switches.size(); ++s) {
        if (fabric_.switches[s].guid == guid) return s;
      }
      ADD_FAILURE() << "a switch of the tree is away";
      return 0U;
    };
    for (std::uint32_t n = 1; n < tree.nodes.size(); ++n) {
      const std::uint32_t s = here(n), parent = here(tree.nodes[n].parent);
      const unknot_fabric::Link& link = fabric_.switches[s].ports[tree.nodes[n].port];
      if (link.kind != opensm::Peer::node || link.index != parent || link.port != tree.nodes[n].parents_port)
        ++astray;
      ports[s].push_back(tree.nodes[n].port);
      ports[parent].push_back(tree.nodes[n].parents_port);
    }
    for (std::uint32_t s = 0; s < fabric_.switches.size(); ++s) {
      if (hosts_[s] > 0 && tree.nodes.size() > 1 && ports[s].empty()) ++lost;
      for (const std::uint32_t in : ports[s]) {
        const unknot_fabric::Link& link = fabric_.switches[s].ports[in];
        for (const std::uint32_t out : ports[s]) {
          if (out != in) after_.insert({link.index * 256 + link.port, s * 256 + out});
        }
      }
    }
  }

  /// Takes away what nothing comes before, until nothing is left or a circle is.
  void find_circle() {
    std::set<std::uint32_t> reached;
    std::size_t before = 0;
    while (!after_.empty() && after_.size() != before) {
      before = after_.size();
      reached.clear();
      for (const auto& [from, to] : after_) reached.insert(to);
      std::erase_if(after_, [&](const auto& pair) { return !reached.contains(pair.first); });
    }
    circle = !after_.empty();
  }

  const unknot_fabric& fabric_;
  const opensm::HeldFabric& held_;
  std::vector<std::uint32_t> hosts_;  // by switch: how many
  std::vector<std::uint32_t> part_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> after_;
};

}  // namespace unknot
