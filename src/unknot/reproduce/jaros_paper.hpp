// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

// What the experiments on the thesis about collective communications share.
namespace unknot::jaros_paper {

inline constexpr const char* kThesis =
    "Jaros: Evolutionary Design of Collective Communications on Wormhole Networks, doctoral thesis, Brno "
    "University of Technology, 2010";

inline constexpr std::array<const char*, 4> kPatterns{"OAS", "AAS", "OAB", "AAB"};

/// A network of the thesis's chapter 8: steps that its UMDA reached, for each pattern and, where one node
/// sends, each root; none where nothing is printed.
struct StepsRow {
  std::string table;
  std::string spec;
  std::vector<std::vector<std::uint32_t>> steps;  ///< by pattern
  std::vector<std::uint32_t> roots = {};          ///< routers; none: the first terminal, all being alike
};
const std::vector<StepsRow>& steps_rows();

}  // namespace unknot::jaros_paper
