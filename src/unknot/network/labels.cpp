// SPDX-License-Identifier: Apache-2.0
#include "unknot/network/labels.hpp"

#include <algorithm>
#include <iterator>

namespace unknot {

namespace {

struct Width {
  const char* name;
  double lanes;
};
struct Speed {
  const char* name;
  double gigabits;  // of a lane
};
constexpr Width kWidths[] = {{"1x", 1}, {"2x", 2}, {"4x", 4}, {"8x", 8}, {"12x", 12}};
constexpr Speed kSpeeds[] = {{"SDR", 2},  {"DDR", 4},  {"QDR", 8},   {"FDR10", 10}, {"FDR", 13.64},
                             {"EDR", 25}, {"HDR", 50}, {"NDR", 100}, {"XDR", 200}};

}  // namespace

const std::vector<std::string>& link_rate_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all{""};
    for (const Width& width : kWidths) {
      for (const Speed& speed : kSpeeds) all.push_back(std::string(width.name) + speed.name);
    }
    return all;
  }();
  return names;
}

double link_rate_gigabits(LinkRate rate) {
  constexpr std::size_t kCount = std::size(kSpeeds);
  if (rate == 0 || rate > kCount * std::size(kWidths)) return 0;
  return kWidths[(rate - 1U) / kCount].lanes * kSpeeds[(rate - 1U) % kCount].gigabits;
}

LinkRate link_rate_from(const std::string& text) {
  const auto& names = link_rate_names();
  const auto found = std::find(names.begin(), names.end(), text);
  return found == names.end() ? LinkRate{0} : static_cast<LinkRate>(found - names.begin());
}

}  // namespace unknot
