// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace unknot {

/// What the file config.ini, which gem5 writes at the start of each run, says of its Garnet network. The
/// sections are gem5's objects, their keys its parameters (src/mem/ruby/network/BasicLink.py, BasicRouter.py
/// and garnet/GarnetNetwork.py there).
struct GarnetConfig {
  /// A controller at a router: a link for each direction.
  struct External {
    std::string controller;
    std::uint32_t router = 0, latency = 0, weight = 0, line = 0;
  };
  /// A link in one direction.
  struct Internal {
    std::uint32_t from = 0, to = 0, latency = 0, weight = 0, line = 0;
  };
  /// gem5 takes this number and all above for "no path" (INFINITE_LATENCY of Topology.cc).
  static constexpr std::uint32_t kNoPath = 10000;

  std::vector<std::string> routers;  ///< names, by router_id
  std::vector<External> externals;   ///< in the order of the network's list
  std::vector<Internal> internals;   ///< the same; each pair of routers at most once
  std::uint32_t routing_algorithm = 0;
  std::uint32_t routing_line = 0;
};

/// Names are relative to the network, or to what it is in. InputError with file and line for a text without
/// exactly one Garnet network, an object or a parameter that is missing, router ids with gaps, a controller
/// with two links, two links from one router to another, a link that does not carry all virtual networks, and
/// latencies and weights that gem5 does not take. O(text) time, and sorting.
GarnetConfig read_garnet_config(std::string_view text, const std::string& file);

}  // namespace unknot
