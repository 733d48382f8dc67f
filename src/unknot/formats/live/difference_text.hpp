// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/transition_step.hpp"

namespace unknot {

/// Writes changed entries as a transition of one step (transition_file.hpp), for those who do it often: what
/// does not change is put into words once. The network must outlive it.
class DifferenceText {
 public:
  /// LIDs are those of LidMap::of(). O(devices).
  explicit DifferenceText(const Network& network);
  /// The whole file. O(entries).
  [[nodiscard]] std::string text(std::span<const EntryChange> entries) const;

 private:
  const Network* network_;
  std::vector<std::string> routers_;  // by router: "\n  {"router": "0x...", "lid": "
  std::vector<std::uint32_t> lids_;   // by terminal
};

}  // namespace unknot
