// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <vector>

#include "unknot/formats/tables/lid_map.hpp"
#include "unknot/formats/tables/table_filler.hpp"
#include "unknot/formats/tables/table_formats.hpp"
#include "unknot/formats/text/line_scanner.hpp"

namespace unknot {
namespace {

constexpr std::string_view kHeader = "dump_ucast_routes: Switch ";
// ibdiagnet, and OpenSM of before, name the function that dumps.
constexpr std::string_view kOlderHeader = "osm_ucast_mgr_dump_ucast_routes: Switch ";

/// Row "0x0001 : 005  : 01   : yes" or "0x0001 : UNREACHABLE"; the hops and what follows say nothing new.
struct FdbRow {
  std::uint64_t lid = 0;
  std::uint32_t port = 0;
  bool unreachable = false;
};

bool parse_row(const char* p, const char* end, FdbRow& row) {
  if (!take_hex(p, end, row.lid)) return false;
  skip_blanks(p, end);
  if (!take_text(p, end, ":")) return false;
  skip_blanks(p, end);
  row.unreachable = take_text(p, end, "UNREACHABLE");
  if (row.unreachable) return true;
  std::uint32_t hops = 0;
  if (!take_decimal(p, end, row.port)) return false;
  skip_blanks(p, end);
  if (!take_text(p, end, ":")) return false;
  skip_blanks(p, end);
  if (!take_decimal(p, end, hops)) return false;
  skip_blanks(p, end);
  return take_text(p, end, ":");
}

/// The tables that lead to the terminals' LIDs of `lids`.
ForwardingTable read_ranked(const Network& network, const GuidIndex& guids, const LidMap& lids,
                            std::string_view text, const std::string& name) {
  TableFiller filler(network);
  std::vector<std::uint32_t> last_section(lids.highest() + std::size_t{1}, 0);
  std::uint32_t section = 0;
  LineScanner scanner(text, name);
  while (scanner.advance()) {
    const char* p = scanner.begin();
    const char* const end = scanner.end();
    skip_blanks(p, end);
    if (p == end || *p == '#' || take_text(p, end, "LID ")) continue;
    if (take_text(p, end, "PLFT_NUM:")) {
      skip_blanks(p, end);
      std::uint32_t table = 0;
      if (!take_decimal(p, end, table) || table != 0) {
        scanner.fail(
            "expected 'PLFT_NUM: 0': further private tables are for adaptive routing (verify --adaptive)");
      }
      continue;
    }
    if (take_text(p, end, kHeader) || take_text(p, end, kOlderHeader)) {
      std::uint64_t guid = 0;
      if (!take_hex(p, end, guid)) scanner.fail("expected 'dump_ucast_routes: Switch 0x<guid>'");
      const RouterId router = guids.router(guid);
      if (!router.valid()) scanner.fail(fmt::format("switch 0x{:016x} is not in the fabric", guid));
      if (!filler.begin(router)) {
        scanner.fail(fmt::format("switch 0x{:016x} has a table above already", guid));
      }
      ++section;
      continue;
    }
    FdbRow row;
    if (!parse_row(p, end, row)) {
      scanner.fail("expected a row '0x<lid> : <port> : <hops> : ...' or '0x<lid> : UNREACHABLE'");
    }
    if (section == 0) scanner.fail("a row comes before the first 'dump_ucast_routes: Switch' line");
    const Device device = row.lid <= lids.highest() ? lids.at(static_cast<std::uint32_t>(row.lid)) : Device();
    if (!device.known()) {
      // OpenSM lists every LID up to the highest, given out or not.
      if (row.unreachable) continue;
      scanner.fail(fmt::format("LID {} belongs to no device of the fabric{}", row.lid, kOfAnotherFabric));
    }
    const auto lid = static_cast<std::uint32_t>(row.lid);
    if (last_section[lid] == section) {
      scanner.fail(fmt::format("LID {} has two rows in one switch's table", lid));
    }
    last_section[lid] = section;
    if (row.unreachable) continue;
    if (!filler.has_port(row.port)) {
      scanner.fail(fmt::format("port {} is beyond the {} ports of {}", row.port,
                               network.port_count(filler.router()), network.router_name(filler.router())));
    }
    if (device.is_terminal() && lids.of(device) == lid) filler.set(TerminalId(device.index()), row.port);
  }
  if (section == 0) throw InputError(fmt::format("{}: no 'dump_ucast_routes: Switch' line", name));
  return filler.take();
}

}  // namespace

bool recognises_fdbs(std::string_view head) {
  LineScanner scanner(head, "");
  while (scanner.advance()) {
    if (scanner.line().starts_with(kHeader) || scanner.line().starts_with(kOlderHeader)) return true;
  }
  return false;
}

Routing read_fdbs(const Network& network, std::string_view text, const std::string& name) {
  const GuidIndex guids(network);
  const LidMap lids = lid_map_beside(network, name);
  Routing routing;
  routing.engine = name;
  routing.paths = read_ranked(network, guids, lids, text, name);
  for (std::uint32_t rank = 1; rank <= lids.further(); ++rank) {
    routing.further.emplace_back().engine = name;
    routing.further.back().paths = read_ranked(network, guids, lids.ranked(rank), text, name);
  }
  return routing;
}

}  // namespace unknot
