// SPDX-License-Identifier: Apache-2.0
#include "unknot/evolve/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "unknot/evolve/checkpoint.hpp"
#include "unknot/evolve/streams.hpp"
#include "unknot/evolve/workers.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot::evolve {
namespace {

constexpr std::uint64_t kNoCost = UINT64_MAX;
/// Processes talk after as many generations as take so long: seldom enough to cost nothing, often enough that
/// none runs on for long after another has reached the target, and that limits in seconds hold.
constexpr std::chrono::milliseconds kLeg{20};
constexpr std::uint64_t kLongestLeg = 4096;

bool fits(const Layout& layout, Evaluator& evaluator, std::span<const Value> chromosome, Cost cost) {
  if (chromosome.size() != layout.length()) return false;
  for (std::uint32_t c = 0; c < layout.length(); ++c) {
    if (chromosome[c] >= layout.cardinality(c)) return false;
  }
  std::vector<Value> repaired(chromosome.begin(), chromosome.end());
  Random random(1, 0);
  evaluator.repair(repaired, random);
  return std::equal(repaired.begin(), repaired.end(), chromosome.begin()) && evaluator.cost(repaired) == cost;
}

/// The islands of this process. Between two agreements, a leg, each process runs by itself; what ends a run
/// other than the target can happen at the end of a leg only, and migrations happen there too. A process that
/// reaches the target waits there: the run ends in the first generation in which anyone has reached it, so
/// that the winner is among those who wait.
class Loop {
 public:
  Loop(const Problem& problem, Breeder& breeder, const LoopSettings& settings, const RunOptions& options,
       Exchange& exchange)
      : problem_(&problem),
        breeder_(&breeder),
        settings_(settings),
        options_(options),
        exchange_(&exchange),
        threads_(options.threads == 0 ? hardware_threads() : options.threads),
        operations_(problem.operations()),
        first_island_(first_of(exchange.process())),
        population_(first_of(exchange.process() + 1) - first_island_, settings.population,
                    children_of(settings), problem.layout().length()),
        parcels_(2 * population_.parcel_length(settings.migrants)) {
    for (std::uint32_t t = 0; t < threads_; ++t) evaluators_.push_back(problem.evaluator());
  }

  Outcome run(Progress& progress) {
    progress.begin("evolve", options_.generations);
    const std::uint64_t last = last_generation();
    bool go_on = begin();
    while (go_on && best_ > options_.target && agreed_ < last &&
           (options_.stall == 0 || agreed_ - better_ < options_.stall)) {
      run_leg(leg_length(last), progress);
      go_on = agree(agreed_ + 1);
      if (options_.checkpoint != nullptr && options_.checkpoint->due()) keep();
    }
    if (!go_on) keep();
    return {winner(), static_cast<Cost>(best_), best_ <= options_.target, !go_on, agreed_, evaluations()};
  }

 private:
  /// False where the watch ends the run at once.
  bool begin() {
    if (options_.checkpoint != nullptr) {
      if (const std::optional<RunState> state = options_.checkpoint->take_run()) {
        restore(*state);
        return report();
      }
    }
    first_members();
    bests_ = {1, own_best()};
    return agree(0);
  }

  void restore(const RunState& state) {
    const std::size_t members = std::size_t{settings_.islands} * population_.size();
    if (state.costs.size() != members || state.values.size() != members * population_.length() ||
        state.generation > last_generation())
      options_.checkpoint->refuse("its population is of another search");
    for_items(population_.size(), [&](Evaluator& evaluator, std::uint32_t island, std::uint32_t index) {
      const std::size_t member = std::size_t{island} * population_.size() + index;
      const std::uint32_t row = population_.members(island)[index];
      const auto values =
          std::span(state.values).subspan(member * population_.length(), population_.length());
      if (!fits(problem_->layout(), evaluator, values, state.costs[member]))
        options_.checkpoint->refuse("its population is none of this problem");
      std::copy(values.begin(), values.end(), population_.chromosome(row).begin());
      population_.set_cost(row, state.costs[member]);
      // They come in their order, which those of equal cost would not keep if they were ranked again.
      if (index > 0 && state.costs[member] < state.costs[member - 1])
        options_.checkpoint->refuse("its population is not in order of cost");
    });
    generation_ = agreed_ = state.generation;
    better_ = state.better;
    best_ = own_best();
  }

  /// Alone, all is agreed between two generations.
  void keep() {
    if (options_.checkpoint == nullptr) return;
    RunState state{generation_, better_, {}, {}};
    for (std::uint32_t island = 0; island < population_.islands(); ++island) {
      for (const std::uint32_t row : population_.members(island)) {
        state.costs.push_back(cost_of(row));
        const std::span<const Value> values = population_.chromosome(row);
        state.values.insert(state.values.end(), values.begin(), values.end());
      }
    }
    options_.checkpoint->keep(std::move(state));
  }

  [[nodiscard]] Cost cost_of(std::uint32_t row) const { return population_.cost(row); }
  [[nodiscard]] std::uint64_t own_best() const { return cost_of(population_.members(best_island())[0]); }
  [[nodiscard]] bool alone() const { return exchange_->processes() == 1; }
  [[nodiscard]] std::uint32_t first_of(std::uint32_t process) const {
    return first_island(process, exchange_->processes(), settings_.islands);
  }

  /// The island here with the cheapest member; the first among equals.
  [[nodiscard]] std::uint32_t best_island() const {
    std::uint32_t best = 0;
    for (std::uint32_t island = 1; island < population_.islands(); ++island) {
      if (cost_of(population_.members(island)[0]) < cost_of(population_.members(best)[0])) best = island;
    }
    return best;
  }

  /// Of all processes, up to the last agreement.
  [[nodiscard]] std::uint64_t evaluations() const {
    return settings_.islands * (population_.size() + agreed_ * population_.children());
  }

  /// None begins after it.
  [[nodiscard]] std::uint64_t last_generation() const {
    const std::uint64_t first = std::uint64_t{settings_.islands} * population_.size();
    const std::uint64_t each = std::uint64_t{settings_.islands} * population_.children();
    if (options_.evaluations <= first) return 0;
    return std::min(options_.generations, (options_.evaluations - first - 1) / each + 1);
  }

  [[nodiscard]] std::uint64_t leg_length(std::uint64_t last) const {
    std::uint64_t length = std::min(wish_, last - agreed_);
    if (options_.stall > 0) length = std::min(length, options_.stall - (agreed_ - better_));
    if (settings_.islands > 1) length = std::min(length, settings_.interval - agreed_ % settings_.interval);
    return length;
  }

  /// Leaves in bests_ the length that process 0 wants for the next leg, and the cheapest cost here after each
  /// generation.
  void run_leg(std::uint64_t length, Progress& progress) {
    const auto start = std::chrono::steady_clock::now();
    bests_.assign(1 + length, kNoCost);
    for (std::uint64_t i = 1; i <= length; ++i) {
      if (progress.interrupted()) {
        keep();
        throw Interrupted();
      }
      next_generation();
      progress.update(generation_);
      bests_[i] = own_best();
      if (bests_[i] <= options_.target) break;
    }
    if (exchange_->process() > 0) return;
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    const double fitting = static_cast<double>(length) * (std::chrono::duration<double>(kLeg) / taken);
    bests_[0] = alone() ? 1 : static_cast<std::uint64_t>(std::clamp(fitting, 1.0, double{kLongestLeg}));
  }

  /// Of the leg that began with generation `first`: what the best of all was after each generation until the
  /// target was reached; then the migration. False where the watch ends the run.
  bool agree(std::uint64_t first) {
    exchange_->minimum(bests_);
    wish_ = bests_[0];
    for (std::size_t i = 1; i < bests_.size() && best_ > options_.target; ++i) {
      agreed_ = first + i - 1;
      if (bests_[i] < best_) {
        best_ = bests_[i];
        better_ = agreed_;
      }
    }
    // A leg ends here if not before: all are in this generation.
    if (agreed_ > 0 && settings_.islands > 1 && agreed_ % settings_.interval == 0) migrate();
    return report();
  }

  void migrate() {
    const std::span<Value> out = std::span(parcels_).first(parcels_.size() / 2);
    const std::span<Value> in = std::span(parcels_).last(parcels_.size() / 2);
    population_.send_off(settings_.migrants, out);
    exchange_->pass_on(out, in);
    population_.migrate(settings_.migrants, in);
  }

  bool report() {
    if (!options_.watch) return true;
    std::uint64_t answer = 1;
    if (exchange_->process() == 0) {
      Standing standing{agreed_, evaluations(), static_cast<Cost>(best_), {}};
      if (alone()) standing.best = population_.chromosome(population_.members(best_island())[0]);
      answer = options_.watch(standing) ? 1 : 0;
    }
    exchange_->minimum({&answer, 1});
    return answer == 1;
  }

  /// The cheapest member of all; of the first island among equals.
  std::vector<Value> winner() {
    const std::uint32_t here = best_island();
    const std::uint32_t row = population_.members(here)[0];
    // Who ran on after the end has not got it.
    std::uint64_t key =
        generation_ == agreed_ ? std::uint64_t{cost_of(row)} << 32U | (first_island_ + here) : kNoCost;
    exchange_->minimum({&key, 1});
    const auto island = static_cast<std::uint32_t>(key);
    std::uint32_t owner = 0;
    while (first_of(owner + 1) <= island) ++owner;
    std::vector<Value> best(population_.length());
    if (owner == exchange_->process()) {
      const std::span<const Value> own = population_.chromosome(row);
      std::copy(own.begin(), own.end(), best.begin());
    }
    exchange_->broadcast(best, owner);
    return best;
  }

  /// work(evaluator, island, index) for `each` items of every island.
  template <class Work>
  void for_items(std::uint32_t each, const Work& work) {
    const std::uint32_t items = population_.islands() * each;
    const std::uint32_t threads = workers_for(std::uint64_t{items} * operations_, threads_);
    const std::uint32_t block = std::max(1U, items / (threads * 8));
    parallel_blocks(items, block, threads, [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
      for (std::uint32_t i = begin; i < end; ++i) work(*evaluators_[worker], i / each, i % each);
    });
  }

  void rank_all() {
    for (std::uint32_t island = 0; island < population_.islands(); ++island) population_.rank(island);
  }

  void first_members() {
    for_items(population_.size(), [&](Evaluator& evaluator, std::uint32_t island, std::uint32_t index) {
      Random random(options_.seed, stream(Purpose::initial, first_island_ + island, 0, index));
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
    breeder_->learn(population_, {options_.seed, generation_, threads_, first_island_});
    for_items(population_.children(), [&](Evaluator& evaluator, std::uint32_t island, std::uint32_t index) {
      Random random(options_.seed, stream(Purpose::child, first_island_ + island, generation_, index));
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
  }

  const Problem* problem_;
  Breeder* breeder_;
  LoopSettings settings_;
  const RunOptions& options_;
  Exchange* exchange_;
  std::uint32_t threads_;
  std::uint64_t operations_;  // of an individual
  std::uint32_t first_island_;
  Population population_;
  std::vector<Value> parcels_;  // that goes, that comes
  std::vector<std::unique_ptr<Evaluator>> evaluators_;
  std::uint64_t generation_ = 0;      // that the islands here have come to
  std::uint64_t agreed_ = 0;          // that all are known to have come to, or in which the run ends
  std::uint64_t best_ = kNoCost;      // cost, then
  std::uint64_t better_ = 0;          // generation of the last better best
  std::uint64_t wish_ = 1;            // for the length of the next leg
  std::vector<std::uint64_t> bests_;  // what is agreed about: the wish, and the best cost of each generation
};

}  // namespace

std::uint32_t children_of(const LoopSettings& settings) {
  const auto count = static_cast<std::uint32_t>(std::lround(settings.replaced * settings.population));
  return std::clamp(count, 1U, settings.population - 1);
}

bool fits(const Problem& problem, std::span<const Value> chromosome, Cost cost) {
  return fits(problem.layout(), *problem.evaluator(), chromosome, cost);
}

Outcome run(const Problem& problem, Breeder& breeder, const LoopSettings& settings, const RunOptions& options,
            Progress& progress) {
  OneProcess alone;
  Exchange& exchange = options.exchange == nullptr ? static_cast<Exchange&>(alone) : *options.exchange;
  if (exchange.processes() > settings.islands) {
    throw InputError(fmt::format(
        "{} processes cannot share {} of the optimiser: ask for islands={} or more", exchange.processes(),
        settings.islands == 1 ? "the one island" : fmt::format("{} islands", settings.islands),
        exchange.processes()));
  }
  if (options.checkpoint != nullptr && exchange.processes() > 1)
    throw InputError("a search that several processes share cannot be kept on disk to go on with");
  return Loop(problem, breeder, settings, options, exchange).run(progress);
}

}  // namespace unknot::evolve
