// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "unknot/support/error.hpp"
#include "unknot/topology/families.hpp"
#include "unknot/topology/machines/box_plans.hpp"
#include "unknot/topology/machines/machine.hpp"
#include "unknot/topology/saturating.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {
namespace {

struct BoxesShape {
  std::uint64_t boxes = 0;
  std::vector<std::uint32_t> gpus;  // of the first boxes; those beyond have as many as the last of these
  std::uint32_t rails = 1, spines = 0;
  std::uint32_t link = 0, card = 0, uplink = 0;
  bool mesh = false;
};

std::uint32_t megabits_of(const Parameters& p, const char* name) {
  if (const auto megabits = megabits_from(p.real(name))) return *megabits;
  throw InputError(fmt::format("topology boxes: {}: expected {}", name, kCapacityRule));
}

BoxesShape boxes_from(const Parameters& p) {
  BoxesShape shape;
  shape.gpus = p.list("gpus");
  shape.boxes = p.number("boxes");
  if (shape.gpus.size() > shape.boxes) {
    throw InputError(fmt::format("topology boxes: gpus says the number of GPUs of {} boxes, but there {} {}",
                                 shape.gpus.size(), shape.boxes == 1 ? "is" : "are", shape.boxes));
  }
  const std::uint32_t most = *std::max_element(shape.gpus.begin(), shape.gpus.end());
  shape.rails = p.has("rails") ? p.number32("rails") : most;
  if (shape.rails > most) {
    throw InputError(fmt::format("topology boxes: {} rails, but no box has more than {} GPU{}", shape.rails,
                                 most, most == 1 ? "" : "s"));
  }
  shape.mesh = p.text("inside") == "mesh";
  if (p.has("link")) {
    shape.link = megabits_of(p, "link");
  } else {
    shape.link = shape.mesh ? 512'000 : 3'600'000;
  }
  shape.card = megabits_of(p, "card");
  shape.spines = p.number32("spines");
  if (p.has("uplink") != (shape.spines > 0))
    throw InputError("topology boxes: spines and uplink, the capacity of the cables to them, go together");
  if (shape.spines > 0) shape.uplink = megabits_of(p, "uplink");
  return shape;
}

std::uint32_t gpus_of(const BoxesShape& shape, std::size_t box) {
  return shape.gpus[std::min(box, shape.gpus.size() - 1)];
}

NetworkSize size_of(const BoxesShape& shape, const TerminalPlacement& terminals) {
  std::uint64_t gpus = 0;
  std::uint64_t links = 0;
  for (std::size_t i = 0; i < shape.gpus.size(); ++i) {
    const std::uint64_t here = shape.gpus[i];
    const std::uint64_t times = i + 1 < shape.gpus.size() ? 1 : shape.boxes - i;
    gpus = saturating_add(gpus, saturating_multiply(times, here));
    links = saturating_add(links, saturating_multiply(times, shape.mesh ? here * (here - 1) / 2 : here));
  }
  NetworkSize size;
  size.routers = saturating_add(saturating_add(gpus, shape.mesh ? 0 : shape.boxes),
                                std::uint64_t{shape.rails} + shape.spines);
  size.cables = saturating_add(saturating_add(links, gpus), std::uint64_t{shape.rails} * shape.spines);
  size.terminals = terminals.total(gpus);
  return size;
}

Network make_boxes(const BoxesShape& shape, const TerminalPlacement& terminals) {
  MachinePlan plan;
  for (std::size_t i = 0; i < shape.gpus.size(); ++i) {
    const std::uint64_t times = i + 1 < shape.gpus.size() ? 1 : shape.boxes - i;
    if (i > 0 && shape.gpus[i] == shape.gpus[i - 1]) {
      plan.kinds.back().count += times;
      continue;
    }
    BoxPlan box = plain_box(gpus_of(shape, i));
    if (shape.mesh) {
      add_mesh(box, {shape.link, 0});
    } else {
      add_box_switches(box, 1, {shape.link, 0});
    }
    add_cards(box, gpus_of(shape, i), shape.card, {});
    plan.kinds.push_back({"", times, std::move(box)});
  }
  plan.rails = shape.rails;
  plan.spines = shape.spines;
  plan.uplink = shape.uplink;
  return machine_network(plan, terminals);
}

}  // namespace

// Routers: the GPUs, box by box; the switches inside of the boxes, where they have one; the switches of the
// rails; the spines. A GPU's port 1 leads to its box's switch (in a mesh its first ports to the other GPUs of
// the box, by number), the next one to the switch of its rail: that of its number in the box modulo `rails`.
// Rail-optimised clusters as in NVIDIA's reference architecture of the DGX SuperPOD with H100: eight GPUs a
// box, 450 GB/s each way between a GPU and the switches inside, a card of 400 Gb/s each. A link of the mesh
// inside an MI300X box has 64 GB/s each way.
Topology boxes_topology() {
  return {
      .name = "boxes",
      .summary = "boxes of GPUs, joined inside by a switch or a mesh and outside by a card each and rails",
      .parameters =
          {{.name = "boxes", .help = "number of boxes", .min = 1, .max = kMaxRouters},
           {.name = "gpus",
            .kind = ParameterKind::list,
            .help = "GPUs in each box; 8x8x4: in the first, the second, and all others",
            .fallback = "8",
            .min = 1,
            .max = kMostGpusOfABox},
           {.name = "rails",
            .help = "switches outside, each for one card of a box; 1 for all; default: one for each card",
            .fallback = "",
            .min = 1,
            .max = kMostGpusOfABox},
           {.name = "inside",
            .kind = ParameterKind::text,
            .help = "switch, or mesh: a link between each two GPUs of a box",
            .fallback = "switch",
            .choices = {"switch", "mesh"}},
           {.name = "link",
            .kind = ParameterKind::real,
            .help = "Gb/s from each GPU to its box's switch (default 3600), or of a link of a mesh (512)",
            .fallback = ""},
           {.name = "card", .kind = ParameterKind::real, .help = "Gb/s of each card", .fallback = "400"},
           {.name = "spines", .help = "switches above those of the rails", .fallback = "0", .max = 65535},
           {.name = "uplink",
            .kind = ParameterKind::real,
            .help = "Gb/s from the switch of a rail to each spine",
            .fallback = ""}},
      .size = [](const Parameters& p) { return size_of(boxes_from(p), placement_from(p)); },
      .make = [](const Parameters& p) { return make_boxes(boxes_from(p), placement_from(p)); },
      .examples = {"boxes:2,8", "boxes:3,gpus=4x4x2,rails=2,spines=2,uplink=800",
                   "boxes:3,gpus=4,inside=mesh,rails=1,p=2"},
      .spread = TerminalSpread::evenly_on_some};
}

}  // namespace unknot
