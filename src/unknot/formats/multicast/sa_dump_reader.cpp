// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/multicast/group_list.hpp"

namespace unknot {
namespace {

constexpr std::string_view kGroup = "MC Group 0x";
constexpr std::string_view kMember = "mcm_port: ";

/// The number behind a word of the line, " mlid=0xc000".
bool find_hex(std::string_view line, std::string_view word, std::uint64_t& value) {
  const std::size_t at = line.find(word);
  if (at == std::string_view::npos) return false;
  const char* p = line.data() + at + word.size();
  return take_hex(p, line.data() + line.size(), value);
}

}  // namespace

bool recognises_sa_dump(std::string_view head) {
  LineScanner scanner(head, "");
  while (scanner.advance()) {
    if (scanner.line().starts_with(kGroup)) return true;
  }
  return false;
}

void read_sa_dump(LineScanner& scanner, GroupList& groups) {
  constexpr std::uint64_t kReceives = 3;  // full members and non-members; 4 sends only
  while (scanner.advance()) {
    const std::string_view line = scanner.line();
    if (line.starts_with(kGroup)) {
      std::uint64_t lid = 0;
      std::uint64_t level_flow_hop = 0;
      if (!find_hex(line, " mlid=", lid) || !find_hex(line, " sl_flow_hop=", level_flow_hop))
        scanner.fail("expected 'MC Group ... mlid=0x... sl_flow_hop=0x...'");
      groups.begin(lid, static_cast<std::uint32_t>(level_flow_hop >> 28 & 0xFU), true, scanner);
    } else if (line.starts_with(kMember)) {
      std::uint64_t prefix = 0;
      std::uint64_t state = 0;
      std::uint64_t guid = 0;
      const std::size_t colon = line.find(':', kMember.size());
      if (!find_hex(line, " port_gid=", prefix) || colon == std::string_view::npos ||
          !find_hex(line.substr(colon), ":", guid) || !find_hex(line, " scope_state=", state))
        scanner.fail("expected 'mcm_port: port_gid=0x...:0x... scope_state=0x...'");
      if (!groups.begun()) scanner.fail("a member comes before the first 'MC Group' line");
      if ((state & kReceives) != 0) groups.add_guid(guid, scanner);
    }
  }
}

}  // namespace unknot
