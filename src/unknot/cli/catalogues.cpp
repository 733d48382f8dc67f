// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/catalogues.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "unknot/cli/schedule_output.hpp"
#include "unknot/collective/catalogue.hpp"
#include "unknot/collective/combining_catalogue.hpp"
#include "unknot/collective/lower_bound.hpp"
#include "unknot/collective/solver.hpp"
#include "unknot/formats/catalogue.hpp"
#include "unknot/oblivious/lane_scheme.hpp"
#include "unknot/reproduce/catalogue.hpp"
#include "unknot/routing/catalogue.hpp"
#include "unknot/simulate/presets.hpp"
#include "unknot/simulate/settings_keys.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"
#include "unknot/traffic/workload_catalogue.hpp"

namespace unknot::cli {
namespace {

std::string uses(const std::string& things, bool reads, bool writes) {
  return fmt::format("{}{}{} {}", reads ? "reads" : "", reads && writes ? " and " : "",
                     writes ? "writes" : "", things);
}

/// The lines of a settings file as one.
std::string settings_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at))
    text.replace(at, 1, ", ");
  return text;
}

std::vector<CatalogueRow> topology_rows() {
  std::vector<CatalogueRow> rows;
  for (const Topology& t : topologies()) rows.push_back({t.name, t.summary, {}, t.parameters, t.examples});
  return rows;
}

std::vector<CatalogueRow> engine_rows() {
  std::vector<CatalogueRow> rows;
  for (const Engine& e : engines()) {
    std::vector<std::string> promises;
    if (e.promise.deadlock_free) promises.emplace_back("free of deadlock");
    if (e.promise.minimal) promises.emplace_back("shortest paths");
    const std::string promise = promises.empty() ? "nothing" : fmt::format("{}", fmt::join(promises, ", "));
    rows.push_back({e.name, e.summary, {{"promises", promise}}, e.parameters, {}});
  }
  return rows;
}

std::vector<CatalogueRow> format_rows() {
  std::vector<CatalogueRow> rows;
  for (const FabricFormat& f : fabric_formats()) {
    rows.push_back({f.name, f.summary, {{"use", uses("fabrics", bool(f.read), bool(f.write))}}, {}, {}});
  }
  for (const TableFormat& f : table_formats()) {
    const char* things = f.holds == TableContent::source_routes ? "source routes"
                         : f.holds == TableContent::either      ? "tables and source routes"
                                                                : "tables";
    rows.push_back({f.name, f.summary, {{"use", uses(things, bool(f.read), bool(f.write))}}, {}, {}});
  }
  for (const ScheduleFormat& f : schedule_formats())
    rows.push_back({f.name, f.summary, {{"use", uses("schedules", f.reads, true)}}, {}, {}});
  return rows;
}

std::vector<CatalogueRow> pattern_rows() {
  std::vector<CatalogueRow> rows;
  for (const Pattern& p : patterns()) rows.push_back({p.name, p.summary, {}, p.parameters, {}});
  return rows;
}

std::vector<CatalogueRow> workload_rows() {
  std::vector<CatalogueRow> rows;
  for (const WorkloadRow& w : workloads()) rows.push_back({w.name, w.summary, {}, w.parameters, {}});
  return rows;
}

std::vector<CatalogueRow> lane_scheme_rows() {
  std::vector<CatalogueRow> rows;
  for (const LaneSchemeRow& s : lane_schemes()) rows.push_back({s.name, s.summary, {}, s.parameters, {}});
  return rows;
}

std::vector<CatalogueRow> preset_rows() {
  std::vector<CatalogueRow> rows;
  for (const simulate::Preset& p : simulate::presets())
    rows.push_back({p.name, p.summary, {{"source", p.source}, {"settings", settings_line(p.text)}}, {}, {}});
  return rows;
}

std::vector<CatalogueRow> setting_rows() {
  std::vector<CatalogueRow> rows;
  for (const simulate::SettingKey& key : simulate::setting_keys()) {
    const Parameter& p = key.parameter;
    rows.push_back({p.name,
                    p.help,
                    {{"takes", simulate::range_text(p)}, {"unit", key.unit}, {"default", *p.fallback}},
                    {},
                    {}});
  }
  return rows;
}

std::vector<CatalogueRow> collective_rows() {
  std::vector<CatalogueRow> rows;
  for (const CollectiveRow& c : collectives()) {
    rows.push_back({c.name, c.summary, {}, {}, {}});
    for (const CombinedRow& combined : combined_collectives()) {
      if (combined.name != c.name || combined.aliases.empty()) continue;
      rows.back().facts.emplace_back("also", fmt::format("{}", fmt::join(combined.aliases, ", ")));
    }
  }
  for (const CombinedRow& c : combined_collectives()) {
    if (c.outcome == Outcome::all_reduce)
      rows.push_back({c.name, c.summary, {{"takes", "--bytes N: it is made of combined messages"}}, {}, {}});
  }
  return rows;
}

std::vector<CatalogueRow> combining_rows() {
  std::vector<CatalogueRow> rows;
  for (const CombiningAlgorithm& a : combining_algorithms())
    rows.push_back({a.name, a.summary, {{"source", a.source}}, {}, {}});
  return rows;
}

std::vector<CatalogueRow> solver_rows() {
  std::vector<CatalogueRow> rows;
  for (const Solver& s : solvers())
    rows.push_back({s.name, s.summary, {{"source", s.source}}, s.parameters, {}});
  return rows;
}

std::vector<CatalogueRow> step_bound_rows() {
  std::vector<CatalogueRow> rows;
  for (const BoundRow& b : step_bounds()) rows.push_back({b.name, b.summary, {{"source", b.source}}, {}, {}});
  return rows;
}

std::vector<CatalogueRow> reproduction_rows() {
  std::vector<CatalogueRow> rows;
  for (const Experiment& e : experiments()) {
    rows.push_back(
        {e.name,
         e.summary,
         {{"paper", e.paper}, {"place", e.place}, {"takes", fmt::format("about {} s", e.typical_seconds)}},
         e.parameters,
         {}});
  }
  return rows;
}

}  // namespace

const std::vector<std::string>& catalogue_names() {
  static const std::vector<std::string> names = {
      "topologies",  "engines",       "patterns", "workloads", "lane-schemes", "formats",  "solvers",
      "collectives", "reproductions", "presets",  "settings",  "step-bounds",  "combining"};
  return names;
}

Catalogue find_catalogue(std::string_view name) {
  if (name == "topologies") return {"topologies", topology_rows(), true};
  if (name == "engines") return {"engines", engine_rows(), true};
  if (name == "patterns") return {"patterns", pattern_rows(), true};
  if (name == "workloads") return {"workloads", workload_rows(), true};
  if (name == "lane-schemes") return {"lane-schemes", lane_scheme_rows(), true};
  if (name == "formats") return {"formats", format_rows(), false};
  if (name == "reproductions") return {"reproductions", reproduction_rows(), true};
  if (name == "presets") return {"presets", preset_rows(), false};
  if (name == "settings") return {"settings", setting_rows(), false};
  if (name == "collectives") return {"collectives", collective_rows(), false};
  if (name == "step-bounds") return {"step-bounds", step_bound_rows(), false};
  if (name == "combining") return {"combining", combining_rows(), false};
  if (name == "solvers") return {"solvers", solver_rows(), true};
  const std::string near = near_names(name, catalogue_names());
  throw InputError(
      fmt::format("there is no catalogue '{}'; {}", name,
                  near.empty() ? fmt::format("there are: {}", fmt::join(catalogue_names(), ", ")) : near));
}

std::string row_names(std::string_view catalogue) {
  std::vector<std::string> names;
  for (const CatalogueRow& row : find_catalogue(catalogue).rows) names.push_back(row.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string kind_name(ParameterKind kind) {
  switch (kind) {
    case ParameterKind::number:
      return "number";
    case ParameterKind::real:
      return "real";
    case ParameterKind::list:
      return "list";
    case ParameterKind::text:
      return "text";
    case ParameterKind::flag:
      return "flag";
    case ParameterKind::rest:
      return "rest";
  }
  return "";
}

std::string parameter_text(const Parameter& parameter) {
  std::string value;
  switch (parameter.kind) {
    case ParameterKind::number:
      value = "=N";
      break;
    case ParameterKind::real:
      value = "=X";
      break;
    case ParameterKind::list:
      value = "=AxBx..";
      break;
    case ParameterKind::text:
      value = parameter.choices.empty() ? "=TEXT" : fmt::format("={}", fmt::join(parameter.choices, "|"));
      break;
    case ParameterKind::flag:
      value = "=0|1";
      break;
    case ParameterKind::rest:
      value = "=TEXT (last)";
      break;
  }
  std::string text = fmt::format("{}{}  {}", parameter.name, value, parameter.help);
  if (!parameter.fallback) {
    text += " (required)";
  } else if (!parameter.fallback->empty()) {
    text += fmt::format(" (default {})", *parameter.fallback);
  }
  return text;
}

}  // namespace unknot::cli
