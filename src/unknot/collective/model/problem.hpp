// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "unknot/collective/model/node_graph.hpp"

namespace unknot {

class PairRoutes;

/// How the messages of a collective relate.
enum class Delivery : std::uint8_t {
  scatter,    ///< personalised: each message goes straight from its source to its one destination
  broadcast,  ///< a message goes to many receivers; who has it may pass it on from the next step on
  reduction,  ///< the time reversal of a broadcast: partial results are combined on their way to the owner
};

/// What a node does in a collective.
enum class Role : std::uint8_t { switch_only = 0, transmitter = 1, receiver = 2, both = 3 };

/// What holds of all schedules of a problem.
struct ProblemRules {
  static constexpr std::uint32_t kAllPorts = 0xFFFFFFFFU;
  static constexpr std::uint32_t kAnyLength = 0xFFFFFFFFU;

  std::uint32_t send_ports = kAllPorts;     ///< most messages a node sends in one step
  std::uint32_t receive_ports = kAllPorts;  ///< most it receives; what passes through counts as neither
  std::uint32_t extra_hops = kAnyLength;    ///< paths may be so much longer than shortest ones; 0: minimal
  bool repeats = false;                     ///< a receiver may get a broadcast message more than once
  /// Null: paths are free. Else a transfer takes the one path of its two ends, and no two of a step the same
  /// line; `extra_hops` does not matter then.
  std::shared_ptr<const PairRoutes> routes = {};
};

/// A collective communication on a network in synchronous steps: what is to be delivered, and the rules. In
/// one step every arc carries at most its capacity of messages, each on a path of its own; switches store
/// nothing. [Jaros, Evolutionary Design of Collective Communications on Wormhole Networks, chapter 3]
///
/// Messages are in groups, one for each owner, owners ascending: all messages of a source (scatter), one
/// message and its receivers (broadcast), or one result and its contributors (reduction). A gather is a
/// scatter with one destination for all. Made by the functions below or by collective/model/catalogue.hpp,
/// which check what they are given.
struct Problem : ProblemRules {
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  std::string collective;  ///< name for reports: "AAS"
  std::shared_ptr<const NodeGraph> graph;
  Delivery delivery = Delivery::scatter;
  std::vector<NodeId> owner;            ///< by group, ascending
  std::vector<std::uint32_t> first{0};  ///< groups + 1: where the partners of each group begin
  std::vector<NodeId> partner;          ///< by message: the other end; ascending in each group

  [[nodiscard]] std::uint32_t groups() const { return static_cast<std::uint32_t>(owner.size()); }
  [[nodiscard]] std::uint32_t messages() const { return static_cast<std::uint32_t>(partner.size()); }
  [[nodiscard]] std::span<const NodeId> partners(std::uint32_t group) const {
    return {partner.data() + first[group], partner.data() + first[group + 1]};
  }
  /// Group of an owner, and message of a group by its partner; kNone where there is none. O(log).
  [[nodiscard]] std::uint32_t group_of(NodeId owner) const;
  [[nodiscard]] std::uint32_t message_of(std::uint32_t group, NodeId partner) const;
  /// Most messages a node sends, or receives, in one step: by its ports and its channels. O(degree).
  [[nodiscard]] std::uint32_t send_limit(NodeId n) const {
    return std::min(send_ports, graph->out_capacity(n));
  }
  [[nodiscard]] std::uint32_t receive_limit(NodeId n) const {
    return std::min(receive_ports, graph->in_capacity(n));
  }
  /// A scatter in reversed time: several sources, one destination for all. O(messages).
  [[nodiscard]] bool is_gather() const;
  /// By node. O(nodes + messages).
  [[nodiscard]] std::vector<Role> roles() const;
};

/// One message, or one receiver of a broadcast: owner and partner.
struct MessageEnds {
  NodeId owner, partner;
  auto operator<=>(const MessageEnds&) const = default;  // NOLINT(modernize-use-nullptr): a false positive
};

/// Fills the groups from a list in any order; what comes twice counts once, from a node to itself not at all.
/// Throws InputError for nodes the graph does not have, ends without a terminal or port, no message at all,
/// port limits of zero, and partners without a path, or, of a scatter on routes, without a route.
Problem make_problem(std::string collective, std::shared_ptr<const NodeGraph> graph, Delivery delivery,
                     std::vector<MessageEnds> messages, const ProblemRules& rules = {});

/// The same problem with time running backwards, on the reversed graph: scatters give scatters (an OAS gives
/// an AOG), broadcasts give reductions and the other way round. A schedule of one is a schedule of the other,
/// see time_reversed() in schedule.hpp.
Problem time_reversed(const Problem& problem);

/// InputError unless a node of the graph can be what `role` says: a terminal where terminals are nodes, with
/// a channel to send on, or to receive by.
void require_end(const NodeGraph& graph, NodeId n, Role role);

/// Node numbers and ranges, "0-3,7", in the order given, without repeats. InputError for what is no such list
/// or a number the graph does not have; `what` names the list in the message.
std::vector<NodeId> parse_node_list(const NodeGraph& graph, std::string_view text, const std::string& what);

/// A list of messages as text: on each line an owner and its partners, node numbers between blanks; '#'
/// starts a comment. InputError with file and line.
std::vector<MessageEnds> parse_message_list(const NodeGraph& graph, std::string_view text,
                                            const std::string& file);

}  // namespace unknot
