// SPDX-License-Identifier: Apache-2.0
// SL-to-VL tables in the two text forms of the field: OpenSM's dump and the lines that ibdmchk takes.
#include <fmt/format.h>

#include <memory>
#include <vector>

#include "unknot/formats/tables/lane_formats.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/formats/text/guid_index.hpp"
#include "unknot/formats/text/line_scanner.hpp"
#include "unknot/formats/text/text_block.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kLastPort = 254;

void require_infiniband_ports(const Network& network) {
  for (const RouterId r : network.routers()) {
    if (network.port_count(r) > kLastPort) {
      throw InputError(fmt::format("{} has {} ports, but SL-to-VL tables are for switches of at most {}",
                                   network.router_name(r), network.port_count(r), kLastPort));
    }
  }
}

class LaneMapReader {
 public:
  LaneMapReader(const Network& network, std::string_view text, const std::string& name)
      : network_(network),
        name_(name),
        guids_(network),
        scanner_(text, name),
        map_(network, std::uint8_t{LaneMap::kLevels}),
        has_rows_(network.router_count(), false) {
    std::size_t total = 0;
    for (const RouterId r : network.routers()) {
      first_.push_back(total);
      const std::uint32_t ports = network.port_count(r);
      total += (ports + std::size_t{1}) * (ports + std::size_t{1});
    }
    given_.assign(total, false);
    adapter_given_.assign(network.terminal_count(), false);
    // Files have no rows towards port 0, behind which no packet waits: any lane of data will do.
    for (const RouterId r : network.routers()) {
      if (!network.own_port(r).valid()) continue;
      for (std::uint32_t in = 0; in <= network.port_count(r); ++in)
        map_.set(r, static_cast<std::uint16_t>(in), 0, LaneMap::Row{});
    }
  }

  LaneMap read() {
    read_rows();
    check_complete({});
    return std::move(map_);
  }

  /// VL-to-VL tables: those switches that have a row have all.
  LaneMap read_steps(std::vector<bool>& at) {
    adapters_ = false;
    read_rows();
    at = has_rows_;
    check_complete(at);
    return std::move(map_);
  }

 private:
  void read_rows() {
    while (scanner_.advance()) {
      const char* p = scanner_.begin();
      const char* const end = scanner_.end();
      skip_blanks(p, end);
      if (p == end || *p == '#') continue;
      if (take_text(p, end, "0x")) {
        ibdmchk_row(p - 2);
      } else if (take_text(p, end, "Switch 0x")) {
        std::uint64_t guid = 0;
        if (!take_hex_digits(p, end, guid)) scanner_.fail("expected 'Switch 0x<guid>'");
        dump_router_ = find(guid);
        dump_guid_ = guid;
        in_dump_ = true;
      } else if (take_text(p, end, "Channel Adapter ") || take_text(p, end, "Router ")) {
        dump_router_ = RouterId();
        dump_guid_ = 0;
        if (take_text(p, end, "0x")) (void)take_hex_digits(p, end, dump_guid_);
        in_dump_ = true;
      } else {
        dump_row(p);
      }
    }
  }

  static constexpr const char* kIbdmchkForm =
      "expected '0x<switch guid> <in> <out>' and 8 bytes '0x<vl><vl>'";
  static constexpr const char* kDumpForm = "expected '<in> <out> :' and 16 lanes";

  /// Router of that GUID; none for an adapter's.
  RouterId find(std::uint64_t guid) const {
    const RouterId router = guids_.router(guid);
    if (!router.valid() && !guids_.port(guid).known() && guids_.node(guid).empty()) {
      scanner_.fail(fmt::format("switch 0x{:016x} is not in the fabric", guid));
    }
    return router;
  }

  void ibdmchk_row(const char* p) {
    const char* const end = scanner_.end();
    std::uint64_t guid = 0;
    std::uint32_t in = 0;
    std::uint32_t out = 0;
    const bool guid_read = take_hex(p, end, guid);
    skip_blanks(p, end);
    const bool in_read = take_decimal(p, end, in);
    skip_blanks(p, end);
    if (!guid_read || !in_read || !take_decimal(p, end, out)) scanner_.fail(kIbdmchkForm);
    LaneMap::Row row{};
    for (std::size_t i = 0; i < row.size(); i += 2) {
      skip_blanks(p, end);
      std::uint64_t pair = 0;
      if (!take_hex(p, end, pair) || pair > 0xFF) scanner_.fail(kIbdmchkForm);
      row[i] = static_cast<std::uint8_t>(pair >> 4);
      row[i + 1] = static_cast<std::uint8_t>(pair & 0xF);
    }
    skip_blanks(p, end);
    if (p != end) scanner_.fail(kIbdmchkForm);
    set(find(guid), guid, in, out, row);
  }

  void dump_row(const char* p) {
    const char* const end = scanner_.end();
    if (!in_dump_) scanner_.fail("expected 'Switch 0x<guid>' or '0x<switch guid> <in> <out> ...'");
    std::uint32_t in = 0;
    std::uint32_t out = 0;
    const bool in_read = take_decimal(p, end, in);
    skip_blanks(p, end);
    const bool out_read = take_decimal(p, end, out);
    skip_blanks(p, end);
    if (!in_read || !out_read || !take_text(p, end, ":")) scanner_.fail(kDumpForm);
    LaneMap::Row row{};
    for (std::uint8_t& lane : row) {
      skip_blanks(p, end);
      std::uint32_t value = 0;
      if (!take_decimal(p, end, value)) scanner_.fail(kDumpForm);
      if (value >= LaneMap::kLevels) {
        scanner_.fail(fmt::format("lane {} is beyond {}", value, LaneMap::kLevels - 1));
      }
      lane = static_cast<std::uint8_t>(value);
    }
    skip_blanks(p, end);
    if (p != end) scanner_.fail(kDumpForm);
    set(dump_router_, dump_guid_, in, out, row);
  }

  /// Terminal of an adapter's row: by the port's GUID, or by the node's and the port. A dump calls the port
  /// 0, which tells nothing where the adapter has several in the fabric.
  [[nodiscard]] TerminalId terminal(std::uint64_t guid, std::uint32_t out) const {
    const Device device = guids_.port(guid);
    if (device.is_terminal()) return TerminalId(device.index());
    const auto ports = guids_.node(guid);
    for (const auto& [node, t] : ports) {
      if (out == 0 ? ports.size() == 1 : network_.terminal_adapter_port(t) == out) return t;
    }
    return {};
  }

  void set_adapter(TerminalId t, const LaneMap::Row& row) {
    if (!t.valid()) return;
    if (adapter_given_[t.value] && *map_.source(t) != row)
      scanner_.fail(fmt::format("other lanes for the adapter of {} than above", network_.terminal_name(t)));
    adapter_given_[t.value] = true;
    map_.set_source(network_, t, row);
  }

  void set(RouterId r, std::uint64_t guid, std::uint32_t in, std::uint32_t out, const LaneMap::Row& row) {
    if (!r.valid()) {
      if (adapters_) set_adapter(terminal(guid, out), row);
      return;
    }
    has_rows_[r.value] = true;
    const std::uint32_t ports = network_.port_count(r);
    if (in > ports || out > ports) {
      scanner_.fail(fmt::format("port {} is beyond the {} ports of {}", in > ports ? in : out, ports,
                                network_.router_name(r)));
    }
    const std::size_t at = index(r, in, out);
    const auto in_port = static_cast<std::uint16_t>(in);
    const auto out_port = static_cast<std::uint16_t>(out);
    if (given_[at] && map_.get(r, in_port, out_port) != row) {
      scanner_.fail(
          fmt::format("other lanes for ports {} to {} of {} than above", in, out, network_.router_name(r)));
    }
    given_[at] = true;
    map_.set(r, in_port, out_port, row);
  }

  [[nodiscard]] const char* kind() const { return adapters_ ? "SL-to-VL" : "VL-to-VL"; }

  [[nodiscard]] std::size_t index(RouterId r, std::uint32_t in, std::uint32_t out) const {
    return first_[r.value] + std::size_t{in} * (network_.port_count(r) + 1U) + out;
  }

  /// Every way a packet between hosts can take through a router needs a row. Not every dump has those of port
  /// 0. `of`: the routers that it is about; empty: all.
  void check_complete(const std::vector<bool>& of) const {
    std::uint64_t missing = 0;
    std::string first;
    for (const RouterId r : network_.routers()) {
      if (!of.empty() && !of[r.value]) continue;
      const auto check = [&](std::uint32_t in) {
        for (const ChannelId c : network_.out(r)) {
          const std::uint32_t out = network_.source_port(c);
          if (in == out || given_[index(r, in, out)]) continue;
          if (missing++ == 0) first = fmt::format("{} port {} to port {}", network_.router_name(r), in, out);
        }
      };
      for (const ChannelId c : network_.in(r)) check(network_.target_port(c));
      for (const TerminalId t : network_.terminals_at(r)) {
        if (network_.terminal_port(t) != 0) check(network_.terminal_port(t));
      }
    }
    if (missing > 0) {
      throw InputError(
          fmt::format("{}: {} pairs of ports have no {} row, the first {}", name_, missing, kind(), first));
    }
    check_terminals(of);
  }

  /// The last cable of every path needs a row too, also from a neighbour on the same router.
  void check_terminals(const std::vector<bool>& of) const {
    std::uint64_t missing = 0;
    std::string first;
    for (const TerminalId t : network_.terminals()) {
      const RouterId r = network_.router_of(t);
      if (!of.empty() && !of[r.value]) continue;
      const std::uint32_t out = network_.terminal_port(t);
      const auto check = [&](std::uint32_t in) {
        if (in == out || in == 0 || out == 0 || given_[index(r, in, out)]) return;
        if (missing++ == 0) {
          first = fmt::format("{} port {} to port {}, of {}", network_.router_name(r), in, out,
                              network_.terminal_name(t));
        }
      };
      for (const ChannelId c : network_.in(r)) check(network_.target_port(c));
      for (const TerminalId neighbour : network_.terminals_at(r)) check(network_.terminal_port(neighbour));
    }
    if (missing > 0) {
      throw InputError(fmt::format("{}: {} ways to the port of an endpoint have no {} row, the first {}",
                                   name_, missing, kind(), first));
    }
  }

  const Network& network_;
  const std::string& name_;
  GuidIndex guids_;
  LineScanner scanner_;
  LaneMap map_;
  std::vector<std::size_t> first_;   // by router: its pairs in given_
  std::vector<bool> given_;          // by router, incoming and outgoing port
  std::vector<bool> adapter_given_;  // by terminal
  std::vector<bool> has_rows_;       // by router
  bool adapters_ = true;             // their rows count
  RouterId dump_router_;
  std::uint64_t dump_guid_ = 0;
  bool in_dump_ = false;
};

}  // namespace

LaneMap parse_lane_map(const Network& network, std::string_view text, const std::string& name) {
  require_infiniband_ports(network);
  return LaneMapReader(network, text, name).read();
}

LaneMap parse_lane_steps(const Network& network, std::string_view text, const std::string& name,
                         std::vector<bool>& at) {
  require_infiniband_ports(network);
  return LaneMapReader(network, text, name).read_steps(at);
}

LaneMap read_lane_map(const Network& network, const std::string& path) {
  return parse_lane_map(network, read_file(path), path);
}

void write_lane_map(const Network& network, const Routing& routing, const std::string& path) {
  require_tables(routing, "a file of SL-to-VL tables");
  std::shared_ptr<const LaneMap> map = routing.lane_map;
  if (map == nullptr) {
    // Levels beyond those in use go to lanes that exist.
    const std::uint32_t lanes = std::min(std::max(routing.virtual_lanes, 1U), LaneMap::kLevels);
    map = std::make_shared<LaneMap>(network, static_cast<std::uint8_t>(lanes));
  }
  write_lane_rows(network, *map, {}, {}, path);
}

void write_lane_rows(const Network& network, const LaneMap& map, const std::vector<bool>& at,
                     std::string_view head, const std::string& path) {
  require_infiniband_ports(network);
  write_file(path, [&](const FileSink& sink) {
    if (!head.empty()) sink(head);
    constexpr std::size_t kLine = 96;
    write_blocks(sink, network.router_count(), 1, [&](std::uint32_t begin, std::uint32_t, TextBlock& block) {
      const RouterId r(begin);
      if (!at.empty() && !at[r.value]) return;
      const std::uint32_t ports = network.port_count(r);
      for (std::uint32_t out = 1; out <= ports; ++out) {
        for (std::uint32_t in = 0; in <= ports; ++in) {
          char* p = put_guid(block.room(kLine), network.router_guid(r));
          *p++ = ' ';
          p = put_decimal(p, in);
          *p++ = ' ';
          p = put_decimal(p, out);
          const LaneMap::Row& row =
              map.get(r, static_cast<std::uint16_t>(in), static_cast<std::uint16_t>(out));
          for (std::size_t i = 0; i < row.size(); i += 2) {
            p = put_hex(put_text(p, " 0x"), row[i], 1);
            p = put_hex(p, row[i + 1], 1);
          }
          *p++ = '\n';
          block.end_at(p);
        }
      }
    });
  });
}

}  // namespace unknot
