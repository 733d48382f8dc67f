// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "fabric.h"

namespace {

using ::testing::HasSubstr;

struct Result {
  unknot_options options{};
  std::string why;
};

Result read(const char* text) {
  Result result;
  char why[256] = "";
  if (unknot_options_read(text, &result.options, why, sizeof why) != 0) result.why = why;
  return result;
}

TEST(Options, NameTheFiles) {
  const Result r = read("tables=/a/b lanes=/c");
  EXPECT_EQ(r.why, "");
  EXPECT_STREQ(r.options.tables, "/a/b");
  EXPECT_STREQ(r.options.lanes, "/c");
  EXPECT_STREQ(r.options.multicast, "");
  EXPECT_STREQ(read("tables=/a multicast=/d").options.multicast, "/d");
  EXPECT_EQ(r.options.trust_sl2vl, 0);
  EXPECT_EQ(r.options.allow_deadlock, 0);
}

TEST(Options, LeaveThoseOfOtherPlugInsAlone) {
  const Result r = read("other.tables=/no,unknot.tables=/yes, sl2vl=trust\tdeadlock=allow");
  EXPECT_EQ(r.why, "");
  EXPECT_STREQ(r.options.tables, "/yes");
  EXPECT_EQ(r.options.trust_sl2vl, 1);
  EXPECT_EQ(r.options.allow_deadlock, 1);
}

TEST(Options, ComeFromTheEnvironmentWhereTheTextIsSilent) {
  setenv("UNKNOT_TABLES", "/env/tables", 1);
  setenv("UNKNOT_LANES", "/env/lanes", 1);
  setenv("UNKNOT_MULTICAST", "/env/trees", 1);
  const Result both = read(nullptr);
  const Result one = read("tables=/text");
  unsetenv("UNKNOT_TABLES");
  unsetenv("UNKNOT_LANES");
  unsetenv("UNKNOT_MULTICAST");
  EXPECT_STREQ(both.options.tables, "/env/tables");
  EXPECT_STREQ(one.options.tables, "/text");
  EXPECT_STREQ(one.options.lanes, "/env/lanes");
  EXPECT_STREQ(one.options.multicast, "/env/trees");
}

TEST(Options, AreRefusedInOneSentence) {
  EXPECT_THAT(read(nullptr).why, HasSubstr("no tables given"));
  EXPECT_THAT(read("lanes=/c").why, HasSubstr("no tables given"));
  EXPECT_THAT(read("tables=/a lane=/c").why, HasSubstr("unknown option 'lane'"));
  EXPECT_THAT(read("tables=/a trees=/c").why, HasSubstr("multicast=FILE"));
  EXPECT_THAT(read("tables=/a multicast=/c multicast=/d").why,
              HasSubstr("option 'multicast' is given twice"));
  EXPECT_THAT(read("tables").why, HasSubstr("no value"));
  EXPECT_THAT(read("tables=/a lanes=/c tables=/b").why, HasSubstr("option 'tables' is given twice"));
  EXPECT_THAT(read("tables=/a unknot.tables=/a").why, HasSubstr("option 'tables' is given twice"));
  EXPECT_EQ(read("tables=/a other.tables=/b").why, "");
  EXPECT_THAT(read("tables=/a sl2vl=maybe").why, HasSubstr("option sl2vl is 'set' or 'trust', not 'maybe'"));
  EXPECT_THAT(read(("tables=" + std::string(5000, 'x')).c_str()).why, HasSubstr("more than 4095 characters"));
}

}  // namespace
