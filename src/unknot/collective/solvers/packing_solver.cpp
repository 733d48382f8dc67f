// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/solvers/packing_solver.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>
#include <span>
#include <utility>

#include "unknot/collective/packing/ejection_search.hpp"
#include "unknot/collective/symmetry/symmetry.hpp"
#include "unknot/support/clock.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot {
namespace {

constexpr std::uint64_t kFirstArcs = 500'000;  // looked at by each search of the first cycle's first round
constexpr std::uint32_t kSurvivors = 4;        // searches that are left at the end of a cycle, at least
constexpr std::uint32_t kMostMixed = 3;        // bins of the next smaller subgroup
constexpr std::uint64_t kMostTable = std::uint64_t{1} << 27U;  // entries by shift and arc

/// How steps are alike: the order of the group, and of the subgroups that leave each bin alone.
struct Plan {
  std::uint32_t order = 1;
  std::vector<std::uint32_t> stabilisers;
  std::uint32_t extra_hops = 0;
};

/// Bins for this many steps, of the chain's subgroups from `at` on: `mixed` of the one before, as many as fit
/// of it, the rest with larger subgroups, whose bins are smaller. Empty where they do not come out even.
std::vector<std::uint32_t> bins_of(std::span<const std::uint32_t> orders, std::uint32_t steps, std::size_t at,
                                   std::uint32_t mixed) {
  std::vector<std::uint32_t> bins;
  const std::uint32_t all = orders.back();
  for (std::uint32_t i = 0; i < mixed; ++i) {
    if (at == 0 || steps < all / orders[at - 1]) return {};
    bins.push_back(orders[at - 1]);
    steps -= all / orders[at - 1];
  }
  if (steps < all / orders[at]) return {};
  for (std::size_t i = at; i < orders.size(); ++i) {
    for (; steps >= all / orders[i]; steps -= all / orders[i]) bins.push_back(orders[i]);
  }
  return bins;
}

/// For one group, every subgroup of the chain, alone and beside some bins of the one before: large subgroups
/// leave little to look for, and what does not fit in them alone goes to the others.
void add_plans(const Problem& problem, std::span<const std::uint32_t> orders, std::uint32_t steps,
               std::uint32_t extra_hops, std::vector<Plan>& plans) {
  for (std::size_t at = orders.size(); at-- > 0;) {
    for (std::uint32_t mixed = 0; mixed <= kMostMixed; ++mixed) {
      const std::size_t widest = mixed == 0 ? at : at - 1;
      if (mixed > 0 && at == 0) break;
      if (std::uint64_t{orders.back() / orders[widest]} * problem.graph->arc_count() > kMostTable) continue;
      Plan plan{orders.back(), bins_of(orders, steps, at, mixed), extra_hops};
      const auto same = [&](const Plan& other) {
        return other.order == plan.order && other.extra_hops == extra_hops &&
               other.stabilisers == plan.stabilisers;
      };
      if (!plan.stabilisers.empty() && std::none_of(plans.begin(), plans.end(), same))
        plans.push_back(std::move(plan));
    }
  }
}

/// One plan's search, and what it works on.
struct Attempt {
  const Plan* plan;
  Packing packing;
  EjectionSearch search;
  std::uint64_t insertions_known = 0;
  Attempt(const Problem& problem, const Symmetry& symmetry, const Plan& of, std::uint64_t seed,
          std::uint64_t stream)
      : plan(&of),
        packing(problem, symmetry.subgroup(of.order), of.extra_hops, of.stabilisers),
        search(packing, seed, stream) {}
  /// Since the last time it was asked.
  std::uint64_t new_insertions() {
    return search.insertions() - std::exchange(insertions_known, search.insertions());
  }
  [[nodiscard]] std::uint64_t left_out() const { return std::uint64_t{search.best_waiting()} * plan->order; }
};

/// Cycles of rounds. A cycle begins with every plan of the largest groups, one group more than the cycle
/// before; of each round, those that left out most messages are given up and the others get twice the work.
/// The first plan of a round, by number, that leaves out none is the solution: the same at any number of
/// threads.
class PackingRun {
 public:
  PackingRun(const Problem& problem, std::uint32_t steps, const Parameters& p, const SolveOptions& options,
             Progress& progress)
      : problem_(&problem),
        steps_(steps),
        options_(&options),
        progress_(&progress),
        all_arcs_(p.number("effort") * 1'000'000),
        slack_(slack()),
        longer_(slack_ > 0 ? std::min(p.number32("longer"), problem.extra_hops) : 0),
        symmetry_(p.flag("symmetry")
                      ? find_symmetry(problem, {.fixed_node = true, .stop = [this] { return stopped(); }})
                      : Symmetry(problem.graph->node_count())) {
    for (std::uint32_t s = 0; s < steps; ++s) best_.schedule.add_step();
    best_.steps = steps;
    best_.conflicts = problem.messages();
  }

  Solution run() {
    progress_->begin("pack", all_arcs_);
    if (slack_ < 0) {
      best_.impossible = true;
      all_arcs_ = 1;  // one cycle, for a schedule of as much as there is room for
    }
    for (std::uint32_t cycle = 0; done_ < all_arcs_ && best_.conflicts > 0 && !out_of_time_; ++cycle) {
      if (!run_cycle(cycle)) break;
    }
    best_.out_of_time = out_of_time_ && best_.conflicts > 0;
    return std::move(best_);
  }

 private:
  [[nodiscard]] bool late() const {
    return options_->seconds > 0 && seconds_since(start_) >= options_->seconds;
  }
  [[nodiscard]] bool stopped() const { return late() || progress_->interrupted(); }

  /// Hops for which there is room beyond those of shortest paths; below zero there is no schedule.
  [[nodiscard]] std::int64_t slack() const {
    const NodeGraph& graph = *problem_->graph;
    std::int64_t room = 0;
    for (const ArcId a : graph.arcs()) room += std::int64_t{graph.capacity(a)} * steps_;
    std::vector<std::uint32_t> far;
    for (std::uint32_t g = 0; g < problem_->groups(); ++g) {
      graph.distances_from(problem_->owner[g], far);
      for (const NodeId n : problem_->partners(g)) room -= far[n.value];
    }
    return room;
  }

  /// False when no plan can succeed.
  bool run_cycle(std::uint32_t cycle) {
    const auto orders = symmetry_.subgroup_orders();
    const std::size_t groups = std::min<std::size_t>(cycle + 1, orders.size());
    std::vector<Plan> plans;
    for (std::size_t g = 0; g < groups; ++g) {
      for (std::uint32_t extra = 0; extra <= longer_; ++extra)
        add_plans(*problem_, orders.first(orders.size() - g), steps_, extra, plans);
    }
    std::vector<std::unique_ptr<Attempt>> attempts(plans.size());
    std::vector<std::uint32_t> alive(plans.size());
    std::iota(alive.begin(), alive.end(), 0U);
    for (std::uint64_t arcs = kFirstArcs << std::min(cycle, 20U); !alive.empty(); arcs *= 2) {
      run_round(plans, alive, arcs, cycle, attempts);
      if (best_.conflicts == 0 || out_of_time_ || done_ >= all_arcs_) break;
      std::erase_if(alive, [&](std::uint32_t i) { return attempts[i]->search.hopeless(); });
      if (alive.size() <= kSurvivors) break;
      std::stable_sort(alive.begin(), alive.end(), [&](std::uint32_t a, std::uint32_t b) {
        return attempts[a]->left_out() < attempts[b]->left_out();
      });
      for (std::size_t i = std::max<std::size_t>(kSurvivors, alive.size() / 2); i < alive.size(); ++i)
        attempts[alive[i]].reset();
      alive.resize(std::max<std::size_t>(kSurvivors, alive.size() / 2));
      std::sort(alive.begin(), alive.end());
    }
    return groups < orders.size() || !alive.empty();
  }

  void run_round(const std::vector<Plan>& plans, const std::vector<std::uint32_t>& alive, std::uint64_t arcs,
                 std::uint32_t cycle, std::vector<std::unique_ptr<Attempt>>& attempts) {
    constexpr std::uint32_t kNoSuccess = 0xFFFFFFFFU;
    std::atomic<std::uint32_t> first_success = kNoSuccess;
    std::atomic<bool> interrupted = false;
    const auto count = static_cast<std::uint32_t>(alive.size());
    parallel_blocks(count, 1, options_->threads, [&](std::uint32_t worker, std::uint32_t k, std::uint32_t) {
      const auto stop = [&] {
        if (late()) out_of_time_ = true;
        if (worker == 0 && progress_->interrupted()) interrupted = true;
        return first_success < k || out_of_time_ || interrupted;
      };
      std::unique_ptr<Attempt>& attempt = attempts[alive[k]];
      if (stop()) return;
      if (!attempt) {
        attempt = std::make_unique<Attempt>(*problem_, symmetry_, plans[alive[k]], options_->seed,
                                            std::uint64_t{cycle} << 32U | alive[k]);
      }
      const bool success = attempt->search.run(arcs, stop);
      std::uint32_t first = first_success;
      while (success && k < first && !first_success.compare_exchange_weak(first, k)) {
      }
    });
    if (interrupted) throw Interrupted();
    done_ += arcs * count;
    progress_->update(std::min(done_, all_arcs_));
    for (std::uint32_t k = 0; k < count; ++k) {
      Attempt* const attempt = attempts[alive[k]].get();
      // Those after the first success may have been stopped anywhere.
      if (attempt == nullptr || k > first_success) break;
      best_.evaluations += attempt->new_insertions();
      if (first_success != kNoSuccess && k != first_success) continue;
      if (attempt->left_out() >= best_.conflicts) continue;
      best_.conflicts = static_cast<std::uint32_t>(attempt->left_out());
      best_.schedule = attempt->packing.schedule(attempt->search.best());
    }
  }

  Clock::time_point start_ = Clock::now();
  const Problem* problem_;
  std::uint32_t steps_;
  const SolveOptions* options_;
  Progress* progress_;
  std::uint64_t all_arcs_, done_ = 0;
  std::int64_t slack_;
  std::uint32_t longer_;
  Symmetry symmetry_;
  Solution best_;
  std::atomic<bool> out_of_time_ = false;
};

Solution solve_packing(const Problem& problem, std::uint32_t steps, const Parameters& p,
                       const SolveOptions& options, Progress& progress) {
  return PackingRun(problem, steps, p, options, progress).run();
}

}  // namespace

Solver packing_solver() {
  return {.name = "packing",
          .summary = "scatters by ejection search, alike under automorphisms of the network",
          .source = "Nagata, Braysy 2009 (ejection); Kramer, Mesner 1976 (orbits)",
          .parameters = {{.name = "effort",
                          .help = "millions of arcs looked at, for each number of steps",
                          .fallback = "300",
                          .min = 1,
                          .max = 1e9},
                         {.name = "longer",
                          .help = "paths up to this many hops longer than shortest are tried too",
                          .fallback = "1",
                          .max = 8},
                         {.name = "symmetry",
                          .kind = ParameterKind::flag,
                          .help = "0: automorphisms are not looked for",
                          .fallback = "1"}},
          .unsuitable =
              [](const Problem& problem) {
                return problem.delivery == Delivery::scatter ? std::string()
                                                             : std::string("it is no scatter");
              },
          .solve = solve_packing};
}

}  // namespace unknot
