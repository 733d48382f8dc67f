// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "unknot/collective/model/broadcast_lanes.hpp"
#include "unknot/collective/model/fault_impact.hpp"
#include "unknot/collective/packing/receiver_matching.hpp"
#include "unknot/support/random.hpp"

namespace unknot {

/// Broadcasts after a fault: matchings step by step (see receiver_matching.hpp) beside former transfers that
/// are sent as they were, where their senders have got the message in time. Where that does not do, some of
/// these are given up, at random, and more each time [ruin and recreate: Schrimpf et al. 2000].
class BroadcastRepair {
 public:
  /// Of a broadcast. Both must outlive this.
  BroadcastRepair(const Problem& problem, const FormerTransfers& former, std::uint64_t seed);

  /// A schedule of this many steps in which every former transfer is made that can be made in them, its
  /// sender being informed; nothing where none is found while about this many arcs are looked at.
  std::optional<Schedule> keeping_all(std::uint32_t steps, std::uint64_t arcs,
                                      const std::function<bool()>& stop);
  /// One in which some are not.
  std::optional<Schedule> keeping_some(std::uint32_t steps, std::uint64_t arcs,
                                       const std::function<bool()>& stop);

 private:
  /// One try in which former transfers, or all those to a receiver, are given up with a chance of this many
  /// in 64.
  std::optional<Schedule> attempt(std::uint32_t steps, std::uint32_t without);
  /// One try and, where it succeeds, a few more: the one that keeps most.
  std::optional<Schedule> best_of_several(std::uint32_t steps, std::uint32_t without,
                                          const std::function<bool()>& stop);
  [[nodiscard]] std::uint64_t tries_of(std::uint32_t steps, std::uint64_t arcs) const;

  const Problem& problem_;
  const FormerTransfers& former_;
  Random random_;
  BroadcastLanes arcs_;
  ReceiverMatching on_arcs_;
  std::vector<std::uint32_t> kept_;              // messages
  std::vector<std::uint8_t> receiver_given_up_;  // by node
  std::uint64_t attempts_ = 0;
};

}  // namespace unknot
