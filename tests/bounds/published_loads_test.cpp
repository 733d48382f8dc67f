// SPDX-License-Identifier: Apache-2.0
// Channel loads and fluid limits of the topologies of Kathareios, Minkenberg, Prisacari, Rodriguez, Hoefler:
// Cost-effective diameter-two topologies, SC'15, sections 4 and 5. The paper prints the bounds in rounded
// form; the digits here were computed by an independent implementation, path by path.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "unknot/bounds/exchange.hpp"
#include "unknot/oblivious/oblivious_load.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"

namespace unknot {
namespace {

struct Bounds {
  ObliviousLoad load;
  FluidLimit limit;
};

Bounds bounds_of(const Network& network, const std::string& pattern, ObliviousPaths paths) {
  Progress silent;
  const Exchange exchange = exchange_of(network, make_pattern(network, pattern), 1, 0);
  Bounds bounds;
  bounds.load = oblivious_load(network, paths, exchange.between, 0, silent);
  bounds.limit = fluid_limit(network, exchange, bounds.load.max);
  return bounds;
}

struct LoadCase {
  const char* topology;
  const char* pattern;
  double max[2], min[2], mean[2], saturation[2];  // minimal, valiant
};

constexpr double kRounded = 1e-6;

TEST(PublishedLoads, UniformTrafficAndShiftsByRouters) {
  const LoadCase cases[] = {
      {"slimfly:q=5,p=3",
       "uniform",
       {0.785235, 1.570470},
       {0.785235, 1.570470},
       {0.785235, 1.570470},
       {1, 0.636752}},
      {"slimfly:q=5,p=4",
       "uniform",
       {1.045226, 2.090452},
       {1.045226, 2.090452},
       {1.045226, 2.090452},
       {0.956731, 0.478365}},
      {"slimfly:q=7,p=5",
       "uniform",
       {0.971370, 1.942740},
       {0.443081, 0.886162},
       {0.850530, 1.701060},
       {1, 0.514737}},
      {"slimfly:q=8,p=6",
       "uniform",
       {1.032595, 2.065189},
       {0.469361, 0.938722},
       {0.946545, 1.893090},
       {0.968434, 0.484217}},
      {"slimfly:q=9,p=6",
       "uniform",
       {0.926880, 1.853759},
       {0.778579, 1.557158},
       {0.881249, 1.762497},
       {1, 0.539444}},
      {"slimfly:q=13,p=9",
       "uniform",
       {0.985531, 1.971062},
       {0.772443, 1.544887},
       {0.918240, 1.836480},
       {1, 0.507341}},
      {"slimfly:q=13,p=10",
       "uniform",
       {1.094999, 2.189997},
       {0.858242, 1.716484},
       {1.020233, 2.040467},
       {0.913243, 0.456622}},
      {"mlfm:4", "uniform", {0.962025, 1.924051}, {0.962025, 1.924051}, {0.962025, 1.924051}, {1, 0.519737}},
      {"mlfm:4", "shift:4", {4, 2.111111}, {0, 1.666667}, {1, 2}, {0.25, 0.473684}},
      {"mlfm:4", "worst-case", {4, 2.111111}, {0, 1.666667}, {1, 2}, {0.25, 0.473684}},
      {"mlfm:15", "uniform", {0.996110, 1.992220}, {0.996110, 1.992220}, {0.996110, 1.992220}, {1, 0.501953}},
      {"mlfm:15", "shift:15", {15, 2.008403}, {0, 1.882353}, {1, 2}, {0.066667, 0.497908}},
      {"mlfm:15", "worst-case", {15, 2.008403}, {0, 1.882353}, {1, 2}, {0.066667, 0.497908}},
      {"oft:4", "uniform", {0.970874, 1.941748}, {0.970874, 1.941748}, {0.970874, 1.941748}, {1, 0.515}},
      {"oft:4", "shift:4", {4, 2.083333}, {0, 1.75}, {1, 2}, {0.25, 0.48}},
      {"oft:4", "worst-case", {4, 2.083333}, {0, 1.75}, {1, 2}, {0.25, 0.48}},
      {"oft:12", "uniform", {0.996553, 1.993106}, {0.996553, 1.993106}, {0.996553, 1.993106}, {1, 0.501730}},
      {"oft:12", "shift:12", {12, 2.007576}, {0, 1.916667}, {1, 2}, {0.083333, 0.498113}},
      {"oft:12", "worst-case", {12, 2.007576}, {0, 1.916667}, {1, 2}, {0.083333, 0.498113}},
  };
  for (const LoadCase& one : cases) {
    const Network network = make_network(one.topology);
    for (const ObliviousPaths paths : {ObliviousPaths::minimal, ObliviousPaths::valiant}) {
      const int i = paths == ObliviousPaths::minimal ? 0 : 1;
      SCOPED_TRACE(std::string(one.topology) + " " + one.pattern + " " + std::string(name_of(paths)));
      const Bounds bounds = bounds_of(network, one.pattern, paths);
      EXPECT_NEAR(bounds.load.max, one.max[i], kRounded);
      EXPECT_NEAR(bounds.load.min, one.min[i], kRounded);
      EXPECT_NEAR(bounds.load.mean, one.mean[i], kRounded);
      EXPECT_NEAR(bounds.limit.saturation, one.saturation[i], kRounded);
      EXPECT_NEAR(bounds.limit.effective_throughput, one.saturation[i], kRounded);
    }
  }
}

struct PairCase {
  std::uint32_t q, p;
  double mean, valiant_max, valiant_mean, valiant_saturation;
};

// Pairings are many. What they share is the load of the shared cables, the largest load of Valiant's routing,
// and the means, but for one hop of the pair that an odd q leaves over.
TEST(PublishedLoads, WorstCaseOfSlimFlies) {
  const PairCase cases[] = {
      {5, 3, 0.857143, 1.625000, 1.589286, 0.615385},   {5, 4, 1.142857, 2.166667, 2.119048, 0.461538},
      {7, 5, 0.899814, 1.979167, 1.714208, 0.505263},   {8, 6, 1.000000, 2.095238, 1.904762, 0.477273},
      {9, 6, 0.923077, 1.875000, 1.771154, 0.533333},   {13, 9, 0.947368, 1.982143, 1.841165, 0.504505},
      {13, 10, 1.052632, 2.202381, 2.045739, 0.454054},
  };
  for (const PairCase& one : cases) {
    const std::string spec = "slimfly:q=" + std::to_string(one.q) + ",p=" + std::to_string(one.p);
    SCOPED_TRACE(spec);
    const Network network = make_network(spec);
    const Bounds minimal = bounds_of(network, "worst-case", ObliviousPaths::minimal);
    const Bounds valiant = bounds_of(network, "worst-case", ObliviousPaths::valiant);
    const double left_over =
        one.q % 2 == 0 ? 0 : 2.0 * one.p / network.channel_count();  // one hop, both ways
    EXPECT_EQ(minimal.load.max, 2 * one.p);
    EXPECT_EQ(minimal.load.min, 0);
    EXPECT_NEAR(minimal.load.mean, one.mean, left_over + kRounded);
    EXPECT_NEAR(minimal.limit.saturation, 0.5 / one.p, kRounded);
    EXPECT_NEAR(valiant.load.max, one.valiant_max, kRounded);
    EXPECT_NEAR(valiant.load.mean, one.valiant_mean, 2 * left_over / (network.router_count() - 2) + kRounded);
    EXPECT_NEAR(valiant.limit.saturation, one.valiant_saturation, kRounded);
  }
}

struct NeighbourCase {
  const char* topology;
  const char* dims;
  double messages, inside, load[2], time[2], throughput[2];  // minimal, valiant
};

TEST(PublishedLoads, NearestNeighbourExchanges) {
  const NeighbourCase cases[] = {
      {"slimfly:q=13,p=9", "13x13x18", 18252, 4992, {23, 8.780}, {23, 8.780}, {0.2609, 0.6834}},
      {"slimfly:q=13,p=9", "18x13x13", 18252, 5408, {27, 8.369}, {27, 8.369}, {0.2222, 0.7169}},
      {"slimfly:q=13,p=10", "13x13x20", 20280, 5616, {36, 9.667}, {36, 9.667}, {0.1667, 0.6207}},
      {"slimfly:q=13,p=10", "20x13x13", 20280, 6084, {30, 9.250}, {30, 9.250}, {0.2000, 0.6486}},
      {"mlfm:15", "15x16x15", 21600, 7200, {17, 8.017}, {17, 8.017}, {0.3529, 0.7484}},
      {"oft:12", "12x14x19", 19152, 6384, {36, 8.030}, {36, 8.030}, {0.1667, 0.7472}},
      {"oft:12", "12x133x2", 19152, 6384, {26, 8.015}, {26, 8.015}, {0.2308, 0.7486}},
  };
  for (const NeighbourCase& one : cases) {
    const Network network = make_network(one.topology);
    const std::string pattern = std::string("stencil3d:") + one.dims;
    const Exchange exchange = exchange_of(network, make_pattern(network, pattern), 1, 0);
    EXPECT_EQ(exchange.total, one.messages);
    EXPECT_EQ(exchange.between.inside(), one.inside);
    EXPECT_EQ(exchange.peak_injection, 6);
    for (const ObliviousPaths paths : {ObliviousPaths::minimal, ObliviousPaths::valiant}) {
      const int i = paths == ObliviousPaths::minimal ? 0 : 1;
      SCOPED_TRACE(std::string(one.topology) + " " + one.dims + " " + std::string(name_of(paths)));
      const Bounds bounds = bounds_of(network, pattern, paths);
      EXPECT_NEAR(bounds.load.max, one.load[i], 5.1e-4);
      EXPECT_NEAR(bounds.limit.time, one.time[i], 5.1e-4);
      EXPECT_NEAR(bounds.limit.effective_throughput, one.throughput[i], 5.1e-5);
    }
  }
}

}  // namespace
}  // namespace unknot
