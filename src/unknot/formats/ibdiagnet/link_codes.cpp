// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/ibdiagnet/link_codes.hpp"

#include <array>
#include <string>

namespace unknot {
namespace {

struct NamedCode {
  std::uint32_t code;
  const char* name;
};
constexpr NamedCode kWidthCodes[] = {{1, "1x"}, {2, "4x"}, {4, "8x"}, {8, "12x"}, {16, "2x"}};
// The fastest first: a port names slower speeds beside its own.
constexpr NamedCode kSpeedCodes[] = {{1U << 24, "XDR"}, {8U << 8, "NDR"}, {4U << 8, "HDR"},
                                     {2U << 8, "EDR"},  {1U << 8, "FDR"}, {1U << 16, "FDR10"},
                                     {4, "QDR"},        {2, "DDR"},       {1, "SDR"}};

}  // namespace

LinkRate rate_of_codes(const LinkCodes& codes) {
  const char* width = "";
  for (const NamedCode& row : kWidthCodes) {
    if (row.code == codes.width) width = row.name;
  }
  for (const NamedCode& row : kSpeedCodes) {
    if ((codes.speed & row.code) != 0) return link_rate_from(std::string(width) + row.name);
  }
  return 0;
}

LinkCodes codes_of_rate(LinkRate rate) {
  for (const NamedCode& width : kWidthCodes) {
    for (const NamedCode& speed : kSpeedCodes) {
      if (link_rate_names()[rate] == std::string(width.name) + speed.name) return {width.code, speed.code};
    }
  }
  return {};
}

}  // namespace unknot
