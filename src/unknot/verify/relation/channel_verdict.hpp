// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "unknot/support/progress.hpp"
#include "unknot/tables/adaptive/channel_relation.hpp"

namespace unknot {

/// What proves a relation over virtual channels deadlock-free.
enum class ChannelProof : std::uint8_t {
  none,
  /// No cycle of dependencies over all choices (Dally and Seitz 1987).
  acyclic,
  /// Each packet in a channel always has a choice among the escape channels that the relation names, and
  /// their extended dependencies have no cycle: direct ones, those through other channels, and those of
  /// packets for which an escape of others is none (Duato 1995, for wormhole switching).
  escape,
};

/// What some choices do to packets of a flow.
struct ChannelFinding {
  enum class Kind : std::uint8_t {
    lost,       ///< no way on
    loop,       ///< choices can be made so that it never arrives
    unordered,  ///< of an ordered flow: several next routers
    stalled,    ///< waits for channels that a subnet which may stall can hold
  } kind = Kind::lost;
  std::uint32_t flow = 0;
  std::uint32_t router = 0;
  ChannelRelation::Channel holds = ChannelRelation::kEntrance;
};

/// A packet at the head of a channel, and all that it may take next.
struct WaitingPacket {
  ChannelRelation::Channel holds = 0;
  std::uint32_t flow = 0;
  std::vector<ChannelRelation::Channel> waits_for;
};

/// What the witness of a relation that is not proven shows.
enum class ChannelWitness : std::uint8_t {
  none,
  blocked,    ///< packets none of which ever moves: a deadlock, though not that traffic can come to it
  cycle,      ///< a cycle of dependencies of the escape channels: no proof, and no such packets are known
  no_escape,  ///< a packet without an escape channel to go to: no proof, and no such packets are known
};

struct ChannelVerdict {
  std::uint64_t lost_flows = 0, looping_flows = 0, unordered_flows = 0;
  /// Every packet arrives whatever choices are made, those of ordered flows by one way.
  [[nodiscard]] bool delivers() const {
    return lost_flows == 0 && looping_flows == 0 && unordered_flows == 0;
  }
  std::uint32_t max_hops = 0;  ///< channels on the longest way; of no use where flows loop

  ChannelProof proof = ChannelProof::none;
  [[nodiscard]] bool deadlock_free() const { return proof != ChannelProof::none; }
  ChannelWitness witness_kind = ChannelWitness::none;
  std::vector<WaitingPacket> witness;

  std::uint64_t stalled_flows = 0;  ///< do not get on while a subnet stalls during which they must
  bool subnets_move() const { return stalled_flows == 0; }

  std::uint64_t states = 0;        ///< channels by flow that packets can come to
  std::uint64_t dependencies = 0;  ///< arcs over all choices
  std::uint32_t channels_used = 0;
  std::uint32_t most_choices = 0;
  std::vector<ChannelFinding> findings;  ///< the first of each kind, eight at most

  [[nodiscard]] bool usable() const { return delivers() && deadlock_free() && subnets_move(); }
};

/// Checks a relation by asking it for every channel that a packet of each flow can come to: delivery,
/// deadlock, and that subnets move while others stall. It is believed in nothing else: escape channels are a
/// hint, what they are good for is proven. Where neither proof holds, the greatest set of channels that can
/// block each other for ever is looked for (short packets, one in each channel): if there is one the relation
/// can deadlock, else it is not proven. O(states * choices), for escape through other channels O(states)
/// each.
ChannelVerdict verify_relation(const ChannelRelation& relation, Progress& progress);

/// "2 -> 3 lane 1".
std::string channel_text(const ChannelRelation& relation, ChannelRelation::Channel channel);
/// A line for people.
std::string describe(const ChannelRelation& relation, const ChannelFinding& finding);
std::string describe(const ChannelRelation& relation, const WaitingPacket& packet);

}  // namespace unknot
