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

/// What one link carries, by a word that is not cables.
class Megabits {
 public:
  Megabits(const Network& network, const std::string& word)
      : network_(network), word_(word), rates_(word == "rates") {}

  [[nodiscard]] std::uint32_t of(TerminalId t) const {
    return rates_ ? megabits_of(network_.terminal_rate(t)) : network_.terminal_capacity(t);
  }
  /// By channel.
  [[nodiscard]] std::vector<std::uint32_t> of_channels() const {
    std::vector<std::uint32_t> megabits;
    megabits.reserve(network_.channel_count());
    for (const ChannelId c : network_.channels()) {
      megabits.push_back(rates_ ? megabits_of(network_.channel_rate(c)) : network_.channel_capacity(c));
      if (megabits.back() == 0) unknown(network_.channel_name(c));
    }
    return megabits;
  }
  [[noreturn]] void unknown(const std::string& link) const {
    throw InputError(fmt::format("--capacity {}: {} of {} is not known", word_,
                                 rates_ ? "the rate" : "the capacity", link));
  }

 private:
  const Network& network_;
  const std::string& word_;
  bool rates_;
};

std::vector<double> in_units(const std::vector<std::uint32_t>& megabits, std::uint32_t unit) {
  std::vector<double> widths;
  widths.reserve(megabits.size());
  for (const std::uint32_t one : megabits) widths.push_back(static_cast<double>(one) / unit);
  return widths;
}

std::uint32_t widest(const std::vector<std::uint32_t>& megabits) {
  return megabits.empty() ? 0 : *std::max_element(megabits.begin(), megabits.end());
}

}  // namespace

ChannelCapacities channel_capacities(const Network& network, const std::string& word) {
  ChannelCapacities result;
  if (word == "cables") return result;
  const Megabits of_links(network, word);
  const std::vector<std::uint32_t> megabits = of_links.of_channels();
  for (const TerminalId t : network.terminals()) {
    const std::uint32_t own = of_links.of(t);
    if (t.value > 0 && own != result.unit_megabits) {
      throw InputError(fmt::format("--capacity {}: terminals are to be alike, and {} differs from {}", word,
                                   network.terminal_name(t), network.terminal_name(TerminalId(0))));
    }
    result.unit_megabits = own;
  }
  if (result.unit_megabits == 0) result.unit_megabits = widest(megabits);
  result.of = in_units(megabits, result.unit_megabits);
  return result;
}

place::LinkWidths link_widths(const Network& network, const std::string& word) {
  if (word == "cables") return {};
  const Megabits of_links(network, word);
  const std::vector<std::uint32_t> channels = of_links.of_channels();
  std::vector<std::uint32_t> terminals;
  terminals.reserve(network.terminal_count());
  for (const TerminalId t : network.terminals()) terminals.push_back(of_links.of(t));
  std::uint32_t unit = widest(terminals);
  if (unit == 0) {
    unit = widest(channels);
    terminals.assign(terminals.size(), unit);
  }
  const auto missing = std::find(terminals.begin(), terminals.end(), 0U);
  if (missing != terminals.end()) {
    of_links.unknown(
        network.terminal_name(TerminalId(static_cast<std::uint32_t>(missing - terminals.begin()))));
  }
  return {in_units(channels, unit), in_units(terminals, unit)};
}

}  // namespace unknot::cli
