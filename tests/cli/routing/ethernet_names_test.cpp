// SPDX-License-Identifier: Apache-2.0
// Names that files of one switch have for its ports: what no file explains is not taken for a way to hosts in
// silence, and what fails together is not tried apart.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <string>
#include <vector>

#include "cli/run_command.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class EthernetNames : public InFolder {
 protected:
  /// Three switches in a ring, swp1 to the next one's swp2; all packets go round by `onwards`, as routes call
  /// swp1, and hosts are at swp9. Buffers wait in a circle.
  void ring(const std::string& onwards) {
    std::filesystem::create_directory("f");
    for (int s = 0; s < 3; ++s) {
      const int next = (s + 1) % 3, last = (s + 2) % 3;
      write(fmt::format("f/s{}.lldp.json", s), fmt::format(R"({{"lldp": {{"interface": [{}, {}]}}}})",
                                                           seen("swp1", fmt::format("s{}", next), "swp2"),
                                                           seen("swp2", fmt::format("s{}", last), "swp1")));
      routes(s, {fmt::format(R"({{"dst": "10.0.{}.0/24", "dev": "swp9"}})", s),
                 fmt::format(R"({{"dst": "10.0.{}.0/24", "dev": "{}"}})", next, onwards),
                 fmt::format(R"({{"dst": "10.0.{}.0/24", "dev": "{}"}})", last, onwards)});
    }
  }
  static std::string seen(const std::string& port, const std::string& device, const std::string& behind) {
    return fmt::format(
        R"({{"{}": {{"chassis": {{"{}": {{}}}}, "port": {{"id": {{"type": "ifname", "value": "{}"}}}}}}}})",
        port, device, behind);
  }
  void routes(int s, const std::vector<std::string>& all) {
    std::string text;
    for (const std::string& one : all) text += (text.empty() ? "" : ", ") + one;
    write(fmt::format("f/s{}.routes.json", s), "[" + text + "]");
  }
  /// Lossless priority 3 of ports, and more of a config_db.json, for all three.
  void configure(const std::string& more, const std::string& ports = "swp1,swp2") {
    for (int s = 0; s < 3; ++s) {
      write(fmt::format("f/s{}.config_db.json", s),
            fmt::format(R"({{"PORT": {{"swp1": {{}}, "swp2": {{}}, "swp5": {{}}, "swp9": {{}}}},
                         "PORT_QOS_MAP": {{"{}": {{"pfc_enable": "3"}}}}{}}})",
                        ports, more));
    }
  }
  static Result verify(const std::string& options = "") { return run("verify --ethernet f " + options); }
};

TEST_F(EthernetNames, SubInterfacesAreTheirPorts) {
  ring("swp1");
  EXPECT_EQ(verify().code, 1);
  ring("swp1.100");
  EXPECT_THAT(verify().out, HasSubstr("NO, priorities 3, 4 of 3, 4"));
}

TEST_F(EthernetNames, WhatNoFileExplainsIsRefusedOrNamed) {
  for (const char* const bond : {"bond1", "team0", "PortChannel1", "bond1.100"}) {
    ring(bond);
    expect_refused("verify --ethernet f", "expected the ports that");
  }
  for (const char* const other : {"vlan100", "br0", "Ethernet0"}) {
    ring(other);
    const Result answer = verify();
    EXPECT_THAT(answer.out, HasSubstr("yes among these")) << other;
    EXPECT_THAT(answer.out, HasSubstr(fmt::format("what {} of s0 leads to", other)));
  }
}

TEST_F(EthernetNames, PortChannelsAreTheirPortsWithANeighbour) {
  ring("PortChannel1");
  configure(R"(, "PORTCHANNEL": {"PortChannel1": {}})");
  expect_refused("verify --ethernet f", "PortChannel1 of s0 has routes and no member in PORTCHANNEL_MEMBER");
  // swp5 has nothing behind it: the channel has one link, and is no way to hosts.
  configure(R"(, "PORTCHANNEL_MEMBER": {"PortChannel1|swp1": {}, "PortChannel1|swp5": {}})");
  EXPECT_THAT(verify().out, HasSubstr("NO, priorities 3 of 3"));
  // Behind a VLAN a port channel to a switch is a bridge as its ports are.
  ring("Vlan7");
  configure(
      R"(, "PORTCHANNEL_MEMBER": {"PortChannel1|swp1": {}}, "VLAN_MEMBER": {"Vlan7|PortChannel1": {}})");
  expect_refused("verify --ethernet f", "what bridges do is not covered");
}

TEST_F(EthernetNames, LinksThatFailTogetherAreNotTriedApart) {
  std::filesystem::create_directory("f");
  for (int s = 0; s < 2; ++s) {
    write(fmt::format("f/s{}.lldp.json", s), fmt::format(R"({{"lldp": {{"interface": [{}, {}]}}}})",
                                                         seen("swp1", fmt::format("s{}", 1 - s), "swp1"),
                                                         seen("swp2", fmt::format("s{}", 1 - s), "swp2")));
    routes(s, {fmt::format(R"({{"dst": "10.0.{}.0/24", "dev": "swp9"}})", s),
               fmt::format(R"({{"dst": "10.0.{}.0/24", "dev": "PortChannel1"}})", 1 - s)});
  }
  const std::string members = R"(, "PORTCHANNEL_MEMBER": {"PortChannel1|swp1": {}, "PortChannel1|swp2": {}})";
  configure(members);
  std::filesystem::remove("f/s2.config_db.json");
  EXPECT_THAT(verify("--failures").out, HasSubstr("free with one link down    yes, all 2 tried"));
  configure(members + R"(, "PORTCHANNEL": {"PortChannel1": {"min_links": "2"}})");
  std::filesystem::remove("f/s2.config_db.json");
  EXPECT_EQ(verify().code, 0);
  expect_refused("verify --ethernet f --failures", "has 2 links and is down with fewer than 2 (min_links)");
}

TEST_F(EthernetNames, DefaultsAreOfTheFamilyOfTheirGateways) {
  // All by defaults, which close the ring. What IPv6 there is beside them changes nothing.
  const auto defaults = [&](const std::string& more) {
    ring("swp1");
    for (int s = 0; s < 3; ++s) {
      routes(s, {fmt::format(R"({{"dst": "10.0.{}.0/24", "dev": "swp9"}})", s),
                 R"({"dst": "default", "gateway": "10.1.0.1", "dev": "swp1"})" + more});
    }
    return verify();
  };
  EXPECT_THAT(defaults("").out, HasSubstr("NO, priorities 3, 4"));
  EXPECT_THAT(defaults(R"(, {"dst": "fe80::/64", "dev": "swp1"})").out, HasSubstr("NO, priorities 3, 4"));
  ring("swp1");
  routes(0, {R"({"dst": "10.0.0.0/24", "dev": "swp9"})", R"({"dst": "fe80::/64", "dev": "swp1"})",
             R"({"dst": "default", "dev": "swp1"})"});
  expect_refused("verify --ethernet f", "s0.routes.json: route 3: expected a default with a gateway");
}

TEST_F(EthernetNames, GroupsOfNextHopsAreLookedUp) {
  ring("swp1");
  for (int s = 0; s < 3; ++s) {
    write(fmt::format("f/s{}.routes.json", s),
          fmt::format(R"({{"ROUTE_TABLE:10.0.{}.0/24": {{"value": {{"ifname": "swp9"}}}},
                       "ROUTE_TABLE:10.0.{}.0/24": {{"value": {{"nexthop_group": "7"}}}},
                       "ROUTE_TABLE:10.0.{}.0/24": {{"value": {{"nexthop_group": "7"}}}},
                       "NEXTHOP_GROUP_TABLE:7": {{"value": {{"ifname": "swp1"}}}}}})",
                      s, (s + 1) % 3, (s + 2) % 3));
  }
  EXPECT_THAT(verify().out, HasSubstr("NO, priorities 3, 4"));
  write("f/s0.routes.json", R"({"ROUTE_TABLE:10.0.1.0/24": {"value": {"nexthop_group": "8"}}})");
  expect_refused("verify --ethernet f",
                 "ROUTE_TABLE:10.0.1.0/24.nexthop_group: expected a group that is there");
}

TEST_F(EthernetNames, ASwitchWithoutANameIsNoHost) {
  ring("swp1");
  write("f/s0.lldp.json",
        fmt::format(
            R"({{"lldp": {{"interface": [{}, {}, {{"swp7": {{"chassis": {{"id": {{"type": "mac", "value":
                    "00:11"}}, "capability": {{"type": "Bridge", "enabled": true}}}}, "port": {{}}}}}}]}}}})",
            seen("swp1", "s1", "swp2"), seen("swp2", "s2", "swp1")));
  EXPECT_THAT(verify().out, HasSubstr("a switch without a name (00:11)"));
}

TEST_F(EthernetNames, HostsThatOnlyLldpShowsSend) {
  // s2 sends by no port but swp1; what server9 sends closes the ring all the same.
  ring("swp1");
  write("f/s2.lldp.json",
        fmt::format(R"({{"lldp": {{"interface": [{}, {}, {}]}}}})", seen("swp1", "s0", "swp2"),
                    seen("swp2", "s1", "swp1"), seen("swp9", "server9", "eth0")));
  routes(2, {R"({"dst": "10.0.0.0/24", "dev": "swp1"})", R"({"dst": "10.0.1.0/24", "dev": "swp1"})"});
  routes(1, {R"({"dst": "10.0.1.0/24", "dev": "swp9"})", R"({"dst": "10.0.0.0/24", "dev": "swp1"})"});
  routes(0, {R"({"dst": "10.0.0.0/24", "dev": "swp9"})", R"({"dst": "10.0.1.0/24", "dev": "swp1"})",
             R"({"dst": "10.0.2.0/24", "dev": "swp1"})"});
  const auto with = verify("--json").json();
  write("f/s2.lldp.json", fmt::format(R"({{"lldp": {{"interface": [{}, {}]}}}})", seen("swp1", "s0", "swp2"),
                                      seen("swp2", "s1", "swp1")));
  const auto without = verify("--json").json();
  EXPECT_GT(with["dependencies"], without["dependencies"]);
}

TEST_F(EthernetNames, EachPriorityHasAnAnswerOfItsOwn) {
  ring("swp1");
  configure("");
  for (int s = 0; s < 2; ++s) {
    write(fmt::format("f/s{}.config_db.json", s),
          R"({"PORT_QOS_MAP": {"swp1,swp2": {"pfc_enable": "3,4"}}})");
  }
  EXPECT_THAT(verify().out, HasSubstr("NO, priorities 3 of 3, 4"));
  configure("", "swp1-2");
  expect_refused("verify --ethernet f", "ports of PORT, and \"swp1-2\" is none");
}

TEST_F(EthernetNames, NothingIsReadTwiceReplacedOrIgnored) {
  ring("swp1");
  expect_refused("verify --ethernet f --tags f/s0.lldp.json", "--tags would replace a file of f");
  EXPECT_THAT(verify("--failures").err, HasSubstr("no failure is tried"));
  EXPECT_THAT(verify("--failures").out, Not(HasSubstr("free with one link down")));
  expect_refused("verify --ethernet f --traffic data", "--traffic");
  expect_refused("verify --ethernet f --write-certificate c", "--write-certificate");
  expect_refused("verify --ethernet f --multicast-groups c", "--multicast-groups");
  configure("");
  EXPECT_THAT(verify("--queues 1").err, HasSubstr("--queues says nothing here"));
  std::filesystem::create_directory("f/s0");
  std::filesystem::copy_file("f/s0.routes.json", "f/s0/routes.json");
  expect_refused("verify --ethernet f", "one of the two is expected");
}

}  // namespace
}  // namespace unknot::cli::test
