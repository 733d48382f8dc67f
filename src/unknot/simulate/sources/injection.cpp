// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/sources/injection.hpp"

#include <fmt/format.h>

#include "unknot/simulate/sources/bursty_source.hpp"
#include "unknot/simulate/sources/steady_source.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"

namespace unknot::simulate {
namespace {

Parameter burst_parameter() {
  return {.name = "burst",
          .kind = ParameterKind::real,
          .help = "mean length of a burst, in cycles",
          .fallback = "20",
          .min = 1,
          .max = 1e9};
}
Parameter peak_parameter() {
  return {.name = "peak",
          .kind = ParameterKind::real,
          .help = "flits a cycle that a terminal begins within a burst",
          .fallback = "1",
          .min = 0.001,
          .max = 1};
}

Injection chain(const Parameters& p) {
  return {.process = Injection::Process::chain, .burst = p.real("burst"), .peak = p.real("peak")};
}
Injection two_rates(const Parameters& p) {
  Injection injection = chain(p);
  injection.low = p.real("low");
  return injection;
}
Injection pareto(const Parameters& p) {
  Injection injection = chain(p);
  injection.process = Injection::Process::pareto;
  injection.shape = p.real("shape");
  return injection;
}

}  // namespace

const std::vector<InjectionRow>& injections() {
  static const std::vector<InjectionRow> rows = {
      {"bernoulli",
       "in each cycle with the same probability, whatever was before",
       "Dally and Towles 2004, section 24.2",
       {},
       [](const Parameters&) { return Injection{}; }},
      {"on-off",
       "bursts with nothing between them, both of geometric length: BookSim2's on_off",
       "Dally and Towles 2004, section 24.2",
       {burst_parameter(), peak_parameter()},
       chain},
      {"markov",
       "a Markov chain of two states, in each of which packets begin at a rate of its own (MMBP)",
       "Fischer and Meier-Hellstern 1993",
       {burst_parameter(),
        peak_parameter(),
        {.name = "low",
         .kind = ParameterKind::real,
         .help = "rate between bursts, as a part of the load",
         .fallback = "0.5",
         .min = 0,
         .max = 0.999}},
       two_rates},
      {"pareto",
       "bursts with nothing between them, both of Pareto's distribution: many together are self-similar",
       "Willinger, Taqqu, Sherman and Wilson 1997",
       {{.name = "shape",
         .kind = ParameterKind::real,
         .help = "of the distribution; the nearer to 1, the longer the longest",
         .fallback = "1.5",
         .min = 1.01,
         .max = 2},
        burst_parameter(),
        peak_parameter()},
       pareto},
  };
  return rows;
}

Injection make_injection(std::string_view spec) {
  const Chosen<InjectionRow> chosen = choose_row(injections(), "injection", spec);
  return chosen.row->make(chosen.parameters);
}

void require_peak(const Injection& injection, double load) {
  if (load > injection.peak) {
    throw InputError(
        fmt::format("simulate: load {:g} is above the {:g} flits a cycle of a burst (peak of --injection)",
                    load, injection.peak));
  }
}

double mean_gap(const Injection& injection, double load) {
  return injection.burst * (injection.peak - load) / (load * (1 - injection.low));
}

std::unique_ptr<Source> make_traffic(const Injection& injection, const Destinations& destinations,
                                     std::uint32_t terminals, double load, std::uint32_t packet_flits,
                                     std::uint64_t seed, const GroupTraffic* multicast) {
  if (injection.process == Injection::Process::bernoulli)
    return std::make_unique<SteadySource>(destinations, terminals, load, packet_flits, seed, multicast);
  require_peak(injection, load);
  return std::make_unique<BurstySource>(injection, destinations, terminals, load, packet_flits, seed,
                                        multicast);
}

}  // namespace unknot::simulate
