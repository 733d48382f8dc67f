// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/oblivious/router_demand.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {

/// What a flow may go by.
enum class FlowWays : std::uint8_t {
  any,
  /// Those of fewest channels, all of them: at each router, to each destination, any channel that leads
  /// nearer. No path is listed, so that there may be as many as a torus has.
  shortest,
};

/// The maximum concurrent flow problem: the largest multiple of a demand that a network carries, split in any
/// way. Refers to what it is made of.
struct FlowProblem {
  const Network& network;
  const RouterDemand& demand;
  FlowWays ways = FlowWays::any;
  std::span<const double> capacity = {};  ///< by channel, positive; empty: 1 each

  [[nodiscard]] double capacity_of(std::size_t channel) const {
    return capacity.empty() ? 1 : capacity[channel];
  }
};

/// An answer to it. Flow and lengths prove the two sides, see check_flow().
struct ConcurrentFlow {
  /// Carries the demand once: [endpoint router of destination * channels + channel], the rate to that
  /// destination. 1 / (largest load over capacity) times the demand fits then.
  std::vector<double> flow;
  /// By channel, not negative: whatever the paths, a unit from s to d takes up at least the distance from s
  /// to d in these lengths, of a total that is their sum, each times its capacity. (The dual of the linear
  /// program.)
  std::vector<double> length;
  std::uint32_t rounds = 0;  ///< sweeps over all destinations; 0 for the linear program
};

/// What a flow and lengths prove.
struct FlowCheck {
  double max_load = 0;  ///< largest load of a channel, over its capacity
  double imbalance =
      0;  ///< largest amount by which a router loses or makes packets, beside the demand's largest rate
  double lower = 0;  ///< the flow carries this multiple of the demand; infinite where there is none
  double upper = 0;  ///< by the lengths, no flow carries more than this multiple
};

/// Adds the flow up anew at each router and measures distances anew, by relaxation. The check is in floating
/// point: an `imbalance` beyond 1e-6 proves nothing. Where paths are to be shortest, flow on other channels
/// is imbalance, and distances are over shortest paths. O(endpoint routers * channels * hops of a path).
FlowCheck check_flow(const FlowProblem& problem, const ConcurrentFlow& flow);

/// What lengths of channels alone prove: no flow carries more than this multiple of the
/// demand. Whatever found them; infinite where there is no demand. Measures distances by relaxation.
/// O(endpoint routers * channels * hops of a path).
double length_bound(const FlowProblem& problem, const std::vector<double>& length);

/// Most variables, endpoint routers times channels, that flow_by_program() takes on.
inline constexpr std::uint64_t kMaxProgramColumns = 40'000;
/// Most that flow_by_potential() takes on: 16 bytes each, and the ways it has found.
inline constexpr std::uint64_t kMaxFlowEntries = 250'000'000;

/// Exactly, but for rounding: the linear program with one commodity for each destination (Shahrokhi and
/// Matula 1990), by Clp. InputError beyond kMaxProgramColumns, and where a pair with demand has no path.
ConcurrentFlow flow_by_program(const FlowProblem& problem);

/// How far flow_by_potential() goes.
struct FlowSearch {
  double gap = 0.05;
  double enough = 0;  ///< largest load, over capacity, below which it need not go
  std::uint32_t most_rounds = 1000;
  std::uint32_t threads = 0;  ///< 0: all there are
};

/// Within a gap: lengths grow exponentially with the load of their channel (multiplicative weights), and the
/// flow to one destination after another moves from the longest of the ways it takes to the shortest paths in
/// these lengths, as far as lowers the sum of all lengths most (block-coordinate potential reduction,
/// Grigoriadis and Khachiyan 1996, with a line search). Starts from all shortest paths and stops as soon as
/// upper <= (1 + gap) * lower, or the largest load is `enough` or less, or after `most_rounds` sweeps: what
/// was reached then is what check_flow() says. O(endpoint routers * channels) memory and about as much time,
/// with a logarithm, for a sweep. Deterministic, at any number of threads. InputError beyond kMaxFlowEntries,
/// and where a pair with demand has no path.
ConcurrentFlow flow_by_potential(const FlowProblem& problem, const FlowSearch& search, Progress& progress);

}  // namespace unknot
