// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unknot/simulate/core/recorder.hpp"
#include "unknot/simulate/core/source.hpp"
#include "unknot/simulate/plan/route_plan.hpp"
#include "unknot/simulate/settings/link_times.hpp"
#include "unknot/simulate/settings/settings.hpp"

namespace unknot::simulate {

/// What a run of the plain model gives.
struct FlitByFlit {
  std::vector<Recorder::Delivery> deliveries;  ///< packets whose tails have arrived
  std::string broken;  ///< the first thing that must not be; empty where there is none
};

/// The model of Arbitration::packets written down once more, slowly: every flit is an object that is
/// somewhere in each step, and each step looks at every port and lane. The fast form works out all of a
/// packet's flits from its head; here each one moves by itself, and it is said where one
///
/// * is not in the input buffer when its packet's crossing comes to it, or meets another in the switch;
/// * is not in the output buffer when its turn on the channel comes, or comes too early behind the one
/// before;
/// * finds a buffer full, or with as many packets as it has places;
/// * comes between those of another packet, or is lost.
///
/// Time inside a router is told as in the fast form: the steps of its pipeline lie between the output buffer
/// and the channel. For forwarding tables and source routes.
FlitByFlit run_flit_by_flit(const RoutePlan& plan, const Settings& settings, const LinkTimes& links,
                            Source& source, std::uint64_t cycles);

}  // namespace unknot::simulate
