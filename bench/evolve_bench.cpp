// SPDX-License-Identifier: Apache-2.0
// Individuals made and evaluated a second, on a schedule-like problem of (path, step) genes with counters of
// conflicts, and on a string of bits, whose evaluation costs next to nothing.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "unknot/evolve/catalogue.hpp"
#include "unknot/evolve/incremental.hpp"

namespace unknot::evolve {
namespace {

constexpr std::uint32_t kPaths = 4;
constexpr std::uint32_t kHops = 3;

/// Messages with paths of random channels; conflicts are messages beyond the first in a channel at a step. As
/// large as all-to-all scatter on a hypercube of 16 routers: 240 messages, 64 channels, 8 steps.
class Schedule : public Problem {
 public:
  Schedule(std::uint32_t messages, std::uint32_t channels, std::uint32_t steps)
      : channels_(channels),
        steps_(steps),
        layout_(Layout::uniform(messages, {kPaths, steps})),
        hops_(std::size_t{messages} * kPaths * kHops) {
    Random random(1);
    for (std::uint32_t& channel : hops_) channel = random.below(channels);
  }
  const Layout& layout() const override { return layout_; }
  std::unique_ptr<Evaluator> evaluator() const override { return std::make_unique<Counting>(*this); }

 private:
  class Counting : public Incremental<Counting> {
   public:
    explicit Counting(const Schedule& schedule)
        : Incremental(schedule.layout_), schedule_(&schedule), used_(schedule.channels_ * schedule.steps_) {}
    void clear() {
      std::fill(used_.begin(), used_.end(), 0U);
      total_ = 0;
    }
    void add(std::uint32_t gene, std::span<const Value> v) {
      const std::uint32_t* hop = path(gene, v[0]);
      for (std::uint32_t h = 0; h < kHops; ++h)
        total_ += used_[hop[h] * schedule_->steps_ + v[1]]++ > 0 ? 1 : 0;
    }
    void remove(std::uint32_t gene, std::span<const Value> v) {
      const std::uint32_t* hop = path(gene, v[0]);
      for (std::uint32_t h = 0; h < kHops; ++h)
        total_ -= --used_[hop[h] * schedule_->steps_ + v[1]] > 0 ? 1 : 0;
    }
    Cost total() const { return total_; }

   private:
    const std::uint32_t* path(std::uint32_t gene, Value index) const {
      return schedule_->hops_.data() + (std::size_t{gene} * kPaths + index) * kHops;
    }
    const Schedule* schedule_;
    std::vector<std::uint32_t> used_;
    Cost total_ = 0;
  };

  std::uint32_t channels_, steps_;
  Layout layout_;
  std::vector<std::uint32_t> hops_;
};

class Bits : public Problem {
 public:
  explicit Bits(std::uint32_t bits) : layout_(Layout::uniform(bits, {2})) {}
  const Layout& layout() const override { return layout_; }
  std::unique_ptr<Evaluator> evaluator() const override { return std::make_unique<Zeros>(layout_); }

 private:
  struct Zeros : Evaluator {
    using Evaluator::Evaluator;
    Cost cost(std::span<const Value> x) override {
      return 1 + static_cast<Cost>(std::count(x.begin(), x.end(), Value{0}));  // never done
    }
  };
  Layout layout_;
};

void evolve(benchmark::State& state, const Problem& problem, const char* spec, std::uint64_t generations,
            std::uint32_t threads) {
  Progress silent;
  RunOptions options;
  options.generations = generations;
  options.threads = threads;
  double evaluations = 0, made = 0;
  Cost cost = 0;
  for (auto _ : state) {
    const Outcome outcome = optimise(problem, spec, options, silent);
    evaluations += static_cast<double>(outcome.evaluations);
    made += static_cast<double>(outcome.generations);
    cost = outcome.cost;
    ++options.seed;
  }
  state.counters["evaluations/s"] = benchmark::Counter(evaluations, benchmark::Counter::kIsRate);
  state.counters["generations/s"] = benchmark::Counter(made, benchmark::Counter::kIsRate);
  state.counters["cost"] = cost;
}

void schedule(benchmark::State& state, const char* spec, std::uint64_t generations, std::uint32_t threads) {
  evolve(state, Schedule(240, 64, 8), spec, generations, threads);
}
void bits(benchmark::State& state, const char* spec, std::uint64_t generations, std::uint32_t threads) {
  evolve(state, Bits(500), spec, generations, threads);
}

BENCHMARK_CAPTURE(schedule, sga, "sga", 2000, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(schedule, umda, "umda", 2000, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(schedule, umda_4_islands_2_threads, "umda:islands=4", 1000, 2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(schedule, mboa, "mboa", 20, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(schedule, mboa_2_threads, "mboa", 20, 2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(bits, sga, "sga", 2000, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bits, umda, "umda", 2000, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(bits, mboa, "mboa", 20, 1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace unknot::evolve

BENCHMARK_MAIN();
