// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "unknot/network/distances.hpp"
#include "unknot/reproduce/compare.hpp"
#include "unknot/reproduce/diameter2/paper.hpp"
#include "unknot/reproduce/experiments.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

/// Shortest paths between routers at distance two.
struct Diversity {
  double mean = 0, max = 0;
  std::uint64_t multiple = 0;  ///< unordered pairs with more than one
  double most_of_multiple = 0, least_of_multiple = 0;
};

Diversity diversity(const std::string& spec, std::uint32_t threads) {
  const Network network = make_network(spec);
  DistanceOptions options;
  options.threads = threads;
  const DistanceStatistics found = distance_statistics(network, options);
  Diversity result;
  double paths = 0;
  double pairs = 0;
  for (const PathDiversity::Bin& bin : found.paths.bins) {
    paths += bin.first * static_cast<double>(bin.pairs);
    pairs += static_cast<double>(bin.pairs);
    if (bin.first <= 1) continue;
    result.multiple += bin.pairs / 2;
    if (result.least_of_multiple == 0) result.least_of_multiple = bin.first;
    result.most_of_multiple = bin.last;
  }
  // neighbours have the one path that joins them
  const double neighbours = found.pairs_at.size() > 1 ? static_cast<double>(found.pairs_at[1]) : 0;
  result.mean = (paths - neighbours) / (pairs - neighbours);
  result.max = found.paths.max;
  return result;
}

Reproduction run_diameter2_diversity(const ExperimentRequest& request, Progress&) {
  Reproduction result;
  result.title = "Diversity of shortest paths";
  result.text = {
      "Shortest paths between routers with endpoints that are not neighbours. xi is the primitive element of "
      "the "
      "Slim Fly; for q = 23 others give other graphs, with up to 7, 8 or 9 paths and the same mean."};
  const Diversity fly = diversity("slimfly:q=23", request.threads);
  result.rows.push_back(
      compare("Slim Fly q=23, mean", Quantity::number(1.1, 1), Quantity::number(fly.mean, 4)));
  result.rows.push_back(compare("Slim Fly q=23, most", Quantity::number(8), Quantity::number(fly.max)));
  const auto add = [&](const std::string& label, const std::string& spec, double between,
                       std::uint64_t pairs) {
    const Diversity found = diversity(spec, request.threads);
    result.rows.push_back(
        compare(label, Quantity::number(between).derived(), Quantity::number(found.most_of_multiple)));
    result.rows.push_back(claim(label + ", other pairs", "one path",
                                fmt::format("one path, but for {} pairs of {}", found.multiple, spec),
                                found.multiple == pairs && found.least_of_multiple == found.most_of_multiple,
                                ""));
  };
  // h+1 columns of h routers; k(k-1)+1 counterparts
  add("MLFM h=15, routers of a column", "mlfm:15", 15, 16 * 15 * 14 / 2);
  add("OFT k=12, counterparts", "oft:12", 12, 133);
  for (const std::uint32_t xi : {7U, 11U, 15U, 17U}) {
    const Diversity other = diversity(fmt::format("slimfly:q=23,xi={}", xi), request.threads);
    result.rows.push_back(shown(fmt::format("Slim Fly q=23, xi={}, most", xi), Quantity::number(other.max)));
  }
  return result;
}

}  // namespace

Experiment diameter2_diversity_experiment() {
  return {.name = "diameter2-diversity",
          .summary = "shortest paths between routers of Slim Fly, MLFM and OFT",
          .paper = diameter2_paper::kPaper,
          .place = "section 2.3.3",
          .typical_seconds = 1,
          .quick = "",
          .parameters = {},
          .run = run_diameter2_diversity};
}

}  // namespace unknot
