// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/support/ids.hpp"
#include "unknot/traffic/patterns/pattern.hpp"

// Parallel jobs on Deimos, whose measured times the congestion model stands for.
namespace unknot::dfsssp_paper {

/// How the cables between Deimos's switches may sit: round robin over all line crossbars, or this many
/// together on one. The paper does not say.
struct DeimosReading {
  const char* name;
  const char* spec;
};
const std::vector<DeimosReading>& deimos_readings();
inline constexpr const char* kReadingsText =
    "The 30 cables between neighbouring switches of Deimos end at line crossbars of the switches; at which "
    "was not "
    "printed, and it matters. Four readings are computed: spread round robin over all line crossbars, and 6, "
    "10 or 12 "
    "together on one (`deimos:pack=N`).";

/// Payload of a cable that the paper gives: MiB/s from one endpoint to another without congestion.
inline constexpr double kPeakMib = 946;

/// Terminal of each process: `nodes` terminals drawn at random from all, processes in blocks on them, in
/// order of terminal numbers. A function of its arguments alone.
std::vector<TerminalId> random_job(const Network& network, std::uint32_t processes, std::uint32_t nodes,
                                   std::uint64_t seed);

/// Messages of one step, from process to process; all start at the same time.
using Step = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// The steps as samples of a pattern between the terminals of a job; messages inside a node are left out.
TrafficPattern job_pattern(const std::vector<TerminalId>& job, std::vector<Step> steps);

/// Exchange with the partner at each distance in turn: process i sends to i + s (modulo their number) in step
/// s.
std::vector<Step> pairwise_all_to_all(std::uint32_t processes);

}  // namespace unknot::dfsssp_paper
