// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "unknot/formats/tables/further_lids.hpp"
#include "unknot/formats/tables/lid_map.hpp"
#include "unknot/formats/tables/management_routes.hpp"
#include "unknot/formats/tables/table_formats.hpp"
#include "unknot/formats/text/text_block.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/append.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kLastPort = 254;  // InfiniBand's; 255 stands for "drop"
constexpr std::uint32_t kNoPort = 0xFFFFFFFFU;
constexpr std::size_t kPortAt = 7;  // where the three digits of the port stand in "0x0001 000"

/// Names come from cables and people: a newline would end the row.
std::string clean(std::string name) {
  for (char& c : name) {
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  return name;
}

bool has_further_addresses(const Network& network) {
  return std::any_of(network.terminals().begin(), network.terminals().end(),
                     [&](TerminalId t) { return network.further_address(t); });
}

class LftWriter {
 public:
  LftWriter(const Network& network, const Routing& routing, bool bare)
      : network_(network),
        table_(routing.table()),
        bare_(bare),
        lids_(LidMap::of(network)),
        management_(network, routing.table()) {
    require_unicast_lids(lids_, has_further_addresses(network) ? "a lower --lmc gives each host fewer"
                                                               : "the 'binary' format has no such limit");
    for (const RouterId r : network.routers()) {
      if (network.port_count(r) > kLastPort) {
        throw InputError(fmt::format("{} has {} ports, but an InfiniBand switch has at most {}",
                                     network.router_name(r), network.port_count(r), kLastPort));
      }
    }
    make_rows();
  }

  void write(const std::string& path) const {
    const std::string guid2lid = guid2lid_beside(path);
    if (!guid2lid.empty()) require_own_folder(path);
    write_file(path, [&](const FileSink& sink) {
      write_blocks(sink, network_.router_count(), records_a_block(row_text_.size()),
                   [&](std::uint32_t begin, std::uint32_t end, TextBlock& block) {
                     for (std::uint32_t r = begin; r < end; ++r) section(RouterId(r), block);
                   });
    });
    if (!guid2lid.empty()) write_guid2lid(network_, lids_, guid2lid);
  }

 private:
  /// A cache of OpenSM has its data base of LIDs under the name of ours.
  static void require_own_folder(const std::string& path) {
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    if (std::filesystem::path(path).filename() == "guid2lid") {
      throw InputError(fmt::format(
          "{}: the LIDs of the tables go to a file of that name; name the tables otherwise", path));
    }
    std::error_code ignored;
    const auto has = [&](const char* name) { return std::filesystem::exists(folder / name, ignored); };
    if (has("guid2lid") && (has("guid2mkey") || has("neighbors"))) {
      throw InputError(
          fmt::format("{}: in this folder OpenSM keeps its guid2lid, which the one of these tables "
                      "would replace; write to another folder",
                      path));
    }
  }

  struct Row {
    Device device;
    RouterId router;         ///< the switch a service node hangs on
    std::uint32_t port = 0;  ///< and the port it hangs on
    std::size_t first = 0;   ///< its text in row_text_
    std::size_t last = 0;
  };

  /// The text of each row, with 000 for the port: all that changes from switch to switch.
  void make_rows() {
    const auto add = [&](Device device, std::uint32_t lid, const char* kind, std::uint64_t guid,
                         const std::string& name) -> Row& {
      Row row;
      row.device = device;
      row.first = row_text_.size();
      append(row_text_, "0x{:04x} 000 # ", lid);
      if (bare_) {
        append(row_text_, "portguid 0x{:016x}\n", guid);
      } else {
        append(row_text_, "{} portguid 0x{:016x}: '{}'\n", kind, guid, clean(name));
      }
      row.last = row_text_.size();
      rows_.push_back(row);
      return rows_.back();
    };
    for (std::uint32_t lid = 1; lid <= lids_.highest(); ++lid) {
      const Device device = lids_.at(lid);
      if (device.is_router()) {
        const RouterId r(device.index());
        add(device, lid, "Switch", network_.router_guid(r), network_.router_name(r));
      } else if (device.is_terminal()) {
        const TerminalId t(device.index());
        const bool own = network_.own_port(network_.router_of(t)) == t;
        add(device, lid, own ? "Switch" : "Channel Adapter", network_.terminal_port_guid(t),
            network_.terminal_name(t));
      } else if (device.known()) {
        const ServiceNode& node = network_.labels().service_nodes[device.index()];
        Row& row = add(device, lid, "Channel Adapter", node.port_guid, node.name);
        row.router = node.router;
        row.port = node.router_port;
      }
    }
  }

  std::uint32_t port(RouterId r, std::uint32_t position, std::uint32_t here) const {
    if (position == ForwardingTable::kHere) return here;
    if (position >= ForwardingTable::kStray) return kNoPort;
    return network_.source_port(network_.out(r)[position]);
  }

  std::uint32_t port(RouterId r, const Row& row) const {
    if (row.device.is_terminal()) {
      const TerminalId t(row.device.index());
      const std::uint16_t stray = table_.stray_port(r, t);
      if (stray != 0 && stray <= network_.port_count(r)) return stray;
      return port(r, table_.get(r, t), network_.terminal_port(t));
    }
    if (row.device.is_router()) return port(r, management_.next(r, RouterId(row.device.index())), 0);
    const TerminalId own = network_.own_port(row.router);
    return port(r, own.valid() ? table_.get(r, own) : management_.next(r, row.router), row.port);
  }

  [[nodiscard]] std::uint32_t lid_of(RouterId r) const {
    const TerminalId own = network_.own_port(r);
    return own.valid() ? lids_.of(own) : lids_.of(r);
  }

  void section(RouterId r, TextBlock& block) const {
    const std::string head =
        bare_ ? fmt::format("Unicast lids guid 0x{:016x} \n", network_.router_guid(r))
              : fmt::format("Unicast lids [0-{}] of switch Lid {} guid 0x{:016x} ('{}'):\n", lids_.highest(),
                            lid_of(r), network_.router_guid(r), clean(network_.router_name(r)));
    block.append(head);
    char* p = block.room(row_text_.size());
    for (const Row& row : rows_) {
      const std::uint32_t out = port(r, row);
      if (out == kNoPort) continue;
      const std::size_t length = row.last - row.first;
      std::memcpy(p, row_text_.data() + row.first, length);
      put_decimal3(p + kPortAt, out);
      p += length;
    }
    block.end_at(p);
    if (!bare_) block.append(fmt::format("{} lids dumped\n", lids_.highest()));
  }

  const Network& network_;
  const ForwardingTable& table_;
  bool bare_;
  LidMap lids_;
  ManagementRoutes management_;
  std::vector<Row> rows_;
  std::string row_text_;
};

}  // namespace

std::string guid2lid_beside(const std::string& tables) {
  std::error_code ignored;
  if (tables == "-" ||
      (std::filesystem::exists(tables, ignored) && !std::filesystem::is_regular_file(tables, ignored)))
    return {};
  return (std::filesystem::path(tables).parent_path() / "guid2lid").string();
}

void write_lft_dump(const Network& network, const Routing& routing, const std::string& path) {
  LftWriter(network, routing, false).write(path);
}

void write_lft_bare(const Network& network, const Routing& routing, const std::string& path) {
  LftWriter(network, routing, true).write(path);
}

}  // namespace unknot
