// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <numeric>

#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"
#include "unknot/traffic/patterns/grid_of_processes.hpp"
#include "unknot/traffic/patterns/patterns.hpp"

namespace unknot {
namespace {

/// Appends the messages of all processes, those of process p from terminal_of[p].
void append_messages(const GridExtents& extents, const std::vector<std::uint32_t>& terminal_of,
                     std::vector<Flow>& flows) {
  flows.clear();
  const auto count = static_cast<std::uint32_t>(terminal_of.size());
  for (std::uint32_t process = 0; process < count; ++process) {
    std::uint32_t stride = 1;
    for (const std::uint32_t extent : extents) {
      if (extent > 1) {
        const std::uint32_t at = process / stride % extent;
        const std::uint32_t line = process - at * stride;
        for (const std::uint32_t next : {(at + 1) % extent, (at + extent - 1) % extent})
          flows.push_back({TerminalId(terminal_of[process]), TerminalId(terminal_of[line + next * stride])});
      }
      stride *= extent;
    }
  }
}

GridExtents checked(const Network& network, const std::vector<std::uint32_t>& extents,
                    const std::string& what) {
  if (extents.empty()) return default_grid(network);
  if (extents.size() != 3) throw InputError(what + ", parameter dims: expected three extents, as in 4x4x2");
  std::uint64_t processes = 1;
  for (const std::uint32_t extent : extents) {
    if (extent == 0) throw InputError(what + ", parameter dims: an extent is 0");
    processes *= extent;
    if (processes > network.terminal_count()) {
      throw InputError(what + ", parameter dims: more processes than the network's " +
                       std::to_string(network.terminal_count()) + " terminals");
    }
  }
  return {extents[0], extents[1], extents[2]};
}

}  // namespace

TrafficPattern stencil3d(const Network& network, const std::vector<std::uint32_t>& dims, GridMapping mapping,
                         const std::string& what) {
  const GridExtents extents = checked(network, dims, what);
  const std::uint32_t terminals = network.terminal_count();
  const std::uint32_t processes = std::min(terminals, extents[0] * extents[1] * extents[2]);
  TrafficPattern pattern;
  pattern.random = mapping == GridMapping::random;
  if (pattern.random) {
    pattern.flows = [=](std::uint64_t seed, std::uint32_t sample, std::vector<Flow>& flows) {
      std::vector<std::uint32_t> terminal_of(terminals);
      std::iota(terminal_of.begin(), terminal_of.end(), 0U);
      Random random(seed, sample);
      random.shuffle(terminal_of);
      terminal_of.resize(processes);
      append_messages(extents, terminal_of, flows);
    };
    return pattern;
  }
  std::vector<std::uint32_t> terminal_of(processes);
  std::iota(terminal_of.begin(), terminal_of.end(), 0U);
  if (mapping == GridMapping::partition && processes > 0) {
    const std::vector<std::uint32_t> process_of = partitioned_processes(network, extents);
    for (std::uint32_t t = 0; t < processes; ++t) terminal_of[process_of[t]] = t;
  }
  pattern.flows = [extents, terminal_of = std::move(terminal_of)](std::uint64_t, std::uint32_t,
                                                                  std::vector<Flow>& flows) {
    append_messages(extents, terminal_of, flows);
  };
  return pattern;
}

TrafficPattern stencil3d(const Network& network, const Parameters& parameters, const char* what) {
  const std::string& name = parameters.text("mapping");
  const GridMapping mapping = name == "random"      ? GridMapping::random
                              : name == "partition" ? GridMapping::partition
                                                    : GridMapping::contiguous;
  return stencil3d(network, parameters.has("dims") ? parameters.list("dims") : std::vector<std::uint32_t>(),
                   mapping, what);
}

std::vector<Parameter> grid_parameters() {
  return {{.name = "dims",
           .kind = ParameterKind::list,
           .help = "extents of the grid (default: a compact one that fills the network, or nearly)",
           .fallback = "",
           .min = 1,
           .max = 20'000'000},
          {.name = "mapping",
           .kind = ParameterKind::text,
           .help = "where processes go: in order, anywhere, or bricks of the grid on each router",
           .fallback = "contiguous",
           .choices = {"contiguous", "random", "partition"}}};
}

}  // namespace unknot
