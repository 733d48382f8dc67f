// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "refusal.hpp"
#include "unknot/formats/fabric/fabric_catalogue.hpp"
#include "unknot/formats/fabric/native_json.hpp"
#include "unknot/formats/machines/machine_toml.hpp"
#include "unknot/formats/machines/nccl_figures.hpp"
#include "unknot/formats/machines/nccl_topology.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

const std::string kMachines = std::string(UNKNOT_SOURCE_DIR) + "/data/machines/";

RouterId router_named(const Network& network, const std::string& name) {
  for (const RouterId r : network.routers()) {
    if (network.router_name(r) == name) return r;
  }
  ADD_FAILURE() << "no router " << name;
  return RouterId(0);
}

/// Megabits a second from one part to another, all links together.
std::uint32_t between(const Network& network, const std::string& from, const std::string& to) {
  const RouterId target = router_named(network, to);
  std::uint32_t sum = 0;
  for (const ChannelId c : network.out(router_named(network, from))) {
    if (network.target(c) == target) sum += network.channel_capacity(c);
  }
  return sum;
}

TEST(MachineFile, OfEqualBoxesIsTheFamily) {
  const Network read = read_fabric(kMachines + "h100-two.toml");
  const Network made = make_network("boxes:2,8");
  EXPECT_EQ(read.fingerprint(), made.fingerprint());
  for (const ChannelId c : read.channels()) EXPECT_EQ(read.channel_capacity(c), made.channel_capacity(c));
  EXPECT_EQ(read.terminal_name(TerminalId(9)), "node1-gpu1");
  EXPECT_EQ(read.router_name(RouterId(9)), "node1-gpu1-crossbar");
  EXPECT_EQ(read.router_name(RouterId(16)), "node0-switch0");
  EXPECT_EQ(read.router_name(RouterId(18)), "rail0");
}

TEST(MachineFile, HasBoxesOfSeveralKindsLatenciesAndSpines) {
  const Network network = read_fabric(kMachines + "mixed.toml");
  EXPECT_EQ(network.terminal_count(), 3U * 8 + 2 * 4);
  EXPECT_EQ(network.router_count(), 32U + 3 * 4 + 2 * 2 + 2 * 2 + 4);
  EXPECT_EQ(between(network, "new2-gpu7-crossbar", "new2-switch3"), 900'000U);
  EXPECT_EQ(between(network, "new2-gpu7-crossbar", "rail1-leaf0"), 400'000U);
  EXPECT_EQ(between(network, "new1-gpu6-crossbar", "rail0-leaf0"), 400'000U);
  EXPECT_EQ(between(network, "old1-gpu0-crossbar", "old1-gpu3-crossbar"), 200'000U);
  EXPECT_EQ(between(network, "old1-gpu3-crossbar", "old1-card1"), 128'000U);
  EXPECT_EQ(between(network, "old1-card1", "rail1-leaf1"), 200'000U);
  EXPECT_EQ(between(network, "rail0-leaf1", "spine3"), 800'000U);
  const auto latency = [&](const std::string& from, const std::string& to) {
    for (const ChannelId c : network.out(router_named(network, from))) {
      if (network.router_name(network.target(c)) == to) return network.channel_latency(c);
    }
    return 0U;
  };
  EXPECT_EQ(latency("new0-switch0", "new0-gpu2-crossbar"), 20U);
  EXPECT_EQ(latency("old0-gpu1-crossbar", "old0-gpu2-crossbar"), 15U);
  EXPECT_EQ(latency("old0-gpu1-crossbar", "old0-card0"), 0U);
  EXPECT_EQ(latency("rail1-leaf0", "new0-gpu1-crossbar"), 100U);
  EXPECT_EQ(latency("spine0", "rail1-leaf0"), 100U);
}

TEST(MachineFile, OfABoxThatNcclDescribes) {
  const Network network = read_fabric(kMachines + "h100-four.toml");
  EXPECT_EQ(network.terminal_count(), 32U);
  EXPECT_EQ(network.router_count(), 4U * (8 + 2 + 8 + 8 + 1) + 8);
  EXPECT_EQ(between(network, "node3-gpu6-crossbar", "node3-nvswitch"), 18U * 164'800);
  EXPECT_EQ(between(network, "node3-gpu6-crossbar", "node3-pci6"), 16U * 24'000);
  EXPECT_EQ(between(network, "node3-card6", "node3-pci6"), 16U * 24'000);
  EXPECT_EQ(between(network, "node3-card6", "rail6"), 400'000U);
  EXPECT_EQ(between(network, "node3-pci6", "node3-cpu1"), 16U * 24'000);
  EXPECT_EQ(between(network, "node3-cpu0", "node3-cpu1"), 176'000U);
}

TEST(MachineFile, ComesBackFromOurOwnFormat) {
  for (const char* file : {"h100-two.toml", "mixed.toml", "h100-four.toml", "h100-server.xml"}) {
    const Network network = read_fabric(kMachines + file);
    const Network back = read_native_json(write_native_json(network), "again");
    EXPECT_EQ(network.fingerprint(), back.fingerprint()) << file;
    for (const ChannelId c : network.channels()) {
      EXPECT_EQ(network.channel_capacity(c), back.channel_capacity(c));
      EXPECT_EQ(network.channel_latency(c), back.channel_latency(c));
    }
    for (const RouterId r : network.routers()) EXPECT_EQ(network.router_name(r), back.router_name(r));
  }
}

TEST(MachineFile, NamesFilesAsSeenFromItself) {
  const std::string text = "[[box]]\nnccl = \"../nowhere/box.xml\"\n";
  EXPECT_EQ(refusal([&] { (void)read_machine(text, "some/where/m.toml"); }),
            "some/where/m.toml:2: nccl: some/nowhere/box.xml: cannot open: No such file or directory");
  EXPECT_EQ(refusal([&] {
              (void)read_machine_plan(text, "m.toml", [](const std::string&) { return "<system>"; });
            }),
            "../nowhere/box.xml:1: not valid XML: Start-end tags mismatch");
}

TEST(MachineFile, IsToldByItsFirstTable) {
  EXPECT_TRUE(looks_like_machine("[[box]]\n"));
  EXPECT_TRUE(looks_like_machine("# of [[box]]\n \t[[box]]\n"));
  EXPECT_FALSE(looks_like_machine("# of [[box]]\n"));
  EXPECT_FALSE(looks_like_machine("command = \"[[box]]\"\n"));
}

TEST(NcclTopology, NamesWhatEachLinkCarries) {
  EXPECT_EQ(nccl_pci_megabits("8 GT/s", 16), 96'000U);
  EXPECT_EQ(nccl_pci_megabits("16.0 GT/s PCIe", 8), 96'000U);
  EXPECT_EQ(nccl_pci_megabits("2.5 GT/s PCIe", 1), 1'500U);
  EXPECT_EQ(nccl_pci_megabits("64.0 GT/s PCIe", 16), 768'000U);
  EXPECT_EQ(nccl_pci_megabits("Unknown speed", 0), 96'000U);
  EXPECT_EQ(nccl_nvlink_megabits(60), 144'000U);
  EXPECT_EQ(nccl_nvlink_megabits(80), 160'000U);
  EXPECT_EQ(nccl_nvlink_megabits(86), 96'000U);
  EXPECT_EQ(nccl_nvlink_megabits(100), 320'800U);
  EXPECT_EQ(nccl_xgmi_megabits("908"), 192'000U);
  EXPECT_EQ(nccl_xgmi_megabits("gfx90a:sramecc+:xnack-"), 288'000U);
  EXPECT_EQ(nccl_xgmi_megabits("942"), 384'000U);
  EXPECT_EQ(nccl_processor_megabits({"x86_64", "GenuineIntel", 6, 85}), 80'000U);
  EXPECT_EQ(nccl_processor_megabits({"x86_64", "GenuineIntel", 6, 79}), 48'000U);
  EXPECT_EQ(nccl_processor_megabits({"x86_64", "AuthenticAMD", 175, 1}), 128'000U);
  EXPECT_EQ(nccl_processor_megabits({"ppc64", "", -1, -1}), 256'000U);
  EXPECT_EQ(nccl_processor_megabits({"x86_64", "", -1, -1}), kNcclLocalMegabits);
}

/// Two GPUs that are joined in one direction by three NVLinks, in the other by one; one to a GPU that is not
/// there, one with the processor of another host.
constexpr const char* kPair = R"(<system version="1">
<cpu arch="arm64" host_hash="0x1">
 <pci busid="a" class="0x060400" link_speed="5 GT/s" link_width="4">
  <pci busid="b" class="0x030200" link_speed="8 GT/s" link_width="16">
   <gpu dev="5" sm="70" rank="1"><nvlink target="c" count="2" tclass="0x030200"/>
    <nvlink target="c" count="1" tclass="0x030200"/><c2c bw="25000" count="2"/></gpu></pci>
  <pci busid="d" class="0x068000" link_speed="8 GT/s" link_width="16"/>
  <pci busid="e" class="0x020000" link_speed="8 GT/s" link_width="8">
   <nic><net dev="0" speed="-1"/><net dev="7" rail="1" speed="25000"/></nic></pci></pci>
</cpu>
<cpu arch="ppc64" host_hash="0x1">
 <pci busid="c" class="0x030200" link_speed="8 GT/s" link_width="16">
  <gpu dev="6" sm="70" rank="0"><nvlink target="b" count="1" tclass="0x030200"/>
   <nvlink target="x" count="4" tclass="0x030200"/><nvlink target="fffff" count="2" tclass="0x068001"/></gpu></pci>
</cpu>
<cpu arch="ppc64" host_hash="0x2"><nic><net dev="3" speed="10000"/></nic>
 <pci busid="c" class="0x030200" link_speed="8 GT/s" link_width="16"><gpu dev="0" sm="70" rank="2">
  <nvlink target="z" count="6" tclass="0x068000"/></gpu></pci></cpu>
</system>)";

TEST(NcclTopology, IsReadAsNcclReadsIt) {
  MachinePlan plan;
  plan.kinds.push_back({"n", 1, read_nccl_box(kPair, "pair")});
  const BoxPlan& box = plan.kinds[0].box;
  ASSERT_EQ(box.gpus.size(), 3U);
  ASSERT_EQ(box.cards.size(), 3U);
  EXPECT_EQ(box.cards[0].capacity, 10'000U);
  EXPECT_EQ(box.cards[0].rail, 0U);
  EXPECT_EQ(box.cards[1].capacity, 25'000U);
  EXPECT_EQ(box.cards[1].rail, 1U);
  EXPECT_EQ(box.cards[2].rail, 3U);
  plan.rails = 2;
  const Network network = machine_network(plan);
  // GPU 0 is that of rank 0.
  EXPECT_EQ(between(network, "n0-gpu1-crossbar", "n0-gpu0-crossbar"), 3U * 160'000);
  EXPECT_EQ(between(network, "n0-gpu0-crossbar", "n0-gpu1-crossbar"), 160'000U);
  EXPECT_EQ(between(network, "n0-gpu1-crossbar", "n0-pci0"), 96'000U);
  EXPECT_EQ(between(network, "n0-gpu1-crossbar", "n0-cpu0"), 2U * 25'000 * 8);
  EXPECT_EQ(between(network, "n0-pci0", "n0-cpu0"), 12'000U);
  EXPECT_EQ(between(network, "n0-card0", "n0-pci0"), 48'000U);
  EXPECT_EQ(between(network, "n0-card0", "rail1"), 25'000U);
  EXPECT_EQ(between(network, "n0-cpu0", "n0-cpu1"), 48'000U);
  EXPECT_EQ(between(network, "n0-cpu1", "n0-cpu0"), 256'000U);
  EXPECT_EQ(between(network, "n0-cpu1", "n0-cpu2"), 0U);
  EXPECT_EQ(between(network, "n0-gpu0-crossbar", "n0-cpu1"), 96'000U + 2 * 160'000);
  EXPECT_EQ(between(network, "n0-gpu2-crossbar", "n0-nvswitch"), 6U * 160'000);
  EXPECT_EQ(between(network, "n0-card1", "n0-cpu2"), kNcclLocalMegabits);
}

TEST(NcclTopology, OfGpusThatSayNothingOfTheOtherDirectionIsOneWay) {
  const Network network = read_nccl_topology(
      R"(<system><cpu arch="x86_64"><pci busid="a" class="0x03" link_width="16"><gpu dev="0" gcn="906">
<xgmi target="b" count="1" tclass="0x038000"/></gpu></pci>
<pci busid="b" class="0x03" link_width="16"><gpu dev="1" gcn="906"/></pci></cpu></system>)",
      "one");
  EXPECT_EQ(between(network, "box0-gpu0-crossbar", "box0-gpu1-crossbar"), 192'000U);
  EXPECT_EQ(between(network, "box0-gpu1-crossbar", "box0-gpu0-crossbar"), 0U);
}

}  // namespace
}  // namespace unknot
