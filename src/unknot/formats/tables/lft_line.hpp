// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "unknot/formats/text/line_scanner.hpp"

namespace unknot {

/// A row of an LFT dump: "0x0001 005 # Channel Adapter portguid 0x...: 'h0'" as OpenSM writes it, "0x0001 005
/// : (Channel Adapter portguid 0x...: 'h0')" as ibroute does, or the bare "0x0001 005".
struct LftRow {
  std::uint64_t lid = 0;
  std::uint32_t port = 0;
  std::string_view rest;  ///< what follows the port
};

/// True when the line, from its first character that is no blank, is a header: "Unicast lids ... guid 0x...".
inline bool is_lft_header(const char* p, const char* end) {
  return take_text(p, end, "Unicast lids");
}

/// Reads a line that starts with 0x; false when it is no row.
inline bool parse_lft_row(const char* p, const char* end, LftRow& row) {
  if (!take_hex(p, end, row.lid) || p == end || !is_blank(*p)) return false;
  skip_blanks(p, end);
  if (!take_decimal(p, end, row.port) || (p != end && !is_blank(*p))) return false;
  row.rest = {p, static_cast<std::size_t>(end - p)};
  return true;
}

enum class PortGuid : std::uint8_t { absent, present, malformed };

/// The port GUID in the rest of a row. The first " portguid 0x" counts: a device's name may hold another.
inline PortGuid find_port_guid(std::string_view rest, std::uint64_t& guid) {
  constexpr std::string_view kMark = " portguid 0x";
  const std::size_t at = rest.find(kMark);
  if (at == std::string_view::npos) return PortGuid::absent;
  const char* p = rest.data() + at + kMark.size();
  const char* const end = rest.data() + rest.size();
  if (!take_hex_digits(p, end, guid) || (p != end && !is_blank(*p) && *p != ':' && *p != ')')) {
    return PortGuid::malformed;
  }
  return PortGuid::present;
}

}  // namespace unknot
