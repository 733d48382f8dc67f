// SPDX-License-Identifier: Apache-2.0
// Tables with lanes that follow one random event after the other, each proven:
//
//     live_lane_events FABRIC ENGINE LANES EVENTS DEAD [SEED [ROUTERS]]
//
// Starts from tables of the engine for the whole network on LANES - 1 lanes at most. Then cables die and come
// back at random, so that DEAD or so are dead; one event in ROUTERS is a router (default 10; 0: none). Each
// event is rerouted (LiveLanes) and its differences proven (LiveLaneCheck), both on one thread. Prints a JSON
// object: by kind of event the milliseconds of processor time of both together (median, 99 %, greatest) and
// of each, entries and levels changed; resident memory after the first events and at the end; greatest loads
// at the beginning, at the end, and of tables that the engine makes anew for what is left.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <fstream>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "unknot/engines/catalogue.hpp"
#include "unknot/load/channel_load.hpp"
#include "unknot/network/connectivity.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/routing/live_lanes/live_lanes.hpp"
#include "unknot/support/thread_clock.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/live/live_lane_check.hpp"
#include "unknot/verify/verify.hpp"

namespace {

using namespace unknot;

std::uint64_t resident_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::uint64_t kib = 0;
    if (word == "VmRSS:" && status >> kib) return kib;
  }
  return 0;
}

struct Kind {
  std::vector<double> both, routed, proven;
  std::vector<double> entries, levels;
};

double at_share(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1,
                         static_cast<std::size_t>(share * static_cast<double>(values.size())))];
}

class Events {
 public:
  Events(const LiveNetwork& network, std::uint32_t dead, std::uint32_t seed, std::uint32_t routers)
      : network_(network), dead_(dead), random_(seed), routers_(routers) {}

  LiveChange next(std::string& kind) {
    const Network& whole = network_.network();
    LiveChange change;
    if (!dead_routers_.empty() && random_() % 2 == 0 && routers_ > 0 && random_() % (routers_ / 2 + 1) == 0) {
      kind = "router back";
      change.back_routers = {take(dead_routers_)};
    } else if (routers_ > 0 && random_() % (2 * routers_) == 0 && dead_routers_.size() < 8) {
      kind = "router dies";
      RouterId r;
      do {
        r = RouterId(static_cast<std::uint32_t>(random_() % whole.router_count()));
      } while (!network_.alive(r));
      dead_routers_.push_back(r);
      change.dead_routers = {r};
    } else if (random_() % (2 * dead_) < dead_channels_.size()) {
      kind = "cable back";
      const ChannelId c = take(dead_channels_);
      change.back_channels = {c, whole.reverse(c)};
    } else {
      kind = "cable dies";
      ChannelId c;
      do {
        c = ChannelId(static_cast<std::uint32_t>(random_() % whole.channel_count()));
      } while (!network_.alive(c));
      dead_channels_.push_back(c);
      change.dead_channels = {c, whole.reverse(c)};
    }
    return change;
  }

 private:
  template <class T>
  T take(std::vector<T>& list) {
    const std::size_t at = random_() % list.size();
    const T taken = list[at];
    list[at] = list.back();
    list.pop_back();
    return taken;
  }

  const LiveNetwork& network_;
  std::uint32_t dead_;
  std::mt19937 random_;
  std::uint32_t routers_;
  std::vector<RouterId> dead_routers_;
  std::vector<ChannelId> dead_channels_;
};

std::uint64_t greatest(const std::vector<std::uint32_t>& load) {
  return *std::max_element(load.begin(), load.end());
}

void measure(char** argv, std::uint32_t seed, std::uint32_t routers) {
  Progress quiet;
  const Network whole = make_network(argv[1]);
  EngineRequest request;
  request.virtual_lanes = static_cast<std::uint32_t>(std::atoi(argv[3])) - 1;
  std::optional<Routing> routing = route(whole, argv[2], request, quiet);
  const double begin = 1e3 * thread_seconds();
  LiveLanes live(whole, *routing, request.virtual_lanes + 1);
  const double made = 1e3 * thread_seconds();
  LiveLaneCheck check(whole, *routing, live.lanes(), live.orders());
  const double checked = 1e3 * thread_seconds();
  routing.reset();
  fmt::print(stderr, "start {:.1f} s, checker {:.1f} s, {} lanes, {}\n", (made - begin) * 1e-3,
             (checked - made) * 1e-3, live.lanes(),
             check.verdict().usable() ? "proven" : check.verdict().why);
  const std::uint64_t load_first = greatest(live.load());
  Events events(live.network(), static_cast<std::uint32_t>(std::atoi(argv[5])), seed, routers);
  std::map<std::string, Kind> kinds;
  std::uint64_t escaped = 0;
  std::uint64_t escape_moved = 0;
  std::uint64_t refused = 0;
  std::uint64_t resident = 0;
  std::uint64_t load_most = load_first;
  const int count = std::atoi(argv[4]);
  for (int i = 0; i < count; ++i) {
    std::string name;
    const LiveChange change = events.next(name);
    const double start = 1e3 * thread_seconds();
    const LaneUpdate& update = live.apply(change);
    const double routed = 1e3 * thread_seconds();
    const LiveLaneVerdict& verdict = check.apply(change, update.entries, update.levels);
    const double proven = 1e3 * thread_seconds();
    Kind& kind = kinds[name];
    kind.both.push_back(proven - start);
    kind.routed.push_back(routed - start);
    kind.proven.push_back(proven - routed);
    kind.entries.push_back(static_cast<double>(update.entries.size()));
    kind.levels.push_back(static_cast<double>(update.levels.size()));
    escaped += update.escaped;
    escape_moved += update.escape_moved ? 1 : 0;
    if (!verdict.usable()) {
      ++refused;
      fmt::print(stderr, "event {}: {}\n", i, verdict.why);
    }
    if (i == std::min(200, count / 2)) resident = resident_kib();
    load_most = std::max(load_most, greatest(live.load()));
    if (i % 1000 == 999) {
      fmt::print(stderr, "{} events, greatest load {}, {} MiB\n", i + 1, greatest(live.load()),
                 resident_kib() / 1024);
    }
  }
  const std::uint64_t resident_last = resident_kib();
  const Network now = with_faults(whole, live.network().faults());
  const Routing last = live.routing_now();
  const Verdict verdict = verify(now, last, {}, quiet);
  fmt::print("{{\"refused\": {}, \"escaped\": {}, \"escape_moved\": {}, \"resident_mib\": [{}, {}], ",
             refused, escaped, escape_moved, resident / 1024, resident_last / 1024);
  fmt::print("\"deadlock_free\": {}, \"undelivered\": {}, \"longer_pairs\": {:.5f}, \"mean_hops\": {:.4f}, ",
             verdict.deadlock_free, verdict.unroutable_pairs - disconnected_pairs(now).count,
             static_cast<double>(verdict.longer_pairs) / static_cast<double>(verdict.pairs),
             verdict.mean_hops());
  fmt::print("\"load\": {{\"first\": {}, \"most\": {}, \"last\": {}", load_first, load_most,
             greatest(live.load()));
  try {
    const std::vector<std::uint64_t> load = channel_load(now, route(now, argv[2], request, quiet), 0);
    fmt::print(", \"anew\": {}", *std::max_element(load.begin(), load.end()));
  } catch (const RoutingFailure& failure) {
    fmt::print(", \"anew\": \"{}\"", failure.what());
  }
  fmt::print("}}, \"events\": {{");
  const char* separator = "";
  for (const auto& [name, kind] : kinds) {
    fmt::print("{}\"{}\": {{\"count\": {}, \"median\": {:.2f}, \"p99\": {:.2f}, \"greatest\": {:.2f}, ",
               separator, name, kind.both.size(), at_share(kind.both, 0.5), at_share(kind.both, 0.99),
               at_share(kind.both, 1));
    fmt::print("\"rerouted\": {:.2f}, \"proven\": {:.2f}, \"entries\": {}, \"levels\": {}}}",
               at_share(kind.routed, 0.5), at_share(kind.proven, 0.5), at_share(kind.entries, 0.5),
               at_share(kind.levels, 0.5));
    separator = ", ";
  }
  fmt::print("}}}}\n");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6 || argc > 8) {
    fmt::print(stderr, "live_lane_events FABRIC ENGINE LANES EVENTS DEAD [SEED [ROUTERS]]\n");
    return 2;
  }
  try {
    measure(argv, argc > 6 ? static_cast<std::uint32_t>(std::atoi(argv[6])) : 1,
            argc > 7 ? static_cast<std::uint32_t>(std::atoi(argv[7])) : 10);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
