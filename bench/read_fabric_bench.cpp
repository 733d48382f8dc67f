// SPDX-License-Identifier: Apache-2.0
// Reading and writing a fat tree of 65,536 endpoints in each format that can hold it.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <utility>

#include "unknot/formats/fabric/ibnetdiscover.hpp"
#include "unknot/formats/fabric/ibsim_net.hpp"
#include "unknot/formats/fabric/native_json.hpp"
#include "unknot/formats/ibdiagnet/db_csv.hpp"
#include "unknot/formats/ibdiagnet/net_dump.hpp"
#include "unknot/network/builder.hpp"

namespace {

using unknot::Network;
using unknot::NetworkBuilder;
using unknot::RouterId;

/// XGFT(2; m, m; w, w) with `terminals` endpoints spread evenly over its m * m leaf switches.
Network fat_tree(std::uint32_t m, std::uint32_t w, std::uint32_t terminals) {
  NetworkBuilder builder;
  const std::uint32_t leaves = m * m;
  builder.add_routers(leaves + m * w + w * w);
  for (std::uint32_t t = 0; t < terminals; ++t) builder.add_terminal(RouterId(t % leaves));
  for (std::uint32_t group = 0; group < m; ++group) {
    for (std::uint32_t up = 0; up < w; ++up) {
      const RouterId middle(leaves + group * w + up);
      for (std::uint32_t leaf = 0; leaf < m; ++leaf) builder.add_cable(RouterId(group * m + leaf), middle);
      for (std::uint32_t top = 0; top < w; ++top)
        builder.add_cable(middle, RouterId(leaves + m * w + up * w + top));
    }
  }
  return std::move(builder).build();
}

const Network& fabric() {
  static const Network network = fat_tree(40, 20, 65536);
  return network;
}

void write(benchmark::State& state, std::string (*writer)(const Network&)) {
  const Network& network = fabric();
  std::size_t bytes = 0;
  for (auto _ : state) {
    const std::string text = writer(network);
    bytes += text.size();
    benchmark::DoNotOptimize(text.data());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}

void read(benchmark::State& state, std::string (*writer)(const Network&),
          Network (*reader)(std::string_view, const std::string&)) {
  const std::string text = writer(fabric());
  std::size_t bytes = 0;
  for (auto _ : state) {
    const Network network = reader(text, "bench");
    if (network.fingerprint() != fabric().fingerprint() && reader != unknot::read_net_dump)
      state.SkipWithError("read another network than was written");
    bytes += text.size();
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
  state.counters["MB"] = static_cast<double>(text.size()) / 1e6;
}

BENCHMARK_CAPTURE(read, ibnetdiscover, unknot::write_ibnetdiscover, unknot::read_ibnetdiscover)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read, ibsim, unknot::write_ibsim_net, unknot::read_ibsim_net)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read, json, unknot::write_native_json, unknot::read_native_json)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read, db_csv, unknot::write_db_csv, unknot::read_db_csv)->Unit(benchmark::kMillisecond);
// It has no node GUIDs of adapters.
BENCHMARK_CAPTURE(read, net_dump, unknot::write_net_dump, unknot::read_net_dump)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(write, ibnetdiscover, unknot::write_ibnetdiscover)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(write, ibsim, unknot::write_ibsim_net)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(write, json, unknot::write_native_json)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(write, db_csv, unknot::write_db_csv)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(write, net_dump, unknot::write_net_dump)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
