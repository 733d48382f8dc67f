// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/network/network.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/traffic/patterns/longest_matching.hpp"

namespace unknot {

/// What a matching and its potentials prove about the throughput of a network over all traffic.
///
/// Traffic is any in which no terminal sends or receives more than 1 (the hose model). Its throughput is the
/// largest multiple that the channels, each of rate 1, carry over any paths, split in any way; that of the
/// network is the smallest throughput of any traffic.
///
/// Bound: a unit from a terminal of router u to one of router v takes up at least d(u, v) of the channels
/// together, d being the least number of channels from u to v along their directions. Carrying theta times
/// the traffic T thus needs theta * sum of T(u, v) d(u, v), and there is no more than the number of channels
/// C that lie on some way from a router with terminals to another. So theta <= C / length(T) for every T, and
/// the longest T gives the least bound. With S(u) terminals at u, T between routers is any matrix with row
/// sums and column sums of at most S: a transportation problem, whose largest length is that of a permutation
/// of the terminals (its vertices are whole numbers) and equals the least sum of S(u) (a(u) + b(u)) over
/// potentials with a(u) + b(v) >= d(u, v) (duality). Nothing needs equal numbers of terminals, or cables
/// with two directions.
///
/// [Namyar, Supittayapornpong, Zhang, Yu, Govindan: A throughput-centric view of the performance of
/// datacenter topologies, SIGCOMM'21, theorem 2.2, "TUB": there every router with terminals has as many, and
/// C is twice the number of cables. Its traffic is the longest matching of Jyothi et al., SC'16.]
struct HoseBound {
  std::uint64_t channels = 0;  ///< C: those on a way from a router with terminals to another
  std::uint64_t length = 0;    ///< channels that the shortest paths of the matching take in all
  /// No traffic is longer than this, by the potentials; `length` where the matching is the longest. Larger
  /// than any length where the potentials do not cover some pair: they prove nothing then.
  std::uint64_t longest = 0;
  std::uint64_t terminals_matched = 0;  ///< that send to another router
  std::uint64_t unreachable_pairs = 0;  ///< ordered pairs of routers with terminals that no path joins
  std::uint32_t diameter = 0;           ///< largest distance between routers with terminals

  /// The matching is proven to be a longest one: no other traffic gives a smaller bound of this kind.
  [[nodiscard]] bool exact() const { return length == longest; }
  /// Upper bound on the throughput of the network; one above 1 rules nothing out. Infinite where no
  /// traffic leaves a router, 0 where a pair has no path: traffic between the two is never carried.
  [[nodiscard]] double throughput() const;
};

/// Checks the matching and the potentials, with nothing but the network in common with what made them: counts
/// the terminals anew, measures distances anew and looks at each pair of routers. Whole numbers all over.
/// O(routers with terminals * (channels + routers)) on `threads` threads, O(routers) memory for each.
/// logic_error where the matching is none: too many terminals, a pair without a path, traffic inside a
/// router.
HoseBound check_hose_bound(const Network& network, const LongestMatching& matching, std::uint32_t threads,
                           Progress& progress);

/// The bound of the longest matching, checked. Limits and errors are those of longest_matching().
HoseBound hose_bound(const Network& network, std::uint32_t threads, Progress& progress);

}  // namespace unknot
