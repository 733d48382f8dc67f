// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/files/schedule_file.hpp"

#include <gmock/gmock.h>

#include "collective/msccl_samples.hpp"
#include "collective/schedules.hpp"
#include "traffic/damaged_text.hpp"
#include "unknot/collective/check/checker.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

using ::testing::HasSubstr;
using testing::nodes;

constexpr const char* kRing =
    R"({"fabric": "ring:4", "collective": "OAB", "terminals": [0, 1, 2, 3], "steps": [
 [{"origin": 0, "path": [0, 1]}, {"origin": 0, "path": [0, 3, 2]}],
 [{"origin": 0, "path": [2, 3]}]
]}
)";

TEST(ScheduleFile, ReadsWhatIsSpecified) {
  const ScheduleDocument document = parse_schedule(kRing, "f");
  EXPECT_EQ(document.fabric, "ring:4");
  EXPECT_EQ(document.collective, "OAB");
  EXPECT_EQ(document.participants.nodes, nodes({0, 1, 2, 3}));
  EXPECT_FALSE(document.participants.root);
  ASSERT_EQ(document.schedule.step_count(), 2U);
  EXPECT_EQ(document.schedule.step_end(0), 2U);
  EXPECT_EQ(document.schedule.receiver(1), NodeId(2));
  EXPECT_EQ(document.schedule.distributor(2), NodeId(2));
  const Problem problem = problem_of(document, testing::graph_of("ring:4"));
  EXPECT_EQ(problem.owner, nodes({0}));  // implied
  EXPECT_TRUE(check_schedule(problem, document.schedule).valid());
}

TEST(ScheduleFile, IgnoresMembersItDoesNotKnow) {
  const ScheduleDocument document = parse_schedule(
      R"({"made": {"by": [1, {"x": null}], "steps": -2.5}, "steps": [[{"id": [[]], "path": [0, 1], "origin": 0, "at": {}}]],)"
      R"( "collective": "OAS", "ok": true})",
      "f");
  EXPECT_EQ(document.schedule.transfer_count(), 1U);
  EXPECT_EQ(document.collective, "OAS");
  EXPECT_FALSE(document.participants.nodes);
}

TEST(ScheduleFile, WhatIsWrittenReadsBackTheSame) {
  Participants some;
  some.transmitters = nodes({0, 1});
  some.receivers = nodes({1, 2, 5});
  Schedule other;  // need not be valid
  other.add_step();
  other.add_step();
  other.add(NodeId(1), nodes({1, 0, 5}));
  for (const CollectiveRow& row : collectives()) {
    const Problem problem = testing::problem_on("hypercube:3", row.name);
    const ScheduleDocument document = document_of(problem, "a \"b\"\\", testing::hypercube_exchange(3));
    const ScheduleDocument again = parse_schedule(schedule_json(document), "again");
    EXPECT_EQ(again, document) << row.name;
    const Problem same = problem_of(again, problem.graph);
    EXPECT_EQ(same.owner, problem.owner) << row.name;
    EXPECT_EQ(same.partner, problem.partner) << row.name;
  }
  const Problem problem = testing::problem_on("hypercube:3", "MNB", some);
  ScheduleDocument document = document_of(problem, "hypercube:3", other);
  document.faults = "cables=0-1,seed=3";
  EXPECT_EQ(document.participants.transmitters, some.transmitters);
  EXPECT_EQ(parse_schedule(schedule_json(document), "again"), document);
  EXPECT_EQ(problem_of(document, problem.graph).partner, problem.partner);
}

TEST(ScheduleFile, GroupsReadBackTheSame) {
  Participants who;
  who.groups = {nodes({5, 0, 1}), nodes({2, 3})};
  for (const CollectiveRow& row : collectives()) {
    const Problem problem = testing::problem_on("hypercube:3", row.name, who);
    const ScheduleDocument document = document_of(problem, "hypercube:3", testing::found_schedule(problem));
    const ScheduleDocument again = parse_schedule(schedule_json(document), "again");
    EXPECT_EQ(again, document) << row.name;
    const Problem same = problem_of(again, problem.graph);
    EXPECT_EQ(same.owner, problem.owner) << row.name;
    EXPECT_EQ(same.partner, problem.partner) << row.name;
    EXPECT_TRUE(check_schedule(same, again.schedule).valid()) << row.name;
  }
}

TEST(ScheduleFile, SaysWhereItIsMalformed) {
  struct Case {
    const char* text;
    const char* message;
  };
  for (const Case& one : {
           Case{"", "f:1: not valid JSON"},
           Case{"[]", "f:1: expected an object with \"collective\" and \"steps\""},
           Case{"7\n", "f:1: expected an object"},
           Case{"{\"steps\": []}", "f:1: the member \"collective\" is missing"},
           Case{"{\"collective\": \"AAS\"\n}\n", "the member \"steps\" is missing"},
           Case{"{\"collective\":\n7}", "f:2: expected text"},
           Case{"{\"fail\":\n7}", "f:2: expected text"},
           Case{"{\"fail\": \"\",\n\"fail\": \"\"}", "f:2: the member \"fail\" comes twice"},
           Case{"{\"collective\": \"AAS\",\n\"steps\": {}}", "f:2: expected a list of steps"},
           Case{"{\"steps\": [\n[], \n3\n]}", "f:3: expected a step, which is a list of transfers"},
           Case{"{\"steps\": [\n[\n[]]]}", "f:3: expected a transfer, which is an object"},
           Case{"{\"steps\": [[\n{\"origin\": 1}\n]]}", "f:2: a transfer without \"path\""},
           Case{"{\"steps\": [[\n{\"path\": [0, 1]}\n]]}", "f:2: a transfer without \"origin\""},
           Case{"{\"steps\": [[\n{\"origin\": 0, \"path\": []}\n]]}", "f:2: an empty \"path\""},
           Case{"{\"steps\": [[\n{\"origin\": -1\n, \"path\": []}\n]]}",
                "f:2: expected a node number, found -1"},
           Case{"{\"steps\": [[{\"origin\": 0, \"path\": [0,\n4294967295\n]}]]}",
                "f:2: expected a node number, found 4294967295"},
           Case{"{\"steps\": [[{\"origin\": 0, \"path\": [0,\n\n1.5\n]}]]}", "f:3: expected a node number"},
           Case{"{\"steps\": [[{\"origin\": 0, \"path\":\n 3}]]}", "f:2: expected a list of node numbers"},
           Case{"{\"steps\": [[{\"origin\": 0,\n\"origin\": 0}]]}", "f:2: \"origin\" comes twice"},
           Case{"{\"steps\": [],\n\"steps\": []}", "f:2: the member \"steps\" comes twice"},
           Case{"{\"groups\":\n3}", "f:2: expected a list of groups"},
           Case{"{\"groups\": [\n0]}", "f:2: expected a list of groups"},
           Case{"{\"groups\": [[\n[0]]]}", "f:2: expected a node number"},
           Case{"{\"groups\": [[0]],\n\"groups\": []}", "f:2: the member \"groups\" comes twice"},
           Case{"{\"steps\": [\n[\n}", "f:3: not valid JSON at '"},
           Case{"{\"steps\": [], \"collective\": \"AAS\"}\nx", "f:2: not valid JSON"},
       }) {
    try {
      (void)parse_schedule(one.text, "f");
      ADD_FAILURE() << one.text;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(one.message)) << one.text;
      EXPECT_THAT(error.what(), ::testing::StartsWith("f:"));
    }
  }
}

TEST(ScheduleFile, DamagedTextsAreRefusedOrReadBack) {
  std::uint32_t read = 0, refused = 0;
  testing::for_damaged_texts(kRing, "[]{},:\"0123456789-\n ", [&](const std::string& text) {
    try {
      const ScheduleDocument document = parse_schedule(text, "f");
      ++read;
      bool utf8 = true;  // what is no UTF-8 cannot be written as it was
      for (const char c : document.fabric + document.collective)
        utf8 = utf8 && static_cast<unsigned char>(c) < 128;
      if (utf8) {
        EXPECT_EQ(parse_schedule(schedule_json(document), "again"), document);
      }
    } catch (const InputError&) {
      ++refused;
    }
  });
  EXPECT_GT(read, 100U);
  EXPECT_GT(refused, 1000U);
}

TEST(ScheduleFile, TableForPeople) {
  const ScheduleDocument document = parse_schedule(kRing, "f");
  EXPECT_EQ(schedule_table(document),
            "OAB ring:4\n\n"
            "source  step 1        step 2\n"
            "0       0->1 (0,1)    2->3 (2,3)\n"
            "        0->2 (0,3,2)\n");
}

}  // namespace
}  // namespace unknot
