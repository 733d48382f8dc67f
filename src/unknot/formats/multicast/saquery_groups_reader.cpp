// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/multicast/group_list.hpp"

namespace unknot {
namespace {

constexpr std::string_view kGroup = "MCMemberRecord group dump:";

/// The number behind "Mlid....................".
bool take_field(std::string_view line, std::string_view word, std::uint64_t& value) {
  const char* p = line.data();
  const char* const end = p + line.size();
  skip_blanks(p, end);
  if (!take_text(p, end, word) || p == end || *p != '.') return false;
  while (p != end && *p == '.') ++p;
  return take_hex(p, end, value);
}

}  // namespace

bool recognises_saquery_groups(std::string_view head) {
  LineScanner scanner(head, "");
  while (scanner.advance()) {
    if (scanner.line().starts_with(kGroup)) return true;
  }
  return false;
}

void read_saquery_groups(LineScanner& scanner, GroupList& groups) {
  std::uint64_t lid = 0;  // of the record at hand; 0: not told yet
  while (scanner.advance()) {
    const std::string_view line = scanner.line();
    std::uint64_t level = 0;
    if (line.starts_with(kGroup)) {
      if (lid != 0) scanner.fail("a record comes before the service level ('SL...') of the one above");
    } else if (take_field(line, "SL", level)) {
      if (lid == 0) scanner.fail("a service level comes before the LID ('Mlid...') of its group");
      groups.begin(lid, static_cast<std::uint32_t>(level & 0xFFFFU), true, scanner);
      lid = 0;
    } else {
      (void)take_field(line, "Mlid", lid);
    }
  }
}

}  // namespace unknot
