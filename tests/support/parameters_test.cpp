// SPDX-License-Identifier: Apache-2.0
#include "unknot/support/parameters.hpp"

#include <gtest/gtest.h>

#include "unknot/support/error.hpp"

namespace unknot {
namespace {

const std::vector<Parameter> kRow{
    {.name = "dims", .kind = ParameterKind::list, .help = "sizes", .min = 1, .max = 100},
    {.name = "p", .help = "terminals", .fallback = "1", .max = 9},
    {.name = "oriented", .kind = ParameterKind::flag, .help = "arcs only", .fallback = "0"},
};

std::string message(std::string_view text) {
  try {
    parse_parameters("topology x", kRow, text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Parameters, PositionalNamedAndFlags) {
  const Parameters p = parse_parameters("topology x", kRow, "4x2x2,p=3,oriented");
  EXPECT_EQ(p.list("dims"), (std::vector<std::uint32_t>{4, 2, 2}));
  EXPECT_EQ(p.number("p"), 3U);
  EXPECT_TRUE(p.flag("oriented"));
  EXPECT_EQ(parse_parameters("topology x", kRow, "4").number("p"), 1U);
}

TEST(Parameters, WholeNumbersMayBeSizes) {
  const std::vector<Parameter> row{
      {.name = "bytes", .kind = ParameterKind::list, .help = "sizes"},
      {.name = "buffer", .help = "a size", .fallback = "1"},
      {.name = "share", .kind = ParameterKind::real, .help = "no size", .fallback = "1"}};
  const Parameters p = parse_parameters("workload x", row, "64Mx16KiBx4,buffer=2K");
  EXPECT_EQ(p.list("bytes"), (std::vector<std::uint32_t>{64U << 20U, 16384, 4}));
  EXPECT_EQ(p.number("buffer"), 2048U);
  EXPECT_THROW(parse_parameters("workload x", row, "64,share=2K"), InputError);
  EXPECT_THROW(parse_parameters("workload x", row, "64Kx"), InputError);
}

TEST(Parameters, OneOfKindRestTakesAllThatIsLeft) {
  const std::vector<Parameter> row{{.name = "each", .min = 1},
                                   {.name = "spec", .kind = ParameterKind::rest, .help = "a spec"},
                                   {.name = "p", .fallback = ""}};
  const auto spec = [&](std::string_view text) { return parse_parameters("x", row, text).text("spec"); };
  EXPECT_EQ(spec("2,torus:4x4,p=3"), "torus:4x4,p=3");
  EXPECT_EQ(spec("each=2,spec=a,b=c"), "a,b=c");
  EXPECT_EQ(spec("2,p=1,torus:4x4"), "torus:4x4");
  EXPECT_FALSE(parse_parameters("x", row, "2,torus:4x4,p=3").has("p"));
  EXPECT_THROW(parse_parameters("x", row, "2"), InputError);
}

TEST(Parameters, EachMistakeGetsItsOwnSentence) {
  EXPECT_EQ(message(""), "topology x: parameter dims is missing (sizes)");
  EXPECT_EQ(message("4,q=1"), "topology x has no parameter 'q'; did you mean 'p'?");
  EXPECT_EQ(message("4,wheels=1"), "topology x has no parameter 'wheels'; it has: dims, p, oriented");
  EXPECT_EQ(message("4x-1"), "topology x, parameter dims: -1 is outside 1 to 100");
  EXPECT_EQ(message("4x1.5"), "topology x, parameter dims: '1.5' is not a whole number");
  EXPECT_EQ(message("4,p=10"), "topology x, parameter p: 10 is outside 0 to 9");
  EXPECT_EQ(message("4,p=1,p=2"), "topology x: parameter p is given twice");
  EXPECT_EQ(message("4,,p=1"), "topology x: empty parameter (two commas in a row?)");
}

TEST(Parameters, NearNames) {
  EXPECT_EQ(near_names("tours", {"torus", "mesh"}), "did you mean 'torus'?");
  EXPECT_EQ(near_names("zzzzzz", {"torus", "mesh"}), "");
}

}  // namespace
}  // namespace unknot
