// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/oblivious/endpoint_routers.hpp"

namespace unknot {

/// The intermediate routers of Valiant's routing: for each pair of different routers with terminals, all
/// other routers with terminals that the source reaches and that reach the destination. All of them where all
/// reach each other; in general it is a matter of the strongly connected parts that source and destination
/// lie in.
///
/// O(parts * channels + parts^3) time and O(routers + parts^2) memory; only parts with terminals count.
class Intermediates {
 public:
  explicit Intermediates(const Network& network);

  [[nodiscard]] const EndpointRouters& endpoints() const { return endpoints_; }
  [[nodiscard]] std::uint32_t parts() const { return parts_; }
  /// Part of an endpoint router, by index.
  [[nodiscard]] std::uint32_t part(std::uint32_t endpoint) const { return part_[endpoint]; }
  /// A path leads from one part to the other.
  [[nodiscard]] bool reaches(std::uint32_t from, std::uint32_t to) const {
    return reach_[from * std::size_t{parts_} + to] != 0;
  }
  /// 1 / number of intermediates of two different routers of these parts; 0 where there is none.
  [[nodiscard]] double part_share(std::uint32_t from, std::uint32_t to) const {
    return share_[from * std::size_t{parts_} + to];
  }

  /// A path joins these endpoint routers.
  [[nodiscard]] bool joined(std::uint32_t source, std::uint32_t destination) const {
    return reaches(part_[source], part_[destination]);
  }
  /// 1 / number of intermediates of these two different endpoint routers; 0 where there is none.
  [[nodiscard]] double share(std::uint32_t source, std::uint32_t destination) const {
    return part_share(part_[source], part_[destination]);
  }

 private:
  EndpointRouters endpoints_;
  std::uint32_t parts_ = 0;
  std::vector<std::uint32_t> part_;  // by endpoint router
  std::vector<std::uint8_t> reach_;  // [from * parts + to]
  std::vector<double> share_;        // [from * parts + to]
};

}  // namespace unknot
