// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "unknot/evolve/run.hpp"

namespace unknot::evolve {

/// A population after another, from seeds of their own, until one reaches the target or `tries` of them have
/// been tried; `options.generations` are those of all. `once` runs one of them. Costs are those of the best;
/// of the first among equals. With `options.checkpoint`, what it has of a search of these words `asked`,
/// which name all that it follows from, is taken from there: the outcome is the same as in one go. InputError
/// for what does not belong to the problem.
Outcome run_tries(const Problem& problem, std::uint64_t tries, const std::string& asked,
                  const RunOptions& options, const std::function<Outcome(const RunOptions&)>& once);

}  // namespace unknot::evolve
