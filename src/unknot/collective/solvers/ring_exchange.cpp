// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/solvers/ring_exchange.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "unknot/support/error.hpp"

namespace unknot {

bool RingExchange::takes(const RingProduct& product) {
  return product.dimensions() >= 2 && std::all_of(product.sizes.begin(), product.sizes.end(),
                                                  [](std::uint32_t size) { return size % 2 == 0; });
}

std::uint32_t RingExchange::least_steps(const RingProduct& product) {
  const std::uint32_t largest = *std::max_element(product.sizes.begin(), product.sizes.end());
  return static_cast<std::uint32_t>(std::uint64_t{product.node.size()} * largest / 8);
}

RingExchange::RingExchange(const RingProduct& product) : product_(&product) {
  const std::uint32_t dimensions = product.dimensions();
  std::uint32_t classes = 1;
  for (std::uint32_t d = 0; d < dimensions; ++d) classes = std::lcm(classes, half(d));
  class_.resize(classes);
  for (std::uint32_t d = 0; d < dimensions; ++d) {
    if (half(d) > half(longest_)) longest_ = d;
    first_circle_.push_back(circles_);
    circles_ += classes / half(d);
    // Both directions of a ring of two nodes are one.
    first_circle_.push_back(product.sizes[d] == 2 ? first_circle_.back() : circles_);
    if (product.sizes[d] > 2) circles_ += classes / half(d);
  }
  const auto nodes = static_cast<std::uint32_t>(product.node.size());
  for (std::uint32_t i = 0; i < nodes; ++i) {
    std::uint32_t at = 0;
    for (std::uint32_t d = 0; d < dimensions; ++d)
      at = on_by(at, d, static_cast<std::int32_t>(product.coordinate(i, d)));
    class_[at].push_back(i);
  }

  // Opposite tours one after the other: they fill a block evenly.
  std::vector<std::uint8_t> done(nodes, 0);
  const auto add = [&](std::uint32_t to, bool on) {
    const Pair pair = pair_of(to, on);
    if (done[to] != 0 || pair.partner == to) return false;
    done[to] = done[pair.partner] = 1;
    add_pair(pair);
    return true;
  };
  for (std::uint32_t i = 0; i < nodes; ++i) {
    std::uint32_t opposite = 0;
    for (std::uint32_t d = 0; d < dimensions; ++d) {
      const std::uint32_t size = product.sizes[d];
      opposite += (size - product.coordinate(i, d)) % size * product.stride[d];
    }
    if (opposite == i) continue;
    add(i, true);
    add(opposite, true);
  }
  bool on = true;
  for (std::uint32_t i = 0; i < nodes; ++i) {
    if (add(i, on)) on = !on;
  }
  add_halves();
}

std::uint32_t RingExchange::on_by(std::uint32_t from, std::uint32_t dimension, std::int32_t hops) const {
  const std::int64_t all = classes(), step = all / half(dimension);
  return static_cast<std::uint32_t>(((from + hops * step) % all + all) % all);
}

std::uint32_t RingExchange::number(const Circle& circle, std::uint32_t from) const {
  return first_circle_[2 * circle.dimension + (circle.on ? 0 : 1)] +
         (circle.through + from) % (classes() / half(circle.dimension));
}

RingExchange::Pair RingExchange::pair_of(std::uint32_t to, bool on) const {
  Pair pair;
  const std::uint32_t dimensions = product_->dimensions();
  const auto is_either = [&](std::uint32_t d) { return product_->coordinate(to, d) % half(d) == 0; };
  for (std::uint32_t d = 0; d < dimensions; ++d) {
    if (is_either(d)) continue;
    on = product_->coordinate(to, d) < half(d);
    break;
  }
  for (std::uint32_t d = 0; d < dimensions; ++d) {
    const std::uint32_t size = product_->sizes[d], at = product_->coordinate(to, d);
    pair.on.push_back(is_either(d) ? on : at < half(d));
    const auto hops = static_cast<std::int32_t>(pair.on.back() ? at : (size - at) % size);
    pair.hops.push_back(pair.on.back() ? hops : -hops);
    pair.rest.push_back((pair.on.back() ? 1 : -1) * (static_cast<std::int32_t>(half(d)) - hops));
    pair.partner += (size + static_cast<std::uint32_t>(pair.rest.back())) % size * product_->stride[d];
  }
  return pair;
}

void RingExchange::add_pair(const Pair& pair) {
  Tour tour;
  std::uint32_t at = 0;
  for (std::uint32_t d = 0; d < product_->dimensions(); ++d) {
    tour.circles.push_back({d, pair.on[d], at});
    at = on_by(at, d, pair.hops[d]);
  }
  // The first is nothing to itself, the partner half a turn round every ring.
  if (std::any_of(pair.hops.begin(), pair.hops.end(), [](std::int32_t h) { return h != 0; }))
    tour.offers.push_back({.first = 0, .last_dimension_first = false, .hops = pair.hops});
  tour.offers.push_back({.first = at, .last_dimension_first = true, .hops = pair.rest});
  place(std::move(tour));
}

/// What goes a quarter of a turn along every ring is its own partner. Four of them share both directions of a
/// circle: two opposite ones, and two others that begin half a circle on.
void RingExchange::add_halves() {
  const std::uint32_t dimensions = product_->dimensions();
  for (std::uint32_t d = 0; d < dimensions; ++d) {
    if (half(d) % 2 != 0) return;
  }
  Tour tour;
  for (std::uint32_t signs = 0; signs < 1U << (dimensions - 1); ++signs) {
    for (const std::int32_t sign : {1, -1}) {
      Offer offer;
      offer.first = signs % 2 == 0 ? 0 : classes() / 2;
      for (std::uint32_t d = 0; d < dimensions; ++d) {
        const auto hops = static_cast<std::int32_t>(half(d) / 2);
        offer.hops.push_back((signs >> d & 1U) != 0 ? -sign * hops : sign * hops);
      }
      tour.offers.push_back(std::move(offer));
    }
    if (signs % 2 == 0) continue;
    for (std::uint32_t d = 0; d < dimensions; ++d) {
      tour.circles.push_back({d, true, 0});
      tour.circles.push_back({d, false, 0});
    }
    place(std::exchange(tour, {}));
  }
}

bool RingExchange::fits(const Block& block, const Tour& tour, std::uint32_t from) const {
  return std::none_of(tour.circles.begin(), tour.circles.end(),
                      [&](const Circle& circle) { return block.taken[number(circle, from)] != 0; });
}

void RingExchange::place(Tour tour) {
  std::size_t at = 0;
  std::uint32_t from = 0;
  for (; at < open_.size(); ++at) {
    const Block& block = blocks_[open_[at]];
    for (from = 0; from < classes() && !fits(block, tour, from); ++from) {
    }
    if (from < classes()) break;
  }
  if (at == open_.size()) {
    open_.push_back(static_cast<std::uint32_t>(blocks_.size()));
    const std::uint32_t directions = product_->sizes[longest_] == 2 ? 1 : 2;
    blocks_.push_back({{}, std::vector<std::uint8_t>(circles_, 0), directions * classes() / half(longest_)});
    from = 0;
  }
  Block& block = blocks_[open_[at]];
  for (const Circle& circle : tour.circles) {
    block.taken[number(circle, from)] = 1;
    if (circle.dimension == longest_) --block.room;
  }
  for (Offer& offer : tour.offers) {
    offer.first = (offer.first + from) % classes();
    block.offers.push_back(std::move(offer));
  }
  if (block.room == 0) open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(at));
}

Schedule RingExchange::schedule(std::uint32_t steps, Progress& progress) const {
  Schedule schedule;
  std::vector<NodeId> path;
  for (std::uint32_t s = 0; s < steps; ++s) {
    if (progress.interrupted()) throw Interrupted();
    progress.update(s);
    schedule.add_step();
    if (s >= this->steps()) continue;
    for (const Offer& offer : blocks_[s / classes()].offers) {
      for (const std::uint32_t sender : class_[(offer.first + s) % classes()]) {
        std::uint32_t at = sender;
        path.assign(1, product_->node[at]);
        for (std::uint32_t i = 0; i < offer.hops.size(); ++i) {
          const auto dimensions = static_cast<std::uint32_t>(offer.hops.size());
          const std::uint32_t d = offer.last_dimension_first ? dimensions - 1 - i : i;
          for (std::int32_t h = std::abs(offer.hops[d]); h > 0; --h) {
            at = product_->neighbour(at, d, offer.hops[d] > 0);
            path.push_back(product_->node[at]);
          }
        }
        schedule.add(path.front(), path);
      }
    }
  }
  return schedule;
}

namespace {

std::string refuses_exchange(const Problem& problem) {
  const NodeGraph& graph = *problem.graph;
  const std::uint64_t nodes = graph.node_count();
  if (problem.delivery != Delivery::scatter || problem.messages() != nodes * (nodes - 1))
    return "it is no scatter from all nodes to all others";
  if (graph.link_class() == LinkClass::half_duplex) return "links are half-duplex";
  for (const NodeId n : graph.nodes()) {
    if (problem.send_limit(n) < graph.out_capacity(n) || problem.receive_limit(n) < graph.in_capacity(n))
      return "nodes have fewer ports than channels";
  }
  const auto product = find_ring_product(graph);
  if (!product) return "the network is no torus and no hypercube";
  if (product->dimensions() < 2) return "the network is a single ring";
  if (!RingExchange::takes(*product)) return "a ring has an odd number of nodes";
  return {};
}

/// Where the largest half is no multiple of the others, the order of the dimensions decides which circles
/// are in the way of which: of some orders, the one of fewest steps.
RingProduct best_order(RingProduct product) {
  constexpr std::uint32_t kMostOrders = 24;
  std::vector<std::uint32_t> order(product.dimensions());
  std::iota(order.begin(), order.end(), 0U);
  std::uint32_t fewest = RingExchange(product).steps();
  const RingProduct given = product;
  for (std::uint32_t i = 1; i < kMostOrders && fewest > RingExchange::least_steps(product); ++i) {
    if (!std::next_permutation(order.begin(), order.end())) break;
    RingProduct other{.sizes = {}, .stride = {}, .node = given.node};
    for (const std::uint32_t d : order) {
      other.sizes.push_back(given.sizes[d]);
      other.stride.push_back(given.stride[d]);
    }
    const std::uint32_t steps = RingExchange(other).steps();
    if (steps >= fewest) continue;
    fewest = steps;
    product = std::move(other);
  }
  return product;
}

/// In this many steps; 0: as many as it takes, or as are needed.
Solution make_exchange(const Problem& problem, std::uint32_t steps, std::uint32_t at_least,
                       Progress& progress) {
  const RingProduct product = best_order(*find_ring_product(*problem.graph));
  const RingExchange exchange(product);
  Solution found;
  found.steps = steps > 0 ? steps : std::max(exchange.steps(), at_least);
  progress.begin("steps", found.steps);
  found.schedule = exchange.schedule(found.steps, progress);
  found.conflicts = problem.messages() - found.schedule.transfer_count();
  found.evaluations = 1;
  return found;
}

}  // namespace

Solver ring_exchange_solver() {
  return {
      .name = "ring-exchange",
      .summary = "complete exchanges on tori of even sizes and hypercubes, made directly",
      .source = "after Hinrichs et al. 1994",
      .parameters = {},
      .unsuitable = refuses_exchange,
      .solve = [](const Problem& problem, std::uint32_t steps, const Parameters& /*parameters*/,
                  const SolveOptions& /*options*/,
                  Progress& progress) { return make_exchange(problem, steps, 1, progress); },
      .fewest = [](const Problem& problem, const Parameters& /*parameters*/, const SolveOptions& options,
                   Progress& progress) { return make_exchange(problem, 0, options.lower_bound, progress); }};
}

}  // namespace unknot
