// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string_view>

#include "unknot/support/files/file.hpp"

namespace unknot {

/// A piece of output text that grows by pointer: make room for the longest record, write it, say where it
/// ended. One check for a record instead of one for each field.
class TextBlock {
 public:
  /// Free space for at least `bytes`, to be written from the returned pointer on.
  char* room(std::size_t bytes) {
    if (capacity_ - size_ < bytes) grow(bytes);
    return data_.get() + size_;
  }
  /// What was written after the last room() ends here.
  void end_at(const char* end) { size_ = static_cast<std::size_t>(end - data_.get()); }
  void append(std::string_view text) {
    std::memcpy(room(text.size()), text.data(), text.size());
    size_ += text.size();
  }
  void clear() { size_ = 0; }
  [[nodiscard]] std::string_view text() const { return {data_.get(), size_}; }

 private:
  void grow(std::size_t bytes);
  std::unique_ptr<char[]> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

/// Number of records that make a block of about a mebibyte.
std::uint32_t records_a_block(std::size_t bytes_a_record);

/// Calls fill(begin, end, block) for consecutive ranges of [0, count), `range` records each, on all cores and
/// hands the blocks to the sink in order: the same bytes at any number of threads.
void write_blocks(const FileSink& sink, std::uint32_t count, std::uint32_t range,
                  const std::function<void(std::uint32_t begin, std::uint32_t end, TextBlock& block)>& fill);

inline char* put_text(char* p, std::string_view text) {
  std::memcpy(p, text.data(), text.size());
  return p + text.size();
}

/// Exactly `digits` lower-case hexadecimal digits.
inline char* put_hex(char* p, std::uint64_t value, int digits) {
  for (int i = digits - 1; i >= 0; --i) {
    p[i] = "0123456789abcdef"[value & 15U];
    value >>= 4;
  }
  return p + digits;
}

/// 0x and 16 digits, as every tool of the field prints GUIDs.
inline char* put_guid(char* p, std::uint64_t guid) {
  return put_hex(put_text(p, "0x"), guid, 16);
}

inline char* put_decimal(char* p, std::uint32_t value) {
  char digits[10];
  int count = 0;
  do {
    digits[count++] = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value != 0);
  while (count > 0) *p++ = digits[--count];
  return p;
}

/// Three decimal digits with leading zeros; value < 1000.
inline char* put_decimal3(char* p, std::uint32_t value) {
  p[0] = static_cast<char>('0' + value / 100);
  p[1] = static_cast<char>('0' + value / 10 % 10);
  p[2] = static_cast<char>('0' + value % 10);
  return p + 3;
}

}  // namespace unknot
