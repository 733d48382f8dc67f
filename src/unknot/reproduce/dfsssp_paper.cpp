// SPDX-License-Identifier: Apache-2.0
#include "unknot/reproduce/dfsssp_paper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "unknot/routing/catalogue.hpp"

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

Parameter networks_parameter(const std::string& fallback) {
  return {.name = "networks",
          .help = "random networks for each row, seeds from --seed on",
          .fallback = fallback,
          .min = 1,
          .max = 100000};
}

}  // namespace unknot::dfsssp_paper
