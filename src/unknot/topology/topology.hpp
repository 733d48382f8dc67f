// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/support/parameters.hpp"

namespace unknot {

/// How large a network will be, known before any memory is taken. Saturates instead of overflowing.
struct NetworkSize {
  std::uint64_t routers = 0;
  std::uint64_t cables = 0;  ///< one-way links count as one cable
  std::uint64_t terminals = 0;
};

/// Which routers carry terminals. Of the routers of level 0 (all, where there are no levels) ...
enum class TerminalSpread : std::uint8_t {
  evenly,          ///< each as many, or one more
  evenly_on_some,  ///< some none, the others as many, or one more
  as_ports_allow,  ///< as the family fills its ports
};

/// One family of networks. The parameters "terminals" (spread N evenly over the routers that carry endpoints)
/// and "p" (put P on each) are added by the catalogue to every row that has none of its own.
struct Topology {
  std::string name;
  std::string summary;
  std::vector<Parameter> parameters;
  std::function<NetworkSize(const Parameters&)> size;
  std::function<Network(const Parameters&)> make;
  /// Small specs for help and for the tests that loop over the catalogue.
  std::vector<std::string> examples;
  TerminalSpread spread = TerminalSpread::evenly;
  /// Cables between two halves of the terminals that the construction shows, for the same number on each
  /// router; nothing where no formula is known. Null for families without one.
  std::function<std::optional<double>(const Parameters&)> known_cut = nullptr;
};

inline constexpr std::uint64_t kMaxRouters = 20'000'000;
inline constexpr std::uint64_t kMaxCables = 50'000'000;
inline constexpr std::uint64_t kMaxTerminals = 20'000'000;

}  // namespace unknot
