// SPDX-License-Identifier: Apache-2.0
// Vector clocks (Fidge, Mattern, 1988), for one GPU at a time: steps are ordered by their thread block, by
// messages and by dependencies, and by nothing else.
#include <fmt/format.h>

#include <algorithm>

#include "unknot/collective/msccl/msccl_execution.hpp"

namespace unknot::msccl {
namespace {

class Races {
 public:
  Races(const Program& program, const Layout& layout, const Execution& execution)
      : program_(program), layout_(layout), events_(execution.events) {
    first_.push_back(0);
    for (const Gpu& gpu : program.gpus) {
      block_first_.push_back(static_cast<std::uint32_t>(first_.size() - 1));
      for (const ThreadBlock& block : gpu.blocks)
        first_.push_back(first_.back() + static_cast<std::uint32_t>(block.steps.size()));
    }
    event_of_.assign(first_.back(), Event::kNone);
    for (std::uint32_t e = 0; e < events_.size(); ++e)
      event_of_[index(events_[e].rank, events_[e].block, events_[e].step)] = e;
  }

  std::optional<Fault> on(std::uint32_t rank) {
    rank_ = rank;
    width_ = program_.gpus[rank].blocks.size();
    clock_.assign(events_.size() * width_, 0);
    last_.clear();
    for (std::uint32_t e = 0; e < events_.size(); ++e) {
      advance(e);
      if (events_[e].rank != rank) continue;
      if (auto fault = touch(e)) return fault;
    }
    return std::nullopt;
  }

 private:
  /// Who touched a location last.
  struct Touched {
    std::uint32_t written = Event::kNone;
    std::vector<std::uint32_t> read;  // since then
  };

  [[nodiscard]] std::uint32_t index(std::uint32_t rank, std::uint32_t block, std::uint32_t step) const {
    return first_[block_first_[rank] + block] + step;
  }
  [[nodiscard]] const Step& step_of(std::uint32_t e) const {
    return program_.gpus[events_[e].rank].blocks[events_[e].block].steps[events_[e].step];
  }

  void join(std::uint32_t e, std::uint32_t before) {
    for (std::size_t i = 0; i < width_; ++i)
      clock_[e * width_ + i] = std::max(clock_[e * width_ + i], clock_[before * width_ + i]);
  }
  void advance(std::uint32_t e) {
    const Event& event = events_[e];
    if (event.step > 0) join(e, event_of_[index(event.rank, event.block, event.step - 1)]);
    if (event.sent_by != Event::kNone) join(e, event.sent_by);
    if (const auto& after = step_of(e).after) {
      const ThreadBlock& block = program_.gpus[event.rank].blocks[after->block];
      join(e, event_of_[index(event.rank, after->block, *announcing_step(block, after->step))]);
    }
    if (event.rank == rank_)
      clock_[e * width_ + event.block] = static_cast<std::uint8_t>(event.step + 1);  // kMostSteps fit
  }
  [[nodiscard]] bool ordered(std::uint32_t before, std::uint32_t e) const {
    return clock_[e * width_ + events_[before].block] > events_[before].step;
  }

  std::optional<Fault> touch(std::uint32_t e) {
    const Step& step = step_of(e);
    const auto at = [&](const Place& place, std::uint32_t c) {
      return layout_.location(rank_, place.buffer, place.offset + c);
    };
    // a copy to itself changes nothing
    if (step.action == Action::copy && at(step.source, 0) == at(step.destination, 0)) return std::nullopt;
    for (std::uint32_t c = 0; c < step.count; ++c) {
      if (reads_source(step.action)) {
        Touched& touched = last_[at(step.source, c)];
        if (touched.written != Event::kNone && !ordered(touched.written, e))
          return fault(touched.written, e, step.source, c);
        touched.read.push_back(e);
      }
      if (!stores(step.action)) continue;
      Touched& touched = last_[at(step.destination, c)];
      if (touched.written != Event::kNone && !ordered(touched.written, e))
        return fault(touched.written, e, step.destination, c);
      for (const std::uint32_t reader : touched.read) {
        if (reader != e && !ordered(reader, e)) return fault(reader, e, step.destination, c);
      }
      touched.written = e;
      touched.read.clear();
    }
    return std::nullopt;
  }

  [[nodiscard]] Fault fault(std::uint32_t before, std::uint32_t e, const Place& place,
                            std::uint32_t chunk) const {
    constexpr std::array<const char*, 3> kNames = {"input", "output", "scratch buffer"};
    const auto told = [&](std::uint32_t x) {
      return fmt::format("step {} of thread block {}", events_[x].step, events_[x].block);
    };
    return {step_of(e).line,
            fmt::format("{} and {} of GPU {} touch chunk {} of the {} in no certain order{}", told(before),
                        told(e), rank_, place.offset + chunk, kNames[static_cast<std::size_t>(place.buffer)],
                        layout_.in_place() ? ", used in place" : "")};
  }

  const Program& program_;
  const Layout& layout_;
  const std::vector<Event>& events_;
  std::vector<std::uint32_t> block_first_;  // by rank, of its thread blocks
  std::vector<std::uint32_t> first_;        // by thread block of all ranks, of its steps
  std::vector<std::uint32_t> event_of_;     // by step
  std::uint32_t rank_ = 0;
  std::size_t width_ = 0;
  std::vector<std::uint8_t> clock_;  // events * width: steps of each block of this GPU that came before
  std::unordered_map<std::uint32_t, Touched> last_;
};

}  // namespace

std::optional<Fault> find_race(const Program& program, const Layout& layout, const Execution& execution) {
  Races races(program, layout, execution);
  for (std::uint32_t rank = 0; rank < program.gpus.size(); ++rank) {
    if (auto fault = races.on(rank)) return fault;
  }
  return std::nullopt;
}

}  // namespace unknot::msccl
