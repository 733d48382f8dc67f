// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "fabric.hpp"

namespace unknot::opensm {

/// The lane on which a packet leaves a switch, by the port it came in by (0: the switch itself), the port it
/// leaves by, and its service level. They outlive the fabric, so switches are kept as GUIDs, too.
class LaneTables {
 public:
  using Row = std::array<std::uint8_t, 16>;
  static constexpr std::uint8_t kDrop = 15;

  LaneTables() = default;
  /// Lines "0x<switch guid> <in port> <out port> 0x01 0x23 ...", two levels a byte, as `unknot route --sl2vl`
  /// writes them and ibdmchk takes them. Rows of nodes that are no switch of the fabric are passed over.
  /// Throws Misfit; also where two ports of a switch that are connected have no row.
  static LaneTables read(const std::string& path, const unknot_fabric& fabric);
  /// What OpenSM writes by itself: one lane a level, cut to the lanes that each port has.
  static LaneTables cut_to_ports(const unknot_sl2vl& sl2vl, const unknot_fabric& fabric);

  /// False before any of the two.
  [[nodiscard]] bool any() const { return !rows_.empty(); }
  [[nodiscard]] const std::string& path() const { return path_; }  ///< "" where they are not from a file
  [[nodiscard]] const Row& row(std::uint32_t s, unsigned in_port, unsigned out_port) const {
    return rows_[index(s, in_port, out_port)];
  }
  /// Equal for incoming ports of a switch that have equal rows.
  [[nodiscard]] const std::uint16_t* rows_from(std::uint32_t s, unsigned in_port) const {
    return &index_[s][in_port * ports_[s]];
  }
  [[nodiscard]] std::uint32_t ports(std::uint32_t s) const { return ports_[s]; }
  /// Null where there is no such switch or port.
  [[nodiscard]] const Row* find(std::uint64_t guid, unsigned in_port, unsigned out_port) const;

 private:
  explicit LaneTables(const unknot_fabric& fabric);
  [[nodiscard]] std::uint16_t index(std::uint32_t s, unsigned in_port, unsigned out_port) const {
    return index_[s][in_port * ports_[s] + out_port];
  }
  void set(std::uint32_t s, unsigned in_port, unsigned out_port, const Row& row);

  std::string path_;
  std::unordered_map<std::uint64_t, std::uint32_t> switch_of_guid_;
  std::vector<std::uint32_t> ports_;               // by switch: 1 + its external ports
  std::vector<std::vector<std::uint16_t>> index_;  // by switch, in and out port: of the row; kNoRow
  std::vector<Row> rows_;                          // different ones
  std::unordered_map<std::string, std::uint16_t> row_of_text_;
  static constexpr std::uint16_t kNoRow = 0xFFFF;
};

}  // namespace unknot::opensm
