// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/schedules/group_input.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "unknot/collective/model/problem.hpp"
#include "unknot/place/places.hpp"
#include "unknot/place/rank_files.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/text/in_file.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot::cli {
namespace {

constexpr std::uint64_t kMostRanks = std::uint64_t{1} << 24U;

struct Dimension {
  std::string_view name;
  std::uint64_t size = 1;
};

/// Ranks in a grid; groups are lines of it.
struct Layout {
  std::uint64_t ranks = 1;
  std::uint64_t stride = 0;  // from one rank of a group to the next
  std::uint64_t size = 0;    // of a group
};

[[noreturn]] void fail(std::string_view text) {
  throw InputError(
      fmt::format("--layout: expected DIMENSION:NAME=SIZE,NAME=SIZE,..., as data:tensor=8,data=4, found '{}'",
                  shown(text)));
}

Layout parse_layout(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0) fail(text);
  const std::string_view wanted = text.substr(0, colon);
  Layout layout;
  std::vector<std::string_view> names;
  for (std::size_t at = colon + 1; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const std::string_view part = text.substr(at, comma - at);
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos || equals == 0) fail(text);
    const std::string_view name = part.substr(0, equals);
    Cursor cursor(part.substr(equals + 1));
    const auto size = cursor.decimal(kMostRanks);
    if (!size || *size == 0 || !cursor.at_end() || layout.ranks * *size > kMostRanks) fail(text);
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      throw InputError(fmt::format("--layout: dimension {} comes twice", shown(name)));
    }
    names.push_back(name);
    if (name == wanted) {
      layout.stride = layout.ranks;
      layout.size = *size;
    }
    layout.ranks *= *size;
    at = comma + 1;
  }
  if (layout.size == 0) {
    throw InputError(fmt::format("--layout: there is no dimension '{}', of which groups are to be, in '{}'",
                                 shown(wanted), shown(text)));
  }
  return layout;
}

std::vector<NodeId> nodes_with_terminals(const NodeGraph& graph) {
  std::vector<NodeId> nodes;
  for (const NodeId n : graph.nodes()) {
    if (graph.has_endpoint(n)) nodes.push_back(n);
  }
  return nodes;
}

/// The node of each rank. Several ranks may be on one.
std::vector<NodeId> nodes_of_ranks(const Network& network, const NodeGraph& graph, const std::string& file) {
  if (file.empty()) return nodes_with_terminals(graph);
  const std::vector<std::string> hosts = place::read_rank_file(read_file(file), file);
  std::unordered_map<std::string_view, std::uint32_t> ranks_on;
  std::uint32_t most = 1;
  for (const std::string& host : hosts) most = std::max(most, ++ranks_on[host]);
  const place::Places places = place::find_places(network, "", most);
  const place::Placement placement =
      in_file(file, [&] { return place::placement_on(network, places, hosts); });
  std::vector<NodeId> nodes;
  nodes.reserve(hosts.size());
  for (const std::uint32_t at : placement) {
    const TerminalId host = places.terminal_of(at);
    nodes.emplace_back(graph.has_terminal_nodes() ? graph.router_count() + host.value
                                                  : network.router_of(host).value);
  }
  return nodes;
}

}  // namespace

void add_group_options(CLI::App& app, GroupInput& input) {
  app.add_option(
         "--group", input.lists,
         "Nodes of a process group, as 0-3,7; once for each: all carry out the collective at the same "
         "time, among themselves")
      ->take_all()
      ->type_name("LIST");
  app.add_option("--layout", input.layout,
                 "In place of --group: DIMENSION:NAME=SIZE,NAME=SIZE,..., a grid of ranks, the first "
                 "dimension fastest, whose lines along DIMENSION are the groups")
      ->type_name("SPEC");
  app.add_option("--ranks", input.ranks,
                 "With --layout: rank file (of Open MPI, Slurm, or as unknot place writes it) that says "
                 "where each rank is; "
                 "without it in order of the nodes")
      ->type_name("FILE");
}

std::vector<std::vector<NodeId>> groups_of(const Network& network, const NodeGraph& graph,
                                           const GroupInput& input) {
  if (!input.lists.empty() && !input.layout.empty())
    throw InputError("--group and --layout both say which groups there are: give one of them");
  std::vector<std::vector<NodeId>> groups;
  for (const std::string& list : input.lists) groups.push_back(parse_node_list(graph, list, "--group"));
  if (input.layout.empty()) return groups;
  const Layout layout = parse_layout(input.layout);
  const std::vector<NodeId> nodes = nodes_of_ranks(network, graph, input.ranks);
  if (nodes.size() != layout.ranks) {
    throw InputError(fmt::format("--layout: {} ranks, and {} has {}", layout.ranks,
                                 input.ranks.empty() ? "the fabric" : input.ranks, nodes.size()));
  }
  for (std::uint64_t rank = 0; rank < layout.ranks; ++rank) {
    if (rank / layout.stride % layout.size != 0) continue;  // not the first of its group
    std::vector<NodeId>& group = groups.emplace_back();
    for (std::uint64_t i = 0; i < layout.size; ++i) {
      const NodeId node = nodes[rank + i * layout.stride];
      // Ranks on one host exchange nothing by the network.
      if (std::find(group.begin(), group.end(), node) == group.end()) group.push_back(node);
    }
  }
  return groups;
}

}  // namespace unknot::cli
