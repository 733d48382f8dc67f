// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/collective/model/schedule.hpp"
#include "unknot/collective/paths/path_lattice.hpp"
#include "unknot/collective/paths/step_resources.hpp"
#include "unknot/collective/symmetry/symmetry.hpp"

namespace unknot {

/// A scatter in a given number of steps as a packing, alike under a group G of automorphisms that also moves
/// the steps. A *bin* is an orbit of steps: those that a subgroup H of G leaves alone are |G/H| steps, of
/// which one says what the others send. An *item* is an orbit of messages, |G| of them: packed into a bin,
/// each of its steps sends |H| of them, images of each other under H; which |H| it is that the first step
/// sends is a choice of one out of |G/H|, the *shift*. So an item takes one path of a bin, whose arcs are
/// shared by orbit under H. With G the identity, items are messages and bins steps. [the orbits of Kramer and
/// Mesner 1976, of schedules]
class Packing {
 public:
  /// Bins with the same subgroup look alike.
  struct Kind {
    std::uint32_t stabiliser;            ///< |H|, one of the orders of G's subgroups
    std::uint32_t shifts;                ///< |G/H|: steps of such a bin
    std::vector<std::uint32_t> element;  ///< by shift: one of each coset Hg
    SharedResources resources;           ///< by orbit under H
    std::vector<std::uint32_t> of_arc;   ///< by shift and arc: what the arc's image takes
    std::vector<std::uint32_t> of_link;  ///< the same of links, or kNone; empty where there are none
    std::vector<std::uint32_t> slots;    ///< by resource, and one more: where its takers are listed
  };

  /// Of a scatter. `stabilisers`: of each bin, equal ones next to each other. The problem must outlive this.
  Packing(const Problem& problem, Symmetry group, std::uint32_t extra_hops,
          const std::vector<std::uint32_t>& stabilisers);

  [[nodiscard]] std::uint32_t items() const { return items_.messages(); }
  [[nodiscard]] const PathLattice& lattice() const { return lattice_; }
  [[nodiscard]] std::uint32_t bins() const { return static_cast<std::uint32_t>(kind_of_.size()); }
  [[nodiscard]] const Kind& kind(std::uint32_t bin) const { return kinds_[kind_of_[bin]]; }
  [[nodiscard]] std::uint32_t first_step(std::uint32_t bin) const { return first_step_[bin]; }
  [[nodiscard]] std::uint32_t steps() const { return first_step_.back(); }
  [[nodiscard]] const NodeGraph& graph() const { return *items_.graph; }

  /// What a path of an item takes of a bin when it is shifted, added to `taken`.
  void add_taken(std::uint32_t item, std::uint32_t bin, std::uint32_t shift, std::span<const ArcId> path,
                 std::vector<std::uint32_t>& taken) const;
  /// Of these, those by which messages are sent and received alone; kNone where none.
  [[nodiscard]] std::uint32_t sender(std::uint32_t item, std::uint32_t bin, std::uint32_t shift) const;
  [[nodiscard]] std::uint32_t receiver(std::uint32_t item, std::uint32_t bin, std::uint32_t shift) const;

  /// Where an item is and how it goes there.
  struct Choice {
    static constexpr std::uint32_t kNowhere = 0xFFFFFFFFU;
    std::uint32_t bin = kNowhere, shift = 0;
    std::vector<ArcId> path = {};  ///< unshifted
  };
  /// All messages of the items that are packed.
  [[nodiscard]] Schedule schedule(const std::vector<Choice>& choices) const;

 private:
  Symmetry group_;
  Problem items_;  // messages of one owner of each orbit
  PathLattice lattice_;
  std::vector<NodeId> owner_;  // by item
  std::vector<Kind> kinds_;
  std::vector<std::uint32_t> kind_of_;     // by bin
  std::vector<std::uint32_t> first_step_;  // by bin, and one more
};

}  // namespace unknot
