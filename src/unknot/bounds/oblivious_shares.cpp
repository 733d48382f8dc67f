// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "unknot/bounds/channel_shares.hpp"
#include "unknot/oblivious/minimal_paths.hpp"
#include "unknot/oblivious/paths_to.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot {
namespace {

/// Endpoint routers by their distance to or from a channel.
struct Nearby {
  std::uint32_t distance;
  std::uint32_t index;  // of the endpoint router
  double paths;
  bool operator<(const Nearby& other) const {
    return distance != other.distance ? distance < other.distance : index < other.index;
  }
};

class MinimalShares : public ChannelShares {
 public:
  MinimalShares(const Network& network, ObliviousPaths paths, std::uint32_t threads, std::uint64_t most_looks)
      : network_(network), neighbours_(network), paths_(network, threads) {
    for (const RouterId r : paths_.endpoints().all()) sources_.push_back(network.terminals_at(r));
    destinations_ = sources_;
    choose(paths, threads, most_looks);
  }

  [[nodiscard]] bool known(ChannelId channel) const override {
    return rest_.empty() || rest_[channel.value] == 0;
  }

  /// The smaller of what sources can send and destinations can receive, each on its best pair.
  [[nodiscard]] std::vector<double> bounds(std::uint32_t threads) const override {
    return bounds_of(threads, [&](ChannelId channel, std::vector<TransportEdge>& edges) {
      pairs(channel, edges);
      return bound_of(edges);
    });
  }

  void pairs(ChannelId channel, std::vector<TransportEdge>& edges) const override {
    edges.clear();
    const RouterId from = network_.source(channel);
    const RouterId to = network_.target(channel);
    PathsTo arrivals(network_, neighbours_);
    arrivals.run(from);
    std::vector<double> number(network_.router_count());
    arrivals.count(number);
    std::vector<Nearby> before;
    std::vector<Nearby> behind;
    const EndpointRouters& endpoints = paths_.endpoints();
    for (std::uint32_t i = 0; i < endpoints.count(); ++i) {
      const RouterId r = endpoints[i];
      if (arrivals.distance()[r.value] != PathsTo::kUnreached)
        before.push_back({arrivals.distance()[r.value], i, number[r.value]});
      if (const std::uint32_t distance = paths_.distance(to, r); distance != MinimalPaths::kUnreached)
        behind.push_back({distance, i, paths_.paths(to, r)});
    }
    std::sort(before.begin(), before.end());
    std::sort(behind.begin(), behind.end());
    for (const Nearby& s : before) {
      for (const Nearby& d : behind) {
        const std::uint32_t through = s.distance + 1 + d.distance;
        if (through > paths_.diameter()) break;
        const RouterId source = endpoints[s.index];
        const RouterId destination = endpoints[d.index];
        if (paths_.distance(source, destination) == through)
          edges.push_back({s.index, d.index, s.paths * d.paths / paths_.paths(source, destination)});
      }
    }
  }

 protected:
  /// By channel: of(channel, scratch), or what is left of uniform traffic where its pairs are not known.
  template <class Of>
  [[nodiscard]] std::vector<double> bounds_of(std::uint32_t threads, const Of& of) const {
    std::vector<double> bound(network_.channel_count(), 0);
    parallel_blocks(network_.channel_count(), 16, threads,
                    [&](std::uint32_t, std::uint32_t begin, std::uint32_t end) {
                      std::vector<TransportEdge> edges;
                      for (std::uint32_t c = begin; c < end; ++c)
                        bound[c] = known(ChannelId(c)) ? of(ChannelId(c), edges) : rest_[c];
                    });
    return bound;
  }

  [[nodiscard]] double bound_of(const std::vector<TransportEdge>& edges) const {
    std::vector<double> out(sources_.size(), 0);
    std::vector<double> in(destinations_.size(), 0);
    for (const TransportEdge& edge : edges) {
      out[edge.source] = std::max(out[edge.source], edge.weight);
      in[edge.destination] = std::max(in[edge.destination], edge.weight);
    }
    double sent = 0;
    double received = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
      sent += out[i] * sources_[i].size();
      received += in[i] * destinations_[i].size();
    }
    return std::min(sent, received);
  }

  /// Where listing the pairs of all channels takes too long, those that carry most of uniform traffic are
  /// looked at. A permutation is part of all pairs at once, which bounds the others.
  void choose(ObliviousPaths paths, std::uint32_t threads, std::uint64_t most_looks) {
    const std::uint64_t channels = network_.channel_count();
    const std::uint64_t each = channels + network_.router_count() + sources_.size() * sources_.size() / 2;
    if (channels * each <= most_looks) return;
    Progress silent;
    const ObliviousLoad uniform =
        oblivious_load(network_, paths, RouterDemand::uniform(network_), threads, silent);
    const double terminals = network_.terminal_count();
    const double most = paths == ObliviousPaths::valiant ? 2 * terminals : terminals;  // once on each half
    for (const double load : uniform.load) {
      // not 0, which stands for channels that are looked at
      rest_.push_back(std::clamp(load * (terminals - 1), 1e-300, most));
    }
    std::vector<std::uint32_t> order(channels);
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return uniform.load[a] > uniform.load[b]; });
    order.resize(std::max<std::uint64_t>(1, most_looks / each));
    for (const std::uint32_t c : order) rest_[c] = 0;
  }

  const Network& network_;
  InNeighbours neighbours_;
  MinimalPaths paths_;
  std::vector<double> rest_;  // by channel: bound where it is not looked at, else 0; empty where all are
};

/// With x the shares of shortest paths and n routers, (sum over m of x(s, m) + sum over m of x(m, d) - 2 x(s,
/// d)) / (n - 2): to every intermediate but s and d, and from it.
class ValiantShares final : public MinimalShares {
 public:
  ValiantShares(const Network& network, std::uint32_t threads, std::uint64_t most_looks)
      : MinimalShares(network, ObliviousPaths::valiant, threads, most_looks) {
    if (paths_.unreachable_pairs() > 0) {
      throw InputError(
          "Valiant's routing is taken on where all routers with terminals reach each other only");
    }
    const std::uint32_t count = paths_.endpoints().count();
    each_ = count > 2 ? 1.0 / (count - 2) : 0;
  }

  /// All sources and destinations at their best; met wherever a permutation avoids the pairs next to the
  /// channel.
  [[nodiscard]] std::vector<double> bounds(std::uint32_t threads) const override {
    return bounds_of(threads, [&](ChannelId channel, std::vector<TransportEdge>& edges) {
      MinimalShares::pairs(channel, edges);
      double sum = 0;
      for (const TransportEdge& edge : edges)
        sum += edge.weight * each_ * (sources_[edge.source].size() + destinations_[edge.destination].size());
      return sum;
    });
  }

  void pairs(ChannelId channel, std::vector<TransportEdge>& edges) const override {
    std::vector<TransportEdge> minimal;
    MinimalShares::pairs(channel, minimal);
    const std::size_t count = sources_.size();
    std::vector<double> from(count, 0);
    std::vector<double> to(count, 0);
    for (const TransportEdge& edge : minimal) {
      from[edge.source] += edge.weight;
      to[edge.destination] += edge.weight;
    }
    // from here on sorted by source
    std::sort(minimal.begin(), minimal.end(), [](const TransportEdge& a, const TransportEdge& b) {
      return a.source != b.source ? a.source < b.source : a.destination < b.destination;
    });
    edges.clear();
    std::vector<double> direct(count, 0);
    std::size_t at = 0;
    for (std::uint32_t s = 0; s < count; ++s) {
      const std::size_t first = at;
      for (; at < minimal.size() && minimal[at].source == s; ++at)
        direct[minimal[at].destination] = minimal[at].weight;
      for (std::uint32_t d = 0; d < count; ++d) {
        const double share = (from[s] + to[d] - 2 * direct[d]) * each_;
        if (s != d && share > kNothing) edges.push_back({s, d, share});
      }
      for (std::size_t i = first; i < at; ++i) direct[minimal[i].destination] = 0;
    }
  }

 private:
  static constexpr double kNothing = 1e-12;  // what rounding leaves of equal sums
  double each_ = 0;
};

}  // namespace

std::unique_ptr<ChannelShares> oblivious_shares(const Network& network, ObliviousPaths paths,
                                                std::uint32_t threads, std::uint64_t most_looks) {
  const std::uint64_t entries = std::uint64_t{network.router_count()} * EndpointRouters(network).count();
  if (entries > kMaxSharePairs) {
    throw InputError(
        fmt::format("the network has {} pairs of a router and one with terminals, at most {} are taken on",
                    entries, kMaxSharePairs));
  }
  if (paths == ObliviousPaths::valiant) return std::make_unique<ValiantShares>(network, threads, most_looks);
  return std::make_unique<MinimalShares>(network, paths, threads, most_looks);
}

}  // namespace unknot
