// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/trees/member_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <unordered_map>
#include <utility>

#include "unknot/collective/trees/fair_shares.hpp"
#include "unknot/collective/trees/way_shortening.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kMostRemembered = 8192;  ///< nodes between all of which distances are kept
constexpr double kDetour = 1.0 / 16;             ///< what a channel more makes of a crossing's weight
constexpr std::size_t kMostLimits = 60;  ///< cuts learned at a switch before it is taken out pair by pair

class SwitchRemoval {
 public:
  SwitchRemoval(const BandwidthProblem& problem, const BandwidthCut& optimum)
      : problem_(problem), flow_(problem.graph->node_count()), sinks_(members_in_order(problem)) {
    scale(optimum);
    find_distances();
  }

  MemberGraph remove_all(Progress& progress) {
    MemberGraph result;
    result.copies = copies_;
    result.members = problem_.members;
    const std::vector<std::uint32_t> switches = farthest_first();
    progress.begin("switches", switches.size());
    // Many at a time, looked at once; where a cut has become too narrow, fewer of them.
    std::size_t batch = switches.size();
    for (std::size_t i = 0; i < switches.size();) {
      if (progress.interrupted()) throw Interrupted();
      const std::span<const std::uint32_t> next(switches.data() + i, std::min(batch, switches.size() - i));
      if (next.size() == 1 ? remove_by_shares(next[0]) : remove_unseen(next)) {
        result.removed_by_shares += static_cast<std::uint32_t>(next.size());
        batch = next.size() * 2;
      } else if (next.size() > 1) {
        batch = (next.size() + 3) / 4;
        continue;
      } else {
        remove_by_pairs(next[0]);
        ++result.removed_by_pairs;
      }
      i += next.size();
      progress.update(i);
    }
    if (first_in_want(flow_, sinks_, needed_) < sinks_.size()) {
      throw InputError(
          "optimal in bandwidth: a switch has more capacity in than out, or out than in, and trees through "
          "it are not found");
    }
    collect(result);
    return result;
  }

 private:
  /// A unit's way: a physical arc, or two ways one behind the other.
  struct WayNode {
    std::uint32_t first = 0, second = kPhysical;
  };
  static constexpr std::uint32_t kPhysical = 0xFFFFFFFFU;
  struct Bundle {
    std::uint64_t amount = 0;
    std::uint32_t way = 0;
  };

  void scale(const BandwidthCut& optimum) {
    const NodeGraph& graph = *problem_.graph;
    std::uint64_t common = 0;
    for (const ArcId a : graph.arcs()) common = std::gcd(common, graph.capacity(a));
    // Trees a share over units of capacity: `rate` in lowest terms, made whole.
    const Fraction rate(optimum.capacity, optimum.shares);
    const std::uint64_t over = std::gcd(common * rate.under(), rate.over());
    const std::uint64_t factor = common * rate.under() / over;
    copies_ = rate.over() / over;
    needed_ = copies_ * problem_.all_shares;
    for (const ArcId a : graph.arcs()) {
      if (idle(graph.tail(a)) || idle(graph.head(a))) continue;
      const std::uint64_t capacity = graph.capacity(a) / common * factor;
      const std::uint32_t arc = arc_of(graph.tail(a).value, graph.head(a).value);
      flow_.set_capacity(arc, capacity);
      ways_.push_back({a.value, kPhysical});
      bundles_[arc].push_back({capacity, static_cast<std::uint32_t>(ways_.size() - 1)});
    }
    for (const NodeId n : graph.nodes()) flow_.set_supply(n.value, copies_ * problem_.shares[n.value]);
  }

  /// A terminal that takes no part: nothing leads through it.
  [[nodiscard]] bool idle(NodeId n) const { return problem_.graph->is_leaf(n) && !problem_.is_member(n); }

  std::uint32_t arc_of(std::uint32_t tail, std::uint32_t head) {
    const auto [at, fresh] = arc_of_.try_emplace(std::uint64_t{tail} << 32U | head, flow_.arc_count());
    if (fresh) {
      flow_.add_arc(tail, head, 0);
      bundles_.emplace_back();
    }
    return at->second;
  }

  [[nodiscard]] std::vector<std::uint32_t> farthest_first() const {
    const NodeGraph& graph = *problem_.graph;
    std::vector<std::uint32_t> hops(graph.node_count(), NodeGraph::kUnreached);
    std::vector<NodeId> queue = problem_.members;
    for (const NodeId n : queue) hops[n.value] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (const ArcId a : graph.out(queue[i])) {
        if (hops[graph.head(a).value] != NodeGraph::kUnreached) continue;
        hops[graph.head(a).value] = hops[queue[i].value] + 1;
        queue.push_back(graph.head(a));
      }
    }
    std::vector<std::uint32_t> switches;
    for (const NodeId n : graph.nodes()) {
      if (!problem_.is_member(n) && !idle(n) && hops[n.value] != NodeGraph::kUnreached)
        switches.push_back(n.value);
    }
    std::stable_sort(switches.begin(), switches.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return hops[a] > hops[b]; });
    return switches;
  }

  [[nodiscard]] SwitchPorts ports_of(std::uint32_t centre) const {
    SwitchPorts ports;
    for (const std::uint32_t half : flow_.halves(centre)) {
      const std::uint32_t arc = half / 2;
      if (flow_.capacity(arc) == 0) continue;
      if (half % 2 == 0) {
        ports.out_vertex.push_back(flow_.head(arc));
        ports.out.push_back(flow_.capacity(arc));
      } else {
        ports.in_vertex.push_back(flow_.tail(arc));
        ports.in.push_back(flow_.capacity(arc));
      }
    }
    return ports;
  }

  void change(std::uint32_t arc, std::uint64_t more, std::uint64_t less) {
    flow_.set_capacity(arc, flow_.capacity(arc) + more - less);
  }

  void find_distances() {
    const NodeGraph& graph = *problem_.graph;
    if (graph.node_count() > kMostRemembered) return;
    distance_.resize(std::size_t{graph.node_count()} * graph.node_count());
    std::vector<std::uint32_t> hops;
    for (const NodeId n : graph.nodes()) {
      graph.distances_from(n, hops);
      for (std::uint32_t v = 0; v < hops.size(); ++v)
        distance_[std::size_t{n.value} * graph.node_count() + v] = static_cast<std::uint16_t>(hops[v]);
    }
  }
  [[nodiscard]] int distance(std::uint32_t from, std::uint32_t to) const {
    return distance_[std::size_t{from} * problem_.graph->node_count() + to];
  }

  /// Ways are to be short: what crosses the switch on a detour weighs less with each channel more.
  [[nodiscard]] std::vector<double> weights(std::uint32_t centre, const SwitchPorts& ports) const {
    std::vector<double> result(ports.in.size() * ports.out.size(), 1);
    if (distance_.empty()) return result;
    for (std::size_t i = 0; i < ports.in.size(); ++i) {
      const std::uint32_t from = ports.in_vertex[i];
      for (std::size_t j = 0; j < ports.out.size(); ++j) {
        const std::uint32_t to = ports.out_vertex[j];
        result[i * ports.out.size() + j] =
            std::pow(kDetour, distance(from, centre) + distance(centre, to) - distance(from, to));
      }
    }
    return result;
  }

  /// Capacities alone as if `crossings` had been led past the switch, or back again.
  void lead_past(std::uint32_t centre, const SwitchPorts& ports, const std::vector<Crossing>& crossings,
                 bool back) {
    for (std::size_t i = 0; i < ports.in.size(); ++i)
      flow_.set_capacity(arc_of(ports.in_vertex[i], centre), back ? ports.in[i] : 0);
    for (std::size_t j = 0; j < ports.out.size(); ++j)
      flow_.set_capacity(arc_of(centre, ports.out_vertex[j]), back ? ports.out[j] : 0);
    for (const Crossing& one : crossings) {
      const std::uint32_t arc = arc_of(ports.in_vertex[one.in], ports.out_vertex[one.out]);
      change(arc, back ? 0 : one.amount, back ? one.amount : 0);
    }
  }

  /// The same for good: ways are put one behind the other.
  void join_ways(std::uint32_t from, std::uint32_t centre, std::uint32_t to, std::uint64_t amount) {
    const std::uint32_t joined = arc_of(from, to);  // before references: it may move what it adds to
    std::vector<Bundle>& first = bundles_[arc_of(from, centre)];
    std::vector<Bundle>& second = bundles_[arc_of(centre, to)];
    while (amount > 0) {
      const std::uint64_t part = std::min({amount, first.back().amount, second.back().amount});
      ways_.push_back({first.back().way, second.back().way});
      bundles_[joined].push_back({part, static_cast<std::uint32_t>(ways_.size() - 1)});
      amount -= part;
      if ((first.back().amount -= part) == 0) first.pop_back();
      if ((second.back().amount -= part) == 0) second.pop_back();
    }
  }

  void join_crossings(std::uint32_t centre, const SwitchPorts& ports,
                      const std::vector<Crossing>& crossings) {
    for (const Crossing& one : crossings)
      join_ways(ports.in_vertex[one.in], centre, ports.out_vertex[one.out], one.amount);
  }

  /// All of them by fair shares; as it was, and false, where somebody is in want then.
  bool remove_unseen(std::span<const std::uint32_t> centres) {
    const SuppliedFlow flow = flow_;
    const std::vector<std::vector<Bundle>> bundles = bundles_;
    const std::size_t ways = ways_.size();
    for (const std::uint32_t centre : centres) {
      const SwitchPorts ports = ports_of(centre);
      const std::vector<Crossing> crossings = fair_shares(ports, weights(centre, ports), {});
      lead_past(centre, ports, crossings, false);
      join_crossings(centre, ports, crossings);
    }
    if (first_in_want(flow_, sinks_, needed_) == sinks_.size()) return true;
    flow_ = flow;
    bundles_ = bundles;
    ways_.resize(ways);
    std::erase_if(arc_of_, [&](const auto& named) { return named.second >= flow_.arc_count(); });
    return false;
  }

  bool remove_by_shares(std::uint32_t centre) {
    const SwitchPorts ports = ports_of(centre);
    const std::vector<double> weights = this->weights(centre, ports);
    std::vector<CrossingLimit> limits;
    while (limits.size() <= kMostLimits) {
      const std::vector<Crossing> crossings = fair_shares(ports, weights, limits);
      lead_past(centre, ports, crossings, false);
      const std::size_t want = first_in_want(flow_, sinks_, needed_);
      if (want == sinks_.size()) {
        join_crossings(centre, ports, crossings);
        return true;
      }
      CrossingLimit limit;
      // The switch is alone now; it belongs to that side of the cut on which less is lost.
      std::vector<std::uint8_t> sink_side(flow_.vertex_count());
      for (std::uint32_t v = 0; v < flow_.vertex_count(); ++v) sink_side[v] = flow_.on_sink_side(v) ? 1 : 0;
      lead_past(centre, ports, crossings, true);
      std::uint64_t in_across = 0, out_across = 0;
      for (std::size_t i = 0; i < ports.in.size(); ++i)
        in_across += sink_side[ports.in_vertex[i]] == 0 ? ports.in[i] : 0;
      for (std::size_t j = 0; j < ports.out.size(); ++j)
        out_across += sink_side[ports.out_vertex[j]] != 0 ? ports.out[j] : 0;
      // On the sinks' side what enters from the other side crosses, on the other what leaves to the sinks'.
      const bool with_sinks = in_across < out_across;
      sink_side[centre] = with_sinks ? 1 : 0;
      const std::uint64_t wide = width(sink_side);
      if (wide < needed_) return false;  // the graph has lost it already
      limit.most = wide - needed_;
      // Lost is what crosses the switch inside one side: with the switch on the sinks' side what comes from
      // the other side and goes back there, else what comes from the sinks' side and returns.
      for (const std::uint32_t v : ports.in_vertex)
        limit.in.push_back(sink_side[v] != sink_side[centre] ? 1 : 0);
      for (const std::uint32_t v : ports.out_vertex)
        limit.out.push_back(sink_side[v] != sink_side[centre] ? 1 : 0);
      limits.push_back(std::move(limit));
    }
    return false;
  }

  /// What leads to the sinks' side, supplies there included.
  [[nodiscard]] std::uint64_t width(const std::vector<std::uint8_t>& sink_side) const {
    std::uint64_t sum = 0;
    for (std::uint32_t arc = 0; arc < flow_.arc_count(); ++arc) {
      if (sink_side[flow_.tail(arc)] == 0 && sink_side[flow_.head(arc)] != 0) sum += flow_.capacity(arc);
    }
    for (std::uint32_t v = 0; v < flow_.vertex_count(); ++v) sum += sink_side[v] != 0 ? flow_.supply(v) : 0;
    return sum;
  }

  void remove_by_pairs(std::uint32_t centre) {
    const SwitchPorts ports = ports_of(centre);
    // Fair shares first, as far as they go; then as much as there is.
    for (const Crossing& one : fair_shares(ports, weights(centre, ports), {}))
      join_as_spared(ports.in_vertex[one.in], centre, ports.out_vertex[one.out], one.amount);
    for (const std::uint32_t from : ports.in_vertex) {
      for (const std::uint32_t to : ports.out_vertex) {
        if (from != to) join_as_spared(from, centre, to, SuppliedFlow::kMostNeeded);
      }
    }
    // What finds no partner is lost.
    for (const std::uint32_t half : flow_.halves(centre)) flow_.set_capacity(half / 2, 0);
  }

  void join_as_spared(std::uint32_t from, std::uint32_t centre, std::uint32_t to, std::uint64_t wanted) {
    const std::uint32_t in = arc_of(from, centre), out = arc_of(centre, to);
    const std::uint64_t amount =
        spared(from, centre, to, std::min({wanted, flow_.capacity(in), flow_.capacity(out)}));
    if (amount == 0) return;
    change(in, 0, amount);
    change(out, 0, amount);
    change(arc_of(from, to), amount, 0);
    join_ways(from, centre, to, amount);
  }

  /// How much of `wanted` can go past the switch and leave every cut wide enough. Cuts lose it that have the
  /// switch on one side, both neighbours on the other.
  std::uint64_t spared(std::uint32_t from, std::uint32_t centre, std::uint32_t to, std::uint64_t wanted) {
    std::uint64_t amount = wanted;
    const auto ask = [&](const std::vector<std::uint32_t>& sinks) {
      if (amount == 0) return;
      const std::uint64_t found = flow_.run(sinks, needed_ + amount);
      amount = found < needed_ ? 0 : std::min(amount, found - needed_);
    };
    const std::uint64_t centre_supply = flow_.supply(centre);
    const bool member = problem_.is_member(NodeId(from)) || problem_.is_member(NodeId(to));
    flow_.set_supply(centre, SuppliedFlow::kEndless);
    if (member) {
      ask({from, to});
    } else {
      for (const std::uint32_t sink : sinks_) ask({from, to, sink});
    }
    flow_.set_supply(centre, centre_supply);
    if (amount == 0) return 0;
    const std::uint64_t from_supply = flow_.supply(from), to_supply = flow_.supply(to);
    flow_.set_supply(from, SuppliedFlow::kEndless);
    flow_.set_supply(to, SuppliedFlow::kEndless);
    std::vector<std::pair<std::uint32_t, std::uint64_t>> merged;
    for (const std::uint32_t sink : sinks_) {
      if (sink == from || sink == to) continue;
      ask({centre, sink});
      if (amount == 0) break;
      merged.emplace_back(sink, flow_.supply(sink));
      flow_.set_supply(sink, SuppliedFlow::kEndless);
    }
    for (const auto& [sink, supply] : merged) flow_.set_supply(sink, supply);
    flow_.set_supply(from, from_supply);
    flow_.set_supply(to, to_supply);
    return amount;
  }

  void append_nodes(std::uint32_t way, std::vector<NodeId>& nodes) const {
    std::vector<std::uint32_t> open{way};
    while (!open.empty()) {
      const WayNode at = ways_[open.back()];
      open.pop_back();
      if (at.second == kPhysical) {
        if (nodes.empty()) nodes.push_back(problem_.graph->tail(ArcId(at.first)));
        nodes.push_back(problem_.graph->head(ArcId(at.first)));
      } else {
        open.push_back(at.second);
        open.push_back(at.first);
      }
    }
  }

  void collect(MemberGraph& result) const {
    std::vector<std::uint32_t> place(flow_.vertex_count());
    for (std::uint32_t m = 0; m < result.members.size(); ++m) place[result.members[m].value] = m;
    for (std::uint32_t arc = 0; arc < flow_.arc_count(); ++arc) {
      const std::uint32_t tail = flow_.tail(arc), head = flow_.head(arc);
      if (flow_.capacity(arc) == 0 || tail == head) continue;
      if (!problem_.is_member(NodeId(tail)) || !problem_.is_member(NodeId(head))) continue;
      MemberGraph::Arc made{place[tail], place[head], flow_.capacity(arc), {}};
      made.ways.reserve(bundles_[arc].size());
      for (const Bundle& bundle : bundles_[arc]) {
        made.ways.push_back({bundle.amount, {}});
        append_nodes(bundle.way, made.ways.back().nodes);
      }
      result.arcs.push_back(std::move(made));
    }
    std::sort(result.arcs.begin(), result.arcs.end(),
              [](const MemberGraph::Arc& a, const MemberGraph::Arc& b) {
                return a.tail != b.tail ? a.tail < b.tail : a.head < b.head;
              });
  }

  const BandwidthProblem& problem_;
  SuppliedFlow flow_;
  std::vector<std::uint32_t> sinks_;
  std::uint64_t copies_ = 0, needed_ = 0;
  std::unordered_map<std::uint64_t, std::uint32_t> arc_of_;
  std::vector<std::vector<Bundle>> bundles_;  // by arc
  std::vector<WayNode> ways_;
  std::vector<std::uint16_t> distance_;  // by node, then node; empty in large networks
};

}  // namespace

MemberGraph take_switches_out(const BandwidthProblem& problem, const BandwidthCut& optimum,
                              Progress& progress) {
  MemberGraph graph = SwitchRemoval(problem, optimum).remove_all(progress);
  shorten_ways(problem, optimum, graph);
  return graph;
}

}  // namespace unknot
