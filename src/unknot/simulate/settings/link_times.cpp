// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/settings/link_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "unknot/network/stated_links.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/number.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot::simulate {
namespace {

enum class Kind : std::uint8_t { all, channels, terminals, level, dimension, rate, capacity };

struct Selector {
  Kind kind = Kind::all;
  std::uint32_t number = 0;  ///< of level and dimension; megabits of a capacity
  std::string_view rate = {};
};

std::optional<Selector> parse(std::string_view match) {
  if (match == "all") return Selector{Kind::all};
  if (match == "channels") return Selector{Kind::channels};
  if (match == "terminals") return Selector{Kind::terminals};
  const std::size_t colon = match.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string_view word = match.substr(0, colon);
  const std::string_view value = match.substr(colon + 1);
  if (word == "rate") {
    // The name of a rate, or its width: "4x".
    for (const std::string& name : link_rate_names()) {
      if (!value.empty() && (name == value || (value.back() == 'x' && name.starts_with(value))))
        return Selector{Kind::rate, 0, value};
    }
    return std::nullopt;
  }
  if (word == "capacity") {
    const auto megabits = megabits_from(value);
    if (!megabits) return std::nullopt;
    return Selector{Kind::capacity, *megabits, {}};
  }
  if (word != "level" && word != "dimension") return std::nullopt;
  const auto number = number_in<std::uint32_t>(value);
  if (!number) return std::nullopt;
  return Selector{word == "level" ? Kind::level : Kind::dimension, *number, {}};
}

bool has_rate(LinkRate rate, std::string_view wanted) {
  const std::string& name = link_rate_names()[rate];
  return name == wanted || (wanted.back() == 'x' && name.starts_with(wanted));
}

/// First coordinate in which the ends of a channel differ.
std::uint32_t dimension_of(const Network& network, ChannelId c) {
  const Coordinates& at = *network.coordinates();
  std::uint32_t d = 0;
  while (d < at.dimensions && at.value[std::size_t{network.source(c).value} * at.dimensions + d] ==
                                  at.value[std::size_t{network.target(c).value} * at.dimensions + d]) {
    ++d;
  }
  return d;
}

bool selects(const Network& network, const Selector& selector, ChannelId c) {
  switch (selector.kind) {
    case Kind::all:
    case Kind::channels:
      return true;
    case Kind::terminals:
      return false;
    case Kind::level:
      return std::min(network.levels()[network.source(c).value], network.levels()[network.target(c).value]) ==
             selector.number;
    case Kind::dimension:
      return dimension_of(network, c) == selector.number;
    case Kind::rate:
      return has_rate(network.channel_rate(c), selector.rate);
    case Kind::capacity:
      return network.channel_capacity(c) == selector.number;
  }
  return false;
}

bool selects(const Network& network, const Selector& selector, TerminalId t) {
  if (selector.kind == Kind::rate) return has_rate(network.terminal_rate(t), selector.rate);
  if (selector.kind == Kind::capacity) return network.terminal_capacity(t) == selector.number;
  return selector.kind == Kind::all || selector.kind == Kind::terminals;
}

/// What the network lacks for the selector, or "".
std::string lacking(const Network& network, const Selector& selector) {
  if (selector.kind == Kind::level && network.levels().empty()) return "the network has no levels";
  if (selector.kind == Kind::dimension && network.coordinates() == nullptr)
    return "the network has no coordinates";
  if (selector.kind == Kind::rate && network.labels().channel_rate.empty() &&
      network.labels().terminal_rate.empty())
    return "the network says no rates";
  if (selector.kind == Kind::capacity && network.labels().channel_capacity.empty() &&
      network.labels().terminal_capacity.empty())
    return "the network states no capacities";
  return "";
}

/// Latencies that the network states, in cycles, over those of the settings.
void take_stated(const Network& network, const Settings& settings, LinkTimes& times) {
  constexpr std::uint32_t kMost = 65'535;
  const std::uint32_t unit = times.in_steps ? settings.speedup : 1;
  const auto take = [&](std::uint32_t stated, std::uint32_t& latency, const auto& name) {
    if (stated == 0) return;
    if (stated > kMost / unit) {
      throw InputError(fmt::format("{}: a latency of {} cycles, the simulator takes {} at most", name(),
                                   stated, kMost / unit));
    }
    latency = stated * unit;
  };
  if (!network.labels().channel_latency.empty()) {
    for (const ChannelId c : network.channels()) {
      take(network.channel_latency(c), times.channel_latency[c.value],
           [&] { return network.channel_name(c); });
    }
  }
  if (network.labels().terminal_latency.empty()) return;
  for (const TerminalId t : network.terminals()) {
    take(network.terminal_latency(t), times.terminal_latency[t.value],
         [&] { return network.terminal_name(t); });
  }
}

/// Capacities that the network states, where they are parts of the base speed in which a flit takes a whole
/// number of cycles, or of steps off their grid.
void take_speeds(const Network& network, const Settings& settings, LinkTimes& times) {
  constexpr double kMost = 65'535, kNoise = 1e-9;
  const double base = settings.flit_bytes * 8 / settings.cycle_ns;  // Gb/s
  const double unit = times.in_steps ? 1 : settings.speedup;
  const auto take = [&](std::uint32_t megabits, std::uint32_t& period, const auto& name) {
    if (megabits == 0) return;
    const double stated = megabits / 1000.0;
    if (stated > base * (1 + kNoise)) {
      throw InputError(
          fmt::format("{}: {:g} Gb/s are more than the base speed of {:g} Gb/s; the fastest links set it, as "
                      "bandwidth_gbps",
                      name(), stated, base));
    }
    const double exact = settings.speedup * base / stated;
    const double whole = std::round(exact / unit) * unit;
    if (std::abs(whole - exact) > kNoise * exact || whole > kMost) {
      throw InputError(fmt::format(
          "{}: a flit takes {:g} {} at {:g} Gb/s, expected a whole number up to {:g}; choose "
          "bandwidth_gbps and speedup so, or say its speed in a [[link]] with speeds = \"base\"",
          name(), exact / unit, times.in_steps ? "steps" : "cycles", stated, std::floor(kMost / unit)));
    }
    period = static_cast<std::uint32_t>(whole);
  };
  if (!stated_capacities(network).any())
    throw InputError("speeds = \"stated\": the network states no capacities");
  for (const ChannelId c : network.channels())
    take(network.channel_capacity(c), times.channel_period[c.value], [&] { return network.channel_name(c); });
  for (const TerminalId t : network.terminals()) {
    take(network.terminal_capacity(t), times.terminal_period[t.value],
         [&] { return network.terminal_name(t); });
  }
}

}  // namespace

std::string selector_trouble(const std::string& match) {
  if (parse(match)) return "";
  return fmt::format(
      "'match' of a link is '{}', expected all, channels, terminals, level:N, dimension:N, rate:RATE such as "
      "rate:4xEDR or rate:4x, or capacity:GBPS",
      shown(match));
}

LinkTimes link_times(const Network& network, const Settings& settings) {
  check(settings);
  LinkTimes times;
  times.in_steps = settings.link_steps != 0;
  times.channel_latency.assign(network.channel_count(),
                               times.in_steps ? settings.link_steps : settings.link_latency);
  times.terminal_latency.assign(network.terminal_count(),
                                times.in_steps ? settings.terminal_steps : settings.terminal_latency);
  times.channel_period.assign(network.channel_count(), settings.speedup);
  times.terminal_period.assign(network.terminal_count(), settings.speedup);
  take_stated(network, settings, times);
  if (settings.speeds == Speeds::stated) take_speeds(network, settings, times);
  for (const LinkClass& link : settings.link_classes) {
    const Selector selector = *parse(link.match);
    if (const std::string what = lacking(network, selector); !what.empty())
      throw InputError(fmt::format("link '{}' selects nothing: {}", link.match, what));
    bool any = false;
    const auto take = [&](std::uint32_t& latency, std::uint32_t& period) {
      any = true;
      if (link.latency != 0) latency = link.latency;
      if (link.period != 0) period = link.period;
    };
    for (const ChannelId c : network.channels()) {
      if (selects(network, selector, c)) take(times.channel_latency[c.value], times.channel_period[c.value]);
    }
    for (const TerminalId t : network.terminals()) {
      if (selects(network, selector, t))
        take(times.terminal_latency[t.value], times.terminal_period[t.value]);
    }
    if (!any) throw InputError(fmt::format("link '{}' selects nothing in this network", link.match));
  }
  return times;
}

bool LinkTimes::a_flit_a_step() const {
  const auto fast = [](const std::vector<std::uint32_t>& periods) {
    return std::all_of(periods.begin(), periods.end(), [](std::uint32_t p) { return p <= 1; });
  };
  return fast(channel_period) && fast(terminal_period);
}

}  // namespace unknot::simulate
