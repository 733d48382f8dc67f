// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace unknot {

/// A network that a family offers for routers of some radix, and what it costs in ports and links.
struct Design {
  std::string family;  ///< name of a row of design_families()
  std::string spec;    ///< for make_network()
  std::uint64_t terminals = 0;
  std::uint64_t room =
      0;  ///< terminals that the same routers and cables have ports for, by the family's rule
  std::uint64_t routers = 0;
  std::uint64_t cables = 0;  ///< between routers
  std::uint32_t radix = 0;   ///< ports in use on the largest router, terminals' included
  /// Between routers with terminals, where the construction says it; random graphs do not.
  std::optional<std::uint32_t> diameter;
  /// Cut that the construction shows over half the terminals, where a formula gives it.
  std::optional<double> bisection;
  /// Upper bound on throughput over all traffic, of throughput_by_counts().
  std::optional<double> throughput;
  /// Terminals of the fullest router over those that the family's rule balances: 1 as its authors propose,
  /// 2 where twice as many share the same cables, below 1 where cables are spare.
  double oversubscription = 1;

  /// Terminals' own links included, as Kathareios et al. 2015 count cost.
  [[nodiscard]] double ports_per_terminal() const;
  [[nodiscard]] double links_per_terminal() const;
};

/// What is asked of a family.
struct DesignRule {
  std::uint32_t radix = 0;      ///< of the routers, at most
  std::uint64_t terminals = 0;  ///< wanted; 0: as many as fit
  double oversubscription = 1;  ///< at most: times the terminals that the family balances
};

/// One choice within a family: parameters, and what follows from them without making a spec of it, for a
/// family may have millions.
struct DesignChoice {
  /// The spec without its terminals.
  std::string (*spec)(const std::array<std::uint32_t, 5>& parameters) = nullptr;
  std::array<std::uint32_t, 5> parameters{};
  std::uint64_t carriers = 0;  ///< routers that carry terminals
  std::uint64_t routers = 0;
  std::uint64_t cables = 0;
  std::uint32_t degree = 0;  ///< cables of a router that carries terminals
  std::uint32_t widest = 0;  ///< ports of the largest router that carries none
  std::uint32_t each = 0;    ///< terminals on a carrier, at most
  std::uint32_t most = 0;    ///< that the rule allows there
  double balanced = 0;       ///< that the family balances there
  std::uint32_t standard =
      0;  ///< terminals on a carrier that the spec means without saying it; 0: always said
  /// Where the family knows more than degrees tell: to each carrier no more than `near`, itself included, are
  /// nearer than `far` hops.
  std::uint64_t near = 0;
  std::uint32_t far = 0;
};

/// A family of networks with full or nearly full throughput, as its authors propose to fill a radix.
struct DesignFamily {
  std::string name;
  std::string summary;  ///< with the rule that choices keep
  /// Between routers with terminals; nothing for random graphs.
  std::optional<std::uint32_t> diameter;
  const char* each;  ///< the spec's parameter for terminals on each router
  /// Calls `visit` with what the family offers under the rule. Without terminals wanted the largest is among
  /// them; with, each has at least as many, and the one with the fewest routers is among them.
  void (*choices)(const DesignRule& rule, const std::function<void(const DesignChoice&)>& visit) = nullptr;
};

const std::vector<DesignFamily>& design_families();

inline constexpr std::uint32_t kMostDesignRadix = 1024;

/// The design of the family with the most terminals for routers of at most `radix` ports (fewer routers, then
/// cables, between equals); nothing where none fits.
std::optional<Design> largest_design(const DesignFamily& family, std::uint32_t radix,
                                     double oversubscription = 1);
/// Of the smallest radix that reaches `terminals` terminals, the design with the fewest ports in all (then
/// the fewest terminals) of those that fill their routers; where that has more than 1.3 times the terminals,
/// fitting_design() of the same radix. Nothing where kMostDesignRadix does not reach them.
std::optional<Design> smallest_design(const DesignFamily& family, std::uint64_t terminals,
                                      double oversubscription = 1);
/// The network of exactly rule.terminals terminals with the fewest routers of at most rule.radix ports, then
/// the fewest cables: smaller parameters, fewer terminals on each router, or some routers filled less than
/// others. Nothing where none is large enough.
std::optional<Design> fitting_design(const DesignFamily& family, const DesignRule& rule);

}  // namespace unknot
