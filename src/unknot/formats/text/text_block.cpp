// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/text/text_block.hpp"

#include <algorithm>
#include <vector>

#include "unknot/support/parallel.hpp"

namespace unknot {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 20;

}  // namespace

void TextBlock::grow(std::size_t bytes) {
  const std::size_t capacity = std::max({size_ + bytes, 2 * capacity_, kBlockBytes + kBlockBytes / 4});
  std::unique_ptr<char[]> data(new char[capacity]);  // not make_unique: that would clear it
  if (size_ > 0) std::memcpy(data.get(), data_.get(), size_);
  data_ = std::move(data);
  capacity_ = capacity;
}

std::uint32_t records_a_block(std::size_t bytes_a_record) {
  return static_cast<std::uint32_t>(
      std::clamp<std::size_t>(kBlockBytes / std::max<std::size_t>(1, bytes_a_record), 1, kBlockBytes));
}

void write_blocks(const FileSink& sink, std::uint32_t count, std::uint32_t range,
                  const std::function<void(std::uint32_t, std::uint32_t, TextBlock&)>& fill) {
  if (count == 0) return;
  const std::uint32_t blocks = (count - 1) / range + 1;
  const std::uint32_t threads = hardware_threads();
  const std::uint32_t round = std::min(blocks, threads);
  std::vector<TextBlock> made(round);
  for (std::uint32_t first = 0; first < blocks; first += round) {
    const std::uint32_t now = std::min(round, blocks - first);
    parallel_blocks(now, 1, threads, [&](std::uint32_t, std::uint32_t begin, std::uint32_t end) {
      for (std::uint32_t i = begin; i < end; ++i) {
        const std::uint32_t from = (first + i) * range;
        made[i].clear();
        fill(from, from + std::min(range, count - from), made[i]);
      }
    });
    for (std::uint32_t i = 0; i < now; ++i) sink(made[i].text());
  }
}

}  // namespace unknot
