// SPDX-License-Identifier: Apache-2.0
#include "unknot/support/text/yaml.hpp"

#include <gmock/gmock.h>

#include <string>

#include "refusal.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

using ::testing::HasSubstr;

std::string yaml_refusal(std::string_view text) {
  return refusal([&] { parse_yaml(text, "a.yaml"); });
}

TEST(Yaml, ValuesKeepTheirTextAndLine) {
  const YamlValue value =
      parse_yaml("# first\n---\n- a: 1\n  b: [x, 'y: z', \"q\\\"r\"]\n- |\n  long\n  text\n- {}\n", "a.yaml");
  ASSERT_EQ(value.kind, YamlValue::Kind::sequence);
  ASSERT_EQ(value.items.size(), 3);
  const YamlValue& first = value.items[0];
  EXPECT_EQ(first.kind, YamlValue::Kind::mapping);
  EXPECT_EQ(first.line, 3);
  EXPECT_EQ(first.find("c"), nullptr);
  EXPECT_EQ(first.find("a")->text, "1");
  const YamlValue& list = *first.find("b");
  EXPECT_EQ(list.line, 4);
  ASSERT_EQ(list.items.size(), 3);
  EXPECT_EQ(list.items[1].text, "y: z");
  EXPECT_EQ(list.items[2].text, "q\"r");
  EXPECT_EQ(value.items[1].text, "long\ntext\n");
  EXPECT_TRUE(value.items[2].members.empty());
}

TEST(Yaml, SaysWhatIsWrongAndWhere) {
  EXPECT_THAT(yaml_refusal(""), HasSubstr("a.yaml:1: expected a YAML document"));
  EXPECT_THAT(yaml_refusal("# nothing\n"), HasSubstr("expected a YAML document"));
  EXPECT_THAT(yaml_refusal("a: 1\n---\nb: 2\n"), HasSubstr("a.yaml:2: expected one YAML document"));
  EXPECT_THAT(yaml_refusal("a: 1\nb: [1, 2\n"), HasSubstr("no YAML"));
  EXPECT_THAT(yaml_refusal("a: 1\n\tb: 2\n"), HasSubstr("a.yaml:2: this is no YAML"));
  EXPECT_THAT(yaml_refusal("a: 1\nb: 2\nc: 3\na: 4\n"), HasSubstr("a.yaml:4: a is given twice"));
  EXPECT_THAT(yaml_refusal("? [a]\n: 1\n"), HasSubstr("expected the name of a member"));
  EXPECT_THAT(yaml_refusal("a: &x [1]\nb: *x\n"), HasSubstr("a.yaml:2: an alias"));
  EXPECT_THAT(yaml_refusal(std::string("a: \xff\n")), HasSubstr("no YAML"));
  EXPECT_THAT(yaml_refusal(std::string("a: \0b\n", 6)), HasSubstr("no YAML"));
  EXPECT_THAT(yaml_refusal(std::string(100'000, '[')), HasSubstr("more than 64 levels"));
}

}  // namespace
}  // namespace unknot
