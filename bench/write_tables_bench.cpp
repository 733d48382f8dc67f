// SPDX-License-Identifier: Apache-2.0
// Throughput of writing and reading tables, in bytes of the file a second: a leaf-spine fabric of 4,096
// terminals, with a shortest path and a level for every pair.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/support/random.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kLeaves = 228;
constexpr std::uint32_t kSpines = 96;
constexpr std::uint32_t kTerminals = 4096;

const Network& fabric() {
  static const Network network = [] {
    NetworkBuilder builder;
    builder.add_routers(kLeaves + kSpines);
    for (std::uint32_t leaf = 0; leaf < kLeaves; ++leaf) {
      for (std::uint32_t i = 0; i < 18; ++i) {
        builder.add_cable(RouterId(leaf), RouterId(kLeaves + (leaf * 18 + i) % kSpines));
      }
    }
    for (std::uint32_t t = 0; t < kTerminals; ++t) builder.add_terminal(RouterId(t % kLeaves));
    return std::move(builder).build();
  }();
  return network;
}

const Routing& routing() {
  static const Routing result = [] {
    const Network& network = fabric();
    Routing made;
    made.engine = "bench";
    made.virtual_lanes = 8;
    made.paths = ForwardingTable(network);
    std::vector<RouterId> queue;
    for (const TerminalId t : network.terminals()) {
      queue.assign(1, network.router_of(t));
      for (std::size_t head = 0; head < queue.size(); ++head) {
        for (const ChannelId c : network.in(queue[head])) {
          const RouterId from = network.source(c);
          if (made.table().get(from, t) != ForwardingTable::kNone) continue;
          made.table().set(from, t, c.value - network.out(from).first());
          queue.push_back(from);
        }
      }
    }
    made.service_levels = ServiceLevels(network, ServiceLevels::Rows::by_router);
    Random random(1);
    for (std::uint32_t i = 0; i < made.service_levels.row_count(); ++i) {
      for (std::uint8_t& level : made.service_levels.row(i)) {
        level = static_cast<std::uint8_t>(random.below(8));
      }
    }
    return made;
  }();
  return result;
}

std::string file(const std::string& name) {
  const auto folder = std::filesystem::temp_directory_path() / ("unknot-bench-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  return (folder / name).string();
}

void remove_files() {
  std::filesystem::remove_all(std::filesystem::path(file("")).parent_path());
}

void count_bytes(benchmark::State& state, const std::string& path) {
  state.SetBytesProcessed(static_cast<std::int64_t>(std::filesystem::file_size(path)) *
                          static_cast<std::int64_t>(state.iterations()));
  remove_files();
}

void write_format(benchmark::State& state, const char* format) {
  for (auto _ : state) write_tables(fabric(), routing(), format, file("tables"));
  count_bytes(state, file("tables"));
}

/// The same without a disk: what making the text costs.
void write_nowhere(benchmark::State& state, const char* format) {
  write_tables(fabric(), routing(), format, file("tables"));
  const auto size = std::filesystem::file_size(file("tables"));
  const std::filesystem::path device = file("null");
  std::filesystem::create_symlink("/dev/null", device);
  for (auto _ : state) write_tables(fabric(), routing(), format, device.string());
  state.SetBytesProcessed(static_cast<std::int64_t>(size * state.iterations()));
  remove_files();
}

void read_format(benchmark::State& state, const char* format) {
  write_tables(fabric(), routing(), format, file("tables"));
  for (auto _ : state) benchmark::DoNotOptimize(read_tables(fabric(), file("tables")));
  count_bytes(state, file("tables"));
}

void write_levels(benchmark::State& state) {
  for (auto _ : state) write_service_levels(fabric(), routing(), file("levels"));
  count_bytes(state, file("levels"));
}

void read_levels(benchmark::State& state) {
  write_service_levels(fabric(), routing(), file("levels"));
  for (auto _ : state) benchmark::DoNotOptimize(read_service_levels(fabric(), file("levels")));
  count_bytes(state, file("levels"));
}

Certificate certificate() {
  Certificate made;
  made.network_fingerprint = fabric().fingerprint();
  made.lanes = 15;
  for (std::uint32_t i = 0; i < made.lanes * fabric().channel_count(); ++i) made.number.push_back(i);
  return made;
}

void write_certificates(benchmark::State& state) {
  const Certificate made = certificate();
  for (auto _ : state) write_certificate(fabric(), made, file("certificate"));
  count_bytes(state, file("certificate"));
}

void read_certificates(benchmark::State& state) {
  write_certificate(fabric(), certificate(), file("certificate"));
  for (auto _ : state) benchmark::DoNotOptimize(read_certificate(fabric(), file("certificate")));
  count_bytes(state, file("certificate"));
}

BENCHMARK_CAPTURE(write_format, opensm, "opensm")->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(write_nowhere, opensm, "opensm")->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(write_format, bare, "opensm-bare")->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(write_format, json, "json")->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(write_format, binary, "binary")->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_format, opensm, "opensm")->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_format, json, "json")->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_format, binary, "binary")->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(write_levels)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(read_levels)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(write_certificates)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(read_certificates)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace unknot

BENCHMARK_MAIN();
