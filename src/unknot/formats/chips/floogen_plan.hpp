// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace unknot {

/// What a YAML file of FlooGen says of its topology, as it says it.
struct FloogenPlan {
  struct Place {
    std::int32_t x = 0, y = 0;
  };
  struct Routers {
    std::string name;
    std::vector<std::uint32_t> array, tree;  ///< sizes; both empty: one router
    std::optional<std::uint32_t> degree;
    bool joined = true;  ///< FlooGen connects neighbours of an array, and parents of a tree
    Place offset;        ///< of the coordinates, for routing by them
    std::uint32_t line = 0;
  };
  struct Endpoints {
    std::string name;
    std::vector<std::uint32_t> array;
    bool asks = false;     ///< a manager: sends requests
    bool answers = false;  ///< a subordinate: gets them, and sends responses
    Place offset;
    std::uint32_t line = 0;
  };
  /// One side of a connection: a node, one of an array, a range of them, or a level of a tree.
  struct Side {
    struct Range {
      std::uint32_t first = 0, last = 0;
    };
    std::string name;
    std::vector<Range> range;
    std::vector<std::uint32_t> index;
    std::optional<std::uint32_t> level, direction;
    std::uint32_t line = 0;
  };
  struct Connection {
    Side from, to;
    bool several = false;  ///< nodes of the shorter side are taken again
    std::uint32_t line = 0;
  };

  std::vector<Routers> routers;
  std::vector<Endpoints> endpoints;
  std::vector<Connection> connections;
  std::string algorithm;  ///< `route_algo` as it is written; empty where there is none
  std::uint32_t algorithm_line = 0;
  bool axi = false;  ///< `network_type: axi`: requests and responses have links of their own
};

/// InputError with file and line for what is malformed; sizes are at least 1 and at most a million.
FloogenPlan read_floogen_plan(std::string_view text, const std::string& file);

}  // namespace unknot
