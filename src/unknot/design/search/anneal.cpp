// SPDX-License-Identifier: Apache-2.0
#include "unknot/design/search/anneal.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "unknot/design/search/reach.hpp"
#include "unknot/design/search/split_loads.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

class Annealer {
 public:
  Annealer(Lift lift, AnnealAim aim, Random& random) : lift_(std::move(lift)), aim_(aim), random_(random) {
    lift_neighbours(lift_, neighbours_);
    for (std::uint32_t i = 0; i < lift_.cables.size(); ++i) {
      const std::uint32_t pool = lift_.cables[i].pool;
      if (pool == LiftCable::kFixed) continue;
      movable_.push_back(i);
      if (pool >= pools_.size()) pools_.resize(pool + 1);
      pools_[pool].push_back(i);
    }
    if (lift_.reach) {
      at_.assign(std::size_t{lift_.base} * lift_.ports, kNone);
      for (const std::uint32_t i : movable_) note(i);
    }
    now_ = count();
    now_cost_ = cost(now_);
  }

  AnnealResult run(std::uint64_t steps, const Progress& progress) {
    AnnealResult best{lift_, now_, now_cost_};
    if (movable_.empty()) return best;
    const double hot = typical_change() * 0.3;
    for (std::uint64_t step = 0; step < steps; ++step) {
      if (step % 256 == 0 && progress.interrupted()) throw Interrupted();
      const double heat = hot * std::pow(0.003, static_cast<double>(step) / static_cast<double>(steps));
      if (!propose()) continue;
      const LiftDistances then = count();
      const double then_cost = cost(then);
      const double worse = then_cost - now_cost_;
      if (worse > 0 && random_.unit() >= std::exp(-worse / heat)) {
        take_back();
        continue;
      }
      now_ = then;
      now_cost_ = then_cost;
      if (now_cost_ < best.cost) best = {lift_, now_, now_cost_};
    }
    return best;
  }

 private:
  LiftDistances count() { return counter_.count(lift_.routers(), lift_.ports, lift_.base, neighbours_); }

  /// Of loads: the sum of distances that a network would have if all its channels carried as much as a high
  /// power mean of them.
  double cost(const LiftDistances& distances) {
    const auto sum = static_cast<double>(distances.sum);
    if (aim_ == AnnealAim::distances || !distances.connected) return sum;
    split_.count(lift_.routers(), lift_.ports, lift_.base, neighbours_);
    const double channels = 2.0 * static_cast<double>(lift_.cables.size());
    return sum * std::sqrt(std::sqrt(split_.fourth_powers(sum / channels) / channels));
  }

  double typical_change() {
    constexpr int kTries = 40;
    double sum = 1;
    for (int i = 0; i < kTries; ++i) {
      if (!propose()) continue;
      sum += std::abs(cost(count()) - now_cost_);
      take_back();
    }
    return sum / kTries;
  }

  bool allowed(const LiftCable& cable) const { return cable.from != cable.to || cable.turn != 0; }

  /// Changes one or two cables; false, and nothing is changed, where the draw is no network.
  bool propose() {
    const std::uint32_t i = movable_[random_.below(static_cast<std::uint32_t>(movable_.size()))];
    if (lift_.reach) return rejoin(i);
    const std::vector<std::uint32_t>& pool = pools_[lift_.cables[i].pool];
    const bool turning = lift_.group.order() > 1 && (pool.size() == 1 || random_.below(2) == 0);
    if (turning) return turn(i);
    if (pool.size() == 1) return false;
    const std::uint32_t j = pool[random_.below(static_cast<std::uint32_t>(pool.size()))];
    return i != j && exchange(i, j);
  }

  bool turn(std::uint32_t i) {
    LiftCable cable = lift_.cables[i];
    const std::vector<std::uint32_t>& involutions = lift_.group.involutions();
    cable.turn = cable.half ? involutions[random_.below(static_cast<std::uint32_t>(involutions.size()))]
                            : random_.below(lift_.group.order());
    if (cable.turn == lift_.cables[i].turn || !allowed(cable)) return false;
    old_ = {{i, lift_.cables[i]}};
    put(i, cable);
    return true;
  }

  bool exchange(std::uint32_t i, std::uint32_t j) {
    LiftCable a = lift_.cables[i];
    LiftCable b = lift_.cables[j];
    if (a.half || b.half) return false;
    if (lift_.either_end && random_.below(2) == 0) b = turned(b);
    std::swap(a.to, b.to);
    std::swap(a.to_port, b.to_port);
    if (!allowed(a) || !allowed(b)) return false;
    old_ = {{i, lift_.cables[i]}, {j, lift_.cables[j]}};
    put(i, a);
    put(j, b);
    return true;
  }

  /// The cable, seen from the other end.
  LiftCable turned(LiftCable cable) const {
    std::swap(cable.from, cable.to);
    std::swap(cable.from_port, cable.to_port);
    cable.turn = lift_.group.inverse(cable.turn);
    return cable;
  }

  /// One end of a cable a-b goes to a router d within reach, and d's cable d-c leaves its port for b: a-d and
  /// b-c; where that port is free, b's is from then on.
  bool rejoin(std::uint32_t i) {
    LiftCable cable = lift_.cables[i];
    if (random_.below(2) == 0) cable = turned(cable);
    const std::span<const LiftReach::End> ends = lift_.reach->ends(cable.from);
    const LiftReach::End d = ends[random_.below(static_cast<std::uint32_t>(ends.size()))];
    const auto port = static_cast<std::uint16_t>(random_.below(lift_.ports) + 1);
    const std::uint32_t j = at_[std::size_t{d.router} * lift_.ports + port - 1];
    if (j == i) return false;
    LiftCable other;
    if (j != kNone) {
      other = lift_.cables[j];
      if (other.from != d.router || other.from_port != port) other = turned(other);
      other.turn =
          lift_.group.product(lift_.group.inverse(cable.turn), lift_.group.product(d.turn, other.turn));
      other.from = cable.to;
      other.from_port = cable.to_port;
      if (!lift_.reach->joins(other.from, other.to, other.turn)) return false;
    }
    LiftCable first = cable;
    first.to = d.router;
    first.turn = d.turn;
    first.to_port = port;
    old_ = {{i, lift_.cables[i]}};
    if (j != kNone) {
      old_.emplace_back(j, lift_.cables[j]);
    } else {
      leave(cable.to, cable.to_port);
      filled_ = {d.router, port};
    }
    put(i, first);
    if (j != kNone) put(j, other);
    return true;
  }

  void leave(std::uint32_t router, std::uint16_t port) {
    at_[std::size_t{router} * lift_.ports + port - 1] = kNone;
    for (std::uint32_t r = router; r < lift_.routers(); r += lift_.base)
      neighbours_[std::size_t{r} * lift_.ports + port - 1] = r;
  }

  void note(std::uint32_t i) {
    const LiftCable& cable = lift_.cables[i];
    at_[std::size_t{cable.from} * lift_.ports + cable.from_port - 1] = i;
    at_[std::size_t{cable.to} * lift_.ports + cable.to_port - 1] = i;
  }

  void put(std::uint32_t i, const LiftCable& cable) {
    lift_.cables[i] = cable;
    write_cable(lift_, cable, neighbours_);
    if (lift_.reach) note(i);
  }

  void take_back() {
    if (lift_.reach && old_.size() == 1) leave(filled_.first, filled_.second);
    for (const auto& [i, cable] : old_) put(i, cable);
  }

  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  Lift lift_;
  AnnealAim aim_;
  Random& random_;
  std::vector<std::uint32_t> at_;  // with a reach, by router and port of copy 0: its cable
  std::vector<std::uint32_t> neighbours_;
  std::vector<std::uint32_t> movable_;
  std::vector<std::vector<std::uint32_t>> pools_;
  LiftDistanceCounter counter_;
  SplitLoads split_;
  LiftDistances now_;
  double now_cost_ = 0;
  std::vector<std::pair<std::uint32_t, LiftCable>> old_;
  std::pair<std::uint32_t, std::uint16_t>
      filled_;  // router and port, free before; where old_ is one with a reach
};

}  // namespace

AnnealResult anneal_lift(Lift lift, AnnealAim aim, std::uint64_t steps, Random& random,
                         const Progress& progress) {
  return Annealer(std::move(lift), aim, random).run(steps, progress);
}

}  // namespace unknot
