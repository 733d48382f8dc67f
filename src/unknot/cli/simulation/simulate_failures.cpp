// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/simulation/simulate_failures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/fabric/fault_option.hpp"
#include "unknot/cli/output/interrupt.hpp"
#include "unknot/cli/output/progress_bar.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/cli/simulation/simulate_report.hpp"
#include "unknot/network/network_change.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/simulate/plan/lane_proof.hpp"
#include "unknot/simulate/play_failures.hpp"
#include "unknot/simulate/settings/settings_file.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/text/in_file.hpp"
#include "unknot/support/text/scanner.hpp"
#include "unknot/tables/carry_over.hpp"
#include "unknot/traffic/catalogue.hpp"

namespace unknot::cli {
namespace {

using simulate::FailingPlan;
using simulate::FailureEvent;
using simulate::FailureInterval;
using simulate::FailureReport;

/// A line of the file.
struct FailureLine {
  std::uint64_t at = 0;
  std::string verb, what, levels;
  std::string place;  ///< file and line
};

std::vector<FailureLine> parse_lines(const std::string& text, const std::string& file) {
  constexpr std::uint64_t kMostCycle = ~std::uint64_t{0};
  std::vector<FailureLine> lines;
  Lines in(text, file);
  while (in.next()) {
    Cursor cursor(in.line().substr(0, in.line().find('#')));
    const auto word = [&] {
      cursor.skip_blanks();
      return std::string(cursor.word());
    };
    const std::string cycle = word();
    if (cycle.empty()) continue;
    FailureLine event;
    event.place = fmt::format("{}, line {}", file, in.number());
    Cursor digits(cycle);
    const std::optional<std::uint64_t> at = digits.decimal(kMostCycle);
    event.verb = word();
    event.what = word();
    const bool tables = event.verb == "tables";
    if (tables) event.levels = word();
    const bool known = tables || event.verb == "fail" || event.verb == "repair";
    if (!at || !digits.at_end() || !known || event.what.empty() || !word().empty()) {
      throw InputError(fmt::format(
          "{}: not 'CYCLE fail SPEC', 'CYCLE repair SPEC' or 'CYCLE tables FILE [LEVELS]'", event.place));
    }
    event.at = *at;
    lines.push_back(std::move(event));
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const FailureLine& a, const FailureLine& b) { return a.at < b.at; });
  return lines;
}

/// Tables, and the network that they were made for.
struct MadeTables {
  Network network;
  Routing routing;
};

/// What the lines say, and the engine's tables between them. The first of `sets` is in force at the
/// beginning.
class Course {
 public:
  Course(const FailuresRun& run, const Network& network, std::uint64_t traffic_ends, const Common& common,
         Progress& progress)
      : run_(run), network_(network), traffic_ends_(traffic_ends), common_(common), progress_(progress) {
    sets.push_back({network, made_by(run.source, network)});
    require_tables(sets.front().routing, "simulate --failures-during");
    now_ = std::make_unique<FailingPlan>(network, sets.front().routing, 1);
    const std::vector<FailureLine> lines = parse_lines(read_file(run.events), run.events);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const bool last = i + 1 == lines.size() || lines[i + 1].at > lines[i].at;
      in_file(lines[i].place, [&] {
        add(lines[i]);
        if (run.source.by_engine() && changed_ && last) reroute(lines[i]);
      });
    }
    std::stable_sort(events.begin(), events.end(),
                     [](const FailureEvent& a, const FailureEvent& b) { return a.at < b.at; });
  }

  std::vector<MadeTables> sets;
  std::vector<FailureEvent> events;
  std::vector<std::uint64_t> unanswered;  // cycles of failures whose tables come after the traffic has ended

 private:
  Routing made_by(const RoutingSource& source, const Network& on) const {
    return source.by_engine() ? route_by_engine(on, source, common_, progress_)
                              : read_routing(on, source.input);
  }

  void add(const FailureLine& line) {
    FailureEvent event{line.at, FailureEvent::Kind::tables,  {},
                       nullptr, line.verb + " " + line.what, line.place};
    if (line.verb == "tables") {
      RoutingSource source = run_.source;
      source.engine.clear();
      source.input.tables = line.what;
      source.input.lanes = line.levels;
      const Network left = with_faults(network_, now_->faults());
      event.tables = take({left, read_routing_within(network_, left, source.input)});
    } else {
      const bool fails = line.verb == "fail";
      event.kind = fails ? FailureEvent::Kind::fail : FailureEvent::Kind::repair;
      event.parts = read_faults(network_, line.what, common_);
      if (fails) {
        now_->fail(event.parts);
      } else {
        now_->repair(event.parts);
      }
      changed_ = true;
    }
    events.push_back(std::move(event));
  }

  void reroute(const FailureLine& line) {
    changed_ = false;
    if (line.at < traffic_ends_ && line.at + run_.reroute_after >= traffic_ends_) {
      unanswered.push_back(line.at);
      return;
    }
    const Network left = with_faults(network_, now_->faults());
    Routing made;
    try {
      made = made_by(run_.source, left);
    } catch (const RoutingFailure& failure) {
      throw RoutingFailure(fmt::format("{}: for what works then: {}", line.place, failure.what()));
    }
    events.push_back({line.at + run_.reroute_after,
                      FailureEvent::Kind::tables,
                      {},
                      take({left, std::move(made)}),
                      fmt::format("tables of {} for what works at {}", run_.source.engine, line.at),
                      line.place});
  }

  /// The tables in force on the whole network.
  std::shared_ptr<const Routing> take(MadeTables made) {
    require_tables(made.routing, "simulate --failures-during");
    auto whole = std::make_shared<const Routing>(
        carry_over(made.network, made.routing, network_, compare_networks(made.network, network_)));
    sets.push_back(std::move(made));
    return whole;
  }

  const FailuresRun& run_;
  const Network& network_;
  std::uint64_t traffic_ends_;
  const Common& common_;
  Progress& progress_;
  std::unique_ptr<FailingPlan> now_;  // after the lines so far
  bool changed_ = false;
};

/// Which tables are taken.
std::string routing_of(const FailuresRun& run, const std::vector<std::uint64_t>& unanswered) {
  if (!run.source.by_engine()) return "tables " + run.source.input.tables;
  std::string text = fmt::format("engine {}, {} cycles after each event for what works then",
                                 run.source.engine, grouped(run.reroute_after));
  for (std::size_t i = 0; i < unanswered.size(); ++i) {
    text += fmt::format("{}{}", i == 0 ? "; traffic ends before those for what works at " : ", ",
                        grouped(unanswered[i]));
  }
  return text;
}

/// What begins with an interval.
std::string what_begins(const FailureReport& played, std::size_t phase,
                        const std::vector<FailureEvent>& events) {
  std::string what;
  for (const FailureEvent& event : events) {
    if (event.at == played.phases[phase].begins) what += (what.empty() ? "" : "; ") + event.what;
  }
  return what.empty() ? "everything works" : what;
}

Json interval_json(const FailureInterval& interval) {
  Json row = {{"begins", interval.begins},
              {"created", interval.created},
              {"delivered", interval.delivered},
              {"lost", interval.lost},
              {"late", interval.late}};
  const bool any = interval.delivered > 0;
  row["latency_mean"] = any ? Json(interval.latency_mean) : Json();
  row["latency_p99"] = any ? Json(interval.latency_p99) : Json();
  row["latency_max"] = any ? Json(interval.latency_max) : Json();
  return row;
}

std::string phases_table(const FailureReport& played, const std::vector<FailureEvent>& events) {
  TextTable table({{"cycle"},
                   {"what", Align::left},
                   {"created"},
                   {"delivered"},
                   {"lost"},
                   {"late"},
                   {"latency"},
                   {"p99"},
                   {"max"}});
  for (std::size_t i = 0; i < played.phases.size(); ++i) {
    const FailureInterval& phase = played.phases[i];
    const auto shown = [&](double cycles, int digits) {
      return phase.delivered > 0 ? fmt::format("{:.{}f}", cycles, digits) : std::string("-");
    };
    table.add({grouped(phase.begins), what_begins(played, i, events), grouped(phase.created),
               grouped(phase.delivered), grouped(phase.lost), grouped(phase.late),
               shown(phase.latency_mean, 2), shown(phase.latency_p99, 0), shown(phase.latency_max, 0)});
  }
  return table.text();
}

struct SetsProof {
  std::size_t free = 0, sets = 0;
  std::string witness;  ///< of the first that is not
};

std::string proof_sentence(const SetsProof& proof, std::uint32_t lanes) {
  const std::string kept = fmt::format(" on {} lane{}; packets of old and new ones together are not", lanes,
                                       lanes == 1 ? "" : "s");
  if (proof.free == proof.sets) {
    return proof.sets == 1
               ? fmt::format("the tables are proven deadlock-free on {} lane{}", lanes, lanes == 1 ? "" : "s")
               : fmt::format("each of {} sets of tables is proven deadlock-free", proof.sets) + kept;
  }
  return fmt::format("NOT proven deadlock-free: {} of {} sets of tables", proof.sets - proof.free,
                     proof.sets);
}

std::string verdict_of(const FailureReport& played) {
  if (!played.deadlock.empty()) return "DEADLOCK";
  if (!played.complete())
    return fmt::format("UNDELIVERED: {} packets when the run was given up", grouped(played.undelivered));
  return "every packet was delivered or lost";
}

}  // namespace

Answer simulate_failures(const FailuresRun& run, const simulate::Settings& given, const Common& common) {
  const Network network = load_fabric(run.fabric, run.faults, common);
  const TrafficPattern pattern = make_pattern(network, run.traffic);
  stop_if_interrupted();
  FailureReport played;
  SetsProof proof;
  std::unique_ptr<FailingPlan> plan;
  std::vector<FailureEvent> events;
  std::vector<std::uint64_t> unanswered;
  simulate::Settings settings;
  {
    ProgressBar bar(common);
    Course course(run, network, std::uint64_t{given.warmup} + given.measure, common, bar);
    std::uint32_t lanes = 1;
    for (const MadeTables& made : course.sets) {
      lanes = std::max({lanes, made.routing.virtual_lanes, made.routing.service_levels.highest() + 1U});
      if (!run.proof) continue;
      const simulate::LaneProof one =
          simulate::prove_lanes(made.network, made.routing, false, common.threads, bar);
      ++proof.sets;
      proof.free += one.deadlock_free ? 1 : 0;
      if (proof.witness.empty()) proof.witness = one.witness;
    }
    settings = simulate::for_lanes(given, lanes);
    plan = std::make_unique<FailingPlan>(network, course.sets.front().routing, lanes);
    events = std::move(course.events);
    unanswered = std::move(course.unanswered);
    played = simulate::play_failures(*plan, settings, pattern, run.load, run.injection, events, bar);
  }
  const int code = played.complete() ? kYes : kNo;
  std::uint64_t lost = 0;
  for (const FailureInterval& phase : played.phases) lost += phase.lost;
  if (common.json) {
    Json document;
    add_fabric(document, run.fabric, network);
    if (!run.faults.empty()) add_faults(document, run.faults, network);
    if (run.source.by_engine()) {
      document["engine"] = run.source.engine;
      document["reroute_after"] = run.reroute_after;
      document["unanswered"] = unanswered;
    } else {
      document["tables"] = run.source.input.tables;
    }
    document["failures_during"] = run.events;
    document["traffic"] = run.traffic;
    document["load"] = run.load;
    document["proven_deadlock_free"] = run.proof ? Json(proof.free == proof.sets) : Json();
    if (!proof.witness.empty()) document["proof_witness"] = proof.witness;
    document["warm_up"] = played.warm_up;
    document["ends"] = played.ends;
    document["cycles"] = played.cycles;
    document["phases"] = Json::array();
    for (std::size_t i = 0; i < played.phases.size(); ++i) {
      Json row = interval_json(played.phases[i]);
      row["what"] = what_begins(played, i, events);
      document["phases"].push_back(std::move(row));
    }
    document["intervals"] = Json::array();
    for (const FailureInterval& one : played.intervals) document["intervals"].push_back(interval_json(one));
    document["lost"] = lost;
    document["undelivered"] = played.undelivered;
    document["deadlock"] = !played.deadlock.empty();
    document["deadlock_cycle"] = deadlock_json(played.deadlock, plan->plan());
    document["vcs"] = settings.vcs;
    document["seed"] = settings.seed;
    document["settings"] = settings_json(settings);
    document["settings_file"] = simulate::settings_text(settings);
    return {code, std::move(document), {}};
  }
  const std::string circle = deadlock_text(played.deadlock, plan->plan());
  return {
      code,
      {},
      fabric_line(run.fabric, network) + "\n" +
          key_values({{"routing", routing_of(run, unanswered)},
                      {"lanes", run.proof ? proof_sentence(proof, plan->plan().lanes_needed)
                                          : "not checked for deadlocks (--no-proof)"},
                      {"traffic", fmt::format("{} at load {}, cycles {} to {}", run.traffic, run.load,
                                              grouped(played.warm_up), grouped(played.ends))},
                      {"settings", fmt::format("{} lane{}, buffers of {} flits, packets of {}; seed {}",
                                               settings.vcs, settings.vcs == 1 ? "" : "s", settings.vc_buffer,
                                               settings.packet_flits, settings.seed)}}) +
          "\n" + phases_table(played, events) + "\n" + key_values({{"verdict", verdict_of(played)}}) +
          "\nPackets by the cycle in which they were created; latencies in cycles of those delivered. Late: "
          "slower than any before the first event.\n" +
          (circle.empty() ? "" : "\n" + circle)};
}

}  // namespace unknot::cli
