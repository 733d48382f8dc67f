// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/planning/design_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "unknot/bounds/hose_bound.hpp"
#include "unknot/cli/output/interrupt.hpp"
#include "unknot/cli/output/progress_bar.hpp"
#include "unknot/network/distances.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot::cli {
namespace {

constexpr double kUnknown = 1e300;  // last

double sort_value(const DesignRow& row, const std::string& key) {
  if (key == "terminals") return -static_cast<double>(row.design.terminals);
  if (key == "routers") return static_cast<double>(row.design.routers);
  if (key == "radix") return row.design.radix;
  if (key == "ports") return row.design.ports_per_terminal();
  if (key == "diameter") return row.diameter().value_or(kUnknown);
  if (key == "bisection") return row.bisection() ? -*row.bisection() : kUnknown;
  if (key == "cost") return row.cost().value_or(row.switches_price().value_or(kUnknown));
  if (key == "power") return row.power().value_or(kUnknown);
  if (key == "tub") return row.tub ? -*row.tub : row.design.throughput ? -*row.design.throughput : kUnknown;
  return 0;  // as in the catalogue
}

bool named(const DesignOptions& options, const std::string& family) {
  return options.families.empty() ||
         std::find(options.families.begin(), options.families.end(), family) != options.families.end();
}

/// Prices a row, unless its network is too large to be laid.
void price(DesignRow& row, const PriceModel& costs) {
  if (row.design.cables + row.design.terminals > kMostPriced) return;
  row.bill = price_network(make_network(row.design.spec), costs, row.design.radix,
                           row.model ? &*row.model : nullptr);
}

/// The row of the model that costs least: cables included where they are priced.
std::optional<DesignRow> best_of_models(const DesignFamily& family, double oversubscription,
                                        const std::vector<SwitchModel>& models, const DesignOptions& options,
                                        const PriceModel& costs) {
  std::optional<DesignRow> best;
  const auto key = [](const DesignRow& row) {
    return std::tuple(row.cost().value_or(*row.switches_price()), row.power().value_or(0),
                      row.design.routers);
  };
  for (const SwitchModel& model : models) {
    stop_if_interrupted();
    if (options.radix != 0 && model.ports > options.radix) continue;
    const auto design = fitting_design(family, {model.ports, options.endpoints, oversubscription});
    if (!design) continue;
    DesignRow row{.design = *design, .model = model, .bill = {}, .measured = {}, .tub = {}};
    if (options.priced()) price(row, costs);
    if (!best || key(row) < key(*best)) best = std::move(row);
  }
  return best;
}

std::optional<DesignRow> row_of(const DesignFamily& family, double oversubscription,
                                const std::vector<SwitchModel>& models, const DesignOptions& options,
                                const PriceModel& costs) {
  if (!models.empty()) return best_of_models(family, oversubscription, models, options, costs);
  const auto design = options.fitted()
                          ? fitting_design(family, {options.radix, options.endpoints, oversubscription})
                      : options.endpoints != 0 ? smallest_design(family, options.endpoints, oversubscription)
                                               : largest_design(family, options.radix, oversubscription);
  if (!design) return std::nullopt;
  DesignRow row{.design = *design, .model = {}, .bill = {}, .measured = {}, .tub = {}};
  if (options.priced()) price(row, costs);
  return row;
}

void measure(DesignRow& row, const Common& common) {
  const Network network = make_network(row.design.spec);
  PropertiesOptions how;
  how.distances.threads = how.bisection.threads = common.threads;
  how.distances.seed = how.bisection.seed = how.spectrum.seed = common.seed;
  row.measured = properties(network, how);
  ProgressBar bar(common);
  const double bound = hose_bound(network, common.threads, bar).throughput();
  if (std::isfinite(bound)) row.tub = bound;
}

/// The network's own diameter where the family's formula has none, or one that is too large for the limit:
/// small members can be narrower.
void find_diameter(DesignRow& row, const DesignOptions& options, const Common& common) {
  const std::optional<std::uint32_t> known = row.diameter();
  if (row.measured || row.design.routers > options.measure_limit) return;
  if (known && *known <= options.max_diameter) return;
  DistanceOptions how;
  how.threads = common.threads;
  how.seed = common.seed;
  const DistanceStatistics found = distance_statistics(make_network(row.design.spec), how);
  if (found.exact) row.design.diameter = found.diameter;
}

}  // namespace

std::optional<std::uint32_t> DesignRow::diameter() const {
  if (measured) return measured->distances.diameter;
  return design.diameter;
}

std::optional<double> DesignRow::bisection() const {
  if (measured && measured->bisection) return measured->bisection->per_terminal;
  return design.bisection;
}

std::optional<double> DesignRow::throughput() const {
  if (!tub || !design.throughput) return tub ? tub : design.throughput;
  return std::min(*tub, *design.throughput);
}

std::optional<double> DesignRow::cost() const {
  return bill ? std::optional(bill->price()) : std::nullopt;
}

std::optional<double> DesignRow::power() const {
  if (bill) return bill->power;
  return model ? std::optional(model->power * static_cast<double>(design.routers)) : std::nullopt;
}

std::optional<double> DesignRow::switches_price() const {
  return model ? std::optional(model->price * static_cast<double>(design.routers)) : std::nullopt;
}

const std::vector<std::string>& design_sort_keys() {
  static const std::vector<std::string> keys{"terminals", "routers", "radix", "ports", "diameter",
                                             "bisection", "family",  "cost",  "power", "tub"};
  return keys;
}

DesignRows design_rows(const DesignOptions& options, const PriceModel& costs, const Common& common) {
  const std::vector<SwitchModel> models =
      options.switches.empty() ? std::vector<SwitchModel>()
                               : read_switch_models(read_file(options.switches), options.switches);
  DesignRows all;
  for (const DesignFamily& family : design_families()) {
    if (!named(options, family.name)) continue;
    for (const double oversubscription : options.oversubscription) {
      stop_if_interrupted();
      auto row = row_of(family, oversubscription, models, options, costs);
      // Where a family balances another load, two rules of oversubscription may have one answer.
      if (!row || std::any_of(all.rows.begin(), all.rows.end(), [&](const DesignRow& other) {
            return other.design.family == row->design.family && other.design.spec == row->design.spec &&
                   other.model.has_value() == row->model.has_value() &&
                   (!other.model || other.model->name == row->model->name);
          }))
        continue;
      if (options.max_ports != 0 && row->design.ports_per_terminal() > options.max_ports) continue;
      if (options.measure && row->design.routers <= options.measure_limit) measure(*row, common);
      if (options.max_diameter != 0) {
        find_diameter(*row, options, common);
        if (!row->diameter()) ++all.diameter_unknown;
        if (row->diameter().value_or(UINT32_MAX) > options.max_diameter) continue;
      }
      all.not_measured += static_cast<std::uint32_t>(options.measure && !row->measured);
      all.not_priced += static_cast<std::uint32_t>(options.priced() && !row->bill);
      all.rows.push_back(std::move(*row));
    }
  }
  std::stable_sort(all.rows.begin(), all.rows.end(), [&](const DesignRow& a, const DesignRow& b) {
    return sort_value(a, options.sort) < sort_value(b, options.sort);
  });
  return all;
}

}  // namespace unknot::cli
