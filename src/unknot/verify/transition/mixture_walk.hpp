// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "unknot/deadlock/dependency_graph.hpp"
#include "unknot/deadlock/mark_set.hpp"
#include "unknot/network/dependency_slots.hpp"
#include "unknot/network/network.hpp"
#include "unknot/tables/lane_function.hpp"
#include "unknot/tables/routing.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {

/// Lanes as bits; without SL-to-VL tables they are the service levels.
using LaneMask = std::uint16_t;

/// No bit where nothing is sent, or the adapter drops it: without SL-to-VL tables a lane that is not there is
/// so on every hop.
inline LaneMask lane_bit(const LaneFunction& lanes, std::uint8_t level, TerminalId source) {
  const std::uint8_t lane = lanes.injected(level, source);
  return lane < LaneMap::kLevels ? static_cast<LaneMask>(1U << lane) : LaneMask{0};
}

/// InputError where mixtures of this routing cannot be followed: source routes, several addresses, SL-to-VL
/// tables, a level above 15, sizes that are not the network's.
void require_mixable(const Network& network, const Routing& routing);

/// Where packets to one destination can be while each router forwards by one of two entries, and what they
/// wait for there. Packets that an earlier step has sent stay until forget(). Scratch space that is used
/// again, one for each thread.
class MixtureWalk {
 public:
  MixtureWalk(const Network& network, const DependencySlots& slots)
      : network_(&network),
        slots_(&slots),
        on_(network.channel_count(), 0),
        sent_(network.router_count(), 0),
        waits_(on_.size(), 0) {}

  /// All packets have arrived, or are those of another destination.
  void forget() {
    for (const std::uint32_t c : touched_) on_[c] = 0;
    touched_.clear();
    std::fill(sent_.begin(), sent_.end(), LaneMask{0});
  }

  /// One step: `entries(router)` gives both entries (positions among the router's channels; what is none of
  /// these ends there), `sent(router)` the lanes on which packets start at the router. Adds every dependency
  /// that a packet can have meanwhile. O(routers + channels that packets can be on, times their lanes).
  template <class Entries, class Sent>
  void step(const Entries& entries, const Sent& sent, MarkSet<LaneMask>& marks) {
    queue_.assign(touched_.begin(), touched_.end());
    for (const std::uint32_t c : queue_) waits_[c] = 1;
    for (const RouterId r : network_->routers()) {
      // What an earlier step has sent may wait on the host's own cable still, with the level it was given.
      const LaneMask mask = sent_[r.value] |= sent(r);
      if (mask == 0) continue;
      const std::array<std::uint32_t, 2> both = entries(r.value);
      send(r, both[0], mask);
      if (both[1] != both[0]) send(r, both[1], mask);
    }
    // Lanes only ever grow, so this ends; channels come again when theirs have grown.
    std::size_t head = 0;
    while (head < queue_.size()) {
      const std::uint32_t channel = queue_[head++];
      waits_[channel] = 0;
      const LaneMask mask = on_[channel];
      const RouterId at = network_->target(ChannelId(channel));
      const std::array<std::uint32_t, 2> both = entries(at.value);
      for (std::uint32_t i = 0; i < (both[1] == both[0] ? 1U : 2U); ++i) {
        const auto degree = static_cast<std::uint32_t>(network_->out(at).size());
        // What ends here has a slot of its own.
        marks.add(slots_->slot(channel, both[i] < degree ? both[i] : degree), mask);
        send(at, both[i], mask);
      }
    }
  }

 private:
  void send(RouterId at, std::uint32_t entry, LaneMask mask) {
    const IdRange<ChannelId> out = network_->out(at);
    if (entry >= out.size()) return;
    const std::uint32_t c = out[entry].value;
    const auto grown = static_cast<LaneMask>(on_[c] | mask);
    if (grown == on_[c]) return;
    if (on_[c] == 0) touched_.push_back(c);
    on_[c] = grown;
    if (waits_[c] == 0) queue_.push_back(c);
    waits_[c] = 1;
  }

  const Network* network_;
  const DependencySlots* slots_;
  std::vector<LaneMask> on_;         // by channel: lanes of the packets that may be there
  std::vector<LaneMask> sent_;       // by router: lanes of the packets that may come from its hosts
  std::vector<std::uint8_t> waits_;  // by channel: in the queue
  std::vector<std::uint32_t> touched_, queue_;
};

/// The dependencies of some sets of marks together as a graph.
DependencyGraph marked_dependencies(const Network& network, const DependencySlots& slots,
                                    const MarkSet<LaneMask>& marks);

/// Empty where the graph has no cycle, else a shortest one.
std::vector<LaneChannel> marked_cycle(const DependencyGraph& graph);

}  // namespace unknot
