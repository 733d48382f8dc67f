// SPDX-License-Identifier: Apache-2.0
#include "unknot/tables/service_classes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <optional>

#include "unknot/support/error.hpp"
#include "unknot/support/number.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kMaxWeight = 255;  // InfiniBand's arbitration tables have a byte for it

bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_';
  });
}

ServiceClass parse_class(std::string_view text, std::string_view option) {
  const std::size_t equals = text.find('=');
  ServiceClass one{std::string(text.substr(0, equals))};
  if (!is_name(one.name)) {
    throw InputError(fmt::format(
        "{}: expected the name of a class, of letters, digits, '-' and '_', but got '{}'", option, one.name));
  }
  if (equals == std::string_view::npos) return one;
  const auto weight = number_in<std::uint32_t>(text.substr(equals + 1));
  if (!weight || *weight == 0 || *weight > kMaxWeight) {
    throw InputError(fmt::format("{}: expected a weight from 1 to {} for class {}, but got '{}'", option,
                                 kMaxWeight, one.name, text.substr(equals + 1)));
  }
  one.weight = *weight;
  return one;
}

}  // namespace

std::size_t ServiceClasses::class_of(std::uint8_t level) const {
  return levels == 0 ? 0 : std::min<std::size_t>(level / levels, classes.size());
}

ServiceClasses parse_service_classes(std::string_view text, std::uint32_t lanes, std::string_view option) {
  ServiceClasses result;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    ServiceClass one = parse_class(text.substr(begin, comma - begin), option);
    for (const ServiceClass& other : result.classes) {
      if (other.name == one.name) throw InputError(fmt::format("{}: class {} comes twice", option, one.name));
    }
    result.classes.push_back(std::move(one));
    begin = comma + 1;
  }
  result.levels = lanes / static_cast<std::uint32_t>(result.classes.size());
  if (result.levels == 0) {
    throw InputError(fmt::format("{}: {} classes need a lane each, and there are {} (--vls)", option,
                                 result.classes.size(), lanes));
  }
  return result;
}

Routing with_levels_from(const Network& network, const Routing& routing, std::uint8_t first) {
  require_tables(routing, "a class of service");
  if (routing.lane_map != nullptr) {
    throw InputError(
        "classes of service need tables whose service levels are lanes, without SL-to-VL tables (of dor: "
        "dor:sl2vl=0)");
  }
  Routing result = routing;
  result.multicast = nullptr;
  result.virtual_lanes += first;
  for (Routing& further : result.further) further = with_levels_from(network, further, first);
  if (first == 0) return result;
  if (routing.service_levels.empty()) {
    result.service_levels = ServiceLevels(network, ServiceLevels::Rows::by_router, first);
    return result;
  }
  for (std::uint32_t r = 0; r < result.service_levels.row_count(); ++r) {
    for (std::uint8_t& level : result.service_levels.row(r)) {
      if (level != ServiceLevels::kMissing) level = static_cast<std::uint8_t>(level + first);
    }
  }
  return result;
}

}  // namespace unknot
