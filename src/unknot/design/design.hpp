// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace unknot {

/// A network that a family offers for routers of some radix, and what it costs.
struct Design {
  std::string family;  ///< name of a row of design_families()
  std::string spec;    ///< for make_network()
  std::uint64_t terminals = 0;
  std::uint64_t routers = 0;
  std::uint64_t cables = 0;  ///< between routers
  std::uint32_t radix = 0;   ///< ports in use on the largest router, terminals' included
  /// Between routers with terminals, where the construction says it; random graphs do not.
  std::optional<std::uint32_t> diameter;
  /// Least known cut over half the terminals, where a formula gives it.
  std::optional<double> bisection;

  /// Terminals' own links included, as Kathareios et al. 2015 count cost.
  [[nodiscard]] double ports_per_terminal() const;
  [[nodiscard]] double links_per_terminal() const;
};

/// One choice within a family: parameters, and what cannot be read from their size alone.
struct DesignChoice {
  std::string spec;
  std::uint32_t radix = 0;
  std::optional<std::uint32_t> diameter;
  std::optional<double> bisection;
};

/// A family of networks with full or nearly full throughput, as its authors propose to fill a radix.
struct DesignFamily {
  std::string name;
  std::string summary;
  /// What the family offers for routers of at most `radix` ports; the largest is among them.
  std::vector<DesignChoice> (*choices)(std::uint32_t radix) = nullptr;
};

const std::vector<DesignFamily>& design_families();

inline constexpr std::uint32_t kMostDesignRadix = 1024;

/// The design of the family with the most terminals for routers of at most `radix` ports (fewer routers, then
/// cables, between equals); nothing where none fits.
std::optional<Design> largest_design(const DesignFamily& family, std::uint32_t radix);
/// Of the smallest radix that reaches `terminals` terminals, the design with the fewest ports in all (then
/// the fewest terminals); nothing where kMostDesignRadix does not reach them.
std::optional<Design> smallest_design(const DesignFamily& family, std::uint64_t terminals);

}  // namespace unknot
