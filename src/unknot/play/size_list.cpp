// SPDX-License-Identifier: Apache-2.0
#include "unknot/play/size_list.hpp"

#include <fmt/format.h>

#include <optional>

#include "unknot/support/error.hpp"
#include "unknot/support/size.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot::play {
namespace {

std::uint64_t size_of(std::string_view text) {
  const std::optional<std::uint64_t> size = size_in(text);
  if (!size || *size == 0 || *size > kMostBytes) {
    throw InputError(
        fmt::format("--bytes: expected sizes as 1000, 64K or 1K:1M, of 1 to {} bytes, and found {}",
                    kMostBytes, place_shown(text)));
  }
  return *size;
}

}  // namespace

std::vector<std::uint64_t> parse_sizes(std::string_view text) {
  std::vector<std::uint64_t> sizes;
  for (;;) {
    const std::size_t end = text.find(',');
    const std::string_view item = text.substr(0, end);
    const std::size_t colon = item.find(':');
    const std::uint64_t first = size_of(item.substr(0, colon));
    const std::uint64_t last = colon == std::string_view::npos ? first : size_of(item.substr(colon + 1));
    if (last < first) throw InputError(fmt::format("--bytes: {} goes down", place_shown(item)));
    for (std::uint64_t size = first; size <= last; size *= 2) sizes.push_back(size);
    if (end == std::string_view::npos) return sizes;
    text.remove_prefix(end + 1);
  }
}

}  // namespace unknot::play
