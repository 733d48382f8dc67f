// SPDX-License-Identifier: Apache-2.0
// Tables of engine clos that follow one event after the other, for bench/tables_anew:
//
//     live_events FABRIC FAULTS exact|sticky CABLES SWITCHES [THREADS]
//
// Starts from the faults; then cables die and come back in turn, chosen at random, and switches without
// hosts. Prints a JSON object: by kind of event the median and the greatest processor time of one thread in
// milliseconds (of several threads wall time), and the entries changed; at the end the load of the busiest
// channel, that of tables that clos and dfsssp make anew there, and what the checker says.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "unknot/engines/catalogue.hpp"
#include "unknot/load/channel_load.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/routing/live/live_clos.hpp"
#include "unknot/support/thread_clock.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace {

using namespace unknot;

double milliseconds_now(std::uint32_t threads) {
  if (threads == 1) return 1e3 * thread_seconds();
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

struct Kind {
  std::vector<double> milliseconds;
  std::vector<std::uint64_t> entries;
};

std::uint64_t greatest_load(const Network& network, const Routing& routing) {
  const std::vector<std::uint64_t> load = channel_load(network, routing, 0);
  return *std::max_element(load.begin(), load.end());
}

template <class T>
T median(std::vector<T> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

void measure(char** argv, std::uint32_t threads) {
  Progress quiet;
  const Network whole = make_network(argv[1]);
  const Faults faults = *argv[2] == 0 ? Faults{} : parse_faults(whole, argv[2]);
  const Upkeep upkeep = std::string(argv[3]) == "exact" ? Upkeep::exact : Upkeep::sticky;
  LiveClos live(whole, faults, {upkeep, threads}, quiet);
  const LiveNetwork& network = live.network();
  std::map<std::string, Kind> kinds;
  std::uint64_t anew = 0;
  const auto apply = [&](const LiveChange& change, const std::string& name) {
    const double begin = milliseconds_now(threads);
    const LiveUpdate& update = live.apply(change, quiet);
    Kind& kind = kinds[name];
    kind.milliseconds.push_back(milliseconds_now(threads) - begin);
    kind.entries.push_back(update.entries.size());
    anew += update.anew ? 1 : 0;
  };
  std::mt19937 random(5);
  for (int i = 0; i < std::atoi(argv[4]); ++i) {
    const bool dies = i % 2 == 0;
    ChannelId c;
    do {
      c = ChannelId(static_cast<std::uint32_t>(random() % whole.channel_count()));
    } while (network.alive(c) != dies);
    LiveChange change;
    (dies ? change.dead_channels : change.back_channels) = {c, whole.reverse(c)};
    const bool leaf =
        !whole.terminals_at(whole.source(c)).empty() || !whole.terminals_at(whole.target(c)).empty();
    apply(change, fmt::format("{} cable {}", leaf ? "leaf" : "top", dies ? "dies" : "back"));
  }
  for (int i = 0; i < std::atoi(argv[5]); ++i) {
    RouterId r;
    do {
      r = RouterId(static_cast<std::uint32_t>(random() % whole.router_count()));
    } while (!whole.terminals_at(r).empty());
    LiveChange dies;
    LiveChange back;
    dies.dead_routers = back.back_routers = {r};
    apply(dies, "switch dies");
    apply(back, "switch back");
  }
  const Network now = with_faults(whole, network.faults());
  Routing routing;
  routing.engine = "clos";
  routing.paths = live.table_now();
  const Verdict verdict = verify(now, routing, {}, quiet);
  const auto load_of = [&](const char* engine) {
    return greatest_load(now, route(now, engine, EngineRequest{}, quiet));
  };
  fmt::print(
      "{{\"anew\": {}, \"deadlock_free\": {}, \"unroutable_pairs\": {}, \"load\": {}, \"clos\": {}, "
      "\"dfsssp\": {}, \"events\": {{",
      anew, verdict.deadlock_free, verdict.unroutable_pairs, greatest_load(now, routing), load_of("clos"),
      load_of("dfsssp"));
  const char* separator = "";
  for (const auto& [name, kind] : kinds) {
    fmt::print("{}\"{}\": {{\"count\": {}, \"median\": {:.3f}, \"greatest\": {:.3f}, \"entries\": {}}}",
               separator, name, kind.entries.size(), median(kind.milliseconds),
               *std::max_element(kind.milliseconds.begin(), kind.milliseconds.end()), median(kind.entries));
    separator = ", ";
  }
  fmt::print("}}}}\n");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6 && argc != 7) {
    fmt::print(stderr, "live_events FABRIC FAULTS exact|sticky CABLES SWITCHES [THREADS]\n");
    return 2;
  }
  try {
    measure(argv, argc == 7 ? static_cast<std::uint32_t>(std::atoi(argv[6])) : 1);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
