// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "unknot/reproduce/simulated_campaign.hpp"

// What the simulated figures of the diameter-two paper share.
namespace unknot::diameter2_paper {

/// A network of the paper's section 4.1, and a small one of its family for a first look.
struct SimulatedNetwork {
  const char* label;
  const char* full;
  const char* small;
  bool slim_fly;
  std::uint32_t worst, small_worst;  ///< terminals that share a channel in the worst case: 2p, h, k
  const char* worst_formula;
  const char* torus;         ///< of the nearest-neighbour exchange, as published
  double uniform_bound;      ///< of minimal routing by channel loads, of the full network
  double neighbour_minimal;  ///< bounds of the nearest-neighbour exchange by channel loads
  double neighbour_valiant;

  [[nodiscard]] std::string spec(bool is_small) const { return is_small ? small : full; }
  [[nodiscard]] double worst_bound(bool is_small) const { return 1.0 / (is_small ? small_worst : worst); }
};
inline constexpr std::array<SimulatedNetwork, 4> kSimulatedNetworks = {{
    {"Slim Fly p=9", "slimfly:q=13,p=9", "slimfly:q=5,p=3", true, 18, 6, "1/(2p)", "13x13x18", 1.0, 0.261,
     0.683},
    {"Slim Fly p=10", "slimfly:q=13,p=10", "slimfly:q=5,p=4", true, 20, 8, "1/(2p)", "13x13x20", 0.9132,
     0.167, 0.621},
    {"MLFM", "mlfm:15", "mlfm:4", false, 15, 4, "1/h", "15x16x15", 1.0, 0.353, 0.748},
    {"OFT", "oft:12", "oft:4", false, 12, 4, "1/k", "12x14x19", 1.0, 0.167, 0.747},
}};

/// MIN and INR of the paper, in lanes that are proven deadlock-free: Slim Fly by hop (MIN) and by phase
/// and hop (INR), the others on a single lane and by phase.
simulate::AdaptiveChoice minimal_choice(const SimulatedNetwork& network);
simulate::AdaptiveChoice valiant_choice(const SimulatedNetwork& network);
/// UGAL: SF-A with its penalty by length, MLFM-A and OFT-A with a constant one; with a threshold above 0
/// SF-ATh and so on.
simulate::AdaptiveChoice ugal_choice(const SimulatedNetwork& network, std::uint32_t indirect, double penalty,
                                     double threshold);

/// Parameters of all of them: small, warmup, measure, every.
std::vector<Parameter> simulated_parameters(const char* measure);
/// The settings that follow from those, and the speedup; a `measure` above 0 (microseconds) stands for
/// theirs.
std::vector<std::string> time_settings(const Parameters& parameters, double measure = 0);
/// Paragraph on how it is simulated.
std::string model_text();

}  // namespace unknot::diameter2_paper
