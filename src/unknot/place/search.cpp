// SPDX-License-Identifier: Apache-2.0
#include "unknot/place/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "unknot/place/communication.hpp"
#include "unknot/place/scotch_map.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parallel.hpp"
#include "unknot/support/random.hpp"
#include "unknot/support/shared_progress.hpp"

namespace unknot::place {
namespace {

// In units of what the busiest channel adds to the sum that is lowered.
constexpr double kHot = 0.3;
constexpr double kWarm = 0.03;
constexpr double kCold = 0.0003;
/// Channels and cables that are looked through after every step; of more, now and then.
constexpr std::size_t kFewLinks = 128;

struct Start {
  std::string name;
  Placement placement;
  double temperature;
};

/// One search from one start, on a state of its own.
class Annealing {
 public:
  Annealing(PlacedLoad& state, const Places& places, const HostDistances& distances,
            const CommunicationMatrix& sent, const CommunicationMatrix& received, Random random)
      : state_(state),
        places_(places),
        distances_(distances),
        sent_(sent),
        received_(received),
        random_(random) {}

  /// Calls `check` now and then.
  template <class Check>
  Placement run(const Start& start, std::uint64_t routes, const Check& check) {
    state_.reset(start.placement);
    best_ = state_.cost();
    best_placement_ = start.placement;
    state_.set_scale(best_);
    const std::uint64_t first = state_.routes_walked();
    const std::uint64_t between = std::max<std::uint64_t>(1000, routes / 500);
    std::uint64_t work = 0;
    for (std::uint64_t next = between; work < routes; next += between) {
      const double share = static_cast<double>(work) / static_cast<double>(routes);
      const double temperature = start.temperature * std::pow(kCold / start.temperature, share);
      // what walks no route is work, too: the loop must end
      while (work < next) {
        step(temperature);
        work = state_.routes_walked() - first + idle_;
      }
      keep_best();
      check();
    }
    return best_placement_;
  }
  [[nodiscard]] const Cost& best() const { return best_; }

 private:
  void step(double temperature) {
    const std::uint32_t rank = random_.below(sent_.ranks);
    const std::uint32_t a = state_.placement()[rank];
    const std::uint32_t b = random_.below(2) == 0 ? random_.below(places_.count()) : near_partner(rank);
    ++idle_;
    if (places_.host_of(a) == places_.host_of(b)) return;
    const double change = state_.exchange(a, b);
    if (change > 0 && random_.unit() >= std::exp(-change / temperature)) {
      state_.undo();
    } else if (state_.links() <= kFewLinks) {
      take_if_better(state_.cost());
    }
  }

  /// A place on, or near, the host of someone that the rank exchanges something with.
  std::uint32_t near_partner(std::uint32_t rank) {
    const auto sends = static_cast<std::uint32_t>(sent_.first[rank + 1] - sent_.first[rank]);
    const auto receives = static_cast<std::uint32_t>(received_.first[rank + 1] - received_.first[rank]);
    if (sends + receives == 0) return random_.below(places_.count());
    const std::uint32_t pick = random_.below(sends + receives);
    const std::uint32_t partner = pick < sends
                                      ? sent_.entries[sent_.first[rank] + pick].column
                                      : received_.entries[received_.first[rank] + pick - sends].column;
    std::uint32_t host = places_.host_of(state_.placement()[partner]);
    const auto near = distances_.near(host);
    if (!near.empty() && (places_.per_host == 1 || random_.below(2) == 0))
      host = near[random_.below(static_cast<std::uint32_t>(near.size()))];
    return host * places_.per_host + random_.below(places_.per_host);
  }

  void take_if_better(const Cost& cost) {
    if (!(cost < best_)) return;
    best_ = cost;
    best_placement_ = state_.placement();
  }

  void keep_best() {
    const Cost cost = state_.cost();
    take_if_better(cost);
    state_.set_scale(cost);
  }

  PlacedLoad& state_;
  const Places& places_;
  const HostDistances& distances_;
  const CommunicationMatrix& sent_;
  const CommunicationMatrix& received_;
  Random random_;
  Cost best_;
  Placement best_placement_;
  std::uint64_t idle_ = 0;
};

std::vector<Start> make_starts(const Network& network, const Places& places, const HostDistances& distances,
                               const CommunicationMatrix& sent, const SearchOptions& options) {
  std::vector<Start> starts;
  if (options.given) starts.push_back({"given", *options.given, kWarm});
  starts.push_back({"in order", in_order(sent.ranks), kHot});
  for (std::uint32_t i = 1; i < options.starts; ++i) {
    Placement placement = scotch_map(network, places, distances, sent, options.seed + i - 1);
    if (placement.empty()) break;
    starts.push_back({"scotch", std::move(placement), i % 2 == 1 ? kWarm : kHot});
  }
  return starts;
}

}  // namespace

Placed find_placement(const Network& network, const Routing& routing, const Places& places,
                      const CommunicationMatrix& sent, const SearchOptions& options, Progress& progress) {
  if (sent.ranks > places.count()) {
    throw InputError(fmt::format("{} ranks do not fit {} hosts with {} {} each", sent.ranks,
                                 places.hosts.size(), places.per_host,
                                 places.per_host == 1 ? "place" : "places"));
  }
  (void)total_bytes(sent);
  const CommunicationMatrix received = transposed(sent);
  const HostDistances distances(network, routing, places, options.threads);
  const std::vector<Start> starts = make_starts(network, places, distances, sent, options);
  const auto count = static_cast<std::uint32_t>(starts.size());
  std::vector<Placement> found(count);
  Placed result;
  result.attempts.resize(count);
  result.bound = placement_bound(network, places, distances, options.widths, sent, received, options.threads);
  constexpr std::uint32_t kSteps = 501;
  SharedProgress shared(progress, "placing", std::uint64_t{count} * kSteps);
  parallel_blocks(count, 1, options.threads, [&](std::uint32_t, std::uint32_t begin, std::uint32_t) {
    PlacedLoad state(network, routing, places, options.widths, sent, received);
    state.reset(starts[begin].placement);
    result.attempts[begin] = {starts[begin].name, state.cost(), {}};
    Annealing annealing(state, places, distances, sent, received, Random(options.seed, begin));
    found[begin] = annealing.run(starts[begin], options.routes, [&] { shared.step(); });
    result.attempts[begin].after = annealing.best();
  });
  for (std::uint32_t i = 1; i < count; ++i) {
    if (result.attempts[i].after < result.attempts[result.best].after) result.best = i;
  }
  result.placement = std::move(found[result.best]);
  return result;
}

}  // namespace unknot::place
