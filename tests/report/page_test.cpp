// SPDX-License-Identifier: Apache-2.0
#include "unknot/report/page.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "report/content.hpp"
#include "unknot/report/document.hpp"
#include "unknot/support/error.hpp"

namespace unknot::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using unknot::testing::routed_content;

class ReportPage : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!page_available()) GTEST_SKIP() << "built without npm";
  }
};

std::size_t times(const std::string& text, const std::string& piece) {
  std::size_t count = 0;
  for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) ++count;
  return count;
}

std::string data_of(const std::string& page) {
  const std::string begin = "<script type=\"application/json\" id=\"data\">";
  const std::size_t from = page.find(begin) + begin.size();
  return page.substr(from, page.find("</script>", from) - from);
}

TEST_F(ReportPage, HoldsItsDataAndLoadsNothing) {
  const Content content = routed_content("torus:4x4,p=2", {"minhop", "dfsssp"});
  const std::string page = html_page(content);
  EXPECT_EQ(nlohmann::json::parse(data_of(page)), nlohmann::json::parse(document(content)));
  EXPECT_EQ(times(page, "<script"), 2U);
  EXPECT_EQ(times(page, "</script>"), 2U);
  for (const char* loads : {"src=", "<link", "@import", "url("}) EXPECT_THAT(page, Not(HasSubstr(loads)));
  EXPECT_THAT(page,
              HasSubstr("Permission to use, copy, modify"));  // the licence of what is bundled asks for it
  EXPECT_EQ(html_page(content), page);
}

TEST_F(ReportPage, NamesAreNoMarkup) {
  const std::string evil = "</script></title><script>alert(1)</script><!--";
  Content content = routed_content("ring:4", {"updn"});
  content.fabric = evil;
  content.routings[0].name = evil;
  const std::string page = html_page(content);
  EXPECT_EQ(times(page, "<script"), 2U);
  EXPECT_EQ(times(page, "</script>"), 2U);
  EXPECT_EQ(times(page, "</title>"), 1U);
  EXPECT_THAT(page, Not(HasSubstr("<!--")));
  EXPECT_EQ(nlohmann::json::parse(data_of(page))["fabric"]["name"], evil);
}

TEST(ReportPageMissing, IsSaidInOneSentence) {
  if (page_available()) GTEST_SKIP() << "built with npm";
  EXPECT_THROW(require_page(), InputError);
  EXPECT_THROW((void)html_page(routed_content("ring:4", {})), InputError);
}

}  // namespace
}  // namespace unknot::report
