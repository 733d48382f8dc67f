// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/schedules/bandwidth_proof.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>
#include <variant>

#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/collective/translated/translated_forest.hpp"
#include "unknot/collective/trees/make_forest.hpp"
#include "unknot/support/error.hpp"

namespace unknot::cli {
namespace {

constexpr std::size_t kShownNodes = 16;
constexpr double kTreeGap = 0.01;  ///< as near to the bound as trees by prices are made

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

std::string cut_text(const BandwidthCut& cut, const char* way) {
  return fmt::format("{} share{} must {} node{} {}, over a capacity of {}", grouped(cut.shares),
                     cut.shares == 1 ? "" : "s", way, cut.inside.size() == 1 ? "" : "s",
                     nodes_text(cut.inside), grouped(cut.capacity));
}

Json cut_json(const BandwidthCut& cut) {
  return {{"inside", nodes_json(cut.inside)}, {"shares", cut.shares}, {"capacity", cut.capacity}};
}

std::string parts_text(const PartitionBound& proof) {
  return fmt::format("{} shares in all must {} the parts {}, over a capacity of {}", grouped(proof.shares),
                     proof.leaving ? "leave" : "enter", list_text(proof.parts, " | ", nodes_text),
                     grouped(proof.capacity));
}

Json parts_json(const PartitionBound& proof) {
  Json parts = Json::array();
  for (const std::vector<NodeId>& part : proof.parts) parts.push_back(nodes_json(part));
  return {{"parts", std::move(parts)},
          {"leaving", proof.leaving},
          {"shares", proof.shares},
          {"capacity", proof.capacity}};
}

std::string channels_text(const NodeGraph& graph, const ChannelBound& proof) {
  return fmt::format(
      "{} shares in all must pass the channels {}, over a capacity of {}", grouped(proof.shares),
      list_text(proof.channels, ", ",
                [&](ArcId a) { return fmt::format("{} -> {}", graph.tail(a).value, graph.head(a).value); }),
      grouped(proof.capacity));
}

Json channels_json(const NodeGraph& graph, const ChannelBound& proof) {
  Json channels = Json::array();
  for (const ArcId a : proof.channels) channels.push_back({graph.tail(a).value, graph.head(a).value});
  return {{"channels", std::move(channels)}, {"shares", proof.shares}, {"capacity", proof.capacity}};
}

/// Length 1 on the arcs into a set of nodes.
std::vector<std::uint32_t> lengths_into(const NodeGraph& graph, const std::vector<NodeId>& inside) {
  std::vector<std::uint8_t> in(graph.node_count(), 0);
  for (const NodeId n : inside) in[n.value] = 1;
  std::vector<std::uint32_t> length(graph.arc_count(), 0);
  for (const ArcId a : graph.arcs())
    length[a.value] = in[graph.head(a).value] != 0 && in[graph.tail(a).value] == 0 ? 1 : 0;
  return length;
}

void add_lengths_into(const NodeGraph& graph, const std::vector<NodeId>& inside,
                      std::vector<std::uint32_t>& length) {
  const std::vector<std::uint32_t> more = lengths_into(graph, inside);
  for (std::size_t a = 0; a < length.size(); ++a) length[a] += more[a];
}

bool is_uneven_sum(const BandwidthProblem& problem) {
  return problem.all_reduce && problem.graph->first_uneven().valid();
}

}  // namespace

BandwidthProof::BandwidthProof(std::span<const BandwidthProblem> groups, const Translations* translations,
                               std::uint32_t threads, Progress& progress)
    : groups_(groups), translations_(translations), threads_(threads) {
  const BandwidthProblem& problem = groups.front();
  if (groups.size() > 1) {
    prove_alone(progress);
    return;
  }
  if (problem.all_reduce && (problem.powers.both() || is_uneven_sum(problem))) {
    is_optimum_ = false;
    if (std::optional<PartitionBound> found = partition_of_images(progress)) {
      reduce_.emplace().proof = std::move(*found);
    } else {
      reduce_ = reduce_bound(problem, progress);
    }
    time_ = reduce_->time();
    require(counted_anew(problem, *reduce_));
  } else if (problem.all_reduce) {
    if (std::optional<PartitionBound> found = partition_of_images(progress)) {
      all_reduce_.emplace().proof = std::move(*found);
    } else {
      all_reduce_ = all_reduce_optimum(problem, progress);
    }
    time_ = all_reduce_->proof.time();
    require(count_partition(problem, all_reduce_->proof.parts).time());
  } else {
    cut_ = bandwidth_optimum(problem, progress);
    time_ = cut_->time();
    require(count_cut(problem, cut_->inside).time());
  }
}

/// The all-gather's cut and its images, where they do not meet: an all-reduce takes at least twice as long
/// then, and its trees, run to the root and back, take no longer.
std::optional<PartitionBound> BandwidthProof::partition_of_images(Progress& progress) const {
  if (translations_ == nullptr) return std::nullopt;
  const BandwidthProblem& problem = groups_.front();
  const BandwidthProblem gather = make_bandwidth_problem(problem.graph, "AAB", problem.who);
  const BandwidthCut cut = bandwidth_optimum(gather, progress);
  std::vector<std::vector<NodeId>> orbits;
  orbits.reserve(cut.inside.size());
  for (const NodeId n : cut.inside) orbits.push_back(translations_->orbit(n));
  std::vector<std::vector<NodeId>> parts;
  std::vector<std::uint32_t> part_of(problem.graph->node_count(), 0);
  for (std::size_t e = 0; e < orbits.front().size(); ++e) {
    std::vector<NodeId> part;
    part.reserve(orbits.size());
    for (const std::vector<NodeId>& orbit : orbits) part.push_back(orbit[e]);
    std::sort(part.begin(), part.end());
    const std::uint32_t known = part_of[part.front().value];
    if (known != 0 && parts[known - 1] == part) continue;
    for (const NodeId n : part) {
      if (part_of[n.value] != 0) return std::nullopt;
      part_of[n.value] = static_cast<std::uint32_t>(parts.size()) + 1;
    }
    parts.push_back(std::move(part));
  }
  std::sort(parts.begin(), parts.end(),
            [](const std::vector<NodeId>& a, const std::vector<NodeId>& b) { return a.front() < b.front(); });
  PartitionBound bound = count_partition(problem, std::move(parts));
  if (bound.time() != Fraction(2 * cut.time().over(), cut.time().under())) return std::nullopt;
  return bound;
}

WholeTrees BandwidthProof::translated_trees(Progress& progress) const {
  const BandwidthProblem& problem = groups_.front();
  const Fraction gather = problem.all_reduce ? Fraction(time_.over(), 2 * time_.under()) : time_;
  std::optional<Forest> forest = translated_forest(problem, *translations_, gather, progress);
  if (forest && is_uneven_sum(problem)) {
    BandwidthProblem inward = problem;
    inward.graph = std::make_shared<const NodeGraph>(problem.graph->reversed());
    const std::optional<Forest> in = translated_forest(inward, *translations_, gather, progress);
    forest = in ? std::optional(joined(*forest, time_reversed(*in))) : std::nullopt;
  }
  if (!forest) {
    throw InputError(
        "translations: no trees of one node were found that take the optimum with their images; --bounds "
        "gives it alone");
  }
  WholeTrees made;
  made.forest = std::move(*forest);
  made.verdict = check_forest(groups_, made.forest);
  if (!made.verdict.valid())
    throw std::runtime_error("the trees do not pass the checker: " + made.verdict.fault);
  return made;
}

void BandwidthProof::prove_alone(Progress& progress) {
  is_optimum_ = false;
  const NodeGraph& graph = *groups_.front().graph;
  std::vector<std::vector<std::uint32_t>> given;
  Fraction longest;
  for (const BandwidthProblem& group : groups_) {
    const BandwidthProblem problem = with_size(group, 1);
    const BandwidthProof one({&problem, 1}, nullptr, threads_, progress);
    alone_.emplace_back(one.time().over() * group.size, one.time().under());
    longest = std::max(longest, alone_.back());
    std::vector<std::uint32_t> length(graph.arc_count(), 0);
    if (one.cut_) {
      add_lengths_into(graph, one.cut_->inside, length);
    } else if (one.all_reduce_) {
      for (const std::vector<NodeId>& part : one.all_reduce_->proof.parts)
        add_lengths_into(graph, part, length);
    }
    given.push_back(std::move(length));
  }
  flow_ =
      pack_trees(groups_, {.gap = kTreeGap / 2, .enough = longest.value(), .threads = threads_}, progress);
  lengths_ = best_tree_bound(groups_, *flow_, given);
  time_ = lengths_->time();
  require(count_tree_lengths(groups_, lengths_->length).time());
  // By itself alone a group may take longer than lengths say, where sums are made on uneven links.
  if (longest > time_) time_ = longest;
}

void BandwidthProof::require(const Fraction& counted) const {
  if (counted != time_) throw std::runtime_error("what proves the optimum does not hold");
}

std::optional<WholeTrees> BandwidthProof::trees_without_powers(Progress& progress) const {
  if (groups_.size() > 1 || is_uneven_sum(groups_.front())) return std::nullopt;
  const BandwidthProblem& problem = groups_.front();
  WholeTrees made;
  try {
    if (all_reduce_) {
      made.forest = make_forest(*all_reduce_, progress);
    } else if (problem.all_reduce) {
      made.forest = make_forest(all_reduce_optimum(problem, progress), progress);
    } else {
      made.forest = make_forest(problem, *cut_, progress);
    }
  } catch (const InputError&) {
    // Switches that let in more than they let out may leave no trees without copies.
    if (!problem.powers.any()) throw;
    return std::nullopt;
  }
  made.verdict = check_forest(groups_, made.forest);
  return made;
}

/// On uneven links, where a reduce-scatter and an all-gather of the same parts take what is proven.
std::optional<WholeTrees> BandwidthProof::trees_both_ways(Progress& progress) const {
  const BandwidthProblem& problem = groups_.front();
  for (const bool leaving : {false, true}) {
    try {
      const auto roots = roots_in_time(problem, time_, leaving, progress);
      if (!roots) continue;
      std::optional<Forest> forest = make_forest_both_ways(problem, *roots, time_, progress);
      if (!forest) continue;
      WholeTrees made;
      made.forest = std::move(*forest);
      made.verdict = check_forest(groups_, made.forest);
      if (!made.verdict.valid())
        throw std::runtime_error("the trees do not pass the checker: " + made.verdict.fault);
      if (made.verdict.time <= time_) return made;
    } catch (const InputError&) {
      // Switches that let in more than they let out may leave no trees.
    }
  }
  return std::nullopt;
}

void BandwidthProof::take_lesser_powers(WholeTrees& best, Progress& progress) const {
  const SwitchPowers powers = groups_.front().powers;
  if (groups_.size() > 1 || !powers.any() || best.verdict.time.value() <= time_.value() * (1 + kTreeGap))
    return;
  // One power less each: where that is clearly over its own bound, it looks at still less by itself.
  std::vector<SwitchPowers> lesser_powers(1);
  if (powers.both()) lesser_powers = {{.copy = true, .sum = false}, {.copy = false, .sum = true}};
  for (const SwitchPowers lesser : lesser_powers) {
    BandwidthProblem problem = groups_.front();
    problem.powers = lesser;
    try {
      WholeTrees made = BandwidthProof({&problem, 1}, nullptr, threads_, progress).trees(progress);
      made.verdict = check_forest(groups_, made.forest);
      if (made.verdict.valid() && made.verdict.time < best.verdict.time) best = std::move(made);
    } catch (const InputError&) {
      // Switches that let in more than they let out may leave no trees.
    }
  }
}

WholeTrees BandwidthProof::trees(Progress& progress) {
  if (translations_ != nullptr) return translated_trees(progress);
  const BandwidthProblem& problem = groups_.front();
  const bool priced = groups_.size() > 1 || problem.powers.any() || is_uneven_sum(problem);
  WholeTrees best;
  if (groups_.size() == 1 && is_uneven_sum(problem)) {
    if (std::optional<WholeTrees> both = trees_both_ways(progress)) return std::move(*both);
  }
  if (priced) {
    if (!flow_) {
      flow_ =
          pack_trees(groups_, {.gap = kTreeGap / 2, .enough = time_.value(), .threads = threads_}, progress);
    }
    best = whole_trees(groups_, *flow_, time_, kTreeGap);
    if (best.verdict.time <= time_) return best;
  }
  std::optional<WholeTrees> plain = trees_without_powers(progress);
  if (plain && (!priced || plain->verdict.time < best.verdict.time)) best = std::move(*plain);
  take_lesser_powers(best, progress);
  if (!best.verdict.valid())
    throw std::runtime_error("the trees do not pass the checker: " + best.verdict.fault);
  return best;
}

std::string BandwidthProof::text() const {
  if (cut_) return cut_text(*cut_, groups_.front().backward ? "leave" : "enter");
  if (all_reduce_) return parts_text(all_reduce_->proof);
  if (reduce_) {
    if (const auto* cut = std::get_if<BandwidthCut>(&reduce_->proof)) return cut_text(*cut, "enter");
    if (const auto* channels = std::get_if<ChannelBound>(&reduce_->proof))
      return channels_text(*groups_.front().graph, *channels);
    return parts_text(std::get<PartitionBound>(reduce_->proof));
  }
  if (lengths_->time() < time_) return "what one of the groups takes alone";
  return fmt::format("lengths of channels: {} of cheapest trees, {} of capacity times length",
                     grouped(lengths_->costs), grouped(lengths_->capacity));
}

std::string BandwidthProof::reserve() const {
  const bool trees_only = lengths_ && lengths_->of_trees_only && lengths_->time() == time_;
  return trees_only ? "holds for sums along trees to a node and from it" : "";
}

Json BandwidthProof::json() const {
  if (cut_) return cut_json(*cut_);
  if (all_reduce_) return parts_json(all_reduce_->proof);
  if (reduce_) {
    if (const auto* cut = std::get_if<BandwidthCut>(&reduce_->proof)) return cut_json(*cut);
    if (const auto* channels = std::get_if<ChannelBound>(&reduce_->proof))
      return channels_json(*groups_.front().graph, *channels);
    return parts_json(std::get<PartitionBound>(reduce_->proof));
  }
  const NodeGraph& graph = *groups_.front().graph;
  const bool backward = groups_.front().backward;
  Json lengths = Json::array();
  for (const ArcId a : graph.arcs()) {
    if (lengths_->length[a.value] == 0) continue;
    const NodeId from = backward ? graph.head(a) : graph.tail(a),
                 to = backward ? graph.tail(a) : graph.head(a);
    lengths.push_back({from.value, to.value, lengths_->length[a.value]});
  }
  return {{"lengths", std::move(lengths)}, {"costs", lengths_->costs}, {"capacity", lengths_->capacity}};
}

}  // namespace unknot::cli
