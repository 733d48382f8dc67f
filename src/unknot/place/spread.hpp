// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/traffic/workloads/matrix_file.hpp"

namespace unknot::place {

/// Demands between ranks that stand for what they send: if all of them, one of a unit from a rank to each
/// rank that it can reach in a few messages, find room in the messages of an application, then no group of
/// ranks has fewer bytes leave it than demands [after Leighton and Rao 1999, with demands that stay near].
///
/// A group of k ranks holds at most k - 1 of those that one of its members reaches, so
///   bytes that leave it >= sum over its members of max(0, reach - (k - 1)) / congestion.
struct Spread {
  std::uint32_t radius = 0;          ///< messages from a rank to the last that it reaches
  std::vector<std::uint32_t> reach;  ///< others that a rank reaches, ascending
  double congestion = 0;  ///< demands that take a message, for each of its bytes: of the worst message
};

/// Spreads of radius 2 and more, up to where each rank reaches what it ever does; each demand goes evenly
/// over the last steps of its shortest ways, over those to there again, and so on. Few where they would take
/// long: some 5e8 steps in all; none of more than four million entries. The same at any number of threads.
std::vector<Spread> find_spreads(const CommunicationMatrix& sent, std::uint32_t threads);

}  // namespace unknot::place
