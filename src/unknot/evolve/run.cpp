// SPDX-License-Identifier: Apache-2.0
#include "unknot/evolve/run.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "unknot/evolve/streams.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot::evolve {
namespace {

class Loop {
 public:
  Loop(const Problem& problem, Breeder& breeder, const LoopSettings& settings, const RunOptions& options)
      : breeder_(&breeder),
        settings_(settings),
        options_(options),
        threads_(options.threads == 0 ? hardware_threads() : options.threads),
        population_(settings.islands, settings.population, children_of(settings), problem.layout().length()) {
    for (std::uint32_t t = 0; t < threads_; ++t) evaluators_.push_back(problem.evaluator());
  }

  Outcome run(Progress& progress) {
    progress.begin("evolve", options_.generations);
    first_members();
    std::uint64_t better = 0;  // generation of the last better best
    Cost best = cost_of(best_row());
    bool go_on = report();
    while (go_on && best > options_.target && generation_ < options_.generations &&
           evaluations_ < options_.evaluations &&
           (options_.stall == 0 || generation_ - better < options_.stall)) {
      if (progress.interrupted()) throw Interrupted();
      next_generation();
      progress.update(generation_);
      if (const Cost now = cost_of(best_row()); now < best) {
        best = now;
        better = generation_;
      }
      go_on = report();
    }
    const std::span<const Value> winner = population_.chromosome(best_row());
    return {{winner.begin(), winner.end()}, best, best <= options_.target, generation_, evaluations_};
  }

 private:
  [[nodiscard]] Cost cost_of(std::uint32_t row) const { return population_.cost(row); }

  /// The cheapest member of all; of the first island among equals.
  [[nodiscard]] std::uint32_t best_row() const {
    std::uint32_t best = population_.members(0)[0];
    for (std::uint32_t island = 1; island < population_.islands(); ++island) {
      const std::uint32_t row = population_.members(island)[0];
      if (cost_of(row) < cost_of(best)) best = row;
    }
    return best;
  }

  bool report() {
    if (!options_.watch) return true;
    const std::uint32_t row = best_row();
    return options_.watch({generation_, evaluations_, cost_of(row), population_.chromosome(row)});
  }

  /// work(evaluator, island, index) for `each` items of every island.
  template <class Work>
  void for_items(std::uint32_t each, const Work& work) {
    const std::uint32_t items = population_.islands() * each;
    const std::uint32_t block = std::max(1U, items / (threads_ * 8));
    parallel_blocks(items, block, threads_,
                    [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
                      for (std::uint32_t i = begin; i < end; ++i)
                        work(*evaluators_[worker], i / each, i % each);
                    });
    evaluations_ += items;
  }

  void rank_all() {
    for (std::uint32_t island = 0; island < population_.islands(); ++island) population_.rank(island);
  }

  void first_members() {
    for_items(population_.size(), [&](Evaluator& evaluator, std::uint32_t island, std::uint32_t index) {
      Random random(options_.seed, stream(Purpose::initial, island, 0, index));
      const std::uint32_t row = population_.members(island)[index];
      const std::span<Value> chromosome = population_.chromosome(row);
      evaluator.initial(chromosome, random);
      evaluator.repair(chromosome, random);
      population_.set_cost(row, evaluator.cost(chromosome));
    });
    rank_all();
  }

  void next_generation() {
    ++generation_;
    breeder_->learn(population_, {options_.seed, generation_, threads_});
    for_items(population_.children(), [&](Evaluator& evaluator, std::uint32_t island, std::uint32_t index) {
      Random random(options_.seed, stream(Purpose::child, island, generation_, index));
      const std::uint32_t row = population_.nursery(island)[index];
      const std::span<Value> child = population_.chromosome(row);
      breeder_->breed(population_, island, child, random);
      if (random.unit() < settings_.mutation) evaluator.mutate(child, random);
      evaluator.repair(child, random);
      population_.set_cost(row, evaluator.cost(child));
    });
    for (std::uint32_t island = 0; island < population_.islands(); ++island)
      population_.replace_worst(island);
    rank_all();
    if (population_.islands() > 1 && generation_ % settings_.interval == 0)
      population_.migrate(settings_.migrants);
  }

  Breeder* breeder_;
  LoopSettings settings_;
  const RunOptions& options_;
  std::uint32_t threads_;
  Population population_;
  std::vector<std::unique_ptr<Evaluator>> evaluators_;
  std::uint64_t generation_ = 0;
  std::uint64_t evaluations_ = 0;
};

}  // namespace

std::uint32_t children_of(const LoopSettings& settings) {
  const auto count = static_cast<std::uint32_t>(std::lround(settings.replaced * settings.population));
  return std::clamp(count, 1U, settings.population - 1);
}

Outcome run(const Problem& problem, Breeder& breeder, const LoopSettings& settings, const RunOptions& options,
            Progress& progress) {
  return Loop(problem, breeder, settings, options).run(progress);
}

}  // namespace unknot::evolve
