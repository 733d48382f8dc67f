// SPDX-License-Identifier: Apache-2.0
#include "unknot/play/test_data.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <set>

#include "play/play_cases.hpp"
#include "unknot/play/block_layout.hpp"
#include "unknot/support/error.hpp"

namespace unknot::play {
namespace {

using Bytes = std::vector<std::byte>;

/// What a correct run leaves at a rank: words combined one after the other, in the order of the list or
/// against it.
Bytes left(const TestData& data, Combination combination, const BlockLayout& layout, std::uint32_t rank,
           const Promise& promise, std::size_t bytes, bool backwards) {
  Bytes buffer(layout.receive_messages * bytes);
  data.fill_receive(rank, bytes, buffer);
  Bytes sent(layout.send_messages * bytes);
  for (std::uint32_t b = 0; b < promise.messages(); ++b) {
    std::vector<SentMessage> parts(promise.of(b).begin(), promise.of(b).end());
    if (backwards) std::reverse(parts.begin(), parts.end());
    std::byte* const block = buffer.data() + b * bytes;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      data.fill_send(parts[i].rank, bytes, sent);
      const std::byte* part = sent.data() + parts[i].message * bytes;
      for (std::size_t at = 0; at < bytes; at += 8) {
        std::uint64_t one = 0;
        std::uint64_t other = 0;
        const std::size_t size = std::min<std::size_t>(8, bytes - at);
        std::memcpy(&one, block + at, size);
        std::memcpy(&other, part + at, size);
        const std::uint64_t result = i == 0 ? other : combined(combination, one, other);
        std::memcpy(block + at, &result, size);
      }
    }
  }
  return buffer;
}

TEST(TestData, WhatIsPromisedIsRightAndEachDamagedByteIsFound) {
  for (const auto& [name, problem, schedule] : testing::plain_cases()) {
    SCOPED_TRACE(name);
    const bool reduces = problem.reduces();
    const BlockLayout layout = block_layout(problem);
    const std::vector<Promise> all = promises(problem);
    for (const CombinationRow& row : combinations()) {
      if (!reduces && row.combination != Combination::exclusive_or) continue;
      const TestData data(7, row.combination);
      const std::size_t bytes = reduces ? 16 : 11;
      for (std::uint32_t rank = 0; rank < all.size(); ++rank) {
        Bytes buffer = left(data, row.combination, layout, rank, all[rank], bytes, false);
        EXPECT_EQ(buffer, left(data, row.combination, layout, rank, all[rank], bytes, true));
        ASSERT_EQ(data.check(rank, all[rank], bytes, buffer).wrong_bytes, 0U);
        for (std::size_t at = 0; at < buffer.size(); ++at) {
          const std::byte right = buffer[at];
          buffer[at] ^= std::byte{0x40};
          const DataVerdict verdict = data.check(rank, all[rank], bytes, buffer);
          ASSERT_EQ(verdict.wrong_bytes, 1U);
          ASSERT_TRUE(verdict.first);
          EXPECT_EQ(verdict.first->block, at / bytes);
          EXPECT_EQ(verdict.first->offset, at % bytes);
          EXPECT_EQ(std::byte{verdict.first->expected}, right);
          EXPECT_EQ(std::byte{verdict.first->found}, buffer[at]);
          buffer[at] = right;
        }
      }
    }
  }
}

TEST(TestData, EveryBlockIsAnother) {
  const std::size_t bytes = 24;
  std::set<Bytes> seen;
  std::size_t blocks = 0;
  for (const std::uint64_t seed : {0, 1, 2}) {
    const TestData data(seed, Combination::sum);
    for (std::uint32_t rank = 0; rank < 8; ++rank) {
      Bytes sent(8 * bytes);
      data.fill_send(rank, bytes, sent);
      for (std::size_t at = 0; at < sent.size(); at += bytes, ++blocks)
        seen.emplace(sent.begin() + static_cast<std::ptrdiff_t>(at),
                     sent.begin() + static_cast<std::ptrdiff_t>(at + bytes));
      Bytes unsent(bytes);
      data.fill_receive(rank, bytes, unsent);
      seen.insert(unsent);
      ++blocks;
    }
  }
  EXPECT_EQ(seen.size(), blocks);
}

TEST(TestData, ABlockOfAnotherPlaceIsWrong) {
  const TestData data(1, Combination::exclusive_or);
  Promise promise;
  promise.sent = {{0, 1}, {1, 1}};
  promise.first = {0, 1, 2};
  Bytes buffer(128);
  Bytes sent(128);
  data.fill_send(1, 64, sent);
  std::copy_n(sent.begin() + 64, 64, buffer.begin());  // where that of rank 0 belongs
  std::copy_n(sent.begin() + 64, 64, buffer.begin() + 64);
  const DataVerdict verdict = data.check(1, promise, 64, buffer);
  EXPECT_GT(verdict.wrong_bytes, 50U);
  EXPECT_LE(verdict.wrong_bytes, 64U);
  EXPECT_EQ(verdict.first->block, 0U);
}

TEST(Combination, CombinesWordsOfItsType) {
  const auto word = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  EXPECT_EQ(combined(Combination::sum, 5, static_cast<std::uint64_t>(-7)), static_cast<std::uint64_t>(-2));
  EXPECT_EQ(combined(Combination::sum_double, word(0.5), word(0.25)), word(0.75));
  EXPECT_EQ(combined(Combination::exclusive_or, 6, 5), 3U);
  EXPECT_EQ(combined(Combination::maximum, 3, static_cast<std::uint64_t>(-7)), 3U);
  EXPECT_EQ(find_combination("xor").combination, Combination::exclusive_or);
  EXPECT_THROW((void)find_combination("product"), InputError);
}

}  // namespace
}  // namespace unknot::play
