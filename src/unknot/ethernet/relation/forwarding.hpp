// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "unknot/ethernet/model/fabric.hpp"

namespace unknot::ethernet {

/// Addresses that every switch treats alike, whatever fails.
struct Destination {
  Prefix prefix;               ///< the first of them
  std::uint32_t prefixes = 1;  ///< how many the forwarding tables tell apart
};

/// Channels that are down, ascending.
using DeadChannels = std::span<const std::uint32_t>;

/// O(log dead). A link has two, a switch some hundred.
inline bool is_dead(std::uint32_t channel, DeadChannels dead) {
  constexpr std::size_t kFew = 4;
  return dead.size() <= kFew ? std::find(dead.begin(), dead.end(), channel) != dead.end()
                             : std::binary_search(dead.begin(), dead.end(), channel);
}

/// Packets that switches forward alike: to a destination, or in a tunnel on their way there.
struct Flow {
  std::uint32_t destination = 0;
  std::uint32_t encapsulated_at = kNone;  ///< switch whose tunnel it is in; kNone: in none
  std::uint32_t outside = 0;              ///< of a tunnel: the column of the address it leads to
};

/// What the forwarding tables do with packets: longest prefixes matched, tunnels entered and left, the best
/// choice taken that has a link left (no protocol is asked: that is what a switch does at once).
///
/// Destinations are ranges of addresses between which no table makes a difference, merged where all tables
/// treat them alike. Only those count to which some switch sends packets out of the fabric.
class Forwarding {
 public:
  /// O(switches * prefixes). The fabric has to outlive it.
  explicit Forwarding(const Fabric& fabric);

  [[nodiscard]] const Fabric& fabric() const { return fabric_; }
  [[nodiscard]] const std::vector<Destination>& destinations() const { return destinations_; }
  [[nodiscard]] std::uint32_t destination_count() const {
    return static_cast<std::uint32_t>(destinations_.size());
  }
  /// The first ones are those of the destinations outside of tunnels.
  [[nodiscard]] const std::vector<Flow>& flows() const { return flows_; }
  [[nodiscard]] std::uint32_t flow_count() const { return static_cast<std::uint32_t>(flows_.size()); }
  /// All flows to a destination, that outside of tunnels first. O(1).
  [[nodiscard]] std::span<const std::uint32_t> family(std::uint32_t destination) const {
    return {family_.data() + first_of_family_[destination],
            family_.data() + first_of_family_[destination + std::size_t{1}]};
  }
  [[nodiscard]] bool in_tunnel(std::uint32_t flow) const { return flow >= destinations_.size(); }

  /// What a switch does with a packet of a flow: it goes on as `flow`.
  struct Step {
    const HopSet* hops = nullptr;  ///< nullptr: it is dropped for want of a route or of a link
    std::uint32_t flow = 0;
    bool left_tunnel = false;
    bool leaves = false;  ///< beside the next hops, some packets leave the fabric

    /// Channels that it may take; those that are down have to be left out.
    [[nodiscard]] std::span<const std::uint32_t> channels() const {
      return hops == nullptr ? std::span<const std::uint32_t>()
                             : std::span<const std::uint32_t>(hops->channels);
    }
    [[nodiscard]] bool lost() const { return hops == nullptr || hops->drop; }
    [[nodiscard]] bool delivered() const {
      return leaves || (hops != nullptr && (hops->leaves || hops->local));
    }
  };
  [[nodiscard]] Step step(std::uint32_t at, std::uint32_t flow, DeadChannels dead = {}) const;

  /// Switches with a flow that leaves them as another one.
  struct Conversion {
    std::uint32_t at = 0, flow = 0;
  };
  [[nodiscard]] const std::vector<Conversion>& conversions() const { return conversions_; }

 private:
  [[nodiscard]] const HopSet* best(std::uint32_t at, std::uint32_t column, DeadChannels dead) const;
  [[nodiscard]] std::uint32_t tunnel_of(std::uint32_t destination, std::uint32_t at) const;
  void add_tunnels(const std::vector<std::uint32_t>& outside_of_switch);

  const Fabric& fabric_;
  std::vector<Destination> destinations_;
  std::vector<Flow> flows_;
  std::vector<std::uint32_t> family_, first_of_family_;
  std::uint32_t columns_ = 0;            // destinations, then what tunnels lead to
  std::vector<std::uint32_t> chain_of_;  // by switch and column
  // Of each switch: hop sets from the best choice of the longest prefix to the last of the shortest.
  std::vector<std::vector<std::vector<std::uint32_t>>> chains_;
  std::vector<Conversion> conversions_;
};

}  // namespace unknot::ethernet
