// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/collective/model/ring_product.hpp"
#include "unknot/collective/model/schedule.hpp"
#include "unknot/collective/solvers/solver.hpp"
#include "unknot/support/progress.hpp"

namespace unknot {

/// The complete exchange (AAS) on a product of two or more rings of even sizes 2m, in closed tours by
/// shortest paths. [After the idea of Hinrichs et al. 1994, phases in which two messages share a ring; here
/// for all dimensions at once]
///
/// A message that goes a_i <= m_i along ring i, first dimension first, has a partner that goes on by m_i -
/// a_i along each, last dimension first: it takes the rest of half a turn round every ring. Steps are M =
/// lcm(m_i) in a block, and nodes in M classes, one step along ring i being M/m_i classes on, so that half a
/// turn comes back to its class. In step s of a block, the class s + c sends what class c sends in step 0,
/// and the arcs of each direction of ring i fall into M/m_i circles, of which both messages together take
/// one. The block takes such tours as long as their circles are free. Where every m_i divides the largest,
/// the blocks take every arc of the longest rings in every step, which is the bound.
class RingExchange {
 public:
  /// Which network it takes: two rings or more, all of even sizes.
  static bool takes(const RingProduct& product);

  /// With every arc of the longest rings taken in every step, rounded down.
  static std::uint32_t least_steps(const RingProduct& product);

  /// The product must outlive this. O(nodes^2 / 4) at most.
  explicit RingExchange(const RingProduct& product);

  [[nodiscard]] std::uint32_t steps() const {
    return static_cast<std::uint32_t>(blocks_.size()) * static_cast<std::uint32_t>(class_.size());
  }
  /// The first this many steps, empty ones behind those that there are. Interrupted.
  [[nodiscard]] Schedule schedule(std::uint32_t steps, Progress& progress) const;

 private:
  /// What each node of a class sends to: so far along each dimension.
  struct Offer {
    std::uint32_t first = 0;  // of its class, in the block's first step
    bool last_dimension_first = false;
    std::vector<std::int32_t> hops;  // by dimension
  };
  struct Circle {
    std::uint32_t dimension;
    bool on;
    std::uint32_t through;  // a class
  };
  /// Offers and the circles that they fill, from class 0 on.
  struct Tour {
    std::vector<Offer> offers;
    std::vector<Circle> circles;
  };
  struct Block {
    std::vector<Offer> offers;
    std::vector<std::uint8_t> taken;  // by circle
    std::uint32_t room = 0;           // circles of the longest rings that are free
  };

  /// A message and its partner. What goes no way or half a turn along a ring may go in either direction: in
  /// that of the first dimension that may not; where there is none, in that which is given.
  struct Pair {
    std::uint32_t partner = 0;             // index of where it goes from index 0
    std::vector<std::int32_t> hops, rest;  // of both, by dimension
    std::vector<bool> on;                  // by dimension: the direction of both
  };
  [[nodiscard]] Pair pair_of(std::uint32_t to, bool on) const;
  void add_pair(const Pair& pair);
  void add_halves();
  void place(Tour tour);
  bool fits(const Block& block, const Tour& tour, std::uint32_t from) const;
  [[nodiscard]] std::uint32_t classes() const { return static_cast<std::uint32_t>(class_.size()); }
  [[nodiscard]] std::uint32_t half(std::uint32_t dimension) const { return product_->sizes[dimension] / 2; }
  [[nodiscard]] std::uint32_t number(const Circle& circle, std::uint32_t from) const;
  [[nodiscard]] std::uint32_t on_by(std::uint32_t from, std::uint32_t dimension, std::int32_t hops) const;

  const RingProduct* product_;
  std::vector<std::vector<std::uint32_t>> class_;  // indices of its nodes
  std::vector<std::uint32_t> first_circle_;        // by dimension and direction
  std::uint32_t circles_ = 0, longest_ = 0;        // of a block; the dimension
  std::vector<Block> blocks_;
  std::vector<std::uint32_t> open_;  // blocks with room
};

/// The row `ring-exchange` of the catalogue of solvers.
Solver ring_exchange_solver();

}  // namespace unknot
