// SPDX-License-Identifier: Apache-2.0
#include "unknot/load/congestion.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "unknot/engines/catalogue.hpp"
#include "unknot/load/flow_load.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"
#include "verify/random_routings.hpp"
#include "verify/reference_checker.hpp"

namespace unknot {
namespace {

Congestion measure(const Network& network, const Routing& routing, const std::string& pattern,
                   std::uint32_t samples = 50, std::uint64_t seed = 1, std::uint32_t threads = 0) {
  Progress silent;
  return congestion(network, routing, make_pattern(network, pattern), samples, seed, threads, silent);
}

/// Those of one sample, all pairs written out.
std::vector<Flow> flows_of(const Network& network, const TrafficPattern& pattern, std::uint64_t seed,
                           std::uint32_t sample) {
  std::vector<Flow> flows;
  if (!pattern.all_pairs) {
    pattern.flows(seed, sample, flows);
    return flows;
  }
  for (const TerminalId s : network.terminals()) {
    for (const TerminalId d : network.terminals()) {
      if (s != d) flows.push_back({s, d});
    }
  }
  return flows;
}

/// The definition, followed literally.
Congestion reference(const Network& network, const Routing& routing, const TrafficPattern& pattern,
                     std::uint32_t samples, std::uint64_t seed) {
  Congestion result;
  std::vector<double> means;
  for (std::uint32_t index = 0; index < samples; ++index) {
    const std::vector<Flow> flows = flows_of(network, pattern, seed, index);
    std::map<std::uint32_t, double> on_channel;
    std::map<TerminalId, double> sent;
    std::map<TerminalId, double> received;
    std::vector<testing::ReferencePath> paths;
    for (const Flow& flow : flows) {
      paths.push_back(testing::reference_path(network, routing, flow.source, flow.destination));
      if (paths.back().outcome != testing::Outcome::delivered) continue;
      for (const auto& hop : paths.back().hops) on_channel[hop.first] += flow.weight;
      sent[flow.source] += flow.weight;
      received[flow.destination] += flow.weight;
    }
    double sum = 0;
    double busiest = 0;
    bool lost = false;
    for (std::size_t i = 0; i < flows.size(); ++i) {
      if (paths[i].outcome != testing::Outcome::delivered) {
        ++result.unroutable_flows;
        lost = true;
        continue;
      }
      double worst = std::max(sent[flows[i].source], received[flows[i].destination]);
      for (const auto& hop : paths[i].hops) worst = std::max(worst, on_channel[hop.first]);
      sum += flows[i].weight / worst;
      busiest = std::max(busiest, worst);
    }
    if (flows.empty()) continue;
    means.push_back(sum / static_cast<double>(flows.size()));
    result.max_congestion += busiest;
    if (!lost) result.throughput += 1.0 / busiest;
  }
  result.samples = static_cast<std::uint32_t>(means.size());
  if (means.empty()) return result;
  const auto count = static_cast<double>(means.size());
  for (const double mean : means) result.effective_bisection_bandwidth += mean / count;
  double squares = 0;
  for (const double mean : means) squares += std::pow(mean - result.effective_bisection_bandwidth, 2);
  if (means.size() > 1) result.standard_error = std::sqrt(squares / (count - 1) / count);
  result.max_congestion /= count;
  result.throughput /= count;
  return result;
}

/// A spec for the row on that network; empty where the network does not suit.
std::string spec_of(const Pattern& row, const Network& network, std::uint64_t seed) {
  if (row.read) {  // a file of weighted flows, several from some terminals
    if (network.terminal_count() < 2) return "";
    Random random(seed, 7);
    std::string text;
    for (std::uint32_t s = 0; s < network.terminal_count(); ++s) {
      for (std::uint32_t d = 0; d < network.terminal_count(); ++d) {
        if (s != d && (s + d < 2 || random.below(4) == 0))
          text += fmt::format("{} {} {}\n", s, d, 1 + random.below(8) / 2.0);
      }
    }
    const std::string path = ::testing::TempDir() + "/flows_of_congestion_test";
    write_file(path, text);
    return row.name + ":" + path;
  }
  if (!row.any_network) {
    try {
      (void)make_pattern(network, row.name);
    } catch (const InputError&) {
      return "";
    }
  }
  return row.name;
}

TEST(Congestion, AgreesWithItsDefinitionOnEveryPattern) {
  for (const Pattern& row : patterns()) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      SCOPED_TRACE(row.name + " " + std::to_string(seed));
      testing::RandomCase made = testing::random_case(seed, 9, 5);
      if (row.name == "all-to-all") {
        // Counted with the full load on the cables of terminals: whole tables only.
        Random random(seed);
        made.network = testing::random_fabric(random, true, 9, 5);
        made.routing = testing::shortest_paths(made.network, seed);
      }
      const std::string spec = spec_of(row, made.network, seed);
      if (spec.empty()) continue;
      const TrafficPattern pattern = make_pattern(made.network, spec);
      const Congestion expected =
          reference(made.network, made.routing, pattern, pattern.random ? 10 : 1, seed);
      Progress silent;
      const Congestion one = congestion(made.network, made.routing, pattern, 10, seed, 1, silent);
      EXPECT_NEAR(one.effective_bisection_bandwidth, expected.effective_bisection_bandwidth, 1e-12);
      EXPECT_NEAR(one.standard_error, expected.standard_error, 1e-12);
      EXPECT_NEAR(one.throughput, expected.throughput, 1e-12);
      EXPECT_NEAR(one.max_congestion, expected.max_congestion, 1e-12);
      EXPECT_EQ(one.samples, expected.samples);
      EXPECT_EQ(one.unroutable_flows, expected.unroutable_flows);
      for (const std::uint32_t threads : {2U, 3U}) {
        const Congestion more = congestion(made.network, made.routing, pattern, 10, seed, threads, silent);
        EXPECT_EQ(more.effective_bisection_bandwidth, one.effective_bisection_bandwidth);
        EXPECT_EQ(more.standard_error, one.standard_error);
        EXPECT_EQ(more.throughput, one.throughput);
      }
      if (HasFailure()) return;
    }
  }
}

/// Each flow as one flow to each address, of an equal part of its weight, each on the tables to its address.
TEST(Congestion, SplitsFlowsEvenlyOverSeveralAddresses) {
  Progress silent;
  const Network network = make_network("torus:4x4,p=2");
  const auto routed_by = [&](const char* engine) { return route(network, engine, {}, silent); };
  Routing routing = routed_by("minhop");
  routing.further = {routed_by("updn"), routed_by("dor")};
  for (const char* spec : {"permutation", "bisection", "tornado", "all-to-all"}) {
    SCOPED_TRACE(spec);
    const TrafficPattern pattern = make_pattern(network, spec);
    const Congestion found = measure(network, routing, spec, 3);
    Congestion wanted;
    const std::uint32_t samples = pattern.random ? 3 : 1;
    for (std::uint32_t sample = 0; sample < samples; ++sample) {
      const std::vector<Flow> flows = flows_of(network, pattern, 1, sample);
      std::vector<double> load(network.channel_count(), 0);
      std::map<TerminalId, double> cables;  // traffic is symmetrical here: as much in as out
      const auto along = [&](const Flow& flow, const auto& visit) {
        for (const Routing* tables : {&std::as_const(routing), &std::as_const(routing.further[0]),
                                      &std::as_const(routing.further[1])}) {
          std::vector<ChannelId> path;
          ASSERT_TRUE(append_path(network, *tables, flow.source, flow.destination, path));
          visit(path);
        }
      };
      for (const Flow& flow : flows) {
        along(flow, [&](const std::vector<ChannelId>& path) {
          for (const ChannelId c : path) load[c.value] += 1.0 / 3;
        });
        cables[flow.source] += 1;
      }
      double shares = 0;
      double busiest = 0;
      for (const Flow& flow : flows) {
        along(flow, [&](const std::vector<ChannelId>& path) {
          double worst = cables[flow.source];
          for (const ChannelId c : path) worst = std::max(worst, load[c.value]);
          shares += 1 / worst / 3;
          busiest = std::max(busiest, worst);
        });
      }
      wanted.effective_bisection_bandwidth += shares / static_cast<double>(flows.size()) / samples;
      wanted.max_congestion += busiest / samples;
    }
    EXPECT_NEAR(found.effective_bisection_bandwidth, wanted.effective_bisection_bandwidth, 1e-9);
    EXPECT_NEAR(found.max_congestion, wanted.max_congestion, 1e-9);
    EXPECT_EQ(found.unroutable_flows, 0U);
  }
}

TEST(Congestion, StarsWithOneTerminalALeafDoNotCollide) {
  const Network network = testing::star(8);
  const Routing routing = testing::shortest_paths(network, 1);
  for (const char* pattern : {"bisection", "permutation", "shift:3", "tornado"}) {
    const Congestion result = measure(network, routing, pattern);
    EXPECT_DOUBLE_EQ(result.effective_bisection_bandwidth, 1) << pattern;
    EXPECT_DOUBLE_EQ(result.throughput, 1) << pattern;
    EXPECT_DOUBLE_EQ(result.standard_error, 0) << pattern;
  }
}

TEST(Congestion, TwoRoutersShareTheirCable) {
  // Two terminals on each of two routers: the flows of "shift:2" cross two by two.
  NetworkBuilder builder;
  builder.add_routers(2);
  builder.add_cable(RouterId(0), RouterId(1));
  for (std::uint32_t t = 0; t < 4; ++t) builder.add_terminal(RouterId(t / 2));
  const Network network = std::move(builder).build();
  const Routing routing = testing::shortest_paths(network, 1);
  EXPECT_DOUBLE_EQ(measure(network, routing, "shift:2").effective_bisection_bandwidth, 0.5);
  EXPECT_DOUBLE_EQ(measure(network, routing, "shift:2").max_congestion, 2);
  EXPECT_DOUBLE_EQ(measure(network, routing, "neighbour").effective_bisection_bandwidth, 1);
  // A matching of four: both within (1 of 3), both across in one direction, or one each way.
  const Congestion bisection = measure(network, routing, "bisect", 3000);
  EXPECT_NEAR(bisection.effective_bisection_bandwidth, 1.0 / 3 + 2.0 / 3 * (0.5 * 0.5 + 0.5 * 1),
              5 * bisection.standard_error);
  EXPECT_GT(bisection.standard_error, 0);
}

TEST(Congestion, SamplesAreTheSameForAllRoutings) {
  const Network network = testing::ring(4, 2);
  const Congestion a = measure(network, testing::shortest_paths(network, 1), "bisection", 20, 7);
  const Congestion b = measure(network, testing::shortest_paths(network, 1), "bisection", 20, 7, 3);
  EXPECT_EQ(a.effective_bisection_bandwidth, b.effective_bisection_bandwidth);
  EXPECT_NE(a.effective_bisection_bandwidth,
            measure(network, testing::shortest_paths(network, 1), "bisection", 20, 8)
                .effective_bisection_bandwidth);
}

TEST(Congestion, NothingToSendIsNoFlow) {
  const Network network = testing::single(1);
  for (const Pattern& row : patterns()) {
    if (row.read || !row.any_network) continue;
    const Congestion result = measure(network, testing::shortest_paths(network, 1), row.name);
    EXPECT_EQ(result.samples, 0U) << row.name;
    EXPECT_EQ(result.effective_bisection_bandwidth, 0) << row.name;
  }
}

}  // namespace
}  // namespace unknot
