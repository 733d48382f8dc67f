// SPDX-License-Identifier: Apache-2.0
// Files that real tools wrote, read in place where they are there.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "formats/fabric_samples.hpp"
#include "unknot/formats/fabric/ibnetdiscover.hpp"
#include "unknot/formats/fabric/ibsim_net.hpp"
#include "unknot/formats/fabric/native_json.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot {
namespace {

const std::string kData = std::string(UNKNOT_SHARED_DIR) + "/data";

/// Every file that some reader recognises, with that reader.
struct Found {
  std::string path;
  const FabricFormat* format;
};

std::vector<Found> recognised_files() {
  std::vector<Found> all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kData)) {
    if (!entry.is_regular_file()) continue;
    const std::string text = read_file(entry.path().string());
    for (const FabricFormat& format : fabric_formats()) {
      if (format.read && format.recognises(std::string_view(text).substr(0, 16384))) {
        all.push_back({entry.path().string(), &format});
      }
    }
  }
  return all;
}

class RealFiles : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(kData)) GTEST_SKIP() << "no sample data";
  }
};

TEST_F(RealFiles, EachIsOfOneFormatAndRoundTripsThroughAllThatHoldIt) {
  std::set<std::string> paths;
  std::size_t read = 0;
  for (const Found& found : recognised_files()) {
    SCOPED_TRACE(found.path);
    EXPECT_TRUE(paths.insert(found.path).second) << "recognised twice, as " << found.format->name;
    Network network;
    try {
      network = found.format->read(read_file(found.path), found.path);
    } catch (const InputError& error) {
      // A host without a cable; a type of system that no file describes.
      EXPECT_TRUE(found.path.ends_with("example-bad.out") || found.path.ends_with("credit-loops.topo"))
          << error.what();
      continue;
    }
    ++read;
    for (const FabricFormat& format : fabric_formats()) {
      if (!format.read || !format.write || !test::keeps_all(format)) continue;
      const std::string text = format.write(network);
      EXPECT_TRUE(format.recognises(std::string_view(text).substr(0, 16384)));
      test::expect_same(network, format.read(text, format.name));
    }
  }
  EXPECT_GE(read, 40U);
}

TEST_F(RealFiles, NdrFabricHasItsHostsAndAggregationNodes) {
  const std::string path = kData + "/topograph/example.out";
  const Network network = read_ibnetdiscover(read_file(path), path);
  EXPECT_EQ(network.router_count(), 40U);
  EXPECT_EQ(network.terminal_count(), 542U);
  EXPECT_EQ(network.labels().service_nodes.size(), 40U);
  EXPECT_EQ(network.labels().terminal_lid.size(), 542U);
  EXPECT_EQ(network.router_name(RouterId(0)), "MF0;A09-P1-IBLEAF-04-04:MQM9701/U1");
  EXPECT_EQ(network.router_lid(RouterId(0)), 73U);
  EXPECT_EQ(link_rate_names()[network.channel_rate(ChannelId(0))], "4xNDR");
  // The tool's own text and ours hold the same port lines.
  const auto port_lines = [](const std::string& text) {
    std::multiset<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      const char first = text[begin];
      if (first == '[' || first == 'S' || first == 'C') lines.insert(text.substr(begin, end - begin));
      begin = end + 1;
    }
    return lines;
  };
  EXPECT_EQ(port_lines(read_file(path)), port_lines(write_ibnetdiscover(network)));
}

TEST_F(RealFiles, AHostWithoutALinkIsNamed) {
  const std::string path = kData + "/topograph/example-bad.out";
  try {
    (void)read_ibnetdiscover(read_file(path), path);
    ADD_FAILURE() << "was accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(
        std::string(error.what()),
        path +
            ":10: host \"H-b8e92403009ca838\" (dgx-gb200-n01-c1 HCA-1) has no link, and no switch is in this "
            "file: the port of the host that wrote it is down (ibstat shows it there); write it on a host "
            "that is on the fabric");
  }
}

/// The net a simulation ran on, and what OpenSM and ibnetdiscover saw of it: one network.
TEST_F(RealFiles, ANetIsWhatTheToolsSawOfIt) {
  const std::string folder = kData + "/opensm-oracle/";
  const auto structure = [](const Network& network) {
    std::vector<std::string> all = test::facts(network);
    for (std::string& fact : all) {
      // LIDs come from the subnet manager.
      const std::size_t lid = fact.find(" lid ");
      if (lid != std::string::npos) fact.erase(lid, fact.find(' ', lid + 5) - lid);
    }
    return all;
  };
  for (const char* name : {"ring5", "torus4x4"}) {
    const std::string net_path = folder + "nets/" + name + ".net";
    const Network net = read_ibsim_net(read_file(net_path), net_path);
    for (const char* engine : {"dfsssp", "lash", "nue"}) {
      const std::string path = folder + name + "-" + engine + "/opensm-subnet.lst";
      EXPECT_EQ(structure(net), structure(test::fabric_format("subnet-list").read(read_file(path), path)));
    }
  }
  const std::string net_path = folder + "nets/torus3x3.net";
  const std::string seen_path = folder + "torus3x3-ibnetdiscover.txt";
  const Network net = read_ibsim_net(read_file(net_path), net_path);
  const Network seen = read_ibnetdiscover(read_file(seen_path), seen_path);
  EXPECT_EQ(net.router_count(), seen.router_count());
  EXPECT_EQ(net.channel_count(), seen.channel_count());
}

}  // namespace
}  // namespace unknot
