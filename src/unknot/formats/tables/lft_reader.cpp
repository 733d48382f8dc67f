// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "unknot/formats/tables/lft_line.hpp"
#include "unknot/formats/tables/lid_map.hpp"
#include "unknot/formats/tables/table_filler.hpp"
#include "unknot/formats/tables/table_formats.hpp"
#include "unknot/tables/further_addresses.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kDropPort = 255;  // "no route" where a tool prints every row

class LftReader {
 public:
  LftReader(const Network& network, std::string_view text, const std::string& name)
      : network_(network),
        text_(text),
        name_(name),
        guids_(network),
        base_lid_(network.terminal_count(), 0) {}

  ForwardingTable read() {
    for (;;) {
      lower_lid_came_late_ = false;
      ForwardingTable table = pass();
      // A device with several LIDs whose lowest came last: read again, now that it is known.
      if (lower_lid_came_late_) continue;
      read_told();
      return lower_lids_told() ? pass() : std::move(table);
    }
  }

  /// To be called after read(): the tables that lead to the terminals' further LIDs, by rank.
  std::vector<ForwardingTable> read_further() {
    std::vector<std::vector<std::uint32_t>> lids(network_.terminal_count());  // in order
    std::size_t most = 1;
    for (std::uint32_t lid = 0; lid < known_.size(); ++lid) {
      if (!known_[lid].seen || !known_[lid].device.is_terminal()) continue;
      lids[known_[lid].device.index()].push_back(lid);
    }
    add_lids_without_rows(lids);
    for (const std::vector<std::uint32_t>& own : lids) most = std::max(most, own.size());
    const std::vector<std::uint32_t> lowest(base_lid_);
    std::vector<ForwardingTable> tables;
    for (std::size_t rank = 1; rank < most; ++rank) {
      for (std::size_t t = 0; t < lids.size(); ++t)
        base_lid_[t] = rank < lids[t].size() ? lids[t][rank] : lowest[t];
      ranked_ = true;
      tables.push_back(pass());
    }
    return tables;
  }

 private:
  /// What a LID stands for, told by the rest of its row. The same words come back in each switch's section.
  struct Known {
    std::string_view rest;
    Device device;
    std::uint32_t section = 0;  // last section that had a row for it
    bool seen = false;
  };

  /// Takes the LIDs of guid2lid beside the file, where there is one; else those of a fabric that tells an
  /// LMC.
  void read_told() {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(guid2lid_beside(name_), ignored)) {
      told_ = lid_map_beside(network_, name_);
    } else if (network_.labels().lmc > 0) {
      told_ = LidMap::of(network_);
    }
  }

  /// True when the lowest LID of some terminal has no row, though it is told to have one below those that
  /// have.
  bool lower_lids_told() {
    if (!told_) return false;
    bool lower = false;
    for (const TerminalId t : network_.terminals()) {
      const std::uint32_t base = base_lid_[t.value];
      const Device device(Device::Kind::terminal, t.value);
      if (base == 0 || told_->at(base) != device || told_->of(t) >= base) continue;
      base_lid_[t.value] = told_->of(t);
      lower = true;
    }
    ranked_ = ranked_ || lower;
    return lower;
  }

  /// LIDs that are told of terminals whose lowest LID is told as the rows have it: packets to them are lost,
  /// which only who knows of them can see.
  void add_lids_without_rows(std::vector<std::vector<std::uint32_t>>& lids) const {
    if (!told_) return;
    for (std::uint32_t lid = 1; lid <= told_->highest(); ++lid) {
      const Device device = told_->at(lid);
      if (!device.is_terminal() || told_->of(device) != base_lid_[device.index()]) continue;
      if (lid < known_.size() && known_[lid].seen && known_[lid].device != device) continue;
      std::vector<std::uint32_t>& own = lids[device.index()];
      const auto place = std::lower_bound(own.begin(), own.end(), lid);
      if (place == own.end() || *place != lid) own.insert(place, lid);
    }
  }

  ForwardingTable pass() {
    TableFiller filler(network_);
    LineScanner scanner(text_, name_);
    known_.clear();
    std::uint32_t section = 0;
    std::uint32_t rows = 0;
    while (scanner.advance()) {
      const char* p = scanner.begin();
      const char* const end = scanner.end();
      skip_blanks(p, end);
      if (end - p >= 2 && p[0] == '0' && p[1] == 'x') {
        if (section == 0) scanner.fail("a row comes before the first 'Unicast lids ... guid 0x...' line");
        ++rows;
        row(scanner, p, filler, section);
      } else if (is_lft_header(p, end)) {
        ++section;
        rows = 0;
        header(scanner, filler);
      } else if (take_text(p, end, "Multicast mlids")) {
        scanner.fail("these are multicast tables, expected unicast ones");
      } else {
        tail(scanner, rows);
      }
    }
    if (section == 0) throw InputError(fmt::format("{}: no 'Unicast lids ... guid 0x...' line", name_));
    return filler.take();
  }

  void header(const LineScanner& scanner, TableFiller& filler) const {
    constexpr std::string_view kMark = " guid 0x";
    const std::size_t at = scanner.line().find(kMark);
    std::uint64_t guid = 0;
    if (at == std::string_view::npos)
      scanner.fail("expected ' guid 0x<switch guid>' on a 'Unicast lids' line");
    const char* p = scanner.begin() + at + kMark.size();
    if (!take_hex_digits(p, scanner.end(), guid) || (p != scanner.end() && !is_blank(*p))) {
      scanner.fail("expected ' guid 0x<switch guid>' and a blank on a 'Unicast lids' line");
    }
    const RouterId router = guids_.router(guid);
    if (!router.valid()) scanner.fail(fmt::format("switch 0x{:016x} is not in the fabric", guid));
    if (!filler.begin(router)) {
      scanner.fail(fmt::format("switch 0x{:016x} has a table above already", guid));
    }
  }

  void row(const LineScanner& scanner, const char* p, TableFiller& filler, std::uint32_t section) {
    LftRow row;
    if (!parse_lft_row(p, scanner.end(), row)) {
      scanner.fail("expected a row '0x<lid> <port>', the port in decimal");
    }
    if (row.lid == 0 || row.lid > kLastUnicastLid) {
      scanner.fail(fmt::format("0x{:x} is no unicast LID (0x1 to 0x{:x})", row.lid, kLastUnicastLid));
    }
    const auto lid = static_cast<std::uint32_t>(row.lid);
    if (lid >= known_.size()) known_.resize(lid + std::size_t{1});
    Known& known = known_[lid];
    if (known.section == section) scanner.fail(fmt::format("LID {} has two rows in one switch's table", lid));
    known.section = section;
    if (!known.seen || known.rest != row.rest) identify(scanner, lid, row.rest, known);
    if (!filler.has_port(row.port)) {
      if (row.port == kDropPort) return;
      scanner.fail(fmt::format("port {} is beyond the {} ports of {}", row.port,
                               network_.port_count(filler.router()), network_.router_name(filler.router())));
    }
    if (!known.device.is_terminal()) return;
    const TerminalId t(known.device.index());
    if (base_lid_[t.value] == lid) filler.set(t, row.port);
  }

  void identify(const LineScanner& scanner, std::uint32_t lid, std::string_view rest, Known& known) {
    std::uint64_t guid = 0;
    Device device;
    switch (find_port_guid(rest, guid)) {
      case PortGuid::malformed:
        scanner.fail("expected up to 16 hexadecimal digits after 'portguid 0x'");
      case PortGuid::present:
        device = guids_.port(guid);
        if (!device.known()) {
          scanner.fail(fmt::format("port GUID 0x{:016x} belongs to no device of the fabric{}", guid,
                                   kOfAnotherFabric));
        }
        if (device.is_terminal() && !ranked_) {
          std::uint32_t& base = base_lid_[device.index()];
          if (base != 0 && lid < base) lower_lid_came_late_ = true;
          if (base == 0 || lid < base) base = lid;
        }
        break;
      case PortGuid::absent:
        if (!lids_) lids_ = lid_map_beside(network_, name_);
        device = lids_->at(lid);
        if (!device.known())
          scanner.fail(fmt::format("LID {} belongs to no device of the fabric{}", lid, kOfAnotherFabric));
        if (device.is_terminal() && !ranked_) {
          std::uint32_t& base = base_lid_[device.index()];
          if (base == 0) base = lids_->of(device);
        }
        break;
    }
    if (known.seen && known.device != device) {
      scanner.fail(fmt::format("LID {} stands for another device than in the tables above", lid));
    }
    known.seen = true;
    known.device = device;
    known.rest = rest;
  }

  /// ibroute closes a table with the number of its rows: the one way to notice that some are gone.
  static void tail(const LineScanner& scanner, std::uint32_t rows) {
    const char* p = scanner.begin();
    std::uint32_t said = 0;
    if (take_decimal(p, scanner.end(), said) && take_text(p, scanner.end(), " valid lids dumped") &&
        said != rows) {
      scanner.fail(fmt::format("the table says it has {} rows, but {} came", said, rows));
    }
  }

  const Network& network_;
  std::string_view text_;
  const std::string& name_;
  GuidIndex guids_;
  std::optional<LidMap> lids_;           // only for rows without port GUIDs
  std::vector<std::uint32_t> base_lid_;  // by terminal, the LID that counts; 0: not seen yet
  std::optional<LidMap> told_;           // by guid2lid beside the file, or by the fabric
  bool ranked_ = false;                  // base_lid_ has been told
  std::vector<Known> known_;             // by LID
  bool lower_lid_came_late_ = false;
};

}  // namespace

bool recognises_lft_dump(std::string_view head) {
  LineScanner scanner(head, "");
  while (scanner.advance()) {
    const char* p = scanner.begin();
    skip_blanks(p, scanner.end());
    if (is_lft_header(p, scanner.end())) return true;
  }
  return false;
}

Routing read_lft_dump(const Network& network, std::string_view text, const std::string& name) {
  LftReader reader(network, text, name);
  Routing routing;
  routing.engine = name;
  routing.paths = reader.read();
  for (ForwardingTable& table : reader.read_further())
    routing.further.emplace_back().paths = std::move(table);
  share_with_further(routing);
  return routing;
}

}  // namespace unknot
