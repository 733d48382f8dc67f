// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "unknot/collective/model/node_graph.hpp"
#include "unknot/reproduce/experiment.hpp"

// Collectives that nothing is published of, solved beside proven bounds.
namespace unknot::jaros_paper {

/// A collective on a network, as --solver auto finds it.
struct BoundedCase {
  const char* spec;
  const char* faults;  ///< as --fail takes them; "" for none
  const char* collective;
  std::uint32_t levels = 1;  ///< of effort: more where more was found to help
  LinkClass links = LinkClass::full_duplex;
};
inline constexpr const char* kThreeDeadCables = "cable-count=3,seed=1";

/// Those of at most this many messages.
std::vector<BoundedCase> of_at_most(std::span<const BoundedCase> cases, std::uint64_t messages);

struct BoundedEffort {
  std::uint32_t levels = UINT32_MAX;  ///< at most, of solver auto
  /// Millions of channels looked at while steps are taken out of a schedule for the whole network, mended for
  /// its dead cables; 0: none is.
  std::uint64_t mended = 0;
};

/// Solves each on a thread and adds a row for it, allowed a tenth or one step above what is proven, and the
/// tables of steps and times. Schedules and proofs are checked by code that has not made them.
void add_bounded(std::span<const BoundedCase> cases, const BoundedEffort& effort,
                 const ExperimentRequest& request, Reproduction& result, Progress& progress);

}  // namespace unknot::jaros_paper
