// SPDX-License-Identifier: Apache-2.0
#include "unknot/load/address_spread.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>

#include "unknot/load/channel_load.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot {
namespace {

struct Counts {
  std::uint64_t pairs = 0, different = 0, disjoint = 0;
};

/// The paths of pairs, one after the other.
class Paths {
 public:
  Paths(const Network& network, const Routing& routing)
      : network_(network), tables_{&routing.table()}, taken_(network.channel_count(), 0) {
    for (const Routing& further : routing.further) tables_.push_back(&further.table());
    paths_.resize(tables_.size());
  }

  /// Counts the pair for each terminal of the source router.
  void add(RouterId from, TerminalId to, Counts& counts) {
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      if (!walk(*tables_[i], from, to, paths_[i])) return;
    }
    const std::uint64_t terminals = network_.terminals_at(from).size();
    ++pair_;
    std::uint32_t disjoint = 0;
    std::uint32_t different = 0;
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      const std::vector<ChannelId>& path = paths_[i];
      different += std::find(paths_.begin(), paths_.begin() + static_cast<std::ptrdiff_t>(i), path) ==
                           paths_.begin() + static_cast<std::ptrdiff_t>(i)
                       ? 1
                       : 0;
      if (std::any_of(path.begin(), path.end(), [&](ChannelId c) { return taken_[c.value] == pair_; }))
        continue;
      for (const ChannelId c : path) taken_[c.value] = pair_;
      ++disjoint;
    }
    counts.pairs += terminals;
    counts.different += terminals * different;
    counts.disjoint += terminals * disjoint;
  }

 private:
  /// False where the path does not arrive.
  bool walk(const ForwardingTable& table, RouterId at, TerminalId to, std::vector<ChannelId>& path) const {
    path.clear();
    const RouterId home = network_.router_of(to);
    while (at != home) {
      const ChannelId next = table.next(network_, at, to);
      if (!next.valid() || path.size() > network_.router_count()) return false;
      path.push_back(next);
      at = network_.target(next);
    }
    return true;
  }

  const Network& network_;
  std::vector<const ForwardingTable*> tables_;  // by rank of the address
  std::vector<std::vector<ChannelId>> paths_;   // by rank, of the pair at hand
  std::vector<std::uint64_t> taken_;            // by channel: the last pair with a path that counts
  std::uint64_t pair_ = 0;
};

}  // namespace

AddressSpread address_spread(const Network& network, const Routing& routing, std::uint32_t threads) {
  require_tables(routing, "the spread of addresses");
  const std::uint32_t workers = threads == 0 ? hardware_threads() : threads;
  std::vector<Counts> by_worker(workers);
  std::vector<std::unique_ptr<Paths>> scratch(workers);
  parallel_blocks(network.terminal_count(), 16, threads,
                  [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
                    if (!scratch[worker]) scratch[worker] = std::make_unique<Paths>(network, routing);
                    for (TerminalId to(begin); to.value < end; ++to.value) {
                      for (const RouterId from : network.routers()) {
                        if (from != network.router_of(to) && !network.terminals_at(from).empty())
                          scratch[worker]->add(from, to, by_worker[worker]);
                      }
                    }
                  });
  Counts all;
  for (const Counts& one : by_worker) {
    all.pairs += one.pairs;
    all.different += one.different;
    all.disjoint += one.disjoint;
  }
  AddressSpread spread;
  spread.addresses = static_cast<std::uint32_t>(routing.further.size()) + 1;
  spread.pairs = all.pairs;
  if (all.pairs == 0) return spread;
  spread.different = static_cast<double>(all.different) / static_cast<double>(all.pairs);
  spread.disjoint = static_cast<double>(all.disjoint) / static_cast<double>(all.pairs);
  return spread;
}

std::vector<std::uint64_t> load_of_addresses(const Network& network, const Routing& routing,
                                             std::uint32_t threads) {
  std::vector<std::uint64_t> load = channel_load(network, routing, threads);
  for (const Routing& further : routing.further) {
    const std::vector<std::uint64_t> more = channel_load(network, further, threads);
    for (std::size_t c = 0; c < load.size(); ++c) load[c] += more[c];
  }
  return load;
}

}  // namespace unknot
