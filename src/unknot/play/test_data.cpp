// SPDX-License-Identifier: Apache-2.0
#include "unknot/play/test_data.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

namespace unknot::play {
namespace {

constexpr std::size_t kWord = sizeof(std::uint64_t);
constexpr std::uint32_t kUnsent = 0xFFFFFFFFU;  // stands for the block of what is there before

/// The finaliser of SplitMix64: a bijection that spreads every bit. [Steele, Lea, Flood 2014]
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ x >> 30U) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ x >> 27U) * 0x94D049BB133111EBULL;
  return x ^ x >> 31U;
}

std::uint64_t stream_of(std::uint64_t seed, std::uint32_t rank, std::uint32_t block) {
  return mixed(mixed(seed) ^ (std::uint64_t{rank} << 32U | block));
}

/// Calls visit(offset of a word in its block, its bytes) for one block.
template <class Bytes, class Visit>
void each_word(Bytes block, Visit visit) {
  for (std::size_t at = 0; at < block.size(); at += kWord)
    visit(at, block.subspan(at, std::min(kWord, block.size() - at)));
}

}  // namespace

std::uint64_t TestData::word(std::uint64_t stream, std::uint64_t index) const {
  constexpr unsigned kCut = 24;
  const std::uint64_t bits = mixed(stream + index);
  switch (combination_) {
    case Combination::sum:
      return bits >> kCut;
    case Combination::sum_double:
      return std::bit_cast<std::uint64_t>(static_cast<double>(bits >> kCut));
    case Combination::exclusive_or:
    case Combination::maximum:
      break;
  }
  return bits;
}

void TestData::fill(std::uint64_t stream, std::span<std::byte> block) const {
  each_word(block, [&](std::size_t offset, std::span<std::byte> bytes) {
    const std::uint64_t value = word(stream, offset / kWord);
    std::memcpy(bytes.data(), &value, bytes.size());
  });
}

void TestData::fill_send(std::uint32_t rank, std::size_t block_bytes, std::span<std::byte> buffer) const {
  for (std::size_t at = 0; at < buffer.size(); at += block_bytes) {
    const std::uint64_t stream = stream_of(seed_, rank, static_cast<std::uint32_t>(at / block_bytes));
    fill(stream, buffer.subspan(at, block_bytes));
  }
}

void TestData::fill_receive(std::uint32_t rank, std::size_t block_bytes, std::span<std::byte> buffer) const {
  const std::uint64_t stream = stream_of(seed_, rank, kUnsent);
  for (std::size_t at = 0; at < buffer.size(); at += block_bytes)
    fill(stream, buffer.subspan(at, block_bytes));
}

DataVerdict TestData::check(std::uint32_t rank, const Promise& promise, std::size_t block_bytes,
                            std::span<const std::byte> buffer) const {
  DataVerdict verdict;
  std::vector<std::uint64_t> streams;
  for (std::size_t at = 0; at < buffer.size(); at += block_bytes) {
    const auto block = static_cast<std::uint32_t>(at / block_bytes);
    streams.clear();
    for (const SentMessage& sent : promise.of(block))
      streams.push_back(stream_of(seed_, sent.rank, sent.message));
    if (streams.empty()) streams.push_back(stream_of(seed_, rank, kUnsent));
    each_word(buffer.subspan(at, block_bytes), [&](std::size_t offset, std::span<const std::byte> bytes) {
      std::uint64_t value = word(streams[0], offset / kWord);
      for (std::size_t i = 1; i < streams.size(); ++i)
        value = combined(combination_, value, word(streams[i], offset / kWord));
      if (std::memcmp(bytes.data(), &value, bytes.size()) == 0) return;
      std::array<std::byte, kWord> expected{};
      std::memcpy(expected.data(), &value, kWord);
      for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (bytes[i] == expected[i]) continue;
        ++verdict.wrong_bytes;
        if (verdict.first) continue;
        verdict.first = {block, offset + i, std::to_integer<std::uint8_t>(bytes[i]),
                         std::to_integer<std::uint8_t>(expected[i])};
      }
    });
  }
  return verdict;
}

}  // namespace unknot::play
