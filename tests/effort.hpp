// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <string_view>

namespace unknot {

/// Whether a test that could look at any number of cases takes those that find most in seconds. All cases are
/// wanted where UNKNOT_TESTS=all is set: scripts/test --all and scripts/nightly do it.
inline bool fewer_cases() {
  static const bool fewer = [] {
    const char* text = std::getenv("UNKNOT_TESTS");
    return text == nullptr || std::string_view(text) != "all";
  }();
  return fewer;
}

}  // namespace unknot
