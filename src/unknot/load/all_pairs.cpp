// SPDX-License-Identifier: Apache-2.0
#include "unknot/load/all_pairs.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "unknot/load/address_spread.hpp"
#include "unknot/load/channel_load.hpp"
#include "unknot/load/flow_load.hpp"
#include "unknot/support/parallel.hpp"
#include "unknot/support/shared_progress.hpp"
#include "unknot/tables/column_block.hpp"
#include "unknot/tables/forwarding_tree.hpp"
#include "unknot/tables/lane_function.hpp"

namespace unknot {
namespace {

struct PairSums {
  double shares = 0;
  std::uint64_t delivered = 0;
};

/// Adds up 1 / (worst load on the path) over the pairs of a group of destinations. Space of one worker.
class PairCounter {
 public:
  PairCounter(const Network& network, const ForwardingTable& table, std::span<const std::uint64_t> load)
      : network_(network),
        table_(table),
        load_(load),
        columns_(network),
        tree_(network),
        worst_(network.router_count()) {}

  PairSums run(std::span<const DestinationPiece> pieces) {
    PairSums sums;
    const std::uint64_t own_cable = network_.terminal_count() - std::uint64_t{1};
    columns_.load(table_, pieces);
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      for (std::uint32_t j = 0; j < pieces[k].count; ++j) {
        tree_.build(table_, TerminalId(pieces[k].first + j), columns_.entries(k) + j, pieces[k].count);
        const auto order = tree_.order();
        for (std::size_t i = order.size(); i-- > 0;) {
          const std::uint32_t v = order[i];
          if (tree_.fate(v) != ForwardingTree::Fate::delivered) continue;
          const ChannelId c = tree_.channel(v);
          worst_[v] = c.valid() ? std::max(worst_[network_.target(c).value], load_[c.value]) : own_cable;
          std::uint64_t pairs = network_.terminals_at(RouterId(v)).size();
          if (RouterId(v) == pieces[k].router) --pairs;
          if (pairs == 0) continue;
          sums.delivered += pairs;
          sums.shares += static_cast<double>(pairs) / static_cast<double>(worst_[v]);
        }
      }
    }
    return sums;
  }

 private:
  const Network& network_;
  const ForwardingTable& table_;
  std::span<const std::uint64_t> load_;
  ColumnBlock columns_;
  ForwardingTree tree_;
  std::vector<std::uint64_t> worst_;  // by router: largest load from there to the destination
};

// Sums by group, added in a fixed order: rounding must not depend on the number of threads.

std::vector<PairSums> sums_of_tables(const Network& network, const Routing& routing,
                                     std::span<const std::uint64_t> load, std::uint32_t threads,
                                     Progress& progress) {
  const DestinationGroups groups(network);
  threads = std::max(1U, std::min(threads, groups.count()));
  std::vector<PairSums> sums(groups.count());
  std::vector<std::unique_ptr<PairCounter>> counters(threads);
  SharedProgress shared(progress, "adding up pairs", groups.count());
  parallel_blocks(groups.count(), 1, threads,
                  [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
                    if (!counters[worker])
                      counters[worker] = std::make_unique<PairCounter>(network, routing.table(), load);
                    for (std::uint32_t g = begin; g < end; ++g) {
                      sums[g] = counters[worker]->run(groups.group(g));
                      shared.step();
                    }
                  });
  return sums;
}

/// Pair by pair: source routes, and tables whose lanes do not carry every pair.
std::vector<PairSums> sums_of_pairs(const Network& network, const Routing& routing,
                                    std::span<const std::uint64_t> load, std::uint32_t threads,
                                    Progress& progress) {
  const std::uint32_t terminals = network.terminal_count();
  threads = std::max(1U, std::min(threads, terminals));
  std::vector<PairSums> sums(terminals);
  SharedProgress shared(progress, "adding up pairs", terminals);
  parallel_blocks(terminals, 1, threads, [&](std::uint32_t, std::uint32_t begin, std::uint32_t end) {
    std::vector<ChannelId> path;
    std::vector<std::size_t> ends;
    const DeliveredPaths paths(network, routing);
    const std::uint64_t cables = (terminals - std::uint64_t{1}) * paths.addresses();
    for (TerminalId s(begin); s.value < end; ++s.value) {
      for (const TerminalId d : network.terminals()) {
        path.clear();
        ends.clear();
        if (s == d || !paths.append(s, d, path, &ends)) continue;
        ++sums[s.value].delivered;
        std::size_t at = 0;
        for (const std::size_t last : ends) {
          std::uint64_t worst = cables;  // on the terminals' own
          for (; at < last; ++at) worst = std::max(worst, load[path[at].value]);
          sums[s.value].shares += 1 / static_cast<double>(worst);  // loads and shares are of all addresses
        }
      }
      shared.step();
    }
  });
  return sums;
}

}  // namespace

std::vector<std::uint64_t> delivered_load(const Network& network, const Routing& routing,
                                          std::uint32_t threads) {
  const DeliveredPaths paths(network, routing);
  if (!paths.may_drop()) {
    return routing.further.empty() ? channel_load(network, routing, threads)
                                   : load_of_addresses(network, routing, threads);
  }
  std::vector<std::uint64_t> load(network.channel_count(), 0);
  std::vector<ChannelId> path;
  for (const TerminalId s : network.terminals()) {
    for (const TerminalId d : network.terminals()) {
      path.clear();
      if (s == d || !paths.append(s, d, path)) continue;
      for (const ChannelId c : path) ++load[c.value];
    }
  }
  return load;
}

Congestion all_pairs_congestion(const Network& network, const Routing& routing, std::uint32_t threads,
                                Progress& progress) {
  const std::vector<std::uint64_t> load = delivered_load(network, routing, threads);
  if (threads == 0) threads = hardware_threads();
  const bool by_pair =
      routing.routes() != nullptr || !routing.further.empty() || lanes_may_drop(network, routing);
  const std::vector<PairSums> sums = by_pair ? sums_of_pairs(network, routing, load, threads, progress)
                                             : sums_of_tables(network, routing, load, threads, progress);
  PairSums total;
  for (const PairSums& one : sums) {
    total.shares += one.shares;
    total.delivered += one.delivered;
  }
  Congestion result;
  const std::uint64_t terminals = network.terminal_count();
  if (terminals < 2) return result;
  const std::uint64_t pairs = terminals * (terminals - 1);
  result.samples = 1;
  result.unroutable_flows = pairs - total.delivered;
  result.effective_bisection_bandwidth = total.shares / static_cast<double>(pairs);
  if (total.delivered == 0) return result;
  std::uint64_t busiest = 0;
  for (const std::uint64_t one : load) busiest = std::max(busiest, one);
  const double addresses = 1 + static_cast<double>(routing.further.size());
  result.max_congestion =
      std::max(static_cast<double>(busiest) / addresses, static_cast<double>(terminals - 1));
  if (result.unroutable_flows == 0) result.throughput = 1 / result.max_congestion;
  return result;
}

}  // namespace unknot
