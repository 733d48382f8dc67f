// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "unknot/support/random.hpp"
#include "unknot/verify/messages/message_verdict.hpp"
#include "verify/reference_checker.hpp"

// What the packets of a protocol wait for, written from the definitions, for tests of MessageModel.
namespace unknot::testing {

/// A buffer by what it is: 0 send queue, 1 receive queue, 2 channel; virtual network; terminal or channel;
/// lane.
using Buffer = std::tuple<int, std::uint32_t, std::uint32_t, std::uint32_t>;

/// What a packet of a class would wait for, each in turn, written from the definitions: one list for each
/// pair.
inline std::vector<std::vector<Buffer>> stations(const Network& network, const Routing& routing,
                                                 const MessageClass& c) {
  std::vector<std::vector<Buffer>> all;
  for (const TerminalId source : network.terminals()) {
    for (const TerminalId destination : network.terminals()) {
      if (source == destination || !c.sends(source) || !c.receives(destination)) continue;
      const ReferencePath path = reference_path(network, routing, source, destination);
      std::vector<Buffer> held{{0, c.network, source.value, 0}};
      for (const Vertex& hop : path.hops) held.emplace_back(2, c.network, hop.first, hop.second);
      if (path.outcome == Outcome::delivered) held.emplace_back(1, c.network, destination.value, 0);
      if (held.size() > 1) all.push_back(std::move(held));
    }
  }
  return all;
}

/// Whether a terminal has somebody else to send a class to.
inline bool has_partner(const Network& network, const MessageClass& c, std::uint32_t sender) {
  bool any = false;
  for (const TerminalId t : network.terminals()) any = any || (t.value != sender && c.receives(t));
  return any && c.sends(TerminalId(sender));
}

inline std::vector<MessageClass> random_classes(const Network& network, Random& random) {
  std::vector<MessageClass> classes(1 + random.below(4));
  for (std::uint32_t k = 0; k < classes.size(); ++k) {
    classes[k].name = "c" + std::to_string(k);
    classes[k].network = random.below(static_cast<std::uint32_t>(classes.size()));
    for (std::uint32_t caused = 0; caused < classes.size(); ++caused) {
      // Mostly later ones, so that there is an end.
      if (random.below(caused > k ? 2 : 12) == 0) classes[k].causes.push_back(caused);
    }
    if (random.below(2) == 0) {
      for (std::uint32_t t = 0; t < network.terminal_count(); ++t) {
        classes[k].senders.push_back(random.below(3) == 0);
        classes[k].receivers.push_back(random.below(3) == 0);
      }
    }
  }
  return classes;
}

inline Buffer buffer_of(const MessageBuffer& held) {
  switch (held.kind) {
    case MessageBuffer::Kind::send:
      return {0, held.network, held.terminal.value, 0};
    case MessageBuffer::Kind::receive:
      return {1, held.network, held.terminal.value, 0};
    case MessageBuffer::Kind::channel:
      break;
  }
  return {2, held.network, held.channel.channel.value, held.channel.lane};
}

}  // namespace unknot::testing
