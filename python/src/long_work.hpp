// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <cstdint>
#include <exception>
#include <mutex>
#include <utility>

#include "unknot/support/error.hpp"
#include "unknot/support/progress.hpp"

namespace unknot::python {

namespace py = pybind11;

/// While one lives, Ctrl-C is counted instead of reaching Python, which could not hear it before the work is
/// done. What was counted is handed to Python when the last one goes.
class InterruptCounter {
 public:
  InterruptCounter();
  ~InterruptCounter();
  InterruptCounter(const InterruptCounter&) = delete;
  InterruptCounter& operator=(const InterruptCounter&) = delete;
  [[nodiscard]] bool interrupted() const;

 private:
  std::uint64_t before_;
};

/// Progress for Python: calls `callback(phase, done, total)` at the beginning of each phase and at most ten
/// times a second; None: nobody. What it raises ends the work, and is raised again by finish().
class CallbackProgress final : public Progress {
 public:
  explicit CallbackProgress(py::object callback) : callback_(std::move(callback)) {}
  void begin(const char* phase, std::uint64_t total) override;
  void update(std::uint64_t done) override;
  [[nodiscard]] bool interrupted() const override;
  /// Raises what the callback has raised. With the interpreter's lock.
  void finish();

 private:
  void call(std::uint64_t done);

  InterruptCounter counter_;
  py::object callback_;
  const char* phase_ = "";
  std::uint64_t total_ = 0;
  std::chrono::steady_clock::time_point next_{};
  mutable std::mutex mutex_;
  std::exception_ptr raised_;
};

/// Raises KeyboardInterrupt, or what the program's own handler of Ctrl-C raises, when it was pressed.
void raise_interrupts();

/// Runs `work(progress)` without the interpreter's lock: other threads of Python go on, Ctrl-C ends it with
/// an exception, in every thread.
template <class Work>
auto run_long(const py::object& callback, const Work& work) {
  decltype(work(std::declval<Progress&>())) result;
  bool interrupted = false;
  {
    CallbackProgress progress(callback);
    try {
      const py::gil_scoped_release release;
      result = work(static_cast<Progress&>(progress));
    } catch (const Interrupted&) {
      progress.finish();
      if (!progress.interrupted()) throw;
    }
    progress.finish();
    interrupted = progress.interrupted();
  }
  raise_interrupts();
  // In a thread that hears no signals, and where the program's own handler raises nothing: what there is of a
  // result is no answer.
  if (interrupted) throw Interrupted();
  return result;
}

}  // namespace unknot::python
