// SPDX-License-Identifier: Apache-2.0
// Table I: parameters of the artificial networks, and what follows from them.
#include <fmt/format.h>

#include <algorithm>

#include "unknot/reproduce/compare.hpp"
#include "unknot/reproduce/dfsssp/paper.hpp"
#include "unknot/reproduce/experiments.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

using namespace dfsssp_paper;

constexpr std::uint32_t kPorts = 36;  // of a switch: "we assumed the use of 36-port switches"

/// Ports of the switch that needs most, and endpoints of those that carry any.
struct Fit {
  std::uint32_t ports = 0, least = UINT32_MAX, most = 0;
};

Fit fit_of(const Network& network) {
  Fit fit;
  for (const RouterId r : network.routers()) {
    const std::uint32_t endpoints = network.terminals_at(r).size();
    fit.ports = std::max(fit.ports, endpoints + network.out(r).size());
    if (endpoints == 0) continue;
    fit.least = std::min(fit.least, endpoints);
    fit.most = std::max(fit.most, endpoints);
  }
  return fit;
}

Reproduction run_dfsssp_table1(const ExperimentRequest& request, Progress& /*progress*/) {
  Reproduction result;
  result.title = "Parameters of the artificial networks";
  result.text = {
      "Table I gives parameters, the text that switches have 36 ports; both are checked by building each "
      "network. Reading: all nodes of the trees and graphs are switches, endpoints are spread evenly over "
      "the lowest level. XGFT(h; m; w) has h+1 levels of switches. Kautz(b, n) has words of length n: b^n + "
      "b^(n-1) switches and 2b cables at each; words of length n+1 would fit, too, but with a smaller b than "
      "printed. A k-ary n-tree has k^(n-1) leaves, which carry the nominal number of endpoints, not k each."};
  ReproducedTable table{
      "Sizes", {"network", "switches", "cables", "endpoints on a switch", "ports in use"}, {}};
  for (const TableOneRow& row : table_one(request.parameters.number("most"))) {
    const struct {
      const char *family, *parameters, *print;
    } networks[] = {{"xgft", row.xgft, row.xgft_print},
                    {"kautz", row.kautz, row.kautz_print},
                    {"kary-ntree", row.tree, row.tree_print}};
    for (const auto& [family, parameters, print] : networks) {
      const std::string spec = spec_of(family, parameters, row.endpoints);
      const Network network = make_network(spec);
      const Fit fit = fit_of(network);
      result.rows.push_back(
          claim(fmt::format("{} endpoints, {}", row.endpoints, print),
                fmt::format("{} endpoints on switches of {} ports", row.endpoints, kPorts),
                fmt::format("{} endpoints, at most {} ports", network.terminal_count(), fit.ports),
                network.terminal_count() == row.endpoints && fit.ports <= kPorts,
                "as many endpoints, no more ports"));
      table.lines.push_back({fmt::format("`{}`", spec), std::to_string(network.router_count()),
                             std::to_string(network.channel_count() / 2),
                             Quantity::range(fit.least, fit.most).text, std::to_string(fit.ports)});
    }
  }
  result.tables.push_back(std::move(table));
  return result;
}

}  // namespace

Experiment dfsssp_table1_experiment() {
  return {.name = "dfsssp-table1",
          .summary = "sizes of the XGFT, Kautz and k-ary n-tree networks of 64 to 4096 endpoints",
          .paper = dfsssp_paper::kPaper,
          .place = "Table I",
          .typical_seconds = 1,
          .quick = "most=512",
          .parameters = {most_parameter()},
          .run = run_dfsssp_table1};
}

}  // namespace unknot
