// SPDX-License-Identifier: Apache-2.0
#include "unknot/support/parallel.hpp"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

namespace unknot {

namespace {

std::atomic<std::uint32_t> thread_limit{0};

/// The exception of the block with the smallest number.
class FirstFailure {
 public:
  [[nodiscard]] bool before(std::uint32_t block) const {
    return block_.load(std::memory_order_relaxed) < block;
  }
  void take(std::uint32_t block) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (block >= block_.load(std::memory_order_relaxed)) return;
    block_.store(block, std::memory_order_relaxed);
    failure_ = std::current_exception();
  }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::mutex mutex_;
  std::atomic<std::uint32_t> block_{0xFFFFFFFFU};
  std::exception_ptr failure_;
};

/// Of the calling thread, kept between calls: threads come to a new one so late (some 50 us) that short calls
/// would be over before. A call within a call has one of its own: who waits for it must not begin other
/// blocks of the call around it.
class KeptArena {
 public:
  template <class Work>
  void execute(std::uint32_t threads, const Work& work) {
    const auto most = static_cast<int>(std::min(threads, hardware_threads()));
    if (busy_) {
      tbb::task_arena(most).execute(work);
      return;
    }
    if (arena_.max_concurrency() != most) {
      arena_.terminate();
      arena_.initialize(most);
    }
    const Taken taken(busy_);
    arena_.execute(work);
  }

 private:
  struct Taken {
    explicit Taken(bool& busy) : busy_(busy) { busy_ = true; }
    ~Taken() { busy_ = false; }
    Taken(const Taken&) = delete;
    Taken& operator=(const Taken&) = delete;
    bool& busy_;
  };
  tbb::task_arena arena_{1};
  bool busy_ = false;
};

}  // namespace

std::uint32_t hardware_threads() {
  const auto all = static_cast<std::uint32_t>(std::max(1, tbb::this_task_arena::max_concurrency()));
  const std::uint32_t most = thread_limit.load(std::memory_order_relaxed);
  return most == 0 ? all : std::min(all, most);
}

void limit_threads(std::uint32_t most) {
  thread_limit.store(most, std::memory_order_relaxed);
}

void parallel_blocks(std::uint32_t count, std::uint32_t block, std::uint32_t threads,
                     const std::function<void(std::uint32_t, std::uint32_t, std::uint32_t)>& work) {
  if (count == 0) return;
  if (threads == 0) threads = hardware_threads();
  const std::uint32_t blocks = (count - 1) / block + 1;
  threads = std::min(threads, blocks);
  if (threads == 1) {
    for (std::uint32_t b = 0; b < blocks; ++b) work(0, b * block, std::min(count, (b + 1) * block));
    return;
  }
  // One long-lived task for each worker, blocks handed out by a counter: `worker` is then private scratch by
  // design.
  std::atomic<std::uint32_t> next{0};
  FirstFailure failure;
  thread_local KeptArena arena;
  arena.execute(threads, [&] {
    tbb::parallel_for(
        std::uint32_t{0}, threads,
        [&](std::uint32_t worker) {
          // Blocks before a failed one are all done, so that which failure is the first does not depend on
          // threads.
          for (std::uint32_t b = next++; b < blocks && !failure.before(b); b = next++) {
            try {
              work(worker, b * block, std::min(count, (b + 1) * block));
            } catch (...) {
              failure.take(b);
            }
          }
        },
        tbb::simple_partitioner());
  });
  failure.rethrow();
}

}  // namespace unknot
