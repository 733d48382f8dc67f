// SPDX-License-Identifier: Apache-2.0
// ibdiagnet2.plft, ibdiagnet2.slvl and ibdiagnet2.vl2vl.
#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "unknot/formats/ibdiagnet/adaptive_dumps.hpp"
#include "unknot/formats/tables/lane_formats.hpp"
#include "unknot/formats/text/guid_index.hpp"
#include "unknot/formats/text/line_scanner.hpp"
#include "unknot/formats/text/text_block.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kMostTables = 8;
constexpr const char* kPlftForm = "expected a row '<port> : <16 numbers of tables>'";

/// "Port : VL 0 1 ... 15" or "Port : SL 0 1 ... 15".
std::optional<PlaneMap::Key> plft_header(const char* p, const char* end) {
  if (!take_text(p, end, "Port")) return std::nullopt;
  skip_blanks(p, end);
  if (!take_text(p, end, ":")) return std::nullopt;
  skip_blanks(p, end);
  if (take_text(p, end, "VL")) return PlaneMap::Key::lane;
  if (take_text(p, end, "SL")) return PlaneMap::Key::level;
  return std::nullopt;
}

class PlftReader {
 public:
  PlftReader(const Network& network, std::string_view text, const std::string& name)
      : network_(network), guids_(network), scanner_(text, name), begun_(network.router_count(), false) {}

  PlaneMap read() {
    while (scanner_.advance()) {
      const char* p = scanner_.begin();
      const char* const end = scanner_.end();
      skip_blanks(p, end);
      if (p == end || *p == '#' || *p == '-' || take_text(p, end, "File version:")) continue;
      if (take_text(p, end, "Switch ")) {
        begin_switch(p);
      } else if (*p == 'P') {
        read_header(p);
      } else {
        read_row(p);
      }
    }
    if (!map_)
      scanner_.fail("no row of a port in this file, expected 'Switch 0x<guid>', a header row and rows");
    return *std::move(map_);
  }

 private:
  void begin_switch(const char* p) {
    skip_blanks(p, scanner_.end());
    std::uint64_t guid = 0;
    if (!take_hex(p, scanner_.end(), guid)) scanner_.fail("expected 'Switch 0x<guid>'");
    router_ = guids_.router(guid);
    if (!router_.valid()) scanner_.fail(fmt::format("switch 0x{:016x} is not in the fabric", guid));
    if (begun_[router_.value]) scanner_.fail(fmt::format("switch 0x{:016x} has rows above already", guid));
    begun_[router_.value] = true;
    given_.assign(network_.port_count(router_) + std::size_t{1}, false);
  }

  void read_header(const char* p) {
    const auto key = plft_header(p, scanner_.end());
    if (!key) scanner_.fail("expected a header row 'Port : VL 0 1 ...' or 'Port : SL 0 1 ...'");
    if (map_ && map_->key() != *key) {
      scanner_.fail(
          "tables are found by lane here and by service level above, expected one of them in all switches");
    }
    if (!map_) map_.emplace(network_, *key);
  }

  void read_row(const char* p) {
    const char* const end = scanner_.end();
    if (!router_.valid()) scanner_.fail("a row comes before the first 'Switch 0x<guid>' line");
    if (!map_) scanner_.fail("a row comes before a header row 'Port : VL 0 1 ...' or 'Port : SL 0 1 ...'");
    std::uint32_t port = 0;
    const bool port_read = take_decimal(p, end, port);
    skip_blanks(p, end);
    if (!port_read || !take_text(p, end, ":")) scanner_.fail(kPlftForm);
    PlaneMap::Row row{};
    for (std::uint8_t& plane : row) {
      skip_blanks(p, end);
      std::uint32_t value = 0;
      if (!take_decimal(p, end, value)) scanner_.fail(kPlftForm);
      if (value >= kMostTables) {
        scanner_.fail(
            fmt::format("table {} is beyond {}, the last that a switch may have", value, kMostTables - 1));
      }
      plane = static_cast<std::uint8_t>(value);
    }
    skip_blanks(p, end);
    if (p != end) scanner_.fail(kPlftForm);
    if (port >= given_.size()) {
      scanner_.fail(fmt::format("port {} is beyond the {} ports of {}", port, given_.size() - 1,
                                network_.router_name(router_)));
    }
    if (given_[port])
      scanner_.fail(fmt::format("port {} of {} has two rows", port, network_.router_name(router_)));
    given_[port] = true;
    map_->set(router_, static_cast<std::uint16_t>(port), row);
  }

  const Network& network_;
  GuidIndex guids_;
  LineScanner scanner_;
  std::optional<PlaneMap> map_;
  RouterId router_;
  std::vector<bool> begun_;  // by router
  std::vector<bool> given_;  // by port of the router at hand
};

/// Whether some line of `head` begins as `is` takes it, after blanks.
template <class Is>
bool some_line(std::string_view head, const Is& is) {
  LineScanner scanner(head, "");
  while (scanner.advance()) {
    const char* p = scanner.begin();
    skip_blanks(p, scanner.end());
    if (is(p, scanner.end())) return true;
  }
  return false;
}

/// "0x<guid> <in> <out> 0x.." or "<in> <out> : ...".
bool is_lane_row(const char* p, const char* end) {
  std::uint64_t guid = 0;
  std::uint32_t port = 0;
  const bool with_guid = take_hex(p, end, guid);
  for (int i = 0; i < 2; ++i) {
    skip_blanks(p, end);
    if (!take_decimal(p, end, port)) return false;
  }
  skip_blanks(p, end);
  return take_text(p, end, with_guid ? "0x" : ":");
}

bool is_called_steps(std::string_view head) {
  return some_line(head, [](const char* p, const char* end) {
    return p != end && *p == '#' &&
           std::string_view(p, static_cast<std::size_t>(end - p)).find("VL2VL") != std::string_view::npos;
  });
}

}  // namespace

bool recognises_plft(std::string_view head) {
  return some_line(head, [](const char* p, const char* end) { return plft_header(p, end).has_value(); });
}

bool recognises_vl2vl(std::string_view head) {
  return is_called_steps(head) && some_line(head, is_lane_row);
}

bool recognises_slvl(std::string_view head) {
  return !is_called_steps(head) && some_line(head, is_lane_row);
}

PlaneMap read_plft(const Network& network, std::string_view text, const std::string& name) {
  return PlftReader(network, text, name).read();
}

void write_plft(const Network& network, const PlaneMap& map, const std::string& path) {
  write_file(path, [&](const FileSink& sink) {
    sink("# Made by unknot: private tables by port, as ibdiagnet dumps them.\nFile version: 1\n");
    write_blocks(sink, network.router_count(), 1, [&](std::uint32_t begin, std::uint32_t, TextBlock& block) {
      const RouterId r(begin);
      char* p = put_guid(put_text(block.room(192), "\nSwitch "), network.router_guid(r));
      p = put_text(p, map.key() == PlaneMap::Key::lane ? "\nPort : VL" : "\nPort : SL");
      for (std::uint32_t key = 0; key < PlaneMap::kKeys; ++key) p = put_decimal(put_text(p, " "), key);
      block.end_at(put_text(p, "\n"));
      for (std::uint32_t port = 0; port <= network.port_count(r); ++port) {
        p = put_text(put_decimal(block.room(96), port), " :");
        for (const std::uint8_t plane : map.row(r, static_cast<std::uint16_t>(port)))
          p = put_decimal(put_text(p, " "), plane);
        block.end_at(put_text(p, "\n"));
      }
    });
  });
}

LaneMap read_vl2vl(const Network& network, std::string_view text, const std::string& name,
                   std::vector<bool>& at) {
  return parse_lane_steps(network, text, name, at);
}

void write_vl2vl(const Network& network, const LaneMap& map, const std::vector<bool>& at,
                 const std::string& path) {
  write_lane_rows(network, map, at, "# Made by unknot: VL2VL tables, as ibdiagnet dumps them.\n", path);
}

std::vector<std::string> write_adaptive_dumps(const Network& network, const AdaptiveRouting& routing,
                                              const std::string& path) {
  std::vector<std::string> written{path};
  write_far(network, routing, path);
  const auto beside = [&](const char* ending) {
    return written.emplace_back(std::filesystem::path(path).replace_extension(ending).string());
  };
  if (routing.plane_map) write_plft(network, *routing.plane_map, beside(".plft"));
  if (routing.lane_map) {
    write_lane_rows(network, *routing.lane_map, {},
                    "# Made by unknot: SL2VL tables, as ibdiagnet dumps them.\n", beside(".slvl"));
  }
  if (routing.lane_steps) write_vl2vl(network, *routing.lane_steps, routing.steps_at, beside(".vl2vl"));
  return written;
}

}  // namespace unknot
