// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "unknot/network/builder.hpp"
#include "unknot/network/network.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/topology/families.hpp"
#include "unknot/topology/saturating.hpp"

namespace unknot {
namespace {

const std::string& inner_spec(const Parameters& p) {
  const std::string& spec = p.text("spec");
  if (!is_spec(spec)) {
    throw InputError(fmt::format("topology fat: '{}' is no spec of a network, such as hypercube:3", spec));
  }
  if (split_spec(spec).name == "fat") {
    throw InputError("topology fat: the network made fat is fat already; one number of terminals is enough");
  }
  return spec;
}

/// First port for terminals: where `slim` has its own, if all channels are on lower ports.
std::uint32_t first_terminal_port(const Network& slim, RouterId r) {
  std::uint32_t highest = 0;
  for (const ChannelId c : slim.out(r)) highest = std::max<std::uint32_t>(highest, slim.source_port(c));
  for (const ChannelId c : slim.in(r)) highest = std::max<std::uint32_t>(highest, slim.target_port(c));
  return std::max<std::uint32_t>(highest + 1, slim.terminal_port(slim.terminals_at(r)[0]));
}

}  // namespace

// The same routers and channels, ports and coordinates included, with `terminals` one-port terminals on each
// router: a slim network made fat. InputError where a router of `slim` has none: it is no direct network.
// [Jaros 2010, section 8.5]
static Network fatten(const Network& slim, std::uint32_t terminals) {
  NetworkBuilder builder;
  builder.reserve(slim.router_count(), slim.channel_count(), std::size_t{terminals} * slim.router_count());
  builder.add_routers(slim.router_count());
  for (const ChannelId c : slim.channels()) {
    const ChannelId back = slim.reverse(c);
    if (!back.valid()) {
      builder.add_channel(slim.source(c), slim.source_port(c), slim.target(c), slim.target_port(c),
                          slim.channel_rate(c));
    } else if (c < back) {
      builder.add_cable(slim.source(c), slim.source_port(c), slim.target(c), slim.target_port(c),
                        slim.channel_rate(c));
    } else {
      continue;
    }
    builder.set_as(slim, c);
  }
  for (const RouterId r : slim.routers()) {
    if (slim.terminals_at(r).empty()) {
      throw InputError(
          fmt::format("topology fat: {} has routers without terminals; only direct networks become fat",
                      slim.description()));
    }
    const std::uint32_t first = first_terminal_port(slim, r);
    if (terminals > 0xFFFF - (first - 1)) {
      throw InputError(
          fmt::format("topology fat: {} terminals beside {} other ports of a router; at most 65535 fit",
                      terminals, first - 1));
    }
    for (std::uint32_t k = 0; k < terminals; ++k) {
      builder.add_terminal(r, static_cast<std::uint16_t>(first + k));
    }
  }
  if (slim.coordinates() != nullptr) builder.set_coordinates(*slim.coordinates());
  return std::move(builder).build();
}

// "fat:2,hypercube:3": every direct family with F terminals on each router.
Topology fat_topology() {
  return {
      .name = "fat",
      .summary = "a direct network with F terminals on each router: fat:F,SPEC",
      .parameters = {{.name = "each", .help = "terminals on each router", .min = 1, .max = 65535},
                     {.name = "spec", .kind = ParameterKind::rest, .help = "the network, as hypercube:3"}},
      .size =
          [](const Parameters& p) {
            NetworkSize size = network_size(inner_spec(p));
            size.terminals = saturating_multiply(size.routers, p.number("each"));
            return size;
          },
      .make = [](const Parameters& p) { return fatten(make_network(inner_spec(p)), p.number32("each")); },
      .examples = {"fat:2,hypercube:3", "fat:3,spidergon:8", "fat:2,kautz:b=2,n=2,oriented=1"}};
}

}  // namespace unknot
