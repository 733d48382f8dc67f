// SPDX-License-Identifier: Apache-2.0
#include "unknot/evolve/catalogue.hpp"

#include <fmt/format.h>

#include <map>

#include "unknot/evolve/mboa.hpp"
#include "unknot/evolve/sga.hpp"
#include "unknot/evolve/streams.hpp"
#include "unknot/evolve/umda.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"

namespace unknot::evolve {
namespace {

/// What a preset says where the spec says nothing.
struct Preset {
  std::uint32_t population;
  double mutation;
  double crossover;       ///< of the sga
  const char* selection;  ///< of the models
};

/// Thesis: the middle of the ranges that section 7.2 recommends.
const Preset& preset_of(const std::string& optimiser, const Parameters& p) {
  static const std::map<std::string, std::pair<Preset, Preset>> presets{
      {"sga", {{100, 0.9, 0.6, "tournament"}, {200, 0.1, 0.9, "tournament"}}},
      {"umda", {{75, 0.8, 0, "tournament"}, {300, 0, 0, "truncation"}}},
      {"mboa", {{125, 0.6, 0, "tournament"}, {2000, 0, 0, "truncation"}}}};
  const auto& [thesis, textbook] = presets.at(optimiser);
  return p.text("preset") == "thesis" ? thesis : textbook;
}

std::vector<Parameter> with_loop(std::vector<Parameter> own) {
  std::vector<Parameter> all{
      {.name = "population",
       .help = "members of an island; the preset's by default",
       .fallback = "",
       .min = 2,
       .max = kMaxPopulation},
      {.name = "preset",
       .kind = ParameterKind::text,
       .help = "where the other defaults come from",
       .fallback = "thesis",
       .choices = {"thesis", "textbook"}},
      {.name = "mutation",
       .kind = ParameterKind::real,
       .help = "share of the children that are mutated; the preset's by default",
       .fallback = "",
       .max = 1},
      {.name = "replaced",
       .kind = ParameterKind::real,
       .help = "share of the members that children replace",
       .fallback = "0.6667",
       .max = 1},
      {.name = "islands", .help = "populations of their own", .fallback = "1", .min = 1, .max = kMaxIslands},
      {.name = "interval", .help = "generations between migrations", .fallback = "20", .min = 1},
      {.name = "migrants", .help = "individuals that go to the next island", .fallback = "1"}};
  all.insert(all.end(), own.begin(), own.end());
  return all;
}

std::vector<Parameter> model_parameters() {
  return {{.name = "selection",
           .kind = ParameterKind::text,
           .help = "of the parents; the preset's by default",
           .fallback = "",
           .choices = {"tournament", "truncation"}},
          {.name = "parents",
           .kind = ParameterKind::real,
           .help = "parents, as a share of the population",
           .fallback = "0.5",
           .min = 0.001,
           .max = 1}};
}

std::vector<Parameter> mboa_parameters() {
  std::vector<Parameter> own = model_parameters();
  own.push_back({.name = "penalty",
                 .kind = ParameterKind::real,
                 .help = "of a split beyond its score, in halves of the logarithm of the parents",
                 .fallback = "0",
                 .max = 1000});
  own.push_back({.name = "leaves", .help = "of one tree at most", .fallback = "64", .min = 1, .max = 65'536});
  return own;
}

Selection selection_of(const Preset& preset, const Parameters& p) {
  const std::string name = p.has("selection") ? p.text("selection") : preset.selection;
  return name == "truncation" ? Selection::truncation : Selection::tournament;
}

Outcome run_sga(const Problem& problem, const Parameters& p, const LoopSettings& loop,
                const RunOptions& options, Progress& progress) {
  const double crossover = p.has("crossover") ? p.real("crossover") : preset_of("sga", p).crossover;
  Sga sga(problem.layout(), {crossover, p.number32("tournament")});
  return run(problem, sga, loop, options, progress);
}

Outcome run_umda(const Problem& problem, const Parameters& p, const LoopSettings& loop,
                 const RunOptions& options, Progress& progress) {
  Umda umda(selection_of(preset_of("umda", p), p), p.real("parents"));
  return run(problem, umda, loop, options, progress);
}

Outcome run_mboa(const Problem& problem, const Parameters& p, const LoopSettings& loop,
                 const RunOptions& options, Progress& progress) {
  Mboa mboa(problem.layout(), selection_of(preset_of("mboa", p), p), p.real("parents"),
            {p.real("penalty"), p.number32("leaves")});
  return run(problem, mboa, loop, options, progress);
}

}  // namespace

const std::vector<Optimiser>& optimisers() {
  static const std::vector<Optimiser> rows{
      {.name = "sga",
       .summary = "standard genetic algorithm: tournaments, one-point crossover between genes",
       .parameters = with_loop({{.name = "crossover",
                                 .kind = ParameterKind::real,
                                 .help = "share of the children with two parents; the preset's by default",
                                 .fallback = "",
                                 .max = 1},
                                {.name = "tournament",
                                 .help = "members drawn for each parent",
                                 .fallback = "2",
                                 .min = 1,
                                 .max = 64}}),
       .run = run_sga},
      {.name = "umda",
       .summary = "univariate marginal distribution algorithm: each component by itself",
       .parameters = with_loop(model_parameters()),
       .run = run_umda},
      {.name = "mboa",
       .summary = "mixed Bayesian optimisation algorithm: a decision tree for each component",
       .parameters = with_loop(mboa_parameters()),
       .run = run_mboa}};
  return rows;
}

LoopSettings loop_settings(const Optimiser& row, const Parameters& p) {
  const Preset& preset = preset_of(row.name, p);
  LoopSettings loop;
  loop.population = p.has("population") ? p.number32("population") : preset.population;
  loop.mutation = p.has("mutation") ? p.real("mutation") : preset.mutation;
  loop.replaced = p.real("replaced");
  loop.islands = p.number32("islands");
  loop.interval = p.number32("interval");
  loop.migrants = p.number32("migrants");
  if (loop.migrants > loop.population / 2) {
    throw InputError(fmt::format("optimiser {}: {} migrants are more than half of a population of {}",
                                 row.name, loop.migrants, loop.population));
  }
  if (std::uint64_t{loop.islands} * loop.population > kMaxPopulation) {
    throw InputError(fmt::format("optimiser {}: {} islands of {} are more than {} individuals", row.name,
                                 loop.islands, loop.population, kMaxPopulation));
  }
  return loop;
}

Outcome optimise(const Problem& problem, std::string_view spec, const RunOptions& options,
                 Progress& progress) {
  const Chosen<Optimiser> chosen = choose_row(optimisers(), "optimiser", spec);
  const Optimiser& row = *chosen.row;
  const Parameters& parameters = chosen.parameters;
  if (problem.layout().genes() == 0)
    throw InputError("there is nothing to optimise: the problem has no genes");
  if (options.generations >= kMaxGenerations) {
    throw InputError(fmt::format("{} generations are too many; at most {} are supported", options.generations,
                                 kMaxGenerations - 1));
  }
  return row.run(problem, parameters, loop_settings(row, parameters), options, progress);
}

}  // namespace unknot::evolve
