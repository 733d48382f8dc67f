// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "unknot/formats/multicast/multicast_file.hpp"
#include "unknot/formats/text/guid_index.hpp"
#include "unknot/formats/text/line_scanner.hpp"

namespace unknot {

/// Gathers groups as files give them. What does not fit is refused with the scanner's line.
class GroupList {
 public:
  explicit GroupList(const Network& network) : network_(network), guids_(network) {}

  [[nodiscard]] const Network& network() const { return network_; }
  /// The group at hand is the one with that LID; nothing is known of its level where `level` is nothing.
  /// `again`: several groups may share a LID, and then a level.
  void begin(std::uint64_t lid, std::optional<std::uint32_t> level, bool again, const LineScanner& scanner);
  /// Members of the group at hand.
  void add(const std::vector<TerminalId>& members);
  void add_guid(std::uint64_t port_guid, const LineScanner& scanner);
  [[nodiscard]] bool begun() const { return at_ != nullptr; }
  /// The list is spent.
  std::vector<MulticastGroupSpec> take();

 private:
  const Network& network_;
  GuidIndex guids_;
  std::map<std::uint16_t, MulticastGroupSpec> groups_;
  MulticastGroupSpec* at_ = nullptr;
};

// The formats, one file each.

/// Lines "0xC001 [sl=N] MEMBERS".
void read_group_lines(LineScanner& scanner, GroupList& groups);
/// OpenSM's opensm-sa.dump: "MC Group ..." and "mcm_port: ..."; members that only send do not count.
bool recognises_sa_dump(std::string_view head);
void read_sa_dump(LineScanner& scanner, GroupList& groups);
/// What saquery -g prints: LIDs and levels, without members.
bool recognises_saquery_groups(std::string_view head);
void read_saquery_groups(LineScanner& scanner, GroupList& groups);

}  // namespace unknot
