// SPDX-License-Identifier: Apache-2.0
#include "unknot/support/text/scanner.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace unknot {
namespace {

TEST(Lines, CountsThemAndDropsLineEnds) {
  const std::string file = "f";
  Lines lines("one\r\n\ntwo\nlast", file);
  std::vector<std::string> seen;
  while (lines.next()) seen.push_back(std::to_string(lines.number()) + ":" + std::string(lines.line()));
  EXPECT_EQ(seen, (std::vector<std::string>{"1:one", "2:", "3:two", "4:last"}));
  Lines none({}, file);
  EXPECT_FALSE(none.next());
}

TEST(Lines, RefusesNulBytes) {
  try {
    Lines lines(std::string_view("a\nb\0c\n", 6), "f");
    FAIL() << "was accepted";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "f:2: a NUL byte, expected text");
  }
}

TEST(Cursor, ReadsNumbersUpToTheirBounds) {
  EXPECT_EQ(Cursor("65535]").decimal(65535), 65535U);
  EXPECT_FALSE(Cursor("65536]").decimal(65535));
  EXPECT_EQ(Cursor("18446744073709551615").decimal(~std::uint64_t{0}), ~std::uint64_t{0});
  EXPECT_FALSE(Cursor("18446744073709551616").decimal(~std::uint64_t{0}));
  EXPECT_FALSE(Cursor("9").decimal(5));
  EXPECT_EQ(Cursor("0007").decimal(7), 7U);
  EXPECT_FALSE(Cursor("x").decimal(7));
  EXPECT_EQ(Cursor("fFfFfFfFfFfFfFfF)").hex(), ~std::uint64_t{0});
  EXPECT_FALSE(Cursor("10000000000000000").hex());
  EXPECT_FALSE(Cursor("").hex());
}

TEST(Cursor, StaysWhereATokenIsMissing) {
  Cursor cursor("ab 12");
  EXPECT_FALSE(cursor.decimal(99));
  EXPECT_FALSE(cursor.until('"'));
  EXPECT_FALSE(cursor.eat("abc"));
  EXPECT_EQ(cursor.rest(), "ab 12");
  EXPECT_EQ(cursor.word(), "ab");
  cursor.skip_blanks();
  EXPECT_EQ(cursor.decimal(99), 12U);
  EXPECT_TRUE(cursor.at_end());
  EXPECT_EQ(cursor.peek(), '\0');
}

TEST(Shown, IsShortAndPrintable) {
  EXPECT_EQ(shown("a\tb\x1B[1m"), "a b?[1m");
  EXPECT_EQ(shown(std::string(61, 'x')), std::string(60, 'x') + "...");
  EXPECT_EQ(shown(std::string(59, 'x') + "\xC3\xBC"), std::string(59, 'x') + "...");
  EXPECT_EQ(place_shown(" "), "the end of the line");
  EXPECT_EQ(place_shown("x"), "'x'");
}

}  // namespace
}  // namespace unknot
