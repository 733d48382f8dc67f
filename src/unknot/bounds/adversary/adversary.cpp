// SPDX-License-Identifier: Apache-2.0
#include "unknot/bounds/adversary/adversary.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "unknot/bounds/transportation.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parallel.hpp"
#include "unknot/support/random.hpp"

namespace unknot {
namespace {

/// Channels matched side by side before their bounds are compared again: fixed, so that the number of threads
/// changes nothing.
constexpr std::uint32_t kBatch = 8;

struct Matching {
  double load = 0;
  double upper = 0;
  std::uint64_t work = 0;
  std::vector<std::pair<TransportEdge, std::uint32_t>> sent;
};

/// Groups that take part in a channel's pairs, numbered anew.
class Compact {
 public:
  explicit Compact(std::size_t groups) : number_(groups, kNone) {}
  std::uint32_t operator()(std::uint32_t group, const std::vector<ChannelShares::Group>& groups) {
    if (number_[group] == kNone) {
      number_[group] = static_cast<std::uint32_t>(capacity.size());
      capacity.push_back(groups[group].size());
    }
    return number_[group];
  }
  std::vector<std::uint32_t> capacity;

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  std::vector<std::uint32_t> number_;
};

Matching match(const ChannelShares& shares, ChannelId channel) {
  std::vector<TransportEdge> edges;
  shares.pairs(channel, edges);
  Compact sources(shares.sources().size());
  Compact destinations(shares.destinations().size());
  TransportProblem problem;
  problem.edges = edges;
  for (TransportEdge& edge : problem.edges) {
    edge.source = sources(edge.source, shares.sources());
    edge.destination = destinations(edge.destination, shares.destinations());
  }
  problem.supply = std::move(sources.capacity);
  problem.demand = std::move(destinations.capacity);
  const TransportPlan plan = best_transport(problem);
  Matching result;
  result.load = plan.weight;
  result.upper = transport_bound(problem, plan.price);
  result.work = std::uint64_t{problem.edges.size()} * problem.supply.size();
  for (std::size_t e = 0; e < edges.size(); ++e) {
    if (plan.sent[e] > 0) result.sent.emplace_back(edges[e], plan.sent[e]);
  }
  return result;
}

/// Terminals of the groups for the plan, then the others at random.
std::vector<Flow> flows_of(const Network& network, const ChannelShares& shares, const Matching& matching,
                           std::uint64_t seed) {
  std::vector<Flow> flows;
  std::vector<std::uint32_t> used_of_source(shares.sources().size(), 0);
  std::vector<std::uint32_t> used_of_destination(shares.destinations().size(), 0);
  std::vector<bool> sends(network.terminal_count(), false);
  std::vector<bool> receives(network.terminal_count(), false);
  for (const auto& [edge, units] : matching.sent) {
    for (std::uint32_t i = 0; i < units; ++i) {
      const TerminalId s = shares.sources()[edge.source][used_of_source[edge.source]++];
      const TerminalId d = shares.destinations()[edge.destination][used_of_destination[edge.destination]++];
      flows.push_back({s, d});
      sends[s.value] = receives[d.value] = true;
    }
  }
  std::vector<TerminalId> from;
  std::vector<TerminalId> to;
  for (const TerminalId t : network.terminals()) {
    if (!sends[t.value]) from.push_back(t);
    if (!receives[t.value]) to.push_back(t);
  }
  Random random(seed);
  random.shuffle(to);
  for (std::size_t i = 0; i < from.size(); ++i) {
    // whoever drew itself takes the next one's; the last takes the first's where that helps
    if (from[i] == to[i] && from.size() > 1) std::swap(to[i], to[(i + 1) % from.size()]);
  }
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i] != to[i]) flows.push_back({from[i], to[i]});
  }
  return flows;
}

}  // namespace

Adversary find_adversary(const Network& network, const ChannelShares& shares, const AdversaryOptions& options,
                         Progress& progress) {
  const std::vector<double> bound = shares.bounds(options.threads);
  std::vector<std::uint32_t> order(bound.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return bound[a] > bound[b]; });
  Adversary result;
  // what remains of the bound where pairs are not known
  for (const std::uint32_t c : order) {
    if (!shares.known(ChannelId(c))) result.upper = std::max(result.upper, bound[c]);
  }
  std::erase_if(order, [&](std::uint32_t c) { return !shares.known(ChannelId(c)) || bound[c] <= 0; });
  Matching best;
  std::uint64_t work = 0;
  progress.begin("matching", order.size());
  std::size_t next = 0;
  while (next < order.size() && bound[order[next]] > best.load * (1 + 1e-12) && work < options.most_work) {
    if (progress.interrupted()) throw Interrupted();
    const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(kBatch, order.size() - next));
    std::vector<Matching> batch(count);
    parallel_blocks(count, 1, options.threads, [&](std::uint32_t, std::uint32_t begin, std::uint32_t end) {
      for (std::uint32_t i = begin; i < end; ++i) batch[i] = match(shares, ChannelId(order[next + i]));
    });
    for (std::uint32_t i = 0; i < count; ++i) {
      work += batch[i].work;
      result.upper = std::max(result.upper, std::min(batch[i].upper, bound[order[next + i]]));
      if (batch[i].load <= best.load * (1 + 1e-12)) continue;
      result.channel = ChannelId(order[next + i]);
      best = std::move(batch[i]);
    }
    next += count;
    progress.update(next);
  }
  result.matched = static_cast<std::uint32_t>(next);
  if (next < order.size()) result.upper = std::max(result.upper, bound[order[next]]);
  result.upper = std::max(result.upper, best.load);
  if (!shares.sources().empty() && result.upper <= best.load * (1 + 1e-9)) result.upper = best.load;
  result.load = best.load;
  for (const auto& [edge, units] : best.sent) result.worst += units;
  result.flows = flows_of(network, shares, best, options.seed);
  return result;
}

}  // namespace unknot
