// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "unknot/evolve/incremental.hpp"
#include "unknot/evolve/problem.hpp"

namespace unknot::evolve {

/// A problem that is a function of the chromosome and no more.
template <class Function>
class FunctionProblem : public Problem {
 public:
  FunctionProblem(Layout layout, Function function)
      : layout_(std::move(layout)), function_(std::move(function)) {}
  const Layout& layout() const override { return layout_; }
  std::unique_ptr<Evaluator> evaluator() const override {
    return std::make_unique<Plain>(layout_, function_);
  }

 private:
  struct Plain : Evaluator {
    Plain(const Layout& layout, const Function& function) : Evaluator(layout), cost_of(&function) {}
    Cost cost(std::span<const Value> chromosome) override { return (*cost_of)(chromosome); }
    const Function* cost_of;
  };
  Layout layout_;
  Function function_;
};

/// Zeros of a string of bits.
inline auto onemax(std::uint32_t bits) {
  return FunctionProblem(Layout::uniform(bits, {2}), [](std::span<const Value> x) {
    return static_cast<Cost>(std::count(x.begin(), x.end(), Value{0}));
  });
}

/// Deceptive blocks of five bits: five ones cost nothing, otherwise the fewer ones the better. [Deb, Goldberg
/// 1993]
inline auto trap5(std::uint32_t blocks) {
  return FunctionProblem(Layout::uniform(5 * blocks, {2}), [](std::span<const Value> x) {
    Cost cost = 0;
    for (std::size_t i = 0; i < x.size(); i += 5) {
      const auto ones =
          static_cast<Cost>(std::count(x.begin() + static_cast<std::ptrdiff_t>(i),
                                       x.begin() + static_cast<std::ptrdiff_t>(i) + 5, Value{1}));
      cost += ones == 5 ? 0 : ones + 1;
    }
    return cost;
  });
}

/// Cells of an n x n square, each with a colour; conflicts are equal colours in a row or in a column, as
/// messages that meet in a channel at a step are. A gene is a cell: (colour, shade), the shade counting as
/// conflict where it is not the colour's parity. Solutions are Latin squares.
class LatinSquare : public Problem {
 public:
  explicit LatinSquare(std::uint32_t n) : n_(n), layout_(Layout::uniform(n * n, {n, 2})) {}
  const Layout& layout() const override { return layout_; }
  std::unique_ptr<Evaluator> evaluator() const override { return std::make_unique<Counting>(layout_, n_); }

  /// The cost without counters, for comparison.
  Cost plain_cost(std::span<const Value> x) const {
    Cost cost = 0;
    for (std::uint32_t a = 0; a < n_ * n_; ++a) {
      if (x[2 * a + 1] != x[2 * a] % 2) ++cost;
      for (std::uint32_t b = 0; b < a; ++b) {
        if ((a / n_ == b / n_ || a % n_ == b % n_) && x[2 * a] == x[2 * b]) ++cost;
      }
    }
    return cost;
  }

 private:
  class Counting : public Incremental<Counting> {
   public:
    Counting(const Layout& layout, std::uint32_t n) : Incremental(layout), n_(n), used_(2 * n * n, 0) {}
    void clear() {
      std::fill(used_.begin(), used_.end(), 0U);
      total_ = 0;
    }
    void add(std::uint32_t gene, std::span<const Value> v) {
      total_ += used_[gene / n_ * n_ + v[0]]++;
      total_ += used_[(n_ + gene % n_) * n_ + v[0]]++;
      total_ += v[1] != v[0] % 2 ? 1 : 0;
    }
    void remove(std::uint32_t gene, std::span<const Value> v) {
      total_ -= --used_[gene / n_ * n_ + v[0]];
      total_ -= --used_[(n_ + gene % n_) * n_ + v[0]];
      total_ -= v[1] != v[0] % 2 ? 1 : 0;
    }
    Cost total() const { return total_; }
    /// Rather a cell in conflict: half of the times.
    void mutate(std::span<Value> x, Random& random) override {
      hold(x);
      std::uint32_t gene = random.below(n_ * n_);
      if (random.below(2) == 0) {
        for (std::uint32_t tries = 0; tries < n_ * n_; ++tries, gene = (gene + 1) % (n_ * n_)) {
          const Value colour = x[2 * gene];
          if (used_[gene / n_ * n_ + colour] > 1 || used_[(n_ + gene % n_) * n_ + colour] > 1) break;
        }
      }
      x[2 * gene] = static_cast<Value>(random.below(n_));
    }
    void repair(std::span<Value> x, Random& /*random*/) override {
      for (std::size_t i = 0; i < x.size(); i += 2) x[i + 1] = x[i] % 2;
    }

   private:
    std::uint32_t n_;
    std::vector<std::uint32_t> used_;
    Cost total_ = 0;
  };

  std::uint32_t n_;
  Layout layout_;
};

}  // namespace unknot::evolve
