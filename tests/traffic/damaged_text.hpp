// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "unknot/support/random.hpp"

namespace unknot::testing {

/// Calls `examine` with thousands of damaged versions of a text: bytes changed, cut out, and put in from
/// `inserts`.
template <class Examine>
void for_damaged_texts(const std::string& good, const std::string& inserts, Examine examine) {
  Random random(1);
  for (int i = 0; i < 3000; ++i) {
    std::string text = good;
    for (std::uint32_t changes = 1 + random.below(3); changes > 0 && !text.empty(); --changes) {
      const std::uint32_t at = random.below(static_cast<std::uint32_t>(text.size()));
      switch (random.below(3)) {
        case 0:
          text[at] = static_cast<char>(random.below(256));
          break;
        case 1:
          text.erase(at, 1 + random.below(3));
          break;
        default:
          text.insert(at, 1, inserts[random.below(static_cast<std::uint32_t>(inserts.size()))]);
      }
    }
    examine(text);
  }
}

}  // namespace unknot::testing
