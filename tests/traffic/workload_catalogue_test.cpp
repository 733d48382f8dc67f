// SPDX-License-Identifier: Apache-2.0
#include "unknot/traffic/workloads/workload_catalogue.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "chakra_bytes.hpp"
#include "refusal.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"
#include "unknot/traffic/workloads/workload_check.hpp"
#include "verify/fabrics.hpp"

namespace unknot {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Specs of a row that suit any network of two terminals or more.
std::vector<std::string> specs_of(const WorkloadRow& row) {
  const auto in_file = [&](const char* text) {
    const std::string path = ::testing::TempDir() + "/" + row.name + ",of=workload_catalogue_test";
    write_file(path, text);
    return path;
  };
  std::vector<std::string> specs;
  if (row.name == "messages") {
    specs = {in_file("a: 0 1 100\n1 0 2 after a\n"), "at_once=2," + in_file("a: 0 1 100\n1 0 2 after a\n")};
  } else if (row.name == "matrix") {
    specs = {in_file("0 5\n7 0\n"), "mapping=random,order=linear," + in_file("0 5\n7 0\n")};
  } else if (row.name == "goal") {
    specs = {in_file("num_ranks 2\nrank 0 { send 1b to 1 }\nrank 1 { recv 2b from 0 }\n")};
    specs.push_back("mapping=random," + specs[0]);
  } else if (row.name == "chakra") {
    const std::string prefix = ::testing::TempDir() + "/chakra,of=workload_catalogue_test";
    test::TraceBytes trace;
    trace.compute(0, 3);
    trace.collective(1, 0, 100, {0});
    write_file(prefix + ".0.et", trace.text());
    write_file(prefix + ".1.et", trace.text());
    specs = {prefix, "mapping=random,all-reduce=direct,path=" + prefix};
  } else if (row.name == "groups") {
    specs = {"2,collectives=all-reduce",
             "dims=1x2,collectives=none+all-to-all,bytes=10x20,at_once=2,mapping=random"};
  } else if (row.name == "nas") {
    specs = {"cg,S,ranks=2", "ft,class=S,ranks=4,per=2,at_once=3,order=random,mapping=random",
             "mg,S,8,per=4,part=1000"};
  } else if (row.name == "flows") {
    for (const Pattern& pattern : patterns()) {
      if (pattern.read || !pattern.any_network) continue;
      specs.push_back(pattern.name);
      specs.push_back("bytes=10,at_once=3,sample=4,pattern=" + pattern.name);
    }
  } else {
    EXPECT_FALSE(row.rest) << "a row without a spec in this test";
    return {row.name, row.name + ":at_once=2"};
  }
  for (std::string& spec : specs) spec = row.name + ":" + spec;
  return specs;
}

std::vector<std::vector<std::pair<std::uint32_t, std::uint64_t>>> lists(const Workload& workload,
                                                                        std::uint32_t terminals) {
  std::vector<std::vector<std::pair<std::uint32_t, std::uint64_t>>> of(terminals);
  for (std::uint32_t t = 0; t < terminals; ++t) {
    for (std::uint32_t k = 0; k < workload.count(TerminalId(t)); ++k) {
      const Message message = workload.message(TerminalId(t), k);
      of[t].emplace_back(message.destination.value, message.bytes);
    }
  }
  return of;
}

std::string workload_catalogue_refusal(const Network& network, const std::string& spec) {
  return refusal([&] { (void)make_workload(network, spec, 1); });
}

TEST(Workloads, NamesAndAliasesAreUnique) {
  std::set<std::string> names;
  for (const WorkloadRow& row : workloads()) {
    EXPECT_FALSE(row.summary.empty());
    EXPECT_TRUE(names.insert(row.name).second);
    EXPECT_EQ(&find_workload(row.name), &row);
    for (const std::string& alias : row.aliases) {
      EXPECT_TRUE(names.insert(alias).second);
      EXPECT_EQ(&find_workload(alias), &row);
    }
  }
}

TEST(Workloads, EveryRowKeepsItsPromisesOnEveryNetwork) {
  std::vector<Network> networks;
  for (const std::uint32_t terminals : {2U, 3U, 7U, 16U, 31U}) networks.push_back(testing::single(terminals));
  for (const char* spec :
       {"torus:4x4,p=2", "slimfly:q=4,p=2", "mlfm:3", "oft:3", "jellyfish:routers=9,degree=4"})
    networks.push_back(make_network(spec));
  for (const WorkloadRow& row : workloads()) {
    for (const std::string& spec : specs_of(row)) {
      SCOPED_TRACE(spec);
      for (const Network& network : networks) {
        SCOPED_TRACE(network.terminal_count());
        const std::uint32_t terminals = network.terminal_count();
        const Workload workload = make_workload(network, spec, 5);
        EXPECT_EQ(workload.name, spec);
        EXPECT_EQ(workload_fault(workload, terminals), "");
        EXPECT_EQ(workload_totals(workload, terminals), counted_totals(workload, terminals));
        const Workload again = make_workload(network, spec, 5);
        if (workload.tasks) {
          EXPECT_EQ(*again.tasks, *workload.tasks);
        } else {
          EXPECT_EQ(lists(again, terminals), lists(workload, terminals));
        }
      }
    }
  }
}

TEST(Workloads, NoTerminalsOrOneSendNothing) {
  for (const char* spec : {"all-to-all", "all-to-all:order=shift", "neighbours", "flows:shift"}) {
    for (const std::uint32_t terminals : {0U, 1U}) {
      const Workload workload = make_workload(testing::single(terminals), spec, 1);
      EXPECT_EQ(workload_fault(workload, terminals), "");
      EXPECT_EQ(workload_totals(workload, terminals), WorkloadTotals());
    }
  }
}

TEST(Workloads, TheSeedDrawsWhatIsRandomAndNothingElse) {
  const Network network = make_network("torus:4x4,p=2");
  const auto differs = [&](const std::string& spec) {
    return lists(make_workload(network, spec, 1), 32) != lists(make_workload(network, spec, 2), 32);
  };
  EXPECT_TRUE(differs("all-to-all"));
  EXPECT_TRUE(differs("neighbours:mapping=random"));
  EXPECT_TRUE(differs("flows:permutation"));
  EXPECT_FALSE(differs("all-to-all:order=shift"));
  EXPECT_FALSE(differs("neighbours"));
  EXPECT_FALSE(differs("flows:transpose"));
  EXPECT_NE(lists(make_workload(network, "flows:permutation", 1), 32),
            lists(make_workload(network, "flows:sample=1,permutation", 1), 32));
}

// Kathareios et al., SC'15, section 4: 30 packets of 256 bytes to every other; 512 KiB to six neighbours.
TEST(Workloads, DefaultsAreTheExchangesOfTheDiameterTwoPaper) {
  const Network network = make_network("slimfly:q=5,p=4");  // 200 terminals
  const Workload all = make_workload(network, "all-to-all", 1);
  EXPECT_EQ(all.at_once, 199U);
  EXPECT_EQ(workload_totals(all, 200),
            (WorkloadTotals{200 * 199, 200 * 199 * 7680, 199, 199, 199 * 7680, 199 * 7680}));
  const Workload near = make_workload(network, "neighbours:5x5x8", 1);
  EXPECT_EQ(near.at_once, 6U);
  EXPECT_EQ(workload_totals(near, 200),
            (WorkloadTotals{1200, std::uint64_t{1200} << 19U, 6, 6, 6U << 19U, 6U << 19U}));
}

TEST(Workloads, APatternOfTheRestTakesItsCommas) {
  const Network network = testing::single(50);
  const Workload workload = make_workload(network, "flows:bytes=10,at_once=2,hotspot:0.9,hotspots=3", 1);
  EXPECT_EQ(workload.at_once, 2U);
  std::vector<Flow> flows;
  make_pattern(network, "hotspot:0.9,hotspots=3").flows(1, 0, flows);
  std::vector<std::vector<std::pair<std::uint32_t, std::uint64_t>>> expected(50);
  for (const Flow& flow : flows) expected[flow.source.value].emplace_back(flow.destination.value, 10);
  EXPECT_EQ(lists(workload, 50), expected);
  EXPECT_EQ(lists(make_workload(network, "pattern:bytes=10,pattern=hotspot:0.9,hotspots=3", 1), 50),
            expected);
}

TEST(Workloads, WeightsScaleMessages) {
  const std::string path = ::testing::TempDir() + "/weights_of_workload_catalogue_test";
  write_file(path, "0 1 2.5\n1 0 1e-9\n2 0\n");
  using List = std::vector<std::pair<std::uint32_t, std::uint64_t>>;
  EXPECT_EQ(lists(make_workload(testing::single(3), "flows:bytes=101,file:" + path, 1), 3),
            (std::vector<List>{{{1, 253}}, {{0, 1}}, {{0, 101}}}));
  write_file(path, "0 1 1e15\n");
  EXPECT_THAT(workload_catalogue_refusal(testing::single(3), "flows:file:" + path),
              HasSubstr("more than 281474976710656 bytes"));
}

TEST(Workloads, WrongSpecsAreRefused) {
  const Network network = testing::single(4);
  const auto message = [&](const std::string& spec) { return workload_catalogue_refusal(network, spec); };
  EXPECT_THAT(message("all-to-al"), HasSubstr("did you mean 'all-to-all'"));
  EXPECT_THAT(message("all-to-all:bytes=0"), HasSubstr("parameter bytes: 0 is outside 1 to 281474976710656"));
  EXPECT_THAT(message("all-to-all:order=best"), HasSubstr("shift, random, linear"));
  EXPECT_THAT(message("all-to-all:at_once=-1"), HasSubstr("outside"));
  EXPECT_THAT(message("neighbours:2x2"), StartsWith("workload neighbours, parameter dims: expected three"));
  EXPECT_THAT(message("neighbours:2x2x2"), StartsWith("workload neighbours, parameter dims: more processes"));
  EXPECT_THAT(message("neighbours:at_once=0"), HasSubstr("outside 1"));
  EXPECT_THAT(message("flows"), HasSubstr("expected flows:[KEY=VALUE,...]PATTERN"));
  EXPECT_THAT(message("flows:bytes=5"), HasSubstr("expected flows:"));
  EXPECT_THAT(message("flows:bytes=5,bytes=6,shift"), HasSubstr("given twice"));
  EXPECT_THAT(message("flows:shift,bytes=5"), HasSubstr("bytes comes before the pattern"));
  EXPECT_THAT(message("flows:tornade"), HasSubstr("did you mean 'tornado'"));
  EXPECT_THAT(message("flows:worst-case"), HasSubstr("unknot adversary"));
  EXPECT_THAT(message("groups:2"), HasSubstr("collectives"));
  EXPECT_THAT(message("groups:2x2,collectives=none"),
              StartsWith("workload groups: 2 dims, and 1 collectives, of 1 sizes of messages"));
  EXPECT_THAT(message("groups:2x2,collectives=none+pipeline,bytes=1x2x3"),
              StartsWith("workload groups: 2 dims"));
  EXPECT_THAT(message("groups:2x2,collectives=none+"), HasSubstr("unknown collective of groups ''"));
  EXPECT_THAT(message("groups:2x4,collectives=none+pipeline"), HasSubstr("8 ranks on 4 terminals"));
  EXPECT_THAT(message("groups:2x2,collectives=none+none"), HasSubstr("nothing is exchanged"));
  EXPECT_THAT(message("messages"), HasSubstr("expected messages:[KEY=VALUE,...]PATH"));
  EXPECT_THAT(message("matrix:order=shift"), HasSubstr("expected matrix:"));
  EXPECT_THAT(message("goal:no/such/file,at_once=1"), HasSubstr("no/such/file,at_once=1"));
  EXPECT_THAT(message("goal:mapping=partition,file"), HasSubstr("contiguous, random"));
  EXPECT_THAT(message("chakra:all-reduce=rings,file"), HasSubstr("ring, recursive-doubling, direct"));
  EXPECT_THAT(message("chakra:no/such/file"), HasSubstr("there is no file no/such/file.0.et"));
}

TEST(Workloads, HugeExchangesCostNothingToDescribe) {
  const Network network = testing::ring(1000, 200);
  const Workload workload = make_workload(network, "all-to-all", 1);
  EXPECT_EQ(workload_totals(workload, 200'000).messages, std::uint64_t{200'000} * 199'999);
  EXPECT_NE(workload.message(TerminalId(7), 199'998).destination, TerminalId(7));
  EXPECT_THAT(workload_catalogue_refusal(network, "all-to-all:bytes=281474976710656"),
              HasSubstr("more bytes than 64 bits"));
}

TEST(Workloads, BundledExamplesAreRead) {
  const std::string folder = std::string(UNKNOT_SOURCE_DIR) + "/data/workloads/";
  const Network network = testing::single(16);
  const auto totals = [&](const std::string& spec) {
    const Workload workload = make_workload(network, spec, 1);
    EXPECT_EQ(workload_fault(workload, 16), "");
    return workload_totals(workload, 16);
  };
  EXPECT_EQ(totals("messages:" + folder + "chain8.messages").bytes, 7U * 65536);
  EXPECT_EQ(totals("goal:" + folder + "allreduce8.goal").bytes, 24U * 4096);
  EXPECT_EQ(totals("matrix:" + folder + "halo4x4.matrix").bytes, 48U * 65536 + 36U * 1024);
  // 2 layers of a stage, 2 microbatches: an all-reduce of two ranks each way, and one of their gradients;
  // between the stages 4 pairs of ranks, each way.
  const std::uint64_t activations = 8U * 2 * 2 * 2 * 16384;
  const std::uint64_t gradients = 8U * 2 * 32768;
  EXPECT_EQ(totals("chakra:" + folder + "training8").bytes, activations + gradients + 4U * 2 * 2 * 16384);
}

}  // namespace
}  // namespace unknot
