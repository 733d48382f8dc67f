// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/live/part_names.hpp"

#include <fmt/format.h>

#include <iterator>
#include <limits>
#include <vector>

#include "unknot/formats/text/line_scanner.hpp"

namespace unknot {
namespace {

/// "0x<guid>", or with ":<port>".
struct Place {
  std::uint64_t guid = 0;
  std::uint32_t port = 0;
  bool has_port = false;
};

bool take_place(const char*& p, const char* end, Place& place) {
  if (!take_hex(p, end, place.guid)) return false;
  place.has_port = p != end && *p == ':';
  if (!place.has_port) return true;
  ++p;
  return take_decimal(p, end, place.port);
}

/// End of what counts in a line.
const char* without_remark(const LineScanner& lines) {
  const std::string_view line = lines.line();
  std::size_t end = line.find('#');
  if (end == std::string_view::npos) end = line.size();
  while (end > 0 && is_blank(line[end - 1])) --end;
  return lines.begin() + end;
}

/// Looks up the places of a text; the last switch is remembered, since lists go switch by switch.
class PlaceFinder {
 public:
  PlaceFinder(const PartNames& names, const LineScanner& lines) : names_(names), lines_(lines) {}
  RouterId router(const Place& place) {
    if (!router_.valid() || guid_ != place.guid) {
      guid_ = place.guid;
      router_ = names_.router(place.guid);
    }
    if (!router_.valid()) lines_.fail(fmt::format("there is no switch 0x{:016x} in the fabric", place.guid));
    return router_;
  }
  ChannelId channel(const Network& network, const Place& place) {
    const RouterId r = router(place);
    const bool fits = place.port <= std::numeric_limits<std::uint16_t>::max();
    const ChannelId c = fits ? network.channel_at(r, static_cast<std::uint16_t>(place.port)) : ChannelId();
    if (!c.valid()) {
      lines_.fail(
          fmt::format("switch 0x{:016x} has no cable to another switch at port {}", place.guid, place.port));
    }
    return c;
  }

 private:
  const PartNames& names_;
  const LineScanner& lines_;
  std::uint64_t guid_ = 0;
  RouterId router_;
};

}  // namespace

ChannelId PartNames::channel(std::uint64_t guid, std::uint32_t port) const {
  const RouterId r = router(guid);
  if (!r.valid() || port > std::numeric_limits<std::uint16_t>::max()) return {};
  return network_->channel_at(r, static_cast<std::uint16_t>(port));
}

void PartNames::add_cable(ChannelId channel, bool back, LiveChange& change) const {
  std::vector<ChannelId>& list = back ? change.back_channels : change.dead_channels;
  list.push_back(channel);
  if (const ChannelId other = network_->reverse(channel); other.valid()) list.push_back(other);
}

LiveChange PartNames::events(std::string_view text, const std::string& file) const {
  LiveChange change;
  LineScanner lines(text, file);
  PlaceFinder finder(*this, lines);
  while (lines.advance()) {
    const char* p = lines.begin();
    const char* const end = without_remark(lines);
    skip_blanks(p, end);
    if (p == end) continue;
    const bool back = take_text(p, end, "back");
    if (!back && !take_text(p, end, "dead")) lines.fail("expected \"dead\" or \"back\", and what is so");
    const char* const word_end = p;
    skip_blanks(p, end);
    Place place;
    if (p == word_end || !take_place(p, end, place) || p != end)
      lines.fail("expected the GUID of a switch, 0x..., or GUID:port of a cable");
    if (place.has_port) {
      add_cable(finder.channel(*network_, place), back, change);
    } else {
      (back ? change.back_routers : change.dead_routers).push_back(finder.router(place));
    }
  }
  return change;
}

LiveChange PartNames::cable_list(const LiveNetwork& live, std::string_view text,
                                 const std::string& file) const {
  std::vector<std::uint8_t> there(network_->channel_count(), 0);
  std::vector<std::uint8_t> router_there(network_->router_count(), 0);
  LineScanner lines(text, file);
  PlaceFinder near(*this, lines);
  PlaceFinder far(*this, lines);
  while (lines.advance()) {
    const char* p = lines.begin();
    const char* const end = without_remark(lines);
    skip_blanks(p, end);
    if (p == end) continue;
    Place from;
    Place to;
    if (!take_place(p, end, from)) lines.fail("expected GUID:port GUID:port of a cable, or a switch's GUID");
    const RouterId router = near.router(from);
    router_there[router.value] = 1;
    skip_blanks(p, end);
    if (!from.has_port && p == end) continue;
    if (!from.has_port || !take_place(p, end, to) || !to.has_port || p != end)
      lines.fail("expected GUID:port GUID:port of a cable, or a switch's GUID");
    const ChannelId c = near.channel(*network_, from);
    const RouterId other = far.router(to);
    if (network_->target(c) != other || network_->target_port(c) != to.port) {
      lines.fail(fmt::format("the cable at port {} of switch 0x{:016x} leads elsewhere in the fabric",
                             from.port, from.guid));
    }
    router_there[other.value] = 1;
    there[c.value] = 1;
    if (const ChannelId back = network_->reverse(c); back.valid()) there[back.value] = 1;
  }
  LiveChange change;
  for (const RouterId r : network_->routers()) {
    const bool lives = router_there[r.value] != 0;
    if (lives != live.alive(r)) (lives ? change.back_routers : change.dead_routers).push_back(r);
  }
  for (const ChannelId c : network_->channels()) {
    const bool lives = there[c.value] != 0;
    // What hangs on a router that is gone says nothing of its own.
    if (router_there[network_->source(c).value] == 0 || router_there[network_->target(c).value] == 0)
      continue;
    const bool returns = lives && !live.alive(c);
    if (returns || (!lives && live.alive(c)) ||
        (!lives && !(live.alive(network_->source(c)) && live.alive(network_->target(c)))))
      (lives ? change.back_channels : change.dead_channels).push_back(c);
  }
  return change;
}

std::string PartNames::cable_list_of(const LiveNetwork& live) {
  const Network& network = live.network();
  fmt::memory_buffer text;
  for (const RouterId r : network.routers()) {
    if (!live.alive(r)) continue;
    fmt::format_to(std::back_inserter(text), "0x{:016x}\n", network.router_guid(r));
    for (const ChannelId c : live.out(r)) {
      const ChannelId back = network.reverse(c);
      if (back.valid() && live.alive(back) && back.value < c.value) continue;  // told from the other end
      fmt::format_to(std::back_inserter(text), "0x{:016x}:{} 0x{:016x}:{}\n", network.router_guid(r),
                     network.source_port(c), network.router_guid(network.target(c)), network.target_port(c));
    }
  }
  return fmt::to_string(text);
}

}  // namespace unknot
