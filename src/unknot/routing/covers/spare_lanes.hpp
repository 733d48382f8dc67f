// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "unknot/lanes/online_order.hpp"
#include "unknot/network/network.hpp"

namespace unknot {

/// Lanes for the few paths that are left, each put on the first lane where it closes no cycle.
class SpareLanes {
 public:
  /// Every lane starts from this order of all channels, and changes it only where a path wants it. At most
  /// `most` lanes. The network must outlive the object.
  SpareLanes(const Network& network, std::vector<std::uint32_t> start, std::uint32_t most);

  /// Of paths that do equally well the first that fits a lane, the first lane for which there is one.
  /// Returns its number among them; paths.size() where none fits any lane.
  std::size_t add_one_of(const std::vector<std::vector<std::uint32_t>>& paths);

  [[nodiscard]] std::uint32_t lanes() const { return static_cast<std::uint32_t>(lanes_.size()); }
  /// Channels of a lane, first to last.
  [[nodiscard]] std::vector<std::uint32_t> order(std::uint32_t lane) const;

 private:
  struct Lane {
    OnlineOrder order;
    std::vector<std::uint8_t> used;  // by turn
  };
  bool add(Lane& lane, const std::vector<std::uint32_t>& path);
  bool allows(Lane& lane, std::uint32_t from, std::uint32_t to) const;
  [[nodiscard]] std::uint32_t turn(std::uint32_t from, std::uint32_t to) const {
    return first_turn_[from] + to - network_.out(network_.targets()[from]).first();
  }

  const Network& network_;
  std::vector<std::uint32_t> start_;
  std::uint32_t most_;
  std::vector<std::uint32_t> first_turn_;  // by channel
  std::vector<Lane> lanes_;
  std::vector<std::uint32_t> added_;  // scratch
};

}  // namespace unknot
