// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/place/places.hpp"
#include "unknot/tables/routing.hpp"
#include "unknot/traffic/workloads/matrix_file.hpp"

namespace unknot::place {

/// How good a placement is; smaller is better, the busiest part first. Loads are bytes over widths.
struct Cost {
  double busiest = 0;                             ///< of the busiest channel or terminal's cable
  double busiest_channel = 0;                     ///< between routers
  double squares = 0;                             ///< sum of squared loads, of channels and cables
  auto operator<=>(const Cost&) const = default;  // NOLINT(modernize-use-nullptr): a false positive
};

/// The loads of all channels under a placement, kept up to date while places are exchanged. A load is exact:
/// the bytes of all pairs of ranks whose route takes the channel, a pair's bytes being split evenly over the
/// addresses of the receiver where it has several (Routing::further). The cables between terminals and
/// routers count as channels; what stays within a host loads nothing.
///
/// An exchange walks the routes of the two ranks alone: O(peers * addresses * hops), no allocation once
/// vectors have grown. The objects given must outlive this one.
class PlacedLoad {
 public:
  /// `received` is transposed(sent). Every pair of hosts must have a route: measure_hosts() sees to it.
  PlacedLoad(const Network& network, const Routing& routing, const Places& places, const LinkWidths& widths,
             const CommunicationMatrix& sent, const CommunicationMatrix& received);

  void reset(const Placement& placement);
  [[nodiscard]] const Placement& placement() const { return place_of_; }
  [[nodiscard]] Cost cost() const;

  /// Makes the present loads the scale of what the search lowers instead of cost(): the sum of u^16 + u^2 /
  /// 64, u being a channel's load over that of the busiest channel, or a cable's load over the busiest of
  /// all; where cables differ in width the busiest of all counts for channels, too. It follows the busiest,
  /// but every channel counts.
  void set_scale(const Cost& cost);

  /// Exchanges what is on two places (ranks, or a rank and nothing) and returns the change of that sum.
  double exchange(std::uint32_t place_a, std::uint32_t place_b);
  /// Takes the last exchange back. Once.
  void undo();
  /// Channels, and cables in both directions: what cost() looks through.
  [[nodiscard]] std::size_t links() const { return load_.size(); }
  /// Routes walked so far: the work done.
  [[nodiscard]] std::uint64_t routes_walked() const { return walked_; }

  static constexpr std::uint32_t kNobody = 0xFFFFFFFFU;

 private:
  struct Touched {
    std::uint32_t channel;
    std::int64_t before;
  };
  void lay(std::uint32_t from, std::uint32_t to, std::int64_t bytes);
  void lay_rank(std::uint32_t rank, std::uint32_t but, int sign);
  void add(std::uint32_t channel, std::int64_t bytes);
  void swap_places(std::uint32_t a, std::uint32_t b);
  [[nodiscard]] double potential(std::uint32_t channel, std::int64_t load) const;

  const Network& network_;
  std::vector<const Routing*> tables_;  // to each address
  const Places& places_;
  const CommunicationMatrix& sent_;
  const CommunicationMatrix& received_;
  /// Bytes times addresses: channels, then cables into the network, then cables out of it.
  std::vector<std::int64_t> load_;
  std::vector<double> per_byte_;  // by the same number: load of a byte, over all addresses
  std::vector<std::uint32_t> stamp_;
  std::uint32_t now_ = 0;
  std::vector<Touched> touched_;
  Placement place_of_;                  // by rank
  std::vector<std::uint32_t> rank_at_;  // by place
  std::vector<ChannelId> path_;
  double channel_scale_ = 1, cable_scale_ = 1;
  bool cables_differ_ = false;  // in width: which host a rank is on says more than what its channels carry
  std::uint64_t walked_ = 0;
  std::uint32_t last_a_ = 0, last_b_ = 0;
};

}  // namespace unknot::place
