// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/transition_step.hpp"

namespace unknot {

/// Writes changed entries and levels as a transition of one step (transition_file.hpp), for those who do it
/// often: what does not change is put into words once. The network must outlive it.
class DifferenceText {
 public:
  /// LIDs are those of LidMap::of(). O(devices).
  explicit DifferenceText(const Network& network);
  /// The whole file. Rows of levels are those of ServiceLevels::Rows::by_router. O(changes).
  [[nodiscard]] std::string text(std::span<const EntryChange> entries,
                                 std::span<const LevelChange> levels = {}) const;
  /// The router whose terminals have that row of levels.
  [[nodiscard]] RouterId router_of_row(std::uint32_t row) const { return router_of_row_[row]; }

 private:
  void add_place(RouterId router, TerminalId destination, const char*& separator, std::string& text) const;

  const Network* network_;
  std::vector<RouterId> router_of_row_;
  std::vector<std::string> routers_;  // by router: "\n  {"router": "0x...", "lid": "
  std::vector<std::uint32_t> lids_;   // by terminal
};

}  // namespace unknot
