// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/evolve/problem.hpp"

namespace unknot::evolve {

/// Individuals of all islands as one matrix, a row for each, with room for the children of a generation. An
/// island's members are row numbers in order of cost; children are made in spare rows, which change places
/// with the rows of the worst members. Nothing is copied or allocated after construction. Islands may be
/// handled by different threads.
class Population {
 public:
  /// children <= size.
  Population(std::uint32_t islands, std::uint32_t size, std::uint32_t children, std::uint32_t length);

  [[nodiscard]] std::uint32_t islands() const { return islands_; }
  [[nodiscard]] std::uint32_t size() const { return size_; }          ///< members of an island
  [[nodiscard]] std::uint32_t children() const { return children_; }  ///< made by an island in a generation
  [[nodiscard]] std::uint32_t length() const { return length_; }

  [[nodiscard]] std::span<Value> chromosome(std::uint32_t row) {
    return {values_.data() + std::size_t{row} * length_, length_};
  }
  [[nodiscard]] std::span<const Value> chromosome(std::uint32_t row) const {
    return {values_.data() + std::size_t{row} * length_, length_};
  }
  [[nodiscard]] Cost cost(std::uint32_t row) const { return cost_[row]; }
  void set_cost(std::uint32_t row, Cost cost) { cost_[row] = cost; }

  /// Rows of an island's members, cheapest first after rank().
  [[nodiscard]] std::span<const std::uint32_t> members(std::uint32_t island) const {
    return {rows_.data() + std::size_t{island} * stride(), size_};
  }
  /// Rows in which the island's next children are made.
  [[nodiscard]] std::span<const std::uint32_t> nursery(std::uint32_t island) const {
    return {rows_.data() + std::size_t{island} * stride() + size_, children_};
  }
  /// The children take the places of the worst members.
  void replace_worst(std::uint32_t island);
  /// Sorts the members by cost. Among equals those made last come first, so that a plateau can be walked.
  void rank(std::uint32_t island);
  /// Values of this many individuals with their costs, as they travel.
  [[nodiscard]] std::size_t parcel_length(std::uint32_t migrants) const {
    return std::size_t{migrants} * (length_ + kCostValues);
  }
  /// Packs the best of the last island; parcel_length(migrants) values.
  void send_off(std::uint32_t migrants, std::span<Value> parcel) const;
  /// Copies the best `migrants` of each island over the worst of the next one, and those of the parcel over
  /// the worst of the first; then ranks again. migrants <= size / 2, so that no best is lost.
  void migrate(std::uint32_t migrants, std::span<const Value> parcel);

 private:
  static constexpr std::uint32_t kCostValues = 2;  // halves of a cost
  void settle(std::span<const Value> genes, Cost cost, std::uint32_t row);
  [[nodiscard]] std::size_t stride() const { return std::size_t{size_} + children_; }
  std::uint32_t islands_, size_, children_, length_;
  std::vector<Value> values_;
  std::vector<Cost> cost_;
  std::vector<std::uint32_t> rows_;   // by island: members, then the nursery
  std::vector<std::uint64_t> order_;  // scratch of rank(): cost and position
  std::vector<std::uint32_t> moved_;  // scratch of rank()
};

}  // namespace unknot::evolve
