// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "unknot/support/clock.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {

/// Stops at a moment as well as when the user asks for it.
class Deadline final : public Progress {
 public:
  /// `seconds` from now, 0: never. `user` must outlive this.
  Deadline(const Progress& user, double seconds) : user_(user), limited_(seconds > 0) {
    until_ =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }
  [[nodiscard]] bool interrupted() const override {
    return user_.interrupted() || (limited_ && std::chrono::steady_clock::now() >= until_);
  }

 private:
  const Progress& user_;
  bool limited_;
  std::chrono::steady_clock::time_point until_;
};

}  // namespace unknot
