// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/support/random.hpp"

namespace unknot {

/// Where the lanes of a torus cut its rings, so that dimension order needs few lanes that hold from end to
/// end.
///
/// On every lane each ring has a router for each direction at which nothing goes on in that direction. A path
/// in dimension order is allowed by the lanes that cut it nowhere: it corrects dimension d in the ring that
/// has the destination's coordinates before d and the source's after it. If all rings of a dimension were
/// cut alike, the dimensions would block lanes independently of each other, and some pair would lose lane 1
/// in one dimension, lane 2 in the next and so on. Cuts that differ from ring to ring keep that from
/// happening. A local search finds them.
class RingCuts {
 public:
  /// Whether a search is worth while: on a torus of at most 2,048 routers, on no more lanes than dimensions.
  /// More lanes find room for cuts that are alike in all rings.
  static bool are_searched(const Coordinates& coordinates, std::uint32_t lanes);

  /// Starts from cuts that move on with the sum of the other coordinates; `variant` shifts them. 1 to 16
  /// lanes. Of `coordinates` only the extents are looked at: every combination counts as a router.
  RingCuts(const Coordinates& coordinates, std::uint32_t lanes, std::uint64_t variant);

  /// Moves cuts until some lane cuts no path in dimension order, of every pair (to the opposite router of a
  /// ring every other router goes upwards), or until `most_looks` pairs have been looked at. Returns how many
  /// pairs are left. Annealing: takes a pair without a lane and one of the cuts on its path. Only where
  /// are_searched() is true, and once. Memory: 4 bytes for each pair.
  std::uint64_t search(std::uint64_t most_looks);

  /// The coordinate along dimension `d` of the router at which the lane goes on neither from a router with
  /// the given coordinates nor from any other of its ring. `at`: by dimension.
  [[nodiscard]] std::uint32_t cut(std::uint32_t lane, std::uint32_t d, bool upwards,
                                  const std::uint32_t* at) const {
    return cut_[d][place(lane, ring_of(d, at), upwards)];
  }

 private:
  using Mask = std::uint32_t;  // of lanes

  [[nodiscard]] std::size_t place(std::uint32_t lane, std::uint32_t ring, bool upwards) const {
    return (std::size_t{ring} * lanes_ + lane) * 2 + (upwards ? 0 : 1);
  }
  [[nodiscard]] std::uint32_t ring_of(std::uint32_t d, const std::uint32_t* at) const;
  [[nodiscard]] std::uint32_t ring_between(std::uint32_t d, std::uint32_t source, std::uint32_t target) const;
  [[nodiscard]] bool cuts_way(std::uint32_t d, std::uint32_t ring, std::uint32_t lane, bool upwards,
                              std::uint32_t from, std::uint32_t to) const;
  [[nodiscard]] std::uint32_t along(std::uint32_t d, std::uint32_t router) const {
    return router / stride_[d] % extent_[d];
  }
  [[nodiscard]] bool goes_up(std::uint32_t d, std::uint32_t ring, std::uint32_t from, std::uint32_t up) const;
  [[nodiscard]] Mask cutting(std::uint32_t d, std::uint32_t ring, std::uint32_t from, std::uint32_t to) const;
  [[nodiscard]] bool is_blocked(std::uint32_t source, std::uint32_t target) const;
  void prepare();
  void set_blocked(std::uint32_t pair, bool blocked);
  bool pick_cut(std::uint32_t pair);
  void try_move(double temperature);
  std::int64_t look_again(std::uint32_t d, std::uint32_t ring);

  std::uint32_t lanes_;
  std::uint32_t routers_ = 1;
  Random random_;
  std::vector<std::uint32_t> extent_, stride_;     // by dimension; the first has the largest stride
  std::vector<std::vector<std::uint8_t>> parity_;  // by dimension, ring: of the sum of its other coordinates
  std::vector<std::vector<std::uint32_t>> cut_;    // by dimension: at place()
  // Of search().
  std::vector<std::vector<Mask>> cutting_;  // by dimension: at (ring * extent + from) * extent + to
  std::vector<std::uint32_t> blocked_;      // pairs: source * routers + target
  std::vector<std::uint32_t> place_of_;     // by pair: index in blocked_, or none
  std::uint64_t looks_ = 0;
  // Of the move at hand.
  struct Picked {
    std::uint32_t d, ring, lane, from, to;
    bool upwards;
  };
  Picked picked_{};
  struct Before {
    std::size_t at;
    Mask mask;
  };
  std::vector<Before> before_;
  std::vector<std::uint32_t> flipped_;  // pairs
};

}  // namespace unknot
