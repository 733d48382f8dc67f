// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/nue/ordered_trees.hpp"

#include <algorithm>
#include <limits>

#include "unknot/routing/trees/table_block.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kNone = NueTree::kNone;
constexpr std::uint32_t kFar = 0xFFFFFFFFU;

template <class Entry>
class Balancer {
 public:
  Balancer(const Network& network, const OrderedLanes& lanes)
      : network_(network),
        lanes_(lanes),
        load_(network.channel_count(), 0),
        channel_(network.router_count()),
        hops_(network.router_count()),
        distance_(network.router_count()),
        below_(network.router_count()),
        highest_child_(network.router_count()) {
    for (const ChannelId c : network.channels()) {
      source_.push_back(network.source(c).value);
      target_.push_back(network.target(c).value);
    }
    for (const RouterId r : network.routers()) {
      const std::uint64_t here = network.terminals_at(r).size();
      sources_.push_back(here);
      weight_.push_back(here * network.router_count() + 1);
    }
  }

  void run(ForwardingTable& table, std::uint32_t passes, Progress& progress) {
    const std::uint32_t terminals = network_.terminal_count();
    TableBlock<Entry> block(network_.router_count());
    progress.begin("balance", std::uint64_t{terminals} * (passes + std::uint64_t{1}));
    for (std::uint32_t pass = 0; pass <= passes; ++pass) {
      for (std::uint32_t begin = 0; begin < terminals; begin += TableBlock<Entry>::kColumns) {
        const std::uint32_t end = std::min(terminals, begin + TableBlock<Entry>::kColumns);
        block.clear(end - begin);
        if (pass > 0) block.load(table, begin, end);
        for (std::uint32_t d = begin; d < end; ++d) {
          const RouterId root = network_.router_of(TerminalId(d));
          Entry* column = block.column(d - begin);
          if (pass > 0) {
            read(root, column);
            count(false);
          }
          build(root);
          count(true);
          write(column);
        }
        block.store(table, begin, end);
        if (progress.interrupted()) throw Interrupted();
        progress.update(std::uint64_t{pass} * terminals + end);
      }
    }
  }

 private:
  void build(RouterId root) {
    const NueTree& given = lanes_.tree[root.value];
    position_ = lanes_.positions[lanes_.lane[root.value]].data();
    root_ = root.value;
    if (grow() > given.cost) {
      channel_ = given.channel;
      switch_channels();
    }
  }

  /// Breadth first inside the order; returns the cost, the largest number where a router found no channel.
  std::uint64_t grow() {
    std::fill(hops_.begin(), hops_.end(), kFar);
    std::fill(channel_.begin(), channel_.end(), kNone);
    hops_[root_] = 0;
    distance_[root_] = 0;
    order_.assign(1, root_);
    std::uint64_t cost = 0;
    std::uint32_t level_begin = 0;
    for (std::uint32_t h = 0; level_begin < order_.size(); ++h) {
      const auto level_end = static_cast<std::uint32_t>(order_.size());
      for (std::uint32_t i = level_begin; i < level_end; ++i) {
        const std::uint32_t next = order_[i];
        for (const ChannelId c : network_.in(RouterId(next))) {
          const std::uint32_t from = source_[c.value];
          if (hops_[from] <= h || !fits(c.value, next)) continue;
          const std::uint64_t distance = distance_[next] + load_[c.value];
          if (hops_[from] == kFar) {
            hops_[from] = h + 1;
            order_.push_back(from);
            cost += weight_[from] * (h + 1);
          } else if (distance >= distance_[from]) {
            continue;
          }
          distance_[from] = distance;
          channel_[from] = c.value;
        }
      }
      level_begin = level_end;
    }
    // The tree given reaches every router that can be reached.
    const NueTree& given = lanes_.tree[root_];
    for (const RouterId r : network_.routers()) {
      if (hops_[r.value] == kFar && given.channel[r.value] != kNone)
        return std::numeric_limits<std::uint64_t>::max();
    }
    return cost;
  }

  /// Whether the channel may be followed by the one that its target sends to.
  [[nodiscard]] bool fits(std::uint32_t channel, std::uint32_t next) const {
    return next == root_ || position_[channel] < position_[channel_[next]];
  }

  /// Routers from the root outwards take lighter channels to others as near, where all their own children
  /// stay inside the order.
  void switch_channels() {
    list_outward();
    std::fill(highest_child_.begin(), highest_child_.end(), 0);
    for (std::size_t i = 1; i < order_.size(); ++i) {
      const std::uint32_t c = channel_[order_[i]];
      highest_child_[target_[c]] = std::max(highest_child_[target_[c]], position_[c] + 1);
    }
    distance_[root_] = 0;
    for (std::size_t i = 1; i < order_.size(); ++i) {
      const std::uint32_t r = order_[i];
      std::uint32_t best = channel_[r];
      std::uint64_t least = distance_[target_[best]] + load_[best];
      for (const ChannelId c : network_.out(RouterId(r))) {
        const std::uint32_t next = target_[c.value];
        if (hops_[next] + 1 != hops_[r] || position_[c.value] + 1 <= highest_child_[r] ||
            !fits(c.value, next))
          continue;
        const std::uint64_t distance = distance_[next] + load_[c.value];
        if (distance < least) {
          least = distance;
          best = c.value;
        }
      }
      distance_[r] = least;
      channel_[r] = best;
    }
  }

  void list_outward() {
    std::fill(hops_.begin(), hops_.end(), kFar);
    hops_[root_] = 0;
    order_.assign(1, root_);
    for (std::size_t head = 0; head < order_.size(); ++head) {
      const std::uint32_t r = order_[head];
      for (const ChannelId c : network_.in(RouterId(r))) {
        const std::uint32_t from = source_[c.value];
        if (channel_[from] != c.value || hops_[from] != kFar) continue;
        hops_[from] = hops_[r] + 1;
        order_.push_back(from);
      }
    }
  }

  /// Adds the tree to the loads, or takes it out. order_ must be the tree's, each router after its next.
  void count(bool add) {
    std::copy(sources_.begin(), sources_.end(), below_.begin());
    for (std::size_t i = order_.size(); i-- > 1;) {
      const std::uint32_t r = order_[i];
      const std::uint32_t c = channel_[r];
      below_[target_[c]] += below_[r];
      load_[c] = add ? load_[c] + below_[r] : load_[c] - below_[r];
    }
  }

  void read(RouterId root, const Entry* column) {
    root_ = root.value;
    for (const RouterId r : network_.routers()) {
      const Entry entry = column[r.value];
      const bool sends = entry < ForwardingTable::stray<Entry>;
      channel_[r.value] = sends ? network_.out(r).first() + entry : kNone;
    }
    list_outward();
  }

  void write(Entry* column) const {
    for (const RouterId r : network_.routers()) {
      const std::uint32_t c = channel_[r.value];
      column[r.value] =
          c == kNone ? ForwardingTable::none<Entry> : static_cast<Entry>(c - network_.out(r).first());
    }
    column[root_] = ForwardingTable::here<Entry>;
  }

  const Network& network_;
  const OrderedLanes& lanes_;
  std::vector<std::uint32_t> source_, target_;   // by channel
  std::vector<std::uint64_t> sources_, weight_;  // by router
  std::vector<std::uint64_t> load_;              // by channel
  const std::uint32_t* position_ = nullptr;      // by channel, of the lane at hand
  std::uint32_t root_ = 0;
  std::vector<std::uint32_t> channel_, hops_;    // by router: the tree at hand
  std::vector<std::uint64_t> distance_, below_;  // by router: load on the path; sources behind
  std::vector<std::uint32_t> highest_child_;     // by router: highest position of a channel into it, and one
  std::vector<std::uint32_t> order_;             // routers of the tree, nearest first
};

}  // namespace

ForwardingTable balanced_ordered_trees(const Network& network, const OrderedLanes& lanes,
                                       std::uint32_t passes, Progress& progress) {
  ForwardingTable table(network);
  table.with_entry_type(
      [&]<class Entry>(Entry) { Balancer<Entry>(network, lanes).run(table, passes, progress); });
  return table;
}

}  // namespace unknot
