// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/exchange/make_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>

#include "unknot/bounds/concurrent_flow.hpp"
#include "unknot/collective/bandwidth/bandwidth_problem.hpp"
#include "unknot/collective/bounds/bound_proof.hpp"
#include "unknot/collective/bounds/flow_network.hpp"
#include "unknot/collective/exchange/exchange_check.hpp"
#include "unknot/collective/exchange/relieve_arcs.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kMostCopies = 1024;
constexpr std::uint64_t kMostParts = std::uint64_t{1} << 24U;
constexpr std::uint64_t kSmallProgram = 4'000;  ///< variables that are solved at once
constexpr std::uint32_t kMostRounds = 400;
/// What the longest length becomes, in whole numbers.
constexpr std::uint32_t kLongest = LengthProof::kMaxLength;
/// Arcs that take a smaller part of what passes a node get no part of it by rounding up.
constexpr double kLeastShare = 1e-3;
constexpr double kNothing = 1e-7;  ///< of one message

/// Length 1 on the channels into, or out of, the node where that is narrowest for what it gets or sends.
std::vector<std::uint32_t> around_busiest(const Problem& problem) {
  const NodeGraph& graph = *problem.graph;
  std::vector<std::uint64_t> gets(graph.node_count(), 0);
  Fraction most;
  NodeId busiest;
  bool inward = false;
  const auto offer = [&](NodeId n, std::uint64_t messages, std::uint64_t capacity, bool in) {
    if (messages == 0 || Fraction(messages, capacity) <= most) return;
    most = Fraction(messages, capacity);
    busiest = n;
    inward = in;
  };
  for (std::uint32_t g = 0; g < problem.groups(); ++g) {
    const NodeId n = problem.owner[g];
    offer(n, problem.partners(g).size(), graph.out_capacity(n), false);
  }
  for (const NodeId n : problem.partner) ++gets[n.value];
  for (const NodeId n : graph.nodes()) offer(n, gets[n.value], graph.in_capacity(n), true);
  std::vector<std::uint32_t> length(graph.arc_count(), 0);
  for (const ArcId a : graph.arcs()) {
    if ((inward ? graph.head(a) : graph.tail(a)) == busiest) length[a.value] = 1;
  }
  return length;
}

/// The most that is proven by the lengths of a flow, in whole numbers, by equal ones, and by one node.
ExchangeBound best_bound(const Problem& problem, const std::vector<double>& length, std::uint32_t threads) {
  ExchangeBound best = count_lengths(problem, around_busiest(problem), threads);
  const auto offer = [&](std::vector<std::uint32_t> whole) {
    ExchangeBound found = count_lengths(problem, std::move(whole), threads);
    if (found.time() > best.time()) best = std::move(found);
  };
  offer(std::vector<std::uint32_t>(length.size(), 1));
  const double longest = *std::max_element(length.begin(), length.end());
  if (longest <= 0) return best;
  std::vector<std::uint32_t> whole(length.size());
  std::uint32_t common = 0;
  for (std::size_t a = 0; a < length.size(); ++a) {
    whole[a] = static_cast<std::uint32_t>(std::lround(length[a] / longest * kLongest));
    common = std::gcd(common, whole[a]);
  }
  for (std::uint32_t& one : whole) one /= common;
  offer(std::move(whole));
  return best;
}

/// Whole parts from a flow, destination by destination.
class Rounding {
 public:
  Rounding(const Problem& problem, std::uint32_t copies, ExchangePlan& plan)
      : graph_(*problem.graph),
        copies_(copies),
        plan_(plan),
        ahead_(graph_.arc_count(), 0),
        entering_(graph_.node_count(), 0),
        held_(graph_.node_count()) {}

  /// `flow` by arc, of one message from each of `sources`.
  void add(NodeId destination, std::span<const NodeId> sources, std::vector<double>& flow) {
    order_nodes(flow);
    prefixes_.clear();
    for (const NodeId s : sources) hold(s, kNoPrefix, copies_);
    for (const std::uint32_t n : order_) {
      if (n != destination.value && !held_[n].empty()) hand_on(NodeId(n), flow);
    }
    for (const ArcId a : graph_.arcs()) ahead_[a.value] -= copies_ * flow[a.value];
    for (const Held& held : held_[destination.value]) write_route(held);
    held_[destination.value].clear();
  }

 private:
  static constexpr std::uint32_t kNoPrefix = 0xFFFFFFFFU;
  /// The way of parts up to a node.
  struct Prefix {
    std::uint32_t before, node;
  };
  struct Held {
    std::uint32_t prefix, copies;
  };

  void hold(NodeId n, std::uint32_t before, std::uint32_t copies) {
    prefixes_.push_back({before, n.value});
    held_[n.value].push_back({static_cast<std::uint32_t>(prefixes_.size() - 1), copies});
  }

  /// Each node before those that it sends to; what flows around in circles is taken out.
  void order_nodes(std::vector<double>& flow) {
    std::fill(entering_.begin(), entering_.end(), 0);
    for (const ArcId a : graph_.arcs()) {
      if (flow[a.value] < kNothing) flow[a.value] = 0;
      if (flow[a.value] > 0) ++entering_[graph_.head(a).value];
    }
    order_.clear();
    for (const NodeId n : graph_.nodes()) {
      if (entering_[n.value] == 0) order_.push_back(n.value);
    }
    std::size_t at = 0;
    while (true) {
      for (; at < order_.size(); ++at) {
        for (const ArcId a : graph_.out(NodeId(order_[at]))) {
          if (flow[a.value] > 0) leave(a);
        }
      }
      if (order_.size() == graph_.node_count()) return;
      break_circle(flow);
    }
  }

  void leave(ArcId a) {
    const std::uint32_t head = graph_.head(a).value;
    if (--entering_[head] == 0) order_.push_back(head);
  }

  /// Every node that is left is entered from one that is left: backwards until one is met again.
  void break_circle(std::vector<double>& flow) {
    const auto left = std::find_if(entering_.begin(), entering_.end(), [](std::uint32_t n) { return n > 0; });
    std::vector<ArcId> way;
    std::vector<std::uint32_t> met(graph_.node_count(), kNoPrefix);
    NodeId n(static_cast<std::uint32_t>(left - entering_.begin()));
    while (met[n.value] == kNoPrefix) {
      met[n.value] = static_cast<std::uint32_t>(way.size());
      for (const ArcId a : graph_.in(n)) {
        if (flow[a.value] > 0 && entering_[graph_.tail(a).value] > 0) {
          way.push_back(a);
          break;
        }
      }
      n = graph_.tail(way.back());
    }
    const std::span<const ArcId> circle(way.data() + met[n.value], way.data() + way.size());
    double least = std::numeric_limits<double>::max();
    for (const ArcId a : circle) least = std::min(least, flow[a.value]);
    for (const ArcId a : circle) {
      // Nothing is saved: what the arcs have carried less than the flow says is room for others.
      flow[a.value] = flow[a.value] <= least + kNothing ? 0 : flow[a.value] - least;
      if (flow[a.value] == 0) leave(a);
    }
  }

  /// The parts held at a node, as the flow says, and what is left over on the arcs that are behind most.
  void hand_on(NodeId n, const std::vector<double>& flow) {
    std::uint64_t all = 0;
    for (const Held& held : held_[n.value]) all += held.copies;
    double out = 0, most = 0;
    for (const ArcId a : graph_.out(n)) {
      out += flow[a.value];
      most = std::max(most, flow[a.value]);
    }
    if (most == 0) throw std::runtime_error(fmt::format("an exchange's flow ends at node {}", n.value));
    parts_.clear();
    std::uint64_t given = 0;
    for (const ArcId a : graph_.out(n)) {
      const auto parts =
          static_cast<std::uint64_t>(std::floor(static_cast<double>(all) * flow[a.value] / out));
      parts_.push_back(std::min(parts, all - given));
      given += parts_.back();
    }
    const IdRange<ArcId> arcs = graph_.out(n);
    for (; given < all; ++given) {
      std::size_t best = parts_.size();
      double best_lead = 0;
      for (std::size_t i = 0; i < parts_.size(); ++i) {
        const ArcId a((*arcs.begin()).value + static_cast<std::uint32_t>(i));
        if (flow[a.value] < std::min(most, kLeastShare * out)) continue;
        const double lead =
            (ahead_[a.value] + static_cast<double>(parts_[i]) - copies_ * flow[a.value]) / graph_.capacity(a);
        if (best < parts_.size() && lead >= best_lead) continue;
        best = i;
        best_lead = lead;
      }
      ++parts_[best];
    }
    std::size_t from = 0;
    std::vector<Held>& held = held_[n.value];
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const ArcId a((*arcs.begin()).value + static_cast<std::uint32_t>(i));
      ahead_[a.value] += static_cast<double>(parts_[i]);
      while (parts_[i] > 0) {
        const auto some = static_cast<std::uint32_t>(std::min<std::uint64_t>(parts_[i], held[from].copies));
        hold(graph_.head(a), held[from].prefix, some);
        parts_[i] -= some;
        held[from].copies -= some;
        if (held[from].copies == 0) ++from;
      }
    }
    held.clear();
  }

  void write_route(const Held& held) {
    const auto first = static_cast<std::uint32_t>(plan_.nodes.size());
    for (std::uint32_t at = held.prefix; at != kNoPrefix; at = prefixes_[at].before)
      plan_.nodes.emplace_back(prefixes_[at].node);
    std::reverse(plan_.nodes.begin() + first, plan_.nodes.end());
    plan_.routes.push_back({held.copies, first});
  }

  const NodeGraph& graph_;
  std::uint32_t copies_;
  ExchangePlan& plan_;
  std::vector<double> ahead_;            // by arc: parts carried beyond what the flows so far say
  std::vector<std::uint32_t> entering_;  // by node: arcs with flow from nodes that are not in order yet
  std::vector<std::uint32_t> order_;
  std::vector<std::vector<Held>> held_;  // by node
  std::vector<Prefix> prefixes_;
  std::vector<std::uint64_t> parts_;
};

}  // namespace

ExchangeFlow::ExchangeFlow(const Problem& problem, const ExchangeOptions& options, Progress& progress)
    : problem_(problem), options_(options) {
  require_no_limits(*problem.graph, problem);
  const NodeGraph& graph = *problem.graph;
  const FlowNetwork network(problem);
  const FlowProblem wanted = network.flow(FlowWays::any);
  const EndpointRouters& endpoints = wanted.demand.endpoints();
  const std::uint32_t channels = wanted.network.channel_count();
  const ConcurrentFlow found =
      std::uint64_t{channels} * endpoints.count() <= kSmallProgram
          ? flow_by_program(wanted)
          : flow_by_potential(wanted, {options.gap / 2, 0, kMostRounds, options.threads}, progress);
  bound_ = best_bound(problem, network.lengths_by_arc(found), options.threads);
  flow_.assign(std::size_t{endpoints.count()} * graph.arc_count(), 0);
  for (std::uint32_t d = 0; d < endpoints.count(); ++d) {
    destinations_.emplace_back(endpoints[d].value);
    const double* from = found.flow.data() + std::size_t{d} * channels;
    float* to = flow_.data() + std::size_t{d} * graph.arc_count();
    for (const ChannelId c : wanted.network.channels())
      to[network.arc_of(c).value] = static_cast<float>(from[c.value]);
  }
}

ExchangePlan ExchangeFlow::rounded(std::uint32_t copies) const {
  const NodeGraph& graph = *problem_.graph;
  ExchangePlan plan;
  plan.copies = copies;
  // Messages by destination.
  std::vector<std::vector<NodeId>> sources(graph.node_count());
  for (std::uint32_t g = 0; g < problem_.groups(); ++g) {
    for (const NodeId n : problem_.partners(g)) sources[n.value].push_back(problem_.owner[g]);
  }
  Rounding rounding(problem_, copies, plan);
  std::vector<double> flow(graph.arc_count());
  for (std::size_t d = 0; d < destinations_.size(); ++d) {
    const float* own = flow_.data() + d * graph.arc_count();
    std::copy(own, own + graph.arc_count(), flow.begin());
    const std::vector<NodeId>& all = sources[destinations_[d].value];
    if (!all.empty()) rounding.add(destinations_[d], all, flow);
  }
  return plan;
}

ExchangePlan ExchangeFlow::plan() const {
  ExchangePlan best;
  Fraction best_time;
  for (std::uint32_t copies = 1; copies <= kMostCopies; copies *= 2) {
    if (copies > 1 && std::uint64_t{copies} * problem_.messages() > kMostParts) break;
    ExchangePlan plan = rounded(copies);
    relieve_arcs(problem_, bound_.time(), plan);
    const ExchangeVerdict verdict = check_exchange(problem_, plan);
    if (!verdict.valid()) throw std::runtime_error("the plan of an exchange is wrong: " + verdict.fault);
    if (best.copies == 0 || verdict.time < best_time) {
      best = std::move(plan);
      best_time = verdict.time;
    }
    if (best_time.value() <= bound_.time().value() * (1 + options_.gap)) break;
  }
  return best;
}

}  // namespace unknot
