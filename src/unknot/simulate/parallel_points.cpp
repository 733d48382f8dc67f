// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/parallel_points.hpp"

#include <atomic>
#include <exception>
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

/// The exception of the point with the smallest index.
class FirstFailure {
 public:
  [[nodiscard]] bool before(std::uint32_t index) const {
    return index_.load(std::memory_order_relaxed) < index;
  }
  void take(std::uint32_t index) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (index >= index_.load(std::memory_order_relaxed)) return;
    index_.store(index, std::memory_order_relaxed);
    failure_ = std::current_exception();
  }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::mutex mutex_;
  std::atomic<std::uint32_t> index_{0xFFFFFFFFU};
  std::exception_ptr failure_;
};

}  // namespace

void for_each_point(std::uint32_t count, std::uint32_t threads, const char* phase, Progress& progress,
                    const PointWork& work) {
  Watch watch(progress, phase, count);
  FirstFailure failure;
  parallel_blocks(count, 1, threads, [&](std::uint32_t, std::uint32_t index, std::uint32_t) {
    // Points before a failed one are all done, so that which failure is the first does not depend on threads.
    if (failure.before(index)) return;
    try {
      if (watch.interrupted()) throw Interrupted();
      work(index, watch);
      watch.point_done();
    } catch (...) {
      failure.take(index);
    }
  });
  failure.rethrow();
}

}  // namespace unknot::simulate
