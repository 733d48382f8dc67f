// SPDX-License-Identifier: Apache-2.0
#include "unknot/lanes/layer_heuristics.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "unknot/support/random.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kNowhere = 0xFFFFFFFFU;

class LayerBreaker {
 public:
  LayerBreaker(const PathSet& paths, const PathArcs& arcs, BreakRule rule)
      : paths_(paths),
        arcs_(arcs),
        space_(arcs.space()),
        rule_(rule),
        weight_(space_.arc_count(), 0),
        next_weight_(space_.arc_count(), 0),
        users_first_(space_.arc_count() + std::size_t{1}, 0),
        finished_(space_.vertex_count()),
        stack_position_(space_.vertex_count(), kNowhere) {
    result_.layer.assign(paths.size(), 0);
    for (std::uint32_t p = 0; p < paths.size(); ++p) {
      left_ += paths.weight(p);
      for (const std::uint32_t arc : arcs.arcs(p)) {
        weight_[arc] += paths.weight(p);
        ++users_first_[arc + std::size_t{1}];
      }
    }
    for (std::uint32_t arc = 0; arc < space_.arc_count(); ++arc) users_first_[arc + 1] += users_first_[arc];
    users_.resize(users_first_.back());
    std::vector<std::size_t> at(users_first_.begin(), users_first_.end() - 1);
    for (std::uint32_t p = 0; p < paths.size(); ++p) {
      for (const std::uint32_t arc : arcs.arcs(p)) users_[at[arc]++] = p;
    }
  }

  PathLayers run() {
    if (paths_.size() == 0) return result_;
    for (bool moved = true; moved; ++result_.count) {
      moved_ = 0;
      clear_cycles();
      moved = moved_ > 0;
      left_ = moved_;
      weight_.swap(next_weight_);
      std::fill(next_weight_.begin(), next_weight_.end(), 0);
    }
    return std::move(result_);
  }

 private:
  void clear_cycles() {
    std::fill(finished_.begin(), finished_.end(), 0);
    for (std::uint32_t v = 0; v < space_.vertex_count(); ++v) {
      if (finished_[v] != 0) continue;
      push(v);
      while (!stack_.empty()) advance();
    }
  }

  void push(std::uint32_t vertex) {
    stack_position_[vertex] = static_cast<std::uint32_t>(stack_.size());
    stack_.push_back(vertex);
  }

  void pop() {
    stack_position_[stack_.back()] = kNowhere;
    stack_.pop_back();
    if (!edge_.empty()) edge_.pop_back();
  }

  void advance() {
    const std::uint32_t top = stack_.back();
    for (std::uint32_t arc = space_.out_first(top); arc < space_.out_first(top + 1); ++arc) {
      const std::uint32_t next = space_.head(arc);
      if (weight_[arc] == 0 || finished_[next] != 0) continue;
      if (stack_position_[next] == kNowhere) {
        edge_.push_back(arc);
        push(next);
      } else {
        break_cycle(stack_position_[next], arc);
      }
      return;
    }
    finished_[top] = 1;
    pop();
  }

  void break_cycle(std::uint32_t begin, std::uint32_t closing) {
    edge_.push_back(closing);
    const auto lighter = [this](std::uint32_t a, std::uint32_t b) { return weight_[a] < weight_[b]; };
    const auto first = edge_.begin() + begin;
    const std::uint32_t weakest = *std::min_element(first, edge_.end(), lighter);
    std::uint32_t chosen = weakest;
    if (rule_ == BreakRule::heaviest) chosen = *std::max_element(first, edge_.end(), lighter);
    if (rule_ == BreakRule::first) chosen = *first;
    if (rule_ == BreakRule::closing) chosen = closing;
    // Moving all that is left would move the cycle with it, forever.
    if (weight_[chosen] == left_ - moved_) chosen = weakest;
    edge_.pop_back();
    vanished_ = kNowhere;
    for (std::size_t i = users_first_[chosen]; i < users_first_[chosen + std::size_t{1}]; ++i) {
      if (result_.layer[users_[i]] == result_.count) move(users_[i]);
    }
    while (vanished_ != kNowhere && stack_.size() > vanished_ + std::size_t{1}) pop();
  }

  void move(std::uint32_t path) {
    ++result_.layer[path];
    moved_ += paths_.weight(path);
    for (const std::uint32_t arc : arcs_.arcs(path)) {
      weight_[arc] -= paths_.weight(path);
      next_weight_[arc] += paths_.weight(path);
      if (weight_[arc] != 0) continue;
      const std::uint32_t at = stack_position_[space_.tail(arc)];
      if (at < edge_.size() && at < vanished_ && edge_[at] == arc) vanished_ = at;
    }
  }

  const PathSet& paths_;
  const PathArcs& arcs_;
  const ArcSpace& space_;
  BreakRule rule_;
  std::uint64_t left_ = 0, moved_ = 0;  // weight of the layer at the start, and of what has left it
  std::uint32_t vanished_ = kNowhere;   // stack position of the first arc that lost its last path
  PathLayers result_;
  std::vector<std::uint64_t> weight_, next_weight_;  // by arc: of this layer's paths, of the next one's
  std::vector<std::size_t> users_first_;
  std::vector<std::uint32_t> users_;           // paths of each arc
  std::vector<std::uint8_t> finished_;         // by vertex
  std::vector<std::uint32_t> stack_position_;  // by vertex
  std::vector<std::uint32_t> stack_, edge_;    // vertices of the search, arcs between them
};

/// First fit that counts its work.
PathLayers first_fit(const PathSet& paths, const PathArcs& arcs, std::span<const std::uint32_t> order,
                     std::uint64_t& steps) {
  PathLayers result;
  result.layer.assign(paths.size(), 0);
  std::vector<std::uint32_t> vertices(arcs.space().vertex_count());
  std::iota(vertices.begin(), vertices.end(), 0U);
  std::vector<AcyclicArcs> layers;
  std::vector<std::uint32_t> added;
  for (const std::uint32_t p : order) {
    for (std::uint32_t l = 0;; ++l) {
      if (l == layers.size()) {
        layers.emplace_back(arcs.space());
        layers.back().restart(vertices);
      }
      added.clear();
      const auto path = arcs.arcs(p);
      const bool fits = std::all_of(path.begin(), path.end(), [&](std::uint32_t arc) {
        if (layers[l].contains(arc)) return true;
        if (!layers[l].add(arc)) return false;
        added.push_back(arc);
        return true;
      });
      if (fits) {
        result.layer[p] = l;
        break;
      }
      for (const std::uint32_t arc : added) layers[l].remove(arc);
    }
  }
  result.count = static_cast<std::uint32_t>(layers.size());
  for (const AcyclicArcs& layer : layers) steps += layer.steps() + arcs.space().arc_count();
  return result;
}

std::uint64_t heaviest_layer(const PathSet& paths, const PathLayers& layers) {
  std::vector<std::uint64_t> weight(layers.count, 0);
  for (std::uint32_t p = 0; p < paths.size(); ++p) weight[layers.layer[p]] += paths.weight(p);
  return weight.empty() ? 0 : *std::max_element(weight.begin(), weight.end());
}

/// The layers' paths one layer after the other, the layers in the order given.
std::vector<std::uint32_t> by_layer(const PathLayers& layers, const std::vector<std::uint32_t>& rank) {
  std::vector<std::uint32_t> order(layers.layer.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return rank[layers.layer[a]] < rank[layers.layer[b]]; });
  return order;
}

}  // namespace

PathLayers layers_by_breaking(const PathSet& paths, const PathArcs& arcs, BreakRule rule) {
  return LayerBreaker(paths, arcs, rule).run();
}

PathLayers layers_by_first_fit(const PathSet& paths, const PathArcs& arcs,
                               std::span<const std::uint32_t> order) {
  std::uint64_t steps = 0;
  return first_fit(paths, arcs, order, steps);
}

PathLayers best_layers(const PathSet& paths, const PathArcs& arcs, const LayerPortfolio& options,
                       const Progress& progress) {
  PathLayers best = layers_by_breaking(paths, arcs, BreakRule::weakest);
  std::uint64_t heaviest = heaviest_layer(paths, best);
  std::uint64_t steps = 0;
  const auto enough = [&] {
    return best.count <= 1 || steps >= options.most_steps || progress.interrupted();
  };
  const auto consider = [&](PathLayers candidate) {
    const std::uint64_t weight = heaviest_layer(paths, candidate);
    if (std::pair(candidate.count, weight) >= std::pair(best.count, heaviest)) return;
    best = std::move(candidate);
    heaviest = weight;
  };
  for (const BreakRule rule : {BreakRule::first, BreakRule::closing, BreakRule::heaviest}) {
    if (!enough()) consider(layers_by_breaking(paths, arcs, rule));
  }
  const auto try_order = [&](const std::vector<std::uint32_t>& order) {
    if (!enough()) consider(first_fit(paths, arcs, order, steps));
  };
  std::vector<std::uint32_t> order(paths.size());
  std::iota(order.begin(), order.end(), 0U);
  try_order(order);
  const auto length = [&](std::uint32_t p) { return paths.path(p).size(); };
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return length(a) < length(b); });
  try_order(order);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return length(a) > length(b); });
  try_order(order);
  Random random(options.seed);
  for (std::uint32_t round = 0; round < options.rounds; ++round) {
    random.shuffle(order);
    try_order(order);
    std::vector<std::uint32_t> rank(best.count);
    std::iota(rank.begin(), rank.end(), 0U);
    if (round == 0) {
      std::reverse(rank.begin(), rank.end());
    } else {
      random.shuffle(rank);
    }
    try_order(by_layer(best, rank));
  }
  return best;
}

}  // namespace unknot
