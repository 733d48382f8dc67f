// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "unknot/formats/ibdiagnet/adaptive_dumps.hpp"
#include "unknot/formats/ibdiagnet/far_lines.hpp"
#include "unknot/formats/tables/lid_map.hpp"
#include "unknot/formats/tables/table_formats.hpp"
#include "unknot/formats/text/line_scanner.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot {
namespace {

constexpr std::string_view kSwitch = "Switch ";
constexpr std::string_view kGroups = "Groups Definition:";
constexpr std::string_view kTables = "LFT Definition:";
constexpr std::uint32_t kMostPlanes = 8;
constexpr std::uint32_t kMostGroups = 65536;

/// Where and why a section cannot be read; told once the sections before it are known to be well.
struct FarError {
  const char* where = nullptr;
  std::string message;
};

/// The planes that the file has, made when the first row of one comes.
class FarPlanes {
 public:
  explicit FarPlanes(const Network& network) : network_(network) {}
  AdaptivePlane& at(std::uint32_t plane) {
    std::call_once(once_[plane], [&] {
      planes_[plane] = std::make_unique<AdaptivePlane>(network_);
      // What the file does not say is not so: even a router's own terminals are reached by a row only.
      for (const TerminalId t : network_.terminals())
        planes_[plane]->set(network_.router_of(t), t, AdaptivePlane::kNone);
    });
    return *planes_[plane];
  }
  /// In their order, those that nobody has rows of between others empty. The object is spent.
  std::vector<AdaptivePlane> take() {
    std::uint32_t count = 1;
    for (std::uint32_t plane = 0; plane < kMostPlanes; ++plane) {
      if (planes_[plane]) count = plane + 1;
    }
    std::vector<AdaptivePlane> all;
    all.reserve(count);
    for (std::uint32_t plane = 0; plane < count; ++plane) all.push_back(std::move(at(plane)));
    return all;
  }

 private:
  const Network& network_;
  std::array<std::once_flag, kMostPlanes> once_;
  std::array<std::unique_ptr<AdaptivePlane>, kMostPlanes> planes_;
};

/// What is the same for all sections.
struct FarFabric {
  // By LID, beside terminals: rows that are passed over, and LIDs of nobody.
  static constexpr std::uint32_t kPassedOver = 0xFFFFFFFEU;
  static constexpr std::uint32_t kNobody = 0xFFFFFFFFU;

  FarFabric(const Network& all, const std::string& name) : network(all), guids(all) {
    const LidMap lids = lid_map_beside(all, name);
    terminal.assign(lids.highest() + std::size_t{1}, kNobody);
    for (std::uint32_t lid = 1; lid <= lids.highest(); ++lid) {
      const Device device = lids.at(lid);
      if (!device.known()) continue;
      terminal[lid] = device.is_terminal() && lids.of(device) == lid ? device.index() : kPassedOver;
    }
  }
  const Network& network;
  GuidIndex guids;
  std::vector<std::uint32_t> terminal;  ///< by LID
};

/// The lines of one switch.
class FarSection {
 public:
  FarSection(const FarFabric& fabric, FarPlanes& planes, std::string_view text, RouterId router)
      : fabric_(fabric), planes_(planes), text_(text), router_(router) {
    const Network& network = fabric.network;
    position_.assign(network.port_count(router) + std::size_t{1}, Choice::kStray);
    const IdRange<ChannelId> out = network.out(router);
    for (std::uint32_t i = 0; i < out.size(); ++i)
      position_[network.source_port(out[i])] = static_cast<std::uint16_t>(i);
  }

  /// Reads all of it; the mask of service levels that it tells, or 0. Throws FarError.
  std::uint16_t read() {
    LineScanner scanner(text_, "");
    scanner.advance();  // the line of the switch
    std::uint16_t mask = far_level_mask(scanner.line()).value_or(0);
    Part part = Part::head;
    while (scanner.advance()) {
      const char* const p = scanner.begin();
      const char* const end = scanner.end();
      if (part == Part::tables && end - p > 2 && p[0] == '0' && p[1] == 'x') {
        read_lid(p, end);
        continue;
      }
      const std::string_view line = scanner.line();
      const std::size_t begin = line.find_first_not_of(" \t");
      if (begin == std::string_view::npos || line[begin] == '#' || line[begin] == '-') continue;
      const std::string_view words = line.substr(begin);
      if (words.starts_with(kGroups)) {
        part = Part::groups;
      } else if (words.starts_with(kTables)) {
        part = Part::tables;
        begin_plane(0);
      } else if (words.starts_with("PLFT_NUM")) {
        const auto plane = far_plane(words);
        if (!plane || *plane >= kMostPlanes || part != Part::tables) {
          fail(p, fmt::format("expected 'PLFT_NUM: <0 to {}>, top: 0x<lid>' in the tables of a switch",
                              kMostPlanes - 1));
        }
        begin_plane(*plane);
      } else if (part == Part::groups) {
        if (!words.starts_with("Group")) read_group(p, words);
      } else if (part == Part::tables) {
        if (!words.starts_with("LID")) read_lid(p, end);
      } else {
        mask = static_cast<std::uint16_t>(mask | far_level_mask(words).value_or(0));
      }
    }
    if (part != Part::tables) {
      fail(text_.data(),
           fmt::format("{} has no '{}' in this file", fabric_.network.router_name(router_), kTables));
    }
    return mask;
  }

 private:
  enum class Part : std::uint8_t { head, groups, tables };

  [[noreturn]] static void fail(const char* where, std::string message) {
    throw FarError{where, std::move(message)};
  }
  void require_port_of_switch(const char* where, std::uint32_t port) const {
    if (port < position_.size()) return;
    fail(where, fmt::format("port {} is beyond the {} ports of {}", port, position_.size() - 1,
                            fabric_.network.router_name(router_)));
  }

  void read_group(const char* where, std::string_view line) {
    if (!parse_far_group(line, group_row_) || group_row_.group >= kMostGroups)
      fail(where, "expected a row '<group> <sub-group> <weight> <port>,<port>,...'");
    const FarGroupRow& row = group_row_;
    if (row.group >= groups_.size()) groups_.resize(row.group + std::size_t{1});
    Group& group = groups_[row.group];
    if (std::find(group.sub_groups.begin(), group.sub_groups.end(), row.sub_group) != group.sub_groups.end())
      fail(where, fmt::format("sub-group {} of group {} has two rows", row.sub_group, row.group));
    group.sub_groups.push_back(row.sub_group);
    for (const std::uint16_t port : row.ports) {
      require_port_of_switch(where, port);
      if (position_[port] != Choice::kStray) group.positions.push_back(position_[port]);
    }
  }

  /// Rows that follow are of this table, unless another is named before them.
  void begin_plane(std::uint32_t plane) {
    number_ = plane;
    plane_ = nullptr;
    first_row_ = true;
    entries_.fill({});
    for (Group& group : groups_) group.index = kNoGroup;
    has_row_.assign(fabric_.terminal.size(), 0);
  }

  void read_lid(const char* p, const char* end) {
    FarLidRow row;
    if (!parse_far_lid(p, end, row))
      fail(p, "expected a row '0x<lid> <static port> Static|Free|HBF <group>'");
    if (first_row_) {
      if ((seen_planes_ >> number_ & 1U) != 0)
        fail(p, fmt::format("table {} of {} comes twice", number_, fabric_.network.router_name(router_)));
      seen_planes_ |= std::uint32_t{1} << number_;
      first_row_ = false;
    }
    const bool routed = row.port != FarLidRow::kNoPort || row.kind != ChoiceKind::fixed;
    const std::uint32_t terminal =
        row.lid < fabric_.terminal.size() ? fabric_.terminal[row.lid] : FarFabric::kNobody;
    if (terminal == FarFabric::kNobody) {
      // Tables have an entry for every LID up to the highest, given out or not.
      if (row.port == FarLidRow::kNoPort) return;
      fail(p, fmt::format("LID {} belongs to no device of the fabric{}", row.lid, kOfAnotherFabric));
    }
    if (has_row_[row.lid]) fail(p, fmt::format("LID {} has two rows in one switch's table", row.lid));
    has_row_[row.lid] = 1;
    if (row.port != FarLidRow::kNoPort) require_port_of_switch(p, row.port);
    if (terminal == FarFabric::kPassedOver || !routed) return;
    if (plane_ == nullptr) plane_ = &planes_.at(number_);
    plane_->row(router_)[terminal] = entry(p, row, TerminalId(terminal));
  }

  std::uint16_t entry(const char* where, const FarLidRow& row, TerminalId t) {
    const Network& network = fabric_.network;
    const bool own = network.router_of(t) == router_ && row.port == network.terminal_port(t);
    std::uint32_t group = 0;
    if (row.kind != ChoiceKind::fixed) {
      if (row.group >= groups_.size() || groups_[row.group].sub_groups.empty()) {
        fail(where,
             fmt::format("group {} is not among the groups of {}", row.group, network.router_name(router_)));
      }
      Group& told = groups_[row.group];
      if (own && told.positions.empty()) return AdaptivePlane::kHere;
      if (told.index == kNoGroup) told.index = plane_->add_group(router_, told.positions);
      group = told.index;
    } else if (own) {
      return AdaptivePlane::kHere;
    }
    const std::uint16_t fixed = row.port == FarLidRow::kNoPort ? Choice::kNone : position_[row.port];
    // Few choices make many rows: they are found again by a part of their bits.
    const std::uint64_t key =
        std::uint64_t{group} << 32 | std::uint64_t{fixed} << 8 | (static_cast<std::uint64_t>(row.kind) + 1);
    Known& known = entries_[(key * 0x9E3779B97F4A7C15U) >> 54];
    if (known.key != key) known = {key, plane_->add_choice(router_, {row.kind, fixed, group})};
    return known.entry;
  }

  static constexpr std::uint32_t kNoGroup = 0xFFFFFFFFU;
  struct Group {
    std::vector<std::uint16_t> positions;
    std::vector<std::uint32_t> sub_groups;  // none: the group is not told
    std::uint32_t index = kNoGroup;         // in the plane at hand
  };
  struct Known {
    std::uint64_t key = 0;
    std::uint16_t entry = 0;
  };
  const FarFabric& fabric_;
  FarPlanes& planes_;
  std::string_view text_;
  RouterId router_;
  std::vector<std::uint16_t> position_;  // by port
  std::vector<std::uint8_t> has_row_;    // by LID: in the table at hand
  std::vector<Group> groups_;            // by number
  FarGroupRow group_row_;
  std::array<Known, 1024> entries_{};
  AdaptivePlane* plane_ = nullptr;  // null until it has a row
  std::uint32_t number_ = 0;        // of the table at hand
  std::uint32_t seen_planes_ = 0;   // bit for each
  bool first_row_ = true;           // of the table at hand is still to come
};

class FarReader {
 public:
  FarReader(const Network& network, std::string_view text, const std::string& name)
      : fabric_(network, name), planes_(network), text_(text), name_(name) {}

  void read(AdaptiveRouting& routing) {
    find_sections();
    std::vector<FarError> errors(sections_.size());
    std::atomic<std::uint32_t> mask{0};
    parallel_blocks(static_cast<std::uint32_t>(sections_.size()), 1, 0,
                    [&](std::uint32_t, std::uint32_t begin, std::uint32_t end) {
                      for (std::uint32_t i = begin; i < end; ++i) {
                        try {
                          mask |= FarSection(fabric_, planes_, sections_[i].text, sections_[i].router).read();
                        } catch (const FarError& error) {
                          errors[i] = error;
                        }
                      }
                    });
    for (const FarError& error : errors) {
      if (error.where != nullptr) LineScanner(text_, name_).fail_at(error.where, error.message);
    }
    routing.source = name_;
    routing.planes = planes_.take();
    if (mask != 0) routing.adaptive_levels = static_cast<std::uint16_t>(mask);
  }

 private:
  struct Section {
    std::string_view text;
    RouterId router;
  };

  void find_sections() {
    LineScanner scanner(text_, name_);
    std::vector<bool> begun(fabric_.network.router_count(), false);
    const auto end_before = [&](const char* where) {
      if (sections_.empty()) return;
      std::string_view& last = sections_.back().text;
      last = {last.data(), static_cast<std::size_t>(where - last.data())};
    };
    for (const char* line = next_switch(text_.data(), true); line != nullptr;
         line = next_switch(line + 1, false)) {
      const char* p = line + kSwitch.size();
      const char* const end = text_.data() + text_.size();
      skip_blanks(p, end);
      std::uint64_t guid = 0;
      if (!take_hex(p, end, guid)) scanner.fail_at(line, "expected 'Switch 0x<guid>'");
      const RouterId router = fabric_.guids.router(guid);
      if (!router.valid()) scanner.fail_at(line, fmt::format("switch 0x{:016x} is not in the fabric", guid));
      if (begun[router.value])
        scanner.fail_at(line, fmt::format("switch 0x{:016x} has tables above already", guid));
      begun[router.value] = true;
      end_before(line);
      sections_.push_back({std::string_view(line, static_cast<std::size_t>(end - line)), router});
    }
    if (sections_.empty()) throw InputError(fmt::format("{}: no 'Switch 0x<guid>' line", name_));
    check_head();
  }

  /// The next line that starts a switch, at `from` too where that is the `first` of the text; null when none
  /// follows.
  [[nodiscard]] const char* next_switch(const char* from, bool first) const {
    const std::string_view rest(from, static_cast<std::size_t>(text_.data() + text_.size() - from));
    if (first && rest.starts_with(kSwitch)) return from;
    const std::size_t found = rest.find("\nSwitch ");
    return found == std::string_view::npos ? nullptr : from + found + 1;
  }

  /// Comments and the version of the file come before the first switch.
  void check_head() const {
    const char* const first = sections_.front().text.data();
    LineScanner scanner({text_.data(), static_cast<std::size_t>(first - text_.data())}, name_);
    while (scanner.advance()) {
      const char* p = scanner.begin();
      skip_blanks(p, scanner.end());
      if (p == scanner.end() || *p == '#' || take_text(p, scanner.end(), "File version:")) continue;
      scanner.fail("expected 'File version: <number>' or 'Switch 0x<guid>'");
    }
  }

  FarFabric fabric_;
  FarPlanes planes_;
  std::string_view text_;
  const std::string& name_;
  std::vector<Section> sections_;
};

}  // namespace

bool recognises_far(std::string_view head) {
  LineScanner scanner(head, "");
  while (scanner.advance()) {
    const char* p = scanner.begin();
    skip_blanks(p, scanner.end());
    if (take_text(p, scanner.end(), kGroups) || take_text(p, scanner.end(), kTables)) return true;
  }
  return false;
}

void read_far(const Network& network, std::string_view text, const std::string& name,
              AdaptiveRouting& routing) {
  FarReader(network, text, name).read(routing);
}

}  // namespace unknot
