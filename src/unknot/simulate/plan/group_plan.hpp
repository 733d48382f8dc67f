// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/simulate/plan/ports.hpp"
#include "unknot/tables/multicast_tables.hpp"

namespace unknot::simulate {

/// Where routers copy the packets of one multicast group to.
struct GroupPlan {
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  std::uint16_t lid = 0;
  std::uint8_t level = 0;
  std::vector<std::uint32_t> first;    ///< by router, one more at the end: into `places`
  std::vector<std::uint16_t> places;   ///< outputs among the router's, by port number
  std::vector<std::uint16_t> numbers;  ///< their port numbers

  /// Index of the next copy at the router, from index `from` of its row on, of a packet that came in by the
  /// port `in_number`; kNone: there is no more.
  [[nodiscard]] std::uint32_t next_copy(std::uint32_t router, std::uint16_t in_number,
                                        std::uint32_t from) const {
    for (std::uint32_t i = first[router] + from; i < first[router + 1]; ++i) {
      if (numbers[i] != in_number) return i - first[router];
    }
    return kNone;
  }
  [[nodiscard]] std::uint32_t place(std::uint32_t router, std::uint32_t index) const {
    return places[first[router] + index];
  }
};

/// Multicast traffic of a plan.
struct GroupTraffic {
  std::vector<GroupPlan> groups;
  /// By terminal, one more at the end: into `of_sender`.
  std::vector<std::uint32_t> first_of_sender;
  std::vector<std::uint16_t> of_sender;  ///< groups that it can send to: its router copies on
  double share = 0;                      ///< of the packets of a terminal that can send to groups

  [[nodiscard]] std::span<const std::uint16_t> groups_of(std::uint32_t terminal) const {
    return {of_sender.data() + first_of_sender[terminal],
            of_sender.data() + first_of_sender[terminal + std::size_t{1}]};
  }
};

/// InputError for groups that are no trees: copies that go round would fill any network. Ports where nothing
/// is plugged in are left out. O(groups * routers + ports).
GroupTraffic plan_groups(const Network& network, const Ports& ports, const MulticastTables& tables,
                         double share);

}  // namespace unknot::simulate
