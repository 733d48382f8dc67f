// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/sources/packet_list.hpp"

#include <algorithm>
#include <numeric>

#include "unknot/support/text/scanner.hpp"
#include "unknot/traffic/terminal_words.hpp"

namespace unknot::simulate {

std::vector<ListedPacket> parse_packets(const Network& network, std::string_view text,
                                        const std::string& file) {
  constexpr std::uint64_t kMostCycle = std::uint64_t{1} << 48U;
  constexpr std::uint64_t kLongestPacket = 255;
  std::vector<ListedPacket> packets;
  TerminalWords words(network);
  Lines lines(text, file);
  while (lines.next()) {
    Cursor cursor(lines.line().substr(0, lines.line().find('#')));
    cursor.skip_blanks();
    if (cursor.at_end()) continue;
    ListedPacket packet;
    const auto cycle = cursor.decimal(kMostCycle);
    if (!cycle) lines.fail("expected 'cycle source destination [flits]', not " + place_shown(cursor.rest()));
    packet.created = *cycle;
    cursor.skip_blanks();
    packet.source = words.read(lines, cursor, "source").value;
    packet.destination = words.read(lines, cursor, "destination").value;
    if (!cursor.at_end()) {
      const std::string_view number = cursor.rest();
      const auto flits = cursor.decimal(kLongestPacket);
      if (!flits || *flits == 0) lines.fail("expected 1 to 255 flits, not " + place_shown(number));
      packet.flits = static_cast<std::uint32_t>(*flits);
      cursor.skip_blanks();
    }
    if (!cursor.at_end()) lines.fail("expected the end of the line, not " + place_shown(cursor.rest()));
    packets.push_back(packet);
  }
  if (packets.empty())
    throw InputError(file + ": no packets; expected lines 'cycle source destination [flits]'");
  return packets;
}

PacketListSource::PacketListSource(std::vector<ListedPacket> packets, std::uint32_t terminals,
                                   std::uint32_t packet_flits)
    : packets_(std::move(packets)), packet_flits_(packet_flits) {
  std::stable_sort(packets_.begin(), packets_.end(), [](const ListedPacket& a, const ListedPacket& b) {
    return a.source != b.source ? a.source < b.source : a.created < b.created;
  });
  end_.assign(terminals, 0);
  for (const ListedPacket& packet : packets_) {
    ++end_[packet.source];
    longest_ = std::max(longest_, packet.flits != 0 ? packet.flits : packet_flits_);
  }
  std::partial_sum(end_.begin(), end_.end(), end_.begin());
  next_.assign(terminals, 0);
  std::copy(end_.begin(), end_.end() - 1, next_.begin() + 1);
}

bool PacketListSource::next(std::uint32_t terminal, std::uint64_t /*cycle*/, NewPacket& packet) {
  if (next_[terminal] == end_[terminal]) return false;
  const ListedPacket& listed = packets_[next_[terminal]++];
  packet.created = listed.created;
  packet.destination = listed.destination;
  packet.flits = listed.flits != 0 ? listed.flits : packet_flits_;
  return true;
}

}  // namespace unknot::simulate
