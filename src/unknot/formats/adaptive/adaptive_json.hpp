// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

/// What the reader and the writer of adaptive routings as JSON share.
namespace unknot::adaptive_json {

inline constexpr std::string_view kFormat = "unknot-adaptive";
inline constexpr int kVersion = 1;
/// By ChoiceKind.
inline constexpr std::array<std::string_view, 3> kKinds = {"fixed", "adaptive", "hashed"};
// Entries that are no choice, and fixed ports that are none.
inline constexpr int kNoEntry = -1;
inline constexpr int kHereEntry = -2;
inline constexpr int kNoPort = 0;
inline constexpr int kStrayPort = -1;

}  // namespace unknot::adaptive_json
