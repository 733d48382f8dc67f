// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "unknot/formats/text/guid_index.hpp"
#include "unknot/formats/text/line_scanner.hpp"
#include "unknot/network/network.hpp"
#include "unknot/tables/multicast_tables.hpp"

namespace unknot {

/// Gathers the rows of multicast tables, switch by switch, as files give them. What does not fit is refused
/// with the scanner's line.
class GroupRows {
 public:
  explicit GroupRows(const Network& network);
  /// The rows that follow are of the switch with that GUID.
  void begin(std::uint64_t guid, const LineScanner& scanner);
  /// A row of the switch begins; its ports follow.
  void row(std::uint64_t lid, const LineScanner& scanner);
  void port(std::uint64_t port, const LineScanner& scanner);
  /// The service level of a group, told apart from the rows.
  void level(std::uint64_t lid, std::uint32_t level, const LineScanner& scanner);
  [[nodiscard]] bool begun() const { return router_.valid(); }
  /// The rows are spent.
  MulticastTables take();

 private:
  struct Group {
    RouterId last;  ///< whose row came last
    std::optional<std::uint8_t> level;
    std::vector<MulticastPort> ports;
  };
  Group& group(std::uint64_t lid, const LineScanner& scanner);
  const Network& network_;
  GuidIndex guids_;
  RouterId router_;
  std::vector<bool> seen_;  // by router
  std::map<std::uint16_t, Group> groups_;
  Group* group_ = nullptr;
};

}  // namespace unknot
