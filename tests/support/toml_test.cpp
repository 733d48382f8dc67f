// SPDX-License-Identifier: Apache-2.0
#include "unknot/support/text/toml.hpp"

#include <gmock/gmock.h>

#include <string>

#include "refusal.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string toml_refusal(const std::string& text) {
  return refusal([&] { (void)parse_toml(text, "a.toml"); });
}

std::string repeated(const std::string& piece, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += piece;
  return text;
}

/// The library follows each of these by recursion, and so do its destructors.
TEST(Toml, WhatIsDeeplyNestedIsRefusedBeforeItIsParsed) {
  constexpr int kDeep = 50'000;
  const std::string parts = "a" + repeated(".a", kDeep);
  const std::string quoted = "'a'" + repeated(" . \"a\"", kDeep);
  const std::string too_long = "a.toml:2: a key of more than 16 parts";
  const std::string too_deep = "a.toml:2: values nested more than 16 deep";
  EXPECT_EQ(toml_refusal("x = 1\n" + parts + " = 1\n"), too_long);
  EXPECT_EQ(toml_refusal("x = 1\n[" + parts + "]\n"), too_long);
  EXPECT_EQ(toml_refusal("x = 1\n[[" + parts + "]]\n"), too_long);
  EXPECT_EQ(toml_refusal("x = 1\n[" + quoted + "]\n"), too_long);
  EXPECT_EQ(toml_refusal("x = 1\ny = {b = 1, " + parts + " = 1}\n"), too_long);
  EXPECT_EQ(toml_refusal("x = 1\ny = " + repeated("[", kDeep)), too_deep);
  EXPECT_EQ(toml_refusal("x = 1\ny = " + repeated("{a = ", kDeep)), too_deep);
  EXPECT_EQ(toml_refusal("x = '''\\'''\ny = " + repeated("[{a = ", kDeep)), too_deep);
  EXPECT_EQ(toml_refusal("x = \"\\\"\"\ny = " + repeated("[", kDeep)), too_deep);
}

TEST(Toml, WhatOnlyLooksDeepIsTaken) {
  const std::string dots = repeated(".", 100) + repeated("[", 100);
  const toml::table table =
      parse_toml("a = \"" + dots + "\\\"" + dots + "\"  # " + dots + "\nb = '" + dots + "'\nc = '''\n" +
                     dots + "''" + dots + "'''\nd = \"\"\"" + dots + "\\\"\"\"\" # " + dots + "\ne = [" +
                     repeated("[1.5, 2.5], ", 50) + "]\n[f.g.h]\ni.j.k = 1\n",
                 "a.toml");
  EXPECT_EQ(table.size(), 6U);
  EXPECT_EQ(line_of(*table.get("d")), 5U);
  const std::string key = "a" + repeated(".a", 15);
  EXPECT_EQ(toml_refusal(key + " = " + repeated("[", 16) + repeated("]", 16) + "\n"), "");
  EXPECT_THAT(toml_refusal(key + ".a = 1\n"), HasSubstr("a.toml:1: a key of more than 16 parts"));
}

TEST(Toml, WhatIsNoneHasItsLine) {
  EXPECT_THAT(toml_refusal("a = 1\nb\n"), StartsWith("a.toml:2: "));
  EXPECT_THAT(toml_refusal("a = 1\nb = \"x\n"), StartsWith("a.toml:2: "));
  EXPECT_THAT(toml_refusal("a = 1\nb = \"\"\"x\n"), StartsWith("a.toml:"));
  EXPECT_EQ(toml_refusal(std::string("a = 1\nb = '\0'\n", 14)), "a.toml:2: a NUL byte, expected text");
  EXPECT_EQ(toml_refusal(std::string("a = 1\n\0", 7)), "a.toml:2: a NUL byte, expected text");
  EXPECT_EQ(toml_refusal(""), "");
  EXPECT_EQ(toml_refusal("a = i\n"),
            "a.toml:1: Error while parsing floating-point: expected 'inf', saw 'i?'");
}

}  // namespace
}  // namespace unknot
