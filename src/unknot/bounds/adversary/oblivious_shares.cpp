// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "unknot/bounds/adversary/channel_shares.hpp"
#include "unknot/bounds/adversary/edge_bound.hpp"
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

  [[nodiscard]] std::vector<double> bounds(std::uint32_t threads) const override {
    return bounds_of(threads, [&](ChannelId channel, std::vector<TransportEdge>& edges, EdgeBound& bound_of) {
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
  /// By channel: of(channel, scratch, scratch), or `rest_` where its pairs are not known.
  template <class Of>
  [[nodiscard]] std::vector<double> bounds_of(std::uint32_t threads, const Of& of) const {
    std::vector<double> bound(network_.channel_count(), 0);
    parallel_blocks(network_.channel_count(), 16, threads,
                    [&](std::uint32_t, std::uint32_t begin, std::uint32_t end) {
                      std::vector<TransportEdge> edges;
                      EdgeBound bound_of(sources_, destinations_);
                      for (std::uint32_t c = begin; c < end; ++c)
                        bound[c] = known(ChannelId(c)) ? of(ChannelId(c), edges, bound_of) : rest_[c];
                    });
    return bound;
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

/// Shares that go by way of an intermediate router. With x the shares of shortest paths and n routers, those
/// of Valiant's routing are (sum over m of x(s, m) + sum over m of x(m, d) - 2 x(s, d)) / (n - 2): to every
/// intermediate but s and d, and from it.
class DetourShares : public MinimalShares {
 public:
  DetourShares(const Network& network, std::uint32_t threads, std::uint64_t most_looks)
      : MinimalShares(network, ObliviousPaths::valiant, threads, most_looks) {
    if (paths_.unreachable_pairs() > 0) {
      throw InputError(
          "routing by intermediate routers is taken on where all routers with terminals reach each other "
          "only");
    }
    const std::uint32_t count = paths_.endpoints().count();
    each_ = count > 2 ? 1.0 / (count - 2) : 0;
  }

 protected:
  /// No permutation has more of all detours by a channel together: all sources and destinations at their
  /// best. Met wherever a permutation avoids the pairs next to the channel.
  [[nodiscard]] double all_detours(const std::vector<TransportEdge>& direct) const {
    double sum = 0;
    for (const TransportEdge& edge : direct)
      sum += edge.weight * each_ * (sources_[edge.source].size() + destinations_[edge.destination].size());
    return sum;
  }

  /// One over the intermediates of a pair; 0 where there are none.
  [[nodiscard]] double each() const { return each_; }

  /// Of every pair share(x(s, d), that of its detours), where it is not 0. Sorts `direct`.
  template <class Share>
  void shares_of(std::vector<TransportEdge>& direct, std::vector<TransportEdge>& edges,
                 const Share& share) const {
    const std::size_t count = sources_.size();
    std::vector<double> from(count, 0);
    std::vector<double> to(count, 0);
    for (const TransportEdge& edge : direct) {
      from[edge.source] += edge.weight;
      to[edge.destination] += edge.weight;
    }
    std::sort(direct.begin(), direct.end(), [](const TransportEdge& a, const TransportEdge& b) {
      return a.source != b.source ? a.source < b.source : a.destination < b.destination;
    });
    edges.clear();
    std::vector<double> of_source(count, 0);
    std::size_t at = 0;
    for (std::uint32_t s = 0; s < count; ++s) {
      const std::size_t first = at;
      for (; at < direct.size() && direct[at].source == s; ++at)
        of_source[direct[at].destination] = direct[at].weight;
      for (std::uint32_t d = 0; d < count; ++d) {
        const double x = of_source[d];
        const double taken = share(x, (from[s] + to[d] - 2 * x) * each_);
        if (s != d && taken > kNothing) edges.push_back({s, d, taken});
      }
      for (std::size_t i = first; i < at; ++i) of_source[direct[i].destination] = 0;
    }
  }

 private:
  static constexpr double kNothing = 1e-12;  // what rounding leaves of equal sums
  double each_ = 0;
};

class ValiantShares final : public DetourShares {
 public:
  using DetourShares::DetourShares;

  [[nodiscard]] std::vector<double> bounds(std::uint32_t threads) const override {
    return bounds_of(threads, [&](ChannelId channel, std::vector<TransportEdge>& edges, EdgeBound&) {
      MinimalShares::pairs(channel, edges);
      return all_detours(edges);
    });
  }

  void pairs(ChannelId channel, std::vector<TransportEdge>& edges) const override {
    std::vector<TransportEdge> direct;
    MinimalShares::pairs(channel, direct);
    shares_of(direct, edges, [](double, double detours) { return detours; });
  }
};

/// What UGAL can do at most: x is 1 wherever a shortest path takes the channel, since a packet may choose its
/// first output, and everything after it that we know nothing of; of the intermediates that are drawn each
/// one is taken with the chance at most that it is among them.
class UgalShares final : public DetourShares {
 public:
  UgalShares(const Network& network, std::uint32_t indirect, std::uint32_t threads, std::uint64_t most_looks)
      : DetourShares(network, threads, most_looks), indirect_(indirect) {
    for (const ChannelId c : network.channels()) {
      // Along cables with two directions no way passes a channel, then an intermediate, then the channel
      // again.
      if (!network.reverse(c).valid()) most_ = 2;
    }
    for (double& rest : rest_) {
      if (rest > 0) rest = most_ * network.terminal_count();
    }
  }

  [[nodiscard]] std::vector<double> bounds(std::uint32_t threads) const override {
    TransportProblem none;
    for (const Group& group : sources_) none.supply.push_back(group.size());
    none.demand = none.supply;
    return bounds_of(threads, [&](ChannelId channel, std::vector<TransportEdge>& edges, EdgeBound&) {
      possible(channel, edges);
      // Every unit sent and received has its part in the detours; a pair with a shortest path by the channel
      // has more by what its share exceeds both parts.
      std::vector<double> from(sources_.size(), 0);
      std::vector<double> to(destinations_.size(), 0);
      for (const TransportEdge& edge : edges) {
        from[edge.source] += indirect_ * each();
        to[edge.destination] += indirect_ * each();
      }
      TransportProblem problem = none;
      for (TransportEdge edge : edges) {
        edge.weight = std::min(1.0, most_ - from[edge.source] - to[edge.destination]);
        if (edge.weight > 0) problem.edges.push_back(edge);
      }
      return indirect_ * all_detours(edges) + transport_bound(problem, best_transport(problem).price);
    });
  }

  void pairs(ChannelId channel, std::vector<TransportEdge>& edges) const override {
    std::vector<TransportEdge> direct;
    possible(channel, direct);
    shares_of(direct, edges,
              [&](double x, double detours) { return std::min(most_, x + indirect_ * detours); });
  }

 private:
  void possible(ChannelId channel, std::vector<TransportEdge>& edges) const {
    MinimalShares::pairs(channel, edges);
    for (TransportEdge& edge : edges) edge.weight = 1;
  }

  double indirect_;
  double most_ = 1;  // times that a packet takes a channel
};

void require_size(const Network& network) {
  const std::uint64_t entries = std::uint64_t{network.router_count()} * EndpointRouters(network).count();
  if (entries > kMaxSharePairs) {
    throw InputError(
        fmt::format("the network has {} pairs of a router and one with terminals, at most {} are taken on",
                    entries, kMaxSharePairs));
  }
}

}  // namespace

std::unique_ptr<ChannelShares> oblivious_shares(const Network& network, ObliviousPaths paths,
                                                std::uint32_t threads, std::uint64_t most_looks) {
  require_size(network);
  if (paths == ObliviousPaths::valiant) return std::make_unique<ValiantShares>(network, threads, most_looks);
  return std::make_unique<MinimalShares>(network, paths, threads, most_looks);
}

std::unique_ptr<ChannelShares> ugal_shares(const Network& network, std::uint32_t indirect,
                                           std::uint32_t threads, std::uint64_t most_looks) {
  require_size(network);
  return std::make_unique<UgalShares>(network, indirect, threads, most_looks);
}

}  // namespace unknot
