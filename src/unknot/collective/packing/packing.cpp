// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/packing/packing.hpp"

#include <utility>

namespace unknot {
namespace {

Packing::Kind make_kind(const Problem& problem, const Symmetry& group, std::uint32_t stabiliser) {
  const NodeGraph& graph = *problem.graph;
  Packing::Kind kind{.stabiliser = stabiliser,
                     .shifts = group.order() / stabiliser,
                     .element = {},
                     .resources = SharedResources(problem, group.subgroup(stabiliser)),
                     .of_arc = {},
                     .of_link = {},
                     .slots = {0}};
  for (std::uint32_t shift = 0; shift < kind.shifts; ++shift) {
    // Steps are the cosets gH, which multiples of |H| begin; what undoes those begins the cosets Hg.
    kind.element.push_back(group.inverse(shift * stabiliser));
    for (const ArcId a : graph.arcs()) {
      const ArcId image = group.image(kind.element.back(), graph, a);
      kind.of_arc.push_back(kind.resources.of_arc(image));
      if (!kind.resources.arcs_alone()) kind.of_link.push_back(kind.resources.of_link(image));
    }
  }
  for (std::uint32_t r = 0; r < kind.resources.count(); ++r)
    kind.slots.push_back(kind.slots.back() + kind.resources.capacity(r));
  return kind;
}

}  // namespace

Packing::Packing(const Problem& problem, Symmetry group, std::uint32_t extra_hops,
                 const std::vector<std::uint32_t>& stabilisers)
    : group_(std::move(group)),
      items_(representatives(problem, group_)),
      lattice_(items_, extra_hops),
      first_step_{0} {
  for (std::uint32_t g = 0; g < items_.groups(); ++g)
    owner_.insert(owner_.end(), items_.partners(g).size(), items_.owner[g]);
  for (const std::uint32_t stabiliser : stabilisers) {
    if (kinds_.empty() || kinds_.back().stabiliser != stabiliser)
      kinds_.push_back(make_kind(problem, group_, stabiliser));
    kind_of_.push_back(static_cast<std::uint32_t>(kinds_.size()) - 1);
    first_step_.push_back(first_step_.back() + kinds_.back().shifts);
  }
}

std::uint32_t Packing::sender(std::uint32_t item, std::uint32_t bin, std::uint32_t shift) const {
  const Kind& of = kind(bin);
  return of.resources.of_sender(group_.image(of.element[shift], owner_[item]));
}

std::uint32_t Packing::receiver(std::uint32_t item, std::uint32_t bin, std::uint32_t shift) const {
  const Kind& of = kind(bin);
  return of.resources.of_receiver(group_.image(of.element[shift], items_.partner[item]));
}

void Packing::add_taken(std::uint32_t item, std::uint32_t bin, std::uint32_t shift,
                        std::span<const ArcId> path, std::vector<std::uint32_t>& taken) const {
  const Kind& of = kind(bin);
  const std::size_t row = std::size_t{shift} * graph().arc_count();
  for (const ArcId a : path) taken.push_back(of.of_arc[row + a.value]);
  if (of.resources.arcs_alone()) return;
  const auto take = [&](std::uint32_t resource) {
    if (resource != SharedResources::kNone) taken.push_back(resource);
  };
  for (const ArcId a : path) take(of.of_link[row + a.value]);
  take(sender(item, bin, shift));
  take(receiver(item, bin, shift));
}

Schedule Packing::schedule(const std::vector<Choice>& choices) const {
  std::vector<std::vector<std::uint32_t>> packed(bins());
  for (std::uint32_t i = 0; i < choices.size(); ++i) {
    if (choices[i].bin != Choice::kNowhere) packed[choices[i].bin].push_back(i);
  }
  Schedule schedule;
  std::vector<NodeId> path;
  for (std::uint32_t bin = 0; bin < bins(); ++bin) {
    const Kind& of = kind(bin);
    for (std::uint32_t step = 0; step < of.shifts; ++step) {
      schedule.add_step();
      for (const std::uint32_t item : packed[bin]) {
        const Choice& choice = choices[item];
        const std::uint32_t shift = of.element[choice.shift];
        // A coset of H: those elements that take the bin's first step to this one.
        for (std::uint32_t e = step * of.stabiliser; e < (step + 1) * of.stabiliser; ++e) {
          const auto image = [&](NodeId n) { return group_.image(e, group_.image(shift, n)); };
          path.assign(1, image(graph().tail(choice.path.front())));
          for (const ArcId a : choice.path) path.push_back(image(graph().head(a)));
          schedule.add(path.front(), path);
        }
      }
    }
  }
  return schedule;
}

}  // namespace unknot
