// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <barrier>
#include <cstdint>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "unknot/evolve/exchange.hpp"

namespace unknot::evolve {

/// Threads that stand for processes: they share a board, and nothing else.
class ThreadBoard {
 public:
  explicit ThreadBoard(std::uint32_t processes)
      : barrier_(processes), numbers_(processes), values_(processes) {}

 private:
  friend class ThreadExchange;
  std::barrier<> barrier_;
  std::vector<std::vector<std::uint64_t>> numbers_;  // by process
  std::vector<std::vector<Value>> values_;
};

class ThreadExchange final : public Exchange {
 public:
  ThreadExchange(ThreadBoard& board, std::uint32_t process) : board_(&board), process_(process) {}
  std::uint32_t processes() const override { return static_cast<std::uint32_t>(board_->numbers_.size()); }
  std::uint32_t process() const override { return process_; }

  void minimum(std::span<std::uint64_t> numbers) override {
    ++calls_;
    board_->numbers_[process_].assign(numbers.begin(), numbers.end());
    board_->barrier_.arrive_and_wait();
    for (const std::vector<std::uint64_t>& other : board_->numbers_) {
      for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = std::min(numbers[i], other.at(i));
    }
    board_->barrier_.arrive_and_wait();
  }
  void pass_on(std::span<const Value> out, std::span<Value> in) override {
    board_->values_[process_].assign(out.begin(), out.end());
    board_->barrier_.arrive_and_wait();
    const std::vector<Value>& sent = board_->values_[(process_ + processes() - 1) % processes()];
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = sent.at(i);
    board_->barrier_.arrive_and_wait();
  }
  void broadcast(std::span<Value> values, std::uint32_t from) override {
    if (from == process_) board_->values_[from].assign(values.begin(), values.end());
    board_->barrier_.arrive_and_wait();
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = board_->values_[from].at(i);
    board_->barrier_.arrive_and_wait();
  }
  /// Agreements made.
  std::uint64_t calls() const { return calls_; }

 private:
  ThreadBoard* board_;
  std::uint32_t process_;
  std::uint64_t calls_ = 0;
};

/// work(exchange) of each process; what each returned. Every process must return.
template <class Work>
auto on_processes(std::uint32_t processes, const Work& work) {
  using Result = decltype(work(std::declval<ThreadExchange&>()));
  ThreadBoard board(processes);
  std::vector<Result> results(processes);
  std::vector<std::jthread> threads;
  for (std::uint32_t p = 0; p < processes; ++p) {
    threads.emplace_back([&, p] {
      ThreadExchange exchange(board, p);
      results[p] = work(exchange);
    });
  }
  threads.clear();
  return results;
}

}  // namespace unknot::evolve
