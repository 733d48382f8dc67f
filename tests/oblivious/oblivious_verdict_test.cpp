// SPDX-License-Identifier: Apache-2.0
#include "unknot/oblivious/oblivious_verdict.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "effort.hpp"
#include "oblivious/explicit_paths.hpp"
#include "unknot/oblivious/oblivious_dependencies.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

using testing::ChannelPath;

struct Choice {
  ObliviousPaths paths;
  std::string scheme;
};

const std::vector<Choice>& all_choices() {
  static const std::vector<Choice> choices = {
      {ObliviousPaths::minimal, "single"},      {ObliviousPaths::minimal, "hop"},
      {ObliviousPaths::minimal, "hop:lanes=2"}, {ObliviousPaths::minimal, "phase-hop"},
      {ObliviousPaths::valiant, "single"},      {ObliviousPaths::valiant, "phase"},
      {ObliviousPaths::valiant, "hop"},         {ObliviousPaths::valiant, "hop:lanes=3"},
      {ObliviousPaths::valiant, "phase-hop"},   {ObliviousPaths::valiant, "phase-hop:each=2"},
  };
  return choices;
}

/// The schemes as their definitions say, without the library's.
std::uint32_t lane_of(const std::string& scheme, std::uint32_t diameter, std::uint32_t phase,
                      std::uint32_t hop, std::uint32_t in_phase) {
  if (scheme == "phase") return phase;
  if (scheme == "hop") return hop;
  if (scheme == "hop:lanes=2") return std::min(hop, 1U);
  if (scheme == "hop:lanes=3") return std::min(hop, 2U);
  if (scheme == "phase-hop") return phase * std::max(1U, diameter) + in_phase;
  if (scheme == "phase-hop:each=2")
    return phase * std::min(2U, std::max(1U, diameter)) + std::min(in_phase, 1U);
  return 0;
}

using LaneHopId = std::pair<std::uint32_t, std::uint32_t>;  // channel, lane
struct Listed {
  std::set<LaneHopId> used;
  std::set<std::pair<LaneHopId, LaneHopId>> arcs;
  std::uint64_t paths = 0;
};

void list(const Choice& choice, std::uint32_t diameter, const ChannelPath& first, const ChannelPath& second,
          Listed& listed) {
  ++listed.paths;
  std::vector<LaneHopId> hops;
  for (std::uint32_t i = 0; i < first.size(); ++i)
    hops.emplace_back(first[i].value, lane_of(choice.scheme, diameter, 0, i, i));
  for (std::uint32_t i = 0; i < second.size(); ++i) {
    hops.emplace_back(second[i].value,
                      lane_of(choice.scheme, diameter, 1, static_cast<std::uint32_t>(first.size()) + i, i));
  }
  for (std::size_t i = 0; i < hops.size(); ++i) {
    listed.used.insert(hops[i]);
    if (i > 0) listed.arcs.insert({hops[i - 1], hops[i]});
  }
}

Listed list_all(const Network& network, const Choice& choice, std::uint32_t diameter) {
  Listed listed;
  const auto paths = testing::all_shortest_paths(network);
  const std::uint32_t n = network.router_count();
  for (std::uint32_t s = 0; s < n; ++s) {
    for (std::uint32_t d = 0; d < n; ++d) {
      if (s == d || network.terminals_at(RouterId(s)).empty() || network.terminals_at(RouterId(d)).empty())
        continue;
      if (choice.paths == ObliviousPaths::minimal) {
        for (const ChannelPath& path : paths[s][d]) list(choice, diameter, path, {}, listed);
        continue;
      }
      for (std::uint32_t i = 0; i < n; ++i) {
        if (i == s || i == d) continue;
        for (const ChannelPath& first : paths[s][i]) {
          for (const ChannelPath& second : paths[i][d]) list(choice, diameter, first, second, listed);
        }
      }
    }
  }
  return listed;
}

/// Every step holds its channel on its lane, by a whole path that the routing has, and waits for the next.
void expect_realised(const Network& network, const Choice& choice, std::uint32_t diameter,
                     const ObliviousWitness& witness) {
  ASSERT_FALSE(witness.steps.empty());
  const auto paths = testing::all_shortest_paths(network);
  for (std::size_t i = 0; i < witness.steps.size(); ++i) {
    const ObliviousWitnessStep& step = witness.steps[i];
    const LaneChannel& next = witness.steps[(i + 1) % witness.steps.size()].from;
    const ObliviousFlow& flow = step.flow;
    SCOPED_TRACE(describe(network, flow));
    const ChannelPath first(flow.channels.begin(), flow.channels.begin() + flow.turn);
    const ChannelPath second(flow.channels.begin() + flow.turn, flow.channels.end());
    EXPECT_NE(flow.source, flow.destination);
    if (choice.paths == ObliviousPaths::minimal) {
      EXPECT_FALSE(flow.intermediate.valid());
      EXPECT_TRUE(second.empty());
      EXPECT_THAT(paths[flow.source.value][flow.destination.value], ::testing::Contains(first));
    } else {
      EXPECT_NE(flow.intermediate, flow.source);
      EXPECT_NE(flow.intermediate, flow.destination);
      EXPECT_THAT(paths[flow.source.value][flow.intermediate.value], ::testing::Contains(first));
      EXPECT_THAT(paths[flow.intermediate.value][flow.destination.value], ::testing::Contains(second));
    }
    ASSERT_LT(step.held + 1, flow.channels.size());
    const auto lane_at = [&](std::uint32_t hop) {
      const bool after = hop >= flow.turn;
      return lane_of(choice.scheme, diameter, after ? 1 : 0, hop, after ? hop - flow.turn : hop);
    };
    EXPECT_EQ(flow.channels[step.held], step.from.channel);
    EXPECT_EQ(lane_at(step.held), step.from.lane);
    EXPECT_EQ(flow.channels[step.held + 1], next.channel);
    EXPECT_EQ(lane_at(step.held + 1), next.lane);
  }
}

ObliviousVerdict verdict_of(const Network& network, const Choice& choice, double most_listed = 0,
                            std::uint32_t threads = 0) {
  Progress silent;
  const PathLengths lengths = path_lengths(network, choice.paths, threads, silent);
  return verify_oblivious(network, lengths, make_lane_scheme(lengths, choice.scheme), {threads, most_listed},
                          silent);
}

void expect_proven(const Network& network, const std::string& what) {
  for (const Choice& choice : all_choices()) {
    SCOPED_TRACE(what + " " + std::string(name_of(choice.paths)) + " " + choice.scheme);
    Progress silent;
    const PathLengths lengths = path_lengths(network, choice.paths);
    const LaneScheme scheme = make_lane_scheme(lengths, choice.scheme);
    const DependencyGraph graph = oblivious_dependencies(network, lengths, scheme, 0, silent);
    const Listed expected = list_all(network, choice, lengths.diameter);
    Listed actual;
    for (DependencyGraph::Vertex v = 0; v < graph.vertex_count(); ++v) {
      const LaneHopId held{graph.channel_of(v), graph.lane_of(v)};
      if (graph.used(v)) actual.used.insert(held);
      for (const DependencyGraph::Vertex w : graph.next(v))
        actual.arcs.insert({held, {graph.channel_of(w), graph.lane_of(w)}});
    }
    EXPECT_EQ(actual.arcs.size(), graph.arc_count()) << "an arc comes twice";
    EXPECT_EQ(actual.used, expected.used);
    EXPECT_EQ(actual.arcs, expected.arcs);

    const ObliviousVerdict verdict = verdict_of(network, choice, 1e9);
    EXPECT_EQ(verdict.dependencies, expected.arcs.size());
    EXPECT_EQ(explicit_paths(network, choice.paths), static_cast<double>(expected.paths));
    ASSERT_TRUE(verdict.check);
    EXPECT_TRUE(verdict.check->equal) << verdict.check->difference;
    EXPECT_EQ(verdict.check->paths, expected.paths);
    EXPECT_EQ(verdict.deadlock_free, !verdict.witness);
    EXPECT_EQ(verdict.deadlock_free, verdict.certificate.has_value());
    if (verdict.witness) expect_realised(network, choice, lengths.diameter, *verdict.witness);
    if (verdict.certificate) {
      const auto number = [&](const LaneHopId& hop) {
        return verdict.certificate->number[hop.second * std::size_t{network.channel_count()} + hop.first];
      };
      for (const auto& [from, to] : expected.arcs) EXPECT_LT(number(from), number(to));
    }
  }
}

TEST(ObliviousVerdict, IsThatOfThePathsListedOneByOneOnRandomNetworks) {
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    Random random(seed);
    expect_proven(testing::random_fabric(random, seed % 3 == 0, 7, 2), "seed " + std::to_string(seed));
  }
}

TEST(ObliviousVerdict, IsThatOfThePathsListedOneByOneInEveryFamily) {
  for (const Topology& topology : topologies()) {
    for (const std::string& example : topology.examples) {
      const Network network = make_network(example);
      if (network.router_count() <= (fewer_cases() ? 9 : 12)) expect_proven(network, example);
    }
  }
}

struct Row {
  std::string fabric;
  ObliviousPaths paths;
  std::string scheme;
  std::uint64_t vertices, dependencies;
  bool deadlock_free;
};

void expect_rows(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    SCOPED_TRACE(row.fabric + " " + std::string(name_of(row.paths)) + " " + row.scheme);
    const ObliviousVerdict verdict = verdict_of(make_network(row.fabric), {row.paths, row.scheme});
    EXPECT_TRUE(verdict.complete());
    EXPECT_EQ(verdict.vertices, row.vertices);
    EXPECT_EQ(verdict.dependencies, row.dependencies);
    EXPECT_EQ(verdict.deadlock_free, row.deadlock_free);
  }
}

constexpr ObliviousPaths kMin = ObliviousPaths::minimal;
constexpr ObliviousPaths kInr = ObliviousPaths::valiant;

// Vertices, dependencies and verdicts computed by an independent prototype from the routing of Kathareios et
// al., SC'15, section 3: what the paper says is deadlock-free is, and with one lane less it is not.
TEST(ObliviousVerdict, OfSlimFly) {
  expect_rows({
      {"slimfly:q=4,p=1", kMin, "single", 192, 960, false},
      {"slimfly:q=4,p=1", kMin, "hop", 384, 960, true},
      {"slimfly:q=4,p=1", kInr, "single", 192, 1152, false},
      {"slimfly:q=4,p=1", kInr, "phase", 384, 3072, false},
      {"slimfly:q=4,p=1", kInr, "hop:lanes=3", 576, 3264, false},
      {"slimfly:q=4,p=1", kInr, "hop", 768, 3264, true},
      {"slimfly:q=4,p=1", kInr, "phase-hop", 768, 4224, true},
      {"slimfly:q=5,p=1", kMin, "single", 350, 2100, false},
      {"slimfly:q=5,p=1", kMin, "hop", 700, 2100, true},
      {"slimfly:q=5,p=1", kInr, "single", 350, 2450, false},
      {"slimfly:q=5,p=1", kInr, "phase", 700, 6650, false},
      {"slimfly:q=5,p=1", kInr, "hop:lanes=3", 1050, 7000, false},
      {"slimfly:q=5,p=1", kInr, "hop", 1400, 7000, true},
      {"slimfly:q=5,p=1", kInr, "phase-hop", 1400, 9100, true},
      {"slimfly:q=7,p=1", kMin, "single", 1078, 10192, false},
      {"slimfly:q=7,p=1", kMin, "hop", 2156, 10192, true},
      {"slimfly:q=7,p=1", kInr, "single", 1078, 11858, false},
      {"slimfly:q=7,p=1", kInr, "phase", 2156, 32242, false},
      {"slimfly:q=7,p=1", kInr, "hop:lanes=3", 3234, 33908, false},
      {"slimfly:q=7,p=1", kInr, "hop", 4312, 33908, true},
      {"slimfly:q=7,p=1", kInr, "phase-hop", 4312, 44100, true},
      {"slimfly:q=13,p=9", kMin, "single", 6422, 111540, false},
      {"slimfly:q=13,p=9", kMin, "hop", 12844, 111540, true},
  });
}

TEST(ObliviousVerdict, OfMultiLayerFullMeshesAndOrthogonalFatTrees) {
  expect_rows({
      {"mlfm:4", kMin, "single", 160, 560, true},
      {"mlfm:4", kInr, "single", 160, 880, false},
      {"mlfm:4", kInr, "phase", 320, 1440, true},
      {"mlfm:15", kMin, "single", 7200, 104400, true},
      {"mlfm:15", kInr, "single", 7200, 158400, false},
      {"mlfm:15", kInr, "phase", 14400, 262800, true},
      {"oft:4", kMin, "single", 208, 728, true},
      {"oft:4", kInr, "single", 208, 1144, false},
      {"oft:4", kInr, "phase", 416, 1872, true},
      {"oft:12", kMin, "single", 6384, 73416, true},
      {"oft:12", kInr, "single", 6384, 111720, false},
      {"oft:12", kInr, "phase", 12768, 185136, true},
  });
}

TEST(ObliviousVerdict, OfHyperx) {
  expect_rows({
      {"hyperx:4x4,p=3", kMin, "single", 96, 288, false},
      {"hyperx:4x4,p=3", kMin, "hop", 192, 288, true},
  });
}

TEST(ObliviousVerdict, IsTheSameAtAnyNumberOfThreads) {
  const Network network = make_network("slimfly:q=5,p=2");
  for (const Choice& choice : all_choices()) {
    const ObliviousVerdict one = verdict_of(network, choice, 0, 1);
    const ObliviousVerdict many = verdict_of(network, choice, 0, 6);
    EXPECT_EQ(one.dependencies, many.dependencies);
    ASSERT_EQ(one.witness.has_value(), many.witness.has_value());
    if (one.witness) {
      EXPECT_EQ(describe(network, *one.witness), describe(network, *many.witness));
    }
  }
}

TEST(ObliviousVerdict, OfValiantCoversMinimalPathsToo) {
  // A minimal path is the first half of some path of Valiant's, so what is proven holds for adaptive routing
  // between the two as well.
  const Network network = make_network("hyperx:4x3,p=2");
  Progress silent;
  const PathLengths minimal = path_lengths(network, kMin);
  const PathLengths valiant = path_lengths(network, kInr);
  for (const char* spec : {"single", "phase", "hop", "phase-hop"}) {
    const DependencyGraph few =
        oblivious_dependencies(network, minimal, make_lane_scheme(minimal, spec), 0, silent);
    const DependencyGraph many =
        oblivious_dependencies(network, valiant, make_lane_scheme(valiant, spec), 0, silent);
    for (DependencyGraph::Vertex v = 0; v < few.vertex_count(); ++v) {
      for (const DependencyGraph::Vertex w : few.next(v)) EXPECT_THAT(many.next(v), ::testing::Contains(w));
    }
  }
}

TEST(ObliviousVerdict, NamesAPairThatIsLost) {
  NetworkBuilder builder;
  builder.add_routers(4);
  builder.add_cable(RouterId(0), RouterId(1));
  builder.add_cable(RouterId(1), RouterId(2));
  builder.add_channel(RouterId(2), RouterId(3));
  for (std::uint32_t r = 0; r < 4; ++r) builder.add_terminal(RouterId(r));
  builder.add_terminal(RouterId(3));
  const Network network = std::move(builder).build();
  const ObliviousVerdict verdict = verdict_of(network, {kMin, "single"});
  EXPECT_EQ(verdict.pairs, 20U);
  EXPECT_EQ(verdict.unroutable_pairs, 6U);
  EXPECT_EQ(verdict.lost_source, TerminalId(3));
  EXPECT_EQ(verdict.lost_destination, TerminalId(0));
  const Network two = testing::ring(2, 2);
  EXPECT_TRUE(verdict_of(two, {kMin, "single"}).complete());
  EXPECT_EQ(verdict_of(two, {kInr, "single"}).unroutable_pairs, 8U);
}

TEST(ExplicitCheck, FindsWhatAGraphHasTooManyOrTooFew) {
  const Network network = make_network("ring:5,p=1");
  const PathLengths lengths = path_lengths(network, kMin);
  const LaneScheme scheme = make_lane_scheme(lengths, "single");
  Progress silent;
  const DependencyGraph graph = oblivious_dependencies(network, lengths, scheme, 0, silent);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> arcs;
  for (DependencyGraph::Vertex v = 0; v < graph.vertex_count(); ++v) {
    for (const DependencyGraph::Vertex w : graph.next(v)) arcs.emplace_back(v, w);
  }
  const auto check = [&](const std::vector<std::pair<std::uint32_t, std::uint32_t>>& with,
                         std::vector<std::uint8_t> used) {
    const DependencyGraph altered(network.channel_count(), 1, std::move(used), [&](const auto& visit) {
      for (const auto& [from, to] : with) visit(from, to);
    });
    return explicit_check(network, kMin, scheme, altered, silent).difference;
  };
  const std::vector<std::uint8_t> all_used(network.channel_count(), 1);
  EXPECT_EQ(check(arcs, all_used), "");
  auto fewer = arcs;
  fewer.pop_back();
  EXPECT_THAT(check(fewer, all_used), ::testing::HasSubstr("goes on as the graph does not say"));
  auto twice = arcs;
  twice.push_back(arcs.front());
  EXPECT_THAT(check(twice, all_used), ::testing::HasSubstr("no second time"));
  auto more = arcs;
  more.emplace_back(0, network.reverse(ChannelId(0)).value);
  EXPECT_THAT(check(more, all_used), ::testing::HasSubstr("no path"));
  auto apart = arcs;
  apart.emplace_back(arcs.front().second, arcs.front().first);
  EXPECT_THAT(check(apart, all_used), ::testing::HasSubstr("does not lead to"));
  std::vector<std::uint8_t> unused = all_used;
  unused[3] = 0;
  EXPECT_THAT(check(arcs, unused), ::testing::HasSubstr("a path takes"));
}

}  // namespace
}  // namespace unknot
