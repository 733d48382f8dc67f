// SPDX-License-Identifier: Apache-2.0
#include "unknot/ethernet/files/readers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "refusal.hpp"
#include "temporary_folder.hpp"
#include "unknot/ethernet/files/read_folder.hpp"
#include "unknot/ethernet/model/fabric.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/random.hpp"

namespace unknot::ethernet {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kSamples = UNKNOT_SOURCE_DIR "/tests/fuzz/corpus/";
const std::string kData = UNKNOT_SOURCE_DIR "/data/ethernet/";

std::string sample(const std::string& name) {
  return read_file(kSamples + name);
}

std::string line(const Neighbour& n) {
  return n.port + "=" + n.device + "/" + n.device_port + "/" + n.device_port_description +
         (n.host ? " host" : "");
}

std::string line(const RouteText& r) {
  std::string result = text(r.prefix) + "@" + std::to_string(r.rank);
  for (const std::string& interface : r.interfaces) result += " " + interface;
  return result + (r.local ? " local" : "") + (r.drop ? " drop" : "");
}

template <class Value>
std::vector<std::string> lines(const std::vector<Value>& values) {
  std::vector<std::string> result;
  for (const Value& value : values) result.push_back(line(value));
  return result;
}

TEST(Prefix, TextAndOrder) {
  for (const char* one :
       {"0.0.0.0/0", "10.1.0.0/16", "192.168.0.7/32", "::/0", "fc00::/7", "2001:db8::1/128"})
    EXPECT_EQ(text(*parse_prefix(one)), one);
  EXPECT_EQ(text(*parse_prefix("10.1.2.3/8")), "10.0.0.0/8");
  EXPECT_EQ(text(*parse_prefix("10.1.2.3")), "10.1.2.3/32");
  for (const char* one :
       {"", "10.1.0.0/33", "10.1.0/24", "fc00::/129", "10.0.0.0/", "10.0.0.0/-1", "default", "10.0.0.0/8x"})
    EXPECT_FALSE(parse_prefix(one)) << one;
  const Prefix wide = *parse_prefix("10.0.0.0/8");
  EXPECT_TRUE(wide.contains(*parse_prefix("10.255.0.0/16")));
  EXPECT_FALSE(wide.contains(*parse_prefix("11.0.0.0/16")));
  EXPECT_FALSE(wide.contains(*parse_prefix("0.0.0.0/0")));
  EXPECT_LT(wide, *parse_prefix("10.0.0.0/9"));
  EXPECT_LT(*parse_prefix("10.0.0.0/9"), *parse_prefix("10.128.0.0/9"));
  EXPECT_TRUE(parse_prefix("2001:db8::/32")->contains(*parse_prefix("2001:db8:0:1::/96")));
}

TEST(Readers, Neighbours) {
  // A hardware address is no name of a port: then the description is.
  EXPECT_THAT(lines(read_neighbours(sample("fuzz_neighbours/one"), "-")), ElementsAre("eth0=spine1//swp1"));
  EXPECT_THAT(lines(read_neighbours(sample("fuzz_neighbours/several"), "-")),
              ElementsAre("swp1=a/swp7/to b"));
  EXPECT_THAT(lines(read_neighbours(sample("fuzz_neighbours/sonic"), "-")),
              ElementsAre("Ethernet0=tor-upper/etp5/Ethernet16", "Ethernet4=tor-lower/etp5/Ethernet16"));
  EXPECT_TRUE(read_neighbours("{\"lldp\": {}}", "-").empty());
  // A host is who says what it does, and neither bridges nor routes.
  EXPECT_THAT(
      lines(read_neighbours(sample("fuzz_neighbours/capabilities"), "-")),
      ElementsAre("swp1=server1/eno1/ host", "swp2=leaf1/swp9/", "swp3=server2/eno1/ host", "swp4=old/e1/"));
  EXPECT_THAT(lines(read_neighbours("LocalPort  RemoteDevice  RemotePortID  Capability\n"
                                    "---------  ------------  ------------  ----------\n"
                                    "e1         a             x             O\n"
                                    "e2         b             x             OR\n"
                                    "e3         c             x\n",
                                    "-")),
              ElementsAre("e1=a/x/ host", "e2=b/x/", "e3=c/x/"));
}

TEST(Readers, Routes) {
  EXPECT_THAT(lines(read_routes(sample("fuzz_routes/kernel"), "-")),
              ElementsAre("0.0.0.0/0@20 swp1", "10.1.0.0/24@0 swp3", "10.2.0.0/16@0 drop"));
  EXPECT_THAT(lines(read_routes(sample("fuzz_routes/frr"), "-")),
              ElementsAre("10.0.0.0/24@0 eth1", "10.0.0.0/24@858993459201 eth2", "fc00::/7@0 lo"));
  EXPECT_THAT(lines(read_routes(sample("fuzz_routes/appl_db"), "-")),
              ElementsAre("10.0.0.0/24@0 Ethernet0 PortChannel101", "fc00::/7@0 drop"));
  EXPECT_THAT(lines(read_routes(
                  R"([{"dst":"default","gateway":"fe80::1","dev":"a"},{"dst":"fc00::/7","dev":"b"}])", "-")),
              ElementsAre("::/0@0 a", "fc00::/7@0 b"));
  // A default of whatever family the table is of, by its next hops or by what the reader is told.
  const std::string several =
      R"([{"dst":"default","nexthops":[{"gateway":"fe80::1","dev":"a"},{"dev":"b"}]}])";
  EXPECT_THAT(lines(read_routes(several, "-")), ElementsAre("::/0@0 a b"));
  const std::string direct = R"([{"dst":"default","dev":"a"}])";
  EXPECT_THAT(lines(read_routes(direct, "-")), ElementsAre("0.0.0.0/0@0 a"));
  EXPECT_THAT(lines(read_routes(direct, "-", true)), ElementsAre("::/0@0 a"));
}

TEST(Readers, Configuration) {
  const SwitchConfig config = read_config(sample("fuzz_config_db/dual-tor"), "-");
  EXPECT_EQ(config.hostname, "tor-upper");
  EXPECT_EQ(config.port_of_alias.at("etp5"), "Ethernet16");
  EXPECT_THAT(config.members.at("PortChannel101"), ElementsAre("Ethernet16"));
  EXPECT_EQ(config.quality.at("Ethernet16").lossless, 0b1011100);
  EXPECT_EQ(config.quality.at("Ethernet0").lossless, 0b11000);
  EXPECT_EQ(config.quality.at("Ethernet16").class_of_code_point[2], 2);
  EXPECT_EQ(config.quality.at("Ethernet0").class_of_code_point[2], 1);
  ASSERT_TRUE(config.tunnel);
  EXPECT_EQ(text(config.tunnel->peer), "10.1.0.33/32");
  EXPECT_TRUE(config.tunnel->quality.pipe);
  EXPECT_EQ(config.tunnel->quality.queue_of_class[3], 2);
  EXPECT_EQ(config.tunnel->quality.code_point_of_class[4], 6);
  EXPECT_EQ(config.tunnel->quality.group_of_class[3], 2);
}

TEST(Readers, OldNamesOfMapsAndListsOfPorts) {
  const SwitchConfig config = read_config(R"({"TC_TO_QUEUE_MAP": {"AZURE": {"3": "5"}},
      "PORT_QOS_MAP": {"Ethernet0,Ethernet4": {"tc_to_queue_map": "[TC_TO_QUEUE_MAP|AZURE]", "pfc_enable": "3"}}})",
                                          "-");
  EXPECT_EQ(config.quality.at("Ethernet4").queue_of_class[3], 5);
  EXPECT_EQ(config.quality.at("Ethernet0").lossless, 8);
}

TEST(Readers, WhatIsOfAnotherFormIsRefusedInOneSentence) {
  const auto neighbours = [](const std::string& text) {
    return refusal([&] { (void)read_neighbours(text, "n"); });
  };
  EXPECT_EQ(neighbours("Port  Device\n"),
            "n:1: expected JSON as lldpctl -f json prints it, or the table of SONiC's show lldp table");
  EXPECT_EQ(neighbours("LocalPort  RemoteDevice\nEthernet0  a\n"),
            "n:2: expected a line of dashes below each of the headings");
  EXPECT_EQ(neighbours(""), "n:1: expected a table of LLDP neighbours, and there is none");
  EXPECT_EQ(neighbours("{\"lldp\": []}"), "n: the document.lldp: expected an object");
  EXPECT_EQ(neighbours("{}"), "n: the document: expected a member \"lldp\", as lldpctl -f json prints");
  EXPECT_EQ(
      neighbours(R"({"lldp": {"interface": {"a": {"chassis": {"b": {}}, "port": {"id": {"value": 3}}}}}})"),
      "n: a.port.id.value: expected a string");
  EXPECT_THAT(neighbours("{\"lldp\":\n {"), HasSubstr("n:2: "));
  const auto routes = [](const std::string& text) { return refusal([&] { (void)read_routes(text, "r"); }); };
  EXPECT_EQ(routes("[3]"), "r: route 1: expected an object");
  EXPECT_EQ(routes(R"([{"dst": "10.0.0/8"}])"), "r: route 1.dst: expected a prefix such as 10.1.0.0/24");
  EXPECT_EQ(routes(R"([{"dst": "default", "metric": -1}])"), "r: route 1.metric: expected a whole number");
  EXPECT_EQ(routes(R"({"10.0.0.0/8": 3})"),
            "r: 10.0.0.0/8: expected a list of routes, as FRR's show ip route json prints");
  EXPECT_EQ(routes(R"({"default": []})"), "r: default: expected a prefix such as 10.1.0.0/24");
  EXPECT_EQ(routes(R"({"ROUTE_TABLE:10.0.0.0/8": {"ifname": 3}})"),
            "r: ROUTE_TABLE:10.0.0.0/8.ifname: expected a string");
  EXPECT_EQ(routes("3"), "r: the document: expected an object");
  const auto config = [](const std::string& text) { return refusal([&] { (void)read_config(text, "c"); }); };
  EXPECT_EQ(config(R"({"PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3,8"}}})"),
            "c: PORT_QOS_MAP.Ethernet0.pfc_enable: expected a whole number below 8");
  EXPECT_EQ(
      config(R"({"PORT_QOS_MAP": {"Ethernet0": {"dscp_to_tc_map": "AZURE"}}})"),
      "c: PORT_QOS_MAP.Ethernet0.dscp_to_tc_map: expected a map of DSCP_TO_TC_MAP, and \"AZURE\" is none");
  EXPECT_EQ(config(R"({"PORTCHANNEL_MEMBER": {"PortChannel1": {}}})"),
            "c: PORTCHANNEL_MEMBER.PortChannel1: expected NAME|PORT");
  EXPECT_EQ(config("[]"), "c: the document: expected an object");
  EXPECT_EQ(config(R"({"TUNNEL": {"T": {}}, "PEER_SWITCH": {"p": {"address_ipv4": "x"}}})"),
            "c: PEER_SWITCH.p.address_ipv4: expected an address");
}

/// Files damaged in every place give a value or one sentence.
TEST(Readers, DamagedFilesNeverDoMore) {
  Random random(5);
  for (const char* name : {"fuzz_neighbours/one", "fuzz_neighbours/several", "fuzz_neighbours/sonic",
                           "fuzz_neighbours/capabilities", "fuzz_routes/kernel", "fuzz_routes/frr",
                           "fuzz_routes/appl_db", "fuzz_config_db/dual-tor"}) {
    const std::string whole = sample(name);
    for (unsigned i = 0; i < 400; ++i) {
      std::string damaged = whole;
      const std::uint32_t at = random.below(static_cast<std::uint32_t>(whole.size()));
      if (i % 3 == 0) {
        damaged.resize(at);
      } else if (i % 3 == 1) {
        damaged[at] = static_cast<char>(random.below(256));
      } else {
        damaged.erase(at, 1 + random.below(8));
      }
      (void)refusal([&] { (void)read_neighbours(damaged, "-"); });
      (void)refusal([&] { (void)read_routes(damaged, "-"); });
      (void)refusal([&] { (void)read_config(damaged, "-"); });
    }
  }
}

class Folders : public unknot::test::TemporaryFolder {
 protected:
  Progress progress_;
  std::vector<SwitchParts> read() { return read_folder(path(""), 1, progress_); }
  std::string refused() {
    const std::string message = refusal([&] { (void)join_fabric(read(), 0x18); });
    const std::size_t folder = message.find(path(""));
    return folder == 0 ? message.substr(path("").size()) : message;
  }
  void lldp(const std::string& name, const std::string& rows) {
    write(name + ".lldp.txt",
          "LocalPort  RemoteDevice  RemotePortID  Capability  RemotePortDescr\n"
          "---------  ------------  ------------  ----------  ---------------\n" +
              rows);
    write(name + ".routes.json", "[]");
  }
};

TEST_F(Folders, AFolderForEachSwitchOrOneForAll) {
  std::filesystem::create_directory(path("b"));
  write(
      "b/lldp.json",
      R"({"lldp": {"interface": {"e1": {"chassis": {"a.example.org": {}}, "port": {"id": {"type": "ifname", "value": "e9"}}}}}})");
  write("b/routes.json", "[]");
  write("b/routes6.json", R"([{"dst": "default", "dev": "e1"}])");
  lldp("a", "");
  write("notes.txt", "not looked at");
  const std::vector<SwitchParts> parts = read();
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].name, "a");
  EXPECT_THAT(lines(parts[1].routes), ElementsAre("::/0@0 e1"));
  // One end is enough, and a name with its domain.
  const Fabric fabric = join_fabric(parts, 0x18);
  ASSERT_EQ(fabric.channels.size(), 2U);
  EXPECT_EQ(fabric.channels[0].out_port, "e9");
  EXPECT_EQ(fabric.channels[0].in_port, "e1");
}

TEST_F(Folders, WhatDoesNotFitTogetherIsNamed) {
  EXPECT_THAT(refused(), HasSubstr("no switch in this folder"));
  lldp("a", "e1         b             e1            BR\n");
  lldp("b", "e1         a             e2            BR\n");
  EXPECT_EQ(refused(),
            "a.lldp.txt: port e1 of a has port e1 of b behind it, and that has port e2 of a behind it");
  lldp("b", "");
  write("b.lldp.json", "{\"lldp\": {}}");
  EXPECT_EQ(refused(),
            "b.lldp.txt: b has neighbours in " + path("") + "b.lldp.json, too: one of the two is expected");
  std::filesystem::remove(path("b.lldp.json"));
  std::filesystem::remove(path("b.routes.json"));
  EXPECT_EQ(refused(), "b.lldp.txt: b has no routes.json beside it");
  write("d.routes6.json", "[]");
  std::filesystem::remove(path("b.lldp.txt"));
  EXPECT_EQ(refused(), "d.routes6.json: d has no lldp.json or lldp.txt beside it");
  std::filesystem::remove(path("d.routes6.json"));
  lldp("b", "");
  write("b.routes.json", "[]");
  lldp("a", "e1         b             e1            BR\ne1         c             e1            BR\n");
  EXPECT_EQ(refused(), "");  // c is none of the folder
  lldp("c", "");
  EXPECT_EQ(refused(), "a.lldp.txt: port e1 of a has two switches behind it, b and c");
}

TEST_F(Folders, NeighboursThatAreNotThereAreListedButForHostsAndManagement) {
  lldp("a",
       "e1         core          e1            BR\n"
       "e2         server        e1            O\n"
       "e3         b             e1            BR\n"
       "e3         dumb          e1            B\n"
       "eth0       office        1             B\n");
  lldp("b",
       "e1         a             e3            BR\n"
       "e7         core          e2\n"
       "eth0       office        2             B\n");
  write("b.config_db.json", "{}");
  const Fabric fabric = join_fabric(read(), 0x18);
  ASSERT_EQ(fabric.absent.size(), 2U);
  EXPECT_EQ(fabric.absent[0].device, "core");
  using Ports = std::vector<std::pair<std::uint32_t, std::string>>;
  EXPECT_EQ(fabric.absent[0].ports, (Ports{{0, "e1"}, {1, "e7"}}));
  // A configuration says that eth0 is for management; without one it may be any port.
  EXPECT_EQ(fabric.absent[1].device, "office");
  EXPECT_EQ(fabric.absent[1].ports, (Ports{{0, "eth0"}}));
}

TEST_F(Folders, NobodyWaitsForAPipe) {
  lldp("a", "");
  ASSERT_EQ(::mkfifo(path("b.lldp.txt").c_str(), 0600), 0);
  EXPECT_EQ(refused(), "b.lldp.txt: expected a regular file");
}

TEST_F(Folders, NamesOfPortsAreFoundByTheirAliases) {
  const Fabric fabric = join_fabric(read_folder(kData + "dual-tor", 1, progress_), 0);
  ASSERT_EQ(fabric.channels.size(), 8U);
  for (const Channel& c : fabric.channels) {
    EXPECT_TRUE(c.out_port.starts_with("Ethernet") && c.in_port.starts_with("Ethernet"));
    EXPECT_EQ(fabric.quality[c.in_quality].lossless, 0x18);
  }
}

}  // namespace
}  // namespace unknot::ethernet
