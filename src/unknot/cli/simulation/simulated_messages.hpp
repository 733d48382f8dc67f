// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "unknot/cli/output/output.hpp"
#include "unknot/cli/routing/message_run.hpp"
#include "unknot/cli/simulation/simulated_routing.hpp"
#include "unknot/simulate/load_points.hpp"
#include "unknot/simulate/run.hpp"
#include "unknot/simulate/settings/settings.hpp"
#include "unknot/support/progress.hpp"

/// `simulate --messages`: hosts that answer.
namespace unknot::cli {

/// Refuses what does not go with messages, before any work. Nothing where none are asked for. `steady`: what
/// is simulated is traffic at a load.
void check_simulated_messages(const MessagesRequest& request, const SimulatedRouting& routing,
                              const simulate::Settings& settings, bool steady);
/// The settings with the lanes that are left for an engine where each virtual network has as many.
simulate::Settings lanes_for_engine(simulate::Settings settings, const MessagesRequest& request);
/// Proves the tables with the messages, and makes the plan one for them. Nothing where none are asked for.
/// InputError as messages_run() and plan_messages().
std::optional<MessagesRun> plan_simulated_messages(PlannedRouting& routing, const MessagesRequest& request,
                                                   Progress& progress);

/// What is proven, in a few words.
std::string messages_statement(const MessagesRun& run);
/// The member `messages`, as `verify` has it.
void add_simulated_messages(Json& document, const MessagesRun& run);

/// [{class, virtual_network, messages, accepted, latency_mean, ..., round_trip_mean, ...}], means over the
/// point's runs; times are null where not all measured messages arrived.
Json classes_json(const std::vector<simulate::SteadyReport>& runs);
/// A table of all classes at all loads.
std::string classes_table(const std::vector<simulate::LoadPoint>& points);
/// The circle of a run, for people, and [{held, class, source, destination}].
std::string message_deadlock_text(const simulate::RunReport& run, const simulate::RoutePlan& plan);
Json message_deadlock_json(const simulate::RunReport& run, const simulate::RoutePlan& plan);

}  // namespace unknot::cli
