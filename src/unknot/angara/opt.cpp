// SPDX-License-Identifier: Apache-2.0
#include "unknot/angara/opt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "unknot/angara/engines.hpp"
#include "unknot/angara/route_balance.hpp"
#include "unknot/angara/sssp.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot::angara {
namespace {

constexpr std::uint32_t kSweeps = 100;
constexpr std::uint32_t kChains = 2;             // annealed side by side
constexpr double kMovesPerPair = 300;            // of each round of annealing
constexpr std::uint64_t kMostMoves = 4'000'000;  // of a round at effort 1
constexpr std::uint32_t kRounds = 4;

class Optimiser {
 public:
  Optimiser(const System& system, const RouteChoices& choices, const OptOptions& options, Progress& progress)
      : system_(system),
        choices_(choices),
        options_(options),
        progress_(progress),
        balance_(system, choices),
        mean_(balance_.mean_load()) {}

  OptResult run() {
    starts();
    find_bound(best_.max_load());
    if (best_.max_load() > bound_.value) search();
    OptResult result;
    result.table = balance_.to_table(best_);
    result.max_load = best_.max_load();
    result.sigma4 = balance_.sigma4(best_);
    result.bound = std::move(bound_);
    return result;
  }

 private:
  [[nodiscard]] bool stopped() const { return options_.seconds_left() <= 0; }

  /// The fourth power of the deviation, and a wall above `cap`: loads beyond it cost far more than any
  /// deviation below it can save.
  [[nodiscard]] Price deviation(std::uint32_t cap) const {
    const double off = std::max(1.0, std::max<double>(cap, mean_) - mean_);
    const double wall = 1000 * off * off * off * off;
    return {balance_.load_limit(), [&](std::uint32_t load) {
              const double apart = load - mean_;
              const double above = load > cap ? load - cap : 0;
              return apart * apart * apart * apart + wall * above * above;
            }};
  }
  /// Counts what is above `goal`, hardly anything else.
  [[nodiscard]] Price excess(std::uint32_t goal) const {
    const double scale = std::pow(std::max(1.0, goal - mean_), 4);
    return {balance_.load_limit(), [&](std::uint32_t load) {
              const double apart = (load - mean_);
              const double above = load > goal ? load - goal : 0;
              return above * above + 0.02 * apart * apart * apart * apart / scale;
            }};
  }

  void consider(Balance balance) {
    if (best_.load.empty() || key(balance) < key(best_)) best_ = std::move(balance);
  }
  [[nodiscard]] std::pair<std::uint32_t, double> key(const Balance& balance) const {
    return {balance.max_load(), balance_.sigma4(balance)};
  }

  void starts() {
    const Balance first = balance_.from_table(sssp(system_, choices_, progress_).table);
    const Price price = deviation(balance_.load_limit());
    consider(first);
    Balance improved = first;
    balance_.descend(improved, price, kSweeps);
    consider(std::move(improved));
    Balance alternating =
        balance_.pick([&](std::uint32_t s, std::uint32_t d, std::span<const RouteCode> routes) {
          return alternate(s, d, routes);
        });
    consider(alternating);
    balance_.descend(alternating, price, kSweeps);
    consider(std::move(alternating));
  }

  /// Both ways round a ring are equally short to the opposite node: even nodes go up and odd ones down, the
  /// other way round for every other displacement along the other dimensions. Where half a ring is an even
  /// number of steps, each channel is then on exactly half of those ways.
  [[nodiscard]] std::uint32_t alternate(std::uint32_t source, std::uint32_t destination,
                                        std::span<const RouteCode> routes) const {
    const Torus& torus = system_.torus;
    const std::uint32_t from = torus.network().router_of(TerminalId(source)).value;
    const std::uint32_t to = torus.network().router_of(TerminalId(destination)).value;
    std::uint32_t apart = 0;
    for (std::uint32_t d = 0; d < torus.dimensions(); ++d)
      apart += torus.coordinate(to, d) + torus.extent(d) - torus.coordinate(from, d);
    for (std::uint32_t route = 0; route < routes.size(); ++route) {
      if (routes[route].first_step() || routes[route].last_step()) continue;
      bool fits = true;
      for (std::uint32_t d = 0; d < torus.dimensions(); ++d) {
        const std::int32_t steps = routes[route].steps(d);
        if (2 * static_cast<std::uint32_t>(std::abs(steps)) != torus.extent(d) || torus.extent(d) == 2)
          continue;
        const std::uint32_t odd = torus.extent(d) % 4 == 0 ? 0 : apart + torus.extent(d) / 2;
        if ((steps > 0) != ((torus.coordinate(from, d) + odd) % 2 == 0)) fits = false;
      }
      if (fits) return route;
    }
    return 0;
  }

  void find_bound(std::uint64_t enough) {
    BoundEffort effort;
    effort.enough = enough;
    effort.seconds_left = options_.seconds_left;
    effort.most_columns =
        static_cast<std::uint64_t>(options_.effort * static_cast<double>(effort.most_columns));
    bound_ = load_bound(system_, choices_, balance_, best_.load, effort, progress_);
  }

  /// Rounds of annealing on two chains: one smooths all deviations, one goes for the next lower maximum.
  void search() {
    const auto wanted = static_cast<std::uint64_t>(kMovesPerPair * balance_.open_pairs());
    const auto moves = static_cast<std::uint64_t>(
        options_.effort * static_cast<double>(std::clamp<std::uint64_t>(wanted, 10'000, kMostMoves)));
    progress_.begin("annealing", kRounds);
    for (std::uint32_t round = 0; round < kRounds && best_.max_load() > bound_.value && !stopped(); ++round) {
      std::array<Balance, kChains> chains{best_, best_};
      parallel_blocks(kChains, 1, options_.threads,
                      [&](std::uint32_t, std::uint32_t begin, std::uint32_t end) {
                        for (std::uint32_t chain = begin; chain < end; ++chain)
                          anneal(chains[chain], chain, round, moves);
                      });
      for (Balance& chain : chains) consider(std::move(chain));
      progress_.update(round + 1);
      if (progress_.interrupted()) throw Interrupted();
    }
  }

  void anneal(Balance& balance, std::uint32_t chain, std::uint32_t round, std::uint64_t moves) const {
    Random random(options_.seed, std::uint64_t{round} << 32 | chain);
    const std::uint32_t top = balance.max_load();
    const auto goal = static_cast<std::uint32_t>(bound_.value);
    const auto stop = [&] { return stopped(); };
    if (chain == 0) {
      const double spread = std::max(1.0, balance_.sigma4(balance));
      // Each round starts from the best so far, a quarter as hot: the last ones only mend it.
      const double hot = 4 * spread * spread * spread / std::pow(4.0, round);
      balance_.anneal(balance, deviation(balance_.load_limit()), {hot, hot / 400, moves, goal}, random, stop);
    } else {
      balance_.anneal(balance, excess(top - 1), {0.6, 0.02, moves, top - 1}, random, stop);
    }
    balance_.descend(balance, deviation(std::max(goal, balance.max_load())), kSweeps);
  }

  const System& system_;
  const RouteChoices& choices_;
  const OptOptions& options_;
  Progress& progress_;
  RouteBalance balance_;
  double mean_;
  Balance best_;
  LoadBound bound_;
};

std::string note_of(const OptResult& result) {
  if (result.proven_optimal()) {
    return fmt::format("maximum load {} is proven optimal among shortest routes (lower bound by {})",
                       result.max_load, result.bound.name);
  }
  return fmt::format("maximum load {}, at least {} (lower bound by {})", result.max_load, result.bound.value,
                     result.bound.name);
}

}  // namespace

OptResult optimise(const System& system, const RouteChoices& choices, const OptOptions& options,
                   Progress& progress) {
  return Optimiser(system, choices, options, progress).run();
}

Engine opt_engine() {
  return torus_engine(
      "angara-opt", "source routes of a torus: smallest maximum load found, with a proven lower bound",
      {{.name = "effort",
        .kind = ParameterKind::real,
        .help = "multiplies the work spent on the search and on the bound",
        .fallback = "1",
        .min = 0,
        .max = 10'000},
       {.name = "time",
        .kind = ParameterKind::real,
        .help = "seconds for bound and search, after which the best so far is returned; 0: no limit",
        .fallback = "0",
        .min = 0,
        .max = 1e6}},
      [](const System& system, const EngineRequest& request, Progress& progress) {
        const RouteChoices choices(system.graph, request.threads, progress);
        OptOptions options;
        options.seed = request.seed;
        options.threads = request.threads;
        options.effort = request.parameters.real("effort");
        if (const double seconds = request.parameters.real("time"); seconds > 0) {
          const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
          options.seconds_left = [end] {
            return std::chrono::duration<double>(end - std::chrono::steady_clock::now()).count();
          };
        }
        const OptResult result = optimise(system, choices, options, progress);
        Routing routing = to_routing(system, choices, result.table, "angara-opt", request.threads);
        routing.report.load_bound = result.bound.value;
        routing.report.note += (routing.report.note.empty() ? "" : "; ") + note_of(result);
        return routing;
      });
}

}  // namespace unknot::angara
