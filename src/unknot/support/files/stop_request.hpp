// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace unknot {

/// Whether the user has asked to stop. A handler of signals sets it; what waits without a Progress (for the
/// other end of a pipe) looks at it. Never set by the library itself.
inline std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

/// Waits until poll() reports `events`, an error or an end on a descriptor. Throws Interrupted as soon as the
/// user asks to stop.
void wait_for(int fd, short events);
/// The same for a time. Milliseconds: short ones, as it is looked afterwards.
void wait_milliseconds(int milliseconds);

}  // namespace unknot
