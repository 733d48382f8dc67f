// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include "effort.hpp"
#include "routed.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/place/communication.hpp"
#include "unknot/place/cut_bound.hpp"
#include "unknot/place/placement_measure.hpp"
#include "unknot/place/search.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"
#include "unknot/traffic/workloads/workload_catalogue.hpp"

namespace unknot::place {
namespace {

/// Ranks that send random amounts to random others.
CommunicationMatrix random_matrix(std::uint32_t ranks, std::uint64_t seed) {
  Random random(seed);
  std::vector<Flow> flows;
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  for (std::uint32_t i = 0; i < 4 * ranks; ++i) {
    const std::uint32_t a = random.below(ranks);
    const std::uint32_t b = (a + 1 + random.below(ranks - 1)) % ranks;
    if (seen.emplace(a, b).second) flows.push_back({TerminalId(a), TerminalId(b), 1.0 + random.below(9)});
  }
  TrafficPattern pattern;
  pattern.flows = [flows](std::uint64_t, std::uint32_t, std::vector<Flow>& out) { out = flows; };
  return pattern_matrix(pattern, ranks, 1, 100);
}

/// The costs restated: by the code that measures any flows.
Cost measured(const Network& network, const Routing& routing, const Places& places,
              const Placement& placement, const CommunicationMatrix& sent, const LinkWidths& widths = {}) {
  const PlacementMeasure m =
      measure_placement(network, routing, widths, placed_flows(places, placement, sent));
  EXPECT_EQ(m.unroutable, 0U);
  return {m.busiest(), m.busiest_channel, 0};
}

/// Links of 1 to 4, cables of 2 to 4.
LinkWidths random_widths(const Network& network, std::uint64_t seed) {
  Random random(seed);
  LinkWidths widths;
  for (std::uint32_t c = 0; c < network.channel_count(); ++c) widths.channel.push_back(1.0 + random.below(4));
  for (std::uint32_t t = 0; t < network.terminal_count(); ++t)
    widths.terminal.push_back(2.0 + random.below(3));
  return widths;
}

void expect_is_placement(const Placement& placement, const Places& places, std::uint32_t ranks) {
  ASSERT_EQ(placement.size(), ranks);
  EXPECT_EQ(std::set<std::uint32_t>(placement.begin(), placement.end()).size(), ranks);
  EXPECT_LT(*std::max_element(placement.begin(), placement.end()), places.count());
}

TEST(PlacedLoad, StaysWhatItWouldBeAnew) {
  for (const char* spec : {"torus:3x3,p=2", "kautz:b=2,n=3,p=1", "xgft:m=3x3,w=2x2,terminals=9"}) {
    const Network network = make_network(spec);
    Routing routing = routed(network, "minhop");
    for (const std::uint32_t per_host : {1U, 3U, 2U}) {
      // one address, at last two
      if (per_host == 2) routing.further = {routed(network, "updn")};
      const Places places = find_places(network, "", per_host);
      const LinkWidths widths = per_host == 1 ? LinkWidths{} : random_widths(network, 2);
      const CommunicationMatrix sent = random_matrix(places.count() - 2, 7);
      const CommunicationMatrix received = transposed(sent);
      PlacedLoad state(network, routing, places, widths, sent, received);
      Random random(3);
      double sum = 0;
      for (int step = 0; step < 300; ++step) {
        const std::uint32_t a = random.below(places.count());
        const std::uint32_t b = random.below(places.count());
        if (a == b) continue;
        const Cost before = state.cost();
        const Placement at_first = state.placement();
        sum += state.exchange(a, b);
        PlacedLoad anew(network, routing, places, widths, sent, received);
        anew.reset(state.placement());
        EXPECT_EQ(state.cost(), anew.cost()) << spec;
        const Cost anew_by_flows = measured(network, routing, places, state.placement(), sent, widths);
        EXPECT_DOUBLE_EQ(state.cost().busiest, anew_by_flows.busiest);
        EXPECT_DOUBLE_EQ(state.cost().busiest_channel, anew_by_flows.busiest_channel);
        if (random.below(2) == 0) {
          state.undo();
          EXPECT_EQ(state.cost(), before);
          EXPECT_EQ(state.placement(), at_first);
        }
      }
      EXPECT_NE(sum, 0);
    }
  }
}

// Every engine that routes each of these networks, with hosts of one and of several places.
TEST(Placement, IsNeverWorseThanInOrderAndNeverBelowTheBound) {
  SearchOptions options;
  options.routes = fewer_cases() ? 5'000 : 40'000;
  Progress quiet;
  int placed_by = 0;
  for (const Engine& engine : engines()) {
    for (const char* spec : {"torus:4x4,p=2", "slimfly:q=3,p=2", "xgft:m=4x4,w=2x2,terminals=16"}) {
      const Network network = make_network(spec);
      if (!refusal(engine, network).empty()) continue;
      const Routing routing = routed(network, engine.name);
      const Places places = find_places(network, "", engine.name.size() % 2 == 0 ? 1 : 2);
      const CommunicationMatrix sent = stencil_matrix({{places.count() / 4, 4}, true}, 1000);
      const Placed placed = find_placement(network, routing, places, sent, options, quiet);
      expect_is_placement(placed.placement, places, sent.ranks);
      const Cost found = measured(network, routing, places, placed.placement, sent);
      const Cost ordered = measured(network, routing, places, in_order(sent.ranks), sent);
      EXPECT_LE(found.busiest, ordered.busiest) << spec << " " << engine.name;
      EXPECT_EQ(found.busiest, placed.attempts[placed.best].after.busiest);
      EXPECT_EQ(found.busiest_channel, placed.attempts[placed.best].after.busiest_channel);
      EXPECT_GE(found.busiest, placed.bound.load()) << spec << " " << engine.name;
      ++placed_by;
    }
  }
  EXPECT_GT(placed_by, 20);
}

TEST(Placement, OfEveryPatternIsAPlacement) {
  SearchOptions options;
  options.routes = 2'000;
  options.starts = 2;
  Progress quiet;
  const Network network = make_network("torus:4x4");
  const Routing routing = routed(network, "dor");
  const Places places = find_places(network, "", 1);
  int placed_patterns = 0;
  for (const Pattern& row : patterns()) {
    if (row.read || !row.any_network) continue;
    const CommunicationMatrix sent = pattern_matrix(make_pattern(network, row.name), 16, 1, 64);
    expect_is_placement(find_placement(network, routing, places, sent, options, quiet).placement, places, 16);
    ++placed_patterns;
  }
  EXPECT_GT(placed_patterns, 5);
}

/// The least busiest load over all placements, by trying each: ranks beyond those of the matrix send nothing.
double least_of_all(const Network& network, const Routing& routing, const Places& places,
                    const CommunicationMatrix& sent, const LinkWidths& widths = {}) {
  std::vector<std::uint32_t> order(places.count());
  std::iota(order.begin(), order.end(), 0U);
  double least = std::numeric_limits<double>::infinity();
  do {
    const Placement placement(order.begin(), order.begin() + sent.ranks);
    least = std::min(least, measured(network, routing, places, placement, sent, widths).busiest);
  } while (std::next_permutation(order.begin(), order.end()));
  return least;
}

TEST(Placement, FindsTheBestOfAllOnSmallNetworksAndTheBoundHolds) {
  SearchOptions options;
  options.routes = 100'000;
  Progress quiet;
  for (const char* spec : {"ring:7", "mesh:2x3", "torus:3x2"}) {
    const Network network = make_network(spec);
    const Routing routing = routed(network, "minhop");
    const Places places = find_places(network, "", 1);
    for (const std::uint64_t seed : {1U, 2U}) {
      const CommunicationMatrix sent = random_matrix(places.count(), seed);
      options.widths = seed == 1 ? LinkWidths{} : random_widths(network, 4);
      const double least = least_of_all(network, routing, places, sent, options.widths);
      const Placed placed = find_placement(network, routing, places, sent, options, quiet);
      EXPECT_DOUBLE_EQ(measured(network, routing, places, placed.placement, sent, options.widths).busiest,
                       least)
          << spec;
      EXPECT_LE(placed.bound.load(), least) << spec;
    }
  }
}

/// Of a placement bound: by cuts between routers alone.
double cuts_say(const Network& network, const Places& places, const LinkWidths& widths,
                const CommunicationMatrix& sent) {
  return cut_bound(network, places, widths, sent, transposed(sent), 1).load;
}

// What blocks of ranks let go: eight of a ring send one message to each side, eight of a torus of 8 x 8 at
// least 12.
TEST(CutBound, OfHostsIsWhatTheyMustLetGo) {
  const Network network = make_network("ring:8");
  const auto hosts_say = [&](std::uint32_t per_host, const CommunicationMatrix& sent) {
    return cut_bound(network, find_places(network, "", per_host), {}, sent, transposed(sent), 1).cables;
  };
  EXPECT_NEAR(hosts_say(8, stencil_matrix({{64}, true}, 1)), 2, 1e-6);
  const double blocks = hosts_say(8, stencil_matrix({{8, 8}, true}, 1));
  EXPECT_GT(blocks, 7);
  EXPECT_LE(blocks, 12);
  EXPECT_EQ(hosts_say(1, stencil_matrix({{8}, true}, 5)), 10);
}

// Six or seven places, hosts of one and two, all taken or not, random exchanges: no cut says more than the
// best placement carries.
TEST(CutBound, IsNoMoreThanTheBestOfAllPlacements) {
  int says_something = 0;
  for (const char* spec :
       {"mesh:7", "mesh:6", "mesh:2x3", "ring:6", "mesh:3", "xgft:m=2x3,w=1x1,terminals=6"}) {
    const Network network = make_network(spec);
    const Routing routing = routed(network, "minhop");
    const Places places = find_places(network, "", network.terminal_count() == 3 ? 2 : 1);
    for (std::uint64_t seed = 1; seed <= (fewer_cases() ? 2U : 12U); ++seed) {
      const std::uint32_t ranks = places.count() - static_cast<std::uint32_t>(seed % 3);
      const CommunicationMatrix sent =
          seed % 4 == 0 ? stencil_matrix({{ranks}, seed % 8 == 0}, 7) : random_matrix(ranks, seed);
      const LinkWidths widths = seed % 2 == 0 ? LinkWidths{} : random_widths(network, seed);
      const double least = least_of_all(network, routing, places, sent, widths);
      const double bound = cuts_say(network, places, widths, sent);
      EXPECT_LE(bound, least) << spec << " " << seed;
      says_something += bound > 0 ? 1 : 0;
    }
  }
  EXPECT_GT(says_something, 4);
}

// Cuts whose least is known: halves of a torus of 4x4 ranks are 8 messages apart, those of a ring two, those
// of a complete exchange 8 x 8.
TEST(CutBound, IsReachedWhereTheLeastCutIsKnown) {
  const Network line = make_network("mesh:16");
  const Places places = find_places(line, "", 1);
  EXPECT_NEAR(cuts_say(line, places, {}, stencil_matrix({{4, 4}, true}, 1)), 8, 1e-6);
  EXPECT_NEAR(cuts_say(line, places, {}, stencil_matrix({{16}, true}, 1)), 2, 1e-6);
  EXPECT_NEAR(cuts_say(line, places, {}, pattern_matrix(make_pattern(line, "all-to-all"), 16, 1, 1)), 64,
              1e-6);
  // links of half the width in the middle alone: the halves count twice
  LinkWidths widths;
  widths.terminal.assign(16, 1);
  for (const ChannelId c : line.channels())
    widths.channel.push_back(line.source(c).value + line.target(c).value == 15 ? 0.5 : 1);
  EXPECT_NEAR(cuts_say(line, places, widths, stencil_matrix({{4, 4}, true}, 1)), 16, 1e-6);
  EXPECT_EQ(cuts_say(make_network("ring:1,p=4"), find_places(make_network("ring:1,p=4"), "", 1), {},
                     stencil_matrix({{4}, true}, 1)),
            0);
}

// A ring of ranks in a shuffled order on a ring of routers: unshuffled, a channel carries what one rank
// sends.
TEST(Placement, UndoesAShuffle) {
  const Network network = make_network("ring:16");
  const Routing routing = routed(network, "minhop");
  const Places places = find_places(network, "", 1);
  std::vector<std::uint32_t> order(16);
  std::iota(order.begin(), order.end(), 0U);
  Random(5).shuffle(order);
  TrafficPattern pattern;
  pattern.flows = [order](std::uint64_t, std::uint32_t, std::vector<Flow>& flows) {
    flows.clear();
    for (std::size_t i = 0; i < 16; ++i)
      flows.push_back({TerminalId(order[i]), TerminalId(order[(i + 1) % 16])});
  };
  Progress quiet;
  SearchOptions options;
  options.routes = 200'000;
  const Placed placed =
      find_placement(network, routing, places, pattern_matrix(pattern, 16, 1, 10), options, quiet);
  EXPECT_EQ(placed.attempts[placed.best].after.busiest, 10);
  EXPECT_EQ(placed.bound.cables, 10);
}

TEST(Placement, IsTheSameAtAnyNumberOfThreads) {
  const Network network = make_network("random:switches=12,links=24,terminals=24,seed=3");
  const Routing routing = routed(network, "dfsssp");
  const Places places = find_places(network, "", 2);
  const CommunicationMatrix sent = random_matrix(40, 1);
  Progress quiet;
  SearchOptions options;
  options.routes = 20'000;
  options.threads = 1;
  const Placed one = find_placement(network, routing, places, sent, options, quiet);
  options.threads = 3;
  const Placed three = find_placement(network, routing, places, sent, options, quiet);
  EXPECT_EQ(one.placement, three.placement);
  EXPECT_EQ(one.best, three.best);
  options.seed = 2;
  EXPECT_NE(find_placement(network, routing, places, sent, options, quiet).placement, one.placement);
}

TEST(Placement, RefusesWhatCannotBePlaced) {
  const Network network = make_network("ring:4");
  const Places places = find_places(network, "", 1);
  Progress quiet;
  EXPECT_THROW(find_placement(network, routed(network, "minhop"), places, random_matrix(5, 1), {}, quiet),
               InputError);
  Routing broken = routed(network, "minhop");
  broken.table().set(RouterId(0), TerminalId(2), ForwardingTable::kNone);
  EXPECT_THROW(find_placement(network, broken, places, random_matrix(4, 1), {}, quiet), InputError);
  EXPECT_THROW(find_places(network, "nobody", 1), InputError);
  EXPECT_THROW(find_places(network, "", 1U << 30U), InputError);
}

TEST(Communication, StencilsCountTheirNeighbours) {
  const CommunicationMatrix open = stencil_matrix(parse_stencil("3x4"), 5);
  EXPECT_EQ(open.ranks, 12U);
  EXPECT_EQ(open.entries.size(), 2U * (2 * 4 + 3 * 3));
  const CommunicationMatrix around = stencil_matrix(parse_stencil("3x4x5:periodic"), 5);
  EXPECT_EQ(around.entries.size(), 60U * 6);
  EXPECT_EQ(total_bytes(around), 60U * 6 * 5);
  // rank 0 of 3x4x5: the last dimension runs fastest
  std::vector<std::uint32_t> peers;
  for (std::uint64_t i = 0; i < around.first[1]; ++i) peers.push_back(around.entries[i].column);
  EXPECT_EQ(peers, (std::vector<std::uint32_t>{1, 4, 5, 15, 20, 40}));
  // both ways around an extent of two lead to the same neighbour
  const CommunicationMatrix two = stencil_matrix(parse_stencil("2:periodic"), 5);
  EXPECT_EQ(two.entries, (std::vector<CommunicationMatrix::Entry>{{1, 10}, {0, 10}}));
  EXPECT_EQ(transposed(transposed(around)), around);
  for (const char* wrong : {"", "x", "3x", "0x3", "3x4:open", "3x4 ", "99999x99999", "-1", "1"})
    EXPECT_THROW(stencil_matrix(parse_stencil(wrong), 1), InputError) << wrong;
}

TEST(Communication, OfAWorkloadIsItsMessages) {
  const Network network = make_network("torus:2x3");
  const CommunicationMatrix all = workload_matrix(make_workload(network, "all-to-all:bytes=7", 1), 6);
  EXPECT_EQ(all.entries.size(), 30U);
  EXPECT_EQ(total_bytes(all), 210U);
  EXPECT_EQ(all, pattern_matrix(make_pattern(network, "all-to-all"), 6, 1, 7));
}

}  // namespace
}  // namespace unknot::place
