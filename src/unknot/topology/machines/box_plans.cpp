// SPDX-License-Identifier: Apache-2.0
#include "unknot/topology/machines/box_plans.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace unknot {
namespace {

std::uint32_t gpu_count(const BoxPlan& box) {
  return static_cast<std::uint32_t>(box.gpus.size());
}

/// The number of the new part.
std::uint32_t add_part(BoxPlan& box, const char* kind, std::uint32_t number) {
  box.others.push_back(fmt::format("{}{}", kind, number));
  return static_cast<std::uint32_t>(box.gpus.size() + box.others.size() - 1);
}

void join(BoxPlan& box, std::uint32_t a, std::uint32_t b, const BoxLinkKind& link) {
  box.links.push_back({a, b, link.capacity, link.capacity, link.latency});
}

}  // namespace

BoxPlan plain_box(std::uint32_t gpus) {
  BoxPlan box;
  box.gpus.reserve(gpus);
  for (std::uint32_t g = 0; g < gpus; ++g) box.gpus.push_back(fmt::format("gpu{}", g));
  return box;
}

void add_mesh(BoxPlan& box, const BoxLinkKind& link) {
  const std::uint32_t gpus = gpu_count(box);
  box.links.reserve(box.links.size() + std::size_t{gpus} * (gpus - 1) / 2);
  for (std::uint32_t a = 0; a < gpus; ++a) {
    for (std::uint32_t b = a + 1; b < gpus; ++b) join(box, a, b, link);
  }
}

void add_box_switches(BoxPlan& box, std::uint32_t switches, const BoxLinkKind& link) {
  for (std::uint32_t s = 0; s < switches; ++s) {
    const std::uint32_t part = add_part(box, "switch", s);
    for (std::uint32_t g = 0; g < gpu_count(box); ++g) join(box, g, part, link);
  }
}

void add_cards(BoxPlan& box, std::uint32_t cards, std::uint32_t capacity, const BoxLinkKind& link) {
  const std::uint64_t gpus = gpu_count(box);
  if (cards >= gpus) {
    for (std::uint32_t c = 0; c < cards; ++c)
      box.cards.push_back({static_cast<std::uint32_t>(c * gpus / cards), c, capacity});
    return;
  }
  for (std::uint32_t c = 0; c < cards; ++c) box.cards.push_back({add_part(box, "card", c), c, capacity});
  for (std::uint64_t g = 0; g < gpus; ++g)
    join(box, static_cast<std::uint32_t>(g), box.cards[g * cards / gpus].part, link);
}

}  // namespace unknot
