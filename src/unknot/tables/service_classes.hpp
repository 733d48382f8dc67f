// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// A class of service: traffic over the same tables as all other, on levels and lanes of its own.
struct ServiceClass {
  std::string name;
  std::uint32_t weight = 1;  ///< its share of a channel that all classes want, against the others' weights
};

/// Classes side by side. Class c has the levels from first_level(c) on, `levels` of them; each level is a
/// lane.
struct ServiceClasses {
  std::vector<ServiceClass> classes;  ///< none: nobody asks for classes
  std::uint32_t levels = 0;           ///< of each class

  [[nodiscard]] bool wanted() const { return !classes.empty(); }
  /// Of all; 0 without classes.
  [[nodiscard]] std::uint32_t lanes() const { return levels * static_cast<std::uint32_t>(classes.size()); }
  [[nodiscard]] std::uint8_t first_level(std::size_t c) const {
    return static_cast<std::uint8_t>(c * levels);
  }
  /// Which class has the level; classes.size() where none has.
  [[nodiscard]] std::size_t class_of(std::uint8_t level) const;
};

/// "mpi=8,storage=1": names with their weights, 1 where none is told, which share `lanes` evenly, what does
/// not divide left free. InputError, beginning with `option`, for wrong names and weights, names that come
/// twice, and more classes than lanes.
ServiceClasses parse_service_classes(std::string_view text, std::uint32_t lanes, std::string_view option);

/// The same tables with all levels higher by `first`, without multicast. InputError where lanes are not
/// levels (SL-to-VL tables), or routes are the sources'. O(size of the routing).
Routing with_levels_from(const Network& network, const Routing& routing, std::uint8_t first);

}  // namespace unknot
