// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/play_transition.hpp"

#include <algorithm>
#include <memory>

#include "unknot/simulate/core/engine.hpp"
#include "unknot/simulate/core/source.hpp"
#include "unknot/simulate/run.hpp"
#include "unknot/simulate/sources/destinations.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"

namespace unknot::simulate {
namespace {

/// Cycles between two searches for a deadlock.
constexpr std::uint64_t kWatch = 1024;

/// Always has a packet, to a destination that the terminal has a level for now.
class FullSource final : public Source {
 public:
  FullSource(const RoutePlan& plan, const TrafficPattern& pattern, const Settings& settings)
      : plan_(plan), destinations_(plan.network, pattern, settings.seed), flits_(settings.packet_flits) {
    for (const TerminalId t : plan.network.terminals()) random_.emplace_back(settings.seed, t.value);
  }
  bool next(std::uint32_t terminal, std::uint64_t cycle, NewPacket& packet) override {
    if (stopped || destinations_.share(terminal) <= 0) return false;
    // Where hardly any destination is left, the terminal rests until it is asked again.
    constexpr int kTries = 64;
    for (int i = 0; i < kTries; ++i) {
      const std::uint32_t d = destinations_.draw(terminal, random_[terminal]);
      const ServiceLevels& levels = plan_.routing.service_levels;
      if (levels.get(TerminalId(terminal), TerminalId(d)) == ServiceLevels::kMissing) continue;
      packet = {cycle, d, flits_, 0};
      return true;
    }
    return false;
  }
  [[nodiscard]] std::uint32_t longest_packet() const override { return flits_; }

  bool stopped = false;

 private:
  const RoutePlan& plan_;
  Destinations destinations_;
  std::uint32_t flits_;
  std::vector<TerminalRandom> random_;
};

/// A change of a step, and when it comes into force.
struct Change {
  std::uint64_t at;  ///< cycle
  const EntryChange* entry;
  const LevelChange* level;
};

class Player {
 public:
  Player(RoutePlan& plan, const Settings& settings, const TrafficPattern& pattern, std::uint64_t step_cycles,
         Progress& progress)
      : plan_(plan),
        settings_(for_lanes(settings, plan.lanes_needed)),
        step_cycles_(step_cycles),
        progress_(progress),
        source_(plan, pattern, settings_),
        engine_(make_engine(plan, settings_, link_times(plan.network, settings_), source_)),
        random_(settings.seed) {}

  TransitionReport run(std::span<const TransitionStep> steps) {
    progress_.begin("playing the steps", steps.size() + 1);
    for (std::size_t k = 0; k <= steps.size(); ++k) {
      begin_phase();
      const bool in_force = k == 0 ? run_until(step_cycles_) : make(steps[k - 1]);
      // A circle that has closed in this phase is not to be found in the next.
      bool goes_on = in_force && search();
      if (goes_on) engine_->mark();
      if (goes_on && k == steps.size()) goes_on = finish();
      end_phase();
      if (!goes_on) break;
      progress_.update(k + 1);
    }
    report_.cycles = engine_->cycle();
    return std::move(report_);
  }

 private:
  /// All steps are in force.
  bool finish() {
    bool good = run_until(engine_->cycle() + step_cycles_);
    source_.stopped = true;
    engine_->ask_anew();
    good = good && run_while(limit(), [this] { return engine_->in_flight(); });
    report_.lost_in_the_end = engine_->passage().lost_since;
    return good;
  }

  bool make(const TransitionStep& step) {
    if (step.wait && !wait()) return false;
    std::vector<Change> changes;
    const std::uint64_t begin = engine_->cycle();
    const auto when = [&] { return begin + random_.next64() % step_cycles_; };
    for (const EntryChange& change : step.entries) changes.push_back({when(), &change, nullptr});
    for (const LevelChange& change : step.levels) changes.push_back({when(), nullptr, &change});
    std::stable_sort(changes.begin(), changes.end(),
                     [](const Change& a, const Change& b) { return a.at < b.at; });
    for (auto change = changes.begin(); change != changes.end();) {
      if (!run_until(change->at)) return false;
      bool levels = false;
      for (const std::uint64_t now = change->at; change != changes.end() && change->at == now; ++change) {
        if (change->entry != nullptr) {
          set_entry(plan_, change->entry->router, change->entry->destination, change->entry->after);
        } else {
          const LevelChange& level = *change->level;
          plan_.routing.service_levels.row(level.row)[level.destination.value] = level.after;
          levels = true;
        }
      }
      if (levels) engine_->ask_anew();  // a packet that waits may not be sent now, another may again
    }
    return run_until(begin + step_cycles_);
  }

  bool wait() {
    const std::uint64_t from = engine_->cycle();
    const bool gone = run_while(limit(), [this] { return engine_->passage().before; });
    report_.phases.back().waited = engine_->cycle() - from;
    return gone;
  }

  [[nodiscard]] std::uint64_t limit() const {
    const std::uint64_t now = engine_->cycle();
    return now + (settings_.drain > 0 ? settings_.drain : 10 * (now + settings_.measure));
  }

  /// Runs until there are no such packets any more: false where that does not come by this cycle.
  template <class Packets>
  bool run_while(std::uint64_t last, const Packets& packets) {
    constexpr std::uint64_t kLook = 16;
    while (packets() > 0) {
      if (engine_->cycle() >= last) {
        report_.travelling = packets();
        return false;
      }
      if (!run_until(std::min(last, engine_->cycle() + kLook))) return false;
    }
    return true;
  }

  /// False where packets wait for each other in a circle. Looked for now and then, and at the end of what
  /// takes a step's time.
  bool run_until(std::uint64_t cycle) {
    while (engine_->cycle() < cycle) {
      if (progress_.interrupted()) throw Interrupted();
      const std::uint64_t piece = std::min({cycle, next_search_, engine_->cycle() + kWatch});
      const bool more = engine_->run_until(piece);
      check_laws(*engine_);
      if (more && engine_->cycle() < next_search_) continue;
      if (!search()) return false;
      if (!source_.stopped) engine_->ask_anew();  // those that rest
    }
    return true;
  }
  bool search() {
    report_.deadlock = find_deadlock(*engine_, plan_, settings_);
    next_search_ = engine_->cycle() + kWatch;
    return report_.deadlock.empty();
  }

  void begin_phase() { report_.phases.push_back({engine_->cycle(), 0, arrived(), engine_->passage().lost}); }
  void end_phase() {
    TransitionPhase& phase = report_.phases.back();
    phase.arrived = arrived() - phase.arrived;
    phase.lost = engine_->passage().lost - phase.lost;
  }
  [[nodiscard]] std::uint64_t arrived() const { return engine_->recorder.latency().count(); }

  RoutePlan& plan_;
  Settings settings_;
  std::uint64_t step_cycles_;
  Progress& progress_;
  FullSource source_;
  std::unique_ptr<Engine> engine_;
  Random random_;
  TransitionReport report_;
  std::uint64_t next_search_ = kWatch;
};

}  // namespace

std::uint32_t lanes_of(const Routing& before, std::span<const TransitionStep> steps) {
  std::uint32_t lanes = std::max(before.virtual_lanes, before.service_levels.highest() + 1U);
  for (const TransitionStep& step : steps) {
    for (const LevelChange& change : step.levels) {
      if (change.after != ServiceLevels::kMissing) lanes = std::max(lanes, change.after + 1U);
    }
  }
  return lanes;
}

TransitionReport play_transition(RoutePlan& plan, const Settings& settings, const TrafficPattern& pattern,
                                 std::span<const TransitionStep> steps, std::uint64_t step_cycles,
                                 Progress& progress) {
  return Player(plan, settings, pattern, step_cycles, progress).run(steps);
}

}  // namespace unknot::simulate
