// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "unknot/design/search/starts.hpp"

namespace unknot {
namespace {

/// Cables one after another, while ports and neighbours are free.
class NearStart {
 public:
  NearStart(std::shared_ptr<const LiftReach> reach, std::uint32_t ports, Random& random) : random_(random) {
    const std::uint32_t order = reach->symmetry().order;
    lift_.group = SearchGroup(order, 1, 1, 0, 1);
    lift_.base = reach->base();
    lift_.ports = ports;
    lift_.either_end = true;
    lift_.reach = std::move(reach);
    std::vector<std::uint16_t> all;
    for (std::uint32_t port = ports; port > 0; --port) all.push_back(static_cast<std::uint16_t>(port));
    free_.assign(lift_.base, all);
    cables_of_.resize(lift_.base);
  }

  Lift make() {
    fill();
    for (std::uint32_t left = kTries * lift_.base; left > 0 && wander(); --left) {
    }
    return std::move(lift_);
  }

 private:
  static constexpr std::uint32_t kTries = 100;  // for each router

  /// Whether a class of cables from `from` would lay two of them between the same routers.
  bool doubles(std::uint32_t from, const LiftReach::End& to) const {
    return from == to.router && lift_.group.product(to.turn, to.turn) == 0;
  }

  /// Routers take turns, so that no corner is left with what the others have no use for.
  void fill() {
    std::vector<std::uint32_t> open;
    for (std::uint32_t b = 0; b < lift_.base; ++b) open.push_back(b);
    std::vector<LiftReach::End> candidates;
    while (!open.empty()) {
      random_.shuffle(open);
      std::vector<std::uint32_t> still;
      for (const std::uint32_t from : open) {
        if (free_[from].empty()) continue;
        candidates.clear();
        for (const LiftReach::End& to : lift_.reach->ends(from)) {
          const std::size_t wanted = to.router == from ? 2 : 1;
          if (free_[to.router].size() < wanted || doubles(from, to) || joined(from, to)) continue;
          candidates.push_back(to);
        }
        if (candidates.empty()) continue;
        join(from, candidates[random_.below(static_cast<std::uint32_t>(candidates.size()))]);
        still.push_back(from);
      }
      open = std::move(still);
    }
  }

  bool joined(std::uint32_t from, const LiftReach::End& to) const {
    for (const std::uint32_t i : cables_of_[from]) {
      const LiftCable& cable = lift_.cables[i];
      if (cable.from == from && cable.to == to.router && cable.turn == to.turn) return true;
      if (cable.to == from && cable.from == to.router && lift_.group.inverse(cable.turn) == to.turn)
        return true;
    }
    return false;
  }

  std::uint16_t take(std::uint32_t router) {
    const std::uint16_t port = free_[router].back();
    free_[router].pop_back();
    return port;
  }

  void join(std::uint32_t from, const LiftReach::End& to) {
    const auto index = static_cast<std::uint32_t>(lift_.cables.size());
    cables_of_[from].push_back(index);
    if (to.router != from) cables_of_[to.router].push_back(index);
    const std::uint16_t from_port = take(from);
    lift_.cables.push_back({.from = from,
                            .to = to.router,
                            .turn = to.turn,
                            .from_port = from_port,
                            .to_port = take(to.router),
                            .pool = 0});
  }

  /// A free port moves: router a with one takes over an end of a cable c-d from d, if c is within reach,
  /// until it meets another. False where fewer than two are free.
  bool wander() {
    std::vector<std::uint32_t> open;
    for (std::uint32_t b = 0; b < lift_.base; ++b) open.insert(open.end(), free_[b].size(), b);
    if (open.size() < 2 || lift_.cables.empty()) return false;
    const std::uint32_t a = open[random_.below(static_cast<std::uint32_t>(open.size()))];
    const std::span<const LiftReach::End> ends = lift_.reach->ends(a);
    if (ends.empty()) return true;
    const LiftReach::End c = ends[random_.below(static_cast<std::uint32_t>(ends.size()))];
    if (doubles(a, c) || joined(a, c)) return true;
    const std::size_t wanted = c.router == a ? 2 : 1;
    if (free_[c.router].size() >= wanted) {
      join(a, c);
      return true;
    }
    if (cables_of_[c.router].empty()) return true;
    const auto count = static_cast<std::uint32_t>(cables_of_[c.router].size());
    const std::uint32_t index = cables_of_[c.router][random_.below(count)];
    LiftCable& cable = lift_.cables[index];
    if (cable.from == cable.to) return true;
    const bool ahead = cable.from == c.router;
    const std::uint32_t d = ahead ? cable.to : cable.from;
    const std::uint16_t c_port = ahead ? cable.from_port : cable.to_port;
    free_[d].push_back(ahead ? cable.to_port : cable.from_port);
    cables_of_[d].erase(std::find(cables_of_[d].begin(), cables_of_[d].end(), index));
    if (a != c.router) cables_of_[a].push_back(index);
    cable.from = a;
    cable.to = c.router;
    cable.turn = c.turn;
    cable.from_port = take(a);
    cable.to_port = c_port;
    return true;
  }

  Random& random_;
  Lift lift_;
  std::vector<std::vector<std::uint16_t>> free_;       // by router: ports
  std::vector<std::vector<std::uint32_t>> cables_of_;  // by router: their places among the lift's
};

}  // namespace

Lift random_near_lift(std::shared_ptr<const LiftReach> reach, std::uint32_t ports, Random& random) {
  return NearStart(std::move(reach), ports, random).make();
}

}  // namespace unknot
