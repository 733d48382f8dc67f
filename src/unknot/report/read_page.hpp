// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/report/content.hpp"

namespace unknot::report {

/// What stands before the data of a page.
inline constexpr std::string_view kDataBegins = "<script type=\"application/json\" id=\"data\">";

/// What a page says, as far as pages are compared. All of it is checked to be of its kind: ids exist, columns
/// have their lengths, words are text.
struct PageData {
  Provenance provenance;
  std::string version;
  std::vector<std::string> summary;
  std::string fabric, fail;
  std::uint64_t terminals = 0, diameter = 0;
  double mean_hops = 0;

  std::string layout;
  bool bent = false;
  std::vector<double> x, y;          ///< by router
  std::vector<std::string> names;    ///< by router
  std::vector<std::uint32_t> homes;  ///< terminals by router
  std::vector<std::uint32_t> group;  ///< by router; empty where nothing folds
  std::vector<std::string> groups, terminal_names;
  std::vector<std::uint32_t> from, to, from_port, to_port;  ///< by channel

  struct Layer {
    std::string name, unit;
    std::vector<double> values;  ///< by channel
  };
  std::vector<Layer> layers;

  struct Step {
    std::uint32_t channel = 0, lane = 0, source = 0, destination = 0;
  };
  struct Routing {
    std::string name, failure;
    std::uint32_t layer = 0;
    bool complete = false, deadlock_free = false, levels_are_lanes = true;
    /// Those of `kRoutingNumbers`, in its order; nothing where the page does not say it.
    std::vector<std::optional<double>> numbers;
    std::vector<double> pairs_by_level;
    std::vector<Step> witness;
  };
  std::vector<Routing> routings;
};

/// Members of a routing that are numbers.
inline constexpr const char* kRoutingNumbers[] = {
    "lost_pairs",    "lanes",     "lanes_needed",
    "max_load",      "min_load",  "mean_load",
    "max_hops",      "mean_hops", "effective_bisection_bandwidth",
    "standard_error"};

/// The data of a page that html_page() wrote, which anyone may have changed since. InputError with `file`,
/// one sentence, for what is no such page, for a comparison of two, and where anything in it is not of its
/// kind.
PageData read_page(std::string_view html, const std::string& file);

}  // namespace unknot::report
