// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/parts/parted_engine.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <exception>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "unknot/simulate/core/part_engine.hpp"
#include "unknot/simulate/parts/division.hpp"
#include "unknot/simulate/parts/window_barrier.hpp"
#include "unknot/support/parallel.hpp"
#include "unknot/support/spin_wait.hpp"

namespace unknot::simulate {
namespace {

class PartedEngine final : public Engine {
 public:
  PartedEngine(std::uint32_t parts, const RoutePlan& plan, const Settings& settings, const LinkTimes& links,
               Source& source)
      : plan_(plan),
        speedup_(settings.speedup),
        of_router_(divide_routers(plan.network, parts)),
        parts_(parts),
        next_(parts),
        barrier_(parts) {
    failures_.resize(parts);
    std::vector<std::uint8_t> of_terminal;
    for (std::uint32_t t = 0; t < plan.network.terminal_count(); ++t)
      of_terminal.push_back(of_router_[plan.network.router_of(TerminalId(t)).value]);
    source.divide(of_terminal, parts);
    parallel_blocks(parts, 1, parts, [&](std::uint32_t, std::uint32_t p, std::uint32_t) {
      parts_[p] = make_part(plan, settings, links, source.of_part(p),
                            {of_router_, parts, static_cast<std::uint8_t>(p)});
    });
    for (const auto& part : parts_) window_ = std::min(window_, part->lookahead());
    for (std::uint32_t p = 1; p < parts; ++p) threads_.emplace_back([this, p] { work(p); });
  }
  ~PartedEngine() override {
    stop_ = true;
    call();
    for (std::thread& thread : threads_) thread.join();
  }
  PartedEngine(const PartedEngine&) = delete;
  PartedEngine& operator=(const PartedEngine&) = delete;

  bool run_until(std::uint64_t cycle) override {
    end_ = cycle * speedup_;
    if (step_ >= end_) return true;
    for (const auto& part : parts_) part->recorder.follow(recorder);
    call();
    run_part(0);
    step_ = end_;
    for (const auto& part : parts_) recorder.take(part->recorder);
    for (const std::exception_ptr& failure : failures_) {
      if (failure) std::rethrow_exception(failure);
    }
    return !idle_;
  }
  [[nodiscard]] std::uint64_t cycle() const override { return step_ / speedup_; }
  void wake(std::uint32_t terminal) override {
    parts_[of_router_[plan_.network.router_of(TerminalId(terminal)).value]]->wake(terminal);
  }
  void ask_anew() override {
    for (const auto& part : parts_) part->ask_anew();
  }
  void mark() override {
    for (const auto& part : parts_) part->mark();
  }
  [[nodiscard]] Passage passage() const override {
    Passage all;
    for (const auto& part : parts_) {
      const Passage one = part->passage();
      all.before += one.before;
      all.lost += one.lost;
      all.lost_since += one.lost_since;
      all.marked = one.marked;
    }
    return all;
  }
  [[nodiscard]] std::uint32_t in_flight() const override {
    std::uint32_t all = 0;
    for (const auto& part : parts_) all += part->in_flight();
    return all;
  }
  [[nodiscard]] std::uint64_t oldest_waiting() const override {
    std::uint64_t oldest = ~std::uint64_t{0};
    for (const auto& part : parts_) oldest = std::min(oldest, part->oldest_waiting());
    return oldest;
  }
  [[nodiscard]] std::uint64_t sent(std::uint32_t output) const override {
    return parts_[of_router_[plan_.ports.output_router[output]]]->sent(output);
  }
  void clear_counts() override {
    for (const auto& part : parts_) part->clear_counts();
  }
  [[nodiscard]] std::uint64_t flit_hops() const override {
    std::uint64_t all = 0;
    for (const auto& part : parts_) all += part->flit_hops();
    return all;
  }
  [[nodiscard]] std::uint32_t lane_shift() const override { return parts_[0]->lane_shift(); }
  [[nodiscard]] std::vector<LaneState> lane_states() const override {
    return of_all(plan_.ports.input_router, [](const Engine& part) { return part.lane_states(); });
  }
  [[nodiscard]] std::vector<std::uint32_t> lane_holders() const override {
    return of_all(plan_.ports.output_router, [](const Engine& part) { return part.lane_holders(); });
  }
  [[nodiscard]] std::string broken_law() const override {
    LawCounts all = parts_[0]->law_counts();
    for (std::size_t p = 1; p < parts_.size(); ++p) {
      const LawCounts counts = parts_[p]->law_counts();
      for (std::size_t l = 0; l < all.places.size(); ++l) all.places[l] += counts.places[l];
      all.packets += counts.packets;
      all.live += counts.live;
    }
    return parts_[0]->law_broken_by(all);
  }

 private:
  /// Of ports' lanes, each from the part of its router.
  template <class Of>
  auto of_all(const std::vector<std::uint32_t>& router_of_port, const Of& of) const -> decltype(of(*this)) {
    auto all = of(*parts_[0]);
    for (std::size_t p = 1; p < parts_.size(); ++p) {
      auto some = of(*parts_[p]);
      for (std::size_t l = 0; l < all.size(); ++l) {
        if (of_router_[router_of_port[l >> lane_shift()]] == p) all[l] = std::move(some[l]);
      }
    }
    return all;
  }
  /// Tells the threads that there is something to do.
  void call() {
    calls_.fetch_add(1, std::memory_order_release);
    calls_.notify_all();
  }
  void work(std::uint32_t p) {
    for (std::uint32_t call = 1;; ++call) {
      (void)wait_while(calls_, [call](std::uint32_t now) { return now != call; });
      if (stop_) return;
      run_part(p);
    }
  }
  /// Runs a part to end_, together with the others.
  void run_part(std::uint32_t p) {
    PartEngine& part = *parts_[p];
    std::uint64_t step = step_;
    std::uint32_t turn = 0;
    bool idle = false, failed = false;
    while (step < end_ && !failed) {
      const std::uint64_t to = std::min(step + window_, end_);
      Next& own = next_[p].by_turn[turn];
      try {
        own.step = part.run_window(step, to, turn);
      } catch (...) {
        failures_[p] = std::current_exception();
        own.failed = true;
      }
      barrier_.meet(p);
      std::uint64_t next = PartEngine::kNothing;
      for (const Nexts& other : next_) {
        next = std::min(next, other.by_turn[turn].step);
        failed = failed || other.by_turn[turn].failed;
      }
      for (const auto& other : parts_) {
        if (other.get() != &part) part.take_mail(*other, turn);
      }
      idle = next == PartEngine::kNothing;
      step = std::max(to, std::min(next, end_));
      turn ^= 1U;
    }
    if (!failed) (void)part.run_window(end_, end_, turn);  // all are at the same step
    if (p == 0) idle_ = idle;
    barrier_.meet(p);
  }

  struct Next {
    std::uint64_t step = 0;
    bool failed = false;
  };
  /// What a part has found, by turn: it may be a window ahead of who reads.
  struct alignas(64) Nexts {
    std::array<Next, 2> by_turn{};
  };

  const RoutePlan& plan_;
  const std::uint32_t speedup_;
  const std::vector<std::uint8_t> of_router_;
  std::vector<std::unique_ptr<PartEngine>> parts_;
  std::uint32_t window_ = 0xFFFFFFFFU;  // steps
  std::uint64_t step_ = 0, end_ = 0;
  bool idle_ = false;
  bool stop_ = false;  // read after calls_
  std::vector<Nexts> next_;
  std::vector<std::exception_ptr> failures_;
  WindowBarrier barrier_;
  std::atomic<std::uint32_t> calls_{0};
  std::vector<std::thread> threads_;
};

}  // namespace

std::unique_ptr<Engine> make_parted_engine(std::uint32_t parts, const RoutePlan& plan,
                                           const Settings& settings, const LinkTimes& links, Source& source) {
  return std::make_unique<PartedEngine>(parts, plan, settings, links, source);
}

std::unique_ptr<Engine> make_engine_on(std::uint32_t threads, const RoutePlan& plan, const Settings& settings,
                                       const LinkTimes& links, Source& source) {
  const std::uint32_t parts = parts_of_run(plan, settings, links, source, threads);
  if (parts == 1) return make_engine(plan, settings, links, source);
  return make_parted_engine(parts, plan, settings, links, source);
}

}  // namespace unknot::simulate
