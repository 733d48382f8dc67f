// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "unknot/bounds/path_sets.hpp"
#include "unknot/cli/command/catalogues.hpp"
#include "unknot/cli/schedules/schedule_output.hpp"
#include "unknot/cli/schedules/schedule_plans.hpp"
#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/collective/combine/combining_catalogue.hpp"
#include "unknot/collective/known/known_algorithm.hpp"
#include "unknot/collective/model/catalogue.hpp"
#include "unknot/collective/solvers/solver.hpp"
#include "unknot/reproduce/catalogue.hpp"
#include "unknot/simulate/settings/presets.hpp"
#include "unknot/simulate/settings/settings_keys.hpp"
#include "unknot/simulate/sources/injection.hpp"

namespace unknot::cli {
namespace {

/// The lines of a settings file as one.
std::string settings_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at))
    text.replace(at, 1, ", ");
  return text;
}

/// Fabrics and tables, and schedules after them.
std::vector<ListedRow> format_rows() {
  const auto routing = std::find_if(routing_catalogues().begin(), routing_catalogues().end(),
                                    [](const CatalogueSource& source) { return source.name == "formats"; });
  std::vector<ListedRow> rows = routing->rows();
  for (const ScheduleFormat& f : schedule_formats())
    rows.push_back({f.name, f.summary, {{"use", format_use("schedules", f.reads, true)}}, {}, {}});
  for (const PlanFormat& f : plan_formats())
    rows.push_back({f.name, f.summary, {{"use", format_use("schedules", false, true)}}, {}, {}});
  return rows;
}

std::vector<ListedRow> preset_rows() {
  std::vector<ListedRow> rows;
  for (const simulate::Preset& p : simulate::presets())
    rows.push_back({p.name, p.summary, {{"source", p.source}, {"settings", settings_line(p.text)}}, {}, {}});
  return rows;
}

std::vector<ListedRow> injection_rows() {
  std::vector<ListedRow> rows;
  for (const simulate::InjectionRow& i : simulate::injections())
    rows.push_back({i.name, i.summary, {{"source", i.source}}, i.parameters, {}});
  return rows;
}

std::vector<ListedRow> setting_rows() {
  std::vector<ListedRow> rows;
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

std::vector<ListedRow> collective_rows() {
  std::vector<ListedRow> rows;
  for (const CollectiveRow& c : collectives()) {
    rows.push_back({c.name, c.summary, {}, {}, {}});
    for (const CombinedRow& combined : combined_collectives()) {
      if (combined.name != c.name || combined.aliases.empty()) continue;
      rows.back().facts.emplace_back("also", fmt::format("{}", fmt::join(combined.aliases, ", ")));
    }
  }
  for (const CombinedRow& c : combined_collectives()) {
    if (c.outcome != Outcome::all_reduce) continue;
    rows.push_back({c.name,
                    c.summary,
                    {{"also", fmt::format("{}", fmt::join(c.aliases, ", "))},
                     {"takes", "--bytes N, as it is made of combined messages, or --goal bandwidth"}},
                    {},
                    {}});
  }
  return rows;
}

std::vector<ListedRow> combining_rows() {
  std::vector<ListedRow> rows;
  for (const CombiningAlgorithm& a : combining_algorithms())
    rows.push_back({a.name, a.summary, {{"source", a.source}}, {}, {}});
  return rows;
}

std::vector<ListedRow> algorithm_rows() {
  std::vector<ListedRow> rows;
  for (const KnownAlgorithm& a : known_algorithms())
    rows.push_back({a.name, a.summary, {{"source", a.source}, {"ranks", a.ranks}}, a.parameters, {}});
  return rows;
}

std::vector<ListedRow> path_set_rows() {
  std::vector<ListedRow> rows;
  for (const PathSetRow& s : path_sets()) rows.push_back({s.name, s.summary, {}, s.parameters, {}});
  return rows;
}

std::vector<ListedRow> solver_rows() {
  std::vector<ListedRow> rows;
  for (const Solver& s : solvers())
    rows.push_back({s.name, s.summary, {{"source", s.source}}, s.parameters, {}});
  return rows;
}

std::vector<ListedRow> step_bound_rows() {
  std::vector<ListedRow> rows;
  for (const BoundRow& b : step_bounds()) rows.push_back({b.name, b.summary, {{"source", b.source}}, {}, {}});
  return rows;
}

std::vector<ListedRow> reproduction_rows() {
  std::vector<ListedRow> rows;
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

const std::vector<CatalogueSource>& catalogues() {
  static const std::vector<CatalogueSource> sources = [] {
    std::vector<CatalogueSource> all = routing_catalogues();
    for (CatalogueSource& source : all) {
      if (source.name == "formats") source.rows = format_rows;
    }
    all.insert(all.end(), {{"solvers", true, solver_rows},
                           {"collectives", false, collective_rows},
                           {"reproductions", true, reproduction_rows},
                           {"presets", false, preset_rows},
                           {"known-algorithms", true, algorithm_rows},
                           {"settings", false, setting_rows},
                           {"step-bounds", false, step_bound_rows},
                           {"combining", false, combining_rows},
                           {"path-sets", true, path_set_rows},
                           {"injections", true, injection_rows}});
    return all;
  }();
  return sources;
}

}  // namespace unknot::cli
