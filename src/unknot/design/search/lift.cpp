// SPDX-License-Identifier: Apache-2.0
#include "unknot/design/search/lift.hpp"

#include <bit>
#include <utility>

#include "unknot/network/builder.hpp"

namespace unknot {
namespace {

template <class Visit>
void for_each_cable(const Lift& lift, const LiftCable& cable, const Visit& visit) {
  for (std::uint32_t x = 0; x < lift.group.order(); ++x) {
    const std::uint32_t y = lift.group.product(x, cable.turn);
    if (cable.half && y < x) continue;
    visit(x * lift.base + cable.from, y * lift.base + cable.to);
  }
}

}  // namespace

void lift_neighbours(const Lift& lift, std::vector<std::uint32_t>& neighbours) {
  const std::uint32_t routers = lift.routers();
  neighbours.resize(std::size_t{routers} * lift.ports);
  for (std::uint32_t r = 0; r < routers; ++r) {
    for (std::uint32_t i = 0; i < lift.ports; ++i) neighbours[std::size_t{r} * lift.ports + i] = r;
  }
  for (const LiftCable& cable : lift.cables) write_cable(lift, cable, neighbours);
}

void write_cable(const Lift& lift, const LiftCable& cable, std::vector<std::uint32_t>& neighbours) {
  for_each_cable(lift, cable, [&](std::uint32_t a, std::uint32_t b) {
    neighbours[std::size_t{a} * lift.ports + cable.from_port - 1] = b;
    neighbours[std::size_t{b} * lift.ports + cable.to_port - 1] = a;
  });
}

Network lift_network(const Lift& lift, std::uint32_t terminals) {
  NetworkBuilder builder;
  const std::uint32_t routers = lift.routers();
  builder.reserve(routers, std::size_t{routers} * lift.ports / 2, std::size_t{routers} * terminals);
  builder.add_routers(routers);
  const auto id = [&lift](std::uint32_t r) {
    return RouterId(lift.reach ? lift.reach->symmetry().number[r] : r);
  };
  for (const LiftCable& cable : lift.cables) {
    for_each_cable(lift, cable, [&](std::uint32_t a, std::uint32_t b) {
      builder.add_cable(id(a), cable.from_port, id(b), cable.to_port);
    });
  }
  for (std::uint32_t r = 0; r < routers; ++r) {
    for (std::uint32_t i = 0; i < terminals; ++i)
      builder.add_terminal(RouterId(r), static_cast<std::uint16_t>(lift.ports + 1 + i));
  }
  return std::move(builder).build();
}

LiftDistances LiftDistanceCounter::count(std::uint32_t routers, std::uint32_t ports, std::uint32_t sources,
                                         const std::vector<std::uint32_t>& neighbours) {
  const std::size_t words = (std::size_t{sources} + 63) / 64;
  now_.assign(routers * words, 0);
  next_.resize(routers * words);
  for (std::uint32_t s = 0; s < sources; ++s) now_[s * words + s / 64] |= std::uint64_t{1} << s % 64;
  LiftDistances result;
  // a pair counts once for each level that ends without it
  std::uint64_t reached = sources;
  const std::uint64_t all = std::uint64_t{sources} * routers;
  while (reached < all) {
    result.sum += all - reached;
    std::uint64_t count = 0;
    for (std::uint32_t r = 0; r < routers; ++r) {
      const std::uint32_t* const ends = neighbours.data() + std::size_t{r} * ports;
      for (std::size_t w = 0; w < words; ++w) {
        std::uint64_t bits = now_[r * words + w];
        for (std::uint32_t i = 0; i < ports; ++i) bits |= now_[ends[i] * words + w];
        next_[r * words + w] = bits;
        count += static_cast<std::uint64_t>(std::popcount(bits));
      }
    }
    if (count == reached) {
      result.sum += (all - reached) * (routers - result.diameter - 1);
      return result;
    }
    reached = count;
    ++result.diameter;
    now_.swap(next_);
  }
  result.connected = true;
  return result;
}

}  // namespace unknot
