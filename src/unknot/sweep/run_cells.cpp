// SPDX-License-Identifier: Apache-2.0
#include "unknot/sweep/run_cells.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "unknot/support/error.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot::sweep {
namespace {

using namespace std::chrono_literals;

/// What the threads of one process share.
class Work {
 public:
  Work(const Plan& plan, Journal& journal, Claims& claims, const CellsJob& job, const CellRunner& run)
      : plan_(&plan), journal_(&journal), claims_(&claims), run_(&run), wait_(job.wait) {
    const std::size_t count = plan.cells.size();
    const std::size_t first = job.parts == 0 ? 0 : count * job.part / job.parts;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = (first + i) % count;
      if (journal.find(plan.cells[at].key) == nullptr) open_.push_back(at);
    }
  }

  [[nodiscard]] std::size_t to_do() const { return open_.size(); }

  /// What a thread does.
  void work() {
    try {
      while (const std::optional<std::size_t> at = next()) {
        const Cell& cell = plan_->cells[*at];
        Record record = (*run_)(cell);
        const std::lock_guard<std::mutex> lock(mutex_);
        journal_->add(cell.key, std::move(record));
        claims_->release(cell.key);
        ++ran_;
        ++finished_;
      }
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      stop_ = true;
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    ++ended_;
    changed_.notify_all();
  }

  /// Until `threads` threads have ended.
  void watch(std::uint32_t threads, Progress& progress) {
    std::unique_lock<std::mutex> lock(mutex_);
    while (ended_ < threads) {
      changed_.wait_for(lock, 50ms);
      const std::size_t finished = finished_;
      lock.unlock();
      progress.update(finished);
      const bool asked = progress.interrupted();
      lock.lock();
      if (asked && !stop_) {
        stop_ = true;
        changed_.notify_all();
        if (!failure_) failure_ = std::make_exception_ptr(Interrupted());
      }
    }
  }

  [[nodiscard]] std::size_t ran() const { return ran_; }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  /// A cell that is this process's alone, or nothing where there is nothing left to do.
  std::optional<std::size_t> next() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!stop_) {
      if (!open_.empty()) {
        const std::size_t at = open_.front();
        open_.pop_front();
        if (claimed(at)) return at;
        continue;
      }
      if (held_.empty() || !wait_) return std::nullopt;
      changed_.wait_for(lock, 200ms);
      journal_->refresh();
      std::swap(open_, held_);
    }
    return std::nullopt;
  }

  /// Who has finished a cell has written it down before letting go of it: it is looked up after the claim.
  bool claimed(std::size_t at) {
    const std::uint64_t key = plan_->cells[at].key;
    if (journal_->find(key) != nullptr) {
      ++finished_;
      return false;
    }
    if (!claims_->take(key)) {
      held_.push_back(at);
      return false;
    }
    journal_->refresh();
    if (journal_->find(key) == nullptr) return true;
    claims_->release(key);
    ++finished_;
    return false;
  }

  const Plan* plan_;
  Journal* journal_;
  Claims* claims_;
  const CellRunner* run_;
  bool wait_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::size_t> open_;  // in the order to try
  std::deque<std::size_t> held_;  // by other processes
  std::size_t ran_ = 0;
  std::size_t finished_ = 0;
  std::uint32_t ended_ = 0;
  bool stop_ = false;
  std::exception_ptr failure_;
};

}  // namespace

std::size_t run_cells(const Plan& plan, Journal& journal, Claims& claims, const CellsJob& job,
                      const CellRunner& run, Progress& progress) {
  Work work(plan, journal, claims, job, run);
  progress.begin("sweeping", work.to_do());
  const std::size_t wanted = job.threads == 0 ? hardware_threads() : job.threads;
  const auto threads = static_cast<std::uint32_t>(std::min(wanted, work.to_do()));
  {
    std::vector<std::jthread> workers;
    for (std::uint32_t i = 0; i < threads; ++i) workers.emplace_back([&] { work.work(); });
    work.watch(threads, progress);
  }
  work.rethrow();
  return work.ran();
}

}  // namespace unknot::sweep
