// SPDX-License-Identifier: Apache-2.0
// Reading and writing ibdiagnet's .far file, in bytes of the file a second: a fat tree of 16,384 terminals,
// whose switches choose among all ports that lead nearer, with a row for every switch and terminal. Beside
// it, a plain read of as many bytes of memory.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "fabrics.hpp"
#include "unknot/formats/ibdiagnet/adaptive_dumps.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot {
namespace {

const Network& tree() {
  static const Network network = bench::two_level_tree(24, 12, 16384);
  return network;
}

const AdaptiveRouting& relation() {
  static const AdaptiveRouting made = [] {
    const Network& network = tree();
    AdaptiveRouting routing;
    AdaptivePlane& plane = routing.planes.emplace_back(network);
    std::vector<std::uint32_t> hops(network.router_count());
    std::vector<RouterId> queue;
    for (const RouterId to : network.routers()) {
      if (network.terminals_at(to).empty()) continue;
      hops.assign(hops.size(), ~0U);
      hops[to.value] = 0;
      queue.assign(1, to);
      for (std::size_t head = 0; head < queue.size(); ++head) {
        for (const ChannelId c : network.in(queue[head])) {
          std::uint32_t& from = hops[network.source(c).value];
          if (from != ~0U) continue;
          from = hops[queue[head].value] + 1;
          queue.push_back(network.source(c));
        }
      }
      for (const RouterId r : network.routers()) {
        if (r == to) continue;
        std::vector<std::uint16_t> nearer;
        for (std::uint32_t i = 0; i < network.out(r).size(); ++i) {
          if (hops[network.target(network.out(r)[i]).value] < hops[r.value])
            nearer.push_back(static_cast<std::uint16_t>(i));
        }
        const std::uint32_t group = plane.add_group(r, nearer);
        std::vector<std::uint16_t> entries;
        entries.reserve(nearer.size());
        for (const std::uint16_t fixed : nearer)
          entries.push_back(plane.add_choice(r, {ChoiceKind::adaptive, fixed, group}));
        for (const TerminalId t : network.terminals_at(to))
          plane.set(r, t, entries[t.value % entries.size()]);
      }
    }
    return routing;
  }();
  return made;
}

std::string far_path() {
  return (std::filesystem::temp_directory_path() / ("unknot-bench-" + std::to_string(::getpid()) + ".far"))
      .string();
}

const std::string& far_text() {
  static const std::string text = [] {
    write_far(tree(), relation(), far_path());
    std::string all = read_file(far_path());
    std::filesystem::remove(far_path());
    return all;
  }();
  return text;
}

void count(benchmark::State& state, std::size_t bytes) {
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes * state.iterations()));
  state.counters["MB"] = static_cast<double>(bytes) / 1e6;
}

void read_far_text(benchmark::State& state) {
  const std::string& text = far_text();
  for (auto _ : state) {
    AdaptiveRouting routing;
    read_far(tree(), text, "bench", routing);
    benchmark::DoNotOptimize(routing.planes.data());
  }
  count(state, text.size());
}
void write_far_file(benchmark::State& state) {
  for (auto _ : state) write_far(tree(), relation(), far_path());
  count(state, far_text().size());
}
void memory_read(benchmark::State& state) {
  const std::string& text = far_text();
  for (auto _ : state) benchmark::DoNotOptimize(std::accumulate(text.begin(), text.end(), 0U));
  count(state, text.size());
}

BENCHMARK(read_far_text)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(write_far_file)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(memory_read)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace unknot

BENCHMARK_MAIN();
