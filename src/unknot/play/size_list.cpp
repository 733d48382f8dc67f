// SPDX-License-Identifier: Apache-2.0
#include "unknot/play/size_list.hpp"

#include <fmt/format.h>

#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot::play {
namespace {

std::uint64_t take_size(Cursor& cursor) {
  const std::string_view rest = cursor.rest();
  const auto number = cursor.decimal(kMostBytes);
  if (!number) {
    throw InputError(
        fmt::format("--bytes: expected sizes as 1000, 64K or 1K:1M, of 1 to {} bytes, and found {}",
                    kMostBytes, place_shown(rest)));
  }
  const std::uint64_t unit = cursor.eat('K') ? 1ULL << 10U : cursor.eat('M') ? 1ULL << 20U : 1;
  if (*number == 0 || *number > kMostBytes / unit) {
    throw InputError(
        fmt::format("--bytes: {} is not a size of 1 to {} bytes", place_shown(rest), kMostBytes));
  }
  return *number * unit;
}

}  // namespace

std::vector<std::uint64_t> parse_sizes(std::string_view text) {
  std::vector<std::uint64_t> sizes;
  Cursor cursor(text);
  do {
    const std::string_view rest = cursor.rest();
    const std::uint64_t first = take_size(cursor);
    const std::uint64_t last = cursor.eat(':') ? take_size(cursor) : first;
    if (last < first) throw InputError(fmt::format("--bytes: {} goes down", place_shown(rest)));
    for (std::uint64_t size = first; size <= last; size *= 2) sizes.push_back(size);
  } while (cursor.eat(','));
  if (!cursor.at_end())
    throw InputError(fmt::format("--bytes: expected ',' or ':', and found {}", place_shown(cursor.rest())));
  return sizes;
}

}  // namespace unknot::play
