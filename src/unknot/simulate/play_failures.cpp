// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/play_failures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "unknot/simulate/core/engine.hpp"
#include "unknot/simulate/record/latency_histogram.hpp"
#include "unknot/simulate/run.hpp"
#include "unknot/simulate/settings/link_times.hpp"
#include "unknot/simulate/sources/destinations.hpp"
#include "unknot/support/error.hpp"

namespace unknot::simulate {
namespace {

constexpr std::uint64_t kFailurePiece = 1024;  // cycles between two searches for a deadlock
constexpr std::uint64_t kMostIntervals = 100;

/// Steady traffic that ends.
class EndingSource final : public Source {
 public:
  EndingSource(Source& endless, std::uint64_t end) : endless_(endless), end_(end) {}
  bool next(std::uint32_t terminal, std::uint64_t cycle, NewPacket& packet) override {
    return endless_.next(terminal, cycle, packet) && packet.created < end_;
  }
  [[nodiscard]] std::uint32_t longest_packet() const override { return endless_.longest_packet(); }

 private:
  Source& endless_;
  std::uint64_t end_;
};

class FailurePlayer {
 public:
  FailurePlayer(FailingPlan& plan, const Settings& settings, Source& source, PacketWatch* watch,
                Progress& progress)
      : plan_(plan),
        settings_(settings),
        progress_(progress),
        links_(link_times(plan.plan().network, settings)),
        engine_(watch == nullptr ? make_engine(plan.plan(), settings, links_, source)
                                 : make_watched_engine(plan.plan(), settings, links_, source, *watch)) {
    engine_->recorder.speedup = settings.speedup;
    engine_->recorder.keep_deliveries = true;
  }

  void run(std::span<const FailureEvent> events, std::uint64_t end, std::uint64_t limit) {
    progress_.begin("playing the failures", events.size() + 1);
    std::uint64_t done = 0;
    for (const FailureEvent& event : events) {
      if (!run_until(event.at)) return;
      make(event);
      progress_.update(++done);
    }
    if (!run_until(end)) return;
    while (busy() && engine_->cycle() < limit) {
      if (!run_until(std::min(limit, engine_->cycle() + kFailurePiece / 16))) return;
    }
  }

  [[nodiscard]] const Engine& engine() const { return *engine_; }
  [[nodiscard]] const DeadlockCycle& deadlock() const { return deadlock_; }

 private:
  [[nodiscard]] bool busy() const {
    constexpr std::uint64_t kNobodyWaits = std::uint64_t{1} << 60U;
    return engine_->in_flight() > 0 || engine_->oldest_waiting() < kNobodyWaits;
  }

  void make(const FailureEvent& event) {
    switch (event.kind) {
      case FailureEvent::Kind::fail: {
        const std::vector<ChannelId> before = plan_.dead_channels();
        plan_.fail(event.parts);
        for (const RouterId r : event.parts.routers) engine_->fail_router(r.value);
        for (const ChannelId c : plan_.dead_channels()) {
          if (!std::binary_search(before.begin(), before.end(), c)) engine_->fail_channel(c.value);
        }
        return;
      }
      case FailureEvent::Kind::repair:
        plan_.repair(event.parts);
        return;
      case FailureEvent::Kind::tables:
        plan_.take(*event.tables);
        return;
    }
  }

  bool run_until(std::uint64_t cycle) {
    while (engine_->cycle() < cycle) {
      if (progress_.interrupted()) throw Interrupted();
      const bool more = engine_->run_until(std::min({cycle, next_search_, engine_->cycle() + kFailurePiece}));
      check_laws(*engine_);
      if ((more || engine_->in_flight() == 0) && engine_->cycle() < next_search_) continue;
      deadlock_ = find_deadlock(*engine_, plan_.plan(), settings_);
      next_search_ = engine_->cycle() + kFailurePiece;
      if (!deadlock_.empty()) return false;
    }
    return true;
  }

  FailingPlan& plan_;
  const Settings& settings_;
  Progress& progress_;
  LinkTimes links_;
  std::unique_ptr<Engine> engine_;
  DeadlockCycle deadlock_;
  std::uint64_t next_search_ = kFailurePiece;
};

/// Intervals with these beginnings, filled from what was created, delivered and lost.
class IntervalCounts {
 public:
  IntervalCounts(const std::vector<std::uint64_t>& begins, std::uint64_t end)
      : intervals_(begins.size()), latencies_(begins.size()), end_(end) {
    for (std::size_t i = 0; i < begins.size(); ++i) intervals_[i].begins = begins[i];
  }
  void created(std::uint64_t cycle) {
    if (FailureInterval* const in = of(cycle)) ++in->created;
  }
  void lost(std::uint64_t cycle) {
    if (FailureInterval* const in = of(cycle)) ++in->lost;
  }
  void delivered(std::uint64_t cycle, std::uint64_t steps, bool late) {
    FailureInterval* const in = of(cycle);
    if (in == nullptr) return;
    ++in->delivered;
    in->late += late ? 1 : 0;
    latencies_[static_cast<std::size_t>(in - intervals_.data())].add(steps);
  }
  std::vector<FailureInterval> take(double speedup) {
    for (std::size_t i = 0; i < intervals_.size(); ++i) {
      if (latencies_[i].count() == 0) continue;
      intervals_[i].latency_mean = latencies_[i].mean() / speedup;
      intervals_[i].latency_p99 = static_cast<double>(latencies_[i].quantile(0.99)) / speedup;
      intervals_[i].latency_max = static_cast<double>(latencies_[i].max()) / speedup;
    }
    return std::move(intervals_);
  }

 private:
  FailureInterval* of(std::uint64_t cycle) {
    if (cycle < intervals_.front().begins || cycle >= end_) return nullptr;
    const auto after =
        std::upper_bound(intervals_.begin(), intervals_.end(), cycle,
                         [](std::uint64_t c, const FailureInterval& in) { return c < in.begins; });
    return &*(after - 1);
  }

  std::vector<FailureInterval> intervals_;
  std::vector<LatencyHistogram> latencies_;
  std::uint64_t end_;
};

std::vector<std::uint64_t> pieces_of(std::uint64_t from, std::uint64_t to) {
  const std::uint64_t width = (to - from + kMostIntervals - 1) / kMostIntervals;
  std::vector<std::uint64_t> begins;
  for (std::uint64_t at = from; at < to; at += width) begins.push_back(at);
  return begins;
}

void check_events(std::span<const FailureEvent> events, std::uint64_t end) {
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (i > 0 && events[i].at < events[i - 1].at)
      throw InputError("simulate: failures are to be given in order of time");
    if (events[i].at >= end) {
      throw InputError(fmt::format("{}: '{}' is at cycle {}, and traffic ends at {} (warmup and measure)",
                                   events[i].place.empty() ? "simulate" : events[i].place, events[i].what,
                                   events[i].at, end));
    }
  }
}

}  // namespace

FailureReport play_failures(FailingPlan& plan, const Settings& given, const TrafficPattern& pattern,
                            double load, const Injection& injection, std::span<const FailureEvent> events,
                            Progress& progress, std::vector<Recorder::Delivery>* deliveries,
                            PacketWatch* watch) {
  if (!(load >= 0 && load <= 1))
    throw InputError(fmt::format("simulate: load {} is not between 0 and 1", load));
  const Settings settings = for_lanes(given, plan.plan().lanes_needed);
  if (settings.router != RouterKind::input_queued)
    throw InputError("simulate: failures during a run are simulated with router=input-queued");
  FailureReport report;
  report.ends = settings.warmup + settings.measure;
  check_events(events, report.ends);
  const std::uint64_t first = events.empty() ? report.ends : events.front().at;
  report.warm_up = settings.warmup > 0 ? std::min(settings.warmup, first) : first / 2;

  const Network& network = plan.plan().network;
  const Destinations destinations(network, pattern, settings.seed);
  const auto traffic = [&] {
    return make_traffic(injection, destinations, network.terminal_count(), load, settings.packet_flits,
                        settings.seed);
  };
  const std::unique_ptr<Source> endless = traffic();
  EndingSource source(*endless, report.ends);
  FailurePlayer player(plan, settings, source, watch, progress);
  const std::uint64_t drain = settings.drain > 0 ? settings.drain : 10 * report.ends;
  player.run(events, report.ends, report.ends + drain);

  std::vector<std::uint64_t> begins = {report.warm_up};
  for (const FailureEvent& event : events) {
    if (event.at > begins.back()) begins.push_back(event.at);
  }
  IntervalCounts phases(begins, report.ends), pieces(pieces_of(report.warm_up, report.ends), report.ends);
  std::uint64_t created = 0;
  const std::unique_ptr<Source> again = traffic();
  for (std::uint32_t t = 0; t < network.terminal_count(); ++t) {
    NewPacket packet;
    while (again->next(t, 0, packet) && packet.created < report.ends) {
      ++created;
      phases.created(packet.created);
      pieces.created(packet.created);
    }
  }
  const Recorder& seen = player.engine().recorder;
  std::uint64_t usual = 0;
  const auto steps = [&](const Recorder::Delivery& packet) {
    return packet.arrived - packet.created * settings.speedup;
  };
  for (const Recorder::Delivery& packet : seen.deliveries()) {
    if (packet.created >= report.warm_up && packet.created < first) usual = std::max(usual, steps(packet));
  }
  for (const Recorder::Delivery& packet : seen.deliveries()) {
    phases.delivered(packet.created, steps(packet), usual > 0 && steps(packet) > usual);
    pieces.delivered(packet.created, steps(packet), usual > 0 && steps(packet) > usual);
  }
  for (const std::uint64_t cycle : seen.losses()) {
    phases.lost(cycle);
    pieces.lost(cycle);
  }
  report.phases = phases.take(settings.speedup);
  report.intervals = pieces.take(settings.speedup);
  report.cycles = player.engine().cycle();
  report.deadlock = player.deadlock();
  report.undelivered = created - seen.deliveries().size() - seen.losses().size();
  if (deliveries != nullptr) *deliveries = seen.deliveries();
  return report;
}

}  // namespace unknot::simulate
