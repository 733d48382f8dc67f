// SPDX-License-Identifier: Apache-2.0
#include "unknot/traffic/catalogue.hpp"

#include <algorithm>

#include "unknot/support/error.hpp"
#include "unknot/traffic/patterns.hpp"

namespace unknot {
namespace {

/// Maker for a pattern that needs only the number of terminals.
template <TrafficPattern (*Make)(std::uint32_t)>
TrafficPattern plain(const Network& network, const Parameters&) {
  return Make(network.terminal_count());
}

TrafficPattern make_shift(const Network& network, const Parameters& parameters) {
  return traffic::shift(network.terminal_count(), parameters.number("distance"));
}

TrafficPattern make_neighbour(const Network& network, const Parameters&) {
  return traffic::shift(network.terminal_count(), 1);
}

TrafficPattern make_hotspot(const Network& network, const Parameters& parameters) {
  return traffic::hotspot(network.terminal_count(), parameters.real("fraction"),
                          parameters.number32("hotspots"));
}

TrafficPattern make_all_to_all(const Network&, const Parameters&) {
  return traffic::all_to_all();
}

std::vector<Pattern> make_rows() {
  using namespace traffic;
  const Parameter distance{
      .name = "distance", .help = "how far each terminal sends, in terminal numbers", .fallback = "1"};
  const Parameter fraction{.name = "fraction",
                           .kind = ParameterKind::real,
                           .help = "part of the terminals that send to a hotspot",
                           .fallback = "0.1",
                           .min = 0,
                           .max = 1};
  const Parameter hotspots{
      .name = "hotspots", .help = "number of hotspots", .fallback = "1", .min = 1, .max = 20'000'000};
  return {
      {"bisection", {"bisect"}, "random halves matched at random, one direction", {}, true, plain<bisection>},
      {"permutation", {}, "random permutation", {}, true, plain<permutation>},
      {"uniform", {"random"}, "each terminal to a random other one", {}, false, plain<uniform>},
      {"all-to-all", {"alltoall"}, "every terminal to every other at once", {}, false, make_all_to_all},
      {"shift", {}, "terminal t to t + distance, around", {distance}, true, make_shift},
      {"neighbour", {"neighbor", "ring"}, "terminal t to t + 1, around", {}, true, make_neighbour},
      {"tornado", {}, "terminal t nearly half way round", {}, true, plain<tornado>},
      {"transpose", {}, "terminals in a square, (i, j) to (j, i)", {}, true, plain<transpose>},
      {"bit-complement", {}, "all bits of the terminal number inverted", {}, true, plain<bit_complement>},
      {"bit-reverse", {}, "bits of the terminal number reversed", {}, true, plain<bit_reverse>},
      {"hotspot",
       {},
       "a fraction of the terminals to a few random ones, the others anywhere",
       {fraction, hotspots},
       false,
       make_hotspot},
  };
}

}  // namespace

const std::vector<Pattern>& patterns() {
  static const std::vector<Pattern> rows = make_rows();
  return rows;
}

const Pattern& find_pattern(std::string_view name) {
  std::vector<std::string> names;
  for (const Pattern& row : patterns()) {
    if (row.name == name) return row;
    if (std::find(row.aliases.begin(), row.aliases.end(), name) != row.aliases.end()) return row;
    names.push_back(row.name);
    names.insert(names.end(), row.aliases.begin(), row.aliases.end());
  }
  const std::string near = near_names(name, names);
  throw InputError("unknown pattern '" + std::string(name) + "'" + (near.empty() ? "" : ": " + near));
}

TrafficPattern make_pattern(const Network& network, std::string_view spec) {
  const std::size_t colon = spec.find(':');
  const Pattern& row = find_pattern(spec.substr(0, colon));
  const std::string_view rest = colon == std::string_view::npos ? std::string_view() : spec.substr(colon + 1);
  TrafficPattern pattern = row.make(network, parse_parameters("pattern " + row.name, row.parameters, rest));
  pattern.name = spec;
  return pattern;
}

}  // namespace unknot
