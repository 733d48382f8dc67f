// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/simulation/simulated_messages.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>

#include "unknot/cli/output/text_table.hpp"
#include "unknot/simulate/plan/message_plan.hpp"
#include "unknot/support/error.hpp"

namespace unknot::cli {
namespace {

using simulate::ClassReport;
using simulate::LoadPoint;
using simulate::RoutePlan;
using simulate::RunReport;
using simulate::SteadyReport;

std::vector<MessageClass> classes_of(const MessagesRequest& request) {
  std::vector<MessageClass> classes = parse_message_classes(request.messages, "--messages");
  if (!request.networks.empty()) assign_networks(request.networks, "--classes", classes);
  return classes;
}

/// One class over several runs: means, and the maximum of maxima.
struct ClassMeans : ClassReport {
  bool arrived = true;  ///< all measured messages of all runs
};

std::vector<ClassMeans> class_means(const std::vector<SteadyReport>& runs) {
  std::vector<ClassMeans> all;
  const double share = 1.0 / static_cast<double>(runs.size());
  for (const SteadyReport& run : runs) {
    if (all.empty()) all.resize(run.classes.size());
    for (std::size_t k = 0; k < run.classes.size(); ++k) {
      const ClassReport& one = run.classes[k];
      ClassMeans& mean = all[k];
      mean.name = one.name;
      mean.network = one.network;
      mean.arrived = mean.arrived && !run.undelivered;
      mean.messages += one.messages;
      mean.trips += one.trips;
      mean.accepted += share * one.accepted;
      mean.latency_mean += share * one.latency_mean;
      mean.latency_p99 += share * one.latency_p99;
      mean.latency_max = std::max(mean.latency_max, one.latency_max);
      mean.trip_mean += share * one.trip_mean;
      mean.trip_p99 += share * one.trip_p99;
      mean.trip_max = std::max(mean.trip_max, one.trip_max);
    }
  }
  return all;
}

}  // namespace

void check_simulated_messages(const MessagesRequest& request, const SimulatedRouting& routing,
                              const simulate::Settings& settings, bool steady) {
  if (request.messages.empty()) return;
  if (!steady) throw InputError("simulate: --messages is for --load and --saturation");
  (void)classes_of(request);
  if (!routing.paths.empty() || !routing.adaptive.empty() || !routing.lane_scheme.empty())
    throw InputError("simulate: --messages is for --engine and --tables, on their own lanes");
  if (routing.management || routing.multicast.wanted() || routing.source.lmc > 0 ||
      routing.address_given->count() > 0)
    throw InputError("simulate: --messages goes without --management, --multicast, --lmc and --address");
  if (settings.router != simulate::RouterKind::input_queued)
    throw InputError("simulate: --messages is simulated with router=input-queued");
  if (settings.packet_flits > 1 && settings.switching == simulate::Switching::wormhole) {
    throw InputError(
        "simulate: a message of --messages lies in one buffer: set switching=virtual-cut-through, or "
        "packet_flits=1");
  }
}

simulate::Settings lanes_for_engine(simulate::Settings settings, const MessagesRequest& request) {
  if (request.messages.empty()) return settings;
  std::uint32_t networks = 1;
  for (const MessageClass& c : classes_of(request)) networks = std::max(networks, c.network + 1);
  if (settings.vcs > 0) settings.vcs = std::max(1U, settings.vcs / networks);
  return settings;
}

std::optional<MessagesRun> plan_simulated_messages(PlannedRouting& routing, const MessagesRequest& request,
                                                   Progress& progress) {
  RoutePlan& plan = routing.plan;
  std::optional<MessagesRun> run =
      messages_run(plan.network, plan.routing, nullptr, request, std::nullopt, progress);
  if (run) plan_messages(plan, run->classes, run->verdict.lanes);
  return run;
}

std::string messages_statement(const MessagesRun& run) {
  return fmt::format("{}, {} deadlock-free with them on {} lane{}", classes_text(run.classes),
                     run.verdict.deadlock_free ? "proven" : "NOT proven", run.lanes(),
                     run.lanes() == 1 ? "" : "s");
}

void add_simulated_messages(Json& document, const MessagesRun& run) {
  Json verified = {{"deadlock_free", true}, {"witness", nullptr}};
  add_messages(verified, run);
  document["messages"] = std::move(verified["messages"]);
}

Json classes_json(const std::vector<SteadyReport>& runs) {
  Json all = Json::array();
  for (const ClassMeans& one : class_means(runs)) {
    const auto time = [&](bool any, double value) { return any && one.arrived ? Json(value) : Json(); };
    all.push_back({{"class", one.name},
                   {"virtual_network", one.network},
                   {"messages", one.messages},
                   {"accepted", one.accepted},
                   {"latency_mean", time(one.messages > 0, one.latency_mean)},
                   {"latency_p99", time(one.messages > 0, one.latency_p99)},
                   {"latency_max", time(one.messages > 0, one.latency_max)},
                   {"round_trips", one.trips},
                   {"round_trip_mean", time(one.trips > 0, one.trip_mean)},
                   {"round_trip_p99", time(one.trips > 0, one.trip_p99)},
                   {"round_trip_max", time(one.trips > 0, one.trip_max)}});
  }
  return all;
}

std::string classes_table(const std::vector<LoadPoint>& points) {
  TextTable table({{"load"},
                   {"class", Align::left},
                   {"network"},
                   {"messages"},
                   {"accepted"},
                   {"latency"},
                   {"p99"},
                   {"max"},
                   {"round trip"},
                   {"p99"},
                   {"max"}});
  for (const LoadPoint& point : points) {
    for (const ClassMeans& one : class_means(point.runs)) {
      std::vector<std::string> cells = {fmt::format("{:g}", point.load), one.name,
                                        std::to_string(one.network), grouped(one.messages),
                                        fmt::format("{:.4f}", one.accepted)};
      const auto times = [&](bool any, double mean, double p99, double max) {
        const bool meant = any && one.arrived;
        cells.push_back(meant ? fmt::format("{:.2f}", mean) : "-");
        cells.push_back(meant ? fmt::format("{:.0f}", p99) : "-");
        cells.push_back(meant ? fmt::format("{:.0f}", max) : "-");
      };
      times(one.messages > 0, one.latency_mean, one.latency_p99, one.latency_max);
      times(one.trips > 0, one.trip_mean, one.trip_p99, one.trip_max);
      table.add(std::move(cells));
    }
  }
  return table.text() +
         "Round trip: from the creation of the message that began it to the arrival of this one.\n";
}

std::string message_deadlock_text(const RunReport& run, const RoutePlan& plan) {
  return "messages wait for each other, the last for the first:\n" +
         describe(plan.network, plan.messages->classes, run.message_deadlock);
}

Json message_deadlock_json(const RunReport& run, const RoutePlan& plan) {
  return message_waits_json(plan.network, plan.messages->classes, run.message_deadlock);
}

}  // namespace unknot::cli
