// SPDX-License-Identifier: Apache-2.0
#include "unknot/angara/genetic.hpp"

#include <algorithm>
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

class Genetic {
 public:
  /// `known`: a table that is among the first, or empty.
  Genetic(const System& system, const RouteChoices& choices, const GeneticOptions& options,
          const RouteTable& known)
      : options_(options), balance_(system, choices) {
    if (!known.empty()) known_ = balance_.from_table(known);
    for (std::uint32_t pair = 0; pair < balance_.open_pairs(); ++pair)
      routes_.push_back(balance_.routes_of(pair));
  }

  GeneticResult run(Progress& progress) {
    std::vector<Individual> people(std::size_t{2} * options_.population);
    breed(people, 0, 2 * options_.population, [&](Individual& one, Random& random) {
      if (known_ && &one == people.data()) {
        one.balance = *known_;
        return;
      }
      std::vector<std::uint32_t> genes(routes_.size());
      for (std::size_t i = 0; i < routes_.size(); ++i) genes[i] = random.below(routes_[i]);
      one.balance = balance_.with(std::move(genes));
    });
    select(people);
    GeneticResult result;
    double best = people[0].fitness;
    progress.begin("breeding tables", 0);
    for (std::uint32_t stalled = 0; stalled < options_.stall && !routes_.empty();) {
      ++generation_;
      breed(people, options_.population, 2 * options_.population, [&](Individual& child, Random& random) {
        const Individual& mother = people[random.below(options_.population)];
        const Individual& father = people[random.below(options_.population)];
        cross(mother, father, child, random);
      });
      select(people);
      stalled = people[0].fitness < best ? 0 : stalled + 1;
      best = people[0].fitness;
      progress.update(generation_);
      if (progress.interrupted()) throw Interrupted();
    }
    result.generations = generation_;
    const Balance& last = people[0].balance;  // of the least sigma(4), which may have the greater maximum
    result.table = balance_.to_table(known_ && known_->max_load() < last.max_load() ? *known_ : last);
    return result;
  }

 private:
  struct Individual {
    Balance balance;  ///< its choice is the chromosome
    double fitness = 0;
  };

  template <class Make>
  void breed(std::vector<Individual>& people, std::uint32_t first, std::uint32_t last,
             const Make& make) const {
    parallel_blocks(last - first, 1, options_.threads,
                    [&](std::uint32_t, std::uint32_t begin, std::uint32_t end) {
                      for (std::uint32_t i = first + begin; i < first + end; ++i) {
                        Random random(options_.seed, std::uint64_t{generation_} << 32 | i);
                        make(people[i], random);
                        people[i].fitness = balance_.sigma4(people[i].balance);
                      }
                    });
  }

  /// The fittest first; among equals the older.
  static void select(std::vector<Individual>& people) {
    std::stable_sort(people.begin(), people.end(),
                     [](const Individual& a, const Individual& b) { return a.fitness < b.fitness; });
  }

  void cross(const Individual& mother, const Individual& father, Individual& child, Random& random) const {
    const auto genes = static_cast<std::uint32_t>(routes_.size());
    std::uint32_t from = random.below(genes + 1);
    std::uint32_t to = random.below(genes + 1);
    if (from > to) std::swap(from, to);
    child.balance = mother.balance;
    const std::vector<std::uint32_t>& other = father.balance.choice;
    for (std::uint32_t i = from; i < to; ++i) {
      if (other[i] != child.balance.choice[i]) balance_.change(child.balance, i, other[i]);
    }
    mutate(child, random);
  }

  /// Each gene is drawn anew with the same chance: the gaps between those that are have a geometric
  /// distribution.
  void mutate(Individual& child, Random& random) const {
    if (options_.mutation <= 0) return;
    const double scale = options_.mutation < 1 ? 1 / std::log1p(-options_.mutation) : 0;
    for (double i = 0;; ++i) {
      i += std::floor(std::log1p(-random.unit()) * scale);
      if (i >= static_cast<double>(routes_.size())) return;
      const auto gene = static_cast<std::uint32_t>(i);
      balance_.change(child.balance, gene, random.below(routes_[gene]));
    }
  }

  const GeneticOptions& options_;
  RouteBalance balance_;
  std::optional<Balance> known_;
  std::vector<std::uint32_t> routes_;  // by open pair: how many it has
  std::uint32_t generation_ = 0;
};

}  // namespace

GeneticResult genetic(const System& system, const RouteChoices& choices, const GeneticOptions& options,
                      Progress& progress) {
  const RouteTable known = options.from_sssp ? sssp(system, choices, progress).table : RouteTable();
  return Genetic(system, choices, options, known).run(progress);
}

Engine genetic_engine() {
  return torus_engine(
      "angara-genetic", "source routes of a torus with bubble flow control, by a genetic algorithm",
      {{.name = "population", .help = "tables kept", .fallback = "100", .min = 2, .max = 100'000},
       {.name = "mutation",
        .kind = ParameterKind::real,
        .help = "chance of each route of a child to be drawn anew",
        .fallback = "0.02",
        .min = 0,
        .max = 1},
       {.name = "stall",
        .help = "ends after this many generations without improvement",
        .fallback = "30",
        .min = 1,
        .max = 1'000'000},
       {.name = "first",
        .kind = ParameterKind::text,
        .help = "tables to begin with: that of angara-sssp among random ones, or random ones alone as in the "
                "paper",
        .fallback = "sssp",
        .choices = {"sssp", "random"}}},
      [](const System& system, const EngineRequest& request, Progress& progress) {
        const RouteChoices choices(system.graph, request.threads, progress);
        const GeneticOptions options{.seed = request.seed,
                                     .threads = request.threads,
                                     .population = request.parameters.number32("population"),
                                     .mutation = request.parameters.real("mutation"),
                                     .stall = request.parameters.number32("stall"),
                                     .from_sssp = request.parameters.text("first") == "sssp"};
        return to_routing(system, choices, genetic(system, choices, options, progress).table,
                          "angara-genetic", request.threads);
      });
}

}  // namespace unknot::angara
