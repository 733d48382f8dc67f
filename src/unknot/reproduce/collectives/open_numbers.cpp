// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>

#include "unknot/reproduce/experiments.hpp"
#include "unknot/reproduce/jaros/bounded_cases.hpp"
#include "unknot/reproduce/jaros/paper.hpp"

namespace unknot {
namespace {

using namespace jaros_paper;

/// Numbers of steps that were open.
constexpr LinkClass kHalf = LinkClass::half_duplex;
constexpr std::array kOpenCases{
    BoundedCase{"btree:32", "", "AAB"},
    BoundedCase{"torus:12x12", kThreeDeadCables, "AAS"},
    BoundedCase{"torus:8x8", kThreeDeadCables, "AAS"},
    BoundedCase{"torus:32x32", "", "AAB", 1, kHalf},
    BoundedCase{"torus:10x10x10", "", "AAB", 1, kHalf},
    BoundedCase{"hypercube:10", "", "AAB", 1, kHalf},
    BoundedCase{"kautz:b=4,n=5", "", "AAB", 1, kHalf},
    BoundedCase{"jellyfish:routers=1000,degree=8", "", "AAB", 1, kHalf},
    BoundedCase{"torus:32x32", "", "AAS"},
    BoundedCase{"torus:10x10x10", "", "AAS"},
    BoundedCase{"hypercube:10", "", "AAS"},
    BoundedCase{"jellyfish:routers=1000,degree=8", "", "AAS"},
};

Reproduction run_open_numbers(const ExperimentRequest& request, Progress& progress) {
  Reproduction result;
  result.title = "Steps of collectives that were open";
  result.text = {
      "Schedules by `--solver auto:levels=1`, beside proven bounds. Each was checked by code that does "
      "not know how it was made, and so was the proof of each bound. With the three dead cables `--fail "
      "cable-count=3,seed=1` a schedule for the whole torus is mended, and then one step after the other "
      "taken out of it, as `unknot schedule FABRIC --fail SPEC` does with less effort.",
      "Where these numbers were before: all-to-all broadcast on the binary tree of 32 terminals between "
      "31 and 42 steps, the thesis 64; the scatters with dead cables at 265 steps of 226, and 71 of 69.",
      "Half-duplex broadcasts: cables take turns that are said beforehand. Not here, since it takes "
      "long, is `mesh:32x32`, whose bound of 528 steps leaves no cable idle in any step: `--solver "
      "matching:tries=3` finds 536. Where terminals have one cable of their own the bound is too low. Of "
      "a tree's two terminals below one switch with one cable up, only one gets or sends anything in a "
      "step, so that P terminals take 2 P steps, where the bound, by pairs, is 2 P - 2; found are 8 "
      "steps for `btree:4`, 22 for 8 terminals and 55 for 16. What is missing there is a tour that takes "
      "turns."};
  result.text.emplace_back(
      "Still open, the torus: one dead cable of a cut leaves 23 channels for 5184 messages, which in 226 "
      "steps have 14 places to spare in each direction. Flows of half messages fit in a time of 226 "
      "(`--goal bandwidth`), so that neither cuts nor lengths say more; what says more would have to "
      "count whole messages, step by step. The search needs about half as much again for each step less; "
      "227 steps were found once in twelve minutes.");
  result.text.emplace_back(
      "Still open, the random network: distance alone is the bound, with all channels busy in every "
      "step. First fit leaves one channel in ten idle, and each step that is taken out costs more than "
      "the last; what would help is more effort, or a structure, which random networks have not.");
  add_bounded(of_at_most(kOpenCases, request.parameters.number("messages")),
              {.mended = request.parameters.number("effort")}, request, result, progress);
  return result;
}

}  // namespace

Experiment collectives_open_experiment() {
  return {.name = "collectives-open",
          .summary = "steps of collectives that were open: 1,000 nodes, half duplex, dead cables",
          .paper = kThesis,
          .place = "beyond chapter 8",
          .typical_seconds = 60,
          .quick = "messages=1000,effort=10",
          .parameters =
              {{.name = "effort",
                .help = "millions of channels looked at while steps are taken out of a mended schedule",
                .fallback = "3000",
                .min = 1,
                .max = 1e9},
               {.name = "messages", .help = "of the largest problem", .fallback = "2000000", .min = 100}},
          .run = run_open_numbers};
}

}  // namespace unknot
