// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "unknot/evolve/problem.hpp"

namespace unknot::evolve {

/// How the processes that share a run's islands talk. Each process has a block of neighbouring islands and
/// calls run() with the same problem, settings and options; all make the same calls of this interface in the
/// same order, with spans of the same lengths, and each call returns when every process that it needs has
/// made it. What is sent depends on the islands alone, so that a run has the same outcome however they are
/// divided. The loop knows this interface and no library of messages; src/unknot/mpi/ has the one for MPI.
///
/// A process that throws out of run() leaves the others waiting: whoever catches it has to end them.
class Exchange {
 public:
  Exchange() = default;
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  virtual ~Exchange() = default;

  [[nodiscard]] virtual std::uint32_t processes() const = 0;
  [[nodiscard]] virtual std::uint32_t process() const = 0;  ///< this one; process 0 decides for all
  /// Each number becomes the smallest that any process has in its place.
  virtual void minimum(std::span<std::uint64_t> numbers) = 0;
  /// Sends `out` to the next process, the last one's to the first, and takes `in` from the one before.
  virtual void pass_on(std::span<const Value> out, std::span<Value> in) = 0;
  /// Copies what process `from` has to all.
  virtual void broadcast(std::span<Value> values, std::uint32_t from) = 0;
};

/// A process by itself.
class OneProcess final : public Exchange {
 public:
  [[nodiscard]] std::uint32_t processes() const override { return 1; }
  [[nodiscard]] std::uint32_t process() const override { return 0; }
  void minimum(std::span<std::uint64_t> numbers) override;
  void pass_on(std::span<const Value> out, std::span<Value> in) override;
  void broadcast(std::span<Value> values, std::uint32_t from) override;
};

/// First island of a process, of `processes` that share `islands`; that of process `processes` is the number
/// of islands. Blocks differ by one island at most.
constexpr std::uint32_t first_island(std::uint32_t process, std::uint32_t processes, std::uint32_t islands) {
  return static_cast<std::uint32_t>(std::uint64_t{islands} * process / processes);
}

}  // namespace unknot::evolve
