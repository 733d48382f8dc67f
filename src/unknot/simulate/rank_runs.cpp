// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/rank_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "unknot/collective/placed/rank_tasks.hpp"
#include "unknot/simulate/settings/link_times.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot::simulate {

namespace {

RankSchedule only_round(const RankSchedule& schedule, std::uint32_t round) {
  RankSchedule result(schedule.collective(), schedule.ranks(), schedule.parts(), schedule.root());
  result.add_round();
  for (std::uint32_t m = schedule.round_begin(round); m < schedule.round_end(round); ++m)
    result.add(schedule.message(m), schedule.blocks(m));
  return result;
}

}  // namespace

SettingsLayer rank_settings(const Network& network) {
  constexpr double kGigabits = 200, kLinkNs = 51.2, kSwitchNs = 102.4;
  constexpr std::uint32_t kPacketBytes = 256, kSpeedup = 2;
  std::vector<std::uint32_t> capacities = network.labels().channel_capacity;
  const std::vector<std::uint32_t>& of_terminals = network.labels().terminal_capacity;
  capacities.insert(capacities.end(), of_terminals.begin(), of_terminals.end());
  std::erase(capacities, 0U);
  std::sort(capacities.begin(), capacities.end());
  capacities.erase(std::unique(capacities.begin(), capacities.end()), capacities.end());
  const double gigabits = capacities.empty() ? kGigabits : capacities.back() / 1000.0;
  const double cycle = kPacketBytes * 8 / gigabits;
  const auto link = std::max(1LL, std::llround(kLinkNs / cycle));
  const auto stages = std::max(4LL, std::llround(kSwitchNs / cycle * kSpeedup));
  const auto buffer = 64 + 3 * link + stages;  // more than is under way until a credit comes back
  std::string text = fmt::format(
      "router = \"input-output-queued\"\nbandwidth_gbps = {}\nflit_bytes = {}\npacket_flits = 1\nvcs = 0\n"
      "speedup = {}\nst_delay = {}\nlink_latency = {}\nterminal_latency = {}\nvc_buffer = {}\noutput_buffer "
      "= {}\n",
      gigabits, kPacketBytes, kSpeedup, stages - 3, link, link, buffer, buffer);
  for (const std::uint32_t capacity : capacities) {
    const auto period = std::llround(static_cast<double>(kSpeedup) * capacities.back() / capacity);
    text += fmt::format("[[link]]\nmatch = \"capacity:{}\"\nperiod = {}\n", gigabits_text(capacity), period);
  }
  return parse_settings(text, "settings of algorithms");
}

LineTimes line_times(const Network& network, const Settings& settings) {
  constexpr double kSecond = 1e-9;
  const LinkTimes links = link_times(network, settings);
  const double step = step_ns(settings) * kSecond;
  const double latency_unit = links.in_steps ? step : settings.cycle_ns * kSecond;
  const double router = pipeline_steps(settings) * step;
  LineTimes times;
  times.byte.reserve(network.channel_count() + 2 * std::size_t{network.terminal_count()});
  times.latency.reserve(times.byte.capacity());
  const auto add = [&](std::uint32_t period, std::uint32_t latency, bool to_router) {
    times.byte.push_back(period * step / settings.flit_bytes);
    times.latency.push_back(latency * latency_unit + (to_router ? router : 0));
  };
  for (const ChannelId c : network.channels())
    add(links.channel_period[c.value], links.channel_latency[c.value], true);
  for (const TerminalId t : network.terminals()) {
    for (const bool up : {true, false})
      add(links.terminal_period[t.value], links.terminal_latency[t.value], up);
  }
  return times;
}

std::uint64_t flit_movements(const RankSchedule& schedule, const PlacedRanks& placed,
                             const Settings& settings, std::uint64_t bytes) {
  std::uint64_t sum = 0;
  for (std::uint32_t m = 0; m < schedule.message_count(); ++m) {
    const RankSchedule::Message& message = schedule.message(m);
    const std::uint64_t flits = (schedule.bytes_of(m, bytes) + settings.flit_bytes - 1) / settings.flit_bytes;
    sum += flits * placed.lines(message.from, message.to).size();
  }
  return sum;
}

WorkloadReport run_ranks(const RoutePlan& plan, const Settings& settings, const RankSchedule& schedule,
                         const PlacedRanks& placed, std::uint64_t bytes, const RankPace& pace,
                         const Progress& progress) {
  const auto alpha_ns = static_cast<std::uint64_t>(std::llround(pace.alpha * 1e9));
  if (!pace.apart)
    return run_workload(plan, settings, rank_tasks(schedule, placed, bytes, alpha_ns), progress);
  WorkloadReport all;
  all.complete = true;
  for (std::uint32_t round = 0; round < schedule.round_count() && all.complete; ++round) {
    if (schedule.round_begin(round) == schedule.round_end(round)) continue;
    const WorkloadReport one = run_workload(
        plan, settings, rank_tasks(only_round(schedule, round), placed, bytes, alpha_ns), progress);
    all.complete = one.complete;
    all.completion_cycles += one.completion_cycles;
    all.completion_ns += one.completion_ns;
  }
  return all;
}

std::vector<RankTrial> run_contest(const Contest& contest, const PlacedRanks& placed, const RoutePlan& plan,
                                   const Settings& settings, std::span<const std::uint64_t> sizes,
                                   const TrialOptions& options, Progress& progress) {
  std::vector<RankTrial> trials;
  std::vector<const RankSchedule*> schedules;
  for (const std::uint64_t bytes : sizes) {
    for (std::size_t i = 0; i < contest.contenders.size(); ++i) {
      const auto count = static_cast<double>(bytes);
      const Contender::Variant& variant = contest.contenders[i].variant(count, options.pace);
      trials.push_back({i, bytes, variant.chunks, variant.cost.time(count, options.pace),
                        variant.cost.time_alone(count, options.pace)});
      schedules.push_back(&variant.schedule);
    }
  }
  progress.begin("simulate", trials.size());
  const Progress silent;
  const auto count = static_cast<std::uint32_t>(trials.size());
  parallel_blocks(
      count, 1, options.threads, [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t i = begin; i < end; ++i) {
          if (progress.interrupted()) throw Interrupted();
          RankTrial& trial = trials[i];
          if (flit_movements(*schedules[i], placed, settings, trial.bytes) > options.most_movements) continue;
          const WorkloadReport report =
              run_ranks(plan, settings, *schedules[i], placed, trial.bytes, options.pace, silent);
          if (report.complete) trial.simulated = report.completion_ns * 1e-9;
          trial.deadlocked = !report.complete;
          if (worker == 0) progress.update(i + 1);
        }
      });
  return trials;
}

}  // namespace unknot::simulate
