// SPDX-License-Identifier: Apache-2.0
#include "unknot/traffic/workloads/process_groups.hpp"

#include <gtest/gtest.h>

#include <map>
#include <utility>
#include <vector>

#include "refusal.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

using Sent = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t>;

/// One group of n, message by message: rings step by step, shares of B bytes rounded up.
Sent by_steps(GroupCollective collective, std::uint32_t n, std::uint64_t bytes) {
  Sent sent;
  const std::uint64_t share = (bytes + n - 1) / n;
  const auto ring = [&](std::uint32_t steps, std::uint64_t each) {
    for (std::uint32_t step = 0; step < steps; ++step) {
      for (std::uint32_t r = 0; r < n; ++r) sent[{r, (r + 1) % n}] += each;
    }
  };
  switch (collective) {
    case GroupCollective::all_reduce:
      ring(n - 1, share);
      ring(n - 1, share);
      break;
    case GroupCollective::all_gather:
      ring(n - 1, bytes);
      break;
    case GroupCollective::reduce_scatter:
      ring(n - 1, share);
      break;
    case GroupCollective::all_to_all:
      for (std::uint32_t r = 0; r < n; ++r) {
        for (std::uint32_t s = 0; s < n; ++s) {
          if (r != s) sent[{r, s}] += share;
        }
      }
      break;
    case GroupCollective::pipeline:
      for (std::uint32_t r = 0; r + 1 < n; ++r) sent[{r, r + 1}] += bytes;
      break;
    case GroupCollective::none:
      break;
  }
  return sent;
}

TEST(ProcessGroups, SendWhatTheirStepsDo) {
  for (const GroupCollectiveRow& first : group_collectives()) {
    for (const GroupCollectiveRow& second : group_collectives()) {
      for (const std::uint32_t n : {1U, 2U, 3U, 5U}) {
        constexpr std::uint32_t kOther = 4;
        const std::vector<GroupDimension> dimensions = {{n, first.collective, 1000},
                                                        {kOther, second.collective, 77}};
        Sent expected;
        for (std::uint32_t line = 0; line < kOther; ++line) {
          for (const auto& [ends, bytes] : by_steps(first.collective, n, 1000)) {
            if (bytes > 0) expected[{line * n + ends.first, line * n + ends.second}] += bytes;
          }
        }
        for (std::uint32_t line = 0; line < n; ++line) {
          for (const auto& [ends, bytes] : by_steps(second.collective, kOther, 77))
            expected[{line + ends.first * n, line + ends.second * n}] += bytes;
        }
        if (expected.empty()) {
          EXPECT_EQ(refusal([&] { (void)process_group_matrix(dimensions); }),
                    "process groups: nothing is exchanged");
          continue;
        }
        const CommunicationMatrix matrix = process_group_matrix(dimensions);
        ASSERT_EQ(matrix.ranks, n * kOther);
        Sent found;
        for (std::uint32_t r = 0; r < matrix.ranks; ++r) {
          for (std::uint64_t e = matrix.first[r]; e < matrix.first[r + 1]; ++e) {
            EXPECT_TRUE(e == matrix.first[r] || matrix.entries[e - 1].column < matrix.entries[e].column);
            found[{r, matrix.entries[e].column}] = matrix.entries[e].bytes;
          }
        }
        EXPECT_EQ(found, expected) << first.name << " " << n << " " << second.name;
      }
    }
  }
}

TEST(ProcessGroups, RefusesWhatIsTooLarge) {
  const std::vector<GroupDimension> many = {{4096, GroupCollective::all_reduce, 1},
                                            {8192, GroupCollective::none, 1}};
  EXPECT_EQ(refusal([&] { (void)process_group_matrix(many); }), "process groups: more than 16777216 ranks");
  const std::vector<GroupDimension> all = {{1U << 14U, GroupCollective::all_to_all, 1}};
  EXPECT_EQ(refusal([&] { (void)process_group_matrix(all); }), "process groups: more than 64000000 messages");
  EXPECT_EQ(refusal([] { (void)process_group_matrix({}); }), "process groups: nothing is exchanged");
  EXPECT_EQ(refusal([] { (void)find_group_collective("all-reduc"); }).substr(0, 36),
            "unknown collective of groups 'all-re");
}

}  // namespace
}  // namespace unknot
