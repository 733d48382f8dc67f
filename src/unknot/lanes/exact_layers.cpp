// SPDX-License-Identifier: Apache-2.0
#include "unknot/lanes/exact_layers.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "unknot/lanes/arc_levels.hpp"
#include "unknot/lanes/cycle_cuts.hpp"
#include "unknot/support/clock.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::size_t kCutsARound = 1000;
constexpr std::uint32_t kMostCliquePaths = 2000;  // pairs of them are tested

/// What of the paths can matter: arcs that lie on a cycle of all paths together, and of the paths those whose
/// set of such arcs is not part of another's. The others join the layer of a path that holds theirs.
struct Core {
  std::vector<std::vector<std::uint32_t>> arcs;  // by kept path, ascending
  std::vector<std::uint32_t> host;               // by path: kept path whose arcs hold its own; kFree
  static constexpr std::uint32_t kFree = 0xFFFFFFFFU;
};

Core core_of(const PathSet& paths, const PathArcs& arcs) {
  const ArcSpace& space = arcs.space();
  const std::vector<std::uint32_t> part = cyclic_parts(space);
  Core core;
  core.host.assign(paths.size(), Core::kFree);
  std::vector<std::vector<std::uint32_t>> own(paths.size());
  for (std::uint32_t p = 0; p < paths.size(); ++p) {
    for (const std::uint32_t arc : arcs.arcs(p)) {
      const std::uint32_t component = part[space.tail(arc)];
      if (component != ArcSpace::kNone && component == part[space.head(arc)]) own[p].push_back(arc);
    }
    std::sort(own[p].begin(), own[p].end());
  }
  std::vector<std::uint32_t> order(paths.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return own[a].size() > own[b].size(); });
  std::vector<std::vector<std::uint32_t>> kept_by_arc(space.arc_count());
  for (const std::uint32_t p : order) {
    if (own[p].empty()) continue;
    for (const std::uint32_t kept : kept_by_arc[own[p].front()]) {
      if (core.host[p] != Core::kFree) break;
      if (std::includes(core.arcs[kept].begin(), core.arcs[kept].end(), own[p].begin(), own[p].end()))
        core.host[p] = kept;
    }
    if (core.host[p] != Core::kFree) continue;
    core.host[p] = static_cast<std::uint32_t>(core.arcs.size());
    for (const std::uint32_t arc : own[p]) kept_by_arc[arc].push_back(core.host[p]);
    core.arcs.push_back(std::move(own[p]));
  }
  return core;
}

/// Kept paths any two of which close a cycle: none can share a layer. Greedy, most conflicts first.
std::vector<std::uint32_t> conflicting_paths(const ArcSpace& space, const Core& core) {
  const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(core.arcs.size(), kMostCliquePaths));
  std::vector<std::vector<bool>> conflict(count, std::vector<bool>(count, false));
  std::vector<std::uint32_t> degree(count, 0);
  AcyclicArcs set(space);
  for (std::uint32_t a = 0; a < count; ++a) {
    for (const std::uint32_t arc : core.arcs[a]) set.add(arc);
    for (std::uint32_t b = a + 1; b < count; ++b) {
      std::vector<std::uint32_t> added;
      for (const std::uint32_t arc : core.arcs[b]) {
        if (set.contains(arc)) continue;
        if (!set.add(arc)) {
          conflict[a][b] = conflict[b][a] = true;
          break;
        }
        added.push_back(arc);
      }
      for (const std::uint32_t arc : added) set.remove(arc);
      degree[a] += conflict[a][b] ? 1 : 0;
      degree[b] += conflict[a][b] ? 1 : 0;
    }
    for (const std::uint32_t arc : core.arcs[a]) set.remove(arc);
  }
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return degree[a] > degree[b]; });
  std::vector<std::uint32_t> best;
  for (std::uint32_t start = 0; start < std::min(count, 50U); ++start) {
    std::vector<std::uint32_t> clique{order[start]};
    for (const std::uint32_t p : order) {
      if (std::all_of(clique.begin(), clique.end(), [&](auto q) { return conflict[p][q]; }))
        clique.push_back(p);
    }
    if (clique.size() > best.size()) best = std::move(clique);
  }
  return best;
}

class LayerFormula {
 public:
  LayerFormula(const ArcSpace& space, const Core& core, const std::vector<std::uint32_t>& apart,
               std::uint32_t count)
      : space_(space), core_(core), count_(count) {
    in_layer_ = solver_.new_variables(static_cast<std::uint32_t>(core.arcs.size()) * count);
    uses_ = solver_.new_variables(space.arc_count() * count);
    std::vector<int> clause;
    for (std::uint32_t p = 0; p < core.arcs.size(); ++p) {
      clause.clear();
      for (std::uint32_t l = 0; l < count; ++l) {
        clause.push_back(in_layer(p, l));
        for (const std::uint32_t arc : core.arcs[p]) {
          solver_.add_clause(std::vector<int>{-in_layer(p, l), uses(arc, l)});
        }
      }
      solver_.add_clause(clause);
    }
    for (std::uint32_t l = 0; l < apart.size() && l < count; ++l) {
      solver_.add_clause(std::vector<int>{in_layer(apart[l], l)});
    }
  }

  SatAnswer solve(double seconds, const Progress& progress, std::vector<std::uint32_t>& layer) {
    const Clock::time_point start = Clock::now();
    for (;;) {
      const SatAnswer answer = solver_.solve({.seconds = seconds - seconds_since(start)}, progress);
      if (answer != SatAnswer::satisfiable) return answer;
      layer.assign(core_.arcs.size(), 0);
      for (std::uint32_t p = 0; p < core_.arcs.size(); ++p) {
        while (!solver_.value(in_layer(p, layer[p]))) ++layer[p];
      }
      if (!cut_cycles(layer)) return answer;
    }
  }

 private:
  [[nodiscard]] int in_layer(std::uint32_t path, std::uint32_t layer) const {
    return in_layer_ + static_cast<int>(path * count_ + layer);
  }
  [[nodiscard]] int uses(std::uint32_t arc, std::uint32_t layer) const {
    return uses_ + static_cast<int>(arc * count_ + layer);
  }

  /// Forbids the cycles of a solution, in every layer; false where it has none.
  bool cut_cycles(const std::vector<std::uint32_t>& layer) {
    bool cyclic = false;
    for (std::uint32_t l = 0; l < count_; ++l) {
      std::vector<std::uint32_t> used;
      for (std::uint32_t p = 0; p < core_.arcs.size(); ++p) {
        if (layer[p] == l) used.insert(used.end(), core_.arcs[p].begin(), core_.arcs[p].end());
      }
      std::sort(used.begin(), used.end());
      used.erase(std::unique(used.begin(), used.end()), used.end());
      std::vector<std::pair<std::uint32_t, std::uint32_t>> arcs;
      arcs.reserve(used.size());
      for (const std::uint32_t arc : used) arcs.emplace_back(space_.tail(arc), space_.head(arc));
      for (const auto& cycle : short_cycles(space_.vertex_count(), arcs, kCutsARound)) {
        cyclic = true;
        for (std::uint32_t k = 0; k < count_; ++k) {
          std::vector<int> clause;
          for (std::size_t i = 0; i < cycle.size(); ++i) {
            clause.push_back(-uses(space_.find(cycle[i], cycle[(i + 1) % cycle.size()]), k));
          }
          solver_.add_clause(clause);
        }
      }
    }
    return cyclic;
  }

  const ArcSpace& space_;
  const Core& core_;
  std::uint32_t count_;
  SatSolver solver_;
  int in_layer_ = 0, uses_ = 0;  // first variables: of (path, layer), of (arc, layer)
};

/// Layers of all paths from those of the kept ones, without empty layers.
PathLayers spread(const Core& core, const std::vector<std::uint32_t>& layer) {
  std::vector<std::uint32_t> number(
      std::size_t{1} + (layer.empty() ? 0 : *std::max_element(layer.begin(), layer.end())), Core::kFree);
  PathLayers result;
  for (const std::uint32_t host : core.host) {
    const std::uint32_t wanted = host == Core::kFree ? Core::kFree : layer[host];
    if (wanted != Core::kFree && number[wanted] == Core::kFree) number[wanted] = result.count++;
    result.layer.push_back(wanted == Core::kFree ? 0 : number[wanted]);
  }
  result.count = std::max<std::uint32_t>(result.count, core.host.empty() ? 0 : 1);
  return result;
}

}  // namespace

SatAnswer layers_suffice(const PathSet& paths, const PathArcs& arcs, std::uint32_t count, double seconds,
                         const Progress& progress, PathLayers* cover) {
  const Core core = core_of(paths, arcs);
  if (count == 0) return paths.size() == 0 ? SatAnswer::satisfiable : SatAnswer::unsatisfiable;
  const std::vector<std::uint32_t> apart = conflicting_paths(arcs.space(), core);
  if (apart.size() > count) return SatAnswer::unsatisfiable;
  LayerFormula formula(arcs.space(), core, apart, count);
  std::vector<std::uint32_t> layer;
  const SatAnswer answer = formula.solve(seconds, progress, layer);
  if (answer == SatAnswer::satisfiable && cover != nullptr) *cover = spread(core, layer);
  return answer;
}

LayerBounds minimum_layers(const PathSet& paths, const PathArcs& arcs, double seconds,
                           const LayerPortfolio& portfolio, const Progress& progress) {
  const Clock::time_point start = Clock::now();
  LayerBounds bounds;
  bounds.best = best_layers(paths, arcs, portfolio, progress);
  if (paths.size() == 0) return bounds;
  const Core core = core_of(paths, arcs);
  const std::vector<std::uint32_t> apart = conflicting_paths(arcs.space(), core);
  // Paths that close a cycle together need two layers even where no two of them do.
  bounds.lower = std::max<std::uint32_t>(core.arcs.empty() ? 1 : 2, static_cast<std::uint32_t>(apart.size()));
  while (!bounds.proven()) {
    if (progress.interrupted()) throw Interrupted();
    LayerFormula formula(arcs.space(), core, apart, bounds.lower);
    std::vector<std::uint32_t> layer;
    const SatAnswer answer = formula.solve(seconds - seconds_since(start), progress, layer);
    if (answer == SatAnswer::unknown) break;
    if (answer == SatAnswer::unsatisfiable) {
      ++bounds.lower;
    } else {
      bounds.best = spread(core, layer);
    }
  }
  return bounds;
}

}  // namespace unknot
