// SPDX-License-Identifier: Apache-2.0
// What must hold of every family in the catalogue, for each of its examples.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "unknot/network/connectivity.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

struct Example {
  const Topology* row;
  std::string spec;
};

std::vector<Example> examples() {
  std::vector<Example> all;
  for (const Topology& row : topologies()) {
    for (const std::string& spec : row.examples) all.push_back({&row, spec});
  }
  return all;
}

class EveryTopology : public testing::TestWithParam<Example> {
 protected:
  const Topology& row() const { return *GetParam().row; }
  const std::string& spec() const { return GetParam().spec; }
  Parameters parameters() const {
    const std::size_t colon = spec().find(':');
    return parse_parameters(row().name, row().parameters,
                            colon == std::string::npos ? "" : std::string_view(spec()).substr(colon + 1));
  }
  Network net = make_network(spec());
};

TEST_P(EveryTopology, HasThePredictedSize) {
  const NetworkSize size = row().size(parameters());
  EXPECT_EQ(net.router_count(), size.routers);
  EXPECT_EQ(net.terminal_count(), size.terminals);
  std::uint64_t ends = 0;
  for (const ChannelId c : net.channels()) ends += net.reverse(c).valid() ? 1 : 2;
  EXPECT_EQ(ends, 2 * size.cables);
}

TEST_P(EveryTopology, CarriesItsSpec) {
  EXPECT_EQ(net.description(), spec());
  EXPECT_TRUE(is_spec(spec()));
  EXPECT_FALSE(row().summary.empty());
}

TEST_P(EveryTopology, CablesAreTwoChannelsAndWaysInEqualWaysOut) {
  for (const ChannelId c : net.channels()) {
    EXPECT_NE(net.source(c), net.target(c));
    const ChannelId back = net.reverse(c);
    if (!back.valid()) continue;
    EXPECT_EQ(net.reverse(back), c);
    EXPECT_EQ(net.source(back), net.target(c));
    EXPECT_EQ(net.target(back), net.source(c));
    EXPECT_EQ(net.source_port(back), net.target_port(c));
    EXPECT_EQ(net.target_port(back), net.source_port(c));
  }
  for (const RouterId r : net.routers()) EXPECT_EQ(net.in(r).size(), net.out(r).size());
}

TEST_P(EveryTopology, LeadsEachPortToOnePlace) {
  for (const RouterId r : net.routers()) {
    std::vector<std::uint16_t> ports;
    for (const ChannelId c : net.out(r)) ports.push_back(net.source_port(c));
    for (const ChannelId c : net.in(r)) {
      if (!net.reverse(c).valid()) ports.push_back(net.target_port(c));
    }
    for (const TerminalId t : net.terminals_at(r)) ports.push_back(net.terminal_port(t));
    std::sort(ports.begin(), ports.end());
    EXPECT_EQ(std::adjacent_find(ports.begin(), ports.end()), ports.end());
    if (!ports.empty()) {
      EXPECT_GE(ports.front(), 1);
    }
  }
}

TEST_P(EveryTopology, IsConnected) {
  EXPECT_EQ(strongly_connected_parts(net).count, 1U);
  EXPECT_EQ(describe_disconnection(net), "");
}

TEST_P(EveryTopology, SpreadsTerminalsEvenly) {
  if (row().spread == TerminalSpread::as_ports_allow) return;  // Deimos.TerminalsFillThePorts...
  std::uint32_t least = UINT32_MAX;
  std::uint32_t most = 0;
  for (const RouterId r : net.routers()) {
    const bool carrier = net.levels().empty() || net.levels()[r.value] == 0;
    const std::uint32_t count = net.terminals_at(r).size();
    if (row().spread == TerminalSpread::evenly_on_some && count == 0) continue;
    if (!carrier) {
      EXPECT_EQ(count, 0U);
      continue;
    }
    least = std::min(least, count);
    most = std::max(most, count);
  }
  EXPECT_LE(most - least, 1U);
}

TEST_P(EveryTopology, IsTheSameEachTime) {
  EXPECT_EQ(make_network(spec()).fingerprint(), net.fingerprint());
}

TEST_P(EveryTopology, FillsLevelsAndCoordinatesWhole) {
  if (!net.levels().empty()) {
    ASSERT_EQ(net.levels().size(), net.router_count());
    for (const ChannelId c : net.channels()) {
      const std::uint32_t a = net.levels()[net.source(c).value];
      const std::uint32_t b = net.levels()[net.target(c).value];
      EXPECT_EQ(std::max(a, b) - std::min(a, b), 1U);
    }
  }
  const Coordinates* at = net.coordinates();
  if (at == nullptr) return;
  ASSERT_EQ(at->extent.size(), at->dimensions);
  ASSERT_EQ(at->value.size(), std::size_t{at->dimensions} * net.router_count());
  for (const RouterId r : net.routers()) {
    // The last coordinate runs fastest: coordinates say the router's number.
    std::uint64_t number = 0;
    for (std::uint32_t d = 0; d < at->dimensions; ++d) {
      number = number * at->extent[d] + at->value[r.value * at->dimensions + d];
    }
    EXPECT_EQ(number, r.value);
  }
  for (const ChannelId c : net.channels()) {
    std::uint32_t moves = 0;
    for (std::uint32_t d = 0; d < at->dimensions; ++d) {
      const std::uint32_t a = at->value[net.source(c).value * at->dimensions + d];
      const std::uint32_t b = at->value[net.target(c).value * at->dimensions + d];
      const std::uint32_t apart = std::max(a, b) - std::min(a, b);
      if (apart == 0) continue;
      ++moves;
      // The dimensions of a HyperX are full meshes.
      EXPECT_TRUE(apart == 1 || (at->wraps && apart == at->extent[d] - 1) || row().name == "hyperx");
    }
    EXPECT_EQ(moves, 1U);
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryTopology, testing::ValuesIn(examples()), [](const auto& instance) {
  std::string name = instance.param.spec;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

}  // namespace
}  // namespace unknot
