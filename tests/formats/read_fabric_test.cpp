// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "formats/fabric_samples.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/formats/fabric/fabric_catalogue.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::string temporary(const std::string& name, std::string_view content) {
  const std::string path = testing::TempDir() + "unknot-" + name;
  write_file(path, content);
  return path;
}

TEST(ReadFabric, TellsFormatsByContent) {
  for (const FabricFormat& format : fabric_formats()) {
    if (!format.read || !format.write || !test::keeps_all(format)) continue;
    for (const auto& sample : test::fabric_samples()) {
      if (sample.name == "one-way ring" && !test::holds_one_way(format)) continue;
      const std::string path = temporary("told-by-content", format.write(sample.network));
      EXPECT_EQ(read_fabric(path).fingerprint(), sample.network.fingerprint())
          << format.name << " " << sample.name;
    }
  }
}

TEST(ReadFabric, TakesSpecs) {
  EXPECT_EQ(read_fabric("ring:5").router_count(), 5U);
}

TEST(ReadFabric, SaysWhatIsWrongWithTheName) {
  EXPECT_THAT([] { read_fabric("rnig:5"); }, ThrowsMessage<InputError>(HasSubstr("ring")));
  EXPECT_THAT([] { read_fabric("no/such/file.net"); },
              ThrowsMessage<InputError>(AllOf(HasSubstr("no/such/file.net"), HasSubstr("cannot open"))));
  EXPECT_THAT([] { read_fabric(temporary("empty", " \n")); },
              ThrowsMessage<InputError>(HasSubstr("the file is empty")));
  EXPECT_THAT(
      [] { read_fabric(temporary("letter", "Dear all,\nhere is our fabric.\n")); },
      ThrowsMessage<InputError>(HasSubstr("of no fabric format that can be read (json, ibnetdiscover")));
}

TEST(ReadFabric, TablesInPlaceOfAFabricNameTheCommandForThem) {
  EXPECT_THAT(
      [] {
        read_fabric(
            temporary("tables", "Unicast lids guid 0x0000000000000010 (s0):\n0x0001 001\n1 lids dumped\n"));
      },
      ThrowsMessage<InputError>(AllOf(HasSubstr("routing tables (format opensm), where a fabric is expected"),
                                      HasSubstr("unknot verify FABRIC"))));
}

TEST(ReadFabric, EveryFamilySurvivesEveryFormatThatHoldsIt) {
  for (const Topology& family : topologies()) {
    for (const std::string& spec : family.examples) {
      const Network network = make_network(spec);
      const auto channels = network.channels();
      const bool one_way = std::any_of(channels.begin(), channels.end(),
                                       [&](ChannelId c) { return !network.reverse(c).valid(); });
      for (const FabricFormat& format : fabric_formats()) {
        if (!format.read || !format.write || !test::keeps_all(format)) continue;
        if (one_way && !test::holds_one_way(format)) continue;
        SCOPED_TRACE(spec + " as " + format.name);
        const std::string text = format.write(network);
        EXPECT_TRUE(format.recognises(std::string_view(text).substr(0, 16384)));
        test::expect_same(network, format.read(text, spec));
      }
    }
  }
}

/// The routers of the network in another order, and nothing said of where they are.
Network without_coordinates(const Network& network) {
  NetworkBuilder builder;
  builder.add_routers(network.router_count());
  const auto moved = [&](RouterId r) { return RouterId((r.value * 29 + 5) % network.router_count()); };
  for (const ChannelId c : network.channels()) {
    if (c < network.reverse(c)) builder.add_cable(moved(network.source(c)), moved(network.target(c)));
  }
  for (const RouterId r : network.routers()) builder.add_terminal(r);
  return std::move(builder).build();
}

TEST(ReadFabric, ATorusIsRecognisedWhateverTheFormat) {
  const Network torus = without_coordinates(make_network("torus:4x4x3"));
  ASSERT_EQ(torus.coordinates(), nullptr);
  Progress quiet;
  for (const char* format : {"ibnetdiscover", "ibsim", "json"}) {
    const std::string path = testing::TempDir() + "unknot-torus." + format;
    write_fabric(torus, format, path);
    const Network network = read_fabric(path);
    ASSERT_NE(network.coordinates(), nullptr) << format;
    const Routing routing = route(network, "dor", EngineRequest(), quiet);
    const Verdict verdict = verify(network, routing, {}, quiet);
    EXPECT_TRUE(verdict.complete() && verdict.minimal() && verdict.deadlock_free) << format;
  }
  const std::string path = temporary("edges.txt", "0 1\n1 2\n2 3\n3 4\n4 0\n");
  const Network ring = read_fabric(path);
  ASSERT_NE(ring.coordinates(), nullptr);
  EXPECT_TRUE(ring.coordinates()->wraps);
}

}  // namespace
}  // namespace unknot
