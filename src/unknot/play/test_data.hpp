// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "unknot/play/combination.hpp"
#include "unknot/play/promise.hpp"

namespace unknot::play {

/// A byte that is not what it must be.
struct WrongByte {
  std::uint32_t block = 0;   ///< of the receive buffer
  std::uint64_t offset = 0;  ///< in the block
  std::uint8_t found = 0;
  std::uint8_t expected = 0;
};

struct DataVerdict {
  std::uint64_t wrong_bytes = 0;
  std::optional<WrongByte> first;
};

/// Buffers whose every byte is known beforehand: it depends on the seed, the rank that sends, the block of
/// its send buffer (which names the destination where messages are personal) and the offset. Words are of
/// eight bytes, the last one of a block may be cut off; for sums they are whole numbers below 2^40, so that
/// sums of 2^13 ranks are exact whatever the order and the type.
class TestData {
 public:
  /// `combination`: of what is to be combined; also says of what type words are.
  TestData(std::uint64_t seed, Combination combination) : seed_(seed), combination_(combination) {}

  /// The send buffer of a rank: buffer.size() / block_bytes blocks. O(bytes).
  void fill_send(std::uint32_t rank, std::size_t block_bytes, std::span<std::byte> buffer) const;
  /// What is in the receive buffer before, and has to stay where nothing is promised. O(bytes).
  void fill_receive(std::uint32_t rank, std::size_t block_bytes, std::span<std::byte> buffer) const;
  /// The receive buffer of a rank, compared with what was promised. O(bytes * what each block is combined
  /// of).
  [[nodiscard]] DataVerdict check(std::uint32_t rank, const Promise& promise, std::size_t block_bytes,
                                  std::span<const std::byte> buffer) const;

 private:
  [[nodiscard]] std::uint64_t word(std::uint64_t stream, std::uint64_t index) const;
  void fill(std::uint64_t stream, std::span<std::byte> block) const;

  std::uint64_t seed_;
  Combination combination_;
};

}  // namespace unknot::play
