// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/bounds/thesis_formulas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>

namespace unknot {
namespace {

constexpr std::uint32_t kMostNodes = 20;  // of a set whose least bisection is sought among all

std::uint64_t divided(std::uint64_t a, std::uint64_t b) {
  return (a + b - 1) / b;
}

/// Least s with base^s >= n.
std::uint64_t logarithm(std::uint64_t base, std::uint64_t n) {
  std::uint64_t steps = 0;
  for (std::uint64_t reached = 1; reached < n; reached *= base) ++steps;
  return steps;
}

/// Who takes part, as chapter 3 counts them.
struct Parties {
  explicit Parties(const Problem& problem) : graph(*problem.graph), roles(problem.roles()) {
    for (const NodeId n : graph.nodes()) {
      const Role role = roles[n.value];
      const bool sends = role == Role::transmitter || role == Role::both;
      const bool receives = role == Role::receiver || role == Role::both;
      transmitters += sends ? 1 : 0;
      receivers += receives ? 1 : 0;
      if (role == Role::both) both.push_back(n);
      if (sends) most_ports = std::max(most_ports, problem.send_limit(n));
      if (receives) {
        least_receive = std::min(least_receive, problem.receive_limit(n));
        if (problem.delivery == Delivery::broadcast) most_ports = std::max(most_ports, problem.send_limit(n));
      }
    }
  }
  /// Messages a step on the arcs from nodes of one role straight to nodes of another.
  [[nodiscard]] std::uint64_t channels(Role from, Role to) const {
    std::uint64_t sum = 0;
    for (const ArcId a : graph.arcs()) {
      if (roles[graph.tail(a).value] == from && roles[graph.head(a).value] == to) sum += graph.capacity(a);
    }
    return sum;
  }
  const NodeGraph& graph;
  std::vector<Role> roles;
  std::uint64_t transmitters = 0, receivers = 0;  // M and N
  std::vector<NodeId> both;                       // Q of them
  std::uint32_t most_ports = 1;
  std::uint32_t least_receive = std::numeric_limits<std::uint32_t>::max();
};

/// Channels, both ways, of a cut of the nodes in halves: the least one for few nodes, else the one in the
/// middle of their numbers. Paths outside the nodes do not count.
std::optional<std::uint64_t> bisection(const NodeGraph& graph, const std::vector<NodeId>& nodes) {
  const auto n = static_cast<std::uint32_t>(nodes.size());
  if (n < 2) return std::nullopt;
  struct Between {
    std::uint32_t a, b;
    std::uint64_t capacity;
  };
  std::vector<std::uint32_t> place(graph.node_count(), n);
  for (std::uint32_t i = 0; i < n; ++i) place[nodes[i].value] = i;
  std::vector<Between> arcs;
  for (const ArcId a : graph.arcs()) {
    const std::uint32_t from = place[graph.tail(a).value], to = place[graph.head(a).value];
    if (from < n && to < n) arcs.push_back({from, to, graph.capacity(a)});
  }
  const auto cut = [&](auto side) {
    std::uint64_t sum = 0;
    for (const Between& one : arcs) sum += side(one.a) != side(one.b) ? one.capacity : 0;
    return sum;
  };
  if (n > kMostNodes) return cut([&](std::uint32_t i) { return i < n / 2; });
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (std::uint32_t half = 0; half < 1U << (n - 1); ++half) {
    const auto size = static_cast<std::uint32_t>(std::popcount(half));
    if (size != n / 2 && size != n - n / 2) continue;
    least = std::min(least, cut([&](std::uint32_t i) { return (half >> i & 1U) != 0; }));
  }
  return least;
}

class Formulas {
 public:
  explicit Formulas(const Problem& problem) : problem_(problem), who_(problem) {}

  std::vector<ThesisFormula> all() {
    // Every transmitter has something for every receiver.
    if (problem_.messages() != who_.transmitters * who_.receivers - who_.both.size()) return {};
    const std::uint64_t everyone = who_.both.size();
    const bool all_to_all = who_.transmitters == everyone && who_.receivers == everyone;
    if (problem_.delivery == Delivery::broadcast) {
      broadcast(all_to_all);
    } else if (problem_.groups() == 1) {
      const std::uint64_t messages = problem_.messages(), k = problem_.send_limit(problem_.owner[0]);
      add("3.4", "(P-1)/k", fmt::format("P-1={}, k={}", messages, k), divided(messages, k), true, "");
    } else if (all_to_all) {
      all_to_all_scatter();
    } else {
      many_to_many_scatter();
    }
    return std::move(rows_);
  }

 private:
  void add(std::string equation, std::string text, std::string numbers, std::uint64_t steps, bool holds,
           std::string remark) {
    rows_.push_back(
        {std::move(equation), std::move(text), std::move(numbers), steps, holds, std::move(remark)});
  }

  void broadcast(bool all_to_all) {
    const std::uint64_t m = who_.transmitters, n = who_.receivers, k = who_.most_ports;
    const std::uint64_t receive = who_.least_receive;
    if (m == 1 && who_.both.empty()) {
      add("3.3", "log_{k+1} P", fmt::format("P={}, k={}", n + 1, k), logarithm(k + 1, n + 1), true, "");
    } else if (all_to_all) {
      add("3.5", "max((P-1)/k, log_{k+1} P)", fmt::format("P={}, k={} to {}", n, receive, k),
          std::max(divided(n - 1, receive), logarithm(k + 1, n)), true, "");
    } else {
      // Only a node that transmits nothing has to take all M.
      const bool apart = who_.both.size() < n;
      const std::uint64_t taken = apart ? m : m - 1;
      add("3.7", "max(log_{k+1} N, M/k)", fmt::format("M={}, N={}, k={} to {}", m, n, receive, k),
          std::max(logarithm(k + 1, n), divided(taken, receive)), true,
          who_.both.empty() ? fmt::format("no transmitter is a receiver: log_{{k+1}} (N+1) = {} holds too",
                                          logarithm(k + 1, n + 1))
                            : (apart ? "" : "every receiver transmits: M-1 in place of M"));
    }
  }

  void all_to_all_scatter() {
    const std::uint64_t p = who_.both.size(), crossing = 2 * (p / 2) * (p - p / 2);
    std::uint64_t distances = 0, channels = 0;
    std::vector<std::uint32_t> hops;
    for (const NodeId from : who_.both) {
      who_.graph.distances_from(from, hops);
      for (const NodeId to : who_.both) distances += hops[to.value];
    }
    for (const ArcId a : who_.graph.arcs()) channels += who_.graph.capacity(a);
    const std::uint64_t by_distance = divided(distances, channels);
    const std::string numbers = fmt::format("sum of distances {}, {} channels", distances, channels);
    const std::optional<std::uint64_t> cut =
        p == who_.graph.node_count() ? bisection(who_.graph, who_.both) : std::nullopt;
    if (!cut || *cut == 0) {
      add("3.6", "sum/(P d)", numbers, by_distance, true, "without the bisection: not all nodes send");
      return;
    }
    add("3.6", "max((P^2/2 + 2 Delta)/B_C, sum/(P d))", fmt::format("P={}, B_C={}, {}", p, *cut, numbers),
        std::max(divided(crossing, *cut), by_distance), true,
        p % 2 == 0
            ? "Delta is left at 0"
            : fmt::format("Delta is left at 0; P is odd: {} messages cross, fewer than P^2/2", crossing));
    add("8.2", "max(P^2/B_C, sum/(P d))", fmt::format("P={}, B_C={}, {}", p, *cut, numbers),
        std::max(divided(p * p, *cut), by_distance), false,
        "P^2/B_C is twice what crosses: a misprint for P^2/(2 B_C)");
  }

  void many_to_many_scatter() {
    const std::uint64_t m = who_.transmitters, n = who_.receivers, q = who_.both.size();
    const std::uint64_t b1 = who_.channels(Role::transmitter, Role::both);
    const std::uint64_t b2 = who_.channels(Role::both, Role::receiver);
    const std::optional<std::uint64_t> cut = bisection(who_.graph, who_.both);
    const std::uint64_t b0 = cut.value_or(0) / 2;  // one way
    const char* const why = "paths may leave the sub-networks, and phases may overlap";
    const std::string numbers = fmt::format("M={}, N={}, Q={}, b0={}, b1={}, b2={}", m, n, q, b0, b1, b2);
    const auto over = [](std::uint64_t a, std::uint64_t b) { return b == 0 ? 0 : divided(a, b); };
    if (q == n && b1 > 0) {
      add("3.15", "max((P-N) N/b1, N^2/(2 b0))", numbers,
          std::max(over((m - n) * n, b1), over(n * n, 2 * b0)), false, why);
    } else if (q == m && b2 > 0) {
      add("3.17", "max(M (P-M)/b1, M^2/(2 b0))", numbers,
          std::max(over(m * (n - m), b2), over(m * m, 2 * b0)), false, why);
    } else if (q > 0 && b1 > 0 && b2 > 0) {
      const std::uint64_t first = std::max(over((m - q) * q, b1), over(q * (n - q), b2));
      const std::uint64_t second =
          std::max(over((m - q) * (n - q), std::min(b1, b2)), over(q * (q - 1), 2 * b0));
      add("3.13", "tau_1 + tau_2 of 3.11 and 3.12", numbers, first + second, false, why);
    }
  }

  const Problem& problem_;
  Parties who_;
  std::vector<ThesisFormula> rows_;
};

}  // namespace

std::vector<ThesisFormula> thesis_formulas(const Problem& problem) {
  const bool backwards = problem.delivery == Delivery::reduction || problem.is_gather();
  return backwards ? Formulas(time_reversed(problem)).all() : Formulas(problem).all();
}

}  // namespace unknot
