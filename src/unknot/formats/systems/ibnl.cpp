// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/systems/ibnl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

constexpr std::uint64_t kMaxPort = 65535;

/// "LEAF, LEAF:4x,LEAF:4X" as three names.
std::vector<std::string_view> split_names(std::string_view rest) {
  std::vector<std::string_view> names;
  constexpr std::string_view kBetween = ", \t";
  for (std::size_t begin = rest.find_first_not_of(kBetween); begin != std::string_view::npos;) {
    const std::size_t end = std::min(rest.find_first_of(kBetween, begin), rest.size());
    names.push_back(rest.substr(begin, end - begin));
    begin = rest.find_first_not_of(kBetween, end);
  }
  return names;
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& name) : lines_(text, name) {
    result_.file = name;
    while (lines_.next()) read_line();
    if (!has_top_) throw InputError(fmt::format("{}: no TOPSYSTEM in this file", name));
    finish_system();
  }
  IbnlFile take() { return std::move(result_); }

 private:
  [[noreturn]] void fail(const std::string& message) const { lines_.fail(message); }

  void read_line() {
    Cursor cursor(lines_.line());
    cursor.skip_blanks();
    if (cursor.at_end() || cursor.peek() == '#') return;
    const std::string_view first = cursor.word();
    cursor.skip_blanks();
    if (first == "SYSTEM" || first == "TOPSYSTEM") {
      begin_system(cursor.rest(), first == "TOPSYSTEM");
    } else if (system_ == nullptr) {
      fail(fmt::format("expected SYSTEM or TOPSYSTEM, not '{}'", shown(first)));
    } else if (first == "NODE") {
      read_device(cursor);
    } else if (first == "SUBSYSTEM") {
      read_board(cursor);
    } else if (first == "CFG:") {
      fail(
          "configurations of boards inside of an IBNL file are not supported: state them in the topology "
          "file");
    } else if (has_top_ && system_->parts.empty() && lines_.line().find('=') != std::string_view::npos) {
      return;  // attributes of devices: they say nothing of the cables
    } else {
      read_link(first, cursor);
    }
  }

  void begin_system(std::string_view rest, bool top) {
    if (has_top_) fail("expected nothing after the TOPSYSTEM but its own parts");
    if (system_ != nullptr) finish_system();
    has_top_ = top;
    if (!top) result_.boards.emplace_back();
    system_ = top ? &result_.top : &result_.boards.back();
    links_.clear();
    system_->line = lines_.number();
    system_->names = split_names(rest);
    if (system_->names.empty()) fail("expected a name");
    if (top) return;
    for (const std::string_view name : system_->names) {
      const auto index = static_cast<std::uint32_t>(result_.boards.size() - 1);
      if (!result_.board_of.try_emplace(name, index).second) {
        fail(fmt::format("the system \"{}\" is described twice, first on line {}", shown(name),
                         result_.boards[result_.board_of.at(name)].line));
      }
    }
  }

  void add_part(const IbnlPart& part) {
    const auto index = static_cast<std::uint32_t>(system_->parts.size());
    const auto [found, is_new] = system_->part_of.try_emplace(part.name, index);
    if (!is_new) {
      fail(fmt::format("\"{}\" is in this system twice, first on line {}", shown(part.name),
                       system_->parts[found->second].line));
    }
    system_->parts.push_back(part);
    used_ports_.clear();
  }

  static std::string_view next_word(Cursor& cursor) {
    cursor.skip_blanks();
    return cursor.word();
  }

  /// NODE SW 24 MT47396 U1
  void read_device(Cursor cursor) {
    IbnlPart part;
    part.line = lines_.number();
    const std::string_view kind = next_word(cursor);
    if (kind != "SW" && kind != "CA" && kind != "HCA")
      fail(fmt::format("expected SW or CA, not '{}'", shown(kind)));
    part.is_switch = kind == "SW";
    const std::string_view number = next_word(cursor);
    Cursor digits(number);
    const auto ports = digits.decimal(kMaxPort);
    if (!ports || *ports == 0 || !digits.at_end()) {
      fail(fmt::format("expected a number of ports from 1 to {}, not '{}'", kMaxPort, shown(number)));
    }
    part.ports = static_cast<std::uint16_t>(*ports);
    const std::string_view model = next_word(cursor);
    part.name = next_word(cursor);
    if (model.empty() || part.name.empty() || !next_word(cursor).empty()) {
      fail("expected NODE, SW or CA, a number of ports, a model and a name");
    }
    add_part(part);
  }

  /// SUBSYSTEM LEAF leaf1
  void read_board(Cursor cursor) {
    IbnlPart part;
    part.line = lines_.number();
    part.board = next_word(cursor);
    part.name = next_word(cursor);
    if (part.name.empty() || !next_word(cursor).empty()) fail("expected SUBSYSTEM, a SYSTEM and a name");
    add_part(part);
  }

  /// "1 -4x-> P1" leads out, "1 -> U3 8" to another part.
  void read_link(std::string_view port, Cursor cursor) {
    if (system_->parts.empty())
      fail(fmt::format("expected NODE or SUBSYSTEM before the port '{}'", shown(port)));
    const std::string_view word = next_word(cursor);
    const auto arrow = link_arrow(word);
    const std::string_view to = next_word(cursor);
    const std::string_view peer_port = next_word(cursor);
    if (!arrow || to.empty() || !next_word(cursor).empty()) {
      fail(
          "expected a port, an arrow such as '->' or '-4x-5G->', and a port of the system, or a part and its "
          "port");
    }
    IbnlLink link;
    link.part = static_cast<std::uint32_t>(system_->parts.size() - 1);
    link.port = port;
    link.arrow = *arrow;
    link.line = lines_.number();
    const IbnlPart& part = system_->parts.back();
    check_port(part, port, link.line);
    const auto [used, unused] = used_ports_.try_emplace(port, link.line);
    if (!unused) {
      fail(fmt::format("port {} of \"{}\" is used twice, first on line {}", shown(port), shown(part.name),
                       used->second));
    }
    if (peer_port.empty()) {
      link.peer_port = to;
      const auto index = static_cast<std::uint32_t>(system_->ports.size());
      const auto [found, is_new] = system_->port_of.try_emplace(to, index);
      if (!is_new) {
        fail(fmt::format("the system has a port '{}' already, on line {}", shown(to),
                         system_->ports[found->second].line));
      }
      system_->ports.push_back(link);
    } else {
      link.peer_port = peer_port;
      links_.emplace_back(link, to);
    }
  }

  /// A device's ports are numbers, a board's are whatever its SYSTEM calls them.
  void check_port(const IbnlPart& part, std::string_view port, std::uint32_t line) const {
    if (!part.board.empty()) return;
    Cursor digits(port);
    const auto number = digits.decimal(kMaxPort);
    if (number && digits.at_end() && *number >= 1 && *number <= part.ports) return;
    throw InputError(result_.file, line,
                     fmt::format("expected a port from 1 to {} of \"{}\", not '{}'", part.ports,
                                 shown(part.name), shown(port)));
  }

  /// Parts may be described after the links that lead to them.
  void finish_system() {
    for (auto& [link, to] : links_) {
      const auto peer = system_->part_of.find(to);
      if (peer == system_->part_of.end()) {
        throw InputError(result_.file, link.line, fmt::format("this system has no part \"{}\"", shown(to)));
      }
      link.peer = peer->second;
      check_port(system_->parts[link.peer], link.peer_port, link.line);
      system_->links.push_back(link);
    }
    links_.clear();
  }

  Lines lines_;
  IbnlFile result_;
  IbnlSystem* system_ = nullptr;
  /// Links among parts of the system, with the name of the part that each leads to.
  std::vector<std::pair<IbnlLink, std::string_view>> links_;
  std::unordered_map<std::string_view, std::uint32_t> used_ports_;  ///< of the last part, with their lines
  bool has_top_ = false;
};

}  // namespace

IbnlFile read_ibnl(std::string_view text, const std::string& name) {
  return Reader(text, name).take();
}

std::vector<std::string_view> ibnl_system_names(std::string_view text) {
  constexpr std::string_view kKeyword = "TOPSYSTEM";
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    Cursor cursor(line);
    cursor.skip_blanks();
    if (cursor.word() == kKeyword) return split_names(cursor.rest());
  }
  return {};
}

}  // namespace unknot
