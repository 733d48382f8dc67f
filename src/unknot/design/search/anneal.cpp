// SPDX-License-Identifier: Apache-2.0
#include "unknot/design/search/anneal.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "unknot/support/error.hpp"

namespace unknot {
namespace {

class Annealer {
 public:
  Annealer(Lift lift, Random& random) : lift_(std::move(lift)), random_(random) {
    lift_neighbours(lift_, neighbours_);
    for (std::uint32_t i = 0; i < lift_.cables.size(); ++i) {
      const std::uint32_t pool = lift_.cables[i].pool;
      if (pool == LiftCable::kFixed) continue;
      movable_.push_back(i);
      if (pool >= pools_.size()) pools_.resize(pool + 1);
      pools_[pool].push_back(i);
    }
    now_ = count();
  }

  AnnealResult run(std::uint64_t steps, const Progress& progress) {
    AnnealResult best{lift_, now_};
    if (movable_.empty()) return best;
    const double hot = typical_change() * 0.3;
    for (std::uint64_t step = 0; step < steps; ++step) {
      if (step % 256 == 0 && progress.interrupted()) throw Interrupted();
      const double heat = hot * std::pow(0.003, static_cast<double>(step) / static_cast<double>(steps));
      if (!propose()) continue;
      const LiftDistances then = count();
      const double worse = static_cast<double>(then.sum) - static_cast<double>(now_.sum);
      if (worse > 0 && random_.unit() >= std::exp(-worse / heat)) {
        take_back();
        continue;
      }
      now_ = then;
      if (now_.sum < best.distances.sum) best = {lift_, now_};
    }
    return best;
  }

 private:
  LiftDistances count() { return counter_.count(lift_.routers(), lift_.ports, lift_.base, neighbours_); }

  double typical_change() {
    constexpr int kTries = 40;
    double sum = 1;
    for (int i = 0; i < kTries; ++i) {
      if (!propose()) continue;
      sum += std::abs(static_cast<double>(count().sum) - static_cast<double>(now_.sum));
      take_back();
    }
    return sum / kTries;
  }

  bool allowed(const LiftCable& cable) const { return cable.from != cable.to || cable.turn != 0; }

  /// Changes one or two cables; false, and nothing is changed, where the draw is no network.
  bool propose() {
    const std::uint32_t i = movable_[random_.below(static_cast<std::uint32_t>(movable_.size()))];
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
    if (lift_.either_end && random_.below(2) == 0) {
      std::swap(b.from, b.to);
      std::swap(b.from_port, b.to_port);
      b.turn = lift_.group.inverse(b.turn);
    }
    std::swap(a.to, b.to);
    std::swap(a.to_port, b.to_port);
    if (!allowed(a) || !allowed(b)) return false;
    old_ = {{i, lift_.cables[i]}, {j, lift_.cables[j]}};
    put(i, a);
    put(j, b);
    return true;
  }

  void put(std::uint32_t i, const LiftCable& cable) {
    lift_.cables[i] = cable;
    write_cable(lift_, cable, neighbours_);
  }

  void take_back() {
    for (const auto& [i, cable] : old_) put(i, cable);
  }

  Lift lift_;
  Random& random_;
  std::vector<std::uint32_t> neighbours_;
  std::vector<std::uint32_t> movable_;
  std::vector<std::vector<std::uint32_t>> pools_;
  LiftDistanceCounter counter_;
  LiftDistances now_;
  std::vector<std::pair<std::uint32_t, LiftCable>> old_;
};

}  // namespace

AnnealResult anneal_lift(Lift lift, std::uint64_t steps, Random& random, const Progress& progress) {
  return Annealer(std::move(lift), random).run(steps, progress);
}

}  // namespace unknot
