// SPDX-License-Identifier: Apache-2.0
#include "unknot/reproduce/dfsssp/paper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "unknot/engines/catalogue.hpp"

namespace unknot::dfsssp_paper {

std::string as_published(const std::string& rule) {
  return fmt::format("dfsssp:rule={},empty=0,passes=0,spread=0", rule);
}

std::uint32_t lanes_needed(const Network& network, const std::string& engine, std::uint64_t seed,
                           Progress& progress) {
  EngineRequest request;
  request.virtual_lanes = kMaxLanes;
  request.seed = seed;
  request.threads = 1;
  try {
    return route(network, engine, request, progress).lanes_needed;
  } catch (const RoutingFailure& failure) {
    if (failure.lanes_needed() == 0) throw;
    return failure.lanes_needed();
  }
}

Quantity Spread::quantity() const {
  if (least == greatest) return Quantity::number(least);
  return {fmt::format("{} to {}, mean {:.2f}", least, greatest, mean), least, greatest};
}

Spread spread_of(const std::vector<std::uint32_t>& counts) {
  const auto [least, greatest] = std::minmax_element(counts.begin(), counts.end());
  const double sum = std::accumulate(counts.begin(), counts.end(), 0.0);
  return {*least, *greatest, sum / static_cast<double>(counts.size())};
}

std::vector<TableOneRow> table_one(std::uint64_t most_endpoints) {
  static constexpr std::array<TableOneRow, 7> kRows = {{
      {64, "m=6,w=3", "b=2,n=2", "k=6,n=2", "XGFT(1; 6; 3)", "Kautz(2, 2)", "6-ary 2-tree", 1, 2},
      {128, "m=10,w=5", "b=2,n=2", "k=10,n=2", "XGFT(1; 10; 5)", "Kautz(2, 2)", "10-ary 2-tree", 1, 2},
      {256, "m=16,w=8", "b=2,n=3", "k=16,n=2", "XGFT(1; 16; 8)", "Kautz(2, 3)", "16-ary 2-tree", 1, 2},
      {512, "m=6x6,w=3x3", "b=3,n=3", "k=6,n=3", "XGFT(2; 6,6; 3,3)", "Kautz(3, 3)", "6-ary 3-tree", 2, 3},
      {1024, "m=10x10,w=5x5", "b=3,n=3", "k=10,n=3", "XGFT(2; 10,10; 5,5)", "Kautz(3, 3)", "10-ary 3-tree", 2,
       3},
      {2048, "m=14x14,w=7x7", "b=4,n=3", "k=14,n=3", "XGFT(2; 14,14; 7,7)", "Kautz(4, 3)", "14-ary 3-tree", 2,
       4},
      {4096, "m=18x18,w=9x9", "b=6,n=3", "k=18,n=3", "XGFT(2; 18,18; 9,9)", "Kautz(6, 3)", "18-ary 3-tree", 2,
       6},
  }};
  std::vector<TableOneRow> rows;
  for (const TableOneRow& row : kRows) {
    if (row.endpoints <= most_endpoints) rows.push_back(row);
  }
  return rows;
}

std::string spec_of(const char* family, const char* parameters, std::uint32_t endpoints) {
  return fmt::format("{}:{},terminals={}", family, parameters, endpoints);
}

Parameter most_parameter() {
  return {.name = "most",
          .help = "endpoints of the largest network that is computed",
          .fallback = "4096",
          .min = 64,
          .max = 4096};
}

Parameter samples_parameter() {
  return {.name = "samples",
          .help = "random matchings for each bandwidth",
          .fallback = "1000",
          .min = 2,
          .max = 1000000};
}

Parameter networks_parameter(const std::string& fallback) {
  return {.name = "networks",
          .help = "random networks for each row, seeds from --seed on",
          .fallback = fallback,
          .min = 1,
          .max = 100000};
}

}  // namespace unknot::dfsssp_paper
