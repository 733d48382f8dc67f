// SPDX-License-Identifier: Apache-2.0
// What we write is loaded by the simulator, and the real ibnetdiscover sees the same network in it.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "formats/fabric_samples.hpp"
#include "unknot/formats/fabric/ibnetdiscover.hpp"
#include "unknot/formats/fabric/ibsim_net.hpp"
#include "unknot/formats/fabric/native_json.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot {
namespace {

class Simulator : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "unknot-ibsim-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    std::error_code error;
    std::filesystem::remove_all(folder_, error);
  }

  /// What ibnetdiscover prints on the net; empty when the tools are missing.
  std::string discover(const std::string& net) {
    const std::string file = folder_ + "/fabric.net";
    const std::string output = folder_ + "/fabric.out";
    write_file(file, net);
    write_file(output, "");
    const std::string command = std::string("sh ") + UNKNOT_SOURCE_DIR + "/tests/formats/ibsim_discover.sh " +
                                file + " " + output + " " + folder_;
    const int status = std::system(command.c_str());  // NOLINT(cert-env33-c): the test's own script
    constexpr int kToolsMissing = 77;
    if (WIFEXITED(status) && WEXITSTATUS(status) == kToolsMissing) return {};
    EXPECT_EQ(status, 0);
    return read_file(output);
  }

  /// Compares the network the tool sees with ours.
  void check(const Network& network) {
    const std::string seen = discover(write_ibsim_net(network));
    if (seen.empty()) GTEST_SKIP() << "ibsim or ibnetdiscover is not installed";
    const Network back = read_ibnetdiscover(seen, "ibnetdiscover");
    EXPECT_EQ(test::facts(network), test::facts(back));
  }

  std::string folder_;
};

Network torus(std::uint32_t side) {
  NetworkBuilder builder;
  builder.add_routers(side * side);
  for (std::uint32_t x = 0; x < side; ++x) {
    for (std::uint32_t y = 0; y < side; ++y) {
      builder.add_cable(RouterId(x * side + y), RouterId((x + 1) % side * side + y));
      builder.add_cable(RouterId(x * side + y), RouterId(x * side + (y + 1) % side));
    }
  }
  for (std::uint32_t r = 0; r < side * side; ++r) builder.add_terminal(RouterId(r));
  return std::move(builder).build();
}

TEST_F(Simulator, ShowsATorus) {
  check(torus(4));
}

/// The simulator makes a port's GUID from the node's: networks with other port GUIDs come back with its own.
Network with_simulated_port_guids(const Network& network) {
  NetworkBuilder builder;
  Labels& labels = builder.labels();
  labels = network.labels();
  builder.add_routers(network.router_count());
  for (const ChannelId c : network.channels()) {
    if (network.reverse(c) < c) continue;
    builder.add_cable(network.source(c), network.source_port(c), network.target(c), network.target_port(c),
                      network.channel_rate(c));
  }
  for (const TerminalId t : network.terminals())
    builder.add_terminal(network.router_of(t), network.terminal_port(t));
  for (std::size_t i = 0; i < labels.terminal_port_guid.size(); ++i) {
    labels.terminal_port_guid[i] = labels.terminal_node_guid[i] + labels.terminal_adapter_port[i];
  }
  for (std::string& name : labels.terminal_name) {
    // ibnetdiscover shows printable ASCII only.
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c < ' ' || c > '~'; }, ' ');
    // The simulator takes a description up to the first quote.
    name = name.substr(0, name.find('"'));
  }
  for (std::string& name : labels.router_name) name = name.substr(0, name.find('"'));
  for (ServiceNode& node : labels.service_nodes) node.port_guid = node.node_guid + 1;
  return std::move(builder).build();
}

TEST_F(Simulator, ShowsEverythingOfARealFabric) {
  for (const auto& sample : test::fabric_samples()) {
    if (sample.name == "labelled") check(with_simulated_port_guids(sample.network));
  }
}

TEST_F(Simulator, ShowsARealLeafSpineFabric) {
  const std::string file = std::string(UNKNOT_SHARED_DIR) + "/data/topograph/example.out";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no sample data";
  check(with_simulated_port_guids(read_ibnetdiscover(read_file(file), file)));
}

}  // namespace
}  // namespace unknot
