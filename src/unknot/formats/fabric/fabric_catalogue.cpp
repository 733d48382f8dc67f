// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <utility>

#include "unknot/formats/chips/constellation.hpp"
#include "unknot/formats/chips/floogen.hpp"
#include "unknot/formats/chips/garnet.hpp"
#include "unknot/formats/fabric/fabric_catalogue.hpp"
#include "unknot/formats/fabric/ibnetdiscover.hpp"
#include "unknot/formats/fabric/ibsim_net.hpp"
#include "unknot/formats/fabric/native_json.hpp"
#include "unknot/formats/fabric/net_grammar.hpp"
#include "unknot/formats/fabric/netq_graph.hpp"
#include "unknot/formats/fabric/subnet_list.hpp"
#include "unknot/formats/fabric/topology_file.hpp"
#include "unknot/formats/graph/graph_golf.hpp"
#include "unknot/formats/graph/graph_text.hpp"
#include "unknot/formats/ibdiagnet/db_csv.hpp"
#include "unknot/formats/ibdiagnet/net_dump.hpp"
#include "unknot/formats/machines/machine_toml.hpp"
#include "unknot/formats/machines/nccl_topology.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/parameters.hpp"

namespace unknot {

const std::vector<FabricFormat>& fabric_formats() {
  static const std::vector<FabricFormat> formats{
      {"json",
       "Unknot's own, loses nothing",
       looks_like_native_json,
       read_native_json,
       write_native_json,
       true,
       true,
       {},
       true},
      {"ibnetdiscover", "output of ibnetdiscover: switches, adapters, GUIDs, LIDs, rates",
       [](std::string_view head) { return looks_like_net(head, NetDialect::ibnetdiscover); },
       read_ibnetdiscover, write_ibnetdiscover, false, false, read_ibnetdiscover_parts, true},
      {"ibsim", "net file of the InfiniBand simulator ibsim",
       [](std::string_view head) { return looks_like_net(head, NetDialect::ibsim); }, read_ibsim_net,
       write_ibsim_net, false, false, read_ibsim_net_parts, true},
      {"subnet-list", "link list of OpenSM (opensm-subnet.lst) or ibdiagnet (ibdiagnet2.lst)",
       looks_like_subnet_list, read_subnet_list, nullptr, false, false, read_subnet_list_parts},
      {"db_csv", "database of ibdiagnet (ibdiagnet2.db_csv): nodes, ports with GUIDs, LIDs and rates, links",
       looks_like_db_csv, read_db_csv, write_db_csv, false, false, read_db_csv_parts, true},
      {"net_dump", "list of links of ibdiagnet (ibdiagnet2.net_dump)", looks_like_net_dump, read_net_dump,
       write_net_dump, false, false, read_net_dump_parts},
      {"topo", "ibutils' topology file (.topo); IBNL files say what is inside of its systems",
       looks_like_topology_file,
       [](std::string_view text, const std::string& name) { return read_topology_file(text, name); },
       nullptr},
      {"netq", "NVIDIA NetQ's topologyGraph.json: names of interfaces in place of ports and addresses",
       looks_like_netq_graph, read_netq_graph, nullptr},
      {"graph-golf", "edge list of the Graph Golf contest (general or grid), one terminal on each vertex",
       looks_like_graph_golf, read_graph_golf, nullptr},
      {"machine", "machine of boxes with GPUs, in TOML: docs/machines.md", looks_like_machine, read_machine,
       nullptr},
      {"nccl", "topology of a server as NCCL and RCCL write it (NCCL_TOPO_DUMP_FILE)",
       looks_like_nccl_topology, read_nccl_topology, nullptr},
      {"dot", "Graphviz drawing", looks_like_dot, read_dot, write_dot, true, true},
      {"graphml", "GraphML with ports, rates and addresses", looks_like_graphml, read_graphml, write_graphml,
       true, true},
      {"anynet", "BookSim's anynet file (no parallel cables, no one-way links)", looks_like_anynet,
       read_anynet, write_anynet, true},
      {"garnet", "network on chip as gem5 dumps it (config.ini); weights: verify --adaptive",
       looks_like_garnet, read_garnet, nullptr, true},
      {"floogen", "YAML of FlooGen, the generator of FlooNoC (no parallel cables, no one-way links)",
       looks_like_floogen, read_floogen, write_floogen},
      {"constellation", "object for Constellation in Scala, as route writes it", looks_like_constellation,
       read_constellation, nullptr},
  };
  return formats;
}

void write_fabric(const Network& network, std::string_view format, const std::string& path) {
  std::vector<std::string> names;
  for (const FabricFormat& row : fabric_formats()) {
    if (!row.write) continue;
    if (row.name == format) {
      write_file(path, row.write(network));
      return;
    }
    names.push_back(row.name);
  }
  throw InputError(
      fmt::format("no fabric format '{}' to write; {}", format, near_or_all_names(format, names)));
}

}  // namespace unknot
