// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "unknot/formats/multicast/group_rows.hpp"
#include "unknot/formats/multicast/multicast_file.hpp"

namespace unknot {
namespace {

constexpr std::string_view kSwitch = "Switch 0x";

/// "# 0xC000 sl=3"; false for other comments.
bool parse_level(const char* p, const char* end, std::uint64_t& lid, std::uint32_t& level) {
  if (!take_text(p, end, "# ") || !take_hex(p, end, lid) || !take_text(p, end, " sl=")) return false;
  return take_decimal(p, end, level) && p == end;
}

}  // namespace

bool recognises_mcfdbs(std::string_view head) {
  LineScanner scanner(head, "");
  while (scanner.advance()) {
    if (scanner.line().starts_with(kSwitch)) return true;
  }
  return false;
}

MulticastTables read_mcfdbs(const Network& network, std::string_view text, const std::string& name) {
  GroupRows rows(network);
  LineScanner scanner(text, name);
  while (scanner.advance()) {
    const char* p = scanner.begin();
    const char* const end = scanner.end();
    skip_blanks(p, end);
    std::uint64_t number = 0;
    std::uint32_t level = 0;
    if (parse_level(p, end, number, level)) rows.level(number, level, scanner);
    if (p == end || *p == '#' || take_text(p, end, "LID ")) continue;
    if (take_text(p, end, kSwitch)) {
      // ibdiagnet has more behind it.
      if (!take_hex_digits(p, end, number) || (p != end && !is_blank(*p)))
        scanner.fail("expected 'Switch 0x<guid>'");
      rows.begin(number, scanner);
      continue;
    }
    if (!take_hex(p, end, number)) scanner.fail("expected a row '0x<group> : 0x<port> 0x<port> ...'");
    skip_blanks(p, end);
    if (!take_text(p, end, ":")) scanner.fail("expected ':' and ports after the group's LID");
    if (!rows.begun()) scanner.fail("a row comes before the first 'Switch' line");
    rows.row(number, scanner);
    for (;;) {
      skip_blanks(p, end);
      if (p == end) break;
      if (!take_hex(p, end, number) || (p != end && !is_blank(*p)))
        scanner.fail("expected ports in hexadecimal, '0x001 0x00b'");
      rows.port(number, scanner);
    }
  }
  if (!rows.begun()) throw InputError(fmt::format("{}: no 'Switch 0x<guid>' line", name));
  return rows.take();
}

}  // namespace unknot
