// SPDX-License-Identifier: Apache-2.0
// Tables of a real subnet manager, and what another tool's checker (ibdmchk) says of them: our verdict must
// be the same, with the lanes and without.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "lids_of.hpp"
#include "unknot/formats/fabric/fabric_catalogue.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

namespace fs = std::filesystem;

struct Verdicts {
  bool one_lane = false;
  bool with_lanes = false;
};

/// Deadlock-free on one lane, and with service levels and SL-to-VL tables, where the folder has them. Both
/// verdicts come with their proof: a certificate that holds, or a witness that is a cycle.
Verdicts verdicts_on(const Network& network, const fs::path& folder) {
  Progress quiet;
  const std::string tables = folder / "opensm-lfts.dump";
  Routing routing = read_tables(network, tables);
  const auto proven = [&] {
    const Verdict verdict = verify(network, routing, {.certificate = true}, quiet);
    EXPECT_TRUE(verdict.complete() && verdict.loop_free());
    EXPECT_EQ(verdict.deadlock_free, verdict.certificate.has_value());
    EXPECT_NE(verdict.deadlock_free, verdict.witness.has_value());
    if (verdict.certificate) {
      std::string why;
      EXPECT_TRUE(check_certificate(network, routing, *verdict.certificate, &why)) << why;
    }
    if (verdict.witness) {
      const auto& steps = verdict.witness->steps;
      for (std::size_t i = 0; i < steps.size(); ++i) {
        const ChannelId held = steps[i].from.channel;
        const ChannelId wanted = steps[(i + 1) % steps.size()].from.channel;
        EXPECT_EQ(network.target(held), network.source(wanted));
        EXPECT_EQ(routing.table().next(network, network.source(held), steps[i].destination), held);
        EXPECT_EQ(routing.table().next(network, network.target(held), steps[i].destination), wanted);
      }
    }
    return verdict.deadlock_free;
  };
  Verdicts verdicts;
  verdicts.one_lane = proven();
  verdicts.with_lanes = verdicts.one_lane;
  if (fs::exists(folder / "psl.txt")) {
    const LidMap lids = test::lids_of(network, tables);
    routing.service_levels = read_service_levels(network, folder / "psl.txt", &lids);
    routing.lane_map = std::make_shared<const LaneMap>(read_lane_map(network, folder / "opensm-sl2vl.dump"));
    routing.virtual_lanes = routing.service_levels.highest() + 1;
    verdicts.with_lanes = proven();
  }
  return verdicts;
}

TEST(SubnetManagerVerdicts, BundledCases) {
  int cases = 0;
  for (const auto& fabric : fs::directory_iterator(UNKNOT_SOURCE_DIR "/data/golden")) {
    const std::string name = fabric.path().filename();
    const Network network = read_fabric(fabric.path() / (name + ".net"));
    std::ifstream list(fabric.path() / "verdicts.csv");
    std::string line;
    std::getline(list, line);
    ASSERT_EQ(line, "engine,credit_loop_on_one_lane,credit_loop_with_lanes");
    while (std::getline(list, line)) {
      std::stringstream row(line);
      std::string engine;
      std::string one_lane;
      std::string with_lanes;
      std::getline(row, engine, ',');
      std::getline(row, one_lane, ',');
      std::getline(row, with_lanes, ',');
      SCOPED_TRACE(name + " " + engine);
      const Verdicts ours = verdicts_on(network, fabric.path() / engine);
      EXPECT_EQ(ours.one_lane, one_lane == "none");
      EXPECT_EQ(ours.with_lanes, with_lanes == "none");
      ++cases;
    }
  }
  EXPECT_GE(cases, 6);
}

TEST(SubnetManagerVerdicts, FurtherCasesWhereAtHand) {
  const fs::path oracle = UNKNOT_SHARED_DIR "/data/opensm-oracle";
  if (!fs::exists(oracle)) GTEST_SKIP() << "no further tables of a real subnet manager here";
  int cases = 0;
  for (const auto& entry : fs::directory_iterator(oracle)) {
    const std::string name = entry.path().filename();
    const std::size_t dash = name.rfind('-');
    if (!entry.is_directory() || dash == std::string::npos) continue;
    SCOPED_TRACE(name);
    const Network network = read_fabric(oracle / "nets" / (name.substr(0, dash) + ".net"));
    const Verdicts ours = verdicts_on(network, entry.path());
    EXPECT_TRUE(ours.with_lanes);
    EXPECT_EQ(ours.one_lane, name == "torus4x4-lash");
    ++cases;
  }
  EXPECT_GE(cases, 6);
}

}  // namespace
}  // namespace unknot
