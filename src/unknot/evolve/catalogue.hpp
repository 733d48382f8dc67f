// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/evolve/run.hpp"
#include "unknot/support/parameters.hpp"

namespace unknot::evolve {

/// One optimiser. Every row has `preset` and the parameters of the shared loop; what is not given is the
/// preset's: `thesis` has the best values of Jaros 2010, section 7.2 (a strong mutation operator does most of
/// the work), `textbook` those of a plain optimiser whose model or crossover does it.
struct Optimiser {
  std::string name;
  std::string summary;
  std::vector<Parameter> parameters;
  std::function<Outcome(const Problem&, const Parameters&, const LoopSettings&, const RunOptions&, Progress&)>
      run;
};

const std::vector<Optimiser>& optimisers();

/// Runs "umda" or "umda:population=50,islands=4" on the problem. InputError for a wrong spec, before anything
/// is evaluated; Interrupted.
Outcome optimise(const Problem& problem, std::string_view spec, const RunOptions& options,
                 Progress& progress);

/// Settings of the shared loop that a spec's parameters mean; InputError where they contradict each other.
LoopSettings loop_settings(const Optimiser& row, const Parameters& parameters);

}  // namespace unknot::evolve
