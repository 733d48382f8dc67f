// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/solvers/sat_schedules.hpp"

#include <gtest/gtest.h>

#include <set>

#include "collective/reference_checker.hpp"
#include "collective/schedules.hpp"
#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/collective/check/checker.hpp"
#include "unknot/collective/exact/path_formula.hpp"
#include "unknot/collective/exact/schedule_formula.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

/// The fewest steps by looking at every set of transfers in every step: what has been delivered is a state.
/// For a handful of messages.
class EveryStep {
 public:
  explicit EveryStep(const Problem& problem) : problem_(&problem), graph_(problem.graph.get()) {
    for (std::uint32_t g = 0; g < problem.groups(); ++g) {
      for (std::uint32_t m = problem.first[g]; m < problem.first[g + 1]; ++m) group_.push_back(g);
    }
    for (const ArcId a : graph_->arcs()) arc_left_.push_back(graph_->capacity(a));
    for (std::uint32_t l = 0; l < graph_->link_count(); ++l) link_left_.push_back(graph_->link_capacity(l));
    sends_.assign(graph_->node_count(), problem.send_ports);
    receives_.assign(graph_->node_count(), problem.receive_ports);
    distance_.resize(graph_->node_count());
    for (const NodeId n : graph_->nodes()) graph_->distances_from(n, distance_[n.value]);
  }

  std::uint32_t fewest() {
    std::set<std::uint32_t> now{0};
    const std::uint32_t all = (1U << problem_->messages()) - 1;
    for (std::uint32_t steps = 0;; ++steps) {
      if (now.contains(all)) return steps;
      after_.clear();
      for (const std::uint32_t state : now) choose(state, state, 0);
      now.clear();
      for (const std::uint32_t state : after_) {
        // What has delivered more is no worse.
        const bool worse = std::any_of(after_.begin(), after_.end(), [&](std::uint32_t other) {
          return other != state && (other & state) == state;
        });
        if (!worse) now.insert(state);
      }
    }
  }

 private:
  void choose(std::uint32_t before, std::uint32_t state, std::uint32_t m) {
    if (m == problem_->messages()) {
      after_.insert(state);
      return;
    }
    choose(before, state, m + 1);
    if ((before >> m & 1U) != 0) return;
    const std::uint32_t g = group_[m];
    from(problem_->owner[g], before, state, m);
    if (problem_->delivery == Delivery::scatter) return;
    for (std::uint32_t i = problem_->first[g]; i < problem_->first[g + 1]; ++i) {
      if ((before >> i & 1U) != 0) from(problem_->partner[i], before, state, m);
    }
  }
  void from(NodeId sender, std::uint32_t before, std::uint32_t state, std::uint32_t m) {
    if (sends_[sender.value] == 0 || receives_[problem_->partner[m].value] == 0) return;
    --sends_[sender.value];
    --receives_[problem_->partner[m].value];
    std::vector<NodeId> path{sender};
    extend(path, before, state, m);
    ++sends_[sender.value];
    ++receives_[problem_->partner[m].value];
  }
  void extend(std::vector<NodeId>& path, std::uint32_t before, std::uint32_t state, std::uint32_t m) {
    const NodeId at = path.back(), to = problem_->partner[m];
    if (at == to) {
      const std::size_t longest =
          problem_->extra_hops == Problem::kAnyLength
              ? path.size()
              : std::size_t{distance_[path.front().value][to.value]} + problem_->extra_hops;
      if (path.size() - 1 <= longest) choose(before, state | 1U << m, m + 1);
      return;
    }
    if (path.size() > 1 && graph_->is_leaf(at)) return;
    for (const ArcId a : graph_->out(at)) {
      const NodeId next = graph_->head(a);
      if (arc_left_[a.value] == 0 || link_left_[graph_->link(a)] == 0) continue;
      if (std::find(path.begin(), path.end(), next) != path.end()) continue;
      --arc_left_[a.value];
      --link_left_[graph_->link(a)];
      path.push_back(next);
      extend(path, before, state, m);
      path.pop_back();
      ++arc_left_[a.value];
      ++link_left_[graph_->link(a)];
    }
  }

  const Problem* problem_;
  const NodeGraph* graph_;
  std::vector<std::uint32_t> group_, arc_left_, link_left_, sends_, receives_;
  std::vector<std::vector<std::uint32_t>> distance_;
  std::set<std::uint32_t> after_;
};

Solution by_sat(const Problem& problem, std::uint32_t steps) {
  Progress silent;
  SolveOptions options;
  options.steps = steps;
  return solve(problem, "sat", options, silent);
}

/// Both formulas, whichever the row of the catalogue takes.
void expect_formulas(const Problem& problem, std::uint32_t steps, bool possible) {
  const Progress silent;
  SatSolver ways;
  const ScheduleFormula formula(problem, steps, ways);
  EXPECT_EQ(ways.solve({}, silent), possible ? SatAnswer::satisfiable : SatAnswer::unsatisfiable);
  if (possible) {
    EXPECT_TRUE(check_schedule(problem, formula.schedule()).valid());
  }
  if (problem.delivery != Delivery::scatter) return;
  SatSolver chosen;
  const auto paths = all_paths(problem, steps, 1000);
  ASSERT_TRUE(paths);
  const PathFormula by_paths(problem, *paths, steps, chosen);
  EXPECT_EQ(chosen.solve({}, silent), possible ? SatAnswer::satisfiable : SatAnswer::unsatisfiable);
  if (possible) {
    EXPECT_TRUE(check_schedule(problem, by_paths.schedule()).valid());
  }
}

struct Tiny {
  const char* spec;
  const char* collective;
  const char* transmitters;
};

/// What looking at everything says: every rule by itself and together.
TEST(SatSchedules, AgreesWithLookingAtEverything) {
  std::uint32_t compared = 0;
  for (const Tiny& tiny : std::vector<Tiny>{{"ring:3", "AAS", ""},
                                            {"ring:3", "AAB", ""},
                                            {"uniring:3", "AAS", ""},
                                            {"ring:4", "OAB", ""},
                                            {"ring:4", "MNB", "0,1"},
                                            {"ring:5", "MNS", "2"},
                                            {"mesh:2x3", "OAS", ""},
                                            {"mesh:2x3", "OAB", ""},
                                            {"mesh:2x3", "AOR", ""},
                                            {"mesh:2x2", "MNS", "0,3"},
                                            {"fat:2,ring:2", "OAB", ""},
                                            {"btree:4", "OAB", ""},
                                            {"btree:4", "MNB", "3,4"},
                                            {"random:switches=4,links=7,parallel=1", "OAB", ""},
                                            {"random:switches=4,links=7,parallel=1", "MNS", "0,1"}}) {
    for (const LinkClass links : {LinkClass::full_duplex, LinkClass::half_duplex}) {
      const auto graph = testing::graph_of(tiny.spec, {.links = links});
      for (const std::uint32_t ports : {1U, 2U, Problem::kAllPorts}) {
        for (const std::uint32_t extra : {0U, 1U, Problem::kAnyLength}) {
          SCOPED_TRACE(std::string(tiny.spec) + ' ' + tiny.collective + ' ' + std::to_string(ports) + ' ' +
                       std::to_string(extra) + (links == LinkClass::half_duplex ? " half" : ""));
          ProblemRules rules;
          rules.send_ports = rules.receive_ports = ports;
          rules.extra_hops = extra;
          Participants who;
          if (*tiny.transmitters != 0)
            who.transmitters = parse_node_list(*graph, tiny.transmitters, "transmitters");
          Problem problem = make_collective(graph, tiny.collective, who, rules);
          const bool backwards = problem.delivery == Delivery::reduction;
          const Problem forwards = backwards ? time_reversed(problem) : problem;
          const std::uint32_t fewest = EveryStep(forwards).fewest();
          EXPECT_LE(lower_bound(problem).steps, fewest);
          expect_formulas(forwards, fewest, true);
          const Solution found = by_sat(problem, fewest);
          EXPECT_EQ(found.conflicts, 0U);
          EXPECT_FALSE(found.impossible);
          if (fewest > 1) {
            expect_formulas(forwards, fewest - 1, false);
            const Solution none = by_sat(problem, fewest - 1);
            EXPECT_TRUE(none.impossible);
            EXPECT_EQ(none.fewest, fewest);
            EXPECT_EQ(none.conflicts, problem.messages());
          }
          ++compared;
        }
      }
    }
  }
  EXPECT_EQ(compared, 15U * 18);
}

struct Known {
  const char* spec;
  const char* collective;
  std::uint32_t root;  ///< kNone: none
  std::uint32_t steps;
  bool refute;  ///< one step fewer is shown to be impossible by search
};

/// Optimal numbers of steps. The broadcast from the centre of a 5x5 mesh would be perfect in 2 steps, but no
/// four nodes reach more than 18 of the other 20; a full tree of 2^d - 1 nodes has sub-trees of three that
/// must be entered one step before the end, which goes on up to the root.
TEST(SatSchedules, FindsTheFewestSteps) {
  constexpr std::uint32_t kNone = Problem::kNone;
  for (const Known& known : std::vector<Known>{{"ring:6", "AAS", kNone, 5, true},
                                               {"ring:8", "AAS", kNone, 8, false},
                                               {"petersen", "AAS", kNone, 5, false},
                                               {"mesh:3x3", "AAS", kNone, 6, false},
                                               {"ring:6", "AAB", kNone, 3, false},
                                               {"mesh:3x3", "AAB", kNone, 4, false},
                                               {"btree:4", "AAB", kNone, 3, true},
                                               {"btree:8", "AAB", kNone, 7, false},
                                               {"mesh:4x4", "OAB", 5, 2, true},
                                               {"fulltree:31", "OAB", 0, 4, true},
                                               {"fulltree:63", "OAB", 0, 5, true},
                                               {"fulltree:63", "OAB", 62, 5, true},
                                               {"mesh:5x5", "OAB", 12, 3, true}}) {
    SCOPED_TRACE(std::string(known.spec) + ' ' + known.collective);
    Participants who;
    if (known.root != kNone) who.root = NodeId(known.root);
    const Problem problem = testing::problem_on(known.spec, known.collective, who);
    const Solution found = by_sat(problem, known.steps);
    EXPECT_EQ(found.conflicts, 0U);
    EXPECT_TRUE(check_schedule(problem, found.schedule).valid());
    if (!problem.graph->has_terminal_nodes()) {
      EXPECT_TRUE(testing::ReferenceChecker(make_network(known.spec), problem).valid(found.schedule));
    }
    if (known.refute) {
      EXPECT_TRUE(by_sat(problem, known.steps - 1).impossible);
    }
  }
}

/// Without a number of steps the search goes up from the bound, and says what it has shown on its way.
TEST(SatSchedules, RaisesTheBound) {
  Progress silent;
  const Problem problem = testing::problem_on("fulltree:31", "OAB");
  SolveOptions options;
  options.lower_bound = lower_bound(problem).steps;
  EXPECT_EQ(options.lower_bound, 3U);
  const Solution found = solve(problem, "sat", options, silent);
  EXPECT_EQ(found.steps, 4U);
  EXPECT_EQ(found.fewest, 4U);
}

TEST(SatSchedules, GivesUpWhenToldTo) {
  Progress silent;
  const Problem problem = testing::problem_on("hypercube:4", "AAB");
  SolveOptions options;
  options.steps = 4;
  const Solution limited = solve(problem, "sat:conflicts=10", options, silent);
  EXPECT_FALSE(limited.impossible);
  EXPECT_FALSE(limited.out_of_time);
  EXPECT_EQ(limited.conflicts, problem.messages());
  options.seconds = 0.01;
  const Solution hurried = solve(problem, "sat", options, silent);
  EXPECT_TRUE(hurried.out_of_time);
  EXPECT_FALSE(hurried.impossible);
  class Stopped : public Progress {
   public:
    [[nodiscard]] bool interrupted() const override { return true; }
  } stopped;
  EXPECT_THROW((void)solve(problem, "sat", {}, stopped), Interrupted);
}

TEST(SatSchedules, RefusesWhatIsTooLarge) {
  Progress silent;
  const Problem problem = testing::problem_on("torus:16x16", "AAB");
  EXPECT_NE(refusal(sat_schedules(), problem).find("million literals"), std::string::npos);
  EXPECT_THROW((void)solve(problem, "sat", {}, silent), InputError);
  SolveOptions options;
  options.steps = 60'000;
  EXPECT_THROW((void)solve(testing::problem_on("mesh:3x3", "AAB"), "sat", options, silent), InputError);
}

}  // namespace
}  // namespace unknot
