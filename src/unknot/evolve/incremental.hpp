// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "unknot/evolve/problem.hpp"

namespace unknot::evolve {

/// Evaluator of a cost that is kept up to date gene by gene. It holds the individual it saw last; the next
/// one costs only the genes in which the two differ, which are few once a population has converged. `Derived`
/// has
///
///     void clear();                                                    // no gene is held
///     void add(std::uint32_t gene, std::span<const Value> values);     // the gene now has these values
///     void remove(std::uint32_t gene, std::span<const Value> values);  // takes back that add()
///     Cost total() const;                                              // of the genes held, in any order of
///     adding
///
/// all inlined into the loop, and it may have
///
///     void add_all(std::span<const Value> chromosome);                 // clear(), and add() of every gene
///
/// where that is quicker. For conflicts of a schedule: a counter for each channel and step. O(components)
/// compared a block of genes at a time, and two updates for each gene that differs; all genes anew where more
/// than half do.
template <class Derived>
class Incremental : public Evaluator {
 public:
  using Evaluator::Evaluator;

  [[nodiscard]] Cost cost(std::span<const Value> chromosome) final {
    hold(chromosome);
    return self().total();
  }

 protected:
  /// Makes `chromosome` the one that is held: mutation and repair may then look at the counters.
  void hold(std::span<const Value> chromosome) {
    if (is_held(chromosome)) return;
    if (held_.size() == chromosome.size()) {
      if (find_changed(chromosome)) {
        for (const std::uint32_t gene : changed_) hold_gene(chromosome, gene);
        return;
      }
    } else {
      changed_.reserve(layout().genes());
    }
    held_.assign(chromosome.begin(), chromosome.end());
    ++edition_;
    if constexpr (requires { self().add_all(chromosome); }) {
      self().add_all(chromosome);
      return;
    }
    self().clear();
    for (std::uint32_t gene = 0; gene < layout().genes(); ++gene)
      self().add(gene, layout().gene(chromosome, gene));
  }
  [[nodiscard]] bool is_held(std::span<const Value> chromosome) const {
    return held_.size() == chromosome.size() &&
           same(chromosome, 0, static_cast<std::uint32_t>(chromosome.size()));
  }
  /// As hold(), where no gene but this one may differ from the one that is held.
  void hold_gene(std::span<const Value> chromosome, std::uint32_t gene) {
    const auto now = layout().gene(chromosome, gene);
    const auto then = layout().gene(std::span<Value>(held_), gene);
    self().remove(gene, std::span<const Value>(then));
    self().add(gene, now);
    std::copy(now.begin(), now.end(), then.begin());
    ++edition_;
  }
  /// One component of the one that is held is this now; what add() and remove() keep is so already.
  void set_held(std::uint32_t component, Value value) {
    held_[component] = value;
    ++edition_;
  }
  /// Changes with what is held.
  [[nodiscard]] std::uint64_t edition() const { return edition_; }

 private:
  /// Genes that differ, in order; false where they seem to be more than half of all.
  bool find_changed(std::span<const Value> chromosome) {
    constexpr std::uint32_t kBlock = 16;
    changed_.clear();
    const std::uint32_t genes = layout().genes();
    for (std::uint32_t first = 0; first < genes; first += kBlock) {
      const std::uint32_t last = std::min(first + kBlock, genes);
      if (same(chromosome, layout().border(first), layout().border(last))) continue;
      for (std::uint32_t gene = first; gene < last; ++gene) {
        const auto now = layout().gene(chromosome, gene);
        if (!std::equal(now.begin(), now.end(), held_.begin() + layout().border(gene)))
          changed_.push_back(gene);
      }
      if (2 * changed_.size() > last + std::min(64U, genes - last)) return false;
    }
    return true;
  }
  [[nodiscard]] bool same(std::span<const Value> chromosome, std::uint32_t begin, std::uint32_t end) const {
    return std::memcmp(chromosome.data() + begin, held_.data() + begin, (end - begin) * sizeof(Value)) == 0;
  }
  Derived& self() { return static_cast<Derived&>(*this); }

  using Evaluator::layout;
  std::vector<Value> held_;
  std::vector<std::uint32_t> changed_;
  std::uint64_t edition_ = 0;
};

}  // namespace unknot::evolve
