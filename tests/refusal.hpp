// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "unknot/support/error.hpp"

namespace unknot {

/// What `action` says of an input that it refuses; nothing where it takes it.
inline std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace unknot
