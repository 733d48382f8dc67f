// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "unknot/formats/multicast/group_rows.hpp"
#include "unknot/formats/multicast/multicast_file.hpp"

namespace unknot {
namespace {

constexpr std::string_view kHeader = "Multicast mlids ";

}  // namespace

bool recognises_mft_dump(std::string_view head) {
  LineScanner scanner(head, "");
  while (scanner.advance()) {
    if (scanner.line().starts_with(kHeader)) return true;
  }
  return false;
}

MulticastTables read_mft_dump(const Network& network, std::string_view text, const std::string& name) {
  constexpr std::string_view kGuid = " guid 0x";
  constexpr std::string_view kPorts = "Ports: ";
  GroupRows rows(network);
  std::size_t first_column = 0;  // of port 0; 0: no line of ports yet
  LineScanner scanner(text, name);
  while (scanner.advance()) {
    const std::string_view line = scanner.line();
    const char* p = scanner.begin();
    const char* const end = scanner.end();
    std::uint64_t number = 0;
    if (take_text(p, end, kHeader)) {
      const std::size_t at = line.find(kGuid);
      if (at == std::string_view::npos) scanner.fail("expected 'Multicast mlids ... guid 0x<guid> ...'");
      p = line.data() + at + kGuid.size();
      if (!take_hex_digits(p, end, number)) scanner.fail("expected a GUID after 'guid 0x'");
      rows.begin(number, scanner);
      first_column = 0;
      continue;
    }
    if (!take_hex(p, end, number)) {
      // Numbers of ports, their last digits below; heads, and how many rows there were.
      if (const std::size_t at = line.find(kPorts); at != std::string_view::npos)
        first_column = at + kPorts.size();
      continue;
    }
    if (!rows.begun()) scanner.fail("a row comes before the first 'Multicast mlids' line");
    if (first_column == 0) scanner.fail("a row comes before the line 'Ports: 0 1 2 ...' of its switch");
    rows.row(number, scanner);
    for (; p != end; ++p) {
      if (is_blank(*p)) continue;
      const auto column = static_cast<std::size_t>(p - line.data());
      if (*p != 'x' || column < first_column || (column - first_column) % 2 != 0)
        scanner.fail("expected an x below each port of the group");
      rows.port((column - first_column) / 2, scanner);
    }
  }
  if (!rows.begun()) throw InputError(fmt::format("{}: no 'Multicast mlids' line", name));
  return rows.take();
}

}  // namespace unknot
