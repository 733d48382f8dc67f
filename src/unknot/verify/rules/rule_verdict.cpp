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
        marks_(marks),
        position_(network.router_count()),
        level_(network.router_count(), 0),
        at_(network.router_count()),
        chain_(network.router_count()),
        arrived_(network.router_count()) {
    hops_.reserve(network.channel_count());
    for (const ChannelId c : network.channels())
      hops_.push_back({0, slots.first(c.value), network.target(c).value});
    for (const RouterId r : network.routers()) {
      sources_.push_back(network.terminals_at(r).size());
      if (sources_.back() > 0) senders_.push_back(r.value);
    }
  }

  void follow(const RuleColumn& column) {
    const std::uint32_t home = network_.router_of(column.destination).value;
    rule_.column(column.destination, position_);
    if (rule_.lanes() > 1) rule_.levels(column.destination, level_);
    ++search_;
    arrivals_ = 0;
    at_[home].seen = search_;
    at_[home].hops = 0;
    for (const std::uint32_t source : senders_) {
      if (at_[source].seen != search_) find_way(source);
      if (source != home) count(source, column.terminals);
    }
    push(home, column.terminals);
  }

  /// Adds what was found to that of all workers.
  void add_to(RuleVerdict& all) const {
    all.unroutable_pairs += verdict_.unroutable_pairs;
    all.looping_pairs += verdict_.looping_pairs;
    all.max_hops = std::max(all.max_hops, verdict_.max_hops);
    all.total_hops += verdict_.total_hops;
    for (std::size_t c = 0; c < hops_.size(); ++c) all.load[c] += hops_[c].load;
  }

 private:
  /// All that is known of a channel, together in memory as well.
  struct Hop {
    std::uint64_t load;        // pairs of terminals
    std::uint64_t first_slot;  // of the dependencies on it
    std::uint32_t target;      // router
  };
  /// All that is known of a router in the column at hand, together in memory.
  struct At {
    std::uint32_t seen = 0;  // the search that came here last
    std::uint32_t hops = 0;
    std::uint32_t channel = 0;
    std::uint32_t next = 0;  // router
    std::uint32_t sent = 0;  // sources whose packets leave by the channel
    Mask lanes = 0;          // of these packets
  };

  /// Hops from each router on the way that is not known yet; those that arrive after the ones they go by.
  void find_way(std::uint32_t source) {
    std::uint32_t length = 0;
    std::uint32_t r = source;
    while (at_[r].seen != search_) {
      At& at = at_[r];
      at.seen = search_;
      const IdRange<ChannelId> out = network_.out(RouterId(r));
      if (position_[r] >= out.size()) {
        at.hops = kGoesAstray;
        break;
      }
      at.hops = kOnTheWay;
      at.channel = out.first() + position_[r];
      at.next = hops_[at.channel].target;
      at.sent = sources_[r];
      const bool sends = at.sent > 0 && level_[r] < rule_lanes_;
      at.lanes = sends ? static_cast<Mask>(1U << level_[r]) : Mask{0};
      chain_[length++] = r;
      r = at.next;
    }
    std::uint32_t hops = at_[r].hops == kOnTheWay ? kGoesRound : at_[r].hops;
    while (length > 0) {
      const std::uint32_t back = chain_[--length];
      if (hops < kGoesAstray) {
        ++hops;
        arrived_[arrivals_++] = back;
      }
      at_[back].hops = hops;
    }
  }

  void count(std::uint32_t source, std::uint32_t terminals) {
    const std::uint64_t pairs = std::uint64_t{sources_[source]} * terminals;
    const std::uint32_t hops = at_[source].hops;
    if (hops >= kGoesAstray || level_[source] >= rule_lanes_) {
      verdict_.unroutable_pairs += pairs;
      if (hops == kGoesRound) verdict_.looping_pairs += pairs;
      return;
    }
    verdict_.total_hops += pairs * hops;
    verdict_.max_hops = std::max(verdict_.max_hops, hops);
  }

  /// Loads and dependencies, from the leaves of the tree to its root.
  void push(std::uint32_t home, std::uint32_t terminals) {
    const std::uint32_t end = network_.out(RouterId(home)).size();  // the slot of packets that end
    for (std::uint32_t i = arrivals_; i-- > 0;) {
      const At& at = at_[arrived_[i]];
      Hop& hop = hops_[at.channel];
      hop.load += std::uint64_t{at.sent} * terminals;
      if (at.next == home) {
        marks_.add(hop.first_slot + end, at.lanes);
        continue;
      }
      At& next = at_[at.next];
      next.sent += at.sent;
      next.lanes |= at.lanes;
      marks_.add(hop.first_slot + position_[at.next], at.lanes);
    }
  }

  const Network& network_;
  const ForwardingRule& rule_;
  const std::uint32_t rule_lanes_ = rule_.lanes();
  Marks& marks_;
  std::vector<Hop> hops_;                // by channel
  std::vector<std::uint32_t> senders_;   // routers with terminals
  std::vector<std::uint32_t> sources_;   // by router: terminals
  std::vector<std::uint16_t> position_;  // by router: the column
  std::vector<std::uint8_t> level_;      // by router
  std::vector<At> at_;                   // by router
  std::vector<std::uint32_t> chain_;     // routers on the way that is being found
  std::vector<std::uint32_t> arrived_;   // routers whose packets arrive, arrivals_ of them
  std::uint32_t arrivals_ = 0;
  std::uint32_t search_ = 0;
  RuleVerdict verdict_;
};

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
  for (const DependencyGraph::Vertex v : proof.cycle) verdict.cycle.emplace_back(graph.channel_of(v));
}

template <class Marks>
RuleVerdict walk_rule(const Network& network, const ForwardingRule& rule, std::uint32_t threads,
                      Progress& progress) {
  constexpr std::uint32_t kColumnBlock = 256;
  const std::vector<RuleColumn> columns = columns_of(network, rule.kinds());
  const auto count = static_cast<std::uint32_t>(columns.size());
  const DependencySlots slots(network);
  // In one array, always: a hash map of a hundred million dependencies is larger, and slow.
  Marks marks(slots.count(), ~std::uint64_t{0});
  if (threads == 0) threads = hardware_threads();
  RuleVerdict verdict;
  {
    std::vector<std::unique_ptr<RuleWalk<Marks>>> workers(threads);
    SharedProgress shared(progress, "following rules", (count + kColumnBlock - 1) / kColumnBlock);
    parallel_blocks(count, kColumnBlock, threads,
                    [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
                      auto& walk = workers[worker];
                      if (!walk) walk = std::make_unique<RuleWalk<Marks>>(network, rule, slots, marks);
                      for (std::uint32_t i = begin; i < end; ++i) walk->follow(columns[i]);
                      shared.step();
                    });
    verdict.load.assign(network.channel_count(), 0);
    for (const auto& walk : workers) {
      if (walk) walk->add_to(verdict);
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
