// SPDX-License-Identifier: Apache-2.0
#include "unknot/angara/load_program.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

#include "unknot/support/solve/linear_program.hpp"

namespace unknot::angara {
namespace {

constexpr std::uint32_t kNoRow = 0xFFFFFFFFU;

/// Sizes of the duals of the channels' rows, spread over the slots.
std::vector<double> spread(const LinearProgram& program, const std::vector<std::uint32_t>& row_of_slot,
                           double seconds) {
  const LinearProgram::Solution solution = program.solve(seconds);
  std::vector<double> weight;
  if (!solution.optimal) return weight;
  weight.reserve(row_of_slot.size());
  for (const std::uint32_t row : row_of_slot)
    weight.push_back(row == kNoRow ? 0 : std::max(0.0, -solution.dual[row]));
  return weight;
}

/// Channels that translations along rings carry to each other have one number.
std::vector<std::uint32_t> classes(const Torus& torus, std::uint32_t& count) {
  std::vector<std::uint32_t> places;  // weight of each dimension of size 2
  std::uint32_t size = torus.directions();
  for (std::uint32_t d = 0; d < torus.dimensions(); ++d) {
    places.push_back(torus.extent(d) == 2 ? size : 0);
    size *= torus.extent(d) == 2 ? 2 : 1;
  }
  count = size;
  std::vector<std::uint32_t> class_of_slot(torus.slot_count(), kNoRow);
  for (std::uint32_t slot = 0; slot < torus.slot_count(); ++slot) {
    if (torus.next(slot) == Torus::kNone) continue;
    class_of_slot[slot] = torus.direction(slot);
    for (std::uint32_t d = 0; d < torus.dimensions(); ++d)
      class_of_slot[slot] += places[d] * torus.coordinate(slot / torus.directions(), d);
  }
  return class_of_slot;
}

bool at_origin_of_rings(const Torus& torus, std::uint32_t node) {
  for (std::uint32_t d = 0; d < torus.dimensions(); ++d) {
    if (torus.extent(d) != 2 && torus.coordinate(node, d) != 0) return false;
  }
  return true;
}

}  // namespace

std::vector<double> weights_of_program(const System& system, const RouteBalance& balance, double seconds) {
  const Torus& torus = system.torus;
  LinearProgram program;
  std::vector<std::uint32_t> row_of_slot(torus.slot_count(), kNoRow);
  std::vector<LinearProgram::Entry> entries;
  for (std::uint32_t slot = 0; slot < torus.slot_count(); ++slot) {
    if (torus.next(slot) == Torus::kNone) continue;
    // load - maximum <= - fixed load
    row_of_slot[slot] =
        program.add_row(-LinearProgram::kInfinity, -static_cast<double>(balance.fixed_load()[slot]));
    entries.push_back({row_of_slot[slot], -1});
  }
  const std::uint32_t first_pair = program.rows();
  for (std::uint32_t i = 0; i < balance.open_pairs(); ++i) program.add_row(1, 1);
  program.add_column(1, entries);
  balance.for_each_open_route([&](std::uint32_t pair, std::span<const std::uint32_t> slots) {
    entries.assign(1, {first_pair + pair, 1});
    for (const std::uint32_t slot : slots) entries.push_back({row_of_slot[slot], 1});
    program.add_column(0, entries);
  });
  return spread(program, row_of_slot, seconds);
}

std::vector<double> weights_of_folded_program(const System& system, const RouteChoices& choices,
                                              std::uint64_t most_columns, double seconds) {
  const Torus& torus = system.torus;
  const Network& network = torus.network();
  std::uint64_t columns = 0;
  for (const TerminalId s : network.terminals()) {
    if (!at_origin_of_rings(torus, network.router_of(s).value)) continue;
    for (const TerminalId d : network.terminals()) columns += choices.of(s.value, d.value).size();
  }
  if (columns == 0 || columns > most_columns) return {};

  std::uint32_t class_count = 0;
  std::vector<std::uint32_t> row_of_slot = classes(torus, class_count);
  LinearProgram program;
  std::vector<LinearProgram::Entry> entries;
  for (std::uint32_t row = 0; row < class_count; ++row)
    entries.push_back({program.add_row(-LinearProgram::kInfinity, 0), -1});
  program.add_column(1, entries);
  std::vector<double> hops(class_count, 0);
  std::vector<std::uint32_t> touched;
  for (const TerminalId s : network.terminals()) {
    const std::uint32_t node = network.router_of(s).value;
    if (!at_origin_of_rings(torus, node)) continue;
    for (const TerminalId d : network.terminals()) {
      const auto routes = choices.of(s.value, d.value);
      if (routes.empty()) continue;
      const std::uint32_t pair = program.add_row(1, 1);
      for (const RouteCode code : routes) {
        touched.clear();
        walk(torus, node, code, [&](std::uint32_t slot) {
          const std::uint32_t row = row_of_slot[slot];
          if (hops[row] == 0) touched.push_back(row);
          ++hops[row];
        });
        entries.assign(1, {pair, 1});
        for (const std::uint32_t row : touched) {
          entries.push_back({row, hops[row]});
          hops[row] = 0;
        }
        program.add_column(0, entries);
      }
    }
  }
  return spread(program, row_of_slot, seconds);
}

}  // namespace unknot::angara
