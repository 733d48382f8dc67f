// SPDX-License-Identifier: Apache-2.0
// Random events in a row, each routed, proven and written as a difference, for docs/results/real-time.md:
//
//     real_time FABRIC FAULTS exact|sticky EVENTS CHECK-EACH SWITCHES LEAVES
//
// Starts from the faults; then of a hundred events SWITCHES are of a switch without hosts, LEAVES of one with
// hosts, the others of a cable; half of them die, half of them come back, so that as much is dead as at the
// start. Each event is read from its line of text. Every CHECK-EACH events the state is checked from scratch
// by verify(), and all numbers must be the same. Prints a JSON object: processor times of the one thread in
// milliseconds, median, 99 of 100, and greatest, and the memory resident on the way.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <fstream>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unknot/live/live_fabric.hpp"
#include "unknot/load/channel_load.hpp"
#include "unknot/network/connectivity.hpp"
#include "unknot/support/thread_clock.hpp"
#include "unknot/tables/routing.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace {

using namespace unknot;

double resident_mib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmRSS:", 0) == 0) return std::strtod(line.c_str() + 6, nullptr) / 1024;
  }
  return 0;
}

std::string spread(std::vector<double> values) {
  if (values.empty()) return "null";
  std::sort(values.begin(), values.end());
  return fmt::format("{{\"count\": {}, \"median\": {:.2f}, \"of_99\": {:.2f}, \"greatest\": {:.2f}}}",
                     values.size(), values[values.size() / 2], values[values.size() * 99 / 100],
                     values.back());
}

/// Numbers of what lives, entries as the fabric has them in force.
Routing routing_now(const LiveFabric& fabric) {
  const Network& whole = fabric.network();
  const LiveNetwork& live = fabric.live();
  ForwardingTable table(with_faults(whole, live.faults()));
  RouterId there(0);
  std::vector<std::uint32_t> position;
  for (const RouterId r : whole.routers()) {
    if (!live.alive(r)) continue;
    position.assign(whole.out(r).size(), ForwardingTable::kStray);
    std::uint32_t next = 0;
    for (const ChannelId c : live.out(r)) position[live.position(c)] = next++;
    TerminalId to(0);
    for (const TerminalId t : whole.terminals()) {
      if (!live.alive(whole.router_of(t))) continue;
      const std::uint32_t entry = fabric.entry(r, t);
      table.set(there, to, entry < ForwardingTable::kStray ? position[entry] : entry);
      ++to.value;
    }
    ++there.value;
  }
  Routing routing;
  routing.paths = std::move(table);
  return routing;
}

/// From scratch; throws where a number differs.
Verdict check(const LiveFabric& fabric) {
  Progress quiet;
  const Network now = with_faults(fabric.network(), fabric.live().faults());
  Verdict verdict = verify(now, routing_now(fabric), {}, quiet);
  const LiveVerdict& held = fabric.verdict();
  if (verdict.pairs != held.pairs || verdict.unroutable_pairs != held.unroutable_pairs ||
      verdict.looping_pairs != held.looping_pairs || verdict.dependencies != held.dependencies ||
      verdict.deadlock_free != held.deadlock_free ||
      (held.unroutable_pairs > 0 && disconnected_pairs(now).count != held.disconnected_pairs))
    throw std::logic_error("the verdict from scratch is another one");
  return verdict;
}

/// Lines of events, at random.
class Events {
 public:
  Events(const LiveFabric& fabric, std::uint32_t switches, std::uint32_t leaves)
      : fabric_(fabric), switches_(switches), leaves_(leaves) {}
  std::string next(std::string& kind) {
    const Network& whole = fabric_.network();
    const LiveNetwork& live = fabric_.live();
    bool dies = ++count_ % 2 == 1;
    const std::uint32_t choice = random_() % 100;
    const bool leaf = choice < leaves_;
    if (choice < leaves_ + switches_) {
      std::vector<RouterId>& dead = leaf ? dead_leaves_ : dead_switches_;
      if (!dies && !dead.empty()) {
        std::swap(dead[random_() % dead.size()], dead.back());
        const RouterId r = dead.back();
        dead.pop_back();
        kind = leaf ? "leaf switch back" : "switch back";
        return fmt::format("back 0x{:016x}\n", whole.router_guid(r));
      }
      if (dies) {
        RouterId r;
        do {
          r = RouterId(static_cast<std::uint32_t>(random_() % whole.router_count()));
        } while (!live.alive(r) || whole.terminals_at(r).empty() == leaf);
        dead.push_back(r);
        kind = leaf ? "leaf switch dies" : "switch dies";
        return fmt::format("dead 0x{:016x}\n", whole.router_guid(r));
      }
    }
    ChannelId c;
    std::uint32_t tries = 0;
    do {
      if (++tries % 1'000'000 == 0) dies = !dies;  // nothing is dead, or all is
      c = ChannelId(static_cast<std::uint32_t>(random_() % whole.channel_count()));
    } while (live.alive(c) != dies || !live.alive(whole.source(c)) || !live.alive(whole.target(c)));
    const bool low =
        !whole.terminals_at(whole.source(c)).empty() || !whole.terminals_at(whole.target(c)).empty();
    kind = fmt::format("{} cable {}", low ? "leaf" : "top", dies ? "dies" : "back");
    return fmt::format("{} 0x{:016x}:{}\n", dies ? "dead" : "back", whole.router_guid(whole.source(c)),
                       whole.source_port(c));
  }

 private:
  const LiveFabric& fabric_;
  std::uint32_t switches_, leaves_;
  std::mt19937 random_{5};
  std::uint64_t count_ = 0;
  std::vector<RouterId> dead_switches_, dead_leaves_;
};

/// From the list of all cables, one of which is gone or back, to proven tables, a few times.
std::string whole_lists(LiveFabric& fabric) {
  Progress quiet;
  std::mt19937 random(6);
  std::vector<double> read, all;
  for (int i = 0; i < 40; ++i) {
    const std::string list = fabric.cable_list();
    std::string less = list;
    do {
      const std::size_t line = list.find('\n', random() % (list.size() - 100)) + 1;
      const std::size_t end = list.find('\n', line) + 1;
      if (std::string_view(list).substr(line, end - line).find(':') == std::string_view::npos) continue;
      less = list.substr(0, line) + list.substr(end);
    } while (less.size() == list.size());
    for (const std::string& text : {less, list}) {
      const double event = thread_seconds();
      const LiveStep& step = fabric.apply_cable_list(text, "list", quiet);
      all.push_back((thread_seconds() - event) * 1e3);
      read.push_back(all.back() - (step.route_seconds + step.proof_seconds) * 1e3);
    }
  }
  return fmt::format("{{\"bytes\": {}, \"read\": {}, \"ready\": {}}}", fabric.cable_list().size(),
                     spread(read), spread(all));
}

void measure(char** argv) {
  Progress quiet;
  Network whole = make_network(argv[1]);
  const Faults faults = *argv[2] == 0 ? Faults{} : parse_faults(whole, argv[2]);
  const int count = std::atoi(argv[4]);
  const int each = std::atoi(argv[5]);
  const double begin = thread_seconds();
  LiveFabricOptions options;
  options.exact = std::string(argv[3]) == "exact";
  LiveFabric fabric(std::move(whole), faults, options, quiet);
  const double start = thread_seconds() - begin;
  Events events(fabric, static_cast<std::uint32_t>(std::atoi(argv[6])),
                static_cast<std::uint32_t>(std::atoi(argv[7])));
  std::vector<double> route, proof, read, written, all, entries;
  std::map<std::string, std::vector<double>> kinds;
  int anew = 0, checks = 0, proven = 0, late = 0;
  std::string resident;  // after so many events
  const std::string file = "/dev/shm/unknot-real-time";
  for (int i = 1; i <= count; ++i) {
    std::string kind;
    const std::string line = events.next(kind);
    const double event = thread_seconds();
    const LiveStep& step = fabric.apply_events(line, "event", quiet);
    const double ready = thread_seconds() - event;
    {
      const std::string text = fabric.difference();
      std::ofstream(file, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
    }
    const double done = thread_seconds() - event;
    route.push_back(step.route_seconds * 1e3);
    proof.push_back(step.proof_seconds * 1e3);
    read.push_back((ready - step.route_seconds - step.proof_seconds) * 1e3);
    written.push_back((done - ready) * 1e3);
    all.push_back(done * 1e3);
    kinds[kind].push_back(done * 1e3);
    entries.push_back(static_cast<double>(step.entries.size()));
    anew += step.anew ? 1 : 0;
    proven += step.verdict.proven() ? 1 : 0;
    late += done > 0.025 ? 1 : 0;
    if (i == 100 || i == 1000 || i == 3000 || i == count)
      resident += fmt::format("{}\"{}\": {:.0f}", resident.empty() ? "" : ", ", i, resident_mib());
    if (each > 0 && i % each == 0) {
      check(fabric);
      ++checks;
    }
  }
  const std::string lists = whole_lists(fabric);
  std::remove(file.c_str());
  const Verdict last = check(fabric);
  const std::vector<std::uint64_t> load =
      channel_load(with_faults(fabric.network(), fabric.live().faults()), routing_now(fabric), 0);
  fmt::print(
      "{{\"events\": {}, \"proven\": {}, \"anew\": {}, \"above_25_ms\": {}, \"checked_from_scratch\": {},\n",
      count, proven, anew, late, checks + 1);
  fmt::print(" \"unroutable_pairs\": {}, \"dependencies\": {}, \"load\": {}, \"start_seconds\": {:.2f},\n",
             last.unroutable_pairs, last.dependencies, *std::max_element(load.begin(), load.end()), start);
  fmt::print(" \"resident_mib\": {{{}}},\n", resident);
  fmt::print(
      " \"read\": {},\n \"route\": {},\n \"proof\": {},\n \"written\": {},\n \"all\": {},\n \"entries\": "
      "{},\n",
      spread(read), spread(route), spread(proof), spread(written), spread(all), spread(entries));
  fmt::print(" \"whole_lists\": {},\n", lists);
  fmt::print(" \"kinds\": {{");
  const char* separator = "";
  for (const auto& [name, times] : kinds) {
    fmt::print("{}\n  \"{}\": {}", separator, name, spread(times));
    separator = ",";
  }
  fmt::print("}}}}\n");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 8) {
    fmt::print(stderr, "real_time FABRIC FAULTS exact|sticky EVENTS CHECK-EACH SWITCHES LEAVES\n");
    return 2;
  }
  try {
    measure(argv);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
