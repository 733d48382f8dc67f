// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/text/node_list.hpp"

#include <fmt/format.h>

#include <optional>

#include "unknot/formats/text/guid_index.hpp"
#include "unknot/network/allocation.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/number.hpp"
#include "unknot/support/text/scanner.hpp"
#include "unknot/tables/lane_map.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kMostWeight = 255;  // OpenSM keeps a byte

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\f' || c == '\v'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

/// Takes the word before the first blank off the front.
std::string_view take_word(std::string_view& rest) {
  const std::size_t cut = rest.find_first_of(" \t\f\v");
  const std::string_view word = rest.substr(0, cut);
  rest = cut == std::string_view::npos ? std::string_view() : trimmed(rest.substr(cut));
  return word;
}

std::optional<std::uint64_t> guid_in(std::string_view word) {
  if (!word.starts_with("0x") && !word.starts_with("0X")) return std::nullopt;
  return number_in<std::uint64_t>(word.substr(2), 16);
}

/// Calls take(text) for each line that has any, without its comment.
template <class Take>
void for_each_entry(Lines& lines, const Take& take) {
  while (lines.next()) {
    const std::string_view text = trimmed(lines.line().substr(0, lines.line().find('#')));
    if (!text.empty()) take(text);
  }
}

class ListReader {
 public:
  ListReader(const Network& network, std::string_view text, const std::string& name)
      : network_(network),
        guids_(network),
        lines_(text, name),
        router_taken_(network.router_count(), false),
        terminal_taken_(network.terminal_count(), false) {}

  NodeList run(bool none_will_do) {
    for_each_entry(lines_, [&](std::string_view text) { entry(text); });
    if (list_.routers.empty() && list_.absent.empty()) throw InputError(lines_.file() + ": names no node");
    if (list_.routers.empty() && !none_will_do) {
      throw InputError(fmt::format(
          "{}: none of its {} GUIDs is of the fabric, the first is 0x{:016x} in line {}", lines_.file(),
          list_.absent.size(), list_.absent.front().guid, list_.absent.front().line));
    }
    return std::move(list_);
  }

 private:
  void entry(std::string_view text) {
    std::string_view rest = text;
    const std::string_view word = take_word(rest);
    if (word.starts_with("0x") || word.starts_with("0X")) {
      const auto guid = guid_in(word);
      if (!guid)
        lines_.fail(fmt::format("'{}' is no GUID: expected 0x and 1 to 16 hexadecimal digits", shown(word)));
      if (guid_in(rest.substr(0, rest.find_first_of(" \t,"))))
        lines_.fail("a second GUID: expected one in a line");
      return by_guid(*guid);
    }
    if (!names_) names_.emplace(network_);
    try {
      const Allocation nodes = names_->parse(text);
      for (const RouterId r : nodes.routers) take(r);
      for (const TerminalId t : nodes.terminals) take(t);
    } catch (const InputError& error) {
      lines_.fail(fmt::format("{}; expected a GUID as 0x..., or names or numbers of nodes", error.what()));
    }
  }

  void by_guid(std::uint64_t guid) {
    if (const RouterId r = guids_.router(guid); r.valid()) return take(r);
    const Device device = guids_.port(guid);
    if (device.is_terminal()) return take(TerminalId(device.index()));
    const auto adapter = guids_.node(guid);
    for (const auto& [node, t] : adapter) take(t);
    // A switch's aggregation node carries nothing, and is no host.
    if (adapter.empty() && !device.known()) list_.absent.push_back({guid, lines_.number()});
  }

  void take(RouterId r) {
    if (!router_taken_[r.value]) list_.routers.push_back(r);
    router_taken_[r.value] = true;
  }
  void take(TerminalId t) {
    take(network_.router_of(t));
    if (!terminal_taken_[t.value]) list_.terminals.push_back(t);
    terminal_taken_[t.value] = true;
  }

  const Network& network_;
  GuidIndex guids_;
  Lines lines_;
  std::optional<NodeNames> names_;  // made when a line needs them
  std::vector<bool> router_taken_, terminal_taken_;
  NodeList list_;
};

}  // namespace

NodeList parse_node_list(const Network& network, std::string_view text, const std::string& name) {
  return ListReader(network, text, name).run(false);
}

NodeList read_node_list(const Network& network, const std::string& path, bool none_will_do) {
  return ListReader(network, read_file(path), path).run(none_will_do);
}

namespace {

/// What the third word of a line is.
struct PortWord {
  const char* one;
  const char* many;
  std::string values;
  bool (*fits)(std::uint32_t value);
};

PortValues parse_ports(const Network& network, std::string_view text, const std::string& name,
                       const PortWord& word, bool none_will_do = false) {
  const GuidIndex guids(network);
  PortValues result;
  Lines lines(text, name);
  for_each_entry(lines, [&](std::string_view rest) {
    const auto guid = guid_in(take_word(rest));
    const auto port = number_in<std::uint16_t>(take_word(rest));
    const auto weight = number_in<std::uint32_t>(take_word(rest));
    if (!guid || !port || *port == 0 || !weight || !word.fits(*weight) || !rest.empty())
      lines.fail(fmt::format("expected '0x<switch guid> <port, from 1> <{}, {}>'", word.one, word.values));
    const RouterId r = guids.router(*guid);
    if (!r.valid()) {
      if (guids.port(*guid).known() || !guids.node(*guid).empty())
        lines.fail(fmt::format("0x{:016x} is no switch: {} are of switches' ports", *guid, word.many));
      result.absent.push_back({*guid, lines.number()});
      return;
    }
    if (*port > network.port_count(r)) {
      lines.fail(fmt::format("{} has no port {}, its last is {}", shown(network.router_name(r)), *port,
                             network.port_count(r)));
    }
    result.weights.push_back({*guid, *port, *weight});
  });
  if (result.weights.empty() && (!none_will_do || result.absent.empty()))
    throw InputError(fmt::format("{}: has no {} for a switch of the fabric", name, word.one));
  return result;
}

}  // namespace

namespace {

PortValues weights_in(const Network& network, std::string_view text, const std::string& name,
                      bool none_will_do) {
  return parse_ports(network, text, name,
                     {"weight", "weights", fmt::format("1 to {}", kMostWeight),
                      [](std::uint32_t value) { return value > 0 && value <= kMostWeight; }},
                     none_will_do);
}

}  // namespace

PortValues parse_port_weights(const Network& network, std::string_view text, const std::string& name) {
  return weights_in(network, text, name, false);
}

PortValues parse_port_lanes(const Network& network, std::string_view text, const std::string& name) {
  return parse_ports(network, text, name,
                     {"number of lanes", "lanes", "1, 2, 4, 8 or 15", [](std::uint32_t value) {
                        return value == 1 || value == 2 || value == 4 || value == 8 ||
                               value == LaneMap::kDrop;
                      }});
}

PortValues read_port_lanes(const Network& network, const std::string& path) {
  return parse_port_lanes(network, read_file(path), path);
}

PortValues read_port_weights(const Network& network, const std::string& path, bool none_will_do) {
  return weights_in(network, read_file(path), path, none_will_do);
}

}  // namespace unknot
