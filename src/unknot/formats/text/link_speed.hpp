// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "unknot/network/labels.hpp"

namespace unknot {

/// The rate of a link from its width ("4x", "4X") and the Gbit/s of a lane, as OpenSM, ibdiagnet and topology
/// files print them: "2.5" (SDR), "5", "10", "FDR10", "14", "25", "50", "100", "200" (XDR) of the InfiniBand
/// specification. 0 where either is unknown. O(1).
LinkRate link_rate_of(std::string_view width, std::string_view speed);

/// The other way round; both empty for an unknown rate. O(1).
struct LinkRateWords {
  std::string width, speed;
};
LinkRateWords words_of_link_rate(LinkRate rate);

}  // namespace unknot
