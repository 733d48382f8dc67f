// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "unknot/routing/orders/masked_trees.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFU;

}  // namespace

/// Adds `change` (modulo 2^32) to every source's count of each channel on its path in the tree at hand.
void MaskedTrees::count_flows(std::uint32_t change) {
  const std::size_t channels = load_.size();
  for (const std::uint32_t source : dag_->order) {
    if (sources_[source] == 0) continue;
    std::uint32_t* const row = source_load_.data() + source_row_[source] * channels;
    for (std::uint32_t r = source; r != dag_->root; r = target_[channel_of(r)]) row[channel_of(r)] += change;
  }
}

/// Pairs of a flow of `flows_` and one it can meet, if the flows leave `from` by channel `entry` and then
/// follow the tree. The tree itself is taken out, so all counted flows go elsewhere.
std::int64_t MaskedTrees::meetings(std::uint32_t from, std::uint32_t entry) const {
  const std::size_t channels = load_.size();
  std::uint32_t channel = first_out_[from] + entry;
  std::int64_t sum = 0;
  for (;;) {
    for (const std::uint32_t source : flows_) {
      const std::int64_t own = std::int64_t{source_load_[source_row_[source] * channels + channel]};
      sum += sources_[source] * (static_cast<std::int64_t>(load_[channel]) - own);
    }
    const std::uint32_t next = target_[channel];
    if (next == dag_->root) return sum;
    channel = channel_of(next);
  }
}

/// Makes `flows_` the sources whose paths come through the router.
void MaskedTrees::list_flows(std::uint32_t router) {
  flows_.clear();
  changes_.clear();  // serves as the list of routers to visit
  changes_.push_back({router, 0, 0});
  for (std::size_t i = 0; i < changes_.size(); ++i) {
    const std::uint32_t at = changes_[i].router;
    if (sources_[at] > 0) flows_.push_back(at);
    for (std::uint32_t x = child_[at]; x != kNone; x = sibling_[x]) changes_.push_back({x, 0, 0});
  }
}

void MaskedTrees::relieve(std::uint32_t position) {
  const std::uint32_t router = dag_->order[position];
  const std::uint32_t end = dag_->first[position + 1];
  list_flows(router);
  std::int64_t least = meetings(router, entry_[router]);
  std::uint32_t best = kNone;
  for (std::uint32_t c = dag_->first[position]; c < end; ++c) {
    if (dag_->entry[c] == entry_[router] || mask_by(c) == 0) continue;
    const std::int64_t met = meetings(router, dag_->entry[c]);
    if (met >= least) continue;
    least = met;
    best = c;
  }
  if (best != kNone) go_over(router, dag_->entry[best], mask_by(best));
}

void MaskedTrees::relieve_at_random(std::uint32_t position, double temperature, Random& random) {
  const std::uint32_t router = dag_->order[position];
  const std::uint32_t begin = dag_->first[position];
  const std::uint32_t candidate = begin + random.below(dag_->first[position + 1] - begin);
  // How much worse chance allows: Metropolis' rule, solved for the difference.
  const double slack = -temperature * std::log(1.0 - random.unit());
  const Mask mask = mask_by(candidate);
  if (dag_->entry[candidate] == entry_[router] || mask == 0) return;
  list_flows(router);
  const std::int64_t most = meetings(router, entry_[router]) + static_cast<std::int64_t>(slack);
  if (meetings(router, dag_->entry[candidate]) < most) go_over(router, dag_->entry[candidate], mask);
}

void MaskedTrees::count_sources() {
  if (!source_load_.empty()) return;
  std::uint32_t rows = 0;
  source_row_.clear();
  for (const std::uint32_t terminals : sources_) source_row_.push_back(terminals > 0 ? rows++ : kNone);
  source_load_.assign(rows * load_.size(), 0);
  for (std::uint32_t t = 0; t < network_.terminal_count(); ++t) {
    load_tree(t);
    count_flows(1);
  }
}

template <class Relieve>
void MaskedTrees::take_each_out(const std::vector<std::uint32_t>& terminals, const Progress& progress,
                                const Relieve& relieve_position) {
  count_sources();
  for (const std::uint32_t terminal : terminals) {
    if (progress.interrupted()) throw Interrupted();
    load_tree(terminal);
    take_out();
    count_flows(0xFFFFFFFFU);
    for (std::uint32_t i = 0; i < dag_->positions(); ++i) {
      if (dag_->first[i + 1] - dag_->first[i] > 1 && below_[dag_->order[i]] > 0) relieve_position(i);
    }
    count_flows(1);
    put_in(terminal);
  }
}

void MaskedTrees::polish(const std::vector<std::uint32_t>& terminals, const Progress& progress) {
  take_each_out(terminals, progress, [&](std::uint32_t i) { relieve(i); });
}

void MaskedTrees::anneal(const std::vector<std::uint32_t>& terminals, double temperature, Random& random,
                         const Progress& progress) {
  take_each_out(terminals, progress, [&](std::uint32_t i) { relieve_at_random(i, temperature, random); });
}

}  // namespace unknot
