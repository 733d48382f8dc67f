// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace unknot {

/// Tells the processor that this thread looks again and again at what another is about to write.
inline void spin_pause() {
#if defined(__x86_64__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Returns the first value for which not waits(value); it has seen all that was written before it was stored.
/// Looks for some ten microseconds, then sleeps: whoever stores must call notify_all().
template <class Value, class Waits>
Value wait_while(const std::atomic<Value>& variable, const Waits& waits) {
  constexpr int kLooks = 1000;
  Value now = variable.load(std::memory_order_acquire);
  for (int i = 0; i < kLooks && waits(now); ++i) {
    spin_pause();
    now = variable.load(std::memory_order_acquire);
  }
  while (waits(now)) {
    variable.wait(now, std::memory_order_acquire);
    now = variable.load(std::memory_order_acquire);
  }
  return now;
}

}  // namespace unknot
