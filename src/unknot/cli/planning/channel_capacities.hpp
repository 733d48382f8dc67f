// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/place/places.hpp"

namespace unknot::cli {

/// What each channel carries, in terminals' cables: the capacity that counts as 1 is theirs, or where none of
/// them states one that of the widest channel.
struct ChannelCapacities {
  std::uint32_t unit_megabits = 0;  ///< of data a second; 0: a cable
  std::vector<double> of;           ///< by channel; empty: 1 each

  [[nodiscard]] double at(std::size_t channel) const { return of.empty() ? 1 : of[channel]; }
};

/// `word`: cables, rates or stated. InputError for a channel whose capacity is not known, and for terminals
/// whose capacities differ.
ChannelCapacities channel_capacities(const Network& network, const std::string& word);

/// Widths of all links for loads of placements: `word` as above, and 1 the widest of the terminals, which may
/// differ, or where none of them states one the widest channel. InputError for a capacity that is not known.
place::LinkWidths link_widths(const Network& network, const std::string& word);

}  // namespace unknot::cli
