// SPDX-License-Identifier: Apache-2.0
#include "unknot/slurm/topology/tree_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "unknot/slurm/topology/host_leaves.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot::slurm {
namespace {

/// Hosts of one leaf of the fabric below one leaf of the tree.
struct Cell {
  std::uint32_t at;  ///< among host_leaves()
  std::uint32_t leaf;
  std::uint64_t hosts;
};

std::vector<Cell> cells_of(const std::vector<HostLeaf>& leaves, const TopologyTree& tree) {
  std::map<std::string, std::uint32_t> leaf_of;
  for (std::uint32_t l = 0; l < leaves.size(); ++l)
    for (const std::string& host : leaves[l].hosts) leaf_of.emplace(host, l);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> count;
  std::map<std::string, bool> seen;
  for (std::uint32_t leaf = 0; leaf < tree.switches.size(); ++leaf) {
    for (const std::string& host : tree.switches[leaf].hosts) {
      const auto found = leaf_of.find(host);
      if (found == leaf_of.end())
        throw InputError(fmt::format("the tree has a node {}, and the fabric has none", shown(host)));
      if (!seen.emplace(host, true).second)
        throw InputError(fmt::format("the tree has node {} twice", shown(host)));
      ++count[{found->second, leaf}];
    }
  }
  for (const auto& [host, leaf] : leaf_of) {
    if (!seen.contains(host))
      throw InputError(fmt::format("the fabric has a host {}, and the tree has none", shown(host)));
  }
  std::vector<Cell> cells;
  cells.reserve(count.size());
  for (const auto& [key, hosts] : count) cells.push_back({key.first, key.second, hosts});
  return cells;
}

/// Number of pairs of hosts by the level where they meet, and by their distance.
using Pairs = std::vector<std::vector<std::uint64_t>>;

class PairCounter {
 public:
  PairCounter(const Network& network, const TopologyTree& tree)
      : network_(network),
        tree_(tree),
        parent_(tree.switches.size(), 0),
        leaves_(host_leaves(network)),
        cells_(cells_of(leaves_, tree)) {
    for (std::uint32_t i = 0; i < tree.switches.size(); ++i) {
      for (const std::uint32_t child : tree.switches[i].children) parent_[child] = i;
    }
  }

  Pairs run() {
    Pairs pairs(tree_.switches.back().level + 1);
    std::vector<std::uint32_t> distance;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const Cell& a = cells_[i];
      count(pairs[0], 0, a.hosts * (a.hosts - 1) / 2);
      if (i == 0 || cells_[i - 1].at != a.at) distance = leaf_distances_from(network_, leaves_, a.at);
      for (std::size_t j = i + 1; j < cells_.size(); ++j) {
        const Cell& b = cells_[j];
        count(pairs[meeting_level(a.leaf, b.leaf)], distance[b.at], a.hosts * b.hosts);
      }
    }
    return pairs;
  }

 private:
  static void count(std::vector<std::uint64_t>& row, std::uint32_t distance, std::uint64_t more) {
    if (row.size() <= distance) row.resize(distance + 1, 0);
    row[distance] += more;
  }
  /// Children come before their parents: the smaller number goes up.
  [[nodiscard]] std::uint32_t meeting_level(std::uint32_t a, std::uint32_t b) const {
    while (a != b) (a < b ? a : b) = parent_[std::min(a, b)];
    return tree_.switches[a].level;
  }

  const Network& network_;
  const TopologyTree& tree_;
  std::vector<std::uint32_t> parent_;
  const std::vector<HostLeaf> leaves_;
  const std::vector<Cell> cells_;
};

/// Share of the pairs of pairs that differ in level and in distance where the nearer meets higher up.
double wrong_order(const Pairs& pairs) {
  std::size_t widest = 0;
  for (const auto& row : pairs) widest = std::max(widest, row.size());
  std::vector<double> lower(widest, 0);  // by distance, of the levels below
  double right = 0;
  double wrong = 0;
  for (const auto& row : pairs) {
    for (std::uint32_t d = 0; d < row.size(); ++d) {
      for (std::uint32_t e = 0; e < widest; ++e) {
        if (e < d) right += static_cast<double>(row[d]) * lower[e];
        if (e > d) wrong += static_cast<double>(row[d]) * lower[e];
      }
    }
    for (std::uint32_t d = 0; d < row.size(); ++d) lower[d] += static_cast<double>(row[d]);
  }
  return right + wrong == 0 ? 0 : wrong / (right + wrong);
}

}  // namespace

TreeError tree_error(const Network& network, const TopologyTree& tree) {
  const Pairs pairs = PairCounter(network, tree).run();
  TreeError error;
  double total = 0;
  double sum = 0;
  double squares = 0;
  double within = 0;
  for (const auto& row : pairs) {
    TreeError::Level level;
    double level_sum = 0;
    double level_squares = 0;
    for (std::uint32_t d = 0; d < row.size(); ++d) {
      if (row[d] == 0) continue;
      if (level.pairs == 0) level.min = d;
      level.max = d;
      level.pairs += row[d];
      level_sum += static_cast<double>(row[d]) * d;
      level_squares += static_cast<double>(row[d]) * d * d;
    }
    if (level.pairs > 0) {
      level.mean = level_sum / static_cast<double>(level.pairs);
      within += level_squares - level_sum * level.mean;
    }
    total += static_cast<double>(level.pairs);
    sum += level_sum;
    squares += level_squares;
    error.levels.push_back(level);
  }
  if (total == 0) return error;
  error.rms = std::sqrt(std::max(0.0, within / total));
  error.rms_without_tree = std::sqrt(std::max(0.0, (squares - sum * sum / total) / total));
  error.wrong_order = wrong_order(pairs);
  return error;
}

}  // namespace unknot::slurm
