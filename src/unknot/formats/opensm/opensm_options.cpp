// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/opensm/opensm_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "unknot/support/error.hpp"
#include "unknot/tables/lane_map.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kDataLanes = LaneMap::kDrop;

/// PortInfo's code for at least so many lanes: 1, 2, 4, 8 or 15.
std::uint32_t operational_code(std::uint32_t lanes) {
  constexpr std::array<std::uint32_t, 5> kCounts = {1, 2, 4, 8, kDataLanes};
  const auto* const enough = std::lower_bound(kCounts.begin(), kCounts.end(), lanes);
  return static_cast<std::uint32_t>(enough - kCounts.begin()) + 1;
}

/// A lane's weight in units of 64 bytes: the lanes of a class share its weight, and the heaviest lane has
/// 255. Rounding keeps every lane at one unit at least, so that none starves.
std::vector<std::uint32_t> lane_weights(const OpensmOptions& options) {
  constexpr std::uint32_t kMost = 255;
  std::vector<std::uint32_t> weights(kDataLanes, 0);
  std::uint32_t heaviest = 1;
  for (const ServiceClass& one : options.classes.classes) heaviest = std::max(heaviest, one.weight);
  for (std::uint32_t lane = 0; lane < std::min(options.lanes, kDataLanes); ++lane) {
    const std::size_t c = options.classes.class_of(static_cast<std::uint8_t>(lane));
    const std::uint32_t weight = options.classes.wanted() && c < options.classes.classes.size()
                                     ? options.classes.classes[c].weight
                                     : heaviest;
    weights[lane] = std::max(1U, (kMost * weight + heaviest / 2) / heaviest);
  }
  return weights;
}

std::string arbitration(const std::vector<std::uint32_t>& weights) {
  std::string text;
  for (std::size_t lane = 0; lane < weights.size(); ++lane)
    text += fmt::format("{}{}:{}", lane == 0 ? "" : ",", lane, weights[lane]);
  return text;
}

std::string lanes_of_levels(std::uint32_t lanes) {
  std::string text;
  for (std::uint32_t level = 0; level < LaneMap::kLevels; ++level)
    text += fmt::format("{}{}", level == 0 ? "" : ",", level < lanes ? level : LaneMap::kDrop);
  return text;
}

/// "name path\n"; "" where there is no path.
std::string line(const char* name, const std::string& path) {
  if (path.empty()) return {};
  if (path.find_first_of(" \t\n,") != std::string::npos)
    throw InputError(fmt::format("opensm.conf cannot hold the path '{}': it has a blank or a comma", path));
  return fmt::format("{} {}\n", name, path);
}

std::string loading(const OpensmOptions& options) {
  if (options.tables.empty()) return {};
  std::string text = "\n# The tables.\n";
  if (options.service_levels.empty() && options.lane_map.empty() && options.multicast.empty()) {
    return text + "routing_engine file,no_fallback\n" + line("lfts_file", options.tables) +
           line("qos_policy_file", options.qos_policy);
  }
  std::string plugin = "tables=" + options.tables;
  for (const auto& [key, path] : {std::pair<const char*, const std::string&>{"lanes", options.service_levels},
                                  {"sl2vl_file", options.lane_map},
                                  {"multicast", options.multicast}}) {
    if (line(key, path).empty()) continue;
    plugin += fmt::format(" {}={}", key, path);
  }
  if (options.classes.classes.size() > 1) {
    plugin +=
        fmt::format(" classes={} class_levels={}", options.classes.classes.size(), options.classes.levels);
  }
  (void)line("tables", options.tables);  // refuses what it cannot hold
  return text + "routing_engine unknot,no_fallback\nevent_plugin_name unknot_opensm\nevent_plugin_options " +
         plugin + "\n";
}

std::string class_lines(const ServiceClasses& classes) {
  std::string text;
  for (std::size_t c = 0; c < classes.classes.size(); ++c) {
    const std::uint32_t first = classes.first_level(c);
    text += fmt::format("# Class {}: service levels {} to {}, weight {}; its partition: sl={}\n",
                        classes.classes[c].name, first, first + classes.levels - 1, classes.classes[c].weight,
                        first);
  }
  return text;
}

}  // namespace

std::string opensm_options_text(const OpensmOptions& options) {
  std::string text = fmt::format("# For opensm.conf.\n{}", class_lines(options.classes));
  text += fmt::format(
      "\n# {} data lane{}, each with its share of a cable.\n"
      "qos TRUE\nmax_op_vls {}\nqos_max_vls {}\nqos_high_limit 0\nqos_vlarb_high {}\nqos_vlarb_low {}\n",
      options.lanes, options.lanes == 1 ? "" : "s", operational_code(options.lanes), options.lanes,
      arbitration(std::vector<std::uint32_t>(kDataLanes, 0)), arbitration(lane_weights(options)));
  if (options.levels_are_lanes) {
    text += fmt::format("# Levels that no proof covers are dropped.\nqos_sl2vl {}\n",
                        lanes_of_levels(options.lanes));
  } else {
    text += "# Which lane a level takes depends on ports: the plug-in writes the SL-to-VL tables.\n";
  }
  if (options.lmc > 0)
    text += fmt::format("\n# {} LIDs of each host.\nlmc {}\n", 1U << options.lmc, options.lmc);
  return text + loading(options);
}

}  // namespace unknot
