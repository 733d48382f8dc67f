// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <bit>

#include "unknot/collective/known/known_makers.hpp"
#include "unknot/collective/known/ring_parts.hpp"

namespace unknot {
namespace {

/// Rank b * size + l is the l-th of box b.
struct Boxes {
  std::uint32_t count = 0, size = 0;
  [[nodiscard]] std::uint32_t rank(std::uint32_t box, std::uint32_t place) const {
    return box * size + place;
  }
};

std::uint32_t box_size(const KnownCase& which, const Parameters& parameters) {
  const std::uint32_t wanted = parameters.number32("group");
  return wanted == 0 ? which.group : wanted;
}

/// Ring of the ranks of a box: each has the blocks of all ranks that have its place in their box.
RingPart inside(const Boxes& boxes, std::uint32_t box) {
  RingPart ring;
  for (std::uint32_t place = 0; place < boxes.size; ++place) {
    ring.members.push_back(boxes.rank(box, place));
    BlockList& items = ring.items.emplace_back();
    for (std::uint32_t b = 0; b < boxes.count; ++b) items.push_back(boxes.rank(b, place));
  }
  return ring;
}

/// Ring of the ranks that have the same place, each with its own block.
RingPart between(const Boxes& boxes, std::uint32_t place) {
  RingPart ring;
  for (std::uint32_t b = 0; b < boxes.count; ++b) {
    ring.members.push_back(boxes.rank(b, place));
    ring.items.push_back({boxes.rank(b, place)});
  }
  return ring;
}

void add_reduce(RankDraft& draft, const Boxes& boxes) {
  for (std::uint32_t b = 0; b < boxes.count; ++b) add_ring_reduce(draft, 0, inside(boxes, b));
  const std::uint32_t then = draft.rounds();
  for (std::uint32_t place = 0; place < boxes.size; ++place)
    add_ring_reduce(draft, then, between(boxes, place));
}

void add_gather_between_first(RankDraft& draft, const Boxes& boxes) {
  const std::uint32_t first = draft.rounds();
  for (std::uint32_t place = 0; place < boxes.size; ++place)
    add_ring_gather(draft, first, between(boxes, place));
  const std::uint32_t then = draft.rounds();
  for (std::uint32_t b = 0; b < boxes.count; ++b) add_ring_gather(draft, then, inside(boxes, b));
}

/// Down a binomial tree over `members`, the one at `from` first.
void add_tree(RankDraft& draft, std::uint32_t round, const std::vector<std::uint32_t>& members,
              std::uint32_t from) {
  const auto size = static_cast<std::uint32_t>(members.size());
  const auto rounds = static_cast<std::uint32_t>(std::bit_width(size - 1));
  for (std::uint32_t k = 0; k < rounds; ++k) {
    const std::uint32_t distance = 1U << (rounds - 1 - k);
    for (std::uint32_t at = 0; at + distance < size; at += 2 * distance) {
      draft.add(round + k, {members[(at + from) % size], members[(at + distance + from) % size], false},
                {{0U}});
    }
  }
}

void add_box_broadcast(RankDraft& draft, const Boxes& boxes, std::uint32_t root) {
  const std::uint32_t place = root % boxes.size;
  add_tree(draft, 0, between(boxes, place).members, root / boxes.size);
  const std::uint32_t then = draft.rounds();
  for (std::uint32_t b = 0; b < boxes.count; ++b) add_tree(draft, then, inside(boxes, b).members, place);
}

/// In the box to who has the place of the receiver, then to its box.
void add_box_exchange(RankDraft& draft, const Boxes& boxes, std::uint32_t ranks) {
  for (std::uint32_t b = 0; b < boxes.count; ++b) {
    for (std::uint32_t k = 1; k < boxes.size; ++k) {
      for (std::uint32_t l = 0; l < boxes.size; ++l) {
        const std::uint32_t from = boxes.rank(b, l), place = (l + k) % boxes.size;
        BlockList blocks;
        for (std::uint32_t to = 0; to < boxes.count; ++to)
          blocks.push_back(from * ranks + boxes.rank(to, place));
        draft.add(k - 1, {from, boxes.rank(b, place), false}, blocks);
      }
    }
  }
  const std::uint32_t then = draft.rounds();
  for (std::uint32_t k = 1; k < boxes.count; ++k) {
    for (std::uint32_t b = 0; b < boxes.count; ++b) {
      for (std::uint32_t l = 0; l < boxes.size; ++l) {
        const std::uint32_t to = boxes.rank((b + k) % boxes.count, l);
        BlockList blocks;
        for (std::uint32_t i = 0; i < boxes.size; ++i) blocks.push_back(boxes.rank(b, i) * ranks + to);
        draft.add(then + k - 1, {boxes.rank(b, l), to, false}, blocks);
      }
    }
  }
}

RankSchedule make_hierarchical(const KnownCase& which, const Parameters& parameters) {
  const std::uint32_t size = box_size(which, parameters);
  const Boxes boxes{which.ranks / size, size};
  const bool pieces = which.collective == RankCollective::all_reduce;
  RankDraft draft(which.collective, which.ranks, pieces ? which.ranks : 1, which.root);
  switch (which.collective) {
    case RankCollective::all_reduce:
      add_reduce(draft, boxes);
      add_gather_between_first(draft, boxes);
      break;
    case RankCollective::reduce_scatter:
      add_reduce(draft, boxes);
      break;
    case RankCollective::all_gather:
      add_gather_between_first(draft, boxes);
      break;
    case RankCollective::broadcast:
      add_box_broadcast(draft, boxes, which.root);
      break;
    case RankCollective::all_to_all:
      add_box_exchange(draft, boxes, which.ranks);
      break;
  }
  return std::move(draft).build();
}

}  // namespace

KnownAlgorithm hierarchical_row() {
  return {"hierarchical",
          "in the box and between boxes: rings for sums and gathers, binomial trees, exchanges by place",
          "Jia et al. 2018; NCCL (PXN)",
          "boxes of the same size: group=G divides them, or the terminals of a router do",
          {{.name = "group",
            .help = "ranks of a box, in order; 0: as the network has them on a router",
            .fallback = "0",
            .max = 65536}},
          [](const KnownCase& which, const Parameters& parameters) -> std::string {
            const std::uint32_t size = box_size(which, parameters);
            if (size == 0) return "it needs boxes: group=8";
            if (which.ranks % size != 0)
              return fmt::format("{} ranks are not whole boxes of {}", which.ranks, size);
            return {};
          },
          make_hierarchical};
}

}  // namespace unknot
