// SPDX-License-Identifier: Apache-2.0
#include "unknot/angara/sssp.hpp"

#include <algorithm>
#include <limits>

#include "unknot/angara/engines.hpp"
#include "unknot/support/error.hpp"

namespace unknot::angara {
namespace {

/// One pair of the group at hand, its routes written out.
struct Pending {
  std::uint32_t destination = 0;
  std::uint32_t first_route = 0;  ///< in the group's routes
  std::uint32_t routes = 0;
};

class Sssp {
 public:
  Sssp(const System& system, const RouteChoices& choices)
      : torus_(system.torus),
        choices_(choices),
        terminals_(choices.terminal_count()),
        load_(system.torus.slot_count(), 0),
        taken_(system.torus.slot_count(), 0) {
    result_.table.resize(static_cast<std::size_t>(terminals_) * terminals_);
  }

  SsspResult run(bool unique_first, Progress& progress) {
    sort_pairs(unique_first);
    progress.begin("balancing routes", order_.size());
    for (std::size_t begin = 0; begin < order_.size();) {
      // Pairs of equal turns and hops come source by source.
      const std::uint32_t source = order_[begin] / terminals_;
      std::size_t end = begin + 1;
      while (end < order_.size() && !starts_class_[end] && order_[end] / terminals_ == source) ++end;
      group(source, begin, end);
      begin = end;
      progress.update(begin);
      if (progress.interrupted()) throw Interrupted();
    }
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::uint32_t node_of(std::uint32_t terminal) const {
    return torus_.network().router_of(TerminalId(terminal)).value;
  }

  /// Applies single routes; lists the other pairs by (turns, hops), source and destination.
  void sort_pairs(bool unique_first) {
    std::vector<std::uint16_t> keys;  // of the pairs of `several`
    std::vector<std::uint32_t> several;
    std::vector<std::uint32_t> counts(std::size_t{kKeys} + 1, 0);
    for (std::uint32_t s = 0; s < terminals_; ++s) {
      for (std::uint32_t d = 0; d < terminals_; ++d) {
        const auto routes = choices_.of(s, d);
        if (routes.empty()) continue;
        const std::uint32_t pair = s * terminals_ + d;
        if (routes.size() == 1 && unique_first) {
          result_.table[pair] = routes[0];
          walk(torus_, node_of(s), routes[0], [&](std::uint32_t slot) { ++load_[slot]; });
          continue;
        }
        std::uint32_t turns = kMostTurns - 1;
        for (const RouteCode code : routes) turns = std::min(turns, code.turns(torus_.dimensions()));
        const std::uint32_t key = turns * kMostHops + routes[0].hops();
        keys.push_back(static_cast<std::uint16_t>(key));
        several.push_back(pair);
        ++counts[key + 1];
      }
    }
    order_.resize(several.size());
    starts_class_.assign(several.size() + 1, false);
    for (std::size_t key = 0; key < kKeys; ++key) {
      counts[key + 1] += counts[key];
      starts_class_[counts[key]] = true;
    }
    for (std::size_t i = 0; i < several.size(); ++i) order_[counts[keys[i]]++] = several[i];
  }

  void group(std::uint32_t source, std::size_t begin, std::size_t end) {
    pending_.clear();
    slots_.clear();
    const std::uint32_t hops = choices_.of(source, order_[begin] % terminals_)[0].hops();
    std::uint32_t routes = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t destination = order_[i] % terminals_;
      const auto codes = choices_.of(source, destination);
      pending_.push_back({destination, routes, static_cast<std::uint32_t>(codes.size())});
      routes += static_cast<std::uint32_t>(codes.size());
      for (const RouteCode code : codes) {
        walk(torus_, node_of(source), code, [&](std::uint32_t slot) { slots_.push_back(slot); });
      }
    }
    while (!pending_.empty()) round(source, hops);
  }

  /// The lightest route of a pair, by the loads at the start of the round.
  [[nodiscard]] std::uint32_t lightest(const Pending& pair, std::uint32_t hops) const {
    std::uint32_t best = 0;
    std::uint64_t best_sum = std::numeric_limits<std::uint64_t>::max();
    const std::uint32_t* slot = slots_.data() + std::size_t{pair.first_route} * hops;
    for (std::uint32_t route = 0; route < pair.routes; ++route) {
      std::uint64_t sum = 0;
      for (std::uint32_t hop = 0; hop < hops; ++hop) sum += load_[*slot++];
      if (sum < best_sum) {
        best_sum = sum;
        best = route;
      }
    }
    return best;
  }

  void round(std::uint32_t source, std::uint32_t hops) {
    ++result_.calls;
    ++round_;
    accepted_.clear();
    std::size_t kept = 0;
    for (const Pending& pair : pending_) {
      const std::uint32_t route = lightest(pair, hops);
      const std::uint32_t* slots = slots_.data() + std::size_t{pair.first_route + route} * hops;
      if (std::any_of(slots, slots + hops, [&](std::uint32_t slot) { return taken_[slot] == round_; })) {
        pending_[kept++] = pair;
        continue;
      }
      for (std::uint32_t hop = 0; hop < hops; ++hop) {
        taken_[slots[hop]] = round_;
        accepted_.push_back(slots[hop]);
      }
      result_.table[static_cast<std::size_t>(source) * terminals_ + pair.destination] =
          choices_.of(source, pair.destination)[route];
    }
    pending_.resize(kept);
    for (const std::uint32_t slot : accepted_) ++load_[slot];
  }

  static constexpr std::uint32_t kMostTurns = 2 * kMostDimensions + 2;
  static constexpr std::uint32_t kMostHops = 1024;  // six dimensions of 127 steps, and two
  static constexpr std::uint32_t kKeys = kMostTurns * kMostHops;

  const Torus& torus_;
  const RouteChoices& choices_;
  std::uint32_t terminals_;
  SsspResult result_;
  std::vector<std::uint32_t> load_;   // by slot
  std::vector<std::uint64_t> taken_;  // by slot: last round that accepted a route over it
  std::uint64_t round_ = 0;
  std::vector<std::uint32_t> order_;  // pairs with several routes
  std::vector<bool> starts_class_;    // by place in order_: other turns or hops than the one before
  std::vector<Pending> pending_;
  std::vector<std::uint32_t> slots_;     // of the group's routes, `hops` each
  std::vector<std::uint32_t> accepted_;  // slots
};

}  // namespace

SsspResult sssp(const System& system, const RouteChoices& choices, Progress& progress, bool unique_first) {
  return Sssp(system, choices).run(unique_first, progress);
}

Engine sssp_engine() {
  return torus_engine("angara-sssp",
                      "source routes of a torus with bubble flow control, balanced by groups of pairs", {},
                      [](const System& system, const EngineRequest& request, Progress& progress) {
                        const RouteChoices choices(system.graph, request.threads, progress);
                        return to_routing(system, choices, sssp(system, choices, progress).table,
                                          "angara-sssp", request.threads);
                      });
}

}  // namespace unknot::angara
