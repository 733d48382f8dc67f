// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/priced/tree_program.hpp"

#include <algorithm>
#include <cstddef>

#include "unknot/support/solve/linear_program.hpp"

namespace unknot {
namespace {

constexpr std::size_t kMostRows = 700, kMostColumns = 6000;

}  // namespace

bool program_is_small(const NodeGraph& graph, std::span<const TreeDemand> demands) {
  std::size_t columns = 0;
  for (const TreeDemand& demand : demands) columns += demand.columns.size();
  return graph.arc_count() + demands.size() <= kMostRows && columns <= kMostColumns;
}

std::vector<double> solve_tree_program(const NodeGraph& graph, std::span<TreeDemand> demands) {
  LinearProgram program;
  std::vector<LinearProgram::Entry> entries;
  for (const ArcId a : graph.arcs()) {
    program.add_row(-LinearProgram::kInfinity, 0);
    entries.push_back({a.value, -static_cast<double>(graph.capacity(a))});
  }
  for (const TreeDemand& demand : demands) {
    const auto shares = static_cast<double>(demand.shares);
    program.add_row(shares, shares);
  }
  program.add_column(1, entries);
  for (std::size_t d = 0; d < demands.size(); ++d) {
    for (const TreeDemand::Column& column : demands[d].columns) {
      entries.clear();
      for (const auto& [arc, times] : column.loads) entries.push_back({arc, static_cast<double>(times)});
      entries.push_back({graph.arc_count() + static_cast<std::uint32_t>(d), 1});
      program.add_column(0, entries);
    }
  }
  const LinearProgram::Solution solution = program.solve();
  if (!solution.optimal) return {};
  std::size_t at = 1;
  for (TreeDemand& demand : demands) {
    for (TreeDemand::Column& column : demand.columns) column.amount = std::max(0.0, solution.x[at++]);
  }
  std::vector<double> prices(graph.arc_count());
  for (const ArcId a : graph.arcs()) prices[a.value] = std::max(0.0, -solution.dual[a.value]);
  return prices;
}

}  // namespace unknot
