// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/interrupt.hpp"

#include <atomic>

#include "unknot/support/error.hpp"

namespace unknot::cli {
namespace {

std::atomic<bool> asked_to_stop{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

extern "C" void on_signal(int /*signal*/) {
  asked_to_stop.store(true, std::memory_order_relaxed);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  asked_to_stop = false;
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, &old_interrupt_);
  ::sigaction(SIGTERM, &action, &old_terminate_);
}

InterruptGuard::~InterruptGuard() {
  ::sigaction(SIGINT, &old_interrupt_, nullptr);
  ::sigaction(SIGTERM, &old_terminate_, nullptr);
}

bool interrupted() {
  return asked_to_stop.load(std::memory_order_relaxed);
}

void stop_if_interrupted() {
  if (interrupted()) throw Interrupted();
}

}  // namespace unknot::cli
