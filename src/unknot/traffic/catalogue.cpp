// SPDX-License-Identifier: Apache-2.0
#include "unknot/traffic/catalogue.hpp"

#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/traffic/flow_file.hpp"
#include "unknot/traffic/patterns/fixed_pattern.hpp"
#include "unknot/traffic/patterns/longest_matching.hpp"
#include "unknot/traffic/patterns/patterns.hpp"

namespace unknot {
namespace {

/// Maker for a pattern that needs only the number of terminals.
template <TrafficPattern (*Make)(std::uint32_t)>
TrafficPattern plain(const Network& network, const Parameters&, Progress&) {
  return Make(network.terminal_count());
}

TrafficPattern make_shift(const Network& network, const Parameters& parameters, Progress&) {
  return shift(network.terminal_count(), parameters.number("distance"));
}

TrafficPattern make_neighbour(const Network& network, const Parameters&, Progress&) {
  return shift(network.terminal_count(), 1);
}

TrafficPattern make_hotspot(const Network& network, const Parameters& parameters, Progress&) {
  return hotspot(network.terminal_count(), parameters.real("fraction"), parameters.number32("hotspots"));
}

TrafficPattern make_uniform(const Network& network, const Parameters& parameters, Progress&) {
  return uniform(network.terminal_count(), parameters.flag("self"));
}

TrafficPattern make_router_shift(const Network& network, const Parameters& parameters, Progress&) {
  return router_shift(network, parameters.number("distance"));
}

TrafficPattern make_stencil3d(const Network& network, const Parameters& parameters, Progress&) {
  return stencil3d(network, parameters, "pattern stencil3d");
}

TrafficPattern make_worst_case(const Network& network, const Parameters&, Progress&) {
  return worst_case(network);
}

TrafficPattern make_longest_matching(const Network& network, const Parameters&, Progress& progress) {
  return longest_matching_pattern(network, progress);
}

TrafficPattern read_pattern(const Network& network, const std::string& path) {
  return pattern_of_flows(parse_flows(network, read_file(path), path));
}

TrafficPattern make_all_to_all(const Network&, const Parameters&, Progress&) {
  return all_to_all();
}

std::vector<Pattern> make_rows() {
  const Parameter distance{
      .name = "distance", .help = "how far each terminal sends, in terminal numbers", .fallback = "1"};
  const Parameter self{.name = "self",
                       .kind = ParameterKind::flag,
                       .help = "the terminal itself is one of those it may draw",
                       .fallback = "0"};
  const Parameter fraction{.name = "fraction",
                           .kind = ParameterKind::real,
                           .help = "part of the terminals that send to a hotspot",
                           .fallback = "0.1",
                           .min = 0,
                           .max = 1};
  const Parameter hotspots{
      .name = "hotspots", .help = "number of hotspots", .fallback = "1", .min = 1, .max = 20'000'000};
  const Parameter router_distance{
      .name = "distance", .help = "how far, in routers with terminals", .fallback = "1"};
  const Parameter path{
      .name = "path", .kind = ParameterKind::text, .help = "lines 'source destination [weight]'"};
  const auto row = [](std::string name, std::vector<std::string> aliases, std::string summary,
                      std::vector<Parameter> parameters, auto make) {
    Pattern pattern;
    pattern.name = std::move(name);
    pattern.aliases = std::move(aliases);
    pattern.summary = std::move(summary);
    pattern.parameters = std::move(parameters);
    pattern.make = std::move(make);
    return pattern;
  };
  const auto permutation_row = [&](auto... fields) {
    Pattern pattern = row(std::move(fields)...);
    pattern.one_to_one = true;
    return pattern;
  };
  using Names = std::vector<std::string>;
  using List = std::vector<Parameter>;
  std::vector<Pattern> rows = {
      permutation_row("bisection", Names{"bisect"}, "random halves matched at random, one direction", List{},
                      plain<bisection>),
      permutation_row("permutation", Names{}, "random permutation", List{}, plain<permutation>),
      row("uniform", {"random"}, "each terminal to a random other one", {self}, make_uniform),
      row("all-to-all", {"alltoall"}, "every terminal to every other at once", {}, make_all_to_all),
      permutation_row("shift", Names{}, "terminal t to t + distance, around", List{distance}, make_shift),
      permutation_row("shift-router", Names{},
                      "each router's terminals to those of the router `distance` on, around",
                      List{router_distance}, make_router_shift),
      permutation_row("neighbour", Names{"neighbor", "ring"}, "terminal t to t + 1, around", List{},
                      make_neighbour),
      permutation_row("tornado", Names{}, "terminal t nearly half way round", List{}, plain<tornado>),
      permutation_row("transpose", Names{}, "terminals in a square, (i, j) to (j, i)", List{},
                      plain<transpose>),
      permutation_row("bit-complement", Names{}, "all bits of the terminal number inverted", List{},
                      plain<bit_complement>),
      permutation_row("bit-reverse", Names{}, "bits of the terminal number reversed", List{},
                      plain<bit_reverse>),
      permutation_row("bit-rotation", Names{}, "bits of the terminal number rotated down by one", List{},
                      plain<bit_rotation>),
      permutation_row("shuffle", Names{}, "bits of the terminal number rotated up by one", List{},
                      plain<shuffle>),
      permutation_row("bit-transpose", Names{}, "bits of the terminal number rotated by half of them", List{},
                      plain<bit_transpose>),
      permutation_row("butterfly", Names{}, "highest and lowest bit of the terminal number exchanged", List{},
                      plain<butterfly>),
      row("hotspot", {}, "a fraction of the terminals to a few random ones, the others anywhere",
          {fraction, hotspots}, make_hotspot),
  };
  Pattern stencil = row("stencil3d", {"nearest-neighbour", "nearest-neighbor"},
                        "each process of a 3D grid, closed around, to its six neighbours", grid_parameters(),
                        make_stencil3d);
  stencil.several = true;
  rows.push_back(std::move(stencil));
  Pattern worst = permutation_row(
      "worst-case", Names{}, "the worst permutation for shortest paths: Slim Fly, OFT, MLFM and their like",
      List{}, make_worst_case);
  worst.any_network = false;
  rows.push_back(std::move(worst));
  rows.push_back(permutation_row(
      "longest-matching", Names{},
      "the permutation whose shortest paths are the longest in all: near the worst case of any routing",
      List{}, make_longest_matching));
  Pattern file = row("file", {}, "the flows in a file", {path}, nullptr);
  file.several = true;
  file.read = read_pattern;
  rows.push_back(std::move(file));
  return rows;
}

}  // namespace

const std::vector<Pattern>& patterns() {
  static const std::vector<Pattern> rows = make_rows();
  return rows;
}

const Pattern& find_pattern(std::string_view name) {
  return find_row(patterns(), "pattern", name);
}

TrafficPattern make_pattern(const Network& network, std::string_view spec, Progress& progress) {
  const auto [name, rest] = split_spec(spec);
  const Pattern& row = find_pattern(name);
  TrafficPattern pattern;
  if (row.read) {
    // The path alone, or as the parameter that the catalogue lists. It may hold commas and more.
    const std::string key = row.parameters.front().name + "=";
    const std::string_view path = rest.substr(rest.starts_with(key) ? key.size() : 0);
    if (path.empty()) throw InputError("pattern " + row.name + ": expected " + row.name + ":PATH");
    pattern = row.read(network, std::string(path));
  } else {
    pattern = row.make(network, parse_parameters("pattern " + row.name, row.parameters, rest), progress);
  }
  pattern.name = spec;
  return pattern;
}

TrafficPattern make_pattern(const Network& network, std::string_view spec) {
  Progress silent;
  return make_pattern(network, spec, silent);
}

}  // namespace unknot
