// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/ibdiagnet/net_dump.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "unknot/formats/draft/fabric_draft.hpp"
#include "unknot/formats/text/link_speed.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

using Kind = FabricDraft::Kind;
constexpr std::uint64_t kMostPort = 65535;
constexpr std::uint64_t kMostLidNumber = 0xFFFFFFFFU;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && Cursor::is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && Cursor::is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::optional<std::uint64_t> whole_number(std::string_view text, std::uint64_t max) {
  Cursor cursor(text);
  const auto value = cursor.decimal(max);
  return cursor.at_end() ? value : std::nullopt;
}

/// "name", vendor, 0x<guid>, LID <number>
struct SwitchLine {
  std::string_view name;
  std::uint64_t guid = 0;
  std::uint32_t lid = 0;
};

std::optional<SwitchLine> switch_line(std::string_view line) {
  line = trimmed(line);
  const std::size_t quote = line.rfind('"');
  if (line.empty() || line.front() != '"' || quote == 0) return std::nullopt;
  SwitchLine found;
  found.name = line.substr(1, quote - 1);
  Cursor cursor(line.substr(quote + 1));
  if (!cursor.eat(',') || !cursor.until(',')) return std::nullopt;
  cursor.skip_blanks();
  if (!cursor.eat("0x")) return std::nullopt;
  const auto guid = cursor.hex();
  if (!guid || !cursor.eat(',')) return std::nullopt;
  cursor.skip_blanks();
  if (!cursor.eat("LID")) return std::nullopt;
  cursor.skip_blanks();
  const auto lid = cursor.decimal(kMostLidNumber);
  if (!lid || !cursor.at_end()) return std::nullopt;
  found.guid = *guid;
  found.lid = static_cast<std::uint32_t>(*lid);
  return found;
}

enum LinkColumn : std::size_t {
  kLabelColumn,
  kPortColumn,
  kStateColumn,
  kWidthColumn,
  kSpeedColumn,
  kPeerGuidColumn,
  kPeerLabelColumn,
  kPeerLidColumn,
  kDescriptionColumn,
  kLinkColumns
};
constexpr std::array<std::string_view, kLinkColumns> kColumnNames{
    "#", "IB#", "Sta", "LWA", "LSA", "Neighbor Guid", "N#", "NLID", "Neighbor Description"};

class NetDumpReader {
 public:
  NetDumpReader(std::string_view text, const std::string& name) : lines_(text, name), name_(name) {
    draft_.files.push_back(name);
    while (lines_.next()) read_line();
    if (draft_.devices.empty()) {
      throw InputError(
          fmt::format("{}: no switch in this file, expected '\"<name>\", <vendor>, 0x<guid>, LID "
                      "<number>'",
                      name));
    }
    join();
    group_ends(draft_);
  }
  FabricDraft take() { return std::move(draft_); }

 private:
  /// A port that is up, of the switch `device`.
  struct PortRow {
    std::uint32_t device = 0;
    std::uint32_t line = 0;
    std::uint64_t peer_guid = 0;
    std::uint32_t peer_lid = 0;
    std::uint16_t port = 0;
    LinkRate rate = 0;
    std::string_view peer_label, description;
  };
  struct Label {
    std::uint32_t device;
    std::string_view text;
    std::uint16_t port;
    std::uint32_t line;
  };

  void read_line() {
    const std::string_view line = trimmed(lines_.line());
    if (const auto found = switch_line(line)) {
      begin_switch(*found);
    } else if (line.starts_with('"')) {
      lines_.fail(
          fmt::format("expected '\"<name>\", <vendor>, 0x<guid>, LID <number>', not {}", place_shown(line)));
    } else if (!draft_.devices.empty() && !line.empty()) {
      Cursor cursor(line);
      const bool header = cursor.eat('#');
      cursor.skip_blanks();
      if (header && cursor.peek() == ':') {
        read_header(line);
      } else if (!header) {
        read_row(line);
      }
    } else if (!line.empty() && !line.starts_with('#')) {
      lines_.fail(
          "a row comes before the first switch, expected '\"<name>\", <vendor>, 0x<guid>, LID <number>'");
    }
  }

  void begin_switch(const SwitchLine& line) {
    FabricDraft::Device device;
    device.guid = line.guid;
    device.name = line.name;
    device.lid = line.lid;
    device.kind = Kind::router;
    device.place = {0, lines_.number()};
    add_device(device);
    header_read_ = false;
  }
  std::uint32_t add_device(FabricDraft::Device device) {
    const auto index = static_cast<std::uint32_t>(draft_.devices.size());
    device.id = draft_.texts.emplace_back(fmt::format("0x{:016x}", device.guid));
    device_of_.try_emplace(device.guid, index);
    draft_.devices.push_back(device);
    return index;
  }

  void read_header(std::string_view line) {
    place_.fill(kNowhere);
    std::uint32_t count = 0;
    for (bool more = true; more; ++count) {
      const std::size_t colon = line.find(':');
      const std::string_view name = trimmed(line.substr(0, colon));
      for (std::size_t i = 0; i < kLinkColumns; ++i) {
        if (kColumnNames[i] == name) place_[i] = count;
      }
      more = colon != std::string_view::npos;
      if (more) line.remove_prefix(colon + 1);
    }
    for (std::size_t i = 0; i < kLinkColumns; ++i) {
      if (place_[i] == kNowhere)
        lines_.fail(fmt::format("expected a header row with the column '{}'", kColumnNames[i]));
    }
    // It may hold colons.
    if (place_[kDescriptionColumn] + 1 != count)
      lines_.fail("expected 'Neighbor Description' as the last column of the header row");
    header_read_ = true;
  }

  /// The values of a row; of a port that is down, those that it has.
  [[nodiscard]] std::array<std::string_view, kLinkColumns> split(std::string_view line) const {
    std::array<std::string_view, kLinkColumns> values;
    const std::uint32_t last = place_[kDescriptionColumn];
    for (std::uint32_t at = 0;; ++at) {
      const std::size_t colon = at == last ? std::string_view::npos : line.find(':');
      const auto found = std::find(place_.begin(), place_.end(), at);
      if (found != place_.end())
        values[static_cast<std::size_t>(found - place_.begin())] = trimmed(line.substr(0, colon));
      if (colon == std::string_view::npos) {
        full_row_ = at == last;
        return values;
      }
      line.remove_prefix(colon + 1);
    }
  }

  void read_row(std::string_view line) {
    if (!header_read_) lines_.fail("expected the header row '# : IB# : Sta : ...' of the switch above");
    const auto values = split(line);
    const auto port = whole_number(values[kPortColumn], kMostPort);
    if (!port || *port == 0 || values[kStateColumn].empty()) {
      lines_.fail(
          fmt::format("expected a row '<label> : <port> : <state> : ...', not {}", place_shown(line)));
    }
    const auto router = static_cast<std::uint32_t>(draft_.devices.size() - 1);
    FabricDraft::Device& device = draft_.devices[router];
    device.ports = std::max(device.ports, static_cast<std::uint16_t>(*port));
    labels_.push_back({router, values[kLabelColumn], static_cast<std::uint16_t>(*port), lines_.number()});
    if (values[kStateColumn].starts_with("DOWN") || values[kStateColumn].starts_with("DWN")) return;
    if (!full_row_)
      lines_.fail(fmt::format("a row ends early, expected {} columns", place_[kDescriptionColumn] + 1));
    if (values[kPeerGuidColumn].empty() || values[kPeerGuidColumn] == "N/A")
      return;  // nobody has answered there
    PortRow row;
    row.device = router;
    row.line = lines_.number();
    row.port = static_cast<std::uint16_t>(*port);
    row.rate = link_rate_of(values[kWidthColumn], values[kSpeedColumn]);
    row.peer_label = values[kPeerLabelColumn];
    row.description = values[kDescriptionColumn];
    if (row.description.size() > 1 && row.description.front() == '"' && row.description.back() == '"')
      row.description = row.description.substr(1, row.description.size() - 2);
    Cursor guid(values[kPeerGuidColumn]);
    const auto guid_read = guid.eat("0x") ? guid.hex() : std::nullopt;
    const auto lid_read = whole_number(values[kPeerLidColumn], kMostLidNumber);
    if (!guid_read || !guid.at_end()) {
      lines_.fail(fmt::format("expected a neighbour's GUID 0x<hexadecimal>, not '{}'",
                              shown(values[kPeerGuidColumn])));
    }
    if (!lid_read)
      lines_.fail(fmt::format("expected a neighbour's LID, not '{}'", shown(values[kPeerLidColumn])));
    row.peer_guid = *guid_read;
    row.peer_lid = static_cast<std::uint32_t>(*lid_read);
    rows_.push_back(row);
  }

  void join() {
    std::sort(labels_.begin(), labels_.end(), [](const Label& x, const Label& y) {
      return std::tie(x.device, x.text, x.line) < std::tie(y.device, y.text, y.line);
    });
    const auto twice = std::adjacent_find(labels_.begin(), labels_.end(), [](const Label& x, const Label& y) {
      return x.device == y.device && x.text == y.text;
    });
    if (twice != labels_.end()) {
      throw InputError(name_, (twice + 1)->line,
                       fmt::format("port {} of \"{}\" has two rows, the first on line {}", shown(twice->text),
                                   shown(draft_.devices[twice->device].name), twice->line));
    }
    const auto routers = static_cast<std::uint32_t>(draft_.devices.size());
    for (const PortRow& row : rows_) {
      const auto known = device_of_.find(row.peer_guid);
      if (known != device_of_.end() && known->second < routers) {
        add_end(row, known->second, port_of(known->second, row));
      } else {
        add_adapter(row, known == device_of_.end() ? FabricDraft::kNone : known->second);
      }
    }
    // A GUID that one port alone has is that port's as well.
    for (FabricDraft::End& end : draft_.ends) {
      const FabricDraft::Device& device = draft_.devices[end.device];
      if (device.kind == Kind::adapter && device.end_count == 1) end.port_guid = device.guid;
    }
    for (FabricDraft::Device& device : draft_.devices)
      device.end_count = 0;  // group_ends() counts for itself
  }

  /// The number of the neighbour's port by its label.
  [[nodiscard]] std::uint16_t port_of(std::uint32_t device, const PortRow& row) const {
    const auto found = std::lower_bound(labels_.begin(), labels_.end(), std::pair(device, row.peer_label),
                                        [](const Label& x, const auto& key) {
                                          return std::tie(x.device, x.text) < std::tie(key.first, key.second);
                                        });
    if (found != labels_.end() && found->device == device && found->text == row.peer_label)
      return found->port;
    throw InputError(name_, row.line,
                     fmt::format("\"{}\" has no row of a port '{}', where port {} of \"{}\" leads to",
                                 shown(draft_.devices[device].name), shown(row.peer_label), row.port,
                                 shown(draft_.devices[row.device].name)));
  }

  void add_end(const PortRow& row, std::uint32_t peer, std::uint16_t peer_port) {
    FabricDraft::End end;
    end.device = row.device;
    end.peer = peer;
    end.port = row.port;
    end.peer_port = peer_port;
    end.lid = draft_.devices[row.device].lid;
    end.peer_lid = row.peer_lid;
    end.rate = row.rate;
    end.place = {0, row.line};
    draft_.ends.push_back(end);
  }

  void add_adapter(const PortRow& row, std::uint32_t adapter) {
    if (adapter == FabricDraft::kNone) {
      FabricDraft::Device device;
      device.guid = row.peer_guid;
      device.name = row.description;
      device.kind = Kind::adapter;
      device.place = {0, row.line};
      adapter = add_device(device);
    }
    FabricDraft::Device& device = draft_.devices[adapter];
    const auto numbered = whole_number(row.peer_label, kMostPort);
    const auto port = static_cast<std::uint16_t>(numbered && *numbered > 0 ? *numbered : device.ports + 1U);
    device.ports = std::max(device.ports, port);
    ++device.end_count;
    add_end(row, adapter, port);
    FabricDraft::End back;
    back.device = adapter;
    back.peer = row.device;
    back.port = port;
    back.peer_port = row.port;
    back.lid = row.peer_lid;
    back.place = {0, row.line};
    draft_.ends.push_back(back);
  }

  static constexpr std::uint32_t kNowhere = 0xFFFFFFFFU;
  Lines lines_;
  const std::string& name_;
  FabricDraft draft_;
  std::unordered_map<std::uint64_t, std::uint32_t> device_of_;
  std::array<std::uint32_t, kLinkColumns> place_{};
  std::vector<PortRow> rows_;
  std::vector<Label> labels_;
  bool header_read_ = false;
  mutable bool full_row_ = false;  // the row split last has all columns
};

}  // namespace

Network read_net_dump(std::string_view text, const std::string& name) {
  return assemble(NetDumpReader(text, name).take(), Parts::one);
}

Network read_net_dump_parts(std::string_view text, const std::string& name) {
  return assemble(NetDumpReader(text, name).take(), Parts::any);
}

bool looks_like_net_dump(std::string_view head) {
  static const std::string kNoFile;
  Lines lines(head.substr(0, head.find('\0')), kNoFile);
  while (lines.next()) {
    if (switch_line(lines.line())) return true;
  }
  return false;
}

}  // namespace unknot
