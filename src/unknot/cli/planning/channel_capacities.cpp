// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/planning/channel_capacities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "unknot/network/labels.hpp"
#include "unknot/support/error.hpp"

namespace unknot::cli {
namespace {

constexpr double kMegabits = 1000;  ///< in a gigabit

std::uint32_t megabits_of(LinkRate rate) {
  return static_cast<std::uint32_t>(std::lround(link_rate_gigabits(rate) * kMegabits));
}

}  // namespace

ChannelCapacities channel_capacities(const Network& network, const std::string& word) {
  ChannelCapacities result;
  if (word == "cables") return result;
  const bool rates = word == "rates";
  std::vector<std::uint32_t> megabits;
  megabits.reserve(network.channel_count());
  for (const ChannelId c : network.channels()) {
    megabits.push_back(rates ? megabits_of(network.channel_rate(c)) : network.channel_capacity(c));
    if (megabits.back() > 0) continue;
    throw InputError(fmt::format("--capacity {}: {} of {} is not known", word,
                                 rates ? "the rate" : "the capacity", network.channel_name(c)));
  }
  for (const TerminalId t : network.terminals()) {
    const std::uint32_t own = rates ? megabits_of(network.terminal_rate(t)) : network.terminal_capacity(t);
    if (t.value > 0 && own != result.unit_megabits) {
      throw InputError(fmt::format("--capacity {}: terminals are to be alike, and {} differs from {}", word,
                                   network.terminal_name(t), network.terminal_name(TerminalId(0))));
    }
    result.unit_megabits = own;
  }
  if (result.unit_megabits == 0 && !megabits.empty())
    result.unit_megabits = *std::max_element(megabits.begin(), megabits.end());
  result.of.reserve(megabits.size());
  for (const std::uint32_t one : megabits)
    result.of.push_back(static_cast<double>(one) / result.unit_megabits);
  return result;
}

}  // namespace unknot::cli
