// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/multicast/group_rows.hpp"

#include <fmt/format.h>

#include <utility>

#include "unknot/tables/lane_map.hpp"

namespace unknot {

GroupRows::GroupRows(const Network& network)
    : network_(network), guids_(network), seen_(network.router_count(), false) {}

void GroupRows::begin(std::uint64_t guid, const LineScanner& scanner) {
  router_ = guids_.router(guid);
  group_ = nullptr;
  if (!router_.valid()) scanner.fail(fmt::format("switch 0x{:016x} is not in the fabric", guid));
  if (seen_[router_.value]) scanner.fail(fmt::format("switch 0x{:016x} has a table above already", guid));
  seen_[router_.value] = true;
}

GroupRows::Group& GroupRows::group(std::uint64_t lid, const LineScanner& scanner) {
  if (lid < MulticastGroup::kFirstLid || lid > MulticastGroup::kLastLid) {
    scanner.fail(fmt::format("0x{:04x} is no LID of a multicast group: these are 0x{:04x} to 0x{:04x}", lid,
                             MulticastGroup::kFirstLid, MulticastGroup::kLastLid));
  }
  return groups_[static_cast<std::uint16_t>(lid)];
}

void GroupRows::level(std::uint64_t lid, std::uint32_t level, const LineScanner& scanner) {
  if (level >= LaneMap::kLevels) scanner.fail(fmt::format("service level {} is above 15", level));
  Group& told = group(lid, scanner);
  if (told.level) scanner.fail(fmt::format("group 0x{:04x} has its service level above already", lid));
  told.level = static_cast<std::uint8_t>(level);
}

void GroupRows::row(std::uint64_t lid, const LineScanner& scanner) {
  group_ = &group(lid, scanner);
  if (group_->last == router_)
    scanner.fail(fmt::format("group 0x{:04x} has two rows in one switch's table", lid));
  group_->last = router_;
}

void GroupRows::port(std::uint64_t port, const LineScanner& scanner) {
  if (port > network_.port_count(router_)) {
    scanner.fail(fmt::format("port {} is beyond the {} ports of {}", port, network_.port_count(router_),
                             network_.router_name(router_)));
  }
  group_->ports.push_back({router_, static_cast<std::uint16_t>(port)});
}

MulticastTables GroupRows::take() {
  MulticastTables tables;
  for (auto& [lid, group] : groups_)
    tables.groups.emplace_back(lid, group.level.value_or(0), network_.router_count(), std::move(group.ports));
  return tables;
}

}  // namespace unknot
