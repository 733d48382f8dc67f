// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "unknot/cli/output/output.hpp"
#include "unknot/formats/multicast/multicast_file.hpp"
#include "unknot/network/network.hpp"
#include "unknot/routing/multicast/multicast.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/routing.hpp"
#include "unknot/tables/service_classes.hpp"
#include "unknot/verify/verify.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace unknot::cli {

/// What is asked of multicast.
struct MulticastChoice {
  std::string tables;  ///< file of the multicast tables, which a command reads or writes; "": none
  std::string groups;  ///< file of the groups; "": one of all hosts, on the lowest level that has a tree
  std::uint32_t trees = 1;
  ServiceClasses classes;          ///< on whose levels groups may be
  const Network* whole = nullptr;  ///< what groups are named in, where that is not what is routed
  [[nodiscard]] bool wanted() const { return !tables.empty(); }
};

/// Declares --multicast, --multicast-groups and --multicast-trees, of a command that makes trees.
void add_multicast_options(CLI::App& app, MulticastChoice& choice);
/// Declares --multicast and --multicast-groups, of a command that reads them.
/// Returns the first.
CLI::Option* add_multicast_input(CLI::App& app, MulticastChoice& choice);
/// InputError for --multicast-groups or --multicast-trees without --multicast.
void require_multicast(const MulticastChoice& choice, const std::string& command);

/// Trees that were made for a routing.
struct MulticastRun {
  MulticastResult result;  ///< on the levels of the first class of service
  MulticastTables tables;  ///< on the levels that are told, of any class
  double seconds = 0;
  /// Whether every member of every group gets its copies.
  [[nodiscard]] bool complete() const { return result.left_out.empty(); }
  /// Lanes that have the levels of all groups.
  [[nodiscard]] std::uint32_t lanes() const;
};

/// Gives the routing its multicast tables, on the lanes that the hardware has: of the groups that are asked
/// for, or of all hosts. Null where none are. Members that no tree joins are named (MulticastRun::result);
/// groups without members have no tree. InputError where a level that is told has no lane.
std::shared_ptr<const MulticastRun> make_multicast(const Network& network, Routing& routing,
                                                   const MulticastChoice& choice, std::uint32_t lanes,
                                                   Progress& progress);

/// Members of given groups that their tables do not lead to.
struct MissingMembers {
  std::uint64_t count = 0;
  std::vector<std::string> named;  ///< the first of them, each a line
};
/// Reads the tables and, of the groups, their levels and members, as far as they are in the network. Files
/// name what is in `whole`, which may be the same. O(rows + members).
MissingMembers read_multicast(const Network& network, const Network& whole, Routing& routing,
                              const MulticastChoice& choice);

/// Adds "multicast": what the verdict says of it; nothing where it says nothing.
void add_multicast(Json& document, const Network& network, const Verdict& verdict);
/// Adds to "multicast" what making it took.
void add_multicast_cost(Json& document, const Network& network, const MulticastRun& run);
/// "yes, 3 groups, ..." of the verdict.
std::string multicast_answer(const MulticastVerdict& verdict);
/// What is to be known of trees that were made, lines for people.
std::string multicast_text(const Network& network, const MulticastRun& run);

}  // namespace unknot::cli
