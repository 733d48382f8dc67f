// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "unknot/cli/output/text_table.hpp"
#include "unknot/cli/simulation/simulate_files.hpp"
#include "unknot/cli/simulation/simulate_report.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot::cli {
namespace {

using simulate::RoutePlan;
using simulate::RunReport;
using simulate::WorkloadReport;

using Rows = std::vector<std::pair<std::string, std::string>>;

/// A time for people, of nanoseconds.
std::string duration_text(double ns) {
  for (const auto& [unit, size] : {std::pair("ns", 1.0), std::pair("us", 1e3), std::pair("ms", 1e6)}) {
    if (ns < 1e3 * size) return fmt::format("{:.4g} {}", ns / size, unit);
  }
  return fmt::format("{:.4g} s", ns / 1e9);
}

void add_latency_rows(Rows& rows, const RunReport& run, const RoutePlan& plan) {
  if (run.throttle) rows.emplace_back("held back", throttle_text(*run.throttle));
  if (run.energy) rows.emplace_back("energy", energy_text(*run.energy));
  rows.emplace_back("packets delivered", grouped(run.packets));
  if (run.packets > 0 && !run.undelivered) {
    rows.emplace_back("latency in cycles",
                      fmt::format("mean {:.2f} (queueing {:.2f}, network {:.2f}), p50 {:g}, p95 {:g}, p99 "
                                  "{:g}, max {:g}",
                                  run.latency_mean, run.queueing_mean, run.network_mean, run.latency_p50,
                                  run.latency_p95, run.latency_p99, run.latency_max));
    rows.emplace_back("routers passed, mean", fmt::format("{:.3f}", run.hops_mean));
    if (plan.kind == RoutePlan::Kind::ugal)
      rows.emplace_back("indirect packets", fmt::format("{:.3f}", run.indirect_share));
  }
  rows.emplace_back("use of channels",
                    fmt::format("mean {:.3f}, most {:.3f}", run.utilisation_mean, run.utilisation_max));
}

/// The channels in order of use, the busiest first.
std::vector<std::uint32_t> by_use(const std::vector<float>& utilisation, std::uint32_t count) {
  std::vector<std::uint32_t> order(utilisation.size());
  for (std::uint32_t c = 0; c < order.size(); ++c) order[c] = c;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return utilisation[a] > utilisation[b]; });
  order.resize(std::min<std::size_t>(order.size(), count));
  return order;
}

struct WorkloadMeans {
  bool complete = true;
  double cycles = 0, ns = 0, throughput = 0;
  double fastest = 0, slowest = 0;  ///< cycles
};

WorkloadMeans means(const std::vector<WorkloadReport>& runs) {
  WorkloadMeans all;
  all.fastest = all.slowest = runs.front().completion_cycles;
  for (const WorkloadReport& run : runs) {
    const auto share = 1.0 / static_cast<double>(runs.size());
    all.complete = all.complete && run.complete;
    all.cycles += run.completion_cycles * share;
    all.ns += run.completion_ns * share;
    all.throughput += run.effective_throughput * share;
    all.fastest = std::min(all.fastest, run.completion_cycles);
    all.slowest = std::max(all.slowest, run.completion_cycles);
  }
  return all;
}

/// The run to tell about: the first that did not complete, else the first.
const WorkloadReport& shown_run(const std::vector<WorkloadReport>& runs) {
  for (const WorkloadReport& run : runs) {
    if (!run.complete) return run;
  }
  return runs.front();
}

Json workload_run_json(const WorkloadReport& run, const RoutePlan& plan) {
  Json json = {{"completion_time", run.complete ? Json(run.completion_cycles) : Json()},
               {"completion_time_ns", run.complete ? Json(run.completion_ns) : Json()},
               {"effective_throughput", run.complete ? Json(run.effective_throughput) : Json()},
               {"complete", run.complete},
               {"messages", run.messages},
               {"bytes", run.bytes}};
  add_run(json, run, plan);
  return json;
}

}  // namespace

void add_workload(Json& document, const std::vector<WorkloadReport>& runs, const RoutePlan& plan,
                  std::uint64_t first_seed) {
  const WorkloadMeans all = means(runs);
  document.update(workload_run_json(shown_run(runs), plan));
  if (runs.size() == 1) return;
  if (all.complete) {
    document["completion_time"] = all.cycles;
    document["completion_time_ns"] = all.ns;
    document["effective_throughput"] = all.throughput;
  }
  Json seeds = Json::array();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    Json run = {{"seed", first_seed + i}};
    run.update(workload_run_json(runs[i], plan));
    seeds.push_back(std::move(run));
  }
  document["seeds"] = std::move(seeds);
}

std::string workload_text(const std::vector<WorkloadReport>& runs, const RoutePlan& plan) {
  const WorkloadMeans all = means(runs);
  const WorkloadReport& run = shown_run(runs);
  Rows rows = {{"messages", grouped(run.messages)}, {"bytes", grouped(run.bytes)}};
  if (all.complete) {
    rows.emplace_back("completion time",
                      fmt::format("{:.10g} cycles, {}", all.cycles, duration_text(all.ns)));
    if (runs.size() > 1) {
      rows.emplace_back("over seeds",
                        fmt::format("{:.10g} to {:.10g} cycles in {} runs, the rest below is of the first",
                                    all.fastest, all.slowest, runs.size()));
    }
    rows.emplace_back("effective throughput", fmt::format("{:.4f}", all.throughput));
  } else {
    rows.emplace_back("completion time",
                      run.deadlock.empty()
                          ? fmt::format("NONE: nothing moves any more after cycle {}", grouped(run.cycles))
                          : fmt::format("NONE: deadlock, found in cycle {}", grouped(run.cycles)));
  }
  add_latency_rows(rows, run, plan);
  std::string text = key_values(rows);
  if (all.complete) {
    text +=
        "\nEffective throughput: bytes of all messages, over completion time, terminals and the bandwidth of "
        "a terminal.\n";
  }
  if (!run.deadlock.empty()) text.append("\n").append(deadlock_text(run.deadlock, plan));
  return text;
}

std::string packets_text(const RunReport& run, const RoutePlan& plan) {
  Rows rows;
  add_latency_rows(rows, run, plan);
  rows.emplace_back("cycles simulated", grouped(run.cycles));
  rows.emplace_back("all delivered", !run.undelivered ? "yes" : run.deadlock.empty() ? "NO" : "NO, deadlock");
  std::string text = key_values(rows);
  if (!run.deadlock.empty()) text.append("\n").append(deadlock_text(run.deadlock, plan));
  return text;
}

Json busiest_json(const Network& network, const std::vector<float>& utilisation, std::uint32_t count) {
  Json list = Json::array();
  for (const std::uint32_t c : by_use(utilisation, count))
    list.push_back({{"channel", network.channel_name(ChannelId(c))}, {"utilisation", utilisation[c]}});
  return list;
}

std::string busiest_text(const Network& network, const std::vector<float>& utilisation, std::uint32_t count) {
  TextTable table({{"use"}, {"busiest channels", Align::left}});
  for (const std::uint32_t c : by_use(utilisation, count))
    table.add({fmt::format("{:.3f}", utilisation[c]), network.channel_name(ChannelId(c))});
  return table.text();
}

void write_deliveries(std::vector<simulate::Recorder::Delivery> deliveries, std::uint32_t speedup,
                      const std::string& path) {
  using simulate::Recorder;
  std::sort(deliveries.begin(), deliveries.end(),
            [](const Recorder::Delivery& a, const Recorder::Delivery& b) {
              return std::tie(a.created, a.source, a.destination, a.arrived) <
                     std::tie(b.created, b.source, b.destination, b.arrived);
            });
  write_file(path, [&](const FileSink& sink) {
    for (const Recorder::Delivery& one : deliveries) {
      const std::string arrived = one.arrived % speedup == 0
                                      ? std::to_string(one.arrived / speedup)
                                      : fmt::format("{}", static_cast<double>(one.arrived) / speedup);
      sink(fmt::format("{} {} {} {}\n", one.created, one.source, one.destination, arrived));
    }
  });
}

void write_utilisation(const Network& network, const std::vector<float>& utilisation,
                       const std::string& path) {
  write_file(path, [&](const FileSink& sink) {
    sink("channel,from,to,utilisation\n");
    for (const ChannelId c : network.channels()) {
      sink(fmt::format("{},{},{},{:g}\n", csv_field(network.channel_name(c)),
                       csv_field(network.router_name(network.source(c))),
                       csv_field(network.router_name(network.target(c))),
                       c.value < utilisation.size() ? utilisation[c.value] : 0.0F));
    }
  });
}

}  // namespace unknot::cli
