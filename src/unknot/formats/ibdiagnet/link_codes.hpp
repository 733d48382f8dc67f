// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/network/labels.hpp"

namespace unknot {

/// Width and speed of a port as ibdiagnet's database has them: the codes of PortInfo in the InfiniBand
/// specification, the extended speeds in the second byte, vendor speeds (FDR10) in the third, the second
/// extended ones (XDR) in the fourth.
struct LinkCodes {
  std::uint32_t width = 0;
  std::uint32_t speed = 0;
};

/// 0 where either is unknown. Of a port that states several speeds, the highest counts. O(1).
LinkRate rate_of_codes(const LinkCodes& codes);
/// Zeros for an unknown rate. O(1).
LinkCodes codes_of_rate(LinkRate rate);

}  // namespace unknot
