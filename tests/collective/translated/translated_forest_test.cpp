// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/translated/translated_forest.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "collective/bandwidth/sample_networks.hpp"
#include "collective/combined_play.hpp"
#include "collective/schedules.hpp"
#include "unknot/collective/bandwidth/bandwidth_optimum.hpp"
#include "unknot/collective/bandwidth/forest_check.hpp"
#include "unknot/collective/bandwidth/pipelined_steps.hpp"
#include "unknot/collective/files/forest_file.hpp"

namespace unknot {
namespace {

using testing::graph_of;
using ::testing::HasSubstr;

BandwidthProblem bandwidth_problem_on(const std::string& fabric, const std::string& collective) {
  return make_bandwidth_problem(graph_of(fabric), collective);
}

/// All elements of the group, each found as a product of those before and a generator; by the image of
/// `root`.
std::map<NodeId, NodeImages> elements_of(const std::vector<NodeImages>& generators, NodeId root) {
  NodeImages identity(generators.front().size());
  for (std::uint32_t n = 0; n < identity.size(); ++n) identity[n] = NodeId(n);
  std::map<NodeId, NodeImages> elements{{root, identity}};
  std::vector<NodeId> open{root};
  while (!open.empty()) {
    const NodeImages at = elements.at(open.back());
    open.pop_back();
    for (const NodeImages& generator : generators) {
      NodeImages next(at.size());
      for (std::uint32_t n = 0; n < at.size(); ++n) next[n] = generator[at[n].value];
      const auto [place, fresh] = elements.try_emplace(next[root.value], next);
      if (fresh) open.push_back(place->first);
      EXPECT_EQ(place->second, next) << "two elements lead the root to the same node";
    }
  }
  return elements;
}

/// Every tree of every root, written out.
Forest spelled_out(const Forest& forest) {
  Forest all;
  all.copies = forest.copies;
  for (const auto& [root, images] : elements_of(forest.translations, forest.trees.front().root)) {
    for (const Forest::Tree& tree : forest.trees) {
      Forest::Tree& made = all.trees.emplace_back();
      made.root = root;
      made.copies = tree.copies;
      for (const Forest::Edge& edge : tree.edges) {
        std::vector<NodeId> way;
        for (const NodeId n : forest.way(edge.way)) way.push_back(images[n.value]);
        made.edges.push_back({way.front(), way.back(), all.add_way(way)});
      }
    }
  }
  return all;
}

struct Translated {
  BandwidthProblem problem;
  Fraction optimum;
  Forest forest;
};

Translated translated(const std::string& fabric, const std::string& collective) {
  Progress progress;
  Translated made{bandwidth_problem_on(fabric, collective), {}, {}};
  const std::optional<Translations> group = find_translations(*made.problem.graph, made.problem.members);
  EXPECT_TRUE(group.has_value()) << fabric;
  if (!group) return made;
  const BandwidthProblem gather = bandwidth_problem_on(fabric, collective == "AAR" ? "AAR" : "AAB");
  made.optimum = bandwidth_optimum(gather, progress).time();
  std::optional<Forest> forest = translated_forest(made.problem, *group, made.optimum, progress);
  EXPECT_TRUE(forest.has_value()) << fabric;
  if (forest) made.forest = std::move(*forest);
  return made;
}

class TranslatedForest : public ::testing::TestWithParam<const char*> {};

TEST_P(TranslatedForest, IsWhatItsImagesWrittenOutAre) {
  for (const char* collective : {"AAB", "AAR", "all-reduce"}) {
    const Translated made = translated(GetParam(), collective);
    ASSERT_FALSE(made.forest.trees.empty());
    const ForestVerdict short_one = check_forest(made.problem, made.forest);
    const ForestVerdict long_one = check_forest(made.problem, spelled_out(made.forest));
    EXPECT_EQ(short_one.fault, "") << collective;
    EXPECT_EQ(long_one.fault, "") << collective;
    EXPECT_EQ(short_one.time, long_one.time) << collective;
    EXPECT_EQ(short_one.edges, long_one.edges) << collective;
    const std::uint64_t twice = made.problem.all_reduce ? 2 : 1;
    EXPECT_EQ(short_one.time, Fraction(twice * made.optimum.over(), made.optimum.under())) << collective;
  }
}

/// Roots and ways of all trees.
std::multiset<std::pair<NodeId, std::vector<std::vector<NodeId>>>> ways_of(const Forest& forest) {
  std::multiset<std::pair<NodeId, std::vector<std::vector<NodeId>>>> all;
  for (const Forest::Tree& tree : forest.trees) {
    std::vector<std::vector<NodeId>> ways;
    for (const Forest::Edge& edge : tree.edges) {
      const auto way = forest.way(edge.way);
      ways.emplace_back(way.begin(), way.end());
      EXPECT_EQ(way.front(), edge.from);
      EXPECT_EQ(way.back(), edge.to);
    }
    all.emplace(tree.root, std::move(ways));
  }
  return all;
}

TEST_P(TranslatedForest, IsWrittenOutForThoseThatKnowNoTranslations) {
  for (const char* collective : {"AAB", "AAR", "all-reduce"}) {
    const Translated made = translated(GetParam(), collective);
    const Forest all = written_out(made.forest);
    EXPECT_TRUE(all.translations.empty());
    EXPECT_EQ(ways_of(all), ways_of(spelled_out(made.forest))) << collective;
    if (made.problem.members.size() > 16) continue;
    const auto graph = graph_of(GetParam());
    const PipelinedSteps steps = pipelined_steps(graph, made.problem, all, 2);
    EXPECT_EQ(testing::played(steps.problem, steps.schedule, true), "") << collective;
  }
}

TEST_P(TranslatedForest, IsAsDeepAsBreadthFirstSearch) {
  const Translated made = translated(GetParam(), "AAB");
  std::vector<std::uint32_t> hops;
  made.problem.graph->distances_from(made.forest.trees.front().root, hops);
  std::uint32_t farthest = 0;
  for (const NodeId n : made.problem.members) farthest = std::max(farthest, hops[n.value]);
  EXPECT_LE(depth_of(made.forest).edges, farthest);
}

TEST_P(TranslatedForest, IsReadAsItIsWritten) {
  const Translated made = translated(GetParam(), "AAB");
  ForestDocument document;
  document.fabric = GetParam();
  document.collective = "AAB";
  document.participants = made.problem.who;
  document.forest = made.forest;
  const ForestDocument again = parse_forest(forest_json(document), "again");
  EXPECT_EQ(again.forest.translations, made.forest.translations);
  EXPECT_EQ(check_forest(made.problem, again.forest).time, made.optimum);
}

INSTANTIATE_TEST_SUITE_P(Networks, TranslatedForest,
                         ::testing::Values("torus:4x4", "torus:5x3", "torus:3x3x3", "ring:7", "hypercube:4",
                                           "hypercube:5", "boxes:4,8", "boxes:3,4", "boxes:1,8",
                                           "boxes:2,8,link=12,card=1"));

TEST(Translations, AreNotFoundWhereNodesDiffer) {
  for (const char* fabric :
       {"mesh:3x3", "boxes:2,gpus=4x3", "random:switches=8,links=14,terminals=8,seed=2"}) {
    const BandwidthProblem problem = bandwidth_problem_on(fabric, "AAB");
    EXPECT_FALSE(find_translations(*problem.graph, problem.members).has_value()) << fabric;
  }
}

TEST(Translations, MustLeadEachNodeToEachOther) {
  const Translated made = translated("torus:4x4", "AAB");
  const auto fault_of = [&](const std::function<void(Forest&)>& change) {
    Forest changed = made.forest;
    change(changed);
    return check_forest(made.problem, changed).fault;
  };
  EXPECT_THAT(fault_of([](Forest& f) { f.translations.pop_back(); }), HasSubstr("to 4 of 16 nodes"));
  EXPECT_THAT(fault_of([](Forest& f) { f.translations.push_back(f.translations.front()); }),
              HasSubstr("more products than the 16 nodes"));
  EXPECT_THAT(fault_of([](Forest& f) { f.translations[0].pop_back(); }), HasSubstr("images of 15 nodes"));
  EXPECT_THAT(fault_of([](Forest& f) { f.translations[1][3] = f.translations[1][4]; }),
              HasSubstr("the image of two"));
  EXPECT_THAT(fault_of([](Forest& f) { f.translations[1][3] = NodeId(16); }), HasSubstr("is no node"));
  EXPECT_THAT(fault_of([](Forest& f) { std::swap(f.translations[0][3], f.translations[0][9]); }),
              HasSubstr("their images, 0"));
  EXPECT_THAT(fault_of([](Forest& f) { f.trees.back().root = NodeId(5); }),
              HasSubstr("of one root are listed"));
  EXPECT_THAT(fault_of([](Forest& f) { f.trees.clear(); }), HasSubstr("no tree to translate"));
  // A quarter turn about node 0 is an automorphism, and does not commute with a step.
  EXPECT_THAT(fault_of([](Forest& f) {
                NodeImages turn(16);
                for (std::uint32_t x = 0; x < 4; ++x) {
                  for (std::uint32_t y = 0; y < 4; ++y) turn[x * 4 + y] = NodeId((4 - y) % 4 * 4 + x);
                }
                f.translations[1] = turn;
              }),
              HasSubstr("do not commute"));
}

TEST(Translations, DoNotHideNumbersThatDoNotFit) {
  Translated made = translated("ring:6", "AAB");
  const std::uint64_t many = std::uint64_t{1} << 61U;
  made.forest.copies *= many;
  for (Forest::Tree& tree : made.forest.trees) tree.copies *= many;
  const char* const why = "more parts than 64 bits can count";
  EXPECT_THAT(check_forest(made.problem, made.forest).fault, HasSubstr(why));
  EXPECT_THAT(check_forest(made.problem, spelled_out(made.forest)).fault, HasSubstr(why));
}

TEST(Translations, AreOfNodesThatSendAndGetAlike) {
  const Translated made = translated("ring:6", "AAB");
  Participants one;
  one.root = NodeId(0);
  const BandwidthProblem broadcast = make_bandwidth_problem(made.problem.graph, "OAB", one);
  EXPECT_THAT(check_forest(broadcast, made.forest).fault, HasSubstr("all in it have the same share"));
}

TEST(Translations, OfCapacitiesThatDifferAreNone) {
  const NodeGraph ring = *graph_of("ring:4");
  std::vector<std::uint32_t> capacities(ring.arc_count(), 2);
  capacities[0] = 3;
  const NodeGraph uneven = ring.with_capacities(capacities);
  std::vector<NodeId> members(uneven.nodes().begin(), uneven.nodes().end());
  EXPECT_FALSE(find_translations(uneven, members).has_value());
}

}  // namespace
}  // namespace unknot
