// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/support/error.hpp"

namespace unknot {

/// What `action` returns. Where it throws an InputError that does not begin with the file's name, as it is
/// about what the file says and not about its text, the name is put before it. "" names no file.
template <class Action>
decltype(auto) in_file(const std::string& file, const Action& action) {
  try {
    return action();
  } catch (const InputError& error) {
    const std::string message = error.what();
    if (file.empty() || !error.file().empty() || message.starts_with(file)) throw;
    throw InputError((file == "-" ? "standard input" : file) + ": " + message);
  }
}

}  // namespace unknot
