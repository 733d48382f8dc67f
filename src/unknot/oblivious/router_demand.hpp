// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/oblivious/endpoint_routers.hpp"
#include "unknot/traffic/patterns/pattern.hpp"

namespace unknot {

/// One router sends to another at a rate; 1 is what one terminal can inject.
struct RouterFlow {
  RouterId source, destination;
  double rate = 1;
};

/// How much each router with terminals sends to each other one, in units of what one terminal can inject.
/// Traffic between terminals of one router takes no channel and is kept apart. A value. Memory: a word a
/// router where the traffic is uniform, else 12 bytes for each pair of routers that communicates.
class RouterDemand {
 public:
  /// Every terminal sends at rate 1, spread evenly over all other terminals.
  static RouterDemand uniform(const Network& network);
  /// Every terminal that sends in a sample does so at rate 1, spread over its flows by weight; the mean of
  /// `samples` samples of the pattern, one where it has no chance in it. "all-to-all" is uniform().
  static RouterDemand of_pattern(const Network& network, const TrafficPattern& pattern,
                                 std::uint64_t seed = 1, std::uint32_t samples = 1);
  /// Flows between the same two routers add up. InputError where a router has no terminals, or a rate is
  /// negative or not finite.
  static RouterDemand of_flows(const Network& network, std::span<const RouterFlow> flows);

  [[nodiscard]] const EndpointRouters& endpoints() const { return endpoints_; }
  /// Rate from each endpoint router to endpoint router `destination`, by index; 0 from itself. `rate` has an
  /// entry for each endpoint router. O(endpoint routers).
  void column(std::uint32_t destination, std::span<double> rate) const;

  /// Sum of all rates between different routers, and of those inside a router.
  [[nodiscard]] double between() const { return between_; }
  [[nodiscard]] double inside() const { return inside_; }
  /// Largest rate at which one terminal receives: traffic beyond 1 never fits, whatever the routing. 0 where
  /// the demand was given by router flows, which do not say who receives.
  [[nodiscard]] double peak_ejection() const { return peak_ejection_; }

 private:
  explicit RouterDemand(const Network& network) : endpoints_(network) {}
  struct Entry {
    std::uint32_t destination, source;  // endpoint indices
    double rate;
  };
  static void merge(std::vector<Entry>& entries);
  void fill(const std::vector<Entry>& entries);

  EndpointRouters endpoints_;
  double between_ = 0;
  double inside_ = 0;
  double peak_ejection_ = 0;
  // Uniform: rate is scale_ * size_[source] * size_[destination]. Else rows by destination.
  double scale_ = 0;
  std::vector<double> size_;          // by endpoint router: terminals; empty where not uniform
  std::vector<std::uint64_t> first_;  // by destination, and one more
  std::vector<std::uint32_t> source_;
  std::vector<double> rate_;
};

}  // namespace unknot
