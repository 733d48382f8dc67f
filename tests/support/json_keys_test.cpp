// SPDX-License-Identifier: Apache-2.0
#include "unknot/support/text/json_keys.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "refusal.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

std::string json_keys_refusal(const std::string& text) {
  EXPECT_TRUE(nlohmann::json::accept(text)) << text;
  return refusal([&] { refuse_keys_given_twice(text, "f"); });
}

TEST(JsonKeys, OnceEachIsFine) {
  for (const char* text :
       {"1", "\"a\"", "[]", "{}", R"({"a":1,"b":2})", R"({"a":{"a":{"a":[]}},"b":{"a":1}})",
        R"([{"a":1},{"a":1}])", R"({"a":"a","b":"\"a\":\"b\":{","c":"\\"})", R"({"a\\":1,"a":2,"\"":3,"":4})",
        R"({"k":["a","a",{"a":"a:a"}]})"}) {
    EXPECT_EQ(json_keys_refusal(text), "");
  }
}

TEST(JsonKeys, TwiceIsRefusedWithLineAndKeyAtAnyDepth) {
  EXPECT_EQ(json_keys_refusal("{\"a\":1,\n\"a\":1}"), "f:2: the member \"a\" is given twice");
  EXPECT_EQ(json_keys_refusal("[0,\n{\"b\":{\"x y\":[],\"z\":0,\n\"x y\":{}}}]"),
            "f:3: the member \"x y\" is given twice");
  EXPECT_EQ(json_keys_refusal(R"({"":1,"":2})"), "f:1: the member \"\" is given twice");
  EXPECT_EQ(json_keys_refusal(R"({"a":{},"b":0,"a":{"c":1,"c":2}})"), "f:1: the member \"a\" is given twice");
  // the first key in the text that comes again
  EXPECT_EQ(json_keys_refusal("{\"a\":{\"c\":1,\n\"c\":2},\n\"a\":0}"),
            "f:2: the member \"c\" is given twice");
  EXPECT_EQ(json_keys_refusal("{\"z\":0,\"a\":0,\n\"z\":1,\n\"a\":1}"),
            "f:2: the member \"z\" is given twice");
}

TEST(JsonKeys, NothingComesBehindANul) {
  std::string text = "{}\n#{\"a\":1,\"a\\x\":2}";
  text[3] = '\0';
  EXPECT_EQ(refusal([&] { refuse_keys_given_twice(text, "f"); }), "f:2: a NUL byte, expected text");
}

TEST(JsonKeys, EscapesSayTheSame) {
  EXPECT_EQ(json_keys_refusal(R"({"a":1,"\u0061":2})"), "f:1: the member \"a\" is given twice");
  EXPECT_EQ(json_keys_refusal(R"({"\"":1,"\u0022":2})"), "f:1: the member \"\"\" is given twice");
  EXPECT_EQ(json_keys_refusal(R"({"\u0062":1,"a":2})"), "");
}

TEST(JsonKeys, CountLinesFromWhereTheDocumentStands) {
  try {
    refuse_keys_given_twice("{\"a\":1,\"a\":2}", "f", 7);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "f:7: the member \"a\" is given twice");
  }
}

}  // namespace
}  // namespace unknot
