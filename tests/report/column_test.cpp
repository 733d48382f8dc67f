// SPDX-License-Identifier: Apache-2.0
#include "unknot/report/column.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "unknot/support/error.hpp"

namespace unknot::report {
namespace {

using nlohmann::json;

/// The examples of RFC 4648, section 10.
TEST(ReportColumn, Base64IsThatOfTheStandard) {
  const std::vector<std::pair<std::string, std::string>> examples = {{"", ""},
                                                                     {"f", "Zg=="},
                                                                     {"fo", "Zm8="},
                                                                     {"foo", "Zm9v"},
                                                                     {"foob", "Zm9vYg=="},
                                                                     {"fooba", "Zm9vYmE="},
                                                                     {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : examples) {
    EXPECT_EQ(base64(bytes), text);
    EXPECT_EQ(from_base64(text), bytes);
  }
  for (const char* wrong : {"Z", "Zg=", "Zm9v!A==", "Z===", "====", "Zg==Zg=="})
    EXPECT_THROW((void)from_base64(wrong), InputError) << wrong;
}

TEST(ReportColumn, IsAListWhileShortAndBytesOfTheLeastTypeBeyond) {
  EXPECT_EQ(column(std::vector<std::uint32_t>{1, 2}).dump(), "[1,2]");
  EXPECT_EQ(column(std::vector<double>{0.5, std::numeric_limits<double>::quiet_NaN()}).dump(), "[0.5,null]");
  const std::vector<std::pair<std::uint64_t, std::string>> types = {
      {255, "u8"},    {256, "u16"},         {65535, "u16"},
      {65536, "u32"}, {0xffff'ffff, "u32"}, {0x1'0000'0000, "f64"}};
  for (const auto& [most, type] : types) {
    std::vector<std::uint64_t> values(kPackedFrom);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = i % 200;
    values[7] = most;
    const json packed = json::parse(column(values).dump());
    EXPECT_EQ(packed["type"], type) << most;
    const std::vector<double> back = read_column(packed, values.size(), "values");
    for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(back[i], static_cast<double>(values[i]));
  }
  std::vector<double> reals(kPackedFrom, 0.1);
  reals[3] = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> back = read_column(json::parse(column(reals).dump()), reals.size(), "values");
  EXPECT_TRUE(std::isnan(back[3]));
  EXPECT_NEAR(back[4], 0.1, 1e-7);
}

TEST(ReportColumn, RefusesWhatIsNone) {
  for (const char* wrong :
       {R"("x")", R"(["x"])", R"([1])", R"({"type": "u8"})", R"({"type": "u9", "base64": ""})",
        R"({"type": "u16", "base64": "Zg=="})", R"({"type": "u8", "base64": "!!!!"})",
        R"({"type": 1, "base64": 2})", "null", "7"}) {
    EXPECT_THROW((void)read_column(json::parse(wrong), 2, "values"), InputError) << wrong;
  }
}

}  // namespace
}  // namespace unknot::report
