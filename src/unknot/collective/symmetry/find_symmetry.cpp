// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "unknot/collective/symmetry/automorphisms.hpp"
#include "unknot/collective/symmetry/far_subgroups.hpp"
#include "unknot/collective/symmetry/problem_graph.hpp"
#include "unknot/collective/symmetry/symmetry.hpp"
#include "unknot/support/random.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kSamples = 24;         // elements of a group that are looked at
constexpr std::uint32_t kCandidates = 6;       // of their powers, whose centralisers are computed
constexpr std::uint32_t kMostListed = 50'000;  // messages that become vertices
constexpr std::uint64_t kMostPower = std::uint64_t{1} << 40U;
constexpr std::size_t kMostImages = std::size_t{1} << 28U;

/// Random elements of a group by product replacement. [Celler et al. 1995]
class RandomElements {
 public:
  RandomElements(const std::vector<Permutation>& generators, Random& random)
      : elements_(generators), random_(&random) {
    for (std::size_t i = 0; elements_.size() < kLeast; ++i)
      elements_.push_back(generators[i % generators.size()]);
    for (std::size_t i = 0; i < 5 * elements_.size(); ++i) (void)next();
  }
  const Permutation& next() {
    const auto count = static_cast<std::uint32_t>(elements_.size());
    const std::uint32_t i = random_->below(count), j = (i + 1 + random_->below(count - 1)) % count;
    product_.resize(elements_[i].size());
    for (std::size_t v = 0; v < product_.size(); ++v) product_[v] = elements_[i][elements_[j][v]];
    std::swap(elements_[i], product_);
    return elements_[i];
  }

 private:
  static constexpr std::size_t kLeast = 10;
  std::vector<Permutation> elements_;
  Permutation product_;
  Random* random_;
};

struct Step {
  Permutation generator;  // of nodes
  std::uint32_t index = 0;
};

class Search {
 public:
  Search(const Problem& problem, std::function<bool()> stop)
      : graph_(problem.graph.get()), roles_(problem.roles()), stop_(std::move(stop)) {
    base_ = coloured_graph(problem);
    nodes_ = graph_->node_count();
    for (const NodeId n : graph_->nodes()) {
      if (roles_[n.value] != Role::switch_only) ends_.push_back(n.value);
    }
    // Where every node takes part, arcs move because their ends do.
    points_ = nodes_ + (ends_.size() < nodes_ ? graph_->arc_count() : 0);
    whole_ = automorphisms(base_, stop_);
  }

  /// From now on elements may leave one node in place.
  void allow_fixed_node() {
    one_fixed_ = true;
    points_ = nodes_ + graph_->arc_count();
  }

  [[nodiscard]] bool stopped() const { return stop_ && stop_(); }
  [[nodiscard]] bool has_automorphisms() const { return !whole_.generators.empty(); }
  [[nodiscard]] const std::vector<std::uint32_t>& ends() const { return ends_; }

  /// Tells apart what automorphisms swap in some places and leave in all others, so that those alone remain
  /// which move everything at once: by colours for what moves next to what does not. False where there is
  /// no such thing.
  bool break_local_swaps() {
    const std::uint32_t fresh = *std::max_element(base_.colour.begin(), base_.colour.end()) + 1;
    std::vector<std::uint8_t> beside(base_.colour.size());
    bool any = false;
    for (const Permutation& swap : whole_.generators) {
      const auto moved = std::count_if(ends_.begin(), ends_.end(), [&](auto v) { return swap[v] != v; });
      if (2 * static_cast<std::size_t>(moved) >= ends_.size()) continue;
      std::fill(beside.begin(), beside.end(), std::uint8_t{0});
      for (const auto& [from, to] : base_.arcs) {
        if (swap[from] == from) beside[to] = 1;
      }
      for (std::uint32_t v = 0; v < swap.size(); ++v) {
        // The rest of the cycle gets a colour of its own.
        if (swap[v] <= v || beside[v] == 0 || base_.colour[v] >= fresh) continue;
        for (std::uint32_t w = swap[v], rank = 0; w != v; w = swap[w], ++rank) base_.colour[w] = fresh + rank;
        any = true;
      }
    }
    if (any) whole_ = automorphisms(base_, stop_);
    return any;
  }

  /// A commutative group: `greedy` says whether of all steps the one is taken that commutes with most others.
  Symmetry grow(std::uint32_t most, bool greedy, Random& random) {
    Symmetry group(nodes_);
    orbit_.resize(points_);
    std::iota(orbit_.begin(), orbit_.end(), 0U);
    Automorphisms around = whole_;
    ColouredGraph coloured = base_;
    while (!around.generators.empty() && !stopped()) {
      std::optional<Step> best;
      Automorphisms best_around;
      std::vector<Step> steps = candidates(group, around, most, random, [&](const Step& step) {
        return !one_fixed_ || moves_all(group, step);
      });
      if (!greedy && steps.size() > 1) {
        std::swap(steps.front(), steps[random.below(static_cast<std::uint32_t>(steps.size()))]);
        steps.resize(1);
      }
      for (Step& step : steps) {
        Automorphisms centraliser = automorphisms(with_generator(coloured, step.generator), stop_);
        if (best && centraliser.log_order <= best_around.log_order) continue;
        best = std::move(step);
        best_around = std::move(centraliser);
      }
      if (!best) break;
      group.extend(best->generator, best->index);
      coloured = with_generator(coloured, best->generator);
      join_orbits(on_points(best->generator));
      around = std::move(best_around);
    }
    return group;
  }

  /// Goes on from what grow() has just made by elements that map it to itself as a whole.
  void grow_on(Symmetry& group, std::uint32_t most, Random& random) {
    while (group.order() * std::size_t{points_} <= kMostPoints && !stopped()) {
      const Automorphisms around = automorphisms(with_group(group), stop_);
      if (around.generators.empty()) return;
      const std::vector<Step> steps = candidates(group, around, most, random, [&](const Step& step) {
        return normalises(group, step.generator) && moves_all(group, step);
      });
      if (steps.empty()) return;
      const Step& step = steps[random.below(static_cast<std::uint32_t>(steps.size()))];
      group.extend(step.generator, step.index);
      join_orbits(on_points(step.generator));
    }
  }

 private:
  static constexpr std::size_t kMostPoints = 4'000'000, kMostMoves = 20'000;

  /// Automorphisms of the result map the group to itself: the arcs of each element hang on a vertex of its
  /// own, or, where that is too much to write, the nodes of each orbit do.
  [[nodiscard]] ColouredGraph with_group(const Symmetry& group) const {
    ColouredGraph result = base_;
    const std::uint32_t colour = *std::max_element(base_.colour.begin(), base_.colour.end()) + 1;
    const auto add_vertex = [&](std::uint32_t of_colour) {
      result.colour.push_back(of_colour);
      return static_cast<std::uint32_t>(result.colour.size()) - 1;
    };
    if (std::size_t{group.order()} * nodes_ <= kMostMoves) {
      for (std::uint32_t e = 1; e < group.order(); ++e) {
        const std::uint32_t element = add_vertex(colour);
        for (std::uint32_t n = 0; n < nodes_; ++n) {
          const std::uint32_t move = add_vertex(colour + 1);
          result.arcs.emplace_back(element, move);
          result.arcs.emplace_back(n, move);
          result.arcs.emplace_back(move, group.image(e, NodeId(n)).value);
        }
      }
      return result;
    }
    std::vector<std::uint32_t> vertex(nodes_);  // by node: of its orbit, whose least node comes first
    for (std::uint32_t n = 0; n < nodes_; ++n) {
      vertex[n] = orbit_[n] == n ? add_vertex(colour) : vertex[orbit_[n]];
      result.arcs.emplace_back(n, vertex[n]);
    }
    return result;
  }

  [[nodiscard]] bool normalises(const Symmetry& group, const Permutation& element) const {
    Permutation conjugate(nodes_);
    for (const std::uint32_t order : group.subgroup_orders()) {
      if (order == group.order()) break;
      const auto generator = group.images(order);
      for (std::uint32_t n = 0; n < nodes_; ++n) conjugate[element[n]] = element[generator[n]];
      if (!contains(group, conjugate)) return false;
    }
    return true;
  }

  /// No new element leaves more in place than it may.
  [[nodiscard]] bool moves_all(const Symmetry& group, const Step& step) const {
    Symmetry larger = group;
    larger.extend(step.generator, step.index);
    for (std::uint32_t e = group.order(); e < larger.order(); ++e) {
      const auto images = larger.images(e);
      const auto fixed = std::count_if(ends_.begin(), ends_.end(), [&](auto n) { return images[n] == n; });
      if (fixed > (one_fixed_ ? 1 : 0)) return false;
      for (const ArcId a : graph_->arcs()) {
        const NodeId tail = graph_->tail(a), head = graph_->head(a);
        if (images[tail.value] == tail.value && images[head.value] == head.value) return false;
      }
    }
    return true;
  }

  /// Steps to larger groups, none twice.
  template <class Accept>
  std::vector<Step> candidates(const Symmetry& group, const Automorphisms& around, std::uint32_t most,
                               Random& random, const Accept& accept) {
    std::vector<Step> steps;
    std::set<Permutation> seen;
    RandomElements elements(around.generators, random);
    for (std::uint32_t i = 0; i < kSamples && steps.size() < kCandidates && !stopped(); ++i) {
      const Permutation sample = i < around.generators.size() ? around.generators[i] : elements.next();
      for (Step& step : steps_of(group, on_points(sample), most)) {
        if (steps.size() < kCandidates && seen.insert(step.generator).second && accept(step))
          steps.push_back(std::move(step));
      }
    }
    return steps;
  }

  /// The powers of an element, which maps the group to itself, that move the orbits of all points in cycles
  /// of one prime length, and whose power of that prime is in the group.
  std::vector<Step> steps_of(const Symmetry& group, const Permutation& element, std::uint32_t most) const {
    std::vector<std::uint64_t> lengths;  // of cycles of orbits
    std::vector<std::uint8_t> done(points_, 0);
    const auto follow = [&](std::uint32_t point) {
      std::uint64_t length = 0;
      for (std::uint32_t p = orbit_[point]; done[p] == 0; p = orbit_[element[p]]) {
        done[p] = 1;
        ++length;
      }
      if (length > 0) lengths.push_back(length);
    };
    for (std::size_t i = 0; i < ends_.size() && !one_fixed_; ++i) follow(ends_[i]);
    for (std::uint32_t p = nodes_; p < points_; ++p) follow(p);
    std::sort(lengths.begin(), lengths.end());
    lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
    std::uint64_t all = 1;
    for (const std::uint64_t length : lengths) {
      all = std::lcm(all, length);
      if (all > kMostPower) return {};
    }
    std::vector<Step> steps;
    std::uint64_t rest = lengths.front();
    for (std::uint64_t prime = 2; prime <= rest; ++prime) {
      if (rest % prime != 0) continue;
      while (rest % prime == 0) rest /= prime;
      const auto times = [&](std::uint64_t length) {
        std::uint32_t count = 0;
        for (; length % prime == 0; length /= prime) ++count;
        return count;
      };
      const std::uint32_t wanted = times(lengths.front());
      if (!std::all_of(lengths.begin(), lengths.end(), [&](auto l) { return times(l) == wanted; })) continue;
      if (group.order() * prime > most || group.order() * prime * nodes_ > kMostImages) continue;
      Permutation generator = power(element, all / prime);
      if (!contains(group, power(generator, prime))) continue;
      steps.push_back({std::move(generator), static_cast<std::uint32_t>(prime)});
    }
    return steps;
  }

  /// Of its nodes.
  [[nodiscard]] Permutation power(const Permutation& element, std::uint64_t exponent) const {
    Permutation result(nodes_);
    std::vector<std::uint8_t> done(nodes_, 0);
    std::vector<std::uint32_t> cycle;
    for (std::uint32_t n = 0; n < nodes_; ++n) {
      if (done[n] != 0) continue;
      cycle.clear();
      for (std::uint32_t v = n; done[v] == 0; v = element[v]) {
        done[v] = 1;
        cycle.push_back(v);
      }
      for (std::size_t i = 0; i < cycle.size(); ++i) result[cycle[i]] = cycle[(i + exponent) % cycle.size()];
    }
    return result;
  }

  [[nodiscard]] bool contains(const Symmetry& group, const Permutation& element) const {
    for (std::uint32_t e = 0; e < group.order(); ++e) {
      const auto images = group.images(e);
      if (std::equal(images.begin(), images.end(), element.begin())) return true;
    }
    return false;
  }

  /// Continued to arcs, where those count.
  [[nodiscard]] Permutation on_points(const Permutation& element) const {
    Permutation result(element.begin(), element.begin() + nodes_);
    for (std::uint32_t a = 0; nodes_ + a < points_; ++a) {
      const NodeId tail = graph_->tail(ArcId(a)), head = graph_->head(ArcId(a));
      result.push_back(nodes_ + graph_->find(NodeId(element[tail.value]), NodeId(element[head.value])).value);
    }
    return result;
  }

  void join_orbits(const Permutation& element) {
    std::vector<std::uint32_t> least = orbit_;
    std::vector<std::uint8_t> done(points_, 0);
    for (std::uint32_t p = 0; p < points_; ++p) {
      // The first orbit of a cycle has its least point.
      for (std::uint32_t q = orbit_[p]; done[q] == 0; q = orbit_[element[q]]) {
        done[q] = 1;
        least[q] = orbit_[p];
      }
    }
    for (std::uint32_t& o : orbit_) o = least[o];
  }

  /// Automorphisms of the result commute with the generator: its arcs have a colour of their own.
  [[nodiscard]] ColouredGraph with_generator(const ColouredGraph& coloured,
                                             const Permutation& generator) const {
    ColouredGraph result = coloured;
    const std::uint32_t colour = *std::max_element(coloured.colour.begin(), coloured.colour.end()) + 1;
    const auto first = static_cast<std::uint32_t>(coloured.colour.size());
    result.colour.resize(first + nodes_, colour);
    for (std::uint32_t n = 0; n < nodes_; ++n) {
      result.arcs.emplace_back(n, first + n);
      result.arcs.emplace_back(first + n, generator[n]);
    }
    return result;
  }

  const NodeGraph* graph_;
  std::vector<Role> roles_;
  std::function<bool()> stop_;
  std::uint32_t nodes_ = 0, points_ = 0;
  std::vector<std::uint32_t> ends_;  // nodes that take part
  bool one_fixed_ = false;
  ColouredGraph base_;
  Automorphisms whole_;
  std::vector<std::uint32_t> orbit_;  // by point: the least one of its orbit
};

}  // namespace

Symmetry find_symmetry(const Problem& problem, const SymmetryOptions& options) {
  Symmetry best(problem.graph->node_count());
  if (problem.messages() > kMostListed && !is_complete(problem)) return best;
  Search search(problem, options.stop);
  if (!search.has_automorphisms()) return best;
  const std::uint32_t most = options.most;
  const auto enough = [&] {
    return best.order() == search.ends().size() || best.order() == most || search.stopped();
  };
  std::uint64_t stream = 0;
  const auto try_some = [&] {
    for (std::uint32_t i = 0; i < options.tries && !enough(); ++i) {
      Random random(options.seed, stream++);
      Symmetry group = search.grow(most, i % 2 == 0, random);
      if (group.order() < search.ends().size()) search.grow_on(group, most, random);
      if (group.order() > best.order()) best = std::move(group);
    }
  };
  try_some();
  if (!enough() && options.fixed_node && problem.delivery == Delivery::scatter) {
    search.allow_fixed_node();
    try_some();
  }
  while (!enough() && search.break_local_swaps()) try_some();
  return far_subgroups(*problem.graph, best, search.ends());
}

}  // namespace unknot
