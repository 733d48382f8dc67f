// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "unknot/collective/mscclpp/plan_clock.hpp"
#include "unknot/collective/mscclpp/plan_execution.hpp"

namespace unknot::mscclpp {

/// Who touches memory: a worker at a time of its own. `spot`: for messages, and one operation is at peace
/// with itself. `lane`: which thread takes which part of the data; 0: not known. Threads of one worker that
/// take the same parts need no order.
struct Touch {
  static constexpr std::uint32_t kNobody = 0xFFFFFFFFU;
  std::uint32_t worker = kNobody;
  std::uint32_t time = 0;
  std::uint32_t spot = 0;
  std::uint64_t lane = 0;
  std::uint32_t offset = 0;  ///< part of the operation's data
  bool operator==(const Touch&) const = default;
};

/// What is done before: by clock, and beyond that single touches of the same part of the data, as packets
/// that were read tell.
struct Past {
  SparseClock clock;
  std::vector<Touch> touches;
};

/// A part of a chunk.
struct Cell {
  std::uint32_t rank = 0;
  Buffer buffer = Buffer::input;
  std::uint32_t part = 0;
  bool packet = false;
};

/// The memory of all GPUs, and who has touched it in which order.
class PlanMemory {
 public:
  PlanMemory(const Plan& plan, const msccl::Layout& layout, msccl::Execution& memory);

  /// What a cell holds, for one whose past says what is done. Sets the fault where that is nothing, or where
  /// somebody writes it in no certain order.
  msccl::Value read(const Cell& cell, const Touch& touch, const Past& past);
  void write(const Cell& cell, const Touch& touch, const Past& past, const msccl::Value& value);
  /// True where a packet has come.
  [[nodiscard]] bool has_packet(const Cell& cell) const;
  /// Adds what one knows who reads the packet.
  void learn(const Cell& packet, Past& past) const;
  /// A packet for a GPU that it never reads; nullptr where there is none.
  [[nodiscard]] const Touch* unread(std::uint32_t rank) const;
  /// The last times at which each worker touched the memory of a GPU: to be known by its end.
  [[nodiscard]] const std::unordered_map<std::uint32_t, Touch>& touched(std::uint32_t rank) const {
    return touched_[rank];
  }

  std::vector<Spot> spots;  ///< Touch::spot
  std::optional<std::string> fault;

 private:
  struct History {
    Touch written;
    std::vector<Touch> read;
    Past past;  // of a packet
  };

  [[nodiscard]] std::uint32_t location(const Cell& cell) const;
  static bool ordered(const Touch& before, const Touch& touch, const Past& past);
  [[nodiscard]] std::string named(const Cell& cell) const;
  void set_race(const Touch& before, const Touch& touch, const Cell& cell);
  History& history(const Cell& cell, const Touch& touch);

  const Plan& plan_;
  const msccl::Layout& layout_;
  msccl::Execution& memory_;
  std::uint32_t parts_;
  std::vector<std::unordered_map<std::uint32_t, History>> history_;  // by rank: location
  std::vector<std::unordered_map<std::uint32_t, Touch>> touched_;    // by rank: worker
};

}  // namespace unknot::mscclpp
