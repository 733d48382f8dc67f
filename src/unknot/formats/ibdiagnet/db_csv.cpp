// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/ibdiagnet/db_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "unknot/formats/draft/fabric_draft.hpp"
#include "unknot/formats/ibdiagnet/csv_section.hpp"
#include "unknot/formats/ibdiagnet/link_codes.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

using Kind = FabricDraft::Kind;
constexpr std::string_view kStart = "START_";
constexpr std::string_view kEnd = "END_";
constexpr std::uint64_t kMostPorts = 65535;
constexpr std::uint64_t kMostLid = 0xFFFFFFFFU;
constexpr std::uint64_t kMostLmc = 7;
constexpr std::uint64_t kAnyGuid = ~std::uint64_t{0};
constexpr std::uint64_t kPortDown = 1;

/// What PORTS says of a port.
struct PortRow {
  std::uint64_t node_guid = 0;
  std::uint64_t port_guid = 0;
  std::uint32_t line = 0;
  std::uint32_t lid = 0;
  std::uint16_t port = 0;
  std::uint8_t lmc = 0;
  LinkRate rate = 0;
  bool down = false;
};

struct LinkRow {
  std::uint64_t guid[2] = {0, 0};
  std::uint16_t port[2] = {0, 0};
  std::uint32_t line = 0;
};

class DatabaseReader {
 public:
  DatabaseReader(std::string_view text, const std::string& name) : lines_(text, name), name_(name) {
    draft_.files.push_back(name);
    while (lines_.next()) {
      if (lines_.line().starts_with(kStart)) read_section(lines_.line().substr(kStart.size()));
    }
    if (draft_.devices.empty()) {
      throw InputError(
          fmt::format("{}: no node in this file, expected a section START_NODES with some", name));
    }
    if (!links_read_) {
      throw InputError(
          fmt::format("{}: no section START_LINKS in this file, expected the links between the nodes: take "
                      "ibdiagnet2.net_dump or ibdiagnet2.lst, which have them",
                      name));
    }
    place_ports();
    for (const LinkRow& link : links_) add_link(link);
    group_ends(draft_);
  }
  FabricDraft take() { return std::move(draft_); }

 private:
  /// Lines up to END_<name>; `row` is called for each row once the header is read.
  template <class Row>
  void read_rows(std::string_view name, const std::vector<CsvColumn>& columns, const Row& row) {
    CsvSection section(name, columns);
    for (bool header = true; lines_.next();) {
      const std::string_view line = lines_.line();
      if (line.starts_with(kEnd) && line.substr(kEnd.size()) == name) {
        if (header) lines_.fail(fmt::format("the section {} has no header row", name));
        return;
      }
      if (line.starts_with(kStart)) break;
      if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
      if (header) {
        section.read_header(lines_);
        header = false;
      } else {
        section.read_row(lines_);
        row(section);
      }
    }
    lines_.fail(fmt::format("the section {} does not end: expected END_{}", name, name));
  }

  void once(bool& read, std::string_view name) {
    if (read) lines_.fail(fmt::format("the section {} comes twice", name));
    read = true;
  }

  void read_section(std::string_view name) {
    if (name == "NODES") {
      once(nodes_read_, name);
      read_nodes(name);
    } else if (name == "PORTS") {
      once(ports_read_, name);
      read_ports(name);
    } else if (name == "LINKS") {
      once(links_read_, name);
      read_links(name);
    }  // what other sections say is about no cable
  }

  void read_nodes(std::string_view name) {
    enum { description, ports, type, guid };
    static const std::vector<CsvColumn> columns{{"NodeDesc"}, {"NumPorts"}, {"NodeType"}, {"NodeGUID"}};
    read_rows(name, columns, [&](const CsvSection& row) {
      FabricDraft::Device device;
      device.guid = row.number(lines_, guid, kAnyGuid);
      device.name = row.text(description);
      device.ports = static_cast<std::uint16_t>(row.number(lines_, ports, kMostPorts));
      device.kind = kind_of(row.text(type));
      device.place = {0, lines_.number()};
      device.id = draft_.texts.emplace_back(fmt::format("0x{:016x}", device.guid));
      device_of_.try_emplace(device.guid, static_cast<std::uint32_t>(draft_.devices.size()));
      draft_.devices.push_back(device);
    });
  }

  [[nodiscard]] Kind kind_of(std::string_view type) const {
    if (type == "1") return Kind::adapter;
    if (type == "2") return Kind::router;
    if (type == "3") return Kind::gateway;
    lines_.fail(
        fmt::format("expected a NodeType of 1 (adapter), 2 (switch) or 3 (router), not '{}'", shown(type)));
  }

  void read_ports(std::string_view name) {
    enum { guid, number, port_guid, lid, lmc, width, speed, state };
    static const std::vector<CsvColumn> columns{{"NodeGuid"},
                                                {"PortNum"},
                                                {"PortGuid", false},
                                                {"LID"},
                                                {"LMC", false},
                                                {"LinkWidthActv", false},
                                                {"LinkSpeedActv", false},
                                                {"PortState", false}};
    read_rows(name, columns, [&](const CsvSection& row) {
      PortRow port;
      port.node_guid = row.number(lines_, guid, kAnyGuid);
      port.port_guid = row.number(lines_, port_guid, kAnyGuid);
      port.line = lines_.number();
      port.lid = static_cast<std::uint32_t>(row.number(lines_, lid, kMostLid));
      port.port = static_cast<std::uint16_t>(row.number(lines_, number, kMostPorts));
      port.lmc = static_cast<std::uint8_t>(row.number(lines_, lmc, kMostLmc));
      port.rate = rate_of_codes({static_cast<std::uint32_t>(row.number(lines_, width, 0xFFFFFFFFU)),
                                 static_cast<std::uint32_t>(row.number(lines_, speed, 0xFFFFFFFFU))});
      port.down = row.number(lines_, state, 0xFFFFFFFFU) == kPortDown;
      ports_.push_back(port);
    });
  }

  void read_links(std::string_view name) {
    enum { guid1, port1, guid2, port2 };
    static const std::vector<CsvColumn> columns{{"NodeGuid1"}, {"PortNum1"}, {"NodeGuid2"}, {"PortNum2"}};
    read_rows(name, columns, [&](const CsvSection& row) {
      LinkRow link;
      link.guid[0] = row.number(lines_, guid1, kAnyGuid);
      link.guid[1] = row.number(lines_, guid2, kAnyGuid);
      link.port[0] = static_cast<std::uint16_t>(row.number(lines_, port1, kMostPorts));
      link.port[1] = static_cast<std::uint16_t>(row.number(lines_, port2, kMostPorts));
      link.line = lines_.number();
      links_.push_back(link);
    });
  }

  [[noreturn]] void fail(std::uint32_t line, const std::string& message) const {
    throw InputError(name_, line, message);
  }
  [[nodiscard]] std::uint32_t device(std::uint64_t guid, std::uint32_t line) const {
    const auto found = device_of_.find(guid);
    if (found == device_of_.end())
      fail(line, fmt::format("no row of the section NODES describes the node 0x{:016x}", guid));
    return found->second;
  }
  void require_port(std::uint32_t device, std::uint16_t port, std::uint32_t line) const {
    const FabricDraft::Device& owner = draft_.devices[device];
    if (port <= owner.ports) return;
    fail(line, fmt::format("port {} of \"{}\" does not exist: it has {} port{}", port, shown(owner.name),
                           owner.ports, owner.ports == 1 ? "" : "s"));
  }

  static std::uint64_t key(std::uint32_t device, std::uint16_t port) {
    return std::uint64_t{device} << 16 | port;
  }

  /// Puts the rows of PORTS in order, and gives a switch the LID of its port 0.
  void place_ports() {
    order_.reserve(ports_.size());
    for (std::uint32_t i = 0; i < ports_.size(); ++i) {
      const PortRow& row = ports_[i];
      const std::uint32_t owner = device(row.node_guid, row.line);
      require_port(owner, row.port, row.line);
      order_.emplace_back(key(owner, row.port), i);
      FabricDraft::Device& device = draft_.devices[owner];
      if (device.kind == Kind::router && row.port == 0) device.lid = row.lid;
      if (device.kind != Kind::router) draft_.lmc = std::max(draft_.lmc, row.lmc);
    }
    std::sort(order_.begin(), order_.end());
    const auto twice = std::adjacent_find(order_.begin(), order_.end(),
                                          [](const auto& x, const auto& y) { return x.first == y.first; });
    if (twice == order_.end()) return;
    const PortRow& first = ports_[twice->second];
    const PortRow& second = ports_[(twice + 1)->second];
    fail(second.line,
         fmt::format("port {} of \"{}\" has two rows in the section PORTS, the first on line {}", second.port,
                     shown(draft_.devices[device(second.node_guid, second.line)].name), first.line));
  }

  /// The row of a port; one that says nothing where there is none.
  [[nodiscard]] const PortRow& port_row(std::uint32_t device, std::uint16_t port) const {
    static const PortRow silent;
    const auto found = std::lower_bound(order_.begin(), order_.end(), std::pair(key(device, port), 0U));
    return found != order_.end() && found->first == key(device, port) ? ports_[found->second] : silent;
  }

  void add_link(const LinkRow& link) {
    std::uint32_t devices[2];
    const PortRow* rows[2];
    for (int side = 0; side < 2; ++side) {
      devices[side] = device(link.guid[side], link.line);
      require_port(devices[side], link.port[side], link.line);
      if (link.port[side] == 0) {
        fail(link.line, fmt::format("a link leaves port 0 of \"{}\", expected a port from 1 on",
                                    shown(draft_.devices[devices[side]].name)));
      }
      rows[side] = &port_row(devices[side], link.port[side]);
    }
    if (rows[0]->down || rows[1]->down) return;
    if (rows[0]->rate != 0 && rows[1]->rate != 0 && rows[0]->rate != rows[1]->rate) {
      fail(link.line, fmt::format("the ports of this link have the rates {} on line {} and {} on line {}",
                                  link_rate_names()[rows[0]->rate], rows[0]->line,
                                  link_rate_names()[rows[1]->rate], rows[1]->line));
    }
    // Stated from both of its ends, as each has a row of its own.
    for (int side = 0; side < 2; ++side) {
      FabricDraft::End end;
      end.device = devices[side];
      end.peer = devices[1 - side];
      end.port = link.port[side];
      end.peer_port = link.port[1 - side];
      end.rate = rows[side]->rate;
      end.place = {0, link.line};
      if (draft_.devices[devices[side]].kind != Kind::router) {
        end.lid = rows[side]->lid;
        end.port_guid = rows[side]->port_guid;
      }
      draft_.ends.push_back(end);
    }
  }

  Lines lines_;
  const std::string& name_;
  FabricDraft draft_;
  std::unordered_map<std::uint64_t, std::uint32_t> device_of_;
  std::vector<PortRow> ports_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> order_;  // key() of each row of ports_, sorted
  std::vector<LinkRow> links_;
  bool nodes_read_ = false;
  bool ports_read_ = false;
  bool links_read_ = false;
};

}  // namespace

Network read_db_csv(std::string_view text, const std::string& name) {
  return assemble(DatabaseReader(text, name).take(), Parts::one);
}

Network read_db_csv_parts(std::string_view text, const std::string& name) {
  return assemble(DatabaseReader(text, name).take(), Parts::any);
}

bool looks_like_db_csv(std::string_view head) {
  static const std::string kNoFile;
  Lines lines(head.substr(0, head.find('\0')), kNoFile);
  while (lines.next()) {
    const std::string_view line = lines.line();
    if (!line.starts_with(kStart) || line.size() == kStart.size()) continue;
    const bool name = std::all_of(line.begin(), line.end(), [](char c) {
      return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
    if (name) return true;
  }
  return false;
}

}  // namespace unknot
