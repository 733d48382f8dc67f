// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/simulate/settings/settings.hpp"

namespace unknot::simulate {

/// Latency and speed of every link. A link of a terminal is the same in both directions.
struct LinkTimes {
  bool in_steps = false;  ///< latencies are in steps, off the grid of cycles; else in cycles, on it
  std::vector<std::uint32_t> channel_latency;   ///< by channel
  std::vector<std::uint32_t> channel_period;    ///< by channel: steps between two flits, at least speedup
  std::vector<std::uint32_t> terminal_latency;  ///< by terminal
  std::vector<std::uint32_t> terminal_period;   ///< by terminal

  /// Every link takes a flit in every step: none ever waits for its channel.
  [[nodiscard]] bool a_flit_a_step() const;
};

/// Base latencies, those in cycles that the network itself states (Labels), speeds that it states where
/// Settings::speeds asks for them, and the link classes, in order, so that a later class has the last word.
/// What `match` selects:
///
/// * `all`: every link; `channels`: those between routers; `terminals`: those of terminals;
/// * `level:N`: whose lower end is on level N; the routers of level 0 carry the terminals;
/// * `dimension:N`: whose ends differ in coordinate N, counted from 0, and in none before it: the links along
///   dimension N of a torus, mesh, hypercube or HyperX;
/// * `rate:RATE`: cables of that rate, "4xEDR", or of that width, "4x", those of terminals included;
/// * `capacity:GBPS`: that state this capacity, in Gb/s, those of terminals included.
///
/// Throws InputError where a selector is unknown, needs what the network does not have (levels, coordinates,
/// rates) or selects nothing, for a stated speed that no whole number of cycles (off the grid: steps) gives,
/// for speeds asked for where none are stated, and for a stated latency of more than 65,535 cycles, or steps
/// off the grid. O((channels + terminals) * classes).
LinkTimes link_times(const Network& network, const Settings& settings);

/// Empty where `match` is a selector; else one sentence that says what was expected.
std::string selector_trouble(const std::string& match);

}  // namespace unknot::simulate
