// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unknot/cli/output/output.hpp"
#include "unknot/simulate/load_points.hpp"
#include "unknot/simulate/plan/route_plan.hpp"
#include "unknot/simulate/run.hpp"
#include "unknot/simulate/settings/settings.hpp"

/// What `simulate` prints of its runs, for scripts and for people. Numbers that are infinite or have no
/// meaning are null and "-".
namespace unknot::cli {

/// Every key in cycles and flits, with its value.
Json settings_json(const simulate::Settings& settings);

/// {total_pj, per_flit_pj, power_mw, and the parts buffers_pj, switches_pj, channels_pj, terminals_pj,
/// routers_pj}.
Json energy_json(const simulate::EnergyUse& use);
/// How many packets met long queues, and what their senders waited, for people.
std::string throttle_text(const simulate::ThrottleCounts& counts);
/// "12.3 pJ a flit, 4.5 mW: buffers 20 %, ...", for people.
std::string energy_text(const simulate::EnergyUse& use);
/// Adds what every kind of run has: packets, latencies in cycles, hops, utilisation, cycles, flit_hops,
/// deadlock and deadlock_cycle.
void add_run(Json& document, const simulate::RunReport& run, const simulate::RoutePlan& plan);
/// [{buffer, lane, source, destination, waits_for}], null for none.
Json deadlock_json(const simulate::DeadlockCycle& cycle, const simulate::RoutePlan& plan);
/// The circle of waiting packets, for people; empty where there is none.
std::string deadlock_text(const simulate::DeadlockCycle& cycle, const simulate::RoutePlan& plan);

/// A load of steady traffic; its runs one by one under `seeds` where there are several.
Json point_json(const simulate::LoadPoint& point, const simulate::RoutePlan& plan, std::uint64_t first_seed);
/// One table, then a line for what is not as it should be, a deadlock, and the definitions.
std::string points_text(const std::vector<simulate::LoadPoint>& points, const simulate::RoutePlan& plan,
                        const simulate::Settings& settings);

/// zero_load_latency and, for each of the three definitions, {load, definition, saturates, holds_again}, with
/// several seeds also seeds {mean, half_width, least, greatest}.
Json saturation_json(const simulate::SaturationRun& run);
std::string saturation_text(const simulate::SaturationRun& run);

/// Workloads, one run for each seed: completion_time, effective_throughput, complete, then as add_run().
void add_workload(Json& document, const std::vector<simulate::WorkloadReport>& runs,
                  const simulate::RoutePlan& plan, std::uint64_t first_seed);
std::string workload_text(const std::vector<simulate::WorkloadReport>& runs, const simulate::RoutePlan& plan);
/// A list of packets.
std::string packets_text(const simulate::RunReport& run, const simulate::RoutePlan& plan);

/// The `count` busiest channels, busiest first, of equal ones in order: {channel, utilisation}.
Json busiest_json(const Network& network, const std::vector<float>& utilisation, std::uint32_t count);
std::string busiest_text(const Network& network, const std::vector<float>& utilisation, std::uint32_t count);
/// Writes a line "created source destination arrived" for each packet, terminals by number, times in cycles,
/// in order of creation, source and destination. `arrived` has a fraction where a step is a part of a cycle.
void write_deliveries(std::vector<simulate::Recorder::Delivery> deliveries, std::uint32_t speedup,
                      const std::string& path);
/// Writes "channel,from,to,utilisation" and a line for each channel.
void write_utilisation(const Network& network, const std::vector<float>& utilisation,
                       const std::string& path);

}  // namespace unknot::cli
