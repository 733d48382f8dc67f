// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/messages/message_classes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstddef>

#include "unknot/support/error.hpp"

namespace unknot {
namespace {

std::vector<std::string_view> pieces_of(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  for (;;) {
    const std::size_t end = text.find(separator);
    pieces.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return pieces;
    text.remove_prefix(end + 1);
  }
}

bool is_class_name(std::string_view name) {
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.';
  });
}

std::uint32_t class_named(std::string_view name, std::string_view option,
                          std::vector<MessageClass>& classes) {
  const auto found =
      std::find_if(classes.begin(), classes.end(), [&](const MessageClass& c) { return c.name == name; });
  if (found != classes.end()) return static_cast<std::uint32_t>(found - classes.begin());
  if (!is_class_name(name)) {
    throw InputError(
        fmt::format("{}: expected classes of messages like request>reply,reply>ack, of letters, digits, '_', "
                    "'-' and '.', "
                    "found '{}'",
                    option, name));
  }
  if (classes.size() == kMostMessageClasses)
    throw InputError(fmt::format("{}: at most {} classes of messages", option, kMostMessageClasses));
  classes.emplace_back().name = name;
  return static_cast<std::uint32_t>(classes.size() - 1);
}

}  // namespace

std::vector<bool> senders_to_others(const MessageClass& message_class, std::uint32_t terminals) {
  std::uint32_t receivers = 0;
  for (std::uint32_t t = 0; t < terminals; ++t) receivers += message_class.receives(TerminalId(t)) ? 1 : 0;
  std::vector<bool> senders(terminals);
  for (std::uint32_t t = 0; t < terminals; ++t) {
    const std::uint32_t itself = message_class.receives(TerminalId(t)) ? 1 : 0;
    senders[t] = message_class.sends(TerminalId(t)) && receivers > itself;
  }
  return senders;
}

std::uint32_t most_caused_together(const std::vector<MessageClass>& classes) {
  std::uint32_t most = 0;
  for (const MessageClass& c : classes) {
    std::array<std::uint32_t, kMostVirtualNetworks> caused{};
    for (const std::uint32_t k : c.causes) most = std::max(most, ++caused[classes[k].network]);
  }
  return most;
}

std::vector<MessageClass> parse_message_classes(std::string_view text, std::string_view option) {
  std::vector<MessageClass> classes;
  for (const std::string_view chain : pieces_of(text, ',')) {
    const std::vector<std::string_view> names = pieces_of(chain, '>');
    const std::size_t known = classes.size();
    std::uint32_t before = class_named(names[0], option, classes);
    if (names.size() == 1 && classes.size() == known)
      throw InputError(fmt::format("{}: {} is named twice", option, classes[before].name));
    for (std::size_t i = 1; i < names.size(); ++i) {
      const std::uint32_t next = class_named(names[i], option, classes);
      std::vector<std::uint32_t>& causes = classes[before].causes;
      const auto place = std::lower_bound(causes.begin(), causes.end(), next);
      if (place != causes.end() && *place == next) {
        throw InputError(
            fmt::format("{}: {}>{} is named twice", option, classes[before].name, classes[next].name));
      }
      causes.insert(place, next);
      before = next;
    }
  }
  return classes;
}

void assign_networks(std::string_view text, std::string_view option, std::vector<MessageClass>& classes) {
  std::vector<bool> named(classes.size(), false);
  for (const std::string_view piece : pieces_of(text, ',')) {
    const std::size_t equals = piece.find('=');
    const std::string_view name = piece.substr(0, equals);
    const auto found =
        std::find_if(classes.begin(), classes.end(), [&](const MessageClass& c) { return c.name == name; });
    if (equals == std::string_view::npos || found == classes.end()) {
      throw InputError(
          fmt::format("{}: expected CLASS=NETWORK with a class of --messages, found '{}'", option, piece));
    }
    const std::string_view number = piece.substr(equals + 1);
    std::uint32_t network = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), network);
    if (error != std::errc() || end != number.data() + number.size() || network >= kMostVirtualNetworks) {
      throw InputError(fmt::format("{}: {}: expected a virtual network from 0 to {}, found '{}'", option,
                                   name, kMostVirtualNetworks - 1, number));
    }
    const auto at = static_cast<std::size_t>(found - classes.begin());
    if (named[at]) throw InputError(fmt::format("{}: {} is named twice", option, name));
    named[at] = true;
    found->network = network;
  }
}

}  // namespace unknot
