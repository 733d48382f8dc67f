// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "unknot/network/network.hpp"

namespace unknot {

struct SpectrumOptions {
  std::uint64_t seed = 1;
  /// Networks with more channels are not tried: the search would take more than a few seconds.
  std::uint32_t max_channels = 2'000'000;
};

/// Eigenvalues of the adjacency matrix (entry: cables between two routers; a one-way channel counts half both
/// ways). A regular graph of degree d expands the better the smaller the others are beside d; a Ramanujan
/// graph has none but d and -d beyond 2 sqrt(d-1).
struct AdjacencySpectrum {
  double largest = 0;   ///< the degree, where regular
  double second = 0;    ///< second largest
  double smallest = 0;  ///< -degree, where regular and bipartite
  /// largest - second: the spectral gap.
  [[nodiscard]] double gap() const { return largest - second; }
};
/// By the Lanczos method with restarts. Nothing for fewer than three routers, more than max_channels, or
/// where it does not converge.
std::optional<AdjacencySpectrum> adjacency_spectrum(const Network& network,
                                                    const SpectrumOptions& options = {});

/// A LOWER BOUND of the cut of every bisection as bisection_upper_bound() defines it: the least value of the
/// Laplacian form over real vectors that are balanced on the terminals, routers without terminals free
/// [Fiedler 1973]. In trees of two levels the upper routers are then put on one side each, which for a k-OFT
/// gives 1 - sqrt(k-1)/k per terminal.
struct SpectralCutBound {
  double cut = 0;           ///< cables; rounded up to a half, as cuts are
  double per_terminal = 0;  ///< cut / (terminals / 2)
};
/// The largest eigenvalue of the inverse form by the Lanczos method, each product a system solved by
/// conjugate gradients; 1e-6 of it is given away to rounding. Nothing for a disconnected network, fewer than
/// two carriers, more than max_channels, or where either method does not converge.
std::optional<SpectralCutBound> spectral_cut_bound(const Network& network,
                                                   const SpectrumOptions& options = {});

}  // namespace unknot
