// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/topology/machines/machine.hpp"

namespace unknot {

inline constexpr std::uint32_t kMostGpusOfABox = 1024;  ///< a mesh has half a million links

/// What links between parts of a box have: megabits a second each way, cycles; 0: not stated.
struct BoxLinkKind {
  std::uint32_t capacity = 0, latency = 0;
};

/// GPUs "gpu0", "gpu1", ... and nothing else.
BoxPlan plain_box(std::uint32_t gpus);
/// A link between each two GPUs.
void add_mesh(BoxPlan& box, const BoxLinkKind& link);
/// Switches "switch0", ..., to each of which each GPU has a link.
void add_box_switches(BoxPlan& box, std::uint32_t switches, const BoxLinkKind& link);
/// Cards of `capacity`, card i on rail i. Where there are as many as GPUs or more, each is at one GPU, dealt
/// in stretches. Where there are fewer, each is a part "card0", ... of its own, with `link` to each GPU of a
/// stretch.
void add_cards(BoxPlan& box, std::uint32_t cards, std::uint32_t capacity, const BoxLinkKind& link);

}  // namespace unknot
