// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "unknot/network/network.hpp"

/// Routing of the Angara interconnect [Mukosey, Semenov, Tretiakov: Optimized graph based routing algorithm
/// for the Angara interconnect], called "the paper" in this folder.
namespace unknot::angara {

/// A step along one dimension: 0 .. n-1 are the positive directions of the dimensions, n .. 2n-1 the negative
/// ones. Their order is the direction order +X +Y +Z +K -X -Y -Z -K. [section 3]
using Direction = std::uint8_t;

inline constexpr std::uint32_t kMostDimensions = 6;
inline constexpr std::uint32_t kMostExtent = 128;  ///< steps along a dimension fit a signed byte

/// A torus as its routers see it: where each direction leads. Nodes are the routers of the network, by their
/// numbers. A dimension of size 2 is one cable: its positive channel leaves coordinate 0, its negative one
/// coordinate 1. Failed nodes are not there, and failed channels lead nowhere. The network must outlive it.
///
/// A slot is node * directions + direction: the index of everything that is kept for a channel here.
class Torus {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  /// Empty when the network is a torus, mesh or hypercube (parts of it may have failed) with one cable a step
  /// and at most one terminal a router; else one sentence that says what does not belong. O(network).
  static std::string trouble(const Network& network);
  /// Of such a network.
  explicit Torus(const Network& network);

  [[nodiscard]] const Network& network() const { return *network_; }
  [[nodiscard]] std::uint32_t dimensions() const { return dimensions_; }
  [[nodiscard]] std::uint32_t directions() const { return 2 * dimensions_; }
  [[nodiscard]] std::uint32_t extent(std::uint32_t dimension) const { return extent_[dimension]; }
  [[nodiscard]] std::uint32_t node_count() const { return network_->router_count(); }
  [[nodiscard]] std::uint32_t slot_count() const { return node_count() * directions(); }
  [[nodiscard]] std::uint32_t coordinate(std::uint32_t node, std::uint32_t dimension) const {
    return coordinate_[static_cast<std::size_t>(node) * dimensions_ + dimension];
  }

  [[nodiscard]] std::uint32_t slot(std::uint32_t node, Direction d) const { return node * directions() + d; }
  /// Node that the channel of a slot leads to; kNone where there is no channel.
  [[nodiscard]] std::uint32_t next(std::uint32_t slot) const { return next_[slot]; }
  /// Slot of the channel that enters a node by a step in direction d; kNone where there is none.
  [[nodiscard]] std::uint32_t entering(std::uint32_t node, Direction d) const {
    return entering_[slot(node, d)];
  }
  [[nodiscard]] ChannelId channel(std::uint32_t slot) const { return channel_[slot]; }
  [[nodiscard]] Direction direction(std::uint32_t slot) const {
    return static_cast<Direction>(slot % directions());
  }

  [[nodiscard]] bool positive(Direction d) const { return d < dimensions_; }
  [[nodiscard]] std::uint32_t dimension(Direction d) const { return d < dimensions_ ? d : d - dimensions_; }
  [[nodiscard]] Direction opposite(Direction d) const {
    return static_cast<Direction>(d < dimensions_ ? d + dimensions_ : d - dimensions_);
  }
  /// "+X", "-K"; "+5" from the fifth dimension on.
  [[nodiscard]] std::string direction_name(Direction d) const;
  /// Node at these coordinates; kNone where there is none. O(1).
  [[nodiscard]] std::uint32_t node_at(const std::array<std::uint32_t, kMostDimensions>& at) const;

 private:
  const Network* network_;
  std::uint32_t dimensions_;
  std::array<std::uint32_t, kMostDimensions> extent_{};
  std::vector<std::uint32_t> coordinate_;  // node-major
  std::vector<std::uint32_t> node_of_place_;
  std::vector<std::uint32_t> next_, entering_;  // by slot
  std::vector<ChannelId> channel_;              // by slot
};

}  // namespace unknot::angara
