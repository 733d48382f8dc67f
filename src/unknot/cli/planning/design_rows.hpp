// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/planning/design_search.hpp"
#include "unknot/design/design.hpp"
#include "unknot/design/floor_plan.hpp"
#include "unknot/network/cuts/properties.hpp"
#include "unknot/report/content.hpp"

namespace unknot::cli {

/// Routers of the largest network that `design --measure` measures, unless told otherwise.
inline constexpr std::uint32_t kMostMeasured = 6500;
/// Cables, the terminals' included, of the largest network that `design --cost` lays.
inline constexpr std::uint64_t kMostPriced = 4'000'000;

struct DesignOptions {
  std::uint32_t radix = 0;
  std::uint64_t endpoints = 0;
  std::string switches;  ///< file of models
  std::vector<std::string> families;
  std::vector<double> oversubscription = {1};
  std::string sort = "terminals";
  std::uint32_t max_diameter = 0;
  double max_ports = 0;
  bool measure = false;
  std::uint32_t measure_limit = kMostMeasured;
  bool cost = false;
  std::string cost_model;
  bool show_cost_model = false;
  std::string format = "text";
  std::string csv, markdown;
  std::string page;  ///< HTML, or PDF
  report::Provenance page_provenance;
  DesignSearchOptions wanted;

  [[nodiscard]] bool priced() const { return cost || !cost_model.empty(); }
  /// Networks of the terminals wanted, on routers or models that are given.
  [[nodiscard]] bool fitted() const { return endpoints != 0 && (radix != 0 || !switches.empty()); }
};

/// A design, and what was found out about the network itself.
struct DesignRow {
  Design design;
  std::optional<SwitchModel> model;
  std::optional<Bill> bill;
  std::optional<Properties> measured;
  std::optional<double> tub;  ///< of distances in the network, where it is measured

  [[nodiscard]] std::optional<std::uint32_t> diameter() const;
  [[nodiscard]] std::optional<double> bisection() const;
  /// Upper bound on throughput over all traffic: what distances and counts prove.
  [[nodiscard]] std::optional<double> throughput() const;
  [[nodiscard]] std::optional<double> cost() const;
  [[nodiscard]] std::optional<double> power() const;
  /// Of the switches alone, where a model is given.
  [[nodiscard]] std::optional<double> switches_price() const;
};

struct DesignRows {
  std::vector<DesignRow> rows;
  std::uint32_t not_measured = 0;  ///< beyond the limit
  std::uint32_t not_priced = 0;
  std::uint32_t diameter_unknown = 0;  ///< left out: beyond the limit, and the family has no formula
};

/// Values to sort by: smallest first, all but terminals, bisection and tub.
const std::vector<std::string>& design_sort_keys();

/// A row for each family and each oversubscription that has one, sorted.
DesignRows design_rows(const DesignOptions& options, const PriceModel& costs, const Common& common);

}  // namespace unknot::cli
