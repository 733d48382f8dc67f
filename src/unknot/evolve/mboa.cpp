// SPDX-License-Identifier: Apache-2.0
#include "unknot/evolve/mboa.hpp"

#include <algorithm>
#include <numeric>

#include "unknot/evolve/streams.hpp"
#include "unknot/evolve/workers.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot::evolve {
namespace {

constexpr std::uint32_t kUncoded = 0xFFFFFFFF;

}  // namespace

void Mboa::reserve(const Population& population, std::uint32_t threads) {
  const std::size_t trees = std::size_t{population.islands()} * population.length();
  if (order_.size() == trees && learners_.size() >= threads) return;
  order_length_ = population.length();
  order_.resize(trees);
  place_.resize(trees);
  kinds_.resize(trees);
  used_.resize(trees);
  codes_.resize(trees * parents_.count());
  members_.resize(trees * parents_.count());
  nodes_.resize(trees * nodes_of_tree());
  learners_.assign(threads, TreeLearner(trees_, parents_.count()));
  code_of_.assign(threads, std::vector<std::uint32_t>(layout_->max_cardinality(), kUncoded));
}

void Mboa::number_values(std::uint32_t island, std::uint32_t component, std::vector<std::uint32_t>& code_of) {
  const std::span<const Value> column = parents_.column(island, component);
  const std::size_t tree = std::size_t{island} * order_length_ + component;
  Value* codes = codes_.data() + tree * parents_.count();
  std::uint32_t kinds = 0;
  for (std::uint32_t p = 0; p < column.size(); ++p) {
    std::uint32_t& code = code_of[column[p]];
    if (code == kUncoded) code = kinds++;
    codes[p] = static_cast<Value>(code);
  }
  for (const Value value : column) code_of[value] = kUncoded;
  kinds_[tree] = kinds;
}

void Mboa::learn(const Population& population, const GenerationContext& context) {
  parents_.select(population, context);
  parents_.transpose(population, context.threads);
  reserve(population, context.threads);
  const std::uint32_t length = order_length_;
  const std::uint32_t count = parents_.count();
  const std::uint32_t trees = population.islands() * length;
  for (std::uint32_t island = 0; island < population.islands(); ++island) {
    Random random(context.seed,
                  stream(Purpose::ordering, context.first_island + island, context.generation, 0));
    std::uint32_t* order = order_.data() + std::size_t{island} * length;
    std::iota(order, order + length, 0U);
    for (std::uint32_t i = length; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    for (std::uint32_t i = 0; i < length; ++i) place_[std::size_t{island} * length + order[i]] = i;
  }
  const std::uint64_t cells = std::uint64_t{trees} * count;
  parallel_blocks(trees, 16, workers_for(cells, context.threads),
                  [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
                    for (std::uint32_t t = begin; t < end; ++t) {
                      number_values(t / length, t % length, code_of_[worker]);
                    }
                  });
  parallel_blocks(trees, 1, workers_for(cells * length, context.threads),
                  [&](std::uint32_t worker, std::uint32_t tree, std::uint32_t /*end*/) {
                    const std::uint32_t island = tree / length;
                    const std::size_t start = std::size_t{island} * length;
                    const CodedParents coded{count,
                                             {parents_.column(island, 0).data(), std::size_t{length} * count},
                                             {codes_.data() + start * count, std::size_t{length} * count},
                                             {kinds_.data() + start, length}};
                    used_[tree] =
                        learners_[worker].learn(coded, tree % length, {order_.data() + start, place_[tree]},
                                                {members_.data() + std::size_t{tree} * count, count},
                                                {nodes_.data() + tree * nodes_of_tree(), nodes_of_tree()});
                  });
}

void Mboa::breed(const Population& /*population*/, std::uint32_t island, std::span<Value> child,
                 Random& random) const {
  const std::size_t start = std::size_t{island} * order_length_;
  for (std::uint32_t i = 0; i < order_length_; ++i) {
    const std::uint32_t component = order_[start + i];
    const TreeNode* nodes = nodes_.data() + (start + component) * nodes_of_tree();
    const TreeNode* node = nodes;
    while (node->component != TreeNode::kLeaf) {
      node = nodes + node->yes + (child[node->component] == node->value ? 0 : 1);
    }
    const std::uint32_t member = node->begin + random.below(node->end - node->begin);
    const std::uint32_t parent = members_[(start + component) * parents_.count() + member];
    child[component] = parents_.column(island, component)[parent];
  }
}

}  // namespace unknot::evolve
