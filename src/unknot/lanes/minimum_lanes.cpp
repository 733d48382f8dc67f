// SPDX-License-Identifier: Apache-2.0
#include "unknot/lanes/minimum_lanes.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "unknot/lanes/acyclic_arcs.hpp"
#include "unknot/lanes/cycle_cuts.hpp"
#include "unknot/network/bfs.hpp"
#include "unknot/support/clock.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::size_t kCutsARound = 2000;
/// Rounds after which no cycle is waited for any more.
constexpr std::uint32_t kCutRounds = 4;
constexpr int kTrue = 0;  // in place of a literal: always true

class RoutingFormula {
 public:
  RoutingFormula(const Network& network, std::uint32_t lanes)
      : network_(network),
        lanes_(lanes),
        space_(ArcSpace::of_dependencies(network)),
        uses_(std::size_t{space_.arc_count()} * lanes, 0) {
    BreadthFirstSearch search(network);
    for (const RouterId root : network.routers()) {
      if (network.terminals_at(root).empty()) continue;
      const auto hops = search.to(root);
      add_destination(root, {hops.begin(), hops.end()});
    }
  }

  SatAnswer solve(const SatLimits& limits, const Progress& progress, LaneSearch& search) {
    const Clock::time_point start = Clock::now();
    SatAnswer answer = SatAnswer::unknown;
    for (;;) {
      answer = solver_.solve(
          {.seconds = limits.seconds - seconds_since(start), .conflicts = limits.conflicts}, progress);
      if (answer != SatAnswer::satisfiable) break;
      const std::uint64_t cuts = cut_cycles();
      if (cuts == 0) break;
      if (++rounds_ == kCutRounds) number_channels();
      ++search.rounds;
      search.cuts += cuts;
    }
    search.seconds += seconds_since(start);
    return answer;
  }

  /// The solution found last.
  [[nodiscard]] Routing routing() const {
    Routing routing;
    routing.engine = "exact";
    routing.paths = ForwardingTable(network_);
    routing.virtual_lanes = routing.lanes_needed = lanes_;
    if (lanes_ > 1) routing.service_levels = ServiceLevels(network_, ServiceLevels::Rows::by_router);
    BreadthFirstSearch search(network_);
    for (const Destination& d : destinations_) {
      const auto hops = search.to(d.root);
      for (const RouterId r : network_.routers()) {
        if (r == d.root || hops[r.value] == BreadthFirstSearch::kUnreached) continue;
        std::uint32_t channel = chosen(d, r.value);
        // Where no packet between terminals comes by any shortest path will do.
        for (const ChannelId c : network_.out(r)) {
          if (channel == ChannelId::kNone && hops[network_.target(c).value] + 1 == hops[r.value])
            channel = c.value;
        }
        for (const TerminalId t : network_.terminals_at(d.root)) {
          routing.table().set(r, t, channel - network_.out(r).first());
          if (lanes_ == 1 || network_.terminals_at(r).empty()) continue;
          const std::uint32_t row = routing.service_levels.row_of(network_.terminals_at(r)[0]);
          routing.service_levels.row(row)[t.value] = static_cast<std::uint8_t>(lane(d, r.value));
        }
      }
    }
    return routing;
  }

 private:
  struct Candidate {
    std::uint32_t channel;
    int taken;  // variable, or kTrue for an only candidate
  };
  struct Destination {
    RouterId root;
    std::vector<std::vector<Candidate>> candidates;  // by router; empty where no packet can be
    std::vector<int> on_lane;                        // by router and lane: variable, kTrue, or kUnset
  };
  static constexpr int kUnset = -1;

  void add_destination(RouterId root, const std::vector<std::uint32_t>& hops) {
    Destination d{root, {}, {}};
    d.candidates.resize(network_.router_count());
    d.on_lane.assign(std::size_t{network_.router_count()} * lanes_, kUnset);
    // Farthest first: a router without terminals counts where a candidate of another leads to it.
    std::vector<RouterId> order;
    for (const RouterId r : network_.routers()) {
      if (r != root && hops[r.value] != BreadthFirstSearch::kUnreached) order.push_back(r);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](RouterId a, RouterId b) { return hops[a.value] > hops[b.value]; });
    std::vector<std::uint8_t> passed(network_.router_count(), 0);
    for (const RouterId r : order) {
      const bool sends = !network_.terminals_at(r).empty();
      if (!sends && passed[r.value] == 0) continue;
      std::vector<Candidate>& candidates = d.candidates[r.value];
      for (const ChannelId c : network_.out(r)) {
        const RouterId next = network_.target(c);
        if (hops[next.value] + 1 != hops[r.value]) continue;
        passed[next.value] = 1;
        candidates.push_back({c.value, kTrue});
      }
      std::vector<int> one;
      for (Candidate& candidate : candidates) {
        if (candidates.size() > 1) candidate.taken = solver_.new_variables(1);
        one.push_back(candidate.taken);
      }
      if (candidates.size() > 1) solver_.add_clause(one);
      std::vector<int> some_lane;
      for (std::uint32_t l = 0; l < lanes_; ++l) {
        int& on = d.on_lane[std::size_t{r.value} * lanes_ + l];
        on = sends && lanes_ == 1 ? kTrue : solver_.new_variables(1);
        some_lane.push_back(on);
      }
      if (sends && lanes_ > 1) solver_.add_clause(some_lane);
    }
    for (const RouterId r : order) {
      for (const Candidate& first : d.candidates[r.value]) add_onward(d, r.value, first);
    }
    destinations_.push_back(std::move(d));
  }

  /// What it means that a router takes a candidate: the path from there on is on the same lane, and the lane
  /// has the dependency on whatever is taken there.
  void add_onward(const Destination& d, std::uint32_t router, const Candidate& first) {
    const std::uint32_t next = network_.target(ChannelId(first.channel)).value;
    if (next == d.root.value) return;
    for (std::uint32_t l = 0; l < lanes_; ++l) {
      const int on = d.on_lane[std::size_t{router} * lanes_ + l];
      const int on_next = d.on_lane[std::size_t{next} * lanes_ + l];
      if (on_next != kTrue) add_implication({on, first.taken}, on_next);
      for (const Candidate& second : d.candidates[next]) {
        const std::uint32_t arc =
            space_.out_first(first.channel) + second.channel - network_.out(RouterId(next)).first();
        int& used = uses_[std::size_t{arc} * lanes_ + l];
        if (used == 0) used = solver_.new_variables(1);
        add_implication({on, first.taken, second.taken}, used);
      }
    }
  }

  /// Gives each channel a number on each lane, in binary, and demands that a dependency in use leads to a
  /// larger one: no solution has a cycle from then on. Finds solutions where cutting cycle after cycle does
  /// not end; the cuts made before make refuting faster.
  void number_channels() {
    std::uint32_t bits = 1;
    while ((1U << bits) < network_.channel_count()) ++bits;
    const auto b = static_cast<int>(bits);
    const int first = solver_.new_variables(network_.channel_count() * lanes_ * bits);
    const auto bit = [&](std::uint32_t channel, std::uint32_t lane, int i) {
      return first + static_cast<int>(channel * lanes_ + lane) * b + i;
    };
    for (std::uint32_t arc = 0; arc < space_.arc_count(); ++arc) {
      for (std::uint32_t l = 0; l < lanes_; ++l) {
        int less = uses_[std::size_t{arc} * lanes_ + l];  // the low i+1 bits are less
        if (less == 0) continue;
        for (int i = b - 1; i >= 0; --i) {
          const int x = bit(space_.tail(arc), l, i);
          const int y = bit(space_.head(arc), l, i);
          solver_.add_clause(std::vector<int>{-less, -x, y});
          if (i == 0) {
            solver_.add_clause(std::vector<int>{-less, y});
            solver_.add_clause(std::vector<int>{-less, -x});
            break;
          }
          const int lower = solver_.new_variables(1);
          solver_.add_clause(std::vector<int>{-less, x, y, lower});
          solver_.add_clause(std::vector<int>{-less, -x, -y, lower});
          less = lower;
        }
      }
    }
  }

  void add_implication(std::initializer_list<int> premises, int conclusion) {
    clause_.clear();
    for (const int premise : premises) {
      if (premise != kTrue) clause_.push_back(-premise);
    }
    clause_.push_back(conclusion);
    solver_.add_clause(clause_);
  }

  [[nodiscard]] bool holds(int literal) const { return literal == kTrue || solver_.value(literal); }

  [[nodiscard]] std::uint32_t chosen(const Destination& d, std::uint32_t router) const {
    for (const Candidate& candidate : d.candidates[router]) {
      if (holds(candidate.taken)) return candidate.channel;
    }
    return ChannelId::kNone;
  }
  [[nodiscard]] std::uint32_t lane(const Destination& d, std::uint32_t router) const {
    std::uint32_t l = 0;
    while (!holds(d.on_lane[std::size_t{router} * lanes_ + l])) ++l;
    return l;
  }

  /// Forbids cycles of the solution's paths on every lane; returns how many.
  std::uint64_t cut_cycles() {
    std::vector<std::vector<std::uint8_t>> used(lanes_, std::vector<std::uint8_t>(space_.arc_count(), 0));
    for (const Destination& d : destinations_) {
      for (const RouterId source : network_.routers()) {
        if (network_.terminals_at(source).empty() || d.candidates[source.value].empty()) continue;
        std::vector<std::uint8_t>& mine = used[lane(d, source.value)];
        std::uint32_t held = chosen(d, source.value);
        for (RouterId at = network_.target(ChannelId(held)); at != d.root;
             at = network_.target(ChannelId(held))) {
          const std::uint32_t wanted = chosen(d, at.value);
          mine[space_.out_first(held) + wanted - network_.out(at).first()] = 1;
          held = wanted;
        }
      }
    }
    std::uint64_t cuts = 0;
    for (std::uint32_t l = 0; l < lanes_; ++l) {
      std::vector<std::pair<std::uint32_t, std::uint32_t>> arcs;
      for (std::uint32_t a = 0; a < space_.arc_count(); ++a) {
        if (used[l][a] != 0) arcs.emplace_back(space_.tail(a), space_.head(a));
      }
      const auto cycles = short_cycles(space_.vertex_count(), arcs, kCutsARound);
      for (const std::vector<std::uint32_t>& cycle : cycles) forbid(cycle);
      cuts += cycles.size();
    }
    return cuts;
  }

  void forbid(const std::vector<std::uint32_t>& cycle) {
    for (std::uint32_t l = 0; l < lanes_; ++l) {
      clause_.clear();
      for (std::size_t i = 0; i < cycle.size(); ++i) {
        const std::uint32_t arc = space_.find(cycle[i], cycle[(i + 1) % cycle.size()]);
        clause_.push_back(-uses_[std::size_t{arc} * lanes_ + l]);
      }
      solver_.add_clause(clause_);
    }
  }

  const Network& network_;
  std::uint32_t lanes_;
  ArcSpace space_;
  SatSolver solver_;
  std::vector<int> uses_;  // by dependency and lane: variable, or 0 where no shortest path has it
  std::vector<Destination> destinations_;
  std::vector<int> clause_;
  std::uint32_t rounds_ = 0;
};

}  // namespace

SatAnswer shortest_paths_fit(const Network& network, std::uint32_t lanes, const SatLimits& limits,
                             const Progress& progress, Routing* routing, LaneSearch* search) {
  RoutingFormula formula(network, lanes);
  LaneSearch own;
  const SatAnswer answer = formula.solve(limits, progress, search != nullptr ? *search : own);
  if (answer == SatAnswer::satisfiable && routing != nullptr) *routing = formula.routing();
  return answer;
}

LaneBounds minimum_lanes(const Network& network, std::uint32_t least, std::uint32_t most, double seconds,
                         const Progress& progress) {
  LaneBounds bounds;
  bounds.lower = least;
  for (std::uint32_t lanes = least; lanes <= most; ++lanes) {
    Routing routing;
    const SatAnswer answer = shortest_paths_fit(network, lanes, {.seconds = seconds - bounds.search.seconds},
                                                progress, &routing, &bounds.search);
    if (progress.interrupted()) throw Interrupted();
    if (answer == SatAnswer::satisfiable) bounds.routing = std::move(routing);
    if (answer != SatAnswer::unsatisfiable) break;
    bounds.lower = lanes + 1;
  }
  return bounds;
}

}  // namespace unknot
