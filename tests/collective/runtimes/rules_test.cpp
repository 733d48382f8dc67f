// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "collective/schedules.hpp"
#include "refusal.hpp"
#include "unknot/collective/combine/combining_catalogue.hpp"
#include "unknot/collective/runtimes/nccl_tuner.hpp"
#include "unknot/collective/runtimes/openmpi_rules.hpp"

namespace unknot::runtimes {
namespace {

using ::testing::HasSubstr;

/// Names of all algorithms that are compared for a collective.
std::vector<std::string> compared(const std::string& collective) {
  const CombinedProblem problem =
      make_combined(unknot::testing::graph_of("hypercube:3"), find_combined_collective(collective));
  std::vector<std::string> names;
  for (const CombiningChoice& choice : combining_choices(problem)) names.push_back(choice.name);
  return names;
}

TEST(OpenMpiRules, ItsAlgorithmsAreAmongThoseCompared) {
  for (const KnownAlgorithm& row : openmpi_algorithms())
    EXPECT_THAT(compared(std::string(row.collective)), ::testing::Contains(std::string(row.algorithm)));
  for (const KnownAlgorithm& row : tuner_algorithms())
    EXPECT_THAT(compared(std::string(row.collective)), ::testing::Contains(std::string(row.algorithm)));
}

TEST(OpenMpiRules, AreFoundAsOpenMpiFindsThem) {
  const auto rules = openmpi_rules("AAB", 8, {{1, "bruck"}, {100, "recursive-doubling"}, {5000, "ring"}});
  const std::string text = openmpi_rules_text(rules);
  EXPECT_EQ(text,
            "1  # collectives\n"
            "0  # MPI_Allgather\n"
            "1  # sizes of communicators\n"
            "8  # ranks\n"
            "3  # sizes of messages: from bytes, algorithm, fan, segment\n"
            "0 2 0 0  # bruck\n"
            "800 3 0 0  # recursive_doubling\n"
            "40000 4 0 0  # ring\n");
  const auto read = parse_openmpi_rules(text, "f");
  EXPECT_EQ(openmpi_rules_text(read), text);
  EXPECT_EQ(openmpi_algorithm(read, 0, 8, 0), 2U);
  EXPECT_EQ(openmpi_algorithm(read, 0, 8, 799), 2U);
  EXPECT_EQ(openmpi_algorithm(read, 0, 8, 800), 3U);
  EXPECT_EQ(openmpi_algorithm(read, 0, 9, 1U << 30U), 4U);
  EXPECT_EQ(openmpi_algorithm(read, 0, 7, 800), 3U);
  EXPECT_EQ(openmpi_algorithm(read, 2, 8, 800), 0U);
  // an all-reduce is counted once, however many ranks there are
  EXPECT_THAT(openmpi_rules_text(openmpi_rules(
                  "all-reduce", 8, {{1, "recursive-doubling"}, {100, "reduce-scatter + all-gather: ring"}})),
              HasSubstr("\n100 4 0 0  # ring\n"));
  EXPECT_EQ(refusal([] {
              (void)openmpi_rules("AAB", 8, {{1, "gossip"}});
            }),
            "Open MPI: it has no algorithm 'gossip' of AAB");
  EXPECT_EQ(refusal([] {
              (void)openmpi_rules("scan", 8, {{1, "ring"}});
            }),
            "Open MPI: no rules choose between algorithms of scan");
}

std::string openmpi_said(const std::string& text) {
  return refusal([&] { (void)parse_openmpi_rules(text, "f"); });
}

TEST(OpenMpiRules, SaysWhereTheyAreMalformed) {
  EXPECT_EQ(openmpi_said(""), "f:1: the file ends, expected the number of collectives");
  EXPECT_EQ(openmpi_said("# nothing\n23\n"), "f:2: '23', expected the number of collectives up to 22");
  EXPECT_EQ(openmpi_said("1\n22\n"), "f:2: '22', expected the number of a collective up to 21");
  EXPECT_EQ(openmpi_said("1 0 1 8 1 5 2 0 0"), "f:1: the first rule must be for 0 bytes on");
  EXPECT_EQ(openmpi_said("1 0 1 8 2\n0 2 0 0\n0 3 0 0"), "f:3: 0 bytes after 0: expected more");
  EXPECT_EQ(openmpi_said("1 0 1 8 1\n0 7 0 0"), "f:2: '7', expected the number of an algorithm up to 6");
  EXPECT_EQ(openmpi_said("1 0 2 8 0\n8 0"), "f:2: 8 ranks after 8: expected more");
  EXPECT_EQ(openmpi_said("2 0 0\n0 0"), "f:2: rules for collective 0 again");
  EXPECT_EQ(openmpi_said("1 0 1 8 1 0 2 0"), "f:1: the file ends, expected the bytes of a segment");
  EXPECT_EQ(openmpi_said("1 0 1 8 1 0 2 0 0 9"), "f:1: '9' behind the last rule");
  EXPECT_EQ(openmpi_said("1 0 1 8 1 0 -2 0 0"), "f:1: '-2', expected the number of an algorithm up to 6");
  EXPECT_EQ(openmpi_said("rule-file-version-2\n1"),
            "f:1: rules with a version are of another form, which has more numbers: expected a number");
}

TEST(NcclTuner, RowsAreFoundAsTheTunerFindsThem) {
  const auto rows = tuner_rows(
      "all-reduce", 16, {{1, "reduce + broadcast: binomial"}, {4096, "reduce-scatter + all-gather: ring"}});
  const std::string text = tuner_text(rows);
  EXPECT_EQ(text,
            "# collective,min_bytes,max_bytes,algorithm,protocol,channels,nNodes,nRanks,numPipeOps,regBuff\n"
            "allreduce,0,4095,tree,simple,-1,-1,16,-1,-1\n"
            "allreduce,4096,18446744073709551615,ring,simple,-1,-1,16,-1,-1\n");
  const auto read = parse_tuner(text, "f");
  EXPECT_EQ(tuner_text(read), text);
  EXPECT_EQ(tuner_choice(read, "allreduce", 4095, 2, 16)->algorithm, "tree");
  EXPECT_EQ(tuner_choice(read, "allreduce", 4096, 2, 16)->algorithm, "ring");
  EXPECT_EQ(tuner_choice(read, "allreduce", 4096, 2, 8), nullptr);
  EXPECT_EQ(tuner_choice(read, "allgather", 4096, 2, 16), nullptr);
  EXPECT_THAT(tuner_text(tuner_rows("AAB", 8, {{1, "bruck"}, {10, "ring"}})), HasSubstr("\nallgather,80,"));
  EXPECT_EQ(parse_tuner("allgather, 0 ,9,ring,simple,4,2,-1", "f")[0].nodes, 2);
  EXPECT_EQ(refusal([] {
              (void)tuner_rows("OAB", 8, {{1, "binomial"}});
            }),
            "NCCL: it has no algorithm 'binomial' of OAB");
}

std::string tuner_said(const std::string& line) {
  return refusal([&] { (void)parse_tuner("# one\n\n" + line + "\n", "f"); });
}

TEST(NcclTuner, SaysWhereItIsMalformed) {
  EXPECT_THAT(tuner_said("allreduce,0,1,ring,simple,-1,-1"),
              HasSubstr("f:3: 7 fields, expected 8 to 10: collective, "));
  EXPECT_THAT(tuner_said("allreduce,0,1,ring,simple,-1,-1,-1,-1,-1,-1"), HasSubstr("f:3: 11 fields"));
  EXPECT_EQ(tuner_said("all-reduce,0,1,ring,simple,-1,-1,-1"),
            "f:3: 'all-reduce', expected one of broadcast, reduce, allgather, reducescatter, allreduce");
  EXPECT_THAT(tuner_said("allreduce,0,1,rings,simple,-1,-1,-1"),
              HasSubstr("f:3: 'rings', expected one of tree, ring"));
  EXPECT_EQ(tuner_said("allreduce,0,1,ring,LL,-1,-1,-1"), "f:3: 'LL', expected one of ll, ll128, simple");
  EXPECT_EQ(tuner_said("allreduce,9,1,ring,ll,-1,-1,-1"), "f:3: from 9 bytes to 1");
  EXPECT_EQ(tuner_said("allreduce,0,1M,ring,ll,-1,-1,-1"), "f:3: '1M', expected a whole number");
  EXPECT_EQ(tuner_said("allreduce,0,1,ring,ll,-2,-1,-1"), "f:3: -2, expected -1 or more");
  EXPECT_EQ(tuner_said("allreduce,,1,ring,ll,-2,-1,-1"), "f:3: an empty field");
  EXPECT_EQ(tuner_said(std::string(255, 'x')), "f:3: a line of more than 254 characters");
}

}  // namespace
}  // namespace unknot::runtimes
