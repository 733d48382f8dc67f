// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/simulate/core/source.hpp"
#include "unknot/simulate/plan/group_plan.hpp"
#include "unknot/simulate/sources/destinations.hpp"
#include "unknot/support/parameters.hpp"

namespace unknot::simulate {

/// How the packets that a terminal begins follow each other in time. Whatever the process, a terminal offers
/// its load in the long run, and in each single cycle as far as is known beforehand: processes begin in
/// their stationary state.
struct Injection {
  /// Independent from cycle to cycle; bursts and gaps between them that are geometric, which is a Markov
  /// chain of two states; bursts and gaps that are Pareto-distributed.
  enum class Process : std::uint8_t { bernoulli, chain, pareto };
  Process process = Process::bernoulli;
  double burst = 1;  ///< mean length, in cycles, at least 1
  double peak = 1;   ///< flits a cycle within a burst, in (0, 1]
  double low = 0;    ///< between bursts, as a part of the load, in [0, 1)
  double shape = 2;  ///< of Pareto's distribution, in (1, 2]
};

struct InjectionRow {
  std::string name;
  std::string summary;
  std::string source;
  std::vector<Parameter> parameters;
  std::function<Injection(const Parameters&)> make;
};
const std::vector<InjectionRow>& injections();

/// What a spec such as "on-off:burst=50,peak=0.5" says. InputError where it names none or is wrong.
Injection make_injection(std::string_view spec);

/// InputError where the load is above the peak of bursts.
void require_peak(const Injection& injection, double load);
/// Mean length of the gaps between bursts that makes this load, cycles; infinite at load 0.
double mean_gap(const Injection& injection, double load);

/// Steady traffic of this process. Of the packets GroupTraffic::share go to groups, where there are any.
/// `load`: flits that the busiest terminals offer in a cycle, in [0, 1]. All but the injection must outlive
/// it. InputError as require_peak().
std::unique_ptr<Source> make_traffic(const Injection& injection, const Destinations& destinations,
                                     std::uint32_t terminals, double load, std::uint32_t packet_flits,
                                     std::uint64_t seed, const GroupTraffic* multicast = nullptr);

}  // namespace unknot::simulate
