// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/watch/packet_watch.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"
#include "unknot/traffic/terminal_words.hpp"

namespace unknot::simulate {

std::vector<Watched> parse_watch(const Network& network, std::string_view text, const std::string& file) {
  constexpr std::uint64_t kMostNumber = std::uint64_t{1} << 48U;
  std::vector<Watched> wanted;
  TerminalWords words(network);
  Lines lines(text, file);
  while (lines.next()) {
    Cursor cursor(lines.line().substr(0, lines.line().find('#')));
    cursor.skip_blanks();
    if (cursor.at_end()) continue;
    const auto terminal = [&](const char* what) {
      Cursor ahead = cursor;
      if (ahead.word() != "*") return words.read(lines, cursor, what).value;
      ahead.skip_blanks();
      cursor = ahead;
      return Watched::kAny;
    };
    Watched one;
    one.source = terminal("source");
    one.destination = terminal("destination");
    if (!cursor.at_end()) {
      const std::string_view number = cursor.rest();
      const auto read = cursor.decimal(kMostNumber);
      cursor.skip_blanks();
      if (!read || !cursor.at_end()) lines.fail("expected a packet's number, not " + place_shown(number));
      one.number = *read;
    }
    wanted.push_back(one);
  }
  if (wanted.empty())
    throw InputError(file + ": no packets to follow; expected lines 'source destination [number]'");
  return wanted;
}

std::vector<Watched> parse_watch_list(const Network& network, std::string_view list,
                                      const std::string& what) {
  std::string lines(list);
  if (lines.find_first_of("\n#") != std::string::npos)
    throw InputError(what + ": expected SOURCE:DESTINATION[:NUMBER], joined by commas");
  for (char& c : lines) c = c == ',' ? '\n' : c == ':' ? ' ' : c;
  return parse_watch(network, lines, what);
}

const char* name_of(WatchEvent::Kind kind) {
  switch (kind) {
    case WatchEvent::Kind::created:
      return "created";
    case WatchEvent::Kind::injected:
      return "injected";
    case WatchEvent::Kind::buffered:
      return "buffered";
    case WatchEvent::Kind::routed:
      return "routed";
    case WatchEvent::Kind::lane:
      return "lane";
    case WatchEvent::Kind::crossing:
      return "switch";
    case WatchEvent::Kind::sent:
      return "sent";
    case WatchEvent::Kind::arrived:
      break;
  }
  return "arrived";
}

PacketWatch::PacketWatch(std::vector<Watched> wanted, std::uint32_t terminals)
    : wanted_(std::move(wanted)), met_(wanted_.size(), false), first_(wanted_.size()), sent_(terminals, 0) {}

void PacketWatch::begin(std::uint32_t p, std::uint32_t source, std::uint32_t destination) {
  const std::uint64_t number = sent_[source]++;
  if (p >= followed_.size()) followed_.resize(std::size_t{p} + 1, 0);
  followed_[p] = 0;
  const auto fits = [](std::uint32_t wanted, std::uint32_t is) {
    return wanted == Watched::kAny || wanted == is;
  };
  bool wanted = false;
  for (std::size_t i = 0; i < wanted_.size(); ++i) {
    const Watched& one = wanted_[i];
    if (!fits(one.source, source) || !fits(one.destination, destination)) continue;
    if (!first_[i]) first_[i] = Watched{source, destination, number};
    if (one.number != Watched::kEvery && one.number != number) continue;
    wanted = met_[i] = true;
  }
  if (!wanted) return;
  packets_.push_back({number, source, destination});
  followed_[p] = static_cast<std::uint32_t>(packets_.size());
}

void PacketWatch::see(std::uint32_t p, WatchEvent event) {
  if (!follows(p)) return;
  const Packet& packet = packets_[followed_[p] - 1];
  event.number = packet.number;
  event.source = packet.source;
  event.destination = packet.destination;
  events_.push_back(event);
}

std::vector<WatchEvent> PacketWatch::events() const {
  std::vector<WatchEvent> sorted = events_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const WatchEvent& a, const WatchEvent& b) {
    return std::tie(a.step, a.source, a.number, a.flit, a.kind) <
           std::tie(b.step, b.source, b.number, b.flit, b.kind);
  });
  return sorted;
}

std::vector<Unmet> PacketWatch::unmet() const {
  std::vector<Unmet> all;
  for (std::size_t i = 0; i < wanted_.size(); ++i) {
    if (met_[i]) continue;
    const std::uint32_t source = wanted_[i].source;
    all.push_back({wanted_[i], source == Watched::kAny ? 0 : sent_[source], first_[i]});
  }
  return all;
}

}  // namespace unknot::simulate
