// SPDX-License-Identifier: Apache-2.0
#include "unknot/load/channel_load.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>

#include "unknot/network/distances_to.hpp"
#include "unknot/support/bring_near.hpp"
#include "unknot/support/parallel.hpp"
#include "unknot/tables/column_block.hpp"
#include "unknot/tables/forwarding_tree.hpp"

namespace unknot {
namespace {

/// Sums, for one group of destinations after the other, the packets that pass each router.
class LoadCounter {
 public:
  LoadCounter(const Network& network, const ForwardingTable& table, const InNeighbours& neighbours)
      : network_(network),
        table_(table),
        columns_(network),
        distances_(neighbours),
        tree_(network),
        load_(network.channel_count(), 0) {
    for (const ChannelId c : network.channels()) target_.push_back(network.target(c).value);
    for (const RouterId r : network.routers()) first_.push_back(network.out(r).first());
    first_.push_back(network.channel_count());
  }

  void run(std::span<const DestinationPiece> pieces) {
    columns_.load(table_, pieces);
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      distances_.run(pieces[k].router);
      if (!straight(pieces[k], k)) crooked(pieces[k], k);
    }
  }
  [[nodiscard]] const std::vector<std::uint64_t>& load() const { return load_; }

 private:
  /// Shortest paths alone: the order of the search is an order of every tree. False, and nothing is added,
  /// where the piece turns out to be otherwise.
  bool straight(const DestinationPiece& piece, std::size_t index) {
    const std::uint32_t count = piece.count;
    const auto order = distances_.order();
    const auto distance = distances_.distance();
    if (order.size() < network_.router_count()) {
      for (const RouterId r : network_.routers()) {
        if (distance[r.value] == DistancesTo::kUnreached && !network_.terminals_at(r).empty()) return false;
      }
    }
    for (std::uint32_t j = 0; j < count; ++j) {
      if (table_.get(piece.router, TerminalId(piece.first + j)) != ForwardingTable::kHere) return false;
    }
    constexpr std::size_t kAhead = 4;  // routers
    const std::uint16_t* entries = columns_.entries(index);
    start(count);
    for (std::size_t i = order.size(); i-- > 1;) {
      if (i > kAhead) call_row(order[i - kAhead], entries, count);
      const std::uint32_t added = pass_on(order[i], entries, count);
      if (added == count) continue;
      take_back(order[i], entries, count, added);
      while (++i < order.size()) take_back(order[i], entries, count, count);
      return false;
    }
    return true;
  }

  /// Brings near what pass_on() reads of a router.
  void call_row(std::uint32_t router, const std::uint16_t* entries, std::uint32_t count) const {
    const std::size_t at = std::size_t{router} * count;
    bring_near(entries + at, entries + at + count);
    bring_near(packets_.data() + at, packets_.data() + at + count);
    bring_near(target_.data() + first_[router], target_.data() + first_[router + 1]);
    bring_near(load_.data() + first_[router], load_.data() + first_[router + 1]);
  }

  /// One router of straight(): for how many destinations packets went one channel nearer, all but at the
  /// first entry that is otherwise. Pointers are local: so stores cannot change them.
  std::uint32_t pass_on(std::uint32_t router, const std::uint16_t* entries, std::uint32_t count) {
    const std::uint32_t first = first_[router];
    const std::uint32_t degree = first_[router + 1] - first;
    const std::uint32_t* target = target_.data() + first;
    const std::uint32_t* distance = distances_.distance().data();
    const std::uint32_t nearer = distance[router] - 1;
    const std::uint16_t* entry = entries + std::size_t{router} * count;
    std::uint32_t* all = packets_.data();
    const std::uint32_t* here = all + std::size_t{router} * count;
    std::uint64_t* load = load_.data() + first;
    for (std::uint32_t j = 0; j < count; ++j) {
      const std::uint32_t packets = here[j];
      if (packets == 0) continue;  // nothing passes: the entry does not matter
      const std::uint32_t position = entry[j];
      if (position >= degree) return j;
      const std::uint32_t next = target[position];
      if (distance[next] != nearer) return j;
      all[std::size_t{next} * count + j] += packets;
      load[position] += packets;
    }
    return count;
  }

  void take_back(std::uint32_t router, const std::uint16_t* entries, std::uint32_t count,
                 std::uint32_t added) {
    const std::size_t at = std::size_t{router} * count;
    for (std::uint32_t j = 0; j < added; ++j) {
      if (packets_[at + j] != 0) load_[first_[router] + entries[at + j]] -= packets_[at + j];
    }
  }

  void crooked(const DestinationPiece& piece, std::size_t index) {
    for (std::uint32_t j = 0; j < piece.count; ++j) {
      tree_.build(table_, TerminalId(piece.first + j), columns_.entries(index) + j, piece.count);
      start(1);
      for (const std::uint32_t v : tree_.order()) {
        const ChannelId c = tree_.channel(v);
        if (!c.valid() || tree_.fate(v) != ForwardingTree::Fate::delivered) continue;
        packets_[network_.target(c).value] += packets_[v];
        load_[c.value] += packets_[v];
      }
    }
  }

  /// Each router's own packets, for `count` destinations.
  void start(std::uint32_t count) {
    packets_.resize(static_cast<std::size_t>(network_.router_count()) * count);
    for (const RouterId r : network_.routers()) {
      std::fill_n(packets_.begin() + static_cast<std::ptrdiff_t>(r.value) * count, count,
                  network_.terminals_at(r).size());
    }
  }

  const Network& network_;
  const ForwardingTable& table_;
  ColumnBlock columns_;
  DistancesTo distances_;
  ForwardingTree tree_;
  std::vector<std::uint32_t> target_, first_;  // by channel; by router, its first channel
  std::vector<std::uint32_t> packets_;         // router * count + destination of the piece
  std::vector<std::uint64_t> load_;
};

std::vector<std::uint64_t> source_route_load(const Network& network, const SourceRoutes& routes,
                                             std::uint32_t threads) {
  const std::uint32_t terminals = network.terminal_count();
  if (threads == 0) threads = hardware_threads();
  threads = std::max(1U, std::min(threads, terminals));
  std::vector<std::vector<std::uint64_t>> counts(threads);
  parallel_blocks(terminals, 1, threads, [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
    counts[worker].resize(network.channel_count());
    for (TerminalId s(begin); s.value < end; ++s.value) {
      for (const TerminalId d : network.terminals()) {
        if (s == d || !delivers(network, routes, s, d)) continue;
        for (const ChannelId c : routes.route(s, d)) ++counts[worker][c.value];
      }
    }
  });
  std::vector<std::uint64_t> load(network.channel_count(), 0);
  for (const auto& count : counts)
    std::transform(count.begin(), count.end(), load.begin(), load.begin(), std::plus<>());
  return load;
}

}  // namespace

std::vector<std::uint64_t> channel_load(const Network& network, const Routing& routing,
                                        std::uint32_t threads) {
  require_fit(network, routing);
  if (routing.routes() != nullptr) return source_route_load(network, *routing.routes(), threads);
  const InNeighbours neighbours(network);
  const DestinationGroups groups(network);
  if (threads == 0) threads = hardware_threads();
  threads = std::max(1U, std::min(threads, groups.count()));
  std::vector<std::unique_ptr<LoadCounter>> counters(threads);
  parallel_blocks(groups.count(), 1, threads,
                  [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
                    if (!counters[worker])
                      counters[worker] = std::make_unique<LoadCounter>(network, routing.table(), neighbours);
                    for (std::uint32_t g = begin; g < end; ++g) counters[worker]->run(groups.group(g));
                  });
  std::vector<std::uint64_t> load(network.channel_count(), 0);
  for (const auto& counter : counters) {
    if (!counter) continue;
    std::transform(load.begin(), load.end(), counter->load().begin(), load.begin(), std::plus<>());
  }
  return load;
}

LoadStatistics load_statistics(const std::vector<std::uint64_t>& load) {
  LoadStatistics statistics;
  if (load.empty()) return statistics;
  const auto [min, max] = std::minmax_element(load.begin(), load.end());
  statistics.min = *min;
  statistics.max = *max;
  statistics.mean = static_cast<double>(std::accumulate(load.begin(), load.end(), std::uint64_t{0})) /
                    static_cast<double>(load.size());
  statistics.sigma4 = sigma(load, 4);
  return statistics;
}

std::optional<double> largest_load_by_rate(const Network& network, const std::vector<std::uint64_t>& load) {
  double fastest = 0;
  double slowest = 0;  // of those known
  for (const ChannelId c : network.channels()) {
    const double rate = link_rate_gigabits(network.channel_rate(c));
    if (rate == 0) continue;
    fastest = std::max(fastest, rate);
    slowest = slowest == 0 ? rate : std::min(slowest, rate);
  }
  if (fastest == slowest) return std::nullopt;
  double largest = 0;
  for (const ChannelId c : network.channels()) {
    const double rate = link_rate_gigabits(network.channel_rate(c));
    largest = std::max(largest, static_cast<double>(load[c.value]) / (rate == 0 ? fastest : rate));
  }
  return largest;
}

double sigma(const std::vector<std::uint64_t>& load, double k) {
  if (load.empty()) return 0;
  const auto sum = static_cast<double>(std::accumulate(load.begin(), load.end(), std::uint64_t{0}));
  return sigma(load, k, sum / static_cast<double>(load.size()));
}

double sigma(const std::vector<std::uint64_t>& load, double k, double ideal) {
  if (load.empty()) return 0;
  double sum = 0;
  for (const std::uint64_t one : load) sum += std::pow(std::abs(ideal - static_cast<double>(one)), k);
  return std::pow(sum / static_cast<double>(load.size()), 1 / k);
}

}  // namespace unknot
