// SPDX-License-Identifier: Apache-2.0
#include "unknot/angara/torus.hpp"

#include <fmt/format.h>

#include <optional>

namespace unknot::angara {
namespace {

constexpr std::uint64_t kMostPlaces = std::uint64_t{1} << 24;

/// Direction of a step between two routers; nothing where they are no neighbours on a torus.
std::optional<Direction> step(const Coordinates& at, std::uint32_t from, std::uint32_t to) {
  std::optional<Direction> found;
  for (std::uint32_t d = 0; d < at.dimensions; ++d) {
    const std::uint32_t a = at.value[std::size_t{from} * at.dimensions + d];
    const std::uint32_t b = at.value[std::size_t{to} * at.dimensions + d];
    if (a == b) continue;
    if (found) return std::nullopt;
    const std::uint32_t size = at.extent[d];
    if (b == a + 1 || (size > 2 && a + 1 == size && b == 0)) {
      found = static_cast<Direction>(d);
    } else if (a == b + 1 || (size > 2 && b + 1 == size && a == 0)) {
      found = static_cast<Direction>(at.dimensions + d);
    } else {
      return std::nullopt;
    }
  }
  return found;
}

std::uint64_t place_of(const Coordinates& at, std::uint32_t node) {
  std::uint64_t place = 0;
  for (std::uint32_t d = 0; d < at.dimensions; ++d)
    place = place * at.extent[d] + at.value[std::size_t{node} * at.dimensions + d];
  return place;
}

std::uint64_t places(const Coordinates& at) {
  std::uint64_t all = 1;
  for (const std::uint32_t size : at.extent) all *= size;
  return all;
}

}  // namespace

std::string Torus::trouble(const Network& network) {
  const Coordinates* at = network.coordinates();
  if (at == nullptr) return "its routers have no coordinates";
  if (at->dimensions == 0 || at->dimensions > kMostDimensions) {
    return fmt::format("it has {} dimensions, and routes of 1 to {} can be written", at->dimensions,
                       kMostDimensions);
  }
  for (std::uint32_t d = 0; d < at->dimensions; ++d) {
    if (at->extent[d] > kMostExtent)
      return fmt::format("dimension {} has size {}, at most {} is possible", d, at->extent[d], kMostExtent);
  }
  if (places(*at) > kMostPlaces) return fmt::format("it has more than {} places", kMostPlaces);
  std::vector<bool> taken(places(*at), false);
  for (const RouterId r : network.routers()) {
    const std::uint64_t place = place_of(*at, r.value);
    if (taken[place]) return fmt::format("two routers have the coordinates of {}", network.router_name(r));
    taken[place] = true;
    if (network.terminals_at(r).size() > 1) {
      return fmt::format("{} has {} terminals, and a node is a router with one", network.router_name(r),
                         network.terminals_at(r).size());
    }
    std::uint32_t seen = 0;
    for (const ChannelId c : network.out(r)) {
      const auto direction = step(*at, r.value, network.target(c).value);
      if (!direction) return fmt::format("{} joins no neighbours of a torus", network.channel_name(c));
      if ((seen >> *direction & 1U) != 0)
        return fmt::format("{} has two channels in one direction", network.router_name(r));
      seen |= 1U << *direction;
    }
  }
  return {};
}

Torus::Torus(const Network& network) : network_(&network), dimensions_(network.coordinates()->dimensions) {
  const Coordinates& at = *network.coordinates();
  for (std::uint32_t d = 0; d < dimensions_; ++d) extent_[d] = at.extent[d];
  coordinate_ = at.value;
  node_of_place_.assign(static_cast<std::size_t>(places(at)), kNone);
  next_.assign(slot_count(), kNone);
  entering_.assign(slot_count(), kNone);
  channel_.resize(slot_count());
  for (const RouterId r : network.routers()) {
    node_of_place_[static_cast<std::size_t>(place_of(at, r.value))] = r.value;
    for (const ChannelId c : network.out(r)) {
      const std::uint32_t to = network.target(c).value;
      const Direction direction = *step(at, r.value, to);
      const std::uint32_t here = slot(r.value, direction);
      next_[here] = to;
      channel_[here] = c;
      entering_[slot(to, direction)] = here;
    }
  }
}

std::string Torus::direction_name(Direction d) const {
  constexpr std::string_view kNames = "XYZK";
  const std::uint32_t along = dimension(d);
  const char sign = positive(d) ? '+' : '-';
  return along < kNames.size() ? fmt::format("{}{}", sign, kNames[along])
                               : fmt::format("{}{}", sign, along + 1);
}

std::uint32_t Torus::node_at(const std::array<std::uint32_t, kMostDimensions>& at) const {
  std::uint64_t place = 0;
  for (std::uint32_t d = 0; d < dimensions_; ++d) place = place * extent_[d] + at[d];
  return node_of_place_[static_cast<std::size_t>(place)];
}

}  // namespace unknot::angara
