// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "unknot/collective/msccl/msccl_program.hpp"

// The parts of find_fault(): structure, execution, races and what is promised.
namespace unknot::msccl {

/// Content of a chunk: the input chunks that were combined, ascending. None: it holds nothing.
struct Value {
  std::vector<std::uint32_t> terms;  ///< Layout::input_id()
  bool spoilt = false;               ///< a term came in twice
  bool operator==(const Value&) const = default;
};

/// Where the chunks of a program lie: in place, input and output share memory.
class Layout {
 public:
  Layout(const Program& program, bool in_place);

  [[nodiscard]] bool in_place() const { return in_place_; }
  /// Chunks that a GPU is given and has to fill; nullopt where that is not known.
  [[nodiscard]] std::optional<std::uint32_t> input_size() const { return input_size_; }
  [[nodiscard]] std::optional<std::uint32_t> output_size() const { return output_size_; }
  /// One number for each place of a GPU; the same one for places that share memory.
  [[nodiscard]] std::uint32_t location(std::uint32_t rank, Buffer buffer, std::uint32_t offset) const;
  static std::uint32_t input_id(std::uint32_t rank, std::uint32_t chunk) { return rank * kStride + chunk; }
  static std::uint32_t rank_of(std::uint32_t input_id) { return input_id / kStride; }
  static std::uint32_t chunk_of(std::uint32_t input_id) { return input_id % kStride; }
  /// What a location holds before anything is done.
  [[nodiscard]] Value initial(std::uint32_t rank, std::uint32_t location) const;

 private:
  static constexpr std::uint32_t kStride = 1U << 20U;  // more than a buffer has, with room for all shifts
  const Program& program_;
  bool in_place_;
  bool output_in_input_ = false;  // in place: which one holds the other
  std::uint32_t shift_per_rank_ = 0;
  std::optional<std::uint32_t> input_size_, output_size_;
};

/// A step that was done.
struct Event {
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  std::uint32_t rank = 0, block = 0, step = 0;
  std::uint32_t sent_by = kNone;  ///< event that sent what this one received
};

struct Execution {
  std::vector<Event> events;                                     ///< in an order that is possible
  std::vector<std::unordered_map<std::uint32_t, Value>> memory;  ///< by rank: locations written
  [[nodiscard]] Value at(const Layout& layout, std::uint32_t rank, std::uint32_t location) const;
};

/// Limits, peers, dependencies, and that each send has its receive. What follows holds only without a fault.
std::optional<Fault> find_structural_fault(const Program& program);
/// Does all steps; a deadlock, chunks outside of their buffer, and those that hold nothing.
std::optional<Fault> execute(const Program& program, const Layout& layout, Execution& execution);
/// Two thread blocks that touch a chunk, one of them writing, without an order between them.
std::optional<Fault> find_race(const Program& program, const Layout& layout, const Execution& execution);
/// A buffer that does not hold at the end what it should.
std::optional<Fault> find_broken_promise(const Program& program, const Layout& layout,
                                         const Execution& execution);

/// Step that makes known that `after` is done: the first that is announced from there on.
std::optional<std::uint32_t> announcing_step(const ThreadBlock& block, std::uint32_t after);

}  // namespace unknot::msccl
