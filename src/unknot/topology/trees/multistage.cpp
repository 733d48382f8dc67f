// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "unknot/network/builder.hpp"
#include "unknot/network/network.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/families.hpp"
#include "unknot/topology/nearest_valid.hpp"
#include "unknot/topology/power_of_two.hpp"
#include "unknot/topology/saturating.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {
namespace {

// One-way multistage networks. Packets enter at the first stage of switches and leave at the last.
//
// A terminal belongs to one router, but here it would inject at one switch and receive from another. So each
// endpoint is a leaf: a router with one channel out, to the first stage (the injector), and one in, from the
// last (the receiver). Routers are numbered stage by stage, then the leaves, leaf t last but N-1-t. Shortest
// paths between leaves pass no third one. Switches leave by ports 1, 2, ... and are entered by those after;

// a leaf leaves by port 1, is entered by port 2, and has its terminals (one by default) from port 3.

// Clos network of three stages: `outer` switches n x m, m switches outer x outer, `outer` switches m x n.
// Any permutation can be routed without conflict where m >= n. [Clos 1953; Benes 1965]
struct ClosParams {
  std::uint32_t n = 2;      // terminals of an outer switch
  std::uint32_t m = 2;      // middle switches
  std::uint32_t outer = 2;  // switches of the first stage, and of the last
};

/// Adds `leaves` routers with their terminals; ports 1 and 2 are for the injector and the receiver.
RouterId add_leaves(NetworkBuilder& builder, std::uint32_t leaves, const TerminalPlacement& terminals) {
  const RouterId first = builder.add_routers(leaves);
  place_terminals(builder, first, leaves, terminals, 3);
  return first;
}

constexpr std::uint16_t kInjector = 1;
constexpr std::uint16_t kReceiver = 2;

/// 2 x 2 switches: `entered(stage, line)` and `left(stage, line)` tell the switch that a line enters and
/// leaves.
template <class Entered, class Left>
Network two_by_two(std::uint32_t lines, std::uint32_t stages, const TerminalPlacement& terminals,
                   const Entered& entered, const Left& left) {
  const std::uint32_t width = lines / 2;
  NetworkBuilder builder;
  builder.reserve(std::uint64_t{width} * stages + lines, std::uint64_t{lines} * (stages + 1),
                  terminals.total(lines));
  builder.add_routers(width * stages);
  const RouterId leaf = add_leaves(builder, lines, terminals);
  std::vector<std::uint16_t> outs(width * stages, 0);
  std::vector<std::uint16_t> ins(width * stages, 0);
  for (std::uint32_t stage = 0; stage <= stages; ++stage) {
    for (std::uint32_t line = 0; line < lines; ++line) {
      RouterId from(leaf.value + line);
      RouterId to = from;
      std::uint16_t from_port = kInjector;
      std::uint16_t to_port = kReceiver;
      if (stage > 0) {
        from = RouterId((stage - 1) * width + left(stage - 1, line));
        from_port = static_cast<std::uint16_t>(1 + outs[from.value]++);
      }
      if (stage < stages) {
        to = RouterId(stage * width + entered(stage, line));
        to_port = static_cast<std::uint16_t>(3 + ins[to.value]++);
      }
      builder.add_channel(from, from_port, to, to_port);
    }
  }
  return std::move(builder).build();
}

template <class Make>
Topology two_by_two_row(const char* name, const char* summary, const Make& make) {
  const std::string spec = name;
  return {.name = name,
          .summary = summary,
          .parameters = {{.name = "n", .help = "leaves, a power of two; one terminal on each", .min = 2}},
          .size =
              [=](const Parameters& p) {
                const std::uint64_t lines = p.number("n");
                const std::uint64_t stages = log2_terminals(name, p.number32("n"));
                return NetworkSize{lines / 2 * stages + lines, lines * (stages + 1),
                                   placement_from(p).total(lines)};
              },
          .make = [=](const Parameters& p) { return make(p.number32("n"), placement_from(p)); },
          .examples = {spec + ":8", spec + ":4", spec + ":2"}};
}

NetworkSize clos_size(const ClosParams& shape, const TerminalPlacement& terminals) {
  const std::uint64_t leaves = std::uint64_t{shape.n} * shape.outer;
  return {std::uint64_t{2} * shape.outer + shape.m + leaves,
          saturating_add(2 * leaves, saturating_multiply(std::uint64_t{2} * shape.outer, shape.m)),
          terminals.total(leaves)};
}

ClosParams clos_params(const Parameters& p) {
  const std::uint32_t leaves = p.number32("leaves");
  ClosParams shape;
  if (p.has("n")) {
    shape.n = p.number32("n");
    if (leaves % shape.n != 0) {
      throw InputError(fmt::format(
          "topology clos: {} terminals do not fill switches of n={}; nearest: {}", leaves, shape.n,
          nearest_valid("n", shape.n, [&](std::uint32_t v) { return v > 0 && leaves % v == 0; })));
    }
  } else {  // as near to square as the number allows
    shape.n = 1;
    for (std::uint32_t n = 1; std::uint64_t{n} * n <= leaves; ++n) {
      if (leaves % n == 0) shape.n = n;
    }
  }
  shape.outer = leaves / shape.n;
  shape.m = p.has("m") ? p.number32("m") : shape.n;
  if (shape.m < shape.n) {
    throw InputError(
        fmt::format("topology clos: m={} middle switches block; at least n={} are needed", shape.m, shape.n));
  }
  return shape;
}

}  // namespace

// Omega network: log2 N times a perfect shuffle of the N lines, then N/2 switches 2 x 2. `lines` is a power
// of two. One path for each pair, by the bits of the destination, high to low. [Lawrie 1975]
static Network omega(std::uint32_t lines, const TerminalPlacement& terminals) {
  const std::uint32_t stages = log2_terminals("omega", lines);
  // Line i is shuffled to i rotated left, and enters the switch of its upper bits.
  const auto entered = [=](std::uint32_t /*stage*/, std::uint32_t line) {
    return (line << 1U | line >> (stages - 1)) % lines / 2;
  };
  return two_by_two(lines, stages, terminals, entered,
                    [](std::uint32_t /*stage*/, std::uint32_t line) { return line / 2; });
}

// Butterfly: log2 N stages of N/2 switches 2 x 2; stage s joins the lines that differ in bit log2 N - 1 - s.
static Network butterfly(std::uint32_t lines, const TerminalPlacement& terminals) {
  const std::uint32_t stages = log2_terminals("butterfly", lines);
  // The two lines of a switch differ in one bit: without it their number is the switch's.
  const auto through = [=](std::uint32_t stage, std::uint32_t line) {
    const std::uint32_t low = (1U << (stages - 1 - stage)) - 1;
    return (line >> 1U & ~low) | (line & low);
  };
  return two_by_two(lines, stages, terminals, through, through);
}

static Network clos(const ClosParams& shape, const TerminalPlacement& terminals) {
  const NetworkSize size = clos_size(shape, terminals);
  NetworkBuilder builder;
  builder.reserve(size.routers, size.cables, size.terminals);
  const RouterId first = builder.add_routers(shape.outer);
  const RouterId middle = builder.add_routers(shape.m);
  const RouterId last = builder.add_routers(shape.outer);
  const RouterId leaf = add_leaves(builder, shape.n * shape.outer, terminals);
  const auto at = [](RouterId start, std::uint32_t i) { return RouterId(start.value + i); };
  if (std::uint64_t{shape.m} + shape.n > 0xFFFF || std::uint64_t{2} * shape.outer > 0xFFFF) {
    throw InputError(fmt::format("topology clos: switches {} x {} and {} x {} have more than 65535 ports",
                                 shape.n, shape.m, shape.outer, shape.outer));
  }
  const auto port = [](std::uint32_t number) { return static_cast<std::uint16_t>(number); };
  for (std::uint32_t s = 0; s < shape.outer; ++s) {
    for (std::uint32_t i = 0; i < shape.m; ++i) {
      builder.add_channel(at(first, s), port(1 + i), at(middle, i), port(1 + shape.outer + s));
      builder.add_channel(at(middle, i), port(1 + s), at(last, s), port(1 + shape.n + i));
    }
    for (std::uint32_t k = 0; k < shape.n; ++k) {
      const RouterId end = at(leaf, s * shape.n + k);
      builder.add_channel(end, kInjector, at(first, s), port(1 + shape.m + k));
      builder.add_channel(at(last, s), port(1 + k), end, kReceiver);
    }
  }
  return std::move(builder).build();
}

Topology omega_topology() {
  return two_by_two_row("omega", "one-way shuffle network of 2 x 2 switches, a leaf router for each terminal",
                        omega);
}

Topology butterfly_topology() {
  return two_by_two_row("butterfly", "one-way butterfly of 2 x 2 switches, a leaf router for each terminal",
                        butterfly);
}

Topology clos_topology() {
  return {.name = "clos",
          .summary = "one-way Clos network of three stages, a leaf router for each terminal",
          .parameters =
              {{.name = "leaves", .help = "leaves; one terminal on each", .min = 1},
               {.name = "n",
                .help = "leaves of an outer switch; the divisor next below the root by default",
                .fallback = "",
                .min = 1},
               {.name = "m", .help = "middle switches, at least n (the default)", .fallback = "", .min = 1}},
          .size = [](const Parameters& p) { return clos_size(clos_params(p), placement_from(p)); },
          .make = [](const Parameters& p) { return clos(clos_params(p), placement_from(p)); },
          .examples = {"clos:12", "clos:8,n=4", "clos:1"}};
}

}  // namespace unknot
