// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace unknot::cli {

/// Wall-clock seconds since it was made.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace unknot::cli
