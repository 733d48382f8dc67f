// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>

#include "unknot/reproduce/compare.hpp"
#include "unknot/reproduce/diameter2/paper.hpp"
#include "unknot/reproduce/experiments.hpp"
#include "unknot/topology/designs/linear_space.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kColumns = 4;
/// Table 2 as printed: upper routers of each leaf of the 4-ML3B.
constexpr std::array<const char*, 13> kTable2 = {"9 10 11 12", "9 0 1 2",  "9 3 4 5",  "9 6 7 8",  "10 0 3 6",
                                                 "10 1 4 7",   "10 2 5 8", "11 0 4 8", "11 1 5 6", "11 2 3 7",
                                                 "12 0 5 7",   "12 1 3 8", "12 2 4 6"};

Reproduction run_diameter2_table2(const ExperimentRequest&, Progress&) {
  Reproduction result;
  result.title = "The 4-ML3B";
  result.text = {
      "Upper routers of each lower router of the maximal leaf basic building block of four columns, which "
      "two stacked "
      "copies of make the 4-OFT (`oft:4`). The orthogonal squares that give this table are row + a column "
      "over the "
      "field of three elements; the other usual form, a row + column, is a different labelling of the same "
      "network."};
  const LinearSpace space = ml3b_space(kColumns);
  for (std::uint32_t row = 0; row < kTable2.size(); ++row) {
    std::string ours;
    for (std::uint32_t column = 0; column < kColumns; ++column)
      ours += fmt::format("{}{}", column == 0 ? "" : " ", space.block_of[row * kColumns + column]);
    result.rows.push_back(
        claim(fmt::format("router {}", row), kTable2.at(row), ours, ours == kTable2.at(row), ""));
  }
  return result;
}

}  // namespace

Experiment diameter2_table2_experiment() {
  return {.name = "diameter2-table2",
          .summary = "cabling of the 4-ML3B, the block of the orthogonal fat tree",
          .paper = diameter2_paper::kPaper,
          .place = "Table 2",
          .typical_seconds = 0.1,
          .quick = "",
          .parameters = {},
          .run = run_diameter2_table2};
}

}  // namespace unknot
