// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <mutex>

#include "unknot/support/error.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {

/// Lets the workers of a parallel loop report to one Progress, which hears one thread at a time.
class SharedProgress {
 public:
  SharedProgress(Progress& progress, const char* phase, std::uint64_t total) : progress_(&progress) {
    progress.begin(phase, total);
  }
  /// One more step is done. Throws Interrupted when the user wants to stop.
  void step() {
    const std::lock_guard<std::mutex> lock(mutex_);
    progress_->update(++done_);
    if (progress_->interrupted()) throw Interrupted();
  }

 private:
  std::mutex mutex_;
  Progress* progress_;
  std::uint64_t done_ = 0;
};

}  // namespace unknot
