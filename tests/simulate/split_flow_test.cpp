// SPDX-License-Identifier: Apache-2.0
// The linear program against the simulator: hosts that split their packets over the addresses as the program
// says load each channel as it says, and the busiest no more than any other split would.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "unknot/bounds/path_lists.hpp"
#include "unknot/bounds/path_split.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/network/addressed_network.hpp"
#include "unknot/simulate/core/engine.hpp"
#include "unknot/simulate/plan/route_plan.hpp"
#include "unknot/tables/further_addresses.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot::simulate {
namespace {

constexpr std::uint32_t kLmc = 2;
constexpr std::uint32_t kAddresses = 1U << kLmc;
constexpr std::uint32_t kFlits =
    8;  // of a packet: a lane that is given anew for each flit is idle in between

/// Each host sends to one other, packets by chance, to addresses by weight.
class SplitSource final : public Source {
 public:
  SplitSource(std::vector<std::uint32_t> to, std::vector<std::vector<double>> weights, double load)
      : to_(std::move(to)), weights_(std::move(weights)), load_(load), created_(to_.size(), 0) {
    for (std::uint32_t host = 0; host < to_.size(); ++host) random_.emplace_back(1, host);
  }

  bool next(std::uint32_t terminal, std::uint64_t /*cycle*/, NewPacket& packet) override {
    if (terminal % kAddresses != 0) return false;
    const std::uint32_t host = terminal / kAddresses;
    TerminalRandom& random = random_[host];
    while (random.unit() >= load_ / kFlits) ++created_[host];
    double left = random.unit();
    std::uint32_t address = 0;
    while (address + 1 < kAddresses && left >= weights_[host][address]) left -= weights_[host][address++];
    packet = {created_[host]++, to_[host] * kAddresses + address, kFlits, 0};
    return true;
  }
  [[nodiscard]] std::uint32_t longest_packet() const override { return kFlits; }

 private:
  std::vector<std::uint32_t> to_;
  std::vector<std::vector<double>> weights_;
  double load_;
  std::vector<std::uint64_t> created_;
  std::vector<TerminalRandom> random_;
};

/// Channels from the host to each address of the other.
std::vector<ChannelId> path_of(const Network& network, const ForwardingTable& table, TerminalId from,
                               TerminalId to) {
  std::vector<ChannelId> path;
  for (RouterId r = network.router_of(from); r != network.router_of(to); r = network.target(path.back()))
    path.push_back(network.out(r)[table.get(r, to)]);
  return path;
}

void expect_the_program_is_right(const std::string& spec, const char* engine, std::uint32_t seed) {
  SCOPED_TRACE(spec + " " + engine + " " + std::to_string(seed));
  Progress quiet;
  const Network hosts = make_network(spec);
  const Network wide = addressed_network(hosts, kLmc);
  EngineRequest request;
  request.virtual_lanes = 8;
  const Routing routing = with_further_addresses(hosts, wide, route(wide, engine, request, quiet));
  std::vector<std::uint32_t> to(hosts.terminal_count());
  std::iota(to.begin(), to.end(), 0U);
  std::mt19937 random(seed);
  const auto at_home = [&](std::uint32_t host) {
    return hosts.router_of(TerminalId(host)) == hosts.router_of(TerminalId(to[host]));
  };
  do {
    std::shuffle(to.begin(), to.end(), random);
  } while ([&] {
    for (std::uint32_t host = 0; host < to.size(); ++host)
      if (at_home(host)) return true;
    return false;
  }());
  std::vector<Flow> flows;
  for (std::uint32_t host = 0; host < to.size(); ++host)
    flows.push_back({TerminalId(host), TerminalId(to[host])});
  const PathLists lists = address_path_lists(hosts, routing, flows, quiet);
  const PathSplit split = split_by_program(hosts, lists);
  const FlowCheck check = check_split(hosts, lists, split);
  ASSERT_LT(check.imbalance, 1e-6);
  ASSERT_NEAR(check.lower, check.upper, 1e-6 * check.upper);

  // Which address has which path, and how much of the flow it gets.
  std::vector<std::vector<double>> weights(to.size(), std::vector<double>(kAddresses, 0));
  std::vector<double> expected(hosts.channel_count(), 0);
  for (std::uint32_t host = 0; host < to.size(); ++host) {
    std::vector<bool> taken(lists.path_count(), false);
    for (std::uint32_t address = 0; address < kAddresses; ++address) {
      const ForwardingTable& table = address == 0 ? routing.table() : routing.further[address - 1].table();
      const std::vector<ChannelId> path = path_of(hosts, table, TerminalId(host), TerminalId(to[host]));
      for (std::size_t p = lists.first_path(host); p < lists.first_path(host + 1); ++p) {
        if (taken[p] || !std::equal(path.begin(), path.end(), lists.path(p).begin(), lists.path(p).end()))
          continue;
        taken[p] = true;
        weights[host][address] = split.rate[p];
      }
    }
    ASSERT_NEAR(std::accumulate(weights[host].begin(), weights[host].end(), 0.0), 1, 1e-6);
  }
  for (std::size_t p = 0; p < lists.path_count(); ++p)
    for (const ChannelId c : lists.path(p)) expected[c.value] += split.rate[p];

  const OnEveryAddress all = on_every_address(hosts, routing);
  RoutePlan plan = plan_routing(all.network, all.routing, false);
  plan.hosts = std::make_shared<const Network>(hosts);
  Settings settings;
  settings.vcs = plan.lanes_needed;
  settings.packet_flits = kFlits;
  settings.vc_buffer = 32;
  const LinkTimes links = link_times(all.network, settings);
  const double load = 0.4 * std::min(1.0, check.upper);  // far from where buffers decide
  SplitSource source(to, weights, load);
  const auto engine_of_run = make_engine(plan, settings, links, source);
  constexpr std::uint64_t kWarmUp = 2'000;
  constexpr std::uint64_t kCycles = 100'000;
  engine_of_run->run_until(kWarmUp);
  engine_of_run->clear_counts();
  engine_of_run->run_until(kWarmUp + kCycles);
  double busiest = 0;
  for (const ChannelId c : hosts.channels()) {
    const double sent =
        static_cast<double>(engine_of_run->sent(plan.ports.output_of_channel[c.value])) / kCycles;
    const double wanted = load * expected[c.value];
    EXPECT_NEAR(sent, wanted, 6 * std::sqrt(wanted * kFlits / kCycles) + 1e-3) << c.value;
    busiest = std::max(busiest, sent);
  }
  // The fluid value within 3 %.
  EXPECT_NEAR(busiest * check.upper, load, 0.03 * load);
}

TEST(SplitFlow, ChannelsCarryWhatTheProgramSays) {
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    expect_the_program_is_right("torus:4x4,p=2", "dfsssp", seed);
    expect_the_program_is_right("jellyfish:routers=12,degree=4,p=2", "dfsssp", seed);
    expect_the_program_is_right("slimfly:q=5,p=2", "unknot", seed);
    expect_the_program_is_right("xgft:m=4x4,w=2x2", "updn", seed);
  }
}

}  // namespace
}  // namespace unknot::simulate
