// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

#include "unknot/support/random.hpp"

/// Evolutionary optimisers over vectors of small whole numbers. They know nothing of what is optimised: a
/// Problem says how many values each component can take, what an individual costs, and, where it knows better
/// than chance, how individuals begin, mutate and are repaired.
namespace unknot::evolve {

using Value = std::uint16_t;  ///< value of one component, below its cardinality
using Cost = std::uint32_t;   ///< to be minimised; 0 is a solution

inline constexpr std::uint32_t kMaxCardinality = 65'536;

/// Shape of a chromosome: components in a row, each with a cardinality, grouped into genes of neighbouring
/// components. Crossover cuts between genes only. A schedule of scatters has the gene (path, step) for each
/// message, one of broadcasts (distributor, path, step) for each receiver.
class Layout {
 public:
  /// Appends a gene; returns its index. std::invalid_argument for no component, or a cardinality outside 1 to
  /// kMaxCardinality.
  std::uint32_t add_gene(std::span<const std::uint32_t> cardinalities);
  std::uint32_t add_gene(std::initializer_list<std::uint32_t> cardinalities) {
    return add_gene(std::span<const std::uint32_t>(cardinalities.begin(), cardinalities.size()));
  }
  /// `genes` equal genes.
  static Layout uniform(std::uint32_t genes, std::initializer_list<std::uint32_t> cardinalities);

  [[nodiscard]] std::uint32_t genes() const { return static_cast<std::uint32_t>(border_.size()) - 1; }
  /// Components of a chromosome.
  [[nodiscard]] std::uint32_t length() const { return static_cast<std::uint32_t>(cardinality_.size()); }
  [[nodiscard]] std::uint32_t cardinality(std::uint32_t component) const { return cardinality_[component]; }
  /// First component of a gene; border(genes()) is the length.
  [[nodiscard]] std::uint32_t border(std::uint32_t gene) const { return border_[gene]; }
  template <class T>
  [[nodiscard]] std::span<T> gene(std::span<T> chromosome, std::uint32_t gene) const {
    return chromosome.subspan(border_[gene], border_[gene + 1] - border_[gene]);
  }
  [[nodiscard]] std::uint32_t max_cardinality() const { return max_cardinality_; }

 private:
  std::vector<std::uint32_t> cardinality_;
  std::vector<std::uint32_t> border_{0};
  std::uint32_t max_cardinality_ = 1;
};

/// One thread's hand on a problem: it may keep whatever makes the next call cheap, but what it returns, and
/// what it writes, must depend on its arguments alone, never on earlier calls (results are the same at any
/// number of threads because of that). Each member is called once for an individual, with its whole
/// chromosome.
class Evaluator {
 public:
  explicit Evaluator(const Layout& layout) : layout_(&layout) {}
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;
  virtual ~Evaluator() = default;

  /// A first individual. By default each component is uniform.
  virtual void initial(std::span<Value> chromosome, Random& random);
  /// Changes an individual a little. By default one component of one gene is drawn again. Called for the
  /// share of the children that the optimiser's parameter `mutation` says.
  virtual void mutate(std::span<Value> chromosome, Random& random);
  /// Makes an individual legal again after it was made or mutated. By default nothing.
  virtual void repair(std::span<Value> chromosome, Random& random);
  [[nodiscard]] virtual Cost cost(std::span<const Value> chromosome) = 0;

 protected:
  [[nodiscard]] const Layout& layout() const { return *layout_; }

 private:
  const Layout* layout_;
};

class Problem {
 public:
  Problem() = default;
  Problem(const Problem&) = delete;
  Problem& operator=(const Problem&) = delete;
  virtual ~Problem() = default;
  [[nodiscard]] virtual const Layout& layout() const = 0;
  /// About how many simple operations it takes to make and evaluate an individual: where those of a
  /// generation are few, no threads are woken. By default they are many.
  [[nodiscard]] virtual std::uint64_t operations() const { return std::uint64_t{1} << 32U; }
  /// One for each thread; called before the run begins. The problem outlives it.
  [[nodiscard]] virtual std::unique_ptr<Evaluator> evaluator() const = 0;
};

}  // namespace unknot::evolve
