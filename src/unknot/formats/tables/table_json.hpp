// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

/// What the reader and the writer of tables as JSON share.
namespace unknot::table_json {

inline constexpr std::string_view kFormat = "unknot-tables";
inline constexpr std::uint32_t kVersion = 1;
/// Of files that lead to several addresses of a terminal.
inline constexpr std::uint32_t kVersionOfSeveral = 2;
inline constexpr std::string_view kCredits = "credits";
inline constexpr std::string_view kBubble = "bubble";

}  // namespace unknot::table_json
