// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "unknot/network/labels.hpp"

namespace unknot {

/// The arrow between the two ends of a link in IBNL and topology files: "->", "-4x->", "-5G->", "-4x-5G->".
/// Views into the text; empty where a part is not stated.
struct LinkArrow {
  std::string_view width;  ///< "4x"
  std::string_view speed;  ///< Gbit/s of a lane: "5"
};

/// Nothing where the word is no arrow.
std::optional<LinkArrow> link_arrow(std::string_view word);

/// What `first` states, else what `second` does.
LinkArrow joined_arrows(const LinkArrow& first, const LinkArrow& second);

/// The rate that an arrow states. As ibutils reads it, a width alone means lanes of 2.5 Gbit/s and a speed
/// alone four lanes; an arrow without either states none: 0.
LinkRate rate_of(const LinkArrow& arrow);

}  // namespace unknot
