// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/planning/design_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <utility>

#include "unknot/cli/output/csv.hpp"

namespace unknot::cli {
namespace {

struct DesignColumn {
  TextTable::Column column;
  std::function<std::string(const DesignRow&)> cell;
};

std::string fixed(const std::optional<double>& value, int digits) {
  return value ? fmt::format("{:.{}f}", *value, digits) : "";
}

std::string rounded(const std::optional<double>& value) {
  return value ? grouped(static_cast<std::uint64_t>(std::llround(*value))) : "";
}

std::optional<double> of_a_terminal(const std::optional<double>& value, const DesignRow& row) {
  if (!value || row.design.terminals == 0) return std::nullopt;
  return *value / static_cast<double>(row.design.terminals);
}

std::vector<DesignColumn> columns_of(const DesignOptions& options) {
  std::vector<DesignColumn> all{
      {{"family", Align::left}, [](const DesignRow& r) { return r.design.family; }},
      {{"terminals"}, [](const DesignRow& r) { return grouped(r.design.terminals); }}};
  const auto add = [&](bool shown, TextTable::Column column,
                       std::function<std::string(const DesignRow&)> cell) {
    if (shown) all.push_back({std::move(column), std::move(cell)});
  };
  add(options.fitted(), {"room"}, [](const DesignRow& r) { return grouped(r.design.room); });
  add(true, {"routers"}, [](const DesignRow& r) { return grouped(r.design.routers); });
  add(true, {"radix"}, [](const DesignRow& r) { return std::to_string(r.design.radix); });
  add(!options.switches.empty(), {"switch", Align::left},
      [](const DesignRow& r) { return r.model ? r.model->name : std::string(); });
  add(!options.switches.empty(), {"switches' price"},
      [](const DesignRow& r) { return rounded(r.switches_price()); });
  add(options.priced(), {"cost"}, [](const DesignRow& r) { return rounded(r.cost()); });
  add(options.priced(), {"cost/term."},
      [](const DesignRow& r) { return fixed(of_a_terminal(r.cost(), r), 2); });
  add(options.priced() || !options.switches.empty(), {"W/term."},
      [](const DesignRow& r) { return fixed(of_a_terminal(r.power(), r), 2); });
  add(options.priced(), {"racks"}, [](const DesignRow& r) { return r.bill ? grouped(r.bill->racks) : ""; });
  add(options.priced(), {"cable m"},
      [](const DesignRow& r) { return r.bill ? rounded(r.bill->metres) : std::string(); });
  add(true, {"diameter"},
      [](const DesignRow& r) { return r.diameter() ? std::to_string(*r.diameter()) : std::string(); });
  add(options.fitted() || options.oversubscription != std::vector<double>{1}, {"oversub."},
      [](const DesignRow& r) { return fmt::format("{:.2f}", r.design.oversubscription); });
  add(true, {"ports/term."}, [](const DesignRow& r) { return fixed(r.design.ports_per_terminal(), 3); });
  add(true, {"links/term."}, [](const DesignRow& r) { return fixed(r.design.links_per_terminal(), 3); });
  add(true, {"bisection"}, [](const DesignRow& r) { return fixed(r.bisection(), 4); });
  add(options.measure, {"at least"}, [](const DesignRow& r) {
    return r.measured && r.measured->bisection_bound
               ? fmt::format("{:.4f}", r.measured->bisection_bound->per_terminal)
               : std::string();
  });
  add(options.measure, {"distance"}, [](const DesignRow& r) {
    return r.measured ? fmt::format("{:.4f}", r.measured->distances.mean_distance) : std::string();
  });
  add(options.measure, {"tub"}, [](const DesignRow& r) { return fixed(r.tub, 4); });
  add(true, {"throughput <="}, [](const DesignRow& r) { return fixed(r.throughput(), 4); });
  add(true, {"spec", Align::left}, [](const DesignRow& r) { return r.design.spec; });
  return all;
}

template <class Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}

Json json_row(const DesignRow& row, const PriceModel& costs) {
  const Design& d = row.design;
  Json json = {{"family", d.family},
               {"spec", d.spec},
               {"terminals", d.terminals},
               {"room", d.room},
               {"routers", d.routers},
               {"cables", d.cables},
               {"radix", d.radix},
               {"diameter", or_null(row.diameter())},
               {"oversubscription", d.oversubscription},
               {"ports_per_terminal", d.ports_per_terminal()},
               {"links_per_terminal", d.links_per_terminal()},
               {"bisection_per_terminal", or_null(row.bisection())}};
  const Properties* measured = row.measured ? &*row.measured : nullptr;
  json["mean_distance"] = measured != nullptr ? Json(measured->distances.mean_distance) : Json();
  json["bisection_bound_per_terminal"] = measured != nullptr && measured->bisection_bound
                                             ? Json(measured->bisection_bound->per_terminal)
                                             : Json();
  json["tub"] = or_null(row.tub);
  json["throughput_at_most"] = or_null(row.throughput());
  json["switch"] = row.model ? Json(row.model->name) : Json();
  json["switches_price"] = or_null(row.switches_price());
  json["cost"] = or_null(row.cost());
  json["currency"] = row.bill ? Json(costs.currency) : Json();
  json["power"] = or_null(row.power());
  json["racks"] = row.bill ? Json(row.bill->racks) : Json();
  json["cable_metres"] = row.bill ? Json(row.bill->metres) : Json();
  return json;
}

}  // namespace

TextTable design_table(const DesignRows& rows, const DesignOptions& options) {
  const std::vector<DesignColumn> columns = columns_of(options);
  std::vector<TextTable::Column> headings;
  headings.reserve(columns.size());
  for (const DesignColumn& column : columns) headings.push_back(column.column);
  TextTable table(std::move(headings));
  for (const DesignRow& row : rows.rows) {
    std::vector<std::string> cells;
    cells.reserve(columns.size());
    for (const DesignColumn& column : columns) cells.push_back(column.cell(row));
    table.add(std::move(cells));
  }
  return table;
}

Json design_json(const DesignRows& rows, const PriceModel& costs) {
  Json list = Json::array();
  for (const DesignRow& row : rows.rows) {
    list.push_back(json_row(row, costs));
    if (!row.bill) continue;
    Json cables = Json::object();
    for (std::size_t k = 0; k < costs.cables.size(); ++k) cables[costs.cables[k].name] = row.bill->cables[k];
    list.back()["cables_of_a_kind"] = std::move(cables);
  }
  return list;
}

std::string design_csv(const DesignRows& rows, const PriceModel& costs) {
  std::string text;
  const Json first = json_row(rows.rows.front(), costs);
  for (const auto& column : first.items()) text += (text.empty() ? "" : ",") + column.key();
  text += '\n';
  for (const DesignRow& row : rows.rows) {
    std::string line;
    const Json values = json_row(row, costs);
    for (const Json& value : values) line += (line.empty() ? "" : ",") + csv_field(value);
    text += line + '\n';
  }
  return text;
}

}  // namespace unknot::cli
