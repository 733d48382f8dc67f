// SPDX-License-Identifier: Apache-2.0
#include "unknot/play/size_list.hpp"

#include <gmock/gmock.h>

#include "unknot/play/spread.hpp"
#include "unknot/support/error.hpp"

namespace unknot::play {
namespace {

using ::testing::ElementsAre;

TEST(SizeList, SizesRangesAndLists) {
  EXPECT_THAT(parse_sizes("1000"), ElementsAre(1000));
  EXPECT_THAT(parse_sizes("64K,3,1M"), ElementsAre(65536, 3, 1048576));
  EXPECT_THAT(parse_sizes("3:25"), ElementsAre(3, 6, 12, 24));
  EXPECT_THAT(parse_sizes("512:2K,7"), ElementsAre(512, 1024, 2048, 7));
  EXPECT_THAT(parse_sizes("1024M"), ElementsAre(kMostBytes));
  EXPECT_THAT(parse_sizes("1KiB:2KB,1G"), ElementsAre(1024, 2048, kMostBytes));
  EXPECT_EQ(parse_sizes("1:1024M").size(), 31U);
}

TEST(SizeList, RefusesAllElse) {
  for (const char* text : {"",
                           "0",
                           "K",
                           "-1",
                           "1k",
                           "1.5K",
                           "1,",
                           ",1",
                           "1:",
                           ":1",
                           "8:4",
                           "1:2:3",
                           "1 ",
                           "0K",
                           "1025M",
                           "1073741825",
                           "99999999999999999999",
                           "2G",
                           "1KK",
                           "iB"})
    EXPECT_THROW((void)parse_sizes(text), InputError) << text;
}

TEST(Spread, Quartiles) {
  const Spread odd = spread_of({5, 1, 4, 2, 3});
  EXPECT_DOUBLE_EQ(odd.least, 1);
  EXPECT_DOUBLE_EQ(odd.lower_quartile, 2);
  EXPECT_DOUBLE_EQ(odd.median, 3);
  EXPECT_DOUBLE_EQ(odd.upper_quartile, 4);
  EXPECT_DOUBLE_EQ(odd.greatest, 5);
  const Spread even = spread_of({10, 40, 20, 30});
  EXPECT_DOUBLE_EQ(even.lower_quartile, 17.5);
  EXPECT_DOUBLE_EQ(even.median, 25);
  EXPECT_DOUBLE_EQ(even.upper_quartile, 32.5);
  const Spread one = spread_of({7});
  EXPECT_DOUBLE_EQ(one.median, 7);
  EXPECT_DOUBLE_EQ(one.greatest, 7);
}

}  // namespace
}  // namespace unknot::play
