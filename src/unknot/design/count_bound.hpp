// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "unknot/design/design.hpp"

namespace unknot {

/// Upper bound on the throughput of a choice's network over all traffic, with so many terminals spread
/// evenly: what its numbers of routers, cables and ports prove, without making the network.
///
/// The smaller of two. The fullest router sends no more than its cables carry. And what goes `far` hops takes
/// up `far` channels: let no router have more than `near` routers with terminals nearer than `far`, itself
/// included. A terminal has then at most `near` times the terminals of the fullest router that near. Where
/// that is no more than half of all, each terminal has half of all or more to send to and half or more to
/// receive from, so that there is a permutation in which all go `far` or farther (Hall's theorem): theta *
/// far * terminals <= 2 * cables. `near` follows from the degrees (Moore's bound), or the family knows
/// better. [Namyar et al., SIGCOMM'21, theorem 2.2 and what follows for networks of one degree]
///
/// But for the first of the two, hose_bound() is no larger: it looks at the network. Nothing where one router
/// holds more than half of the terminals. O(log terminals).
std::optional<double> throughput_by_counts(const DesignChoice& choice, std::uint64_t terminals);

}  // namespace unknot
