// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/systems/link_arrow.hpp"

#include "unknot/formats/text/link_speed.hpp"

namespace unknot {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_width(std::string_view part) {
  if (part.size() < 2 || part.size() > 3 || (part.back() != 'x' && part.back() != 'X')) return false;
  part.remove_suffix(1);
  return part.find_first_not_of("0123456789") == std::string_view::npos;
}

/// "5G", "2.5G", "FDR10", "EDR20": the last two are speeds of their own.
bool is_speed(std::string_view part) {
  if (part == "FDR10" || part == "EDR20") return true;
  return part.size() >= 2 && part.size() <= 5 && part.back() == 'G' && is_digit(part.front());
}

}  // namespace

std::optional<LinkArrow> link_arrow(std::string_view word) {
  if (!word.starts_with('-') || !word.ends_with('>')) return std::nullopt;
  word.remove_prefix(1);
  word.remove_suffix(1);
  LinkArrow arrow;
  while (!word.empty()) {
    const std::size_t end = word.find('-');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view part = word.substr(0, end);
    if (arrow.width.empty() && arrow.speed.empty() && is_width(part)) {
      arrow.width = part;
    } else if (arrow.speed.empty() && is_speed(part)) {
      arrow.speed = part.ends_with('G') ? part.substr(0, part.size() - 1) : part;
    } else {
      return std::nullopt;
    }
    word.remove_prefix(end + 1);
  }
  return arrow;
}

LinkArrow joined_arrows(const LinkArrow& first, const LinkArrow& second) {
  return {first.width.empty() ? second.width : first.width, first.speed.empty() ? second.speed : first.speed};
}

LinkRate rate_of(const LinkArrow& arrow) {
  if (arrow.width.empty() && arrow.speed.empty()) return 0;
  return link_rate_of(arrow.width.empty() ? "4x" : arrow.width, arrow.speed.empty() ? "2.5" : arrow.speed);
}

}  // namespace unknot
