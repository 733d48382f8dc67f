// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>

namespace unknot::cli {

/// While it lives, the first Ctrl-C (SIGINT) or SIGTERM only raises a flag that long work polls through
/// Progress, so that temporary files are removed on the way out; the second one ends the program at once.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

 private:
  struct sigaction old_interrupt_ {};
  struct sigaction old_terminate_ {};
};

bool interrupted();
/// Throws Interrupted when the user has asked to stop; called between the stages of a command.
void stop_if_interrupted();

}  // namespace unknot::cli
