// SPDX-License-Identifier: Apache-2.0
// Files of a network with management: what is written comes back, and holds the data for whoever wants no
// more.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "routed.hpp"
#include "unknot/formats/tables/lid_map.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/formats/text/guid_index.hpp"
#include "unknot/routing/management/management.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

class ManagementFiles : public testing::Test {
 protected:
  ManagementFiles() {
    std::string name = (std::filesystem::temp_directory_path() / "unknot-managed-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
    folder_ = name;
  }
  ~ManagementFiles() override { std::filesystem::remove_all(folder_); }
  std::string path(const char* name) const { return (folder_ / name).string(); }

  std::filesystem::path folder_;
};

TEST_F(ManagementFiles, ComeBack) {
  Progress quiet;
  for (const char* spec : {"torus:4x3,p=2", "kary-ntree:k=3,n=3", "oft:3", "deimos:p=8", "mesh:1,p=4"}) {
    const Network network = make_network(spec);
    const ManagedNetwork managed = managed_network(network);
    for (const char* engine : {"dfsssp", "minhop"}) {
      const Routing data = routed(network, engine, 8);
      const Routing routing =
          with_management(network, data, managed, {.lanes = 15, .hosts = {}}, quiet).routing;
      for (const char* format : {"opensm", "opensm-bare"}) {
        SCOPED_TRACE(std::string(spec) + " " + engine + " " + format);
        write_tables(managed.network, routing, format, path("tables"));
        write_service_levels(managed.network, routing, path("lanes"));
        const Routing back = read_routing(managed.network, path("tables"), path("lanes"), "");
        EXPECT_TRUE(back.table() == routing.table());
        const Routing hosts = read_routing(network, path("tables"), path("lanes"), "");
        for (const RouterId r : network.routers()) {
          for (const TerminalId t : network.terminals())
            ASSERT_EQ(hosts.table().get(r, t), routing.table().get(r, managed.of_terminal[t.value]));
        }
        for (const TerminalId s : managed.network.terminals()) {
          for (const TerminalId d : managed.network.terminals()) {
            const std::uint8_t level = routing.service_levels.get(s, d);
            if (s != d) {
              ASSERT_EQ(back.service_levels.get(s, d), level == ServiceLevels::kMissing ? 0 : level);
            }
            const TerminalId from = managed.host[s.value];
            const TerminalId to = managed.host[d.value];
            if (s != d && from.valid() && to.valid()) {
              ASSERT_EQ(hosts.service_levels.get(from, to), level);
            }
          }
        }
      }
    }
  }
}

TEST_F(ManagementFiles, NameEachRouterOnce) {
  const Network network = make_network("kary-ntree:k=3,n=2");
  const ManagedNetwork managed = managed_network(network);
  const LidMap lids = LidMap::of(managed.network);
  const LidMap plain = LidMap::of(network);
  const GuidIndex guids(managed.network);
  const GuidIndex plain_guids(network);
  EXPECT_TRUE(lids.complete_with_own_ports());
  EXPECT_EQ(lids.highest(), plain.highest());
  for (const RouterId r : network.routers()) {
    const TerminalId own = managed.of_router[r.value];
    EXPECT_EQ(lids.of(own), plain.of(r));
    EXPECT_EQ(lids.at(plain.of(r)), Device(Device::Kind::terminal, own.value));
    EXPECT_EQ(guids.router(network.router_guid(r)), r);
    EXPECT_EQ(plain_guids.router(network.router_guid(r)), r);
  }
  for (const TerminalId t : network.terminals()) {
    EXPECT_FALSE(guids.router(network.terminal_port_guid(t)).valid());
    EXPECT_EQ(lids.of(managed.of_terminal[t.value]), plain.of(t));
  }
}

}  // namespace
}  // namespace unknot
