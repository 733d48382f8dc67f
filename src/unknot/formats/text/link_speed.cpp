// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/text/link_speed.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace unknot {
namespace {

constexpr std::pair<std::string_view, const char*> kSpeedNames[] = {
    {"2.5", "SDR"}, {"5", "DDR"},  {"10", "QDR"},  {"FDR10", "FDR10"}, {"14", "FDR"},
    {"25", "EDR"},  {"50", "HDR"}, {"100", "NDR"}, {"200", "XDR"}};
constexpr std::size_t kLongestWidth = 8;

}  // namespace

LinkRate link_rate_of(std::string_view width, std::string_view speed) {
  const auto* found = std::find_if(std::begin(kSpeedNames), std::end(kSpeedNames),
                                   [&](const auto& row) { return row.first == speed; });
  if (found == std::end(kSpeedNames) || width.size() > kLongestWidth) return 0;
  std::string text(width);
  std::replace(text.begin(), text.end(), 'X', 'x');
  return link_rate_from(text + found->second);
}

LinkRateWords words_of_link_rate(LinkRate rate) {
  const std::string& name = link_rate_names()[rate];
  const std::size_t width = name.find('x') + 1;  // 0 for the empty name of an unknown rate
  for (const auto& [speed, letters] : kSpeedNames) {
    if (width != 0 && name.substr(width) == letters) return {name.substr(0, width), std::string(speed)};
  }
  return {};
}

}  // namespace unknot
