// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/schedules/proven_optimum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

#include "unknot/cli/output/text_table.hpp"
#include "unknot/collective/bandwidth/make_forest.hpp"

namespace unknot::cli {
namespace {

constexpr std::size_t kShownNodes = 16;

/// "3 5 7 and 13 more"
template <class Items, class Text>
std::string list_text(const Items& items, const char* between, Text text_of) {
  std::string text;
  for (std::size_t i = 0; i < std::min(items.size(), kShownNodes); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : between, text_of(items[i]));
  if (items.size() > kShownNodes) text += fmt::format(" and {} more", items.size() - kShownNodes);
  return text;
}

std::string nodes_text(const std::vector<NodeId>& nodes) {
  return list_text(nodes, " ", [](NodeId n) { return n.value; });
}

Json nodes_json(const std::vector<NodeId>& nodes) {
  Json list = Json::array();
  for (const NodeId n : nodes) list.push_back(n.value);
  return list;
}

}  // namespace

ProvenOptimum::ProvenOptimum(const BandwidthProblem& problem, Progress& progress) : problem_(problem) {
  if (problem.all_reduce) {
    all_reduce_ = all_reduce_optimum(problem, progress);
    const PartitionBound& proof = all_reduce_.proof;
    time_ = proof.time();
    require(count_partition(problem, proof.parts).time());
  } else {
    cut_ = bandwidth_optimum(problem, progress);
    time_ = cut_.time();
    require(count_cut(problem, cut_.inside).time());
  }
}

Forest ProvenOptimum::trees(Progress& progress) const {
  return problem_.all_reduce ? make_forest(all_reduce_, progress) : make_forest(problem_, cut_, progress);
}

std::string ProvenOptimum::text() const {
  if (problem_.all_reduce) {
    const PartitionBound& proof = all_reduce_.proof;
    return fmt::format("{} shares in all must enter the parts {}, over a capacity of {}",
                       grouped(proof.shares), list_text(proof.parts, " | ", nodes_text),
                       grouped(proof.capacity));
  }
  const char* way = problem_.backward ? "leave" : "enter";
  return fmt::format("{} share{} must {} node{} {}, over a capacity of {}", grouped(cut_.shares),
                     cut_.shares == 1 ? "" : "s", way, cut_.inside.size() == 1 ? "" : "s",
                     nodes_text(cut_.inside), grouped(cut_.capacity));
}

Json ProvenOptimum::json() const {
  if (!problem_.all_reduce) {
    return {{"inside", nodes_json(cut_.inside)}, {"shares", cut_.shares}, {"capacity", cut_.capacity}};
  }
  const PartitionBound& proof = all_reduce_.proof;
  Json parts = Json::array();
  for (const std::vector<NodeId>& part : proof.parts) parts.push_back(nodes_json(part));
  return {{"parts", std::move(parts)}, {"shares", proof.shares}, {"capacity", proof.capacity}};
}

void ProvenOptimum::require(const Fraction& counted) const {
  if (counted != time_) throw std::runtime_error("the cut that proves the optimum does not hold");
}

}  // namespace unknot::cli
