// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/network/network.hpp"

namespace unknot::cli {

/// What part of a fabric a command is about: what has failed, and whose nodes are left.
struct Scope {
  std::uint32_t rail =
      0;  ///< of a fabric in several parts, the one of that number (rails.hpp); 0: none is named
  std::string faults;
  std::string nodes;
  std::string transit = "own";
  [[nodiscard]] bool whole() const { return faults.empty() && nodes.empty(); }
};

/// Declares --rail, --fail, --nodes and --transit.
void add_scope_options(CLI::App& app, Scope& scope);

/// load_fabric(), or the rail of it that is named.
Network load_rail(const Scope& scope, const std::string& fabric);

/// The network that is left of it. Throws InputError for wrong text, and where a node of the allocation has
/// failed.
Network within(const Scope& scope, Network network, const Common& common);

/// Adds rail, fail, nodes, transit, disconnected_pairs and disconnection, as far as they were asked for.
void add_scope(Json& document, const Scope& scope, const Network& network);
/// One line for people where the scope has broken the network apart; else "".
std::string scope_line(const Scope& scope, const Network& network);

}  // namespace unknot::cli
