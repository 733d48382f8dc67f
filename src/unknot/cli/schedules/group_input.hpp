// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "unknot/collective/model/node_graph.hpp"
#include "unknot/network/network.hpp"

namespace CLI {
class App;
}

namespace unknot::cli {

/// Process groups, as the command line names them.
struct GroupInput {
  std::vector<std::string> lists;  ///< nodes of each
  std::string layout;              ///< in place of lists: "data:tensor=8,data=4"
  std::string ranks;               ///< file that says on which host each rank of the layout is

  [[nodiscard]] bool any() const { return !lists.empty() || !layout.empty(); }
};

void add_group_options(CLI::App& app, GroupInput& input);

/// Nodes of each group. Ranks of a layout count through its dimensions, the first one fastest, as launchers
/// of parallel training do; those that differ in the named dimension alone are a group. Without a rank file
/// rank r is the r-th node with a terminal. InputError for what does not fit.
std::vector<std::vector<NodeId>> groups_of(const Network& network, const NodeGraph& graph,
                                           const GroupInput& input);

}  // namespace unknot::cli
