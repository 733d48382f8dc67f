// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/command/load_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "unknot/support/error.hpp"
#include "unknot/support/number.hpp"

namespace unknot::cli {
namespace {

constexpr std::size_t kMostLoads = 1000;
constexpr double kGrain = 1e-9;  // loads closer than this part of them are one

double number(std::string_view text) {
  const auto value = number_in<double>(text);
  if (!value || !std::isfinite(*value)) {
    throw InputError(
        fmt::format("load: expected A, A:B:STEP, or these with commas, and '{}' is no number", text));
  }
  return *value;
}

double load(std::string_view text) {
  const double value = number(text);
  if (!(value >= 0 && value <= 1)) throw InputError(fmt::format("load {} is not between 0 and 1", text));
  return value;
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (std::size_t end = 0; (end = text.find(at)) != std::string_view::npos; text.remove_prefix(end + 1))
    parts.push_back(text.substr(0, end));
  parts.push_back(text);
  return parts;
}

void add_range(std::vector<double>& loads, const std::vector<std::string_view>& parts) {
  const double first = load(parts[0]);
  const double last = load(parts[1]);
  const double step = number(parts[2]);
  if (step <= 0) throw InputError(fmt::format("load: the step {} is not above 0", parts[2]));
  if (last < first) throw InputError(fmt::format("load: {}:{} goes down", parts[0], parts[1]));
  const double steps = std::floor((last - first) / step + kGrain);
  if (steps >= kMostLoads) throw InputError(fmt::format("load: more than {} loads", kMostLoads));
  for (std::uint32_t i = 0; i <= static_cast<std::uint32_t>(steps); ++i) {
    // Tenths that print as tenths; tiny ones stay as they are.
    const double exact = first + i * step;
    loads.push_back(std::min(last, step < kGrain ? exact : std::round(exact * 1e12) / 1e12));
  }
}

}  // namespace

std::vector<double> parse_loads(std::string_view text) {
  std::vector<double> loads;
  for (const std::string_view item : split(text, ',')) {
    const std::vector<std::string_view> parts = split(item, ':');
    if (parts.size() == 3) {
      add_range(loads, parts);
    } else if (parts.size() == 1) {
      loads.push_back(load(parts[0]));
    } else {
      throw InputError(fmt::format("load: expected A or A:B:STEP, not '{}'", item));
    }
    if (loads.size() > kMostLoads) throw InputError(fmt::format("load: more than {} loads", kMostLoads));
  }
  std::vector<double> sorted = loads;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i] - sorted[i - 1] <= kGrain * sorted[i])
      throw InputError(fmt::format("load {} is given twice", sorted[i]));
  }
  return loads;
}

}  // namespace unknot::cli
