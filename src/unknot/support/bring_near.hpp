// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace unknot {

/// Brings the line of memory at `place`, which need not exist, near: it will be read soon, or written.
///
/// Calls of functions that do nothing but this are taken away by g++, as being without effect (seen with
/// version 12): the empty assembly keeps them.
inline void bring_near(const void* place) {
  __builtin_prefetch(place);
  asm volatile("");
}
inline void bring_near_to_write(const void* place) {
  __builtin_prefetch(place, 1);
  asm volatile("");
}
/// The same of all lines from `first` to before `last`.
inline void bring_near(const void* first, const void* last) {
  constexpr std::size_t kLine = 64;
  const auto* const end = static_cast<const std::byte*>(last);
  for (const auto* line = static_cast<const std::byte*>(first); line < end; line += kLine) bring_near(line);
}

}  // namespace unknot
