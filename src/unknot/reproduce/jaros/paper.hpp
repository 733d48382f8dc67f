// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/collective/model/problem.hpp"
#include "unknot/collective/solvers/solver.hpp"
#include "unknot/reproduce/compare.hpp"
#include "unknot/support/progress.hpp"

// What the experiments on the thesis about collective communications share.
namespace unknot::jaros_paper {

inline constexpr const char* kThesis =
    "Jaros: Evolutionary Design of Collective Communications on Wormhole Networks, doctoral thesis, Brno "
    "University of Technology, 2010";

inline constexpr std::array<const char*, 4> kPatterns{"OAS", "AAS", "OAB", "AAB"};

/// A network of the thesis's chapter 8: steps that its UMDA reached, for each pattern and, where one node
/// sends, each root; none where nothing is printed.
struct StepsRow {
  std::string table;
  std::string spec;
  std::vector<std::vector<std::uint32_t>> steps;  ///< by pattern
  std::vector<std::uint32_t> roots = {};          ///< routers; none: the first terminal, all being alike
};
const std::vector<StepsRow>& steps_rows();

/// One number of those tables.
struct StepsCase {
  const StepsRow* row = nullptr;
  std::uint32_t pattern = 0;
  std::uint32_t published = 0;
  std::optional<std::uint32_t> root;

  [[nodiscard]] std::string label() const;
  [[nodiscard]] Problem problem() const;
};
/// Those of at most this many messages.
std::vector<StepsCase> steps_cases(std::uint64_t most_messages);

/// How long UMDA looks, with the settings of the thesis's chapter 8: population 100, mutation 0.9. Half of
/// the mutations take the step with the fewest conflicts, which the thesis's do not.
struct Search {
  std::uint64_t generations = 2000;  ///< of a run
  std::uint32_t stall = 0;           ///< generations after which a population begins anew; 0: never
  std::uint32_t runs = 1;            ///< for each number of steps and length of paths, until one succeeds
  std::uint32_t longer = 0;          ///< hops beyond shortest paths, tried where these do not do
  std::uint64_t seed = 1;            ///< of the first of those runs; the others have the next ones
  evolve::Checkpoint* checkpoint = nullptr;  ///< where it is kept while it is under way
};
inline constexpr double kGreedy = 0.5;  ///< share of mutations to the step with the fewest conflicts
/// Stands in the keys of finished points: other numbers follow from other searches.
inline constexpr std::uint32_t kSearchVersion = 1;
/// One schedule of this many steps by UMDA on one thread, by paths at most so much longer than shortest ones:
/// first among those that are alike under automorphisms of the network, under the largest group that is found
/// then its subgroups, then some two, and last among all, each with all of the search's generations.
/// Evaluations are those of all.
Solution find_steps(const Problem& problem, std::uint32_t steps, std::uint32_t longer, const Search& search,
                    Progress& progress);

/// What was found for one number of a table.
struct Found {
  LowerBound bound;
  std::uint32_t steps = 0;   ///< of the best schedule; 0: none
  std::uint32_t longer = 0;  ///< hops beyond shortest ones that its paths were allowed
  std::uint64_t evaluations = 0;
  double seconds = 0;  ///< of the thread, bound included

  /// Calls visit(name, value) for every part as it stands in a file of finished points.
  template <class Result, class Visit>
  static void each_part(Result& result, Visit visit) {
    visit("bound", result.bound.steps);
    visit("proof", result.bound.name);
    visit("steps", result.steps);
    visit("longer", result.longer);
    visit("evaluations", result.evaluations);
    visit("seconds", result.seconds);
  }
};
/// Numbers of steps that are looked at one by one.
inline constexpr std::uint32_t kOneByOne = 8;
/// Fewest steps that UMDA finds on one thread, from the proven bound on: one more each time, after kOneByOne
/// of them with strides that double, and where it finds a schedule then by halves back to the last number
/// that failed. For each number of steps by shortest paths, and then by paths one hop longer each time. The
/// proof of the bound is checked, and every schedule is. Interrupted; InputError as solve().
Found fewest_steps(const Problem& problem, const Search& search, Progress& progress);
/// Row for a number of steps: fewer is better, none found is worse than any.
ReproducedRow compare_steps(std::string label, std::uint32_t published, const Found& found, std::string why);

}  // namespace unknot::jaros_paper
