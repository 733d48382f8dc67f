// SPDX-License-Identifier: Apache-2.0
// The bounds on UGAL's loads against the simulator: no channel carries more than is said, the busiest no
// less.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "unknot/bounds/adversary/channel_shares.hpp"
#include "unknot/bounds/exchange.hpp"
#include "unknot/bounds/path_sets.hpp"
#include "unknot/bounds/path_split.hpp"
#include "unknot/simulate/core/engine.hpp"
#include "unknot/simulate/plan/route_plan.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"

namespace unknot::simulate {
namespace {

constexpr std::uint32_t kFlits = 4;  // of a packet

/// Each host sends to one other, packets by chance.
class PermutationSource final : public Source {
 public:
  PermutationSource(std::vector<Flow> flows, std::uint32_t terminals, double load)
      : to_(terminals, kNobody), load_(load), created_(terminals, 0) {
    for (const Flow& flow : flows) to_[flow.source.value] = flow.destination.value;
    for (std::uint32_t host = 0; host < terminals; ++host) random_.emplace_back(1, host);
  }

  bool next(std::uint32_t terminal, std::uint64_t /*cycle*/, NewPacket& packet) override {
    if (to_[terminal] == kNobody) return false;
    while (random_[terminal].unit() >= load_ / kFlits) ++created_[terminal];
    packet = {created_[terminal]++, to_[terminal], kFlits, 0};
    return true;
  }
  [[nodiscard]] std::uint32_t longest_packet() const override { return kFlits; }

 private:
  static constexpr std::uint32_t kNobody = 0xFFFFFFFFU;
  std::vector<std::uint32_t> to_;
  double load_;
  std::vector<std::uint64_t> created_;
  std::vector<TerminalRandom> random_;
};

void expect_between_the_bounds(const std::string& spec, const std::string& pattern, const Ugal& ugal,
                               double load) {
  SCOPED_TRACE(spec + " " + pattern + " " + std::to_string(ugal.indirect));
  Progress quiet;
  const Network network = make_network(spec);
  const TrafficPattern traffic = make_pattern(network, pattern, quiet);
  std::vector<Flow> flows;
  traffic.flows(1, 0, flows);
  const RouterDemand between = exchange_of(network, traffic, 1, 0).between;
  const std::vector<double> most = shared_load(network, *ugal_shares(network, ugal.indirect, 1), between, 1);
  const PathLists lists = make_path_lists(network, between, "ugal", quiet);
  const double least = 1 / check_split(network, lists, split_by_program(network, lists)).upper;

  AdaptiveChoice choice;
  choice.kind = RoutePlan::Kind::ugal;
  choice.ugal = ugal;
  const RoutePlan plan = plan_paths(network, choice);
  Settings settings;
  settings.vcs = 2 * plan.lanes_needed;
  settings.packet_flits = kFlits;
  settings.vc_buffer = 16;
  PermutationSource source(flows, network.terminal_count(), load);
  const auto run = make_engine(plan, settings, link_times(network, settings), source);
  constexpr std::uint64_t kWarmUp = 5'000;
  constexpr std::uint64_t kCycles = 30'000;
  run->run_until(kWarmUp);
  run->clear_counts();
  run->run_until(kWarmUp + kCycles);
  double busiest = 0;
  for (const ChannelId c : network.channels()) {
    const double sent = static_cast<double>(run->sent(plan.ports.output_of_channel[c.value])) / kCycles;
    const double wanted = load * most[c.value];
    EXPECT_LE(sent, wanted + 6 * std::sqrt(wanted * kFlits / kCycles)) << c.value;
    busiest = std::max(busiest, sent);
  }
  EXPECT_GE(busiest, load * least * 0.97);
  EXPECT_LE(busiest, 1);
}

TEST(UgalLoad, LiesBetweenItsBounds) {
  for (const std::uint32_t indirect : {1U, 4U}) {
    Ugal ugal;
    ugal.indirect = indirect;
    // shortest paths alone end at 0.167: the rest is diverted
    expect_between_the_bounds("slimfly:q=5,p=3", "worst-case", ugal, 0.25);
    expect_between_the_bounds("slimfly:q=5,p=3", "permutation", ugal, 0.5);
    expect_between_the_bounds("dragonfly:a=4,h=2,p=2", "shift-router:distance=4", ugal, 0.2);
    expect_between_the_bounds("torus:8,p=1", "tornado", ugal, 0.3);
    expect_between_the_bounds("hyperx:4x4,p=2", "permutation", ugal, 0.4);
    ugal.penalty = 1;  // as often as it can
    expect_between_the_bounds("slimfly:q=5,p=3", "worst-case", ugal, 0.25);
    expect_between_the_bounds("torus:8,p=1", "tornado", ugal, 0.3);
    ugal.global = true;
    expect_between_the_bounds("slimfly:q=5,p=3", "worst-case", ugal, 0.25);
  }
}

}  // namespace
}  // namespace unknot::simulate
