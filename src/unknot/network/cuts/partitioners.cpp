// SPDX-License-Identifier: Apache-2.0
#include "unknot/network/cuts/partitioners.hpp"

#include <metis.h>
#include <scotch.h>

#include <cstdio>  // scotch.h names FILE without it
#include <limits>
#include <mutex>

namespace unknot {
namespace {

constexpr double kImbalance = 0.002;  // of the halves; the caller evens them out

/// Rows of a graph as both libraries want them.
template <class Number>
struct Rows {
  explicit Rows(const CutGraph& graph)
      : first(graph.first.begin(), graph.first.end()), weight(graph.weight.begin(), graph.weight.end()) {
    for (const CutGraph::Neighbour& neighbour : graph.neighbours) {
      target.push_back(static_cast<Number>(neighbour.router));
      channels.push_back(static_cast<Number>(neighbour.channels));
    }
  }
  std::vector<Number> first, weight, target, channels;
};

/// Whether there is something to halve, in numbers the libraries hold. Scotch loses memory over a weight of
/// one.
bool fits(const CutGraph& graph) {
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max());
  return graph.weight.size() > 1 && graph.neighbours.size() < kMost && graph.total_weight > 1 &&
         graph.total_weight < kMost;
}

}  // namespace

std::mutex& partitioner_lock() {
  static std::mutex lock;
  return lock;
}

std::vector<std::uint8_t> metis_halves(const CutGraph& graph, std::uint64_t seed) {
  return metis_parts(graph, 2, seed);
}

std::vector<std::uint8_t> metis_parts(const CutGraph& graph, std::uint32_t count, std::uint64_t seed) {
  if (!fits(graph)) return {};
  Rows<idx_t> rows(graph);
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = static_cast<idx_t>(seed % 1'000'000'007);
  options[METIS_OPTION_UFACTOR] = static_cast<idx_t>(kImbalance * 1000);
  options[METIS_OPTION_NITER] = 20;
  options[METIS_OPTION_NCUTS] = 5;
  auto vertices = static_cast<idx_t>(graph.weight.size());
  idx_t constraints = 1;
  auto parts = static_cast<idx_t>(count);
  idx_t cut = 0;
  std::vector<idx_t> part(graph.weight.size());
  const std::scoped_lock one(partitioner_lock());
  if (METIS_PartGraphRecursive(&vertices, &constraints, rows.first.data(), rows.target.data(),
                               rows.weight.data(), nullptr, rows.channels.data(), &parts, nullptr, nullptr,
                               options, &cut, part.data()) != METIS_OK)
    return {};
  return {part.begin(), part.end()};
}

std::vector<std::uint8_t> scotch_halves(const CutGraph& graph, std::uint64_t seed) {
  if (!fits(graph)) return {};
  const Rows<SCOTCH_Num> rows(graph);
  const auto vertices = static_cast<SCOTCH_Num>(graph.weight.size());
  const std::scoped_lock one(partitioner_lock());
  SCOTCH_Graph whole;
  SCOTCH_Graph bound;
  SCOTCH_Strat strategy;
  SCOTCH_Context context;
  SCOTCH_contextInit(&context);
  // one thread: more would make the result depend on their timing
  SCOTCH_contextThreadSpawn(&context, 1, nullptr);
  SCOTCH_contextRandomClone(&context);
  SCOTCH_contextRandomSeed(&context, static_cast<SCOTCH_Num>(seed % 1'000'000'007));
  SCOTCH_contextRandomReset(&context);
  SCOTCH_graphInit(&whole);
  SCOTCH_graphInit(&bound);
  SCOTCH_stratInit(&strategy);
  std::vector<SCOTCH_Num> part(graph.weight.size(), 0);
  const bool done =
      SCOTCH_graphBuild(&whole, 0, vertices, rows.first.data(), rows.first.data() + 1, rows.weight.data(),
                        nullptr, static_cast<SCOTCH_Num>(rows.target.size()), rows.target.data(),
                        rows.channels.data()) == 0 &&
      SCOTCH_contextBindGraph(&context, &whole, &bound) == 0 &&
      SCOTCH_stratGraphMapBuild(&strategy, SCOTCH_STRATQUALITY | SCOTCH_STRATBALANCE, 2, kImbalance) == 0 &&
      SCOTCH_graphPart(&bound, 2, &strategy, part.data()) == 0;
  SCOTCH_stratExit(&strategy);
  SCOTCH_graphExit(&bound);
  SCOTCH_graphExit(&whole);
  SCOTCH_contextExit(&context);
  if (!done) return {};
  return {part.begin(), part.end()};
}

}  // namespace unknot
