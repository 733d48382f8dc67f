// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace unknot {

/// Whether AddressSanitizer is on: the longest tests then take fewer cases, or they would take minutes.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kUnderSanitizers = true;
#elif defined(__has_feature)
inline constexpr bool kUnderSanitizers = __has_feature(address_sanitizer);
#else
inline constexpr bool kUnderSanitizers = false;
#endif

}  // namespace unknot
