// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/model/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "unknot/collective/model/collective_names.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

std::vector<NodeId> endpoints(const NodeGraph& graph) {
  std::vector<NodeId> nodes;
  for (const NodeId n : graph.nodes()) {
    if (graph.has_endpoint(n)) nodes.push_back(n);
  }
  return nodes;
}

/// One end reduced to the root; the other end as it is.
void apply_root(const CollectiveRow& row, const Participants& participants, std::vector<NodeId>& transmitters,
                std::vector<NodeId>& receivers) {
  const bool sends = row.participation == Participation::one_to_all;
  std::vector<NodeId>& end = sends ? transmitters : receivers;
  if (participants.root) {
    const bool known = std::find(end.begin(), end.end(), *participants.root) != end.end();
    if (!known) {
      throw InputError(fmt::format("{}: root {} is no {}", row.name, participants.root->value,
                                   sends ? "transmitter" : "receiver"));
    }
    end = {*participants.root};
  } else if (!end.empty()) {
    end.resize(1);
  }
}

/// Throws unless each node sends at most one message and gets at most one.
void require_one_to_one(const CollectiveRow& row, const std::vector<MessageEnds>& messages) {
  const auto require = [&](NodeId MessageEnds::*end, const char* does) {
    std::vector<NodeId> nodes;
    nodes.reserve(messages.size());
    for (const MessageEnds& ends : messages) nodes.push_back(ends.*end);
    std::sort(nodes.begin(), nodes.end());
    const auto twice = std::adjacent_find(nodes.begin(), nodes.end());
    if (twice != nodes.end())
      throw InputError(fmt::format("{}: node {} {} more than one message", row.name, twice->value, does));
  };
  require(&MessageEnds::owner, "sends");
  require(&MessageEnds::partner, "gets");
}

std::vector<MessageEnds> permutation_of(const CollectiveRow& row, const std::vector<NodeId>& transmitters,
                                        const std::vector<NodeId>& receivers) {
  if (transmitters.size() != receivers.size()) {
    throw InputError(fmt::format("{}: as many receivers as transmitters are needed, there are {} and {}",
                                 row.name, receivers.size(), transmitters.size()));
  }
  std::vector<MessageEnds> messages;
  messages.reserve(transmitters.size());
  for (std::size_t i = 0; i < transmitters.size(); ++i)
    messages.push_back({transmitters[i], receivers[receivers.size() - 1 - i]});
  return messages;
}

std::vector<MessageEnds> messages_of(const CollectiveRow& row, const Participants& participants,
                                     const std::vector<NodeId>& transmitters,
                                     const std::vector<NodeId>& receivers) {
  const bool one_to_one = row.participation == Participation::one_to_one;
  if (participants.messages) {
    if (!one_to_one && row.participation != Participation::many_to_many) {
      throw InputError(
          fmt::format("{} has its own messages: a list is for MNS, MNB or permutation", row.name));
    }
    if (one_to_one) require_one_to_one(row, *participants.messages);
    return *participants.messages;
  }
  if (one_to_one) return permutation_of(row, transmitters, receivers);
  if (std::uint64_t{transmitters.size()} * receivers.size() >= Problem::kNone)
    throw InputError(fmt::format("{}: too many messages", row.name));
  const bool to_owner = row.delivery == Delivery::reduction;
  std::vector<MessageEnds> messages;
  messages.reserve(transmitters.size() * receivers.size());
  for (const NodeId t : transmitters) {
    for (const NodeId r : receivers) {
      if (row.participation == Participation::to_all_after && r <= t) continue;
      messages.push_back(to_owner ? MessageEnds{r, t} : MessageEnds{t, r});
    }
  }
  return messages;
}

}  // namespace

const std::vector<CollectiveRow>& collectives() {
  static const std::vector<CollectiveRow> rows = {
      {"OAS",
       "one-to-all scatter: the root has a message of its own for every node",
       Delivery::scatter,
       Participation::one_to_all,
       {"scatter", "MPI_Scatter"}},
      {"AAS",
       "all-to-all scatter (complete exchange): every node has one for every other",
       Delivery::scatter,
       Participation::all_to_all,
       {"all-to-all", "alltoall", "MPI_Alltoall"}},
      {"OAB",
       "one-to-all broadcast: all get the message of the root, and pass it on",
       Delivery::broadcast,
       Participation::one_to_all,
       {"broadcast", "bcast", "MPI_Bcast"}},
      {"AAB",
       "all-to-all broadcast (gossiping): all get the messages of all",
       Delivery::broadcast,
       Participation::all_to_all,
       {"all-gather", "allgather", "MPI_Allgather"}},
      {"AOG",
       "all-to-one gather: the root gets a message from every node, each by itself",
       Delivery::scatter,
       Participation::all_to_one,
       {"gather", "MPI_Gather"}},
      {"AOR",
       "all-to-one reduction: what all have is combined on its way to the root",
       Delivery::reduction,
       Participation::all_to_one,
       {"reduce", "MPI_Reduce"}},
      {"AAG", "all-to-all gather: every node gets a message from every other, as in AAS", Delivery::scatter,
       Participation::all_to_all},
      {"AAR",
       "all-to-all reduction: a result for every node, combined of parts of all others",
       Delivery::reduction,
       Participation::all_to_all,
       {"reduce-scatter", "reduce_scatter", "reduce-scatter-block", "MPI_Reduce_scatter_block"}},
      {"MNS", "many-to-many scatter: every transmitter has a message of its own for every receiver",
       Delivery::scatter, Participation::many_to_many},
      {"MNB", "many-to-many broadcast: all receivers get the messages of all transmitters",
       Delivery::broadcast, Participation::many_to_many},
      {"permutation",
       "every node has a message for one other, and gets one: a pattern, or a list of messages",
       Delivery::scatter, Participation::one_to_one},
      {"scan", "prefixes: all later nodes get the message of each, and combine what they got in order",
       Delivery::broadcast, Participation::to_all_after},
  };
  return rows;
}

const CollectiveRow& find_collective(std::string_view name) {
  return find_collective_row(collectives(), name);
}

CollectiveEnds ends_of(const NodeGraph& graph, const CollectiveRow& row, const Participants& participants) {
  const bool rooted =
      row.participation == Participation::one_to_all || row.participation == Participation::all_to_one;
  if (participants.root && !rooted) throw InputError(fmt::format("{} has no root", row.name));
  const std::vector<NodeId> all = participants.nodes ? *participants.nodes : endpoints(graph);
  CollectiveEnds ends{participants.transmitters.value_or(all), participants.receivers.value_or(all)};
  if (ends.transmitters.empty()) throw InputError(fmt::format("{}: there is no transmitter", row.name));
  if (ends.receivers.empty()) throw InputError(fmt::format("{}: there is no receiver", row.name));
  if (rooted) apply_root(row, participants, ends.transmitters, ends.receivers);
  return ends;
}

void require_groups(const NodeGraph& graph, const CollectiveRow& row, const Participants& who) {
  if (who.root || who.nodes || who.transmitters || who.receivers || who.messages)
    throw InputError(fmt::format("{}: groups say who takes part, and roots are their first nodes", row.name));
  std::vector<std::uint32_t> group_of(graph.node_count(), Problem::kNone);
  for (std::uint32_t g = 0; g < who.groups->size(); ++g) {
    if ((*who.groups)[g].empty()) throw InputError(fmt::format("{}: group {} has no node", row.name, g));
    for (const NodeId n : (*who.groups)[g]) {
      if (n.value >= graph.node_count())
        throw InputError(fmt::format("{}: group {}: there is no node {}", row.name, g, n.value));
      if (group_of[n.value] != Problem::kNone) {
        throw InputError(
            fmt::format("{}: node {} is of groups {} and {}", row.name, n.value, group_of[n.value], g));
      }
      group_of[n.value] = g;
    }
  }
}

Problem make_collective(std::shared_ptr<const NodeGraph> graph, std::string_view name,
                        const Participants& participants, const ProblemRules& rules) {
  const CollectiveRow& row = find_collective(name);
  std::vector<MessageEnds> messages;
  if (participants.groups) {
    require_groups(*graph, row, participants);
    for (const std::vector<NodeId>& group : *participants.groups) {
      Participants alone;
      alone.nodes = group;
      const CollectiveEnds ends = ends_of(*graph, row, alone);
      const std::vector<MessageEnds> some = messages_of(row, alone, ends.transmitters, ends.receivers);
      messages.insert(messages.end(), some.begin(), some.end());
    }
  } else {
    const CollectiveEnds ends = ends_of(*graph, row, participants);
    messages = messages_of(row, participants, ends.transmitters, ends.receivers);
  }
  return make_problem(row.name, std::move(graph), row.delivery, std::move(messages), rules);
}

std::optional<NodeId> implied_root(const CollectiveRow& row, const Schedule& schedule) {
  if (schedule.transfer_count() == 0) return std::nullopt;
  if (row.participation == Participation::one_to_all) return schedule.origin(0);
  if (row.participation != Participation::all_to_one) return std::nullopt;
  return row.delivery == Delivery::reduction ? schedule.origin(0) : schedule.receiver(0);
}

}  // namespace unknot
