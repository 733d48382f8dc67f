// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "unknot/network/faults.hpp"

// Tables 8.18 to 8.20 of the thesis: steps of schedules on networks in which one part has failed.
namespace unknot::jaros_paper {

enum class Failing : std::uint8_t { channel, cable, node };

/// A line of a table: what it says has failed, and between which of our routers that is; `to` unused for
/// nodes.
struct FaultRow {
  const char* printed;
  std::uint32_t from, to;
  std::array<std::uint32_t, 4> steps;  ///< by pattern
};

/// One of the tables.
struct FaultTable {
  const char* number;
  const char* spec;
  Failing failing;
  std::array<std::uint32_t, 4> whole;  ///< "no fault"
  std::vector<FaultRow> named;
  std::array<std::uint32_t, 4> others;  ///< "all other"
};

/// The thesis numbers the Kautz network in another way than the catalogue, which follows the order of words:
/// Table 8.11 shows it. Its 4, 5, 6, 7, 9 and B are our 5, 4, 7, 6, 11 and 9.
const std::vector<FaultTable>& fault_tables();

/// A single fault, or none.
struct FaultCase {
  const FaultTable* table = nullptr;
  const FaultRow* row = nullptr;  ///< none: among "all other", or no fault
  std::string name;
  Faults parts;
  [[nodiscard]] bool whole() const { return parts.routers.empty() && parts.channels.empty(); }
};

/// Of each table: no fault, the named ones in the order of the table, then the first this many of the others
/// in the order of their numbers.
std::vector<FaultCase> fault_cases(std::uint64_t others);

/// What the thesis's numbers for these cases need to be said beside.
inline constexpr const char* kFaultNumbers =
    "Each fault by itself: all channels of the Kautz network one by one, both directions of each cable of "
    "the mesh, each of its nodes. Where the thesis says \"all other\", ours is the worst of them. It "
    "numbers the Kautz network in another way (its Table 8.11); labels have its numbers, the tables below "
    "and the worst of the others ours.";
inline constexpr const char* kFaultErrata =
    "Table 8.20 prints the values of Table 8.19 once more. Node 0 is the root and cannot be meant by its "
    "row \"0\", OAS in 15 steps; node 1, which like node 4 leaves the root one cable, is compared with "
    "that row. With a dead node there are 14 others to serve, one fewer than with a dead cable. A dead "
    "cable or "
    "node beside any corner leaves that corner one cable, so that AAB takes 15 or 14 steps there, too: "
    "\"all other\" in 8 steps cannot be.";

}  // namespace unknot::jaros_paper
