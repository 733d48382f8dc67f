// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "unknot/ethernet/relation/forwarding.hpp"

namespace unknot::ethernet {

/// Bit p: priority p.
using Priorities = std::uint8_t;

/// Which lossless buffers packets fill and wait for, by their code point (DSCP). Code points that all ports
/// treat alike, and those that nothing keeps from loss, are looked at once and not at all.
class Queues {
 public:
  /// O(switches * qualities * code points).
  explicit Queues(const Forwarding& forwarding);

  /// Code points that stand for all that packets of hosts may have.
  [[nodiscard]] const std::vector<std::uint8_t>& code_points() const { return code_points_; }
  /// Priorities that some port keeps from loss, ascending: a buffer of a channel for each.
  [[nodiscard]] const std::vector<std::uint8_t>& priorities() const { return priorities_; }
  /// All ports are alike, every class stays in a queue of its own, and no tunnel changes it: what holds for
  /// one priority holds for each.
  [[nodiscard]] bool uniform() const { return uniform_; }

  /// Traffic classes that a packet may have where it came by the channel as that flow; bit by number.
  /// `code_point` is its own, whatever it has outside in a tunnel.
  [[nodiscard]] Priorities classes(std::uint32_t channel, std::uint32_t flow, std::uint8_t code_point) const;
  /// The buffer at the head of a channel that a packet of a class fills; nothing where it can be lost there.
  [[nodiscard]] Priorities held(std::uint32_t channel, std::uint32_t flow, std::uint8_t traffic_class) const;
  /// Buffers at the head of `next` that can stop a packet of a class that came as `flow` and goes on as
  /// `next_flow`.
  [[nodiscard]] Priorities awaited(std::uint32_t flow, std::uint32_t next, std::uint32_t next_flow,
                                   std::uint8_t traffic_class) const;

 private:
  [[nodiscard]] const PortQuality& in(std::uint32_t channel) const;
  [[nodiscard]] const PortQuality& out(std::uint32_t channel) const;
  /// Code points that packets of a tunnel may have outside; bit by number.
  [[nodiscard]] std::uint64_t outside(std::uint32_t flow, std::uint8_t code_point) const;
  [[nodiscard]] const TunnelQuality* leaves_tunnel(std::uint32_t channel, std::uint32_t flow) const;

  const Forwarding& forwarding_;
  const Fabric& fabric_;
  std::vector<std::uint8_t> code_points_;
  std::vector<std::uint8_t> priorities_;
  bool uniform_ = false;
};

}  // namespace unknot::ethernet
