// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "refusal.hpp"
#include "unknot/collective/nccl/nccl_graph.hpp"
#include "unknot/formats/machines/nccl_topology.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/topology/machines/box_plans.hpp"

namespace unknot::nccl {
namespace {

using ::testing::HasSubstr;

/// GPUs on a switch, with links of so many Gb/s, and cards of 400.
BoxPlan switched_box(std::uint32_t gpus, std::uint32_t gigabits, std::uint32_t cards) {
  BoxPlan box = plain_box(gpus);
  add_box_switches(box, 1, {gigabits * 1000, 0});
  if (cards > 0) add_cards(box, cards, 400'000, {512'000, 0});
  return box;
}

BoxPlan meshed_box(std::uint32_t gpus, std::uint32_t cards = 0) {
  BoxPlan box = plain_box(gpus);
  add_mesh(box, {200'000, 0});
  if (cards > 0) add_cards(box, cards, 400'000, {512'000, 0});
  return box;
}

/// Rings and trees of a box, and what they come to.
void expect_graphs(const BoxPlan& box, std::size_t channels, double all_inside, const std::string& what) {
  const std::vector<Graph> graphs = make_graphs(box);
  const std::string text = graphs_text(graphs);
  ASSERT_EQ(graphs_text(parse_graphs(text, "made")), text) << what;
  EXPECT_TRUE(is_graphs(text));
  ASSERT_EQ(graphs.size(), 2U);
  const GraphVerdict verdict = check_graphs(box, parse_graphs(text, "made"));
  EXPECT_EQ(verdict.fault, "") << what;
  EXPECT_LE(verdict.busiest, 1.00001) << what;
  for (const Graph& graph : graphs) {
    EXPECT_EQ(graph.channels.size(), channels) << what;
    EXPECT_NEAR(static_cast<double>(graph.channels.size()) * graph.speed_intra, all_inside, 0.001) << what;
  }
}

TEST(NcclGraph, SwitchedBoxesUseAllThatTheirLinksHave) {
  expect_graphs(switched_box(8, 3600, 8), 16, 450, "eight cards");
  expect_graphs(switched_box(8, 3600, 0), 10, 450, "alone");
  expect_graphs(switched_box(4, 1440, 2), 4, 180, "shared cards");
  for (std::uint32_t gpus = 2; gpus <= 16; ++gpus) {
    for (const std::uint32_t cards : {0U, 1U, gpus / 2, gpus, 2 * gpus}) {
      const BoxPlan box = switched_box(gpus, 800, cards);
      EXPECT_EQ(check_graphs(box, make_graphs(box)).fault, "") << gpus << " " << cards;
    }
  }
}

TEST(NcclGraph, MeshesHaveRingsThatShareNoLink) {
  expect_graphs(meshed_box(2), 1, 25, "2");
  expect_graphs(meshed_box(3), 2, 50, "3");
  expect_graphs(meshed_box(5), 4, 100, "5");
  expect_graphs(meshed_box(7), 6, 150, "7");
  expect_graphs(meshed_box(8, 8), 7, 175, "8");
  // four have no three rings, which is known [Tillson 1980]
  expect_graphs(meshed_box(4), 2, 50, "4");
  const std::vector<Graph> graphs = make_graphs(meshed_box(5));
  std::set<std::pair<std::uint64_t, std::uint64_t>> used;
  for (const GraphChannel& channel : graphs[0].channels) {
    for (std::size_t i = 0; i < channel.gpus.size(); ++i)
      EXPECT_TRUE(used.insert({channel.gpus[i].dev, channel.gpus[(i + 1) % 5].dev}).second);
  }
}

TEST(NcclGraph, CardsAreNextToTheFirstGpu) {
  const std::vector<Graph> graphs = make_graphs(switched_box(8, 3600, 8));
  for (const GraphChannel& channel : graphs[0].channels) {
    EXPECT_EQ(channel.nets[0], channel.nets[1]);
    EXPECT_EQ(channel.gpus[0].dev, channel.nets[0]);
  }
  EXPECT_EQ(graphs[0].type_inter, "PXN");
  EXPECT_NEAR(graphs[0].speed_inter, 25, 0.001);  // 8 cards of 50 GB/s, 16 rings
  EXPECT_EQ(graphs[1].type_inter, "PIX");
}

TEST(NcclGraph, ServersThatNcclHasWritten) {
  const std::filesystem::path folder = std::filesystem::path(UNKNOT_SHARED_DIR) / "data/nccl-topo";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no samples";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".xml") continue;
    const BoxPlan box = read_nccl_box(read_file(entry.path().string()), "box");
    std::vector<Graph> graphs;
    const std::string refused = refusal([&] { graphs = make_graphs(box); });
    if (refused.empty()) {
      EXPECT_EQ(check_graphs(box, graphs).fault, "") << entry.path();
    } else {
      EXPECT_THAT(refused, ::testing::StartsWith("NCCL: ")) << entry.path();
    }
  }
}

/// What is said of the graphs of a box where `from` is written `to`.
std::string said_of(const BoxPlan& box, const std::string& from, const std::string& to) {
  std::string text = graphs_text(make_graphs(box));
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  std::string said;
  const std::string refused = refusal([&] {
    const GraphVerdict verdict = check_graphs(box, parse_graphs(text, "f"));
    if (!verdict.fault.empty()) said = std::to_string(verdict.line) + ": " + verdict.fault;
  });
  return refused + said;
}

TEST(NcclGraph, NamesWhatIsWrong) {
  const BoxPlan box = switched_box(4, 800, 4);
  EXPECT_EQ(said_of(box, "<gpu dev=\"0x1\"/>", "<gpu dev=\"0x0\"/>"), "3: GPU 0 comes twice in a channel");
  EXPECT_EQ(said_of(box, "      <gpu dev=\"0x1\"/>\n", ""),
            "3: GPU 1 is not in a channel, which has to go through all");
  EXPECT_EQ(said_of(box, "<gpu dev=\"0x1\"/>", "<gpu dev=\"0x10\"/>"),
            "3: GPU 0x10 of a channel: the box has 4");
  EXPECT_EQ(said_of(box, "<net dev=\"0x0\"/>", "<net dev=\"0x4\"/>"),
            "3: card 0x4 of a channel: the box has 4");
  EXPECT_EQ(said_of(box, "<net dev=\"0x0\"/>", "<net dev=\"0x1\"/>"),
            "3: a channel that leaves by another card than it came by, where crossnic is 0");
  EXPECT_EQ(said_of(box, "      <net dev=\"0x0\"/>\n", ""), "3: one <net> of a channel: it has two, or none");
  EXPECT_EQ(said_of(box, "speedinter=\"25\"", "speedinter=\"60\""),
            "2: what gpu0 gets from the switch would carry 135 GB/s of its 100");
  EXPECT_EQ(said_of(box, "speedintra=\"25\"", "speedintra=\"27\""),
            "2: what gpu0 gets from the switch would carry 106 GB/s of its 100");
  const BoxPlan one = switched_box(4, 800, 1);
  EXPECT_EQ(said_of(one, "speedinter=\"16.666666666666668\"", "speedinter=\"17\""),
            "2: card 0, in would carry 51 GB/s of its 50");
  const BoxPlan mesh = meshed_box(5);
  EXPECT_EQ(said_of(mesh, "speedintra=\"25\"", "speedintra=\"30\""),
            "2: the link from gpu0 to gpu1 would carry 30 GB/s of its 25");
}

TEST(NcclGraph, SaysWhereItIsMalformed) {
  const BoxPlan box = switched_box(4, 800, 4);
  EXPECT_EQ(said_of(box, "version=\"1\"", "version=\"2\""), "f:1: graphs of another version than 1");
  EXPECT_EQ(said_of(box, "pattern=\"4\" ", ""), "f:2: <graph> lacks the attribute 'pattern'");
  EXPECT_EQ(said_of(box, "pattern=\"4\"", "pattern=\"7\""),
            "f:2: pattern=\"7\" of <graph>: expected a number up to 6");
  EXPECT_EQ(said_of(box, "pattern=\"4\"", "pattern=\"0\""), "f:2: pattern=\"0\": expected 1 to 6");
  EXPECT_EQ(said_of(box, "nchannels=\"4\"", "nchannels=\"5\""), "f:2: nchannels=\"5\" of a graph with 4");
  EXPECT_EQ(said_of(box, "speedintra=\"25\"", "speedintra=\"nan\""),
            "f:2: speedintra=\"nan\" of <graph>: expected a number from 0 to 1000000");
  EXPECT_THAT(said_of(box, "typeintra=\"NVL\"", "typeintra=\"NVX\""),
              HasSubstr("f:2: typeintra=\"NVX\" of <graph>"));
  EXPECT_EQ(said_of(box, "<gpu dev=\"0x1\"/>", "<gpu dev=\"0xg\"/>").substr(0, 62),
            "f:6: dev=\"0xg\" of <gpu>: expected a hexadecimal number up to 9");
  EXPECT_EQ(said_of(box, "<gpu dev=\"0x1\"/>", "<cpu dev=\"0x1\"/>"),
            "f:6: <cpu> inside of <channel> is not known");
  EXPECT_EQ(said_of(box, "<gpu dev=\"0x1\"/>", "<gpu dev=\"0x1\" on=\"2\"/>"),
            "f:6: <gpu> has an attribute 'on' that is not known");
  EXPECT_EQ(said_of(box, "<graph id=\"1\"", "<graph id=\"0\"").substr(0, 5), "f:36:");
  EXPECT_EQ(said_of(box, "samechannels=\"1\"", "samechannels=\"1\" id=\"0\""),
            "f:2: <graph> has the attribute 'id' twice");
  EXPECT_EQ(refusal([] { (void)parse_graphs("<graphs version=\"1\"/>", "f"); }), "f:1: no <graph>");
  const std::string whole = graphs_text(make_graphs(box));
  for (std::size_t size = 0; size + 1 < whole.size(); size += 7)
    EXPECT_THAT(refusal([&] { (void)parse_graphs(whole.substr(0, size), "f"); }), ::testing::StartsWith("f"))
        << size;
}

TEST(NcclGraph, RefusesBoxesWithoutRings) {
  EXPECT_EQ(refusal([] { (void)make_graphs(plain_box(1)); }),
            "NCCL: a ring in a box of 1 GPUs: expected 2 to 640");
  EXPECT_EQ(refusal([] { (void)make_graphs(plain_box(4)); }),
            "NCCL: the links between the GPUs of the box make no ring; over PCI NCCL finds its way alone");
}

}  // namespace
}  // namespace unknot::nccl
