// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "unknot/network/faults.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/number.hpp"
#include "unknot/support/random.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kMostNamesCompared = 20'000;  // for "did you mean"

std::optional<std::uint64_t> guid(std::string_view text) {
  return text.starts_with("0x") ? number_in<std::uint64_t>(text.substr(2), 16) : std::nullopt;
}

std::uint32_t checked(const char* key, const char* thing, std::uint64_t number, std::uint32_t count) {
  if (number < count) return static_cast<std::uint32_t>(number);
  throw InputError(
      fmt::format("--fail, {}: there is no {} {}, the network has {}", key, thing, number, count));
}

/// Calls use(item) for each part of "a+b+c".
template <class Use>
void for_each_item(const char* key, std::string_view text, const Use& use) {
  for (;;) {
    const std::size_t cut = text.find('+');
    const std::string_view item = text.substr(0, cut);
    if (item.empty()) throw InputError(fmt::format("--fail, {}: empty item (expected a+b+c)", key));
    use(item);
    if (cut == std::string_view::npos) return;
    text.remove_prefix(cut + 1);
  }
}

template <class Ids, class Name>
[[noreturn]] void unknown(const char* key, const char* thing, std::string_view item, const Ids& ids,
                          const Name& name) {
  std::string near;
  if (ids.size() <= kMostNamesCompared) {
    std::vector<std::string> names;
    for (const auto id : ids) names.push_back(name(id));
    near = near_names(item, names);
  }
  throw InputError(
      fmt::format("--fail, {}: no {} is called '{}'{}{}", key, thing, item, near.empty() ? "" : "; ", near));
}

/// Invalid where there is none of that name or GUID.
RouterId look_up_router(const Network& network, const char* key, std::string_view item) {
  if (const auto number = number_in<std::uint64_t>(item))
    return RouterId(checked(key, "router", *number, network.router_count()));
  const auto address = guid(item);
  RouterId found;
  for (const RouterId r : network.routers()) {
    if (address ? network.router_guid(r) != *address : network.router_name(r) != item) continue;
    if (found.valid()) {
      throw InputError(
          fmt::format("--fail, {}: routers {} and {} are both called '{}'; use the number or GUID", key,
                      found.value, r.value, item));
    }
    found = r;
  }
  return found;
}

RouterId find_router(const Network& network, const char* key, std::string_view item) {
  const RouterId found = look_up_router(network, key, item);
  if (!found.valid()) {
    unknown(key, "router", item, network.routers(), [&](RouterId r) { return network.router_name(r); });
  }
  return found;
}

/// "leaf-4" or "leaf-4:17": one end of a cable.
struct CableEnd {
  RouterId router;
  std::optional<std::uint16_t> port;
};

std::optional<CableEnd> look_up_end(const Network& network, const char* key, std::string_view text) {
  if (const RouterId r = look_up_router(network, key, text); r.valid()) return CableEnd{r, std::nullopt};
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto port = number_in<std::uint64_t>(text.substr(colon + 1));
  const RouterId r = look_up_router(network, key, text.substr(0, colon));
  if (!port || *port > 0xFFFF || !r.valid()) return std::nullopt;
  return CableEnd{r, static_cast<std::uint16_t>(*port)};
}

/// Channels from one end to the other of "a-b" or "a:port-b:port"; nothing where the item is not of that
/// form. Names may hold dashes themselves, so every dash is tried as the one between the two.
std::optional<std::vector<ChannelId>> between_routers(const Network& network, const char* key,
                                                      std::string_view item) {
  std::optional<std::pair<CableEnd, CableEnd>> ends;
  for (std::size_t dash = item.find('-'); dash != std::string_view::npos; dash = item.find('-', dash + 1)) {
    const std::string_view left = item.substr(0, dash);
    const std::string_view right = item.substr(dash + 1);
    if (left.empty() || right.empty()) continue;
    const auto from = look_up_end(network, key, left);
    const auto to = from ? look_up_end(network, key, right) : std::nullopt;
    if (!from || !to) continue;
    if (ends) {
      throw InputError(
          fmt::format("--fail, {}: '{}' can be read as two pairs of routers; use their numbers", key, item));
    }
    ends.emplace(*from, *to);
  }
  if (!ends) return std::nullopt;
  std::vector<ChannelId> found;
  const auto& [from, to] = *ends;
  for (const ChannelId c : network.out(from.router)) {
    if (network.target(c) == to.router && (!from.port || network.source_port(c) == *from.port) &&
        (!to.port || network.target_port(c) == *to.port)) {
      found.push_back(c);
    }
  }
  return found;
}

/// Channel that leaves by a port, or comes in by it one way.
ChannelId find_channel(const Network& network, const char* key, std::string_view item, bool outgoing_only) {
  const std::size_t colon = item.rfind(':');
  if (colon == std::string_view::npos) {
    const auto number = number_in<std::uint64_t>(item);
    if (!number) {
      throw InputError(fmt::format(
          "--fail, {}: expected the number of a channel, ROUTER:PORT or ROUTER-ROUTER, not '{}'", key, item));
    }
    return ChannelId(checked(key, "channel", *number, network.channel_count()));
  }
  const RouterId r = find_router(network, key, item.substr(0, colon));
  const auto port = number_in<std::uint64_t>(item.substr(colon + 1));
  if (!port || *port > 0xFFFF) {
    throw InputError(fmt::format("--fail, {}: '{}' is not a port number", key, item.substr(colon + 1)));
  }
  const ChannelId out = network.channel_at(r, static_cast<std::uint16_t>(*port));
  if (out.valid()) return out;
  if (!outgoing_only) {
    for (const ChannelId c : network.in(r)) {
      if (network.target_port(c) == *port) return c;
    }
  }
  throw InputError(fmt::format("--fail, {}: {} has no {} on port {}", key, network.router_name(r),
                               outgoing_only ? "outgoing channel" : "cable to a router", *port));
}

/// Channels of one item of `cables` or `channels`: by number, by a router's port, or by both ends.
std::vector<ChannelId> find_channels(const Network& network, const char* key, std::string_view item,
                                     bool outgoing_only) {
  if (number_in<std::uint64_t>(item)) return {find_channel(network, key, item, outgoing_only)};
  const std::size_t colon = item.rfind(':');
  if (colon != std::string_view::npos && look_up_router(network, key, item.substr(0, colon)).valid()) {
    return {find_channel(network, key, item, outgoing_only)};
  }
  if (auto found = between_routers(network, key, item)) {
    if (found->empty()) {
      throw InputError(fmt::format("--fail, {}: no cable joins the two routers of '{}' that way", key, item));
    }
    return *std::move(found);
  }
  return {find_channel(network, key, item, outgoing_only)};  // which says what is wrong
}

/// One terminal, or the ports of one adapter.
std::vector<TerminalId> find_terminals(const Network& network, std::string_view item) {
  const char* key = "terminals";
  if (const auto number = number_in<std::uint64_t>(item)) {
    return {TerminalId(checked(key, "terminal", *number, network.terminal_count()))};
  }
  const auto address = guid(item);
  std::vector<TerminalId> found;
  for (const TerminalId t : network.terminals()) {
    if (address && network.terminal_port_guid(t) == *address) return {t};
    if (address ? network.terminal_node_guid(t) != *address : network.terminal_name(t) != item) continue;
    if (!found.empty() && network.terminal_node_guid(found[0]) != network.terminal_node_guid(t)) {
      throw InputError(
          fmt::format("--fail, {}: adapters 0x{:016x} and 0x{:016x} are both called '{}'; use the GUID", key,
                      network.terminal_node_guid(found[0]), network.terminal_node_guid(t), item));
    }
    found.push_back(t);
  }
  if (found.empty()) {
    unknown(key, "terminal", item, network.terminals(),
            [&](TerminalId t) { return network.terminal_name(t); });
  }
  return found;
}

/// How many of `available` parts to fail at random.
std::uint64_t random_count(const Parameters& given, const std::string& kind, std::size_t available) {
  const std::string count = kind + "-count";
  const std::string rate = kind + "-rate";
  if (given.has(count) && given.has(rate)) {
    throw InputError(fmt::format("--fail: give {} or {}, not both", count, rate));
  }
  if (given.has(rate)) {
    return static_cast<std::uint64_t>(std::llround(given.real(rate) * static_cast<double>(available)));
  }
  if (!given.has(count)) return 0;
  if (given.number(count) > available) {
    throw InputError(fmt::format("--fail, {}: only {} are left to choose from, not {}", count, available,
                                 given.number(count)));
  }
  return given.number(count);
}

/// Appends `count` random ones of `pool`. All of it is put in random order, so a smaller count takes a part
/// of what a larger one takes.
template <class Id>
void draw(std::vector<Id> pool, std::uint64_t count, Random random, std::vector<Id>& chosen) {
  if (count == 0) return;
  random.shuffle(pool);
  chosen.insert(chosen.end(), pool.begin(), pool.begin() + static_cast<std::ptrdiff_t>(count));
}

template <class Id>
void tidy(std::vector<Id>& ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

/// Those of `all` that are not in the sorted `named`.
template <class Id>
std::vector<Id> others(const IdRange<Id>& all, const std::vector<Id>& named) {
  std::vector<Id> rest;
  std::set_difference(all.begin(), all.end(), named.begin(), named.end(), std::back_inserter(rest));
  return rest;
}

/// One channel of each cable of which no direction is named.
std::vector<ChannelId> whole_cables(const Network& network, const std::vector<ChannelId>& named) {
  std::vector<ChannelId> rest = others(network.channels(), named);
  std::erase_if(rest, [&](ChannelId c) {
    const ChannelId back = network.reverse(c);
    return back.valid() && (back < c || std::binary_search(named.begin(), named.end(), back));
  });
  return rest;
}

void add_reverses(const Network& network, std::vector<ChannelId>& channels) {
  const std::size_t count = channels.size();
  for (std::size_t i = 0; i < count; ++i) {
    const ChannelId back = network.reverse(channels[i]);
    if (back.valid()) channels.push_back(back);
  }
}

}  // namespace

const std::vector<Parameter>& fault_parameters() {
  using Kind = ParameterKind;
  static const std::vector<Parameter> row{
      {.name = "routers", .kind = Kind::text, .help = "by number, name or GUID, joined by +", .fallback = ""},
      {.name = "cables",
       .kind = Kind::text,
       .help = "by channel number, ROUTER:PORT, ROUTER:PORT-ROUTER:PORT or ROUTER-ROUTER, joined by +",
       .fallback = ""},
      {.name = "channels", .kind = Kind::text, .help = "as cables, but one direction only", .fallback = ""},
      {.name = "terminals",
       .kind = Kind::text,
       .help = "by number, name or GUID, joined by +",
       .fallback = ""},
      {.name = "router-count", .help = "routers more, at random", .fallback = ""},
      {.name = "cable-count", .help = "cables more, at random", .fallback = ""},
      {.name = "terminal-count", .help = "terminals more, at random", .fallback = ""},
      {.name = "router-rate",
       .kind = Kind::real,
       .help = "share of routers, at random",
       .fallback = "",
       .max = 1},
      {.name = "cable-rate",
       .kind = Kind::real,
       .help = "share of cables, at random",
       .fallback = "",
       .max = 1},
      {.name = "terminal-rate",
       .kind = Kind::real,
       .help = "share of terminals, at random",
       .fallback = "",
       .max = 1},
      {.name = "seed", .help = "of the random choice", .fallback = "1"},
  };
  return row;
}

Faults parse_faults(const Network& network, std::string_view text) {
  if (text.empty()) throw InputError("--fail: nothing is named to fail (expected, for example, cables=3+7)");
  const Parameters given = parse_parameters("--fail", fault_parameters(), text);
  Faults faults;
  if (given.has("routers")) {
    for_each_item("routers", given.text("routers"), [&](std::string_view item) {
      faults.routers.push_back(find_router(network, "routers", item));
    });
  }
  if (given.has("cables")) {
    for_each_item("cables", given.text("cables"), [&](std::string_view item) {
      const std::vector<ChannelId> found = find_channels(network, "cables", item, false);
      faults.channels.insert(faults.channels.end(), found.begin(), found.end());
    });
    add_reverses(network, faults.channels);
  }
  if (given.has("channels")) {
    for_each_item("channels", given.text("channels"), [&](std::string_view item) {
      const std::vector<ChannelId> found = find_channels(network, "channels", item, true);
      faults.channels.insert(faults.channels.end(), found.begin(), found.end());
    });
  }
  if (given.has("terminals")) {
    for_each_item("terminals", given.text("terminals"), [&](std::string_view item) {
      const std::vector<TerminalId> found = find_terminals(network, item);
      faults.terminals.insert(faults.terminals.end(), found.begin(), found.end());
    });
  }
  tidy(faults.routers);
  tidy(faults.channels);
  tidy(faults.terminals);

  enum Stream : std::uint64_t { kRouters = 1, kCables = 2, kTerminals = 3 };
  const std::uint64_t seed = given.number("seed");
  const std::vector<RouterId> routers = others(network.routers(), faults.routers);
  draw(routers, random_count(given, "router", routers.size()), Random(seed, kRouters), faults.routers);
  const std::vector<ChannelId> cables = whole_cables(network, faults.channels);
  std::vector<ChannelId> chosen;
  draw(cables, random_count(given, "cable", cables.size()), Random(seed, kCables), chosen);
  add_reverses(network, chosen);
  faults.channels.insert(faults.channels.end(), chosen.begin(), chosen.end());
  const std::vector<TerminalId> terminals = others(network.terminals(), faults.terminals);
  draw(terminals, random_count(given, "terminal", terminals.size()), Random(seed, kTerminals),
       faults.terminals);
  tidy(faults.routers);
  tidy(faults.channels);
  tidy(faults.terminals);
  return faults;
}

}  // namespace unknot
