// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/collective/model/problem.hpp"
#include "unknot/collective/model/schedule.hpp"

namespace unknot {

/// Who sends to whom.
enum class Participation : std::uint8_t {
  one_to_all,
  all_to_one,
  all_to_all,
  many_to_many,
  one_to_one,   ///< a permutation: each sends one message at most, and gets one at most
  to_all_after  ///< prefixes: each to all receivers of higher numbers
};

/// One collective communication pattern.
struct CollectiveRow {
  std::string name;
  std::string summary;
  Delivery delivery;
  Participation participation;
  std::vector<std::string> aliases = {};  ///< those of MPI among them
};

const std::vector<CollectiveRow>& collectives();
/// By name or alias; InputError with the near names where there is none.
const CollectiveRow& find_collective(std::string_view name);

/// Who takes part; what is left out is every node with a terminal, and the first of the transmitters (or
/// receivers, where all send to one) as root.
struct Participants {
  std::optional<NodeId> root;                       ///< of one_to_all and all_to_one only
  std::optional<std::vector<NodeId>> nodes;         ///< all of them: transmitters and receivers alike
  std::optional<std::vector<NodeId>> transmitters;  ///< in place of `nodes`
  std::optional<std::vector<NodeId>> receivers;
  /// Every message by itself, in place of all others; of many_to_many and one_to_one only.
  std::optional<std::vector<MessageEnds>> messages;
  /// The collective among the nodes of each group at the same time, in place of all others; no node is of
  /// two. Roots are the first nodes.
  std::optional<std::vector<std::vector<NodeId>>> groups;

  bool operator==(const Participants&) const = default;
};

/// Both ends of a row, in the order in which they were given; of rows with a root one of them is it alone.
struct CollectiveEnds {
  std::vector<NodeId> transmitters, receivers;
};

/// InputError for an end without a node, for a root that does not take part as what it is to be, or that the
/// row does not have. Messages that are listed have no say.
CollectiveEnds ends_of(const NodeGraph& graph, const CollectiveRow& row, const Participants& participants);

/// InputError unless groups are all that is said, no node is of two, none is empty, and nodes are the
/// graph's.
void require_groups(const NodeGraph& graph, const CollectiveRow& row, const Participants& who);

/// The problem of a row on a graph; `rules` gives ports, path lengths and repeats. InputError as
/// make_problem() and ends_of(), for messages that the row cannot have, and for groups that are empty, share
/// a node or are given beside others. A permutation without messages reverses the order: the first
/// transmitter has one for the last receiver, and so on.
Problem make_collective(std::shared_ptr<const NodeGraph> graph, std::string_view name,
                        const Participants& participants = {}, const ProblemRules& rules = {});

/// The root that a schedule for a row implies: the origin of its first transfer, or for gathers the node that
/// gets it. Nothing for rows without a root and schedules without a transfer.
std::optional<NodeId> implied_root(const CollectiveRow& row, const Schedule& schedule);

}  // namespace unknot
