// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <optional>
#include <vector>

#include "unknot/formats/multicast/group_list.hpp"
#include "unknot/network/allocation.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

void add_members(std::string_view list, const LineScanner& scanner, GroupList& groups) {
  if (list.empty()) scanner.fail("expected the members of the group: nodes, port GUIDs or 'all'");
  if (list == "all") {
    std::vector<TerminalId> all;
    for (const TerminalId t : groups.network().terminals()) {
      if (groups.network().terminal_port(t) != 0) all.push_back(t);
    }
    groups.add(all);
    return;
  }
  if (!list.starts_with("0x")) {
    std::vector<TerminalId> nodes;
    try {
      nodes = parse_nodes(groups.network(), list).terminals;
    } catch (const InputError& misfit) {
      scanner.fail(misfit.what());
    }
    // A switch's name stands for its hosts.
    std::erase_if(nodes, [&](TerminalId t) { return groups.network().terminal_port(t) == 0; });
    groups.add(nodes);
    return;
  }
  const char* p = list.data();
  const char* const end = p + list.size();
  while (p != end) {
    std::uint64_t guid = 0;
    if (!take_hex(p, end, guid)) scanner.fail("expected port GUIDs, '0x...,0x...'");
    groups.add_guid(guid, scanner);
    skip_blanks(p, end);
    if (p != end && *p == ',') ++p;
    skip_blanks(p, end);
  }
}

}  // namespace

void read_group_lines(LineScanner& scanner, GroupList& groups) {
  while (scanner.advance()) {
    const char* p = scanner.begin();
    const char* end = scanner.end();
    skip_blanks(p, end);
    if (p == end || *p == '#') continue;
    std::uint64_t lid = 0;
    if (!take_hex(p, end, lid) || p == end || !is_blank(*p))
      scanner.fail("expected a group, '0xC001 [sl=N] MEMBERS'");
    skip_blanks(p, end);
    std::optional<std::uint32_t> level;
    if (take_text(p, end, "sl=")) {
      if (!take_decimal(p, end, level.emplace()) || (p != end && !is_blank(*p)))
        scanner.fail("expected a service level from 0 to 15 after 'sl='");
      skip_blanks(p, end);
    }
    while (end != p && is_blank(end[-1])) --end;
    groups.begin(lid, level, false, scanner);
    add_members({p, static_cast<std::size_t>(end - p)}, scanner, groups);
  }
}

}  // namespace unknot
