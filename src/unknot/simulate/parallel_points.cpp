// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/parallel_points.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "unknot/support/error.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot::simulate {
namespace {

/// The caller's Progress for many threads: one of them asks it at a time, the others go by the last answer.
class Watch final : public Progress {
 public:
  Watch(Progress& outer, const char* phase, std::uint64_t total) : outer_(&outer) {
    outer_->begin(phase, total);
  }

  [[nodiscard]] bool interrupted() const override {
    if (stop_.load(std::memory_order_relaxed)) return true;
    const std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
    if (lock.owns_lock() && outer_->interrupted()) stop_.store(true, std::memory_order_relaxed);
    return stop_.load(std::memory_order_relaxed);
  }
  void point_done() {
    const std::lock_guard<std::mutex> lock(mutex_);
    outer_->update(++done_);
  }

 private:
  Progress* outer_;
  mutable std::mutex mutex_;
  mutable std::atomic<bool> stop_{false};
  std::uint64_t done_ = 0;
};

}  // namespace

std::uint32_t threads_of_each(std::uint32_t runs, std::uint32_t threads) {
  return std::max(1U, (threads > 0 ? threads : hardware_threads()) / std::max(1U, runs));
}

void for_each_point(std::uint32_t count, std::uint32_t threads, const char* phase, Progress& progress,
                    const PointWork& work) {
  Watch watch(progress, phase, count);
  parallel_blocks(count, 1, threads, [&](std::uint32_t, std::uint32_t index, std::uint32_t) {
    if (watch.interrupted()) throw Interrupted();
    work(index, watch);
    watch.point_done();
  });
}

}  // namespace unknot::simulate
