// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>

#include "unknot/support/clock.hpp"
#include "unknot/support/progress.hpp"

namespace unknot::cli {

/// Another progress, which tells work to stop when its time is over, too.
class TimedProgress final : public Progress {
 public:
  /// `seconds` from now on; 0: no end.
  TimedProgress(Progress& inner, double seconds)
      : inner_(inner), limited_(seconds > 0), end_(Clock::now() + std::chrono::duration<double>(seconds)) {}

  void begin(const char* phase, std::uint64_t total) override { inner_.begin(phase, total); }
  void update(std::uint64_t done) override { inner_.update(done); }
  [[nodiscard]] bool interrupted() const override { return inner_.interrupted() || is_over(); }
  [[nodiscard]] bool is_over() const { return limited_ && Clock::now() >= end_; }

 private:
  Progress& inner_;
  bool limited_;
  std::chrono::time_point<Clock, std::chrono::duration<double>> end_;
};

}  // namespace unknot::cli
