// SPDX-License-Identifier: Apache-2.0
// The link lists of OpenSM and of ibdiagnet.
#include "unknot/formats/fabric/subnet_list.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "formats/fabric_samples.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

/// One end of a link, as both tools print it.
std::string end(const char* kind, int ports, int guid, const char* name, int lid, int port) {
  return fmt::format(
      "{{ {} Ports:{:02X} SystemGUID:{:016x} NodeGUID:{:016x} PortGUID:{:016x} VenID:000002C9 DevID:D2F2 "
      "Rev:000000A1 "
      "{{{}}} LID:{:04X} PN:{:02X} }}",
      kind, ports, guid, guid, guid, name, lid, port);
}

std::string link(const std::string& a, const std::string& b, const char* state = "ACT") {
  return fmt::format("{} {} PHY=4x LOG={} SPD=50\n", a, b, state);
}

const std::string kLeaf1 = end("SW", 41, 0x20, "MF0;leaf1:MQM8700/U1", 4, 1);
const std::string kHost1 = end("CA-SM", 1, 0x10, "node1 mlx5_0", 1, 1);
const std::string kLeaf1Up = end("SW", 41, 0x20, "MF0;leaf1:MQM8700/U1", 4, 40);
const std::string kLeaf2Up = end("SW", 41, 0x21, "MF0;leaf2:MQM8700/U1", 5, 40);
const std::string kLeaf2 = end("SW", 41, 0x21, "MF0;leaf2:MQM8700/U1", 5, 1);
const std::string kHost2 = end("CA", 1, 0x11, "node2 mlx5_0", 2, 1);

/// ibdiagnet discovers from its own node, and writes each link once, from whichever side it came.
TEST(SubnetList, EachLinkOnceIsTheSameNetwork) {
  const std::string both = link(kHost1, kLeaf1) + link(kLeaf1, kHost1) + link(kLeaf1Up, kLeaf2Up) +
                           link(kLeaf2Up, kLeaf1Up) + link(kLeaf2, kHost2) + link(kHost2, kLeaf2);
  const std::string once =
      "# ibdiagnet\n" + link(kHost1, kLeaf1) + link(kLeaf1Up, kLeaf2Up) + link(kLeaf2, kHost2);
  const Network a = read_subnet_list(both, "opensm-subnet.lst");
  const Network b = read_subnet_list(once, "ibdiagnet2.lst");
  EXPECT_EQ(test::facts(a), test::facts(b));
  EXPECT_EQ(b.terminal_count(), 2U);
  EXPECT_EQ(b.channel_count(), 2U);
  EXPECT_EQ(link_rate_names()[b.channel_rate(ChannelId(0))], "4xHDR");
}

TEST(SubnetList, AMissingDirectionAmongOthersIsALostLine) {
  const std::string text = link(kHost1, kLeaf1) + link(kLeaf1, kHost1) + link(kLeaf1Up, kLeaf2Up) +
                           link(kLeaf2, kHost2) + link(kHost2, kLeaf2);
  EXPECT_THAT([&] { read_subnet_list(text, "list"); },
              ThrowsMessage<InputError>(HasSubstr("list:3: port 40 of \"0x0000000000000020\"")));
}

TEST(SubnetList, LinksThatAreDownAreLeftOut) {
  const std::string spare1 = end("SW", 41, 0x20, "MF0;leaf1:MQM8700/U1", 4, 30);
  const std::string spare2 = end("SW", 41, 0x21, "MF0;leaf2:MQM8700/U1", 5, 30);
  const std::string up = link(kHost1, kLeaf1) + link(kLeaf1Up, kLeaf2Up, "INI") + link(kLeaf2, kHost2, "ARM");
  EXPECT_EQ(test::facts(read_subnet_list(up, "list")),
            test::facts(read_subnet_list(up + link(spare1, spare2, "DWN"), "list")));
  // The other direction may have been written a moment earlier.
  const std::string both = link(kHost1, kLeaf1) + link(kLeaf1, kHost1) + link(kLeaf1Up, kLeaf2Up) +
                           link(kLeaf2Up, kLeaf1Up) + link(kLeaf2, kHost2) + link(kHost2, kLeaf2);
  EXPECT_EQ(test::facts(read_subnet_list(both, "list")),
            test::facts(read_subnet_list(both + link(spare1, spare2) + link(spare2, spare1, "DWN"), "list")));
}

TEST(SubnetList, GatewaysByAllTheirNames) {
  for (const char* kind : {"RT", "Rt", "RTR"}) {
    const std::string gateway = end(kind, 2, 0x12, "gateway", 3, 1);
    const std::string spare = end("SW", 41, 0x21, "MF0;leaf2:MQM8700/U1", 5, 2);
    const Network network =
        read_subnet_list(link(kLeaf1Up, kLeaf2Up) + link(kLeaf2, kHost2) + link(spare, gateway), "list");
    EXPECT_EQ(network.labels().service_nodes.size(), 1U) << kind;
    EXPECT_EQ(network.terminal_count(), 1U) << kind;
  }
}

/// The list that ibutils is installed with: 172 links, each from both sides, without speeds.
TEST(SubnetList, ReadsTheListOfIbutils) {
  const std::string path = "/usr/lib/x86_64-linux-gnu/ibdm1.5.7/ibnl/subnet.lst";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "ibutils is not installed";
  const Network network = read_subnet_list(read_file(path), path);
  EXPECT_EQ(network.terminal_count() * 2 + network.channel_count(), 344U);
}

}  // namespace
}  // namespace unknot
