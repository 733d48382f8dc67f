// SPDX-License-Identifier: Apache-2.0
#include "unknot/place/core_order.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "refusal.hpp"
#include "unknot/place/communication.hpp"
#include "unknot/place/host_shape.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot::place {
namespace {

using ::testing::HasSubstr;

HostShape machine(const std::string& body) {
  return read_host_shape("<?xml version=\"1.0\"?>\n<topology version=\"2.0\">\n<object type=\"Machine\">\n" +
                             body + "\n</object>\n</topology>\n",
                         "node.xml");
}

TEST(HostShape, IsReadFromWords) {
  const HostShape shape = parse_host_shape("2x2x3");
  ASSERT_EQ(shape.count(), 12U);
  EXPECT_EQ(shape.cores[0], (HostShape::Core{0, 0, 0}));
  EXPECT_EQ(shape.cores[4], (HostShape::Core{0, 1, 4}));
  EXPECT_EQ(shape.cores[11], (HostShape::Core{1, 3, 5}));
  EXPECT_EQ(parse_host_shape("1x4096").count(), kMostCores);
  EXPECT_EQ(parse_host_shape("2x4").cores[7], (HostShape::Core{1, 1, 3}));
  for (const char* wrong : {"", "4", "2x", "x2", "0x4", "2x0", "1x1x1x1", "2x4097", "99999999999x2", "65x64"})
    EXPECT_THROW(parse_host_shape(wrong), InputError) << wrong;
}

TEST(HostShape, IsReadFromWhatHwlocWrites) {
  const std::string core = "<object type=\"Core\"><object type=\"PU\"/><object type=\"PU\"/></object>";
  const std::string cached =
      "<object type=\"L3Cache\"><object type=\"L2Cache\">" + core + core + "</object></object>";
  const std::string package = "<object type=\"Package\">" + cached + cached + "</object>";
  EXPECT_EQ(machine(package + package).cores, parse_host_shape("2x2x2").cores);
  // groups of packages, packages without a cache, memory beside them, cores before and behind a cache
  const HostShape mixed =
      machine("<object type=\"Group\"><object type=\"NUMANode\"/><object type=\"Package\">" + core + cached +
              core + "</object></object><object type=\"Package\">" + core + "</object>");
  EXPECT_EQ(mixed.cores,
            (std::vector<HostShape::Core>{{0, 0, 0}, {0, 1, 1}, {0, 1, 2}, {0, 2, 3}, {1, 3, 0}}));
}

TEST(HostShape, SaysWhatIsNoMachine) {
  const auto refused = [](const std::string& body) { return refusal([&] { machine(body); }); };
  EXPECT_THAT(refused("<object type=\"Core\"/>"), HasSubstr("node.xml:4: a core outside of every package"));
  EXPECT_THAT(refused("<object type=\"Package\"/>"), HasSubstr("expected a machine with cores"));
  EXPECT_THAT(refused("<object type=\"Package\"><object type=\"Package\"/></object>"),
              HasSubstr("within a package"));
  EXPECT_THAT(refused("<object>"), HasSubstr("node.xml"));
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += "<object type=\"Group\">";
  for (int i = 0; i < 100; ++i) deep += "</object>";
  EXPECT_THAT(refused(deep), HasSubstr("more than 64 deep"));
  std::string many = "<object type=\"Package\">";
  for (std::uint32_t i = 0; i <= kMostCores; ++i) many += "<object type=\"Core\"/>";
  EXPECT_THAT(refused(many + "</object>"), HasSubstr("more than 4096 cores"));
  EXPECT_THROW(read_host_shape("<machine/>", "node.xml"), InputError);
}

/// Ranks that send random amounts to some of the others.
CommunicationMatrix some_matrix(std::uint32_t ranks, std::uint64_t seed) {
  Random random(seed);
  TrafficPattern pattern;
  std::vector<Flow> flows;
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  for (std::uint32_t i = 0; i < 3 * ranks; ++i) {
    const std::uint32_t a = random.below(ranks);
    const std::uint32_t b = (a + 1 + random.below(ranks - 1)) % ranks;
    if (seen.emplace(a, b).second) flows.push_back({TerminalId(a), TerminalId(b), 1.0 + random.below(9)});
  }
  pattern.flows = [flows](std::uint64_t, std::uint32_t, std::vector<Flow>& out) { out = flows; };
  return pattern_matrix(pattern, ranks, 1, 100);
}

using Score = std::pair<std::uint64_t, std::uint64_t>;
Score score(const CoreMeasure& measure) {
  return {measure.sockets, measure.caches};
}

// One host of up to eight cores, not all of them taken: every assignment is tried.
TEST(CoreOrder, IsTheBestOfAllOnSmallHosts) {
  const Network network = make_network("ring:1");
  int better = 0;
  for (const char* words : {"2x3", "2x2x2", "3x2", "1x3x2", "1x6"}) {
    const HostShape shape = parse_host_shape(words);
    const Places places = find_places(network, "", shape.count());
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const std::uint32_t ranks = shape.count() - static_cast<std::uint32_t>(seed % 2);
      const CommunicationMatrix sent = some_matrix(ranks, seed);
      const Placement placement = in_order(ranks);
      std::vector<std::uint32_t> cores(shape.count());
      std::iota(cores.begin(), cores.end(), 0U);
      Score least{~std::uint64_t{0}, 0};
      do {
        least = std::min(least, score(measure_cores(places, placement, shape, cores, sent)));
      } while (std::next_permutation(cores.begin(), cores.end()));
      const std::vector<std::uint32_t> found = order_cores(places, placement, shape, sent, 1, 1);
      EXPECT_EQ(std::set<std::uint32_t>(found.begin(), found.end()).size(), ranks);
      EXPECT_LT(*std::max_element(found.begin(), found.end()), shape.count());
      EXPECT_EQ(score(measure_cores(places, placement, shape, found, sent)), least) << words << " " << seed;
      const CoreMeasure ordered =
          measure_cores(places, placement, shape, cores_in_order(places, placement), sent);
      better += least < score(ordered) ? 1 : 0;
    }
  }
  EXPECT_GT(better, 5);
}

// A stencil dealt out round robin to two hosts of two sockets: what leaves a socket is what a block of it
// must let go.
TEST(CoreOrder, PutsBlocksOfAStencilOnSockets) {
  const Network network = make_network("ring:2");
  const HostShape shape = parse_host_shape("2x2x4");
  const Places places = find_places(network, "", 16);
  const CommunicationMatrix sent = stencil_matrix({{4, 8}, false}, 10);
  Placement placement;
  std::uint32_t next[2] = {0, 16};
  for (std::uint32_t rank = 0; rank < 32; ++rank) placement.push_back(next[rank % 8 >= 4 ? 1 : 0]++);
  const std::vector<std::uint32_t> found = order_cores(places, placement, shape, sent, 1, 1);
  const CoreMeasure measure = measure_cores(places, placement, shape, found, sent);
  // each host has 4 x 4 ranks: halves are 4 messages of 10 apart in both directions, quarters of a half 2
  // more
  EXPECT_EQ(measure.sockets, 2U * 80);
  EXPECT_EQ(measure.most_sockets, 80U);
  EXPECT_EQ(measure.caches, 2U * 2 * 40);
  EXPECT_EQ(order_cores(places, placement, shape, sent, 1, 3), found);
}

}  // namespace
}  // namespace unknot::place
