// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/model/link_capacities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "unknot/network/stated_links.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kAssumedMegabits = 1000;

/// Of data; 0 where the rate is not known.
std::uint32_t rate_megabits(LinkRate rate) {
  return static_cast<std::uint32_t>(std::lround(link_rate_gigabits(rate) * 1000));
}

CapacityUnit unit_of(const Network& network, CapacityUnit wanted) {
  if (wanted != CapacityUnit::automatic) return wanted;
  if (stated_capacities(network).any()) return CapacityUnit::stated;
  const auto channels = network.channels();
  const auto terminals = network.terminals();
  const bool rated = std::all_of(channels.begin(), channels.end(),
                                 [&](ChannelId c) { return network.channel_rate(c) != 0; }) &&
                     std::all_of(terminals.begin(), terminals.end(),
                                 [&](TerminalId t) { return network.terminal_rate(t) != 0; });
  return rated ? CapacityUnit::rates : CapacityUnit::cables;
}

[[noreturn]] void refuse_unknown(const std::string& link) {
  throw InputError("capacities by rate: the rate of " + link + " is not known");
}

class CapacityList {
 public:
  CapacityList(const Network& network, const NodeGraphOptions& options)
      : network_(network), options_(options) {
    result_.unit = unit_of(network, options.unit);
  }

  LinkCapacities run(bool with_terminals) {
    add_channels();
    if (with_terminals) {
      result_.terminals.reserve(network_.terminal_count());
      for (const TerminalId t : network_.terminals()) result_.terminals.push_back(of_terminal(t));
    }
    return std::move(result_);
  }

 private:
  /// 0 where it is not known.
  [[nodiscard]] std::uint32_t known(ChannelId c) const {
    if (result_.unit == CapacityUnit::cables) return 1;
    const std::uint32_t stated =
        result_.unit == CapacityUnit::stated ? network_.channel_capacity(c) : std::uint32_t{0};
    return stated != 0 ? stated : rate_megabits(network_.channel_rate(c));
  }

  void add_channels() {
    result_.channels.reserve(network_.channel_count());
    for (const ChannelId c : network_.channels()) {
      const std::uint32_t capacity = known(c);
      if (capacity == 0 && result_.unit == CapacityUnit::rates) refuse_unknown(network_.channel_name(c));
      if (capacity == 0) {
        const ChannelId back = network_.reverse(c);
        const bool counted = back.valid() && back < c && known(back) == 0;  // a cable is one link
        if (!counted) ++result_.assumed;
      }
      result_.channels.push_back(capacity == 0 ? kAssumedMegabits : capacity);
    }
  }

  std::uint32_t of_terminal(TerminalId t) {
    const std::uint32_t rate = rate_megabits(network_.terminal_rate(t));
    if (result_.unit == CapacityUnit::rates) {
      if (rate == 0) refuse_unknown("the cable of " + network_.terminal_name(t));
      return rate;
    }
    if (result_.unit == CapacityUnit::cables) {
      if (options_.terminal_capacity > 0) return options_.terminal_capacity;
      return std::max(1U, of_all_channels(t));
    }
    const std::uint32_t stated = network_.terminal_capacity(t);
    if (stated != 0) return stated;
    if (rate != 0) return rate;
    if (const std::uint32_t all = of_all_channels(t); all != 0) return all;
    ++result_.assumed;
    return kAssumedMegabits;
  }

  /// Of its router, the larger of both ways, where the terminal is alone there; else 0.
  [[nodiscard]] std::uint32_t of_all_channels(TerminalId t) const {
    const RouterId router = network_.router_of(t);
    if (network_.terminals_at(router).size() != 1) return 0;
    std::uint64_t out = 0;
    std::uint64_t in = 0;
    for (const ChannelId c : network_.out(router)) out += result_.channels[c.value];
    for (const ChannelId c : network_.in(router)) in += result_.channels[c.value];
    const std::uint64_t all = std::max(out, in);
    if (all > std::numeric_limits<std::uint32_t>::max()) {
      throw InputError(
          fmt::format("the links of {} have more capacity together than can be counted with; give "
                      "capacities in larger units",
                      network_.router_name(router)));
    }
    return static_cast<std::uint32_t>(all);
  }

  const Network& network_;
  const NodeGraphOptions& options_;
  LinkCapacities result_;
};

}  // namespace

LinkCapacities link_capacities(const Network& network, const NodeGraphOptions& options, bool with_terminals) {
  return CapacityList(network, options).run(with_terminals);
}

}  // namespace unknot
