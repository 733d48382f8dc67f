// SPDX-License-Identifier: Apache-2.0
#include "unknot/network/labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
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

std::optional<std::uint32_t> megabits_from(double gigabits) {
  // Doubles tell all numbers of three decimals and ten digits apart: the nearest one is the number, or none
  // is.
  if (!(gigabits > 0 && gigabits <= 4294967.295)) return std::nullopt;
  const double megabits = std::round(gigabits * 1000);
  if (megabits < 1 || megabits / 1000 != gigabits) return std::nullopt;
  return static_cast<std::uint32_t>(megabits);
}

std::optional<std::uint32_t> megabits_from(std::string_view gigabits) {
  double value = 0;
  const char* end = gigabits.data() + gigabits.size();
  const auto [stop, error] = std::from_chars(gigabits.data(), end, value, std::chars_format::fixed);
  return error == std::errc() && stop == end ? megabits_from(value) : std::nullopt;
}

std::string gigabits_text(std::uint32_t megabits) {
  return fmt::format("{}", megabits / 1000.0);
}

}  // namespace unknot
