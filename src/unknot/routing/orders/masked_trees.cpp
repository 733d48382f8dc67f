// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/orders/masked_trees.hpp"

#include <algorithm>
#include <bit>

#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFU;

}  // namespace

MaskedTrees::MaskedTrees(const Network& network, const std::vector<CoverDag>& dags, const LaneOrders& orders)
    : network_(network),
      dags_(dags),
      orders_(orders),
      routers_(network.router_count()),
      all_(orders.all_lanes()),
      load_(network.channel_count(), 0),
      entry_(routers_),
      position_(routers_),
      mask_(routers_),
      below_(routers_),
      child_(routers_),
      sibling_(routers_),
      distance_(routers_) {
  for (const RouterId r : network.routers()) {
    first_out_.push_back(network.out(r).first());
    sources_.push_back(network.terminals_at(r).size());
  }
  for (const ChannelId c : network.channels()) target_.push_back(network.target(c).value);
  column_.resize(std::size_t{network.terminal_count()} * routers_);
  destination_of_.resize(network.terminal_count());
  std::uint32_t destination = 0;
  for (const CoverDag& dag : dags) {
    for (const TerminalId t : network.terminals_at(RouterId(dag.root)))
      destination_of_[t.value] = destination;
    ++destination;
  }
}

MaskedTrees::MaskedTrees(const Network& network, const std::vector<CoverDag>& dags, const LaneOrders& orders,
                         const std::vector<std::uint16_t>& entries)
    : MaskedTrees(network, dags, orders) {
  for (const TerminalId t : network.terminals()) {
    const std::uint16_t* const tree = entries.data() + std::size_t{destination_of_[t.value]} * routers_;
    std::copy_n(tree, routers_, column_.data() + std::size_t{t.value} * routers_);
    load_tree(t.value);
    put_in(t.value);
  }
}

MaskedTrees::MaskedTrees(const Network& network, const std::vector<CoverDag>& dags, const LaneOrders& orders,
                         const ForwardingTable& table)
    : MaskedTrees(network, dags, orders) {
  for (const TerminalId t : network.terminals()) {
    std::uint16_t* const column = column_.data() + std::size_t{t.value} * routers_;
    for (const std::uint32_t router : dags[destination_of_[t.value]].order) {
      column[router] = static_cast<std::uint16_t>(table.get(RouterId(router), t));
    }
    load_tree(t.value);
    put_in(t.value);
  }
}

/// Makes the terminal's tree the one at hand: masks, subtree counts, children.
void MaskedTrees::load_tree(std::uint32_t terminal) {
  dag_ = &dags_[destination_of_[terminal]];
  const std::uint16_t* const column = column_.data() + std::size_t{terminal} * routers_;
  std::copy_n(column, routers_, entry_.data());
  std::copy(sources_.begin(), sources_.end(), below_.begin());
  const LaneOrders::Mask* const allowed = orders_.allowed().data();
  child_[dag_->root] = kNone;
  distance_[dag_->root] = 0;
  mask_[dag_->root] = all_;
  for (std::uint32_t i = 0; i < dag_->positions(); ++i) {
    const std::uint32_t router = dag_->order[i];
    position_[router] = i;
    child_[router] = kNone;
    const std::uint32_t channel = channel_of(router);
    const std::uint32_t next = target_[channel];
    sibling_[router] = child_[next];
    child_[next] = router;
    mask_[router] =
        next == dag_->root ? all_ : mask_[next] & allowed[orders_.first_turn(channel) + entry_[next]];
  }
  for (std::uint32_t i = dag_->positions(); i-- > 0;) {
    const std::uint32_t router = dag_->order[i];
    below_[target_[channel_of(router)]] += below_[router];
  }
}

void MaskedTrees::take_out() {
  for (const std::uint32_t router : dag_->order) load_[channel_of(router)] -= below_[router];
}

void MaskedTrees::put_in(std::uint32_t terminal) {
  std::copy(sources_.begin(), sources_.end(), below_.begin());
  for (std::uint32_t i = dag_->positions(); i-- > 0;) {
    const std::uint32_t router = dag_->order[i];
    const std::uint32_t channel = channel_of(router);
    load_[channel] += below_[router];
    below_[target_[channel]] += below_[router];
  }
  std::copy_n(entry_.data(), routers_,
              column_.begin() + static_cast<std::ptrdiff_t>(std::size_t{terminal} * routers_));
}

/// Lanes of the path by a candidate of the tree at hand.
MaskedTrees::Mask MaskedTrees::mask_by(std::uint32_t candidate) const {
  const std::uint32_t to = dag_->to[candidate];
  return to == dag_->root ? all_ : mask_[to] & orders_.allowed(dag_->turn[candidate] + entry_[to]);
}

/// Lets `router` start its path with channel `entry`, of the lanes `mask`. Routers behind it whose path would
/// lose its last lane go over to other candidates. False, and nothing changed, where one of them has none.
bool MaskedTrees::go_over(std::uint32_t router, std::uint16_t entry, Mask mask) {
  const LaneOrders::Mask* const allowed = orders_.allowed().data();
  changes_.clear();
  const auto change = [&](std::uint32_t x, std::uint16_t to_entry, Mask to_mask) {
    changes_.push_back({x, entry_[x], mask_[x]});
    entry_[x] = to_entry;
    mask_[x] = to_mask;
  };
  change(router, entry, mask);
  // Changes are by distance, so whatever lies nearer than the router at hand is settled.
  for (std::size_t i = 0; i < changes_.size(); ++i) {  // NOLINT(modernize-loop-convert): it grows meanwhile
    const std::uint32_t parent = changes_[i].router;
    for (std::uint32_t x = child_[parent]; x != kNone; x = sibling_[x]) {
      const Mask now = mask_[parent] & allowed[orders_.first_turn(channel_of(x)) + entry_[parent]];
      if (now == mask_[x]) continue;
      if (now != 0 || below_[x] == 0) {  // nobody's path may lose all
        change(x, entry_[x], now);
        continue;
      }
      const std::uint32_t position = position_[x];
      std::uint64_t least = 0;
      std::uint32_t best = kNone;
      Mask best_mask = 0;
      for (std::uint32_t c = dag_->first[position]; c < dag_->first[position + 1]; ++c) {
        const Mask there = mask_by(c);
        if (there == 0) continue;
        const std::uint64_t weight = load_[first_out_[x] + dag_->entry[c]];
        if (best == kNone || weight < least) {
          least = weight;
          best = c;
          best_mask = there;
        }
      }
      if (best == kNone) {
        for (std::size_t k = changes_.size(); k-- > 0;) {
          entry_[changes_[k].router] = changes_[k].entry;
          mask_[changes_[k].router] = changes_[k].mask;
        }
        return false;
      }
      change(x, dag_->entry[best], best_mask);
    }
  }
  for (const Change& each : changes_) {
    const std::uint32_t from = target_[first_out_[each.router] + each.entry];
    const std::uint32_t to = target_[channel_of(each.router)];
    if (from == to) continue;
    std::uint32_t* link = &child_[from];
    while (*link != each.router) link = &sibling_[*link];
    *link = sibling_[each.router];
    sibling_[each.router] = child_[to];
    child_[to] = each.router;
    const std::uint32_t moved = below_[each.router];
    for (std::uint32_t r = from; r != dag_->root; r = target_[channel_of(r)]) below_[r] -= moved;
    for (std::uint32_t r = to; r != dag_->root; r = target_[channel_of(r)]) below_[r] += moved;
  }
  return true;
}

void MaskedTrees::rebuild() {
  for (std::uint32_t i = 0; i < dag_->positions(); ++i) {
    const std::uint32_t router = dag_->order[i];
    const std::uint32_t begin = dag_->first[i];
    const std::uint32_t end = dag_->first[i + 1];
    const auto weight = [&](std::uint32_t c) {
      return distance_[dag_->to[c]] + load_[first_out_[router] + dag_->entry[c]];
    };
    const std::uint32_t old = channel_of(router);
    std::uint64_t least = distance_[target_[old]] + load_[old];
    const std::uint64_t kept = least;
    // Lighter candidates, lightest first; few are ever tried.
    std::uint64_t beyond = 0;
    std::uint32_t last = kNone;
    while (end - begin > 1 && below_[router] > 0) {
      std::uint32_t best = kNone;
      std::uint64_t best_weight = kept;
      for (std::uint32_t c = begin; c < end; ++c) {
        const std::uint64_t w = weight(c);
        const bool untried = last == kNone || w > beyond || (w == beyond && c > last);
        if (untried && w < best_weight) {
          best_weight = w;
          best = c;
        }
      }
      if (best == kNone) break;
      const Mask mask = mask_by(best);
      if (mask != 0 && go_over(router, dag_->entry[best], mask)) {
        least = best_weight;
        break;
      }
      beyond = best_weight;
      last = best;
    }
    distance_[router] = least;
  }
}

void MaskedTrees::rebalance(const std::vector<std::uint32_t>& terminals, const Progress& progress) {
  source_load_.clear();  // polish() counts anew
  for (const std::uint32_t terminal : terminals) {
    if (progress.interrupted()) throw Interrupted();
    load_tree(terminal);
    take_out();
    const bool shared = load_siblings(terminal, kMoreThanAnyPath);
    rebuild();
    if (shared) load_siblings(terminal, 0 - kMoreThanAnyPath);
    put_in(terminal);
  }
}

/// Adds to the loads of channels that lead to other addresses of the terminal's port, so that it is led to
/// elsewhere. False where it has none.
bool MaskedTrees::load_siblings(std::uint32_t terminal, std::uint64_t more) {
  std::uint32_t first = terminal;
  while (network_.further_address(TerminalId(first))) --first;
  std::uint32_t end = terminal + 1;
  while (end < network_.terminal_count() && network_.further_address(TerminalId(end))) ++end;
  for (std::uint32_t other = first; other < end; ++other) {
    if (other == terminal) continue;
    const std::uint16_t* const column = column_.data() + std::size_t{other} * routers_;
    for (const std::uint32_t router : dag_->order) load_[first_out_[router] + column[router]] += more;
  }
  return end - first > 1;
}

Routing MaskedTrees::routing() const {
  Routing result;
  result.paths = ForwardingTable(network_);
  for (const RouterId r : network_.routers()) {
    for (const TerminalId t : network_.terminals()) {
      const std::uint16_t entry = column_[std::size_t{t.value} * routers_ + r.value];
      if (network_.router_of(t) != r) result.table().set(r, t, entry);
    }
  }
  result.lanes_needed = orders_.lanes();
  result.virtual_lanes = orders_.lanes();
  if (orders_.lanes() == 1) return result;
  result.service_levels = ServiceLevels(network_, ServiceLevels::Rows::by_router);
  const LaneOrders::Mask* const allowed = orders_.allowed().data();
  std::vector<std::uint64_t> paths(orders_.lanes(), 0);
  std::vector<Mask> mask(routers_);
  for (const TerminalId t : network_.terminals()) {
    const CoverDag& dag = dags_[destination_of_[t.value]];
    const std::uint16_t* const column = column_.data() + std::size_t{t.value} * routers_;
    for (const std::uint32_t router : dag.order) {
      const std::uint32_t channel = first_out_[router] + column[router];
      const std::uint32_t next = target_[channel];
      mask[router] =
          next == dag.root ? all_ : mask[next] & allowed[orders_.first_turn(channel) + column[next]];
      if (sources_[router] == 0) continue;
      std::uint32_t lane = kNone;
      for (Mask left = mask[router]; left != 0; left &= static_cast<Mask>(left - 1)) {
        const auto bit = static_cast<std::uint32_t>(std::countr_zero(left));
        if (lane == kNone || paths[bit] < paths[lane]) lane = bit;
      }
      paths[lane] += sources_[router];
      const TerminalId first = network_.terminals_at(RouterId(router))[0];
      result.service_levels.row(result.service_levels.row_of(first))[t.value] =
          static_cast<std::uint8_t>(lane);
    }
  }
  return result;
}

}  // namespace unknot
