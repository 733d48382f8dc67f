// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <cstring>
#include <string>

#include "unknot/support/error.hpp"

namespace unknot {

/// Throws InputError: "path: cannot write: No space left on device".
[[noreturn]] inline void fail_to(const char* what, const std::string& path, int reason = errno) {
  throw InputError(path + ": cannot " + what + ": " + std::strerror(reason));
}

}  // namespace unknot
