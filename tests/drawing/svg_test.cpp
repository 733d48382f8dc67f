// SPDX-License-Identifier: Apache-2.0
#include "unknot/drawing/svg.hpp"

#include <gmock/gmock.h>

#include "drawing/xml.hpp"

namespace unknot::drawing {
namespace {

using testing::Element;
using testing::XmlParser;

TEST(Svg, EscapesText) {
  EXPECT_EQ(escaped("a<b>&\"c'"), "a&lt;b&gt;&amp;&quot;c&#39;");
  EXPECT_EQ(escaped("\xC3\xA9 \xE2\x86\x92 \xF0\x9F\x9A\x80"), "\xC3\xA9 \xE2\x86\x92 \xF0\x9F\x9A\x80");
  const std::string stands = "\xEF\xBF\xBD";
  EXPECT_EQ(escaped(std::string_view("\0\x01\x1B\x7F", 4)), stands + stands + stands + stands);
  EXPECT_EQ(escaped("\xFF"), stands);
  EXPECT_EQ(escaped("\xC3"), stands);               // cut off
  EXPECT_EQ(escaped("\xC0\xAF"), stands + stands);  // "/" in two bytes
  EXPECT_EQ(escaped("\xE0\x80\xAF"), stands + stands + stands);
  EXPECT_EQ(escaped("\xED\xA0\x80"), stands + stands + stands);  // half of a pair
  EXPECT_EQ(escaped("\xEF\xBF\xBF"), stands + stands + stands);  // no character
  EXPECT_EQ(escaped("a\nb"), "a\nb");
}

TEST(Svg, AnyTitleGivesADocument) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  for (const std::string& title :
       {std::string(), bytes, std::string("</title><script>"), std::string(1000, '<')}) {
    const Element root = XmlParser::parse(svg_document(100, 50, title, "<g/>\n"));
    EXPECT_EQ(root.name, "svg");
    EXPECT_EQ(root.attribute("xmlns"), "http://www.w3.org/2000/svg");
    EXPECT_EQ(root.children.size(), 5U);  // title, style, paper, title as text, body
  }
}

TEST(Svg, ShortensByCharacters) {
  EXPECT_EQ(shortened("abc", 3), "abc");
  EXPECT_EQ(shortened("abcd", 3), "ab\xE2\x80\xA6");
  EXPECT_EQ(shortened("\xC3\xA9\xC3\xA9\xC3\xA9", 2), "\xC3\xA9\xE2\x80\xA6");
  EXPECT_EQ(shortened("", 3), "");
}

TEST(Svg, NumbersAreShort) {
  EXPECT_EQ(number(1), "1");
  EXPECT_EQ(number(1.25), "1.3");
  EXPECT_EQ(number(-0.01), "0");
  EXPECT_EQ(number(-12.34), "-12.3");
  EXPECT_EQ(number(100000), "100000");
}

TEST(Svg, EveryColourHasItsClassesInLightAndDark) {
  const std::string document = svg_document(1, 1, "", "");
  const std::size_t dark = document.find("@media (prefers-color-scheme:dark)");
  ASSERT_NE(dark, std::string::npos);
  for (std::uint32_t n = 0; n < kHues; ++n) {
    const std::string rule = "." + line_class(n) + "{stroke:";
    EXPECT_LT(document.find(rule), dark) << rule;
    EXPECT_NE(document.find(rule, dark), std::string::npos) << rule;
  }
  EXPECT_EQ(line_class(kHues), "c0 d1");
  EXPECT_EQ(line_class(kHues * kDashes), "c0");
}

}  // namespace
}  // namespace unknot::drawing
