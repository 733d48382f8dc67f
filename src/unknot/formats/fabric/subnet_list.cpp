// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/fabric/subnet_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "unknot/formats/draft/fabric_draft.hpp"
#include "unknot/formats/text/link_speed.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

using Kind = FabricDraft::Kind;
constexpr std::uint64_t kMaxPort = 65535;
constexpr std::uint64_t kMaxLid = 0xFFFFFFFFU;

/// One end of a link as a line tells it.
struct Side {
  FabricDraft::Device device;
  std::uint64_t port_guid = 0;
  std::uint16_t port = 0;
};

class Reader {
 public:
  Reader(std::string_view text, const std::string& name) : lines_(text, name) {
    draft_.files.push_back(name);
    while (lines_.next()) read_line();
    if (draft_.devices.empty()) throw InputError(fmt::format("{}: no link in this file", name));
    leave_out_links_that_are_down();
    decide_whether_one_end_is_enough();
    group_ends(draft_);
  }
  FabricDraft take() { return std::move(draft_); }

 private:
  void read_line() {
    Cursor cursor(lines_.line());
    cursor.skip_blanks();
    if (cursor.at_end() || cursor.peek() == '#') return;
    const Side a = read_side(cursor);
    const Side b = read_side(cursor);
    LinkRate rate = 0;
    std::string_view width;
    bool down = false;
    for (cursor.skip_blanks(); !cursor.at_end(); cursor.skip_blanks()) {
      const std::string_view word = cursor.word();
      if (word.starts_with("PHY=")) width = word.substr(4);
      if (word.starts_with("LOG=")) down = word.substr(4) == "DWN";
      if (word.starts_with("SPD=")) {
        rate = link_rate_of(width, word.substr(4));
      }
    }
    FabricDraft::End end;
    end.device = device_index(a);
    end.peer = device_index(b);
    end.port = a.port;
    end.peer_port = b.port;
    end.port_guid = a.port_guid;
    end.peer_port_guid = b.port_guid;
    end.lid = a.device.lid;
    end.peer_lid = b.device.lid;
    end.rate = rate;
    end.place = a.device.place;
    draft_.ends.push_back(end);
    if (down) {
      down_.insert(key(end.device, end.port));
      down_.insert(key(end.peer, end.peer_port));
    }
  }

  /// { CA Ports:01 SystemGUID:.. NodeGUID:.. PortGUID:.. VenID:.. DevID:.. Rev:.. {name} LID:0001 PN:01 }
  Side read_side(Cursor& cursor) {
    Side side;
    side.device.place = {0, lines_.number()};
    cursor.skip_blanks();
    if (!cursor.eat('{')) fail("'{'", cursor);
    cursor.skip_blanks();
    side.device.kind = read_kind(cursor);
    side.device.ports = static_cast<std::uint16_t>(hex_field(cursor, "Ports:", kMaxPort));
    hex_field(cursor, "SystemGUID:");
    side.device.guid = hex_field(cursor, "NodeGUID:");
    side.port_guid = hex_field(cursor, "PortGUID:");
    for (const char* field : {"VenID:", "DevID:", "Rev:"}) hex_field(cursor, field);
    cursor.skip_blanks();
    if (!cursor.eat('{')) fail("'{' and a name", cursor);
    side.device.name = read_name(cursor);
    side.device.lid = static_cast<std::uint32_t>(hex_field(cursor, "LID:", kMaxLid));
    side.port = static_cast<std::uint16_t>(hex_field(cursor, "PN:", kMaxPort));
    cursor.skip_blanks();
    if (!cursor.eat('}')) fail("'}'", cursor);
    if (side.port == 0 || side.port > side.device.ports) {
      lines_.fail(fmt::format("port {} of \"{}\" does not exist: it has {} port{}", side.port,
                              shown(side.device.name), side.device.ports, side.device.ports == 1 ? "" : "s"));
    }
    return side;
  }

  /// A name may hold anything, braces too: it ends where the rest of the record follows.
  std::string_view read_name(Cursor& cursor) const {
    constexpr std::string_view kAfterName = "} LID:";
    const std::string_view rest = cursor.rest();
    std::size_t length = rest.find(kAfterName);
    for (; length != std::string_view::npos; length = rest.find(kAfterName, length + 1)) {
      Cursor after(rest.substr(length + kAfterName.size()));
      if (after.hex() && after.eat(" PN:")) break;
    }
    if (length == std::string_view::npos) fail("a name, '}', LID: and PN:", cursor);
    const std::string_view name = rest.substr(0, length);
    cursor.eat(name);
    cursor.eat('}');
    return name;
  }

  Kind read_kind(Cursor& cursor) const {
    const std::string_view before = cursor.rest();
    const std::string_view word = cursor.word();
    // The subnet manager's own port has a suffix: CA-SM.
    const std::string_view kind = word.substr(0, word.find('-'));
    if (kind == "SW") return Kind::router;
    if (kind == "CA") return Kind::adapter;
    if (kind == "RT" || kind == "Rt" || kind == "RTR") return Kind::gateway;
    fail("SW, CA or RT", Cursor(before));
  }

  std::uint64_t hex_field(Cursor& cursor, std::string_view name,
                          std::uint64_t max = ~std::uint64_t{0}) const {
    cursor.skip_blanks();
    if (!cursor.eat(name)) fail(name, cursor);
    const auto value = cursor.hex();
    if (!value || *value > max) fail("a hexadecimal number in range", cursor);
    return *value;
  }

  [[noreturn]] void fail(std::string_view expected, const Cursor& cursor) const {
    lines_.fail(fmt::format("expected {} at {}", expected, place_shown(cursor.rest())));
  }

  std::uint32_t device_index(const Side& side) {
    const auto [found, is_new] =
        index_.try_emplace(side.device.guid, static_cast<std::uint32_t>(draft_.devices.size()));
    if (is_new) {
      draft_.devices.push_back(side.device);
      FabricDraft::Device& device = draft_.devices.back();
      device.id = draft_.texts.emplace_back(fmt::format("0x{:016x}", device.guid));
      return found->second;
    }
    const FabricDraft::Device& known = draft_.devices[found->second];
    if (known.kind != side.device.kind || known.ports != side.device.ports ||
        known.name != side.device.name) {
      lines_.fail(fmt::format("the device with node GUID 0x{:016x} is described differently on line {}",
                              side.device.guid, known.place.line));
    }
    return found->second;
  }

  static std::uint64_t key(std::uint32_t device, std::uint16_t port) {
    return std::uint64_t{device} << 16 | port;
  }

  /// One of the two directions may have been written before the link went down.
  void leave_out_links_that_are_down() {
    if (down_.empty()) return;
    std::erase_if(draft_.ends,
                  [&](const FabricDraft::End& end) { return down_.contains(key(end.device, end.port)); });
  }

  // OpenSM states every link from both sides, ibdiagnet every one once: a file that does both has lost lines.
  void decide_whether_one_end_is_enough() {
    const auto& ends = draft_.ends;
    std::unordered_set<std::uint64_t> stated;
    stated.reserve(ends.size());
    for (const FabricDraft::End& end : ends) stated.insert(key(end.device, end.port));
    draft_.one_end_is_enough = std::none_of(ends.begin(), ends.end(), [&](const FabricDraft::End& end) {
      return stated.contains(key(end.peer, end.peer_port));
    });
  }

  Lines lines_;
  FabricDraft draft_;
  std::unordered_map<std::uint64_t, std::uint32_t> index_;
  std::unordered_set<std::uint64_t> down_;  ///< key() of both ports of each link that is down
};

}  // namespace

Network read_subnet_list(std::string_view text, const std::string& name) {
  return assemble(Reader(text, name).take(), Parts::one);
}

Network read_subnet_list_parts(std::string_view text, const std::string& name) {
  return assemble(Reader(text, name).take(), Parts::any);
}

bool looks_like_subnet_list(std::string_view head) {
  static const std::string kNoFile;
  Lines lines(head.substr(0, head.find('\0')), kNoFile);
  while (lines.next()) {
    Cursor cursor(lines.line());
    cursor.skip_blanks();
    if (cursor.at_end() || cursor.peek() == '#') continue;
    if (!cursor.eat('{')) return false;
    const std::string_view rest = cursor.rest();
    return rest.find(" Ports:") != std::string_view::npos && rest.find("GUID:") != std::string_view::npos;
  }
  return false;
}

}  // namespace unknot
