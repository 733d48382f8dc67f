// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdint>

#include "unknot/reproduce/experiments.hpp"
#include "unknot/reproduce/jaros/bounded_cases.hpp"
#include "unknot/reproduce/jaros/paper.hpp"

namespace unknot {
namespace {

using namespace jaros_paper;

/// Collectives that the thesis has no steps for, or more than here.
constexpr std::array kFurtherCases{
    BoundedCase{"kautz:b=3,n=3,oriented=1", "", "AAS", 3},
    BoundedCase{"torus:12x12", "", "AAS", 1},
    BoundedCase{"torus:12x8", "", "AAS", 1},
    BoundedCase{"torus:16x16", "", "AAS", 1},
    BoundedCase{"torus:8x8x8", "", "AAS", 1},
    BoundedCase{"torus:16x16", "", "AAB", 1},
    BoundedCase{"hypercube:10", "", "AAS", 1},
    BoundedCase{"hypercube:10", "", "OAB", 1},
    BoundedCase{"hypercube:10", "", "AAB", 1},
    BoundedCase{"ring:81", "", "OAB", 1},
    BoundedCase{"btree:32", "", "AAB", 1},
    BoundedCase{"torus:8x8", kThreeDeadCables, "OAS", 1},
    BoundedCase{"torus:8x8", kThreeDeadCables, "AAS", 2},
    BoundedCase{"torus:8x8", kThreeDeadCables, "OAB", 2},
    BoundedCase{"torus:8x8", kThreeDeadCables, "AAB", 1},
    BoundedCase{"jellyfish:routers=64,degree=6", "", "AAS", 2},
    BoundedCase{"jellyfish:routers=64,degree=6", "", "AAB", 1},
    BoundedCase{"dragonfly:a=4,h=2", "", "AAS", 3},
    BoundedCase{"dragonfly:a=4,h=2", "", "AAB", 1},
    BoundedCase{"slimfly:q=5", "", "AAS", 2},
    BoundedCase{"slimfly:q=5", "", "AAB", 1},
    BoundedCase{"xgft:m=30,w=10,p=20", "", "OAS", 1},
    BoundedCase{"xgft:m=30,w=10,p=20", "", "OAB", 1},
    BoundedCase{"xgft:m=30,w=10,p=20", "", "AAB", 1},
};

Reproduction run_jaros_further(const ExperimentRequest& request, Progress& progress) {
  Reproduction result;
  result.title = "Steps of collective communications beyond the thesis";
  result.text = {
      "Collectives on larger networks than the thesis's, and on irregular ones, by `--solver auto`. Nothing "
      "was published of them; beside our steps stands the proven lower bound, and a tenth more than that, or "
      "one step, is allowed. Paths are of any length. Each schedule was checked by code that does not know "
      "how it was made, and so "
      "was the proof of each bound.",
      "Terminals of `btree` and `xgft` have one port; elsewhere nodes send and receive on all channels at "
      "once. The "
      "three dead cables are `--fail cable-count=3,seed=1`."};
  const auto levels = static_cast<std::uint32_t>(request.parameters.number("levels"));
  add_bounded(of_at_most(kFurtherCases, request.parameters.number("messages")), {.levels = levels}, request,
              result, progress);
  return result;
}

}  // namespace

Experiment jaros_further_experiment() {
  return {.name = "collectives-further",
          .summary = "steps of collectives on larger and irregular networks, beside proven bounds",
          .paper = kThesis,
          .place = "beyond chapter 8",
          .typical_seconds = 40,
          .quick = "messages=1000,levels=1",
          .parameters =
              {{.name = "levels",
                .help = "of effort of solver auto at most",
                .fallback = "3",
                .min = 1,
                .max = 9},
               {.name = "messages", .help = "of the largest problem", .fallback = "2000000", .min = 100}},
          .run = run_jaros_further};
}

}  // namespace unknot
