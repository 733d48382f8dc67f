// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/rules/rule_verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "unknot/deadlock/mark_set.hpp"
#include "unknot/network/dependency_slots.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parallel.hpp"
#include "unknot/support/shared_progress.hpp"
#include "unknot/verify/deadlock_proof.hpp"
#include "unknot/verify/dependency_marks.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kMostRuleLanes = 8;
// Instead of hops.
constexpr std::uint32_t kOnTheWay = 0xFFFFFFFFU;
constexpr std::uint32_t kGoesRound = 0xFFFFFFFEU;
constexpr std::uint32_t kGoesAstray = 0xFFFFFFFDU;

/// Columns by number of the terminal at its router, then by router: those of a tree that follow each other
/// then take the same ways up, so that what they touch is still at hand.
struct RuleColumn {
  TerminalId destination;
  std::uint32_t terminals = 0;  // that it speaks for
};

std::vector<RuleColumn> columns_of(const Network& network, std::uint32_t kinds) {
  std::vector<RuleColumn> columns;
  for (std::uint32_t kind = 0; kind < kinds; ++kind) {
    for (const RouterId r : network.routers()) {
      const std::uint32_t here = network.terminals_at(r).size();
      if (kind < here) columns.push_back({network.terminals_at(r)[kind], (here - kind - 1) / kinds + 1});
    }
  }
  return columns;
}

/// Follows columns. Packets for one destination form a tree, as far as they arrive.
template <class Marks>
class RuleWalk {
 public:
  using Mask = typename Marks::Mask;
  RuleWalk(const Network& network, const ForwardingRule& rule, const DependencySlots& slots, Marks& marks)
      : network_(network),
        rule_(rule),
        slots_(slots),
        marks_(marks),
        position_(network.router_count()),
        level_(network.router_count(), 0),
        seen_(network.router_count(), 0),
        hops_(network.router_count()),
        sent_(network.router_count()),
        mask_(network.router_count()) {
    verdict_.load.assign(network.channel_count(), 0);
    for (const RouterId r : network.routers()) {
      sources_.push_back(network.terminals_at(r).size());
      if (sources_.back() > 0) senders_.push_back(r);
    }
  }

  void follow(const RuleColumn& column) {
    const RouterId home = network_.router_of(column.destination);
    rule_.column(column.destination, position_);
    if (rule_.lanes() > 1) rule_.levels(column.destination, level_);
    ++search_;
    arrived_.clear();
    seen_[home.value] = search_;
    hops_[home.value] = 0;
    for (const RouterId source : senders_) {
      find_way(source);
      count(source, home, column.terminals);
    }
    push(home, column.terminals);
  }

  [[nodiscard]] const RuleVerdict& verdict() const { return verdict_; }

 private:
  /// Hops from each router on the way that is not known yet; those that arrive after the ones they go by.
  void find_way(RouterId source) {
    chain_.clear();
    std::uint32_t at = source.value;
    while (seen_[at] != search_) {
      seen_[at] = search_;
      const IdRange<ChannelId> out = network_.out(RouterId(at));
      if (position_[at] >= out.size()) {
        hops_[at] = kGoesAstray;
        break;
      }
      hops_[at] = kOnTheWay;
      chain_.push_back(at);
      at = network_.target(out[position_[at]]).value;
    }
    std::uint32_t hops = hops_[at] == kOnTheWay ? kGoesRound : hops_[at];
    for (std::size_t i = chain_.size(); i-- > 0;) {
      if (hops < kGoesAstray) {
        ++hops;
        arrived_.push_back(chain_[i]);
      }
      const std::uint32_t r = chain_[i];
      hops_[r] = hops;
      sent_[r] = sources_[r];
      const bool sends = sources_[r] > 0 && level_[r] < rule_.lanes();
      mask_[r] = sends ? static_cast<Mask>(1U << level_[r]) : Mask{0};
    }
  }

  void count(RouterId source, RouterId home, std::uint32_t terminals) {
    if (source == home) return;
    const std::uint64_t pairs = std::uint64_t{sources_[source.value]} * terminals;
    const std::uint32_t hops = hops_[source.value];
    if (hops >= kGoesAstray || level_[source.value] >= rule_.lanes()) {
      verdict_.unroutable_pairs += pairs;
      if (hops == kGoesRound) verdict_.looping_pairs += pairs;
      return;
    }
    verdict_.total_hops += pairs * hops;
    verdict_.max_hops = std::max(verdict_.max_hops, hops);
  }

  /// Loads and dependencies, from the leaves of the tree to its root.
  void push(RouterId home, std::uint32_t terminals) {
    for (std::size_t i = arrived_.size(); i-- > 0;) {
      const std::uint32_t r = arrived_[i];
      const ChannelId c = network_.out(RouterId(r))[position_[r]];
      const RouterId next = network_.target(c);
      verdict_.load[c.value] += std::uint64_t{sent_[r]} * terminals;
      if (next == home) {
        marks_.add(slots_.end_slot(c.value), mask_[r]);
        continue;
      }
      sent_[next.value] += sent_[r];
      mask_[next.value] |= mask_[r];
      marks_.add(slots_.slot(c.value, position_[next.value]), mask_[r]);
    }
  }

  const Network& network_;
  const ForwardingRule& rule_;
  const DependencySlots& slots_;
  Marks& marks_;
  std::vector<RouterId> senders_;
  std::vector<std::uint32_t> sources_;   // by router: terminals
  std::vector<std::uint16_t> position_;  // by router: the column
  std::vector<std::uint8_t> level_;      // by router
  std::vector<std::uint32_t> seen_;      // by router: last search that came here
  std::vector<std::uint32_t> hops_;      // by router, of those seen
  std::vector<std::uint32_t> sent_;      // by router: sources whose packets leave it
  std::vector<Mask> mask_;               // by router: lanes of these packets
  std::vector<std::uint32_t> chain_, arrived_;
  std::uint32_t search_ = 0;
  RuleVerdict verdict_;
};

void merge(RuleVerdict& all, const RuleVerdict& one) {
  all.unroutable_pairs += one.unroutable_pairs;
  all.looping_pairs += one.looping_pairs;
  all.max_hops = std::max(all.max_hops, one.max_hops);
  all.total_hops += one.total_hops;
  for (std::size_t c = 0; c < all.load.size(); ++c) all.load[c] += one.load[c];
}

void prove_rule(const Network& network, const DependencyGraph& graph, RuleVerdict& verdict) {
  verdict.dependencies = graph.arc_count();
  verdict.graph_bytes = graph.arc_count() * sizeof(DependencyGraph::Vertex) +
                        graph.vertex_count() * (sizeof(std::uint64_t) + std::uint64_t{1});
  std::vector<bool> carries(graph.lane_count(), false);
  for (std::uint32_t v = 0; v < graph.vertex_count(); ++v) {
    if (graph.used(v)) carries[graph.lane_of(v)] = true;
  }
  verdict.lanes_used = static_cast<std::uint32_t>(std::count(carries.begin(), carries.end(), true));
  const DeadlockProof proof = prove(network, FlowControl::credits, graph);
  verdict.deadlock_free = proof.deadlock_free;
  for (const DependencyGraph::Vertex v : proof.cycle) verdict.cycle.push_back(ChannelId(graph.channel_of(v)));
}

template <class Marks>
RuleVerdict walk_rule(const Network& network, const ForwardingRule& rule, std::uint32_t threads,
                      Progress& progress) {
  constexpr std::uint32_t kBlock = 256;
  const std::vector<RuleColumn> columns = columns_of(network, rule.kinds());
  const auto count = static_cast<std::uint32_t>(columns.size());
  const DependencySlots slots(network);
  // In one array, always: a hash map of a hundred million dependencies is larger, and slow.
  Marks marks(slots.count(), ~std::uint64_t{0});
  if (threads == 0) threads = hardware_threads();
  RuleVerdict verdict;
  {
    std::vector<std::unique_ptr<RuleWalk<Marks>>> workers(threads);
    SharedProgress shared(progress, "following rules", (count + kBlock - 1) / kBlock);
    parallel_blocks(count, kBlock, threads,
                    [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
                      auto& walk = workers[worker];
                      if (!walk) walk = std::make_unique<RuleWalk<Marks>>(network, rule, slots, marks);
                      for (std::uint32_t i = begin; i < end; ++i) walk->follow(columns[i]);
                      shared.step();
                    });
    verdict.load.assign(network.channel_count(), 0);
    for (const auto& walk : workers) {
      if (walk) merge(verdict, walk->verdict());
    }
  }
  const std::uint64_t terminals = network.terminal_count();
  verdict.pairs = terminals == 0 ? 0 : terminals * (terminals - 1);
  verdict.columns = count;
  verdict.mark_bytes = slots.count() / Marks::kKeysPerElement * sizeof(typename Marks::Element);
  if (verdict.unroutable_pairs == 0) prove_rule(network, make_graph(network, slots, marks, 1), verdict);
  return verdict;
}

}  // namespace

RuleVerdict verify_rule(const Network& network, const ForwardingRule& rule, std::uint32_t threads,
                        Progress& progress) {
  if (rule.lanes() > kMostRuleLanes) {
    throw InputError(
        fmt::format("a rule of {} lanes, where at most {} are told apart", rule.lanes(), kMostRuleLanes));
  }
  return rule.lanes() == 1 ? walk_rule<MarkSet<std::uint8_t, true>>(network, rule, threads, progress)
                           : walk_rule<MarkSet<std::uint8_t>>(network, rule, threads, progress);
}

}  // namespace unknot
