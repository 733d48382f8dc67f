// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/output/interrupt.hpp"

#include "unknot/support/error.hpp"
#include "unknot/support/files/stop_request.hpp"

namespace unknot::cli {
namespace {

extern "C" void on_signal(int /*signal*/) {
  stop_requested.store(true, std::memory_order_relaxed);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  stop_requested = false;
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
  return stop_requested.load(std::memory_order_relaxed);
}

void stop_if_interrupted() {
  if (interrupted()) throw Interrupted();
}

}  // namespace unknot::cli
