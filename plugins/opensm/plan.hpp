// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fabric.hpp"
#include "lane_tables.hpp"
#include "level_matrix.hpp"
#include "multicast.hpp"

/// What will be installed: complete, and checked against the fabric it was made for.
struct unknot_plan {
  unsigned highest_lid = 0;
  std::vector<std::vector<std::uint8_t>> rows;  ///< by switch, then live LID; 0xFF: none
  unknot::opensm::LevelMatrix levels;
  bool has_levels = false;
  unknot::opensm::LaneTables lanes;  ///< where levels are no lanes, or not everywhere
  unsigned classes = 1;              ///< of service
  unsigned class_levels = 16;        ///< of each
  unknot::opensm::MulticastTrees multicast;
  std::set<std::pair<std::uint16_t, std::uint8_t>> warned;  ///< groups and levels without a proof
  std::string summary;
  std::string notes;
};

namespace unknot::opensm {

/// Throws Misfit, with one sentence, when anything does not fit; nothing is returned in part.
unknot_plan make_plan(const unknot_fabric& fabric, const unknot_options& options, const unknot_sl2vl& sl2vl);

}  // namespace unknot::opensm
