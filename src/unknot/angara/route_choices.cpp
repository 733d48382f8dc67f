// SPDX-License-Identifier: Apache-2.0
#include "unknot/angara/route_choices.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <optional>

#include "unknot/angara/route_search.hpp"
#include "unknot/support/parallel.hpp"
#include "unknot/support/shared_progress.hpp"

namespace unknot::angara {

/// Writes the rows of one worker's sources.
class ChoiceWriter {
 public:
  explicit ChoiceWriter(const RoutingGraph& graph)
      : graph_(graph), torus_(graph.torus()), network_(graph.torus().network()) {}

  void write(TerminalId source, RouteChoices::Row& row) {
    from_ = network_.router_of(source).value;
    searched_ = false;
    row.first.reserve(network_.terminal_count() + std::size_t{1});
    for (const TerminalId t : network_.terminals()) {
      row.first.push_back(static_cast<std::uint32_t>(row.codes.size()));
      const std::uint32_t to = network_.router_of(t).value;
      if (to == from_) continue;
      const std::size_t before = row.codes.size();
      direct(to, row.codes);
      if (row.codes.size() == before) search(to, row.codes);
    }
    row.first.push_back(static_cast<std::uint32_t>(row.codes.size()));
    row.codes.shrink_to_fit();
  }

 private:
  /// Routes as long as the distance go each dimension the shorter way round, or either where both are equal.
  /// In every such route the order of directions is that of the code, but for a first step brought forward
  /// and a last step put back.
  void direct(std::uint32_t to, std::vector<RouteCode>& codes) {
    std::array<bool, kMostDimensions> either{};
    RouteCode shortest;
    for (std::uint32_t d = 0; d < torus_.dimensions(); ++d) {
      const auto size = static_cast<std::int32_t>(torus_.extent(d));
      const std::int32_t apart = static_cast<std::int32_t>(torus_.coordinate(to, d)) -
                                 static_cast<std::int32_t>(torus_.coordinate(from_, d));
      const std::int32_t up = apart < 0 ? apart + size : apart;
      if (size == 2) {
        shortest.set_steps(d, apart);
      } else {
        shortest.set_steps(d, 2 * up <= size ? up : up - size);
        either[d] = 2 * up == size;
      }
    }
    ways(0, either, shortest, to, codes);
  }

  void ways(std::uint32_t d, const std::array<bool, kMostDimensions>& either, RouteCode code,
            std::uint32_t to, std::vector<RouteCode>& codes) {
    while (d < torus_.dimensions() && !either[d]) ++d;
    if (d == torus_.dimensions()) {
      orders(code, to, codes);
      return;
    }
    ways(d + 1, either, code, to, codes);
    code.set_steps(d, -code.steps(d));
    ways(d + 1, either, code, to, codes);
  }

  /// The code itself, and with first and last steps out of order.
  void orders(RouteCode code, std::uint32_t to, std::vector<RouteCode>& codes) {
    take(code, to, codes);
    if (graph_.turns().count() == 0) return;
    const std::uint32_t n = torus_.dimensions();
    std::uint32_t lowest = n;   // positive dimension that comes first
    std::uint32_t highest = n;  // negative dimension that comes last
    for (std::uint32_t d = 0; d < n; ++d) {
      if (code.steps(d) > 0 && lowest == n) lowest = d;
      if (code.steps(d) < 0) highest = d;
    }
    for (std::uint32_t first = 0; first <= n; ++first) {  // n: none
      if (first < n && (code.steps(first) <= 0 || first == lowest)) continue;
      for (std::uint32_t last = 0; last <= n; ++last) {
        if (last < n && (code.steps(last) >= 0 || last == highest)) continue;
        if (first == n && last == n) continue;
        RouteCode other = code;
        if (first < n) {
          other.set_first_step(static_cast<Direction>(first));
          other.set_steps(first, code.steps(first) - 1);
        }
        if (last < n) {
          other.set_last_step(static_cast<Direction>(n + last));
          other.set_steps(last, code.steps(last) + 1);
        }
        take(other, to, codes);
      }
    }
  }

  void take(RouteCode code, std::uint32_t to, std::vector<RouteCode>& codes) {
    std::uint32_t before = Torus::kNone;
    bool legal = true;
    const std::uint32_t end = walk(torus_, from_, code, [&](std::uint32_t slot) {
      if (before != Torus::kNone && torus_.direction(slot) < torus_.direction(before) &&
          !graph_.turns().allowed(before, torus_.direction(slot)))
        legal = false;
      before = slot;
    });
    if (legal && end == to) codes.push_back(code);
  }

  /// Failures are in the way of all routes of that length.
  void search(std::uint32_t to, std::vector<RouteCode>& codes) {
    if (!search_) search_.emplace(graph_);
    if (!searched_) search_->run(from_);
    searched_ = true;
    search_->list(to, codes);
  }

  const RoutingGraph& graph_;
  const Torus& torus_;
  const Network& network_;
  std::uint32_t from_ = 0;
  std::optional<RouteSearch> search_;
  bool searched_ = false;  // from the present source
};

RouteChoices::RouteChoices(const RoutingGraph& graph, std::uint32_t threads, Progress& progress)
    : rows_(graph.torus().network().terminal_count()) {
  const std::uint32_t terminals = terminal_count();
  if (threads == 0) threads = hardware_threads();
  threads = std::max(1U, std::min(threads, terminals));
  std::vector<std::unique_ptr<ChoiceWriter>> writers(threads);
  SharedProgress shared(progress, "listing routes", terminals);
  parallel_blocks(terminals, 1, threads, [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
    if (!writers[worker]) writers[worker] = std::make_unique<ChoiceWriter>(graph);
    for (std::uint32_t s = begin; s < end; ++s) {
      writers[worker]->write(TerminalId(s), rows_[s]);
      shared.step();
    }
  });
}

std::uint64_t RouteChoices::route_count() const {
  std::uint64_t sum = 0;
  for (const Row& row : rows_) sum += row.codes.size();
  return sum;
}

std::uint64_t RouteChoices::unroutable_pairs() const {
  std::uint64_t sum = 0;
  for (std::uint32_t s = 0; s < terminal_count(); ++s) {
    for (std::uint32_t d = 0; d < terminal_count(); ++d) sum += s != d && of(s, d).empty() ? 1U : 0U;
  }
  return sum;
}

double RouteChoices::single_route_share() const {
  std::uint64_t single = 0;
  std::uint64_t routable = 0;
  for (std::uint32_t s = 0; s < terminal_count(); ++s) {
    for (std::uint32_t d = 0; d < terminal_count(); ++d) {
      routable += of(s, d).empty() ? 0U : 1U;
      single += of(s, d).size() == 1 ? 1U : 0U;
    }
  }
  return routable == 0 ? 0 : static_cast<double>(single) / static_cast<double>(routable);
}

std::uint64_t RouteChoices::total_hops() const {
  std::uint64_t sum = 0;
  for (std::uint32_t s = 0; s < terminal_count(); ++s) {
    for (std::uint32_t d = 0; d < terminal_count(); ++d) {
      if (!of(s, d).empty()) sum += of(s, d).front().hops();
    }
  }
  return sum;
}

}  // namespace unknot::angara
