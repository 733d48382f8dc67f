// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <bit>
#include <set>

#include "collective/combined_play.hpp"
#include "collective/schedules.hpp"
#include "effort.hpp"
#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/collective/combine/combined_checker.hpp"
#include "unknot/collective/combine/combining_bound.hpp"
#include "unknot/collective/combine/combining_catalogue.hpp"
#include "unknot/collective/combine/cost_model.hpp"
#include "unknot/collective/combine/gossip_search.hpp"
#include "unknot/collective/solvers/solver.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

using ::testing::HasSubstr;

CombiningOptions quick() {
  CombiningOptions options;
  options.tries = 8;
  options.effort = 1;
  options.solver = "auto:levels=1,effort=3";
  return options;
}

CombinedProblem combined_on(const std::string& spec, const std::string& collective,
                            std::uint32_t pieces = 1) {
  return make_combined(testing::graph_of(spec), find_combined_collective(collective), {}, pieces);
}

Network one_way_line(std::uint32_t nodes) {
  NetworkBuilder builder;
  builder.add_routers(nodes);
  for (std::uint32_t r = 0; r < nodes; ++r) builder.add_terminal(RouterId(r));
  for (std::uint32_t r = 0; r + 1 < nodes; ++r) builder.add_channel(RouterId(r), RouterId(r + 1));
  return std::move(builder).build();
}

/// Steps of a choice by its name.
std::uint32_t steps_of(const std::string& spec, const std::string& collective, const std::string& choice,
                       CombiningOptions options = {}) {
  Progress silent;
  for (const CombiningChoice& one : combining_choices(combined_on(spec, collective))) {
    if (one.name == choice) return one.make(options, silent).schedule.step_count();
  }
  ADD_FAILURE() << choice << " does not take " << collective;
  return 0;
}

void expect_right(const CombinedSolution& made, const std::string& what) {
  SCOPED_TRACE(what);
  const ScheduleVerdict verdict = check_combined(made.problem, made.schedule);
  EXPECT_TRUE(verdict.valid()) << verdict.findings[0].first;
  EXPECT_EQ(testing::played(made.problem, made.schedule), "");
  EXPECT_GE(made.schedule.step_count(), combining_step_bound(made.problem));
}

/// Every algorithm, composed or not, every collective, networks of every kind of node, powers of two and
/// not: right by the checker, and carried out with numbers.
TEST(Combining, EveryAlgorithmReachesWhatItSays) {
  Progress silent;
  for (const char* const spec : {"hypercube:3", "ring:5", "mesh:2x3", "kautz:b=2,n=2,oriented=1", "btree:4",
                                 "fat:2,ring:3", "uniring:4", "mesh:2"}) {
    // Sanitizers take thirty times as long; the smaller ones lead through the same code.
    if (fewer_cases() && spec != std::string("uniring:4") && spec != std::string("mesh:2") &&
        spec != std::string("btree:4"))
      continue;
    for (const CombinedRow& row : combined_collectives()) {
      const auto choices = combining_choices(combined_on(spec, row.name));
      EXPECT_FALSE(choices.empty()) << row.name;
      for (const CombiningChoice& choice : choices) {
        expect_right(choice.make(quick(), silent), fmt::format("{} {}: {}", spec, row.name, choice.name));
      }
    }
  }
}

/// The same of groups at the same time, of like and of unlike sizes, on free paths and on those of tables.
TEST(Combining, GroupsCarryOutEveryCollectiveTogether) {
  Progress silent;
  const auto graph = testing::graph_of("mesh:3x3");
  const std::vector<std::vector<std::vector<NodeId>>> all_groups = {
      {testing::nodes({0, 1, 4}), testing::nodes({2, 5, 8}), testing::nodes({3, 6, 7})},
      {testing::nodes({0, 8, 2, 6}), testing::nodes({1, 3, 5})}};
  for (const auto& groups : all_groups) {
    Participants who;
    who.groups = groups;
    for (const CombinedRow& row : combined_collectives()) {
      const CombinedProblem problem = make_combined(graph, row, who);
      const auto choices = combining_choices(problem);
      std::set<std::string> names;
      for (const CombiningChoice& choice : choices) {
        EXPECT_TRUE(names.insert(choice.name).second) << choice.name;
        try {
          expect_right(choice.make(quick(), silent), row.name + ": " + choice.name);
        } catch (const InputError& error) {
          EXPECT_THAT(error.what(), HasSubstr("unlike pieces"));
        }
      }
      EXPECT_GE(names.size(), row.name == "scan" ? 1U : 2U) << row.name;
    }
  }
}

struct Rules {
  const char* what;
  const char* spec;
  const char* faults;
  NodeGraphOptions links;
  std::uint32_t ports;
  std::uint32_t extra_hops;
};

TEST(Combining, EveryAlgorithmKeepsEveryRule) {
  constexpr std::uint32_t kAll = Problem::kAllPorts;
  const NodeGraphOptions half{.links = LinkClass::half_duplex};
  const std::vector<Rules> rules{
      {"one port", "ring:5", "", {}, 1, Problem::kAnyLength},
      {"shortest paths", "petersen", "", {}, kAll, 0},
      {"half duplex", "ring:5", "", half, kAll, Problem::kAnyLength},
      {"half duplex, one port", "mesh:2x3", "", half, 1, 1},
      {"half duplex, terminals", "btree:4", "", half, kAll, Problem::kAnyLength},
      {"parallel cables", "random:switches=5,links=12,parallel=1", "", {}, kAll, Problem::kAnyLength},
      {"wide terminal cables", "fat:3,ring:2", "", {.terminal_capacity = 2}, kAll, Problem::kAnyLength},
      {"a dead channel", "ring:4", "channels=S-0-S-1", {}, kAll, Problem::kAnyLength},
  };
  Progress silent;
  for (const Rules& rule : rules) {
    if (fewer_cases() && rule.spec != std::string("ring:4") && rule.spec != std::string("btree:4")) continue;
    const Network whole = make_network(rule.spec);
    const Faults faults = *rule.faults == 0 ? Faults{} : parse_faults(whole, rule.faults);
    const auto graph = std::make_shared<const NodeGraph>(with_faults(whole, faults), rule.links);
    Problem limits;
    limits.send_ports = limits.receive_ports = rule.ports;
    limits.extra_hops = rule.extra_hops;
    for (const char* const name : {"AAS", "AAB", "AAR", "AOG", "OAB", "all-reduce", "scan"}) {
      if (fewer_cases() && name != std::string("AAS") && name != std::string("all-reduce")) continue;
      const CombinedProblem problem = make_combined(graph, find_combined_collective(name), {}, 1, limits);
      for (const CombiningChoice& choice : combining_choices(problem))
        expect_right(choice.make(quick(), silent), fmt::format("{}: {} {}", rule.what, name, choice.name));
    }
  }
}

TEST(Combining, SomeNodesOnly) {
  Progress silent;
  Participants some;
  some.nodes = testing::nodes({1, 2, 4, 6, 7});
  Participants rooted = some;
  rooted.root = NodeId(4);
  const auto graph = testing::graph_of("torus:3x3");
  for (const CombinedRow& row : combined_collectives()) {
    const Participation participation = find_collective(row.base).participation;
    const bool has_root =
        participation == Participation::one_to_all || participation == Participation::all_to_one;
    const CombinedProblem problem = make_combined(graph, row, has_root ? rooted : some);
    // the one in the middle of a permutation sends nothing
    EXPECT_EQ(problem.nodes.size(), some.nodes->size() - (participation == Participation::one_to_one ? 1 : 0))
        << row.name;
    for (const CombiningChoice& choice : combining_choices(problem))
      expect_right(choice.make(quick(), silent), row.name + ": " + choice.name);
  }
  Participants lists;
  lists.transmitters = testing::nodes({0, 1});
  lists.receivers = testing::nodes({5, 6, 8});
  for (const char* const name : {"MNS", "MNB"}) {
    for (const CombiningChoice& choice :
         combining_choices(make_combined(graph, find_combined_collective(name), lists)))
      expect_right(choice.make(quick(), silent), name + choice.name);
  }
}

TEST(Combining, IsTheSameForTheSameSeed) {
  Progress silent;
  for (const char* const name : {"AAS", "all-reduce"}) {
    for (const CombiningChoice& choice : combining_choices(combined_on("mesh:2x3", name))) {
      CombiningOptions options = quick();
      options.threads = 1;
      const CombinedSchedule one = choice.make(options, silent).schedule;
      options.threads = 3;
      EXPECT_EQ(choice.make(options, silent).schedule, one) << choice.name;
    }
  }
}

/// Numbers of steps that the literature has, on networks where no two transfers of a round meet.
TEST(Combining, KnownNumbersOfSteps) {
  for (const std::uint32_t nodes : {3U, 4U, 5U, 8U}) {
    const std::string ring = fmt::format("ring:{}", nodes);
    EXPECT_EQ(steps_of(ring, "all-reduce", "reduce-scatter + all-gather: ring"), 2 * (nodes - 1));
    EXPECT_EQ(steps_of(ring, "AAB", "ring"), nodes - 1);
    EXPECT_EQ(steps_of(ring, "scan", "ring"), nodes - 1);
  }
  for (const std::uint32_t dimensions : {2U, 3U, 4U}) {
    const std::string cube = fmt::format("hypercube:{}", dimensions);
    EXPECT_EQ(steps_of(cube, "AAS", "recursive-doubling"), dimensions);
    EXPECT_EQ(steps_of(cube, "AAB", "recursive-doubling"), dimensions);
    EXPECT_EQ(steps_of(cube, "AAR", "recursive-doubling"), dimensions);
    EXPECT_EQ(steps_of(cube, "all-reduce", "recursive-doubling"), dimensions);
    EXPECT_EQ(steps_of(cube, "all-reduce", "reduce-scatter + all-gather: recursive-doubling"),
              2 * dimensions);
    EXPECT_EQ(steps_of(cube, "OAS", "binomial"), dimensions);
    EXPECT_EQ(steps_of(cube, "AAS", "pairwise"), (1U << dimensions) - 1);
  }
  // full meshes: every round fits
  for (const std::uint32_t nodes : {5U, 6U, 7U}) {
    const std::string mesh = fmt::format("hyperx:{},p=1", nodes);
    const auto rounds = static_cast<std::uint32_t>(std::bit_width(nodes - 1));
    EXPECT_EQ(steps_of(mesh, "AAS", "bruck"), rounds);
    EXPECT_EQ(steps_of(mesh, "AAB", "bruck"), rounds);
    EXPECT_EQ(steps_of(mesh, "OAB", "binomial"), rounds);
    EXPECT_EQ(steps_of(mesh, "AAS", "gossip"), 1U);
  }
  // one more step than the cube of two dimensions on each side of the fold
  EXPECT_EQ(steps_of("hyperx:6,p=1", "all-reduce", "recursive-doubling"), 4U);
}

/// A complete exchange in as many steps as some known bound: optimal where combining is free.
TEST(Combining, GossipMeetsTheBound) {
  EXPECT_EQ(steps_of("hypercube:3", "AAS", "gossip"), 2U);
  EXPECT_EQ(combining_step_bound(combined_on("hypercube:3", "AAS")), 2U);
  EXPECT_EQ(steps_of("kautz:b=3,n=2,oriented=1", "AAS", "gossip"), 2U);
  EXPECT_EQ(combining_step_bound(combined_on("kautz:b=3,n=2,oriented=1", "AAS")), 2U);
}

TEST(Combining, BoundCountsPorts) {
  EXPECT_EQ(combining_step_bound(combined_on("btree:16", "AAS")), 4U);  // one port: log2
  EXPECT_EQ(combining_step_bound(combined_on("mesh:3", "AAS")), 2U);    // an end hears of one more a step
  EXPECT_EQ(combining_step_bound(combined_on("ring:9", "all-reduce")), 2U);
  EXPECT_EQ(combining_step_bound(combined_on("ring:10", "all-reduce")), 3U);
  EXPECT_EQ(combining_step_bound(combined_on("ring:10", "permutation")), 1U);
  EXPECT_EQ(combining_step_bound(combined_on("uniring:4", "scan")), 2U);
}

/// The fewest steps of a complete exchange with free combining, by trying everything: what nodes know of
/// after each step, over all sets of paths without a common channel.
class BruteForce {
 public:
  explicit BruteForce(const NodeGraph& graph) : graph_(graph) {
    for (const NodeId n : graph.nodes()) {
      path_.assign(1, n);
      extend(0);
    }
  }
  std::uint32_t steps() const {
    const std::uint32_t nodes = graph_.node_count();
    std::vector<std::uint32_t> start(nodes), all(nodes, (1U << nodes) - 1);
    for (std::uint32_t n = 0; n < nodes; ++n) start[n] = 1U << n;
    std::set<std::vector<std::uint32_t>> states{start};
    for (std::uint32_t step = 1;; ++step) {
      std::set<std::vector<std::uint32_t>> next;
      for (const auto& state : states) choose(state, state, 0, 0, next);
      if (next.contains(all)) return step;
      states = std::move(next);
    }
  }

 private:
  struct Way {
    std::uint32_t from, to, arcs;
  };
  void extend(std::uint32_t arcs) {
    for (const ArcId a : graph_.out(path_.back())) {
      if (std::find(path_.begin(), path_.end(), graph_.head(a)) != path_.end()) continue;
      path_.push_back(graph_.head(a));
      ways_.push_back({path_.front().value, path_.back().value, arcs | 1U << a.value});
      extend(arcs | 1U << a.value);
      path_.pop_back();
    }
  }
  void choose(const std::vector<std::uint32_t>& before, const std::vector<std::uint32_t>& now,
              std::size_t way, std::uint32_t arcs, std::set<std::vector<std::uint32_t>>& states) const {
    states.insert(now);
    for (std::size_t w = way; w < ways_.size(); ++w) {
      if ((ways_[w].arcs & arcs) != 0 || (before[ways_[w].from] & ~now[ways_[w].to]) == 0) continue;
      std::vector<std::uint32_t> later = now;
      later[ways_[w].to] |= before[ways_[w].from];
      choose(before, later, w + 1, arcs | ways_[w].arcs, states);
    }
  }
  const NodeGraph& graph_;
  std::vector<NodeId> path_;
  std::vector<Way> ways_;
};

TEST(Combining, GossipAgainstTryingEverything) {
  for (const char* const spec :
       {"mesh:2", "mesh:3", "uniring:3", "uniring:4", "ring:3", "ring:4", "mesh:4"}) {
    const std::uint32_t fewest = BruteForce(*testing::graph_of(spec)).steps();
    EXPECT_EQ(steps_of(spec, "AAS", "gossip"), fewest) << spec;
    EXPECT_LE(combining_step_bound(combined_on(spec, "AAS")), fewest) << spec;
  }
}

/// The parts of what is composed are the schedules that a solver proves optimal.
TEST(Combining, ComposedOfOptimalParts) {
  Progress silent;
  const auto fewest = [&](const char* spec, const char* name) {
    const Problem problem = testing::problem_on(spec, name, {});
    SolveOptions options;
    options.lower_bound = lower_bound(problem).steps;
    const Solution found = solve(problem, "auto", options, silent);
    EXPECT_EQ(found.steps, found.fewest);
    return found.steps;
  };
  for (const char* const spec : {"hypercube:3", "torus:3x3", "ring:6"}) {
    EXPECT_EQ(steps_of(spec, "all-reduce", "reduce-scatter + all-gather: direct"), 2 * fewest(spec, "AAB"));
    EXPECT_EQ(steps_of(spec, "all-reduce", "reduce + broadcast: direct"), 2 * fewest(spec, "OAB"));
    EXPECT_EQ(steps_of(spec, "AAR", "direct"), fewest(spec, "AAB"));
    EXPECT_EQ(steps_of(spec, "AAS", "direct"), fewest(spec, "AAS"));
  }
}

TEST(Combining, RefusesWhatCannotBe) {
  Progress silent;
  const auto expect_refused = [](auto work, const char* words) {
    try {
      work();
      ADD_FAILURE() << words;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(words));
    }
  };
  expect_refused([] { (void)find_combined_collective("all-reduse"); }, "did you mean 'all-reduce'");
  expect_refused([] { (void)find_combining_algorithm("brucke"); }, "'bruck'");
  expect_refused([] { (void)combined_on("ring:4", "AAS", 2); }, "AAS: 2 pieces of a message");
  expect_refused([] { (void)combined_on("ring:4", "all-reduce", 0); }, "0 pieces");
  expect_refused([] { (void)combined_on("ring:4", "all-reduce", 1U << 31U); }, "too many blocks");
  Participants some;
  some.transmitters = testing::nodes({0, 1});
  expect_refused(
      [&] { (void)make_combined(testing::graph_of("ring:4"), find_combined_collective("all-reduce"), some); },
      "who takes part has a part and gets a result");
  // a line of one-way channels: no way back
  const auto line = std::make_shared<const NodeGraph>(one_way_line(3));
  Participants who;
  who.transmitters = testing::nodes({0});
  who.receivers = testing::nodes({1, 2});
  const CombinedProblem problem = make_combined(line, find_combined_collective("MNB"), who);
  std::vector<std::string> possible;
  for (const CombiningChoice& choice : combining_choices(problem)) {
    expect_right(choice.make(quick(), silent), choice.name);
    possible.push_back(choice.name);
  }
  EXPECT_EQ(possible, (std::vector<std::string>{"direct", "gossip", "binomial"}));
}

}  // namespace
}  // namespace unknot
