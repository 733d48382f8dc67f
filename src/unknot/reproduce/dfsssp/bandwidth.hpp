// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/reproduce/experiment.hpp"

// Effective bisection bandwidth of the routing algorithms that the DFSSSP paper compares.
namespace unknot::dfsssp_paper {

struct Algorithm {
  std::string name;  ///< in the paper
  std::string engine;
};
/// MinHop, Up*/Down*, FatTree, DOR, LASH, SSSP, DFSSSP, in this order.
const std::vector<Algorithm>& algorithms();
/// Index into algorithms().
std::size_t index_of(const std::string& name);

struct NamedNetwork {
  std::string name;
  Network network;
};

/// [network][algorithm]: mean rate of a flow under random bisections; none where the engine gives no tables.
struct Bandwidths {
  std::vector<std::vector<std::optional<double>>> rate;
  [[nodiscard]] std::optional<double> of(std::size_t network, const std::string& algorithm) const {
    return rate[network][index_of(algorithm)];
  }
  /// The value, 0 where there is none.
  [[nodiscard]] double value(std::size_t network, const std::string& algorithm) const {
    return of(network, algorithm).value_or(0);
  }
};
Bandwidths measure_bandwidths(const std::vector<NamedNetwork>& networks, std::uint32_t samples,
                              const ExperimentRequest& request, Progress& progress);

/// One line for each network.
ReproducedTable bandwidth_table(const std::string& title, const std::vector<NamedNetwork>& networks,
                                const Bandwidths& bandwidths);
/// Bars, a group for each network.
Plot bandwidth_plot(const std::string& name, const std::string& title,
                    const std::vector<NamedNetwork>& networks, const Bandwidths& bandwidths);

/// What all pages on bandwidth say of the engines.
std::string algorithms_text(std::uint32_t samples);

}  // namespace unknot::dfsssp_paper
