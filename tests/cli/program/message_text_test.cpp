// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/output/message_text.hpp"

#include <gmock/gmock.h>

#include <string>

namespace unknot::cli {
namespace {

using ::testing::EndsWith;
using ::testing::StartsWith;

TEST(MessageText, IsOneLineThatATerminalMayGet) {
  EXPECT_EQ(message_text("fabric:3: 'S-1' is no node; Größe 1–2, 「日本」"),
            "fabric:3: 'S-1' is no node; Größe 1–2, 「日本」");
  EXPECT_EQ(message_text("a\nb\tc\x1b[31m\x7f"), "a?b?c?[31m?");
  EXPECT_EQ(message_text(std::string("a\0b", 3)), "a?b");
  EXPECT_EQ(message_text("\xC2\x9B"
                         "31m"),
            "??31m");  // a control sequence in one character
  EXPECT_EQ(message_text("\xE2\x80\xAE"
                         "cba"),
            "???cba");                                              // turns the direction of what follows
  EXPECT_EQ(message_text("\xFF\xC0\x80\xED\xA0\x80x"), "??????x");  // no UTF-8
  EXPECT_EQ(message_text("x\xE2\x82"), "x??");
  EXPECT_EQ(message_text(""), "");
}

TEST(MessageText, EchoesNoMoreThan200BytesOfAnything) {
  const std::string word(10'000, 'x');
  const std::string cut = message_text("folder/file:12: unknown key '" + word + "' of a link");
  EXPECT_THAT(cut, StartsWith("folder/file:12: unknown key 'xxx"));
  EXPECT_THAT(cut, EndsWith("xxx' of a link"));
  EXPECT_THAT(cut, ::testing::HasSubstr("xxx...xxx"));
  EXPECT_LE(cut.size(), 200U + 45U);
  std::string words;
  for (int i = 0; i < 5000; ++i) words += "x ";
  const std::string quoted = message_text("there is no node '" + words + "it's' here");
  EXPECT_LE(quoted.size(), 230U);
  EXPECT_THAT(quoted, EndsWith("it's' here"));
  EXPECT_LE(message_text(words).size(), 2000U);
  // Not in the middle of a character.
  std::string umlauts;
  for (int i = 0; i < 200; ++i) umlauts += "ü";
  EXPECT_EQ(message_text(umlauts).find('?'), std::string::npos);
  EXPECT_EQ(message_text(message_text(umlauts)), message_text(umlauts));
  const std::string fits(200, 'y');
  EXPECT_EQ(message_text(fits), fits);
}

}  // namespace
}  // namespace unknot::cli
