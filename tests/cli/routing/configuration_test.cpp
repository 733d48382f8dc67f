// SPDX-License-Identifier: Apache-2.0
// verify --config: configurations of Constellation. Their verdicts: tests/chips/configurations_test.py.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "cli/run_command.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;

class Configuration : public InFolder {
 protected:
  void SetUp() override {
    InFolder::SetUp();
    write("Rings.scala",
          read_file(fmt::format("{}/tests/data/constellation/Rings.scala", UNKNOT_SOURCE_DIR)));
  }
};

TEST_F(Configuration, IsProvenByItsName) {
  const Result proven = run("verify Rings.scala --config Escape --json");
  EXPECT_EQ(proven.code, 0) << proven.err;
  const auto document = nlohmann::json::parse(proven.out);
  EXPECT_EQ(document["method"], "escape");
  EXPECT_EQ(document["virtual_channels"], 18);
  EXPECT_TRUE(document["witness"].is_null());
  const Result blocked = run("verify Rings.scala --config Shortest --json");
  EXPECT_EQ(blocked.code, 1) << blocked.err;
  const auto witness = nlohmann::json::parse(blocked.out);
  EXPECT_FALSE(witness["deadlock_free"]);
  EXPECT_TRUE(witness["method"].is_null());
  EXPECT_EQ(witness["witness_kind"], "blocked");
  EXPECT_EQ(witness["witness"].size(), 6U);
}

TEST_F(Configuration, OthersAreNamedAndOptionsOfTablesRefused) {
  EXPECT_THAT(run("verify Rings.scala").err,
              HasSubstr("expected --config NAME, one of its 3 configurations: Dateline, Shortest, Escape"));
  EXPECT_THAT(run("verify Rings.scala --config Other").err,
              HasSubstr("expected a class Other, which is not there"));
  EXPECT_THAT(run("verify Rings.scala --config Escape --rail 2").err, HasSubstr("is proven whole"));
  EXPECT_EQ(run("verify Rings.scala --config Escape --rule d-mod-k").code, 2);
  EXPECT_EQ(run("verify Rings.scala --config Escape --write-certificate proof").code, 2);
}

}  // namespace
}  // namespace unknot::cli::test
