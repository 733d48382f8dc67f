// SPDX-License-Identifier: Apache-2.0
#include "unknot/bounds/delivered.hpp"

#include <algorithm>
#include <vector>

#include "unknot/load/flow_load.hpp"
#include "unknot/network/distances_to.hpp"
#include "unknot/oblivious/intermediates.hpp"
#include "unknot/oblivious/paths_to.hpp"
#include "unknot/tables/column_block.hpp"
#include "unknot/tables/forwarding_tree.hpp"
#include "unknot/tables/lane_function.hpp"

namespace unknot {
namespace {

using Flags = std::vector<std::uint8_t>;  // by terminal

void visit_tables(const Network& network, const ForwardingTable& table, const ArrivalVisitor& visit) {
  const DestinationGroups groups(network);
  ColumnBlock columns(network);
  ForwardingTree tree(network);
  Flags arrives(network.terminal_count());
  for (std::uint32_t g = 0; g < groups.count(); ++g) {
    const auto pieces = groups.group(g);
    columns.load(table, pieces);
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      for (std::uint32_t j = 0; j < pieces[k].count; ++j) {
        const TerminalId destination(pieces[k].first + j);
        tree.build(table, destination, columns.entries(k) + j, pieces[k].count);
        for (const TerminalId t : network.terminals()) {
          arrives[t.value] = tree.fate(network.router_of(t).value) == ForwardingTree::Fate::delivered ? 1 : 0;
        }
        visit(destination, arrives);
      }
    }
  }
}

void visit_pairs(const Network& network, const Routing& routing, const ArrivalVisitor& visit) {
  Flags arrives(network.terminal_count());
  std::vector<ChannelId> path;
  const DeliveredPaths paths(network, routing);
  for (const TerminalId d : network.terminals()) {
    for (const TerminalId s : network.terminals()) {
      path.clear();
      arrives[s.value] = s == d || paths.append(s, d, path) ? 1 : 0;
    }
    visit(d, arrives);
  }
}

/// Terminals of one router are reached by the same routers, and by each other without any channel.
template <class Reaches>
void visit_routers(const Network& network, const ArrivalVisitor& visit, const Reaches& reaches) {
  Flags arrives(network.terminal_count());
  for (const RouterId to : network.routers()) {
    if (network.terminals_at(to).empty()) continue;
    const auto from = reaches(to);
    for (const TerminalId t : network.terminals()) {
      const RouterId r = network.router_of(t);
      arrives[t.value] = r == to || from(r) ? 1 : 0;
    }
    for (const TerminalId d : network.terminals_at(to)) visit(d, arrives);
  }
}

/// Adds up what a destination gets. The peak is that of the terminals' sums.
class Sums {
 public:
  explicit Sums(const Network& network) : received_(network.terminal_count()) {}

  void add(TerminalId destination, double weight, bool arrives) {
    if (!arrives) {
      ++part_.lost_flows;
      return;
    }
    part_.total += weight;
    received_[destination.value] += weight;
  }
  [[nodiscard]] DeliveredPart result() const {
    DeliveredPart part = part_;
    for (const double received : received_) part.peak_ejection = std::max(part.peak_ejection, received);
    return part;
  }

 private:
  DeliveredPart part_;
  std::vector<double> received_;
};

}  // namespace

Arrivals arrivals(const Network& network, const Routing& routing) {
  require_fit(network, routing);
  return [&network, &routing](const ArrivalVisitor& visit) {
    if (routing.routes() != nullptr || !routing.further.empty() || lanes_may_drop(network, routing)) {
      visit_pairs(network, routing, visit);
    } else {
      visit_tables(network, routing.table(), visit);
    }
  };
}

Arrivals arrivals(const Network& network, ObliviousPaths paths) {
  if (paths == ObliviousPaths::valiant) {
    return [&network](const ArrivalVisitor& visit) {
      const Intermediates intermediates(network);
      const EndpointRouters& endpoints = intermediates.endpoints();
      visit_routers(network, visit, [&](RouterId to) {
        return [&, d = endpoints.index_of(to)](RouterId from) {
          return intermediates.share(endpoints.index_of(from), d) > 0;
        };
      });
    };
  }
  return [&network](const ArrivalVisitor& visit) {
    const InNeighbours neighbours(network);
    PathsTo search(network, neighbours);
    visit_routers(network, visit, [&](RouterId to) {
      search.run(to);
      return [&search](RouterId from) { return search.distance()[from.value] != PathsTo::kUnreached; };
    });
  };
}

std::uint64_t lost_pairs(const Network& network, const Arrivals& arrivals) {
  std::uint64_t lost = 0;
  arrivals([&](TerminalId destination, std::span<const std::uint8_t> arrives) {
    for (const TerminalId t : network.terminals()) lost += t != destination && arrives[t.value] == 0 ? 1 : 0;
  });
  return lost;
}

DeliveredPart delivered_part(const Network& network, const TrafficPattern& pattern, std::uint64_t seed,
                             std::uint32_t sample, const Arrivals& arrivals) {
  Sums sums(network);
  if (pattern.all_pairs || pattern.uniform_mean) {
    const double each = 1 / std::max(1.0, network.terminal_count() - 1.0);
    arrivals([&](TerminalId d, std::span<const std::uint8_t> arrives) {
      for (const TerminalId s : network.terminals()) {
        if (s != d) sums.add(d, each, arrives[s.value] != 0);
      }
    });
    return sums.result();
  }
  std::vector<Flow> flows;
  pattern.flows(seed, sample, flows);
  std::stable_sort(flows.begin(), flows.end(),
                   [](const Flow& a, const Flow& b) { return a.destination < b.destination; });
  std::size_t next = 0;
  arrivals([&](TerminalId d, std::span<const std::uint8_t> arrives) {
    for (; next < flows.size() && flows[next].destination == d; ++next)
      sums.add(d, flows[next].weight, arrives[flows[next].source.value] != 0);
  });
  return sums.result();
}

}  // namespace unknot
