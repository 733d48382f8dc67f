// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The library's door: what it includes is what is installed, and what stays as it is from one version to the
/// next.
///
///     #include <unknot/unknot.hpp>
///
///     unknot::Progress progress;
///     const unknot::Network network = unknot::read_fabric("torus:4x4,p=2");  // a spec or a file
///     const unknot::Routing routing = unknot::route(network, "dfsssp", {}, progress);
///     const unknot::Verdict verdict = unknot::verify(network, routing, {}, progress);
///     if (verdict.complete() && verdict.deadlock_free) unknot::write_tables(network, routing, "opensm",
///     "lfts");
///
/// Networks, routings and schedules are values; everything else is a function of them. Bad input is an
/// InputError, one sentence; an engine that finds no routing throws RoutingFailure; Progress, which callers
/// may derive from, can stop what takes long. docs/cpp.md has a longer example.

// Networks: made, read, broken, described.
#include "unknot/formats/fabric/fabric_catalogue.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/network/cuts/properties.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/network/network.hpp"
#include "unknot/topology/catalogue.hpp"

// Routings: computed, read, proven, written, changed.
#include "unknot/engines/catalogue.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/oblivious/oblivious_verdict.hpp"
#include "unknot/routing/reroute/reroute.hpp"
#include "unknot/tables/routing.hpp"
#include "unknot/verify/verify.hpp"

// A fabric that changes, with its tables and their proof; in C: unknot/live.h.
#include "unknot/live/live_fabric.hpp"
#include "unknot/live/live_lane_fabric.hpp"

// How good they are: loads, congestion, bounds, the worst permutation, simulation.
#include "unknot/bounds/adversary/adversary.hpp"
#include "unknot/bounds/concurrent_flow.hpp"
#include "unknot/bounds/hose_bound.hpp"
#include "unknot/bounds/path_sets.hpp"
#include "unknot/bounds/path_split.hpp"
#include "unknot/load/channel_load.hpp"
#include "unknot/load/congestion.hpp"
#include "unknot/simulate/load_points.hpp"
#include "unknot/simulate/run.hpp"
#include "unknot/simulate/settings/presets.hpp"
#include "unknot/traffic/catalogue.hpp"
#include "unknot/traffic/workloads/workload_catalogue.hpp"

// Collective communication: problems, bounds, schedules, their check and files.
#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/collective/check/checker.hpp"
#include "unknot/collective/files/schedule_file.hpp"
#include "unknot/collective/model/catalogue.hpp"
#include "unknot/collective/solvers/solver.hpp"

// What all of them speak of.
#include "unknot/support/error.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/support/version.hpp"
