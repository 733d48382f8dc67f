// SPDX-License-Identifier: Apache-2.0
#include "unknot/oblivious/lane_scheme.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

LaneScheme make_single(const PathLengths&, const Parameters&) {
  return {{}, 1, [](const LaneHop&) { return 0U; }};
}

LaneScheme make_hop(const PathLengths& lengths, const Parameters& parameters) {
  const std::uint32_t hops = std::max(1U, lengths.longest);
  const std::uint32_t lanes = parameters.has("lanes") ? std::min(hops, parameters.number32("lanes")) : hops;
  return {{}, lanes, [lanes](const LaneHop& hop) { return std::min(hop.hop, lanes - 1); }};
}

LaneScheme make_phase(const PathLengths& lengths, const Parameters&) {
  return {
      {}, lengths.paths == ObliviousPaths::minimal ? 1U : 2U, [](const LaneHop& hop) { return hop.phase; }};
}

LaneScheme make_phase_hop(const PathLengths& lengths, const Parameters& parameters) {
  const std::uint32_t hops = std::max(1U, lengths.diameter);
  const std::uint32_t each = parameters.has("each") ? std::min(hops, parameters.number32("each")) : hops;
  return {{}, lengths.paths == ObliviousPaths::minimal ? each : 2 * each, [each](const LaneHop& hop) {
            return hop.phase * each + std::min(hop.in_phase, each - 1);
          }};
}

std::vector<LaneSchemeRow> make_rows() {
  const Parameter lanes{.name = "lanes",
                        .help = "lanes; later hops stay on the last one (default as many as hops)",
                        .fallback = "",
                        .min = 1,
                        .max = kMaxSchemeLanes};
  const Parameter each{.name = "each",
                       .help = "lanes of each phase; later hops stay on its last one (default the diameter)",
                       .fallback = "",
                       .min = 1,
                       .max = kMaxSchemeLanes};
  return {
      {"single", "one lane for everything", {}, make_single},
      {"hop", "lane h for hop h, counted from the source and never again from 0", {lanes}, make_hop},
      {"phase", "lane 0 up to the intermediate router, lane 1 after it", {}, make_phase},
      {"phase-hop",
       "lanes of its own for each phase, in each lane h for hop h of the phase",
       {each},
       make_phase_hop},
  };
}

void set_step(std::uint8_t& step, std::uint32_t lane) {
  if (step != LaneSteps::kNever && step != lane)
    throw std::logic_error("a lane scheme whose next lane does not follow from the lane before");
  step = static_cast<std::uint8_t>(lane);
}

}  // namespace

const std::vector<LaneSchemeRow>& lane_schemes() {
  static const std::vector<LaneSchemeRow> rows = make_rows();
  return rows;
}

const LaneSchemeRow& find_lane_scheme(std::string_view name) {
  return find_row(lane_schemes(), "lane scheme", name);
}

LaneScheme make_lane_scheme(const PathLengths& lengths, std::string_view spec) {
  const Chosen<LaneSchemeRow> chosen = choose_row(lane_schemes(), "lane scheme", spec);
  LaneScheme scheme = chosen.row->make(lengths, chosen.parameters);
  scheme.name = spec;
  if (scheme.lanes > kMaxSchemeLanes) {
    throw InputError(fmt::format("lane scheme {}: paths of up to {} hops take {} lanes, at most {} exist",
                                 spec, lengths.longest, scheme.lanes, kMaxSchemeLanes));
  }
  return scheme;
}

LaneSteps lane_steps(const LaneScheme& scheme, const PathLengths& lengths) {
  LaneSteps steps;
  steps.onward.fill(LaneSteps::kNever);
  steps.turned.fill(LaneSteps::kNever);
  steps.first = static_cast<std::uint8_t>(scheme.lane({}));
  const std::uint32_t hops = std::min(lengths.diameter, 2 * kMaxSchemeLanes);
  for (std::uint32_t hop = 0; hop + 1 < hops; ++hop)
    set_step(steps.onward[scheme.lane({0, hop, hop})], scheme.lane({0, hop + 1, hop + 1}));
  if (lengths.paths == ObliviousPaths::minimal) return steps;
  for (std::uint32_t length = 1; length <= hops; ++length) {
    set_step(steps.turned[scheme.lane({0, length - 1, length - 1})], scheme.lane({1, length, 0}));
    for (std::uint32_t hop = 0; hop + 1 < hops; ++hop) {
      set_step(steps.onward[scheme.lane({1, length + hop, hop})],
               scheme.lane({1, length + hop + 1, hop + 1}));
    }
  }
  return steps;
}

}  // namespace unknot
