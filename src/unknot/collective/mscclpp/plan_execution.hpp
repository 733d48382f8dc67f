// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "unknot/collective/msccl/msccl_execution.hpp"
#include "unknot/collective/mscclpp/plan.hpp"

// The parts of find_fault(): structure, and execution with its races.
namespace unknot::mscclpp {

/// What a kind of operation does with its ranges and channels.
struct KindRow {
  enum class Ends : std::uint8_t {
    none,
    copies,    ///< one source for each destination
    combines,  ///< all sources into the first destination, which is local; the others get the result
    shared     ///< one source, all destinations
  };
  Ends ends = Ends::none;
  Range::Where first_source = Range::Where::local, other_sources = Range::Where::local;
  Range::Where first_destination = Range::Where::local, other_destinations = Range::Where::local;
  bool many_sources = false, many_destinations = false;
  bool packets_in = false;        ///< sources but the first local one of what combines, or all, are packets
  std::uint32_t plain_out = 255;  ///< destinations from this one on are packets
};
const KindRow& row_of(Kind kind);
bool is_packets(Kind kind);
bool signals(Kind kind);
bool waits(Kind kind);

/// Where an operation is: "GPU 0, thread block 1, operation 2"; of a pipeline `inner`, too.
struct Spot {
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  std::uint32_t rank = 0, block = 0, operation = 0, inner = kNone;
};
std::string text_of(const Spot& spot);

constexpr std::uint32_t kRounds = 3;  ///< of a pipeline that are executed

/// Parts that each chunk is divided into: for thread blocks that share, and rounds of pipelines.
std::uint32_t divisions(const Plan& plan);
/// The buffers of the plan, and what its collective is, each chunk in its divisions: for msccl::Layout.
msccl::Program frame_of(const Plan& plan);

/// Limits, ids, ranges, and what the executor does not do. What follows holds only without a fault.
std::optional<std::string> find_structural_fault(const Plan& plan);
/// Executes all operations into `memory`, and says what is wrong on the way.
std::optional<std::string> execute(const Plan& plan, const msccl::Layout& layout, msccl::Execution& memory);

}  // namespace unknot::mscclpp
