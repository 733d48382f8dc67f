// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/oblivious/path_lengths.hpp"
#include "unknot/support/parameters.hpp"

namespace unknot {

/// Most lanes of a scheme: one bit each in a word.
inline constexpr std::uint32_t kMaxSchemeLanes = 64;

/// A channel on a path, as lane schemes see it. Channels are counted from 0; those to and from terminals do
/// not count.
struct LaneHop {
  std::uint32_t phase = 0;     ///< 0 up to the intermediate router, and on minimal paths; 1 after it
  std::uint32_t hop = 0;       ///< from the source; starts again nowhere
  std::uint32_t in_phase = 0;  ///< from the source in phase 0, from the intermediate in phase 1
};

/// Which virtual lane each hop of a path takes: a function of where on its path the hop is. Made by a row of
/// the catalogue for paths of given lengths.
struct LaneScheme {
  std::string name;         ///< spec it was made from, "hop:lanes=3"
  std::uint32_t lanes = 1;  ///< lanes are 0 .. lanes-1; at least 1, at most kMaxSchemeLanes
  std::function<std::uint32_t(const LaneHop&)> lane;
};

struct LaneSchemeRow {
  std::string name;
  std::string summary;
  std::vector<Parameter> parameters;
  /// Numbers of hops beyond kMaxSchemeLanes must make no difference to the lane, and the lane of a hop must
  /// follow from the lane of the hop before and from whether the intermediate lies between the two.
  std::function<LaneScheme(const PathLengths&, const Parameters&)> make;
};

/// [Kathareios et al., SC'15, section 3.4; Besta and Hoefler, SC'14; Guenther 1981]
const std::vector<LaneSchemeRow>& lane_schemes();
/// Row of that name; InputError with the near names otherwise.
const LaneSchemeRow& find_lane_scheme(std::string_view name);
/// Scheme for a spec such as "phase" or "hop:lanes=3". InputError for a wrong spec, and where the scheme
/// takes more than kMaxSchemeLanes lanes.
LaneScheme make_lane_scheme(const PathLengths& lengths, std::string_view spec);

/// A scheme as steps from lane to lane.
struct LaneSteps {
  static constexpr std::uint8_t kNever = 0xFF;         ///< no path of these lengths has such a hop
  std::uint8_t first = 0;                              ///< lane of the first hop
  std::array<std::uint8_t, kMaxSchemeLanes> onward{};  ///< by lane: of the next hop of the same phase
  std::array<std::uint8_t, kMaxSchemeLanes> turned{};  ///< by lane: of the next hop beyond the intermediate
};
/// std::logic_error where the scheme is no such function.
LaneSteps lane_steps(const LaneScheme& scheme, const PathLengths& lengths);

}  // namespace unknot
