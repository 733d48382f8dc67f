// SPDX-License-Identifier: Apache-2.0
#include "long_work.hpp"

#include <atomic>
#include <csignal>

#include "unknot/support/files/stop_request.hpp"

namespace unknot::python {
namespace {

std::atomic<std::uint64_t> interrupts{0};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free,
              "a signal handler may only touch lock-free atomics");

extern "C" void count_interrupt(int /*signal*/) {
  interrupts.fetch_add(1, std::memory_order_relaxed);
  stop_requested.store(true, std::memory_order_relaxed);
}

/// Calls may run in several threads of Python at once: the first takes the signal, the last gives it back.
struct Shared {
  std::mutex mutex;
  int counters = 0;
  std::uint64_t seen = 0;  // interrupts when the first began
  struct sigaction old {};
};

Shared& shared() {
  static Shared all;
  return all;
}

}  // namespace

InterruptCounter::InterruptCounter() : before_(interrupts.load()) {
  const std::scoped_lock lock(shared().mutex);
  if (shared().counters++ > 0) return;
  shared().seen = before_;
  stop_requested = false;
  struct sigaction action {};
  action.sa_handler = count_interrupt;
  action.sa_flags = SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, &shared().old);
}

InterruptCounter::~InterruptCounter() {
  const std::scoped_lock lock(shared().mutex);
  if (--shared().counters > 0) return;
  ::sigaction(SIGINT, &shared().old, nullptr);
  if (interrupts.load() != shared().seen) PyErr_SetInterrupt();
}

bool InterruptCounter::interrupted() const {
  return interrupts.load(std::memory_order_relaxed) != before_;
}

void CallbackProgress::begin(const char* phase, std::uint64_t total) {
  phase_ = phase;
  total_ = total;
  next_ = {};
  call(0);
}

void CallbackProgress::update(std::uint64_t done) {
  if (done >= total_ || std::chrono::steady_clock::now() >= next_) call(done);
}

bool CallbackProgress::interrupted() const {
  if (counter_.interrupted()) return true;
  if (callback_.is_none()) return false;
  const std::scoped_lock lock(mutex_);
  return raised_ != nullptr;
}

void CallbackProgress::call(std::uint64_t done) {
  if (callback_.is_none()) return;
  next_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
  const py::gil_scoped_acquire acquire;
  try {
    callback_(phase_, done, total_);
  } catch (py::error_already_set&) {
    const std::scoped_lock lock(mutex_);
    if (raised_ == nullptr) raised_ = std::current_exception();
  }
}

void CallbackProgress::finish() {
  if (raised_ != nullptr) std::rethrow_exception(std::exchange(raised_, nullptr));
}

void raise_interrupts() {
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

}  // namespace unknot::python
