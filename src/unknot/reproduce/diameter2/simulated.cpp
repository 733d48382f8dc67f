// SPDX-License-Identifier: Apache-2.0
#include "unknot/reproduce/diameter2/simulated.hpp"

#include <fmt/format.h>

namespace unknot::diameter2_paper {

using simulate::AdaptiveChoice;
using Kind = simulate::RoutePlan::Kind;

AdaptiveChoice minimal_choice(const SimulatedNetwork& network) {
  return {.kind = Kind::minimal, .lane_scheme = network.slim_fly ? "hop" : "single", .ugal = {}};
}

AdaptiveChoice valiant_choice(const SimulatedNetwork& network) {
  return {.kind = Kind::valiant, .lane_scheme = network.slim_fly ? "phase-hop" : "phase", .ugal = {}};
}

AdaptiveChoice ugal_choice(const SimulatedNetwork& network, std::uint32_t indirect, double penalty,
                           double threshold) {
  AdaptiveChoice choice = valiant_choice(network);
  choice.kind = Kind::ugal;
  choice.ugal = {
      .indirect = indirect, .penalty = penalty, .by_length = network.slim_fly, .threshold = threshold};
  return choice;
}

std::vector<Parameter> simulated_parameters(const char* measure) {
  return {
      {.name = "small",
       .kind = ParameterKind::flag,
       .help = "networks of about a hundred endpoints",
       .fallback = "0"},
      {.name = "warmup",
       .kind = ParameterKind::real,
       .help = "microseconds before measuring",
       .fallback = "20",
       .min = 0.1,
       .max = 1e6},
      {.name = "measure",
       .kind = ParameterKind::real,
       .help = "microseconds measured",
       .fallback = measure,
       .min = 0.5,
       .max = 1e6},
      {.name = "every",
       .help = "only every so-manieth load of each curve, counted from the largest",
       .fallback = "1",
       .min = 1,
       .max = 100},
  };
}

std::vector<std::string> time_settings(const Parameters& parameters, double measure) {
  return {fmt::format("warmup_us={}", parameters.real("warmup")),
          fmt::format("measure_us={}", measure > 0 ? measure : parameters.real("measure"))};
}

std::string model_text() {
  return "Simulated with the preset `paper-sc15` ([simulation.md](../simulation.md)): 100 Gb/s, links of "
         "51.2 ns, input-output-queued switches of 102.4 ns with an internal speedup of 2, 400 packets of "
         "buffer for each port and direction, shared out among its lanes; virtual cut-through, packets of "
         "256 bytes as one flit. The paper does not say its speedup. Routing is by all shortest paths, next "
         "hops with equal shares (MIN), by a random intermediate router (INR), or chosen between both by "
         "local queues (UGAL), on the lanes that make it deadlock-free: Slim Fly 2 (MIN, by hop) and 4, "
         "MLFM and OFT 1 and 2 (by phase).";
}

}  // namespace unknot::diameter2_paper
