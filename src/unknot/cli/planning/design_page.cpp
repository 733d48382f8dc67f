// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/planning/design_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "unknot/cli/output/output.hpp"
#include "unknot/cli/planning/design_report.hpp"
#include "unknot/report/document.hpp"
#include "unknot/report/page.hpp"
#include "unknot/support/version.hpp"

namespace unknot::cli {
namespace {

std::string design_heading(const DesignOptions& options) {
  if (!options.page_provenance.title.empty()) return options.page_provenance.title;
  std::string heading = "Networks";
  if (options.endpoints != 0) heading += fmt::format(" for {} endpoints", grouped(options.endpoints));
  if (options.radix != 0)
    heading += fmt::format("{} of routers with {} ports", options.endpoints != 0 ? "," : "", options.radix);
  return heading;
}

/// The row with the least `value` of those that have one.
template <class Value>
const DesignRow* least(const DesignRows& rows, const Value& value) {
  const DesignRow* best = nullptr;
  for (const DesignRow& row : rows.rows) {
    if (value(row) && (best == nullptr || *value(row) < *value(*best))) best = &row;
  }
  return best;
}

}  // namespace

std::vector<std::string> design_summary(const DesignRows& rows, const DesignOptions& options,
                                        const PriceModel& costs) {
  std::vector<std::string> sentences;
  const auto per_terminal = [](const std::optional<double>& value, const DesignRow& row) {
    return value ? std::optional(*value / static_cast<double>(row.design.terminals)) : std::nullopt;
  };
  const auto cost = [&](const DesignRow& row) { return per_terminal(row.cost(), row); };
  if (const DesignRow* const row = least(rows, cost)) {
    sentences.push_back(fmt::format("{} costs least: {:.2f} {} for each of {} terminals ({}).",
                                    row->design.family, *cost(*row), costs.currency,
                                    grouped(row->design.terminals), row->design.spec));
  }
  const auto largest = std::max_element(
      rows.rows.begin(), rows.rows.end(),
      [](const DesignRow& a, const DesignRow& b) { return a.design.terminals < b.design.terminals; });
  if (options.endpoints == 0) {
    sentences.push_back(fmt::format("{} is the largest: {} terminals on {} routers ({}).",
                                    largest->design.family, grouped(largest->design.terminals),
                                    grouped(largest->design.routers), largest->design.spec));
  }
  const DesignRow& ports =
      *least(rows, [](const DesignRow& row) { return std::optional(row.design.ports_per_terminal()); });
  sentences.push_back(fmt::format("{} needs the fewest ports: {:.3f} for each terminal ({}).",
                                  ports.design.family, ports.design.ports_per_terminal(), ports.design.spec));
  const auto tub = [](const DesignRow& row) { return row.tub ? std::optional(-*row.tub) : std::nullopt; };
  if (const DesignRow* const row = least(rows, tub)) {
    sentences.push_back(fmt::format(
        "The bound on throughput over all traffic is highest for {}: {:.3f} of what terminals send ({}).",
        row->design.family, *row->tub, row->design.spec));
  }
  return sentences;
}

std::string design_page(const DesignRows& rows, const DesignOptions& options, const PriceModel& costs) {
  const report::Provenance& provenance = options.page_provenance;
  const std::vector<std::string> sentences = design_summary(rows, options, costs);
  Json document;
  document["format"] = report::kFormat;
  document["version"] = version();
  document["title"] = provenance.title;
  document["date"] = provenance.date;
  document["command"] = provenance.command;
  document["summary"] = sentences;
  document["design"] = {{"radix", options.radix != 0 ? Json(options.radix) : Json()},
                        {"endpoints", options.endpoints != 0 ? Json(options.endpoints) : Json()},
                        {"rows", design_json(rows, costs)}};
  return report::html_page(design_heading(options), sentences, report::foot_of(provenance, ""),
                           document.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace unknot::cli
