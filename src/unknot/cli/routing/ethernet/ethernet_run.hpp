// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "unknot/cli/command/command.hpp"
#include "unknot/ethernet/pauses/failures.hpp"
#include "unknot/ethernet/tags/tags.hpp"

namespace unknot::cli {

/// What was found out about a fabric with pauses.
struct EthernetRun {
  const ethernet::Forwarding* forwarding = nullptr;
  const ethernet::Usage* usage = nullptr;
  ethernet::PauseVerdict verdict;
  std::optional<ethernet::FailureReport> single, switches, pairs;
  std::uint64_t seed = 0;  ///< of the pairs
  ethernet::Tags tags;
  bool tags_of_failures = false;  ///< they are for each link down, too
  bool tags_checked = false;      ///< the rules were looked at again, and found good
  double seconds = 0;

  [[nodiscard]] bool usable() const;
};

std::string ethernet_text(const std::string& folder, const EthernetRun& run);
Json ethernet_json(const std::string& folder, const EthernetRun& run);
/// The rules for switches, for programs; and those that are no "keep", for people.
Json tags_json(const EthernetRun& run);
std::string tags_text(const EthernetRun& run);

}  // namespace unknot::cli
