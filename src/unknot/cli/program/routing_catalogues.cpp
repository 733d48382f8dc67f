// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "unknot/cli/command/catalogues.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/formats/fabric/fabric_catalogue.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/oblivious/lane_scheme.hpp"
#include "unknot/routing/rules/rules.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"
#include "unknot/traffic/workloads/workload_catalogue.hpp"

namespace unknot::cli {
namespace {

std::vector<ListedRow> topology_rows() {
  std::vector<ListedRow> rows;
  for (const Topology& t : topologies()) rows.push_back({t.name, t.summary, {}, t.parameters, t.examples});
  return rows;
}

std::vector<ListedRow> engine_rows() {
  std::vector<ListedRow> rows;
  for (const Engine& e : engines()) {
    std::vector<std::string> promises;
    if (e.promise.deadlock_free) promises.emplace_back("deadlock-free");
    if (e.promise.minimal) promises.emplace_back("shortest paths");
    const std::string promise = promises.empty() ? "nothing" : fmt::format("{}", fmt::join(promises, ", "));
    rows.push_back({e.name, e.summary, {{"promises", promise}}, e.parameters, {}});
  }
  return rows;
}

std::vector<ListedRow> pattern_rows() {
  std::vector<ListedRow> rows;
  for (const Pattern& p : patterns()) rows.push_back({p.name, p.summary, {}, p.parameters, {}});
  return rows;
}

std::vector<ListedRow> workload_rows() {
  std::vector<ListedRow> rows;
  for (const WorkloadRow& w : workloads()) rows.push_back({w.name, w.summary, {}, w.parameters, {}});
  return rows;
}

std::vector<ListedRow> lane_scheme_rows() {
  std::vector<ListedRow> rows;
  for (const LaneSchemeRow& s : lane_schemes()) rows.push_back({s.name, s.summary, {}, s.parameters, {}});
  return rows;
}

std::vector<ListedRow> rule_rows() {
  std::vector<ListedRow> rows;
  for (const RuleRow& r : rules()) rows.push_back({r.name, r.summary, {}, r.parameters, {}});
  return rows;
}

std::vector<ListedRow> format_rows() {
  std::vector<ListedRow> rows;
  for (const FabricFormat& f : fabric_formats()) {
    rows.push_back(
        {f.name, f.summary, {{"use", format_use("fabrics", bool(f.read), bool(f.write))}}, {}, {}});
  }
  for (const TableFormat& f : table_formats()) {
    const char* things = f.holds == TableContent::source_routes ? "source routes"
                         : f.holds == TableContent::either      ? "tables and source routes"
                                                                : "tables";
    rows.push_back(
        {f.name, f.summary, {{"use", format_use(things, f.can_be_read(), bool(f.write))}}, {}, {}});
  }
  return rows;
}

}  // namespace

const std::vector<CatalogueSource>& routing_catalogues() {
  static const std::vector<CatalogueSource> sources = {
      {"topologies", true, topology_rows},      {"engines", true, engine_rows},
      {"patterns", true, pattern_rows},         {"workloads", true, workload_rows},
      {"lane-schemes", true, lane_scheme_rows}, {"rules", true, rule_rows},
      {"formats", false, format_rows},
  };
  return sources;
}

}  // namespace unknot::cli
