// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/topology/terminal_placement.hpp"
#include "unknot/topology/topology.hpp"

namespace unknot {

/// What is inside of a box with GPUs: an NVLink or PCI domain, a server. Parts are numbered, GPUs first; each
/// is a router, and a GPU's router carries its terminal: data goes through a GPU on its way to others as
/// well.
struct BoxPlan {
  struct Link {
    std::uint32_t a = 0, b = 0;         ///< parts
    std::uint32_t there = 0, back = 0;  ///< megabits a second from a to b, and from b to a; 0: not stated
    std::uint32_t latency = 0;          ///< cycles, both ways; 0: not stated
    bool one_way = false;
  };
  /// A port to the network outside.
  struct Card {
    std::uint32_t part = 0;      ///< that the cable begins at: a GPU, or a part that several GPUs share
    std::uint32_t rail = 0;      ///< counted from 0; taken modulo the number of rails
    std::uint32_t capacity = 0;  ///< megabits a second, each way
  };
  std::vector<std::string> gpus;    ///< their names within the box
  std::vector<std::string> others;  ///< of switches, cards, processors
  std::vector<Link> links;
  std::vector<Card> cards;
};

/// Boxes joined by their cards: each rail has switches of its own, `leaves` of them, among which the boxes
/// are dealt in stretches, and all rails share `spines` switches above.
struct MachinePlan {
  struct Kind {
    std::string name;  ///< of its boxes, before their number: "box"; empty: of all kinds or none
    std::uint64_t count = 1;
    BoxPlan box;
  };
  std::vector<Kind> kinds;
  /// No rails: boxes stand alone, their cards lead nowhere.
  std::uint32_t rails = 1, leaves = 1, spines = 0;
  std::uint32_t uplink =
      0;  ///< megabits a second from each leaf switch to each spine, each way; 0: not stated
  std::uint32_t card_latency = 0, uplink_latency = 0;  ///< cycles; 0: not stated
};

/// Saturates.
NetworkSize machine_size(const MachinePlan& plan);

/// Routers: the GPUs of all boxes, box by box; the other parts of all boxes; the switches of the rails, rail
/// by rail; the spines. Without a name of `kinds` parts have none; else they are "box0-nvswitch0" and
/// "rail2-leaf0", a GPU's terminal "box0-gpu3" and its router "box0-gpu3-crossbar". Each GPU has `terminals`
/// on it, one where there are names.
///
/// InputError where there are more than kMaxRouters, kMaxCables or kMaxTerminals, and beyond 65,535 ports.
Network machine_network(const MachinePlan& plan,
                        const TerminalPlacement& terminals = TerminalPlacement::each(1));

}  // namespace unknot
