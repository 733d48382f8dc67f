// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "unknot/simulate/core/engine.hpp"
#include "unknot/simulate/messages/message_hosts.hpp"
#include "unknot/simulate/messages/message_watch.hpp"
#include "unknot/simulate/parts/parted_engine.hpp"
#include "unknot/simulate/sources/addressed_source.hpp"
#include "unknot/simulate/sources/destinations.hpp"
#include "unknot/simulate/sources/workload_source.hpp"
#include "unknot/simulate/statistics/batch_statistics.hpp"
#include "unknot/simulate/statistics/steady_state.hpp"
#include "unknot/simulate/statistics/warm_up.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot::simulate {
namespace {

constexpr double kShortfall = 0.05;
/// Cycles between two searches for a deadlock: a search costs about what a cycle of a busy network does.
constexpr std::uint64_t kWatch = 4096;
/// Builds for development check the laws of the model as they run.
#ifdef NDEBUG
constexpr bool kCheckLaws = false;
#else
constexpr bool kCheckLaws = true;
#endif
constexpr std::uint64_t kForever = std::uint64_t{1} << 56U;

/// An engine with all that goes with it, run piece by piece.
class Runner {
 public:
  Runner(const RoutePlan& plan, const Settings& settings, Source& source, const Progress& progress,
         const RunOptions& options)
      : plan_(plan),
        settings_(for_lanes(settings, plan.lanes_needed)),
        progress_(progress),
        options_(options),
        links_(link_times(plan.network, settings_)),
        engine_(options.watch == nullptr
                    ? make_engine_on(options.threads, plan, settings_, links_, source)
                    : make_watched_engine(plan, settings_, links_, source, *options.watch)) {
    engine_->recorder.speedup = settings_.speedup;
    engine_->recorder.keep_seen = options.flows;
    engine_->recorder.check_order = kCheckLaws && plan.keeps_order(settings_.vcs);
  }

  /// Of a plan with messages: the source.
  void attach(MessageHosts& hosts) {
    hosts_ = &hosts;
    hosts.attach(*engine_);
  }
  Engine& engine() { return *engine_; }
  [[nodiscard]] const Settings& settings() const { return settings_; }
  [[nodiscard]] bool locked() const { return !deadlock_.empty() || !message_deadlock_.empty(); }

  /// Runs to this cycle. False when there is a deadlock, or nothing is left to happen by itself.
  bool run_until(std::uint64_t cycle) {
    while (engine_->cycle() < cycle) {
      if (progress_.interrupted()) throw Interrupted();
      // An empty network is left alone until somebody sends.
      std::uint64_t from = engine_->cycle();
      if (engine_->in_flight() == 0) {
        const std::uint64_t waiting = engine_->oldest_waiting();
        if (waiting < cycle) from = std::max(from, waiting);
      }
      const bool more = engine_->run_until(std::min(cycle, from + kWatch));
      check_laws(*engine_);
      if (!more && engine_->in_flight() == 0) return false;
      if (!more || engine_->cycle() >= next_search_) {
        if (hosts_ != nullptr) {
          message_deadlock_ = find_message_deadlock(*engine_, plan_, settings_, *hosts_);
        } else {
          deadlock_ = find_deadlock(*engine_, plan_, settings_);
        }
        next_search_ = engine_->cycle() + kWatch;
        if (locked() || !more) return false;
      }
    }
    return true;
  }

  /// As run_until(), and on to this cycle where nobody sends any more. False when packets can never move
  /// again.
  bool run_through(std::uint64_t cycle) {
    if (run_until(cycle)) return true;
    if (engine_->in_flight() > 0) return false;
    engine_->run_until(cycle);
    return true;
  }

  /// What the recorder knows, `window` cycles of which were measured.
  void fill(RunReport& report, std::uint64_t window) const {
    const Recorder& seen = engine_->recorder;
    const double speedup = settings_.speedup;
    report.cycles = engine_->cycle();
    report.flit_hops = engine_->flit_hops();
    report.deadlock = deadlock_;
    report.message_deadlock = message_deadlock_;
    report.undelivered = engine_->in_flight() > 0;
    const LatencyHistogram& latency = seen.latency();
    report.packets = latency.count();
    if (report.packets > 0) {
      const auto packets = static_cast<double>(report.packets);
      report.latency_mean = latency.mean() / speedup;
      report.latency_p50 = static_cast<double>(latency.quantile(0.5)) / speedup;
      report.latency_p95 = static_cast<double>(latency.quantile(0.95)) / speedup;
      report.latency_p99 = static_cast<double>(latency.quantile(0.99)) / speedup;
      report.latency_max = static_cast<double>(latency.max()) / speedup;
      report.network_mean = static_cast<double>(seen.network_sum()) / packets / speedup;
      report.queueing_mean = report.latency_mean - report.network_mean;
      report.hops_mean = static_cast<double>(seen.hops_sum()) / packets;
      report.indirect_share = static_cast<double>(seen.indirect()) / packets;
    }
    report.flows = flow_results(seen.seen(), settings_.speedup);
    if (options_.histogram) {
      latency.for_each([&](std::uint64_t from, std::uint64_t to, std::uint64_t packets) {
        report.histogram.push_back({from, to, packets});
      });
    }
    if (settings_.ecn_threshold != 0) report.throttle = throttle_;
    if (options_.energy && window > 0) {
      report.energy =
          energy_use(*options_.energy, plan_.ports, sent_, static_cast<double>(window) * settings_.cycle_ns);
    }
    const std::uint32_t channels = plan_.network.channel_count();
    report.utilisation.assign(channels, 0);
    double sum = 0;
    for (std::uint32_t c = 0; c < channels && window > 0; ++c) {
      const double busy = static_cast<double>(sent_[plan_.ports.output_of_channel[c]]) *
                          links_.channel_period[c] / (static_cast<double>(window) * speedup);
      report.utilisation[c] = static_cast<float>(busy);
      report.utilisation_max = std::max(report.utilisation_max, busy);
      sum += busy;
    }
    report.utilisation_mean = channels == 0 ? 0 : sum / channels;
  }
  /// Keeps what the channels have sent since the counts were cleared.
  void read_counts() {
    sent_.resize(plan_.ports.outputs());
    for (std::uint32_t o = 0; o < plan_.ports.outputs(); ++o) sent_[o] = engine_->sent(o);
    throttle_ = engine_->throttle_counts();
  }

 private:
  const RoutePlan& plan_;
  Settings settings_;
  const Progress& progress_;
  const RunOptions& options_;
  LinkTimes links_;
  std::unique_ptr<Engine> engine_;
  const MessageHosts* hosts_ = nullptr;
  DeadlockCycle deadlock_;
  std::vector<MessageWait> message_deadlock_;
  std::uint64_t next_search_ = kWatch;
  std::vector<std::uint64_t> sent_;
  ThrottleCounts throttle_;
};

/// Runs on until the warm-up lies in the first half of what has been seen. True when it was found.
bool warm_up(Runner& runner, IntervalSeries& in_flight, std::uint64_t step, std::uint64_t longest) {
  std::uint64_t length = 40 * step;
  while (true) {
    while (runner.engine().cycle() < length) {
      if (!runner.run_through(runner.engine().cycle() + step)) return false;
      in_flight.add(runner.engine().cycle() - 1, runner.engine().in_flight());
    }
    const bool flights = mser5(in_flight.means()).found;
    const bool latencies = mser5(runner.engine().recorder.by_creation().means()).found;
    if (flights && latencies) return true;
    if (length >= longest) return false;
    length *= 2;
  }
}

/// What all terminals create in cycles [from, to).
struct Created {
  double flits = 0;   ///< for one terminal
  double groups = 0;  ///< for groups
};

/// Of a source that has not been used: not of the run's, since the one in use has not been asked for packets
/// that wait behind others. Chance makes them differ from what is to be offered.
Created created_by(Source& source, std::uint32_t terminals, std::uint64_t from, std::uint64_t to,
                   std::uint32_t threads) {
  constexpr std::uint32_t kTerminals = 64;  // of a block
  std::atomic<std::uint64_t> flits = 0;
  std::atomic<std::uint64_t> groups = 0;
  parallel_blocks(terminals, kTerminals, source.terminals_apart() ? std::max(1U, threads) : 1,
                  [&](std::uint32_t, std::uint32_t begin, std::uint32_t end) {
                    std::uint64_t of_block = 0, to_groups = 0;
                    for (std::uint32_t t = begin; t < end; ++t) {
                      NewPacket packet;
                      while (source.next(t, 0, packet) && packet.created < to) {
                        if (packet.created < from) continue;
                        ((packet.destination & Packet::kGroup) == 0 ? of_block : to_groups) += packet.flits;
                      }
                    }
                    flits += of_block;
                    groups += to_groups;
                  });
  return {static_cast<double>(flits), static_cast<double>(groups)};
}

/// Confidence interval and verdict, from the intervals [from, to).
void finish(SteadyReport& report, const Recorder& seen, Observations observations, std::uint64_t from,
            std::uint64_t to) {
  const IntervalSeries& series = seen.by_creation();
  const auto first = static_cast<std::size_t>((from + series.width() - 1) / series.width());
  const auto last =
      std::min<std::size_t>(static_cast<std::size_t>(to / series.width()), series.sums().size());
  std::vector<double> sums, counts;
  for (std::size_t i = first; i < last; ++i) {
    sums.push_back(series.sums()[i]);
    counts.push_back(series.counts()[i]);
  }
  const MeanEstimate mean = batch_means(sums, counts);
  report.latency_half_width = mean.half_width / seen.speedup;
  report.interval_believable = mean.independent;
  observations.latency_sums = sums;
  observations.latency_counts = counts;
  const SteadyState state = steady_state(observations);
  report.steady = state.steady && !report.locked() && !report.undelivered;
  report.verdict = report.locked() ? "deadlock" : state.reason;
  if (!report.undelivered || report.saturated) return;
  report.verdict = "some measured packets had not arrived when the run was given up";
  if (!state.steady) report.verdict += "; " + state.reason;
}

}  // namespace

void check_laws(const Engine& engine) {
  if (!kCheckLaws) return;
  if (const std::string broken = engine.broken_law(); !broken.empty()) throw std::logic_error(broken);
}

std::string saturation_definition() {
  return fmt::format(
      "saturated: less than {:.0f} % of the flits created while measuring are accepted in that time",
      100 * (1 - kShortfall));
}

SteadyReport run_steady(const RoutePlan& plan, const Settings& given, const TrafficPattern& pattern,
                        double load, const Progress& progress, const RunOptions& options) {
  if (!(load >= 0 && load <= 1))
    throw InputError(fmt::format("simulate: load {} is not between 0 and 1", load));
  const std::uint32_t terminals = plan.senders().terminal_count();
  const Destinations destinations(plan.senders(), pattern, given.seed);
  const auto traffic = [&] {
    return make_traffic(options.injection, destinations, terminals, load, given.packet_flits, given.seed,
                        &plan.multicast);
  };
  const std::unique_ptr<Source> hosts = traffic();
  std::optional<AddressedSource> addressed;
  if (plan.hosts)
    addressed.emplace(*hosts, terminals, plan.network.terminal_count() / terminals, plan.address, given.seed);
  std::optional<MessageHosts> answering;
  if (plan.messages)
    answering.emplace(plan, destinations, load, for_lanes(given, plan.lanes_needed), options.injection);
  Source& source = answering   ? static_cast<Source&>(*answering)
                   : addressed ? static_cast<Source&>(*addressed)
                               : *hosts;
  SteadyReport report;
  report.load = load;
  report.offered = load * (answering ? answering->mean_share() : destinations.mean_share());
  if (load == 0) {
    report.steady = report.warm_up_found = true;
    report.verdict = "nothing is sent";
    return report;
  }
  Runner runner(plan, given, source, progress, options);
  const Settings& settings = runner.settings();
  Engine& engine = runner.engine();
  if (answering) runner.attach(*answering);
  const std::uint64_t step = std::max<std::uint64_t>(settings.measure / 200, 10);
  engine.recorder.set_interval(step);
  bool going = true;
  if (settings.warmup > 0) {
    going = runner.run_through(settings.warmup);
    report.warm_up_found = true;
  } else {
    IntervalSeries in_flight(step);
    report.warm_up_found = warm_up(runner, in_flight, step, 4 * settings.measure);
    going = !runner.locked();
  }
  const std::uint64_t from = engine.cycle();
  const std::uint64_t to = from + settings.measure;
  report.warm_up = from;
  engine.recorder.set_window(from, to);
  if (answering) answering->set_window(from, to);
  engine.clear_counts();
  std::vector<double> flights;
  while (going && engine.cycle() < to) {
    going = runner.run_through(std::min(to, engine.cycle() + step));
    flights.push_back(engine.in_flight());
  }
  runner.read_counts();
  const auto window = static_cast<double>(settings.measure);
  const auto accepted =
      static_cast<double>(answering ? answering->accepted_flits() : engine.recorder.accepted_flits());
  report.accepted = accepted / (window * terminals);
  Created created;
  if (answering) {
    MessageHosts same(plan, destinations, load, settings, options.injection);
    created.flits = static_cast<double>(same.flits_to_begin(from, to));
  } else {
    created = created_by(*traffic(), terminals, from, to, options.threads);
  }
  report.created = created.flits / (window * terminals);
  Observations observations;
  observations.in_flight = flights;
  // A packet to a group counts once it has left its terminal: how many copies are to come is the tree's
  // matter.
  observations.created_flits = created.flits + created.groups;
  observations.delivered_flits =
      accepted + static_cast<double>(engine.recorder.to_groups_measured() * settings.packet_flits);
  observations.packet_flits = settings.packet_flits;
  observations.offered_flits = report.offered * window * terminals;
  report.saturated = falls_behind(observations, kShortfall) || !going;
  // Past saturation the queues of the terminals only grow: what has not arrived by now is not waited for.
  const std::uint64_t drain = settings.drain > 0 ? settings.drain : 10 * to;
  const auto arrived = [&] {
    return engine.oldest_waiting() >= to && engine.recorder.latency().count() == engine.recorder.measured() &&
           (!answering || answering->measured_arrived());
  };
  while (going && !report.saturated && engine.cycle() < to + drain && !arrived()) {
    going = runner.run_through(engine.cycle() + step);
  }
  runner.fill(report, settings.measure);
  if (answering) report.classes = answering->report();
  report.to_groups = engine.recorder.to_groups();
  report.copies = engine.recorder.copies();
  report.undelivered = !arrived();
  finish(report, engine.recorder, observations, from, to);
  return report;
}

namespace {

/// A channel carries a flit a cycle: what no one would see the end of is refused before it begins.
void require_simulable(const WorkloadTotals& totals, const Settings& settings, const Workload& workload) {
  constexpr std::uint64_t kMostFlitsOfTerminal = std::uint64_t{1} << 30U;
  const std::uint64_t flits =
      std::max(totals.most_bytes_sent, totals.most_bytes_received) / settings.flit_bytes;
  if (flits <= kMostFlitsOfTerminal) return;
  throw InputError(fmt::format(
      "workload {}: one terminal sends or receives {} flits of {} bytes, and at most {} are simulated one by "
      "one: give fewer bytes or larger flits (flit_bytes)",
      workload.name, flits, settings.flit_bytes, kMostFlitsOfTerminal));
}

}  // namespace

WorkloadReport run_workload(const RoutePlan& plan, const Settings& settings, const Workload& workload,
                            const Progress& progress, const RunOptions& options) {
  const std::uint32_t terminals = plan.network.terminal_count();
  const WorkloadTotals totals = workload_totals(workload, terminals);
  require_simulable(totals, settings, workload);
  WorkloadReport report;
  report.messages = totals.messages;
  report.bytes = totals.bytes;
  std::unique_ptr<OrderedSource> ordered;
  std::unique_ptr<TaskSource> tasks;
  if (workload.tasks != nullptr) {
    tasks = std::make_unique<TaskSource>(*workload.tasks, terminals, settings, workload.at_once,
                                         options.tasks ? &report.tasks : nullptr);
  } else {
    ordered = std::make_unique<OrderedSource>(workload, terminals, settings);
  }
  Source& source = tasks != nullptr ? static_cast<Source&>(*tasks) : *ordered;
  Runner runner(plan, settings, source, progress, options);
  Engine& engine = runner.engine();
  if (tasks != nullptr) tasks->attach(engine);
  runner.run_until(kForever);
  report.complete = engine.in_flight() == 0 && (tasks == nullptr || tasks->finished());
  runner.read_counts();
  const double last = static_cast<double>(engine.recorder.last_arrival()) / settings.speedup;
  report.completion_cycles =
      tasks == nullptr ? last : std::max(last, static_cast<double>(tasks->last_done()));
  runner.fill(report,
              std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(report.completion_cycles))));
  report.undelivered = !report.complete;
  report.completion_ns = report.completion_cycles * settings.cycle_ns;
  if (report.complete && report.completion_cycles > 0) {
    report.effective_throughput =
        static_cast<double>(report.bytes) / (report.completion_cycles * settings.flit_bytes * terminals);
  }
  return report;
}

RunReport run_packets(const RoutePlan& plan, const Settings& settings, std::vector<ListedPacket> packets,
                      std::vector<Recorder::Delivery>* deliveries, const Progress& progress,
                      const RunOptions& options) {
  PacketListSource source(std::move(packets), plan.network.terminal_count(), settings.packet_flits);
  Runner runner(plan, settings, source, progress, options);
  Engine& engine = runner.engine();
  engine.recorder.keep_deliveries = deliveries != nullptr;
  runner.run_until(kForever);
  runner.read_counts();
  RunReport report;
  runner.fill(report, std::max<std::uint64_t>(1, engine.recorder.last_arrival() / settings.speedup));
  if (deliveries != nullptr) *deliveries = engine.recorder.deliveries();
  return report;
}

}  // namespace unknot::simulate
