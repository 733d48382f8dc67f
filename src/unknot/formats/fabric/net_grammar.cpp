// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/fabric/net_grammar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <utility>

#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

using Kind = FabricDraft::Kind;

constexpr std::uint64_t kMaxPort = 65535;
constexpr std::uint64_t kMaxLid = 0xFFFFFFFFU;
constexpr std::uint64_t kMaxLmc = 7;
constexpr int kMaxIncludeDepth = 16;
constexpr std::size_t kMaxIncludes = 256;

std::optional<Kind> kind_of(std::string_view keyword) {
  if (keyword == "Switch") return Kind::router;
  if (keyword == "Ca" || keyword == "Hca") return Kind::adapter;
  if (keyword == "Rt") return Kind::gateway;
  return std::nullopt;
}

const char* keyword_of(Kind kind) {
  return kind == Kind::router ? "switch" : kind == Kind::adapter ? "ca" : "rt";
}

char letter_of(Kind kind) {
  return kind == Kind::router ? 'S' : kind == Kind::adapter ? 'H' : 'R';
}

/// GUID in an id such as S-0002c90000000001, or nothing.
std::optional<std::uint64_t> guid_in_id(std::string_view id, Kind kind) {
  if (id.size() != 18 || id[0] != letter_of(kind) || id[1] != '-') return std::nullopt;
  Cursor cursor(id.substr(2));
  const auto guid = cursor.hex();
  return cursor.at_end() ? guid : std::nullopt;
}

/// Splits the text after a '#' at the description, which runs from the first quote to the last: descriptions
/// may hold quotes.
struct Comment {
  std::string_view before, description, after;
  bool quoted = false;
  bool open = false;  // a quote without a partner

  explicit Comment(std::string_view text) : before(text) {
    const std::size_t first = text.find('"');
    if (first == std::string_view::npos) return;
    const std::size_t last = text.rfind('"');
    open = last == first;
    if (open) return;
    quoted = true;
    before = text.substr(0, first);
    description = text.substr(first + 1, last - first - 1);
    after = text.substr(last + 1);
  }
};

/// What the words of a comment tell: LIDs in their order, and the rate.
struct Tail {
  std::array<std::uint32_t, 2> lids{};
  std::uint32_t lid_count = 0;
  LinkRate rate = 0;
  std::uint8_t lmc = 0;  ///< of the first LID
};

class NetReader {
 public:
  NetReader(FabricDraft& draft, NetDialect dialect)
      : draft_(draft), strict_(dialect == NetDialect::ibnetdiscover) {}

  void read(std::string_view text, const std::string& name) {
    if (depth_ == kMaxIncludeDepth || draft_.files.size() == kMaxIncludes) {
      throw InputError(fmt::format("{}: included too deep or too often", name));
    }
    ++depth_;
    const auto file = static_cast<std::uint32_t>(draft_.files.size());
    draft_.files.push_back(name);
    Lines lines(text, name);
    Lines* const outer = std::exchange(lines_, &lines);
    const std::uint32_t outer_file = std::exchange(file_, file);
    in_record_ = false;
    while (lines.next()) read_line();
    in_record_ = false;
    lines_ = outer;
    file_ = outer_file;
    --depth_;
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { lines_->fail(message); }
  [[nodiscard]] FabricDraft::Place here() const { return {file_, lines_->number()}; }

  void read_line() {
    Cursor cursor(lines_->line());
    cursor.skip_blanks();
    switch (cursor.peek()) {
      case '\0':
        in_record_ = false;
        return;
      case '#':
        return;
      case '[':
        read_port(cursor);
        return;
      case '@':
        fail("port aliases ('@') are not supported: name the device and its port");
      default:
        break;
    }
    const std::string_view line = cursor.rest();
    const std::string_view keyword = line.substr(0, line.find_first_of(" \t=+"));
    if (const auto kind = kind_of(keyword)) {
      cursor.eat(keyword);
      read_header(cursor, *kind);
      return;
    }
    in_record_ = false;
    read_directive(cursor, keyword);
  }

  void read_header(Cursor cursor, Kind kind) {
    FabricDraft::Device device;
    device.kind = kind;
    device.place = here();
    cursor.skip_blanks();
    const auto ports = cursor.decimal(kMaxPort);
    if (!ports || *ports == 0) {
      fail(
          fmt::format("expected a number of ports from 1 to {} at {}", kMaxPort, place_shown(cursor.rest())));
    }
    device.ports = static_cast<std::uint16_t>(*ports);
    device.id = full_id(read_id(cursor));
    device.name = device.id;
    device.guid = next_guid(device);
    cursor.skip_blanks();
    if (cursor.eat('#')) {
      read_header_comment(cursor.rest(), device);
    } else if (!cursor.at_end()) {
      fail(fmt::format("expected a comment ('#') or the end of the line at {}", place_shown(cursor.rest())));
    }
    device.first_end = static_cast<std::uint32_t>(draft_.ends.size());
    draft_.devices.push_back(device);
    in_record_ = true;
  }

  std::string_view read_id(Cursor& cursor) const {
    cursor.skip_blanks();
    if (!cursor.eat('"')) fail(fmt::format("expected a quoted device id at {}", place_shown(cursor.rest())));
    const auto id = cursor.until('"');
    if (!id) fail(fmt::format("the quote of '{}' is not closed", shown(cursor.rest())));
    if (id->empty()) fail("a device id is empty");
    if (id->find('@') != std::string_view::npos && !strict_) {
      fail(fmt::format("port aliases ('@') are not supported: '{}'", shown(*id)));
    }
    return *id;
  }

  /// The id with the prefix of the `module` it stands in.
  std::string_view full_id(std::string_view id) {
    if (prefix_.empty() || id.find('#') != std::string_view::npos) return id;
    return draft_.texts.emplace_back(fmt::format("{}#{}", prefix_, id));
  }

  /// ibnetdiscover: the id holds the GUID, and the line before must agree. ibsim: devices of a kind count up
  /// from the last directive; an adapter takes one GUID for itself and one for each port.
  std::uint64_t next_guid(const FabricDraft::Device& device) {
    const auto kind = static_cast<std::size_t>(device.kind);
    if (!strict_) {
      const std::uint64_t guid = guid_[kind];
      guid_[kind] += device.kind == Kind::router ? 1U : device.ports + 1U;
      return guid;
    }
    const auto guid = guid_in_id(device.id, device.kind);
    if (!guid) {
      fail(fmt::format("expected an id such as \"{}-0123456789abcdef\", not \"{}\"", letter_of(device.kind),
                       shown(device.id)));
    }
    if (stated_guid_ && (*stated_guid_ != *guid || stated_kind_ != device.kind)) {
      fail(fmt::format("the line before says {}guid=0x{:x}, but the id is \"{}\"", keyword_of(stated_kind_),
                       *stated_guid_, shown(device.id)));
    }
    stated_guid_.reset();
    return *guid;
  }

  void read_header_comment(std::string_view text, FabricDraft::Device& device) const {
    const Comment comment(text);
    if (comment.open && strict_) fail("the quote of the description is not closed");
    std::string_view tail = comment.after;
    if (comment.quoted) {
      device.name = comment.description;
    } else if (!strict_) {
      // An unquoted description ends where the words of the tool begin.
      std::string_view name = text;
      for (const std::string_view stop : {" enhanced port ", " base port ", " lid ", " lmc "}) {
        name = name.substr(0, name.find(stop));
      }
      tail = text.substr(name.size());
      const std::size_t begin = name.find_first_not_of(" \t");
      if (begin != std::string_view::npos)
        device.name = name.substr(begin, name.find_last_not_of(" \t") + 1 - begin);
    }
    if (device.name.empty() && !strict_) device.name = device.id;
    device.lid = read_tail(tail).lids[0];
  }

  Tail read_tail(std::string_view text) const {
    Tail tail;
    read_tail(text, tail);
    return tail;
  }

  void read_tail(std::string_view text, Tail& tail) const {
    Cursor cursor(text);
    for (cursor.skip_blanks(); !cursor.at_end(); cursor.skip_blanks()) {
      const std::string_view word = cursor.word();
      if (word == "lid") {
        cursor.skip_blanks();
        const auto lid = cursor.decimal(kMaxLid);
        if (!lid || (!cursor.at_end() && !Cursor::is_blank(cursor.peek()))) {
          if (strict_) fail(fmt::format("expected a LID at {}", place_shown(cursor.rest())));
          continue;
        }
        if (tail.lid_count < tail.lids.size()) tail.lids[tail.lid_count++] = static_cast<std::uint32_t>(*lid);
      } else if (word == "lmc") {
        cursor.skip_blanks();
        const auto lmc = cursor.decimal(kMaxLmc);
        if (!lmc || (!cursor.at_end() && !Cursor::is_blank(cursor.peek()))) {
          if (strict_)
            fail(fmt::format("expected an LMC from 0 to {} at {}", kMaxLmc, place_shown(cursor.rest())));
          continue;
        }
        if (tail.lid_count == 1) tail.lmc = static_cast<std::uint8_t>(*lmc);
      } else if (tail.rate == 0 && Cursor::is_digit(word[0])) {
        tail.rate = rate_of(word);
      }
    }
  }

  /// A fabric has few rates, one after another: the last one is kept.
  LinkRate rate_of(std::string_view word) const {
    if (word != last_rate_word_) {
      last_rate_ = link_rate_from(std::string(word.substr(0, 16)));
      last_rate_word_ = word;
    }
    return last_rate_;
  }

  std::uint16_t read_port_number(Cursor& cursor) const {
    const auto port = cursor.decimal(kMaxPort);
    if (!port || *port == 0 || !cursor.eat(']')) {
      fail(fmt::format("expected a port number from 1 to {} and ']' at {}", kMaxPort,
                       place_shown(cursor.rest())));
    }
    // Chassis listings add the number printed on the box.
    if (cursor.eat("[ext ") && !cursor.until(']')) fail("expected ']' after [ext");
    return static_cast<std::uint16_t>(*port);
  }

  /// "(guid)" after blanks, or 0.
  std::uint64_t read_port_guid(Cursor& cursor) const {
    Cursor ahead = cursor;
    ahead.skip_blanks();
    if (!ahead.eat('(')) return 0;
    const auto guid = ahead.hex();
    if (!guid || !ahead.eat(')'))
      fail(fmt::format("expected a port GUID and ')' at {}", place_shown(ahead.rest())));
    cursor = ahead;
    return *guid;
  }

  void read_port(Cursor cursor) {
    if (!in_record_) fail("a port line outside of a record: expected a Switch or Ca line before it");
    FabricDraft::Device& device = draft_.devices.back();
    FabricDraft::End end;
    end.device = static_cast<std::uint32_t>(draft_.devices.size() - 1);
    end.place = here();
    cursor.eat('[');
    end.port = read_port_number(cursor);
    if (end.port > device.ports) {
      fail(fmt::format("port {} of \"{}\" does not exist: it has {} port{}", end.port, shown(device.id),
                       device.ports, device.ports == 1 ? "" : "s"));
    }
    end.port_guid = read_port_guid(cursor);
    end.peer_id = full_id(read_id(cursor));
    end.peer_port = 1;
    Cursor ahead = cursor;
    ahead.skip_blanks();
    if (ahead.eat('[')) {
      end.peer_port = read_port_number(ahead);
      cursor = ahead;
    } else if (strict_) {
      fail(fmt::format("expected the port of \"{}\" in brackets", shown(end.peer_id)));
    }
    end.peer_port_guid = read_port_guid(cursor);
    read_options(cursor);
    if (cursor.eat('#')) read_port_comment(cursor.rest(), device.kind, end);
    draft_.ends.push_back(end);
    ++device.end_count;
  }

  /// ibsim's w= (width mask), s= (speed mask) and e= (extended speed mask) limit what a port negotiates. They
  /// are checked; the rate of a link is taken from the comment only.
  void read_options(Cursor& cursor) const {
    for (cursor.skip_blanks(); !cursor.at_end() && cursor.peek() != '#'; cursor.skip_blanks()) {
      const std::string_view rest = cursor.rest();
      const char option = rest[0];
      const std::uint64_t most = option == 'w' ? 31 : option == 's' ? 7 : 15;
      cursor.eat(option);
      if ((option != 'w' && option != 's' && option != 'e') || !cursor.eat('=') || !cursor.decimal(most) ||
          (!cursor.at_end() && !Cursor::is_blank(cursor.peek()) && cursor.peek() != '#')) {
        fail(fmt::format("expected a comment ('#') or an option w=, s= or e= with its value at {}",
                         place_shown(rest)));
      }
    }
  }

  void read_port_comment(std::string_view text, Kind kind, FabricDraft::End& end) const {
    const Comment comment(text);
    if (comment.open && strict_) fail("the quote of the description is not closed");
    // On an adapter: own LID, description, the other end's LID and the rate. On a switch its own part is
    // missing.
    Tail tail;
    if (kind != Kind::router) {
      read_tail(comment.before, tail);
      end.lid = tail.lids[0];
      draft_.lmc = std::max(draft_.lmc, tail.lmc);
      if (comment.quoted) tail = read_tail(comment.after);
      end.peer_lid = tail.lids[comment.quoted ? 0 : 1];
    } else {
      tail = read_tail(comment.quoted ? comment.after : comment.before);
      end.peer_lid = tail.lids[0];
    }
    end.rate = tail.rate;
  }

  void read_directive(Cursor cursor, std::string_view keyword) {
    if (keyword == "switchguid") return read_guid(cursor, keyword, Kind::router);
    if (keyword == "caguid" || keyword == "hcaguids") return read_guid(cursor, keyword, Kind::adapter);
    if (keyword == "rtguid") return read_guid(cursor, keyword, Kind::gateway);
    static constexpr std::array<std::string_view, 3> kIgnored{"vendid", "devid", "sysimgguid"};
    if (std::find(kIgnored.begin(), kIgnored.end(), keyword) != kIgnored.end()) {
      cursor.eat(keyword);
      if (!cursor.eat('=')) fail(fmt::format("expected '=' after {}", keyword));
      return;
    }
    if (strict_) {
      if (keyword == "Chassis" || keyword.starts_with("Hostname:")) return;
    } else if (read_ibsim_directive(cursor, keyword)) {
      return;
    }
    fail(fmt::format("expected a record (Switch, Ca), a port line ('[1] ...') or a comment, not '{}'",
                     shown(cursor.rest())));
  }

  void read_guid(Cursor cursor, std::string_view keyword, Kind kind) {
    cursor.eat(keyword);
    const bool relative = !strict_ && cursor.eat('+');
    if (!relative && !cursor.eat('=')) fail(fmt::format("expected '=' after {}", keyword));
    cursor.skip_blanks();
    const bool hex = cursor.eat("0x") || cursor.eat("0X");
    const auto guid = hex ? cursor.hex() : cursor.decimal(~std::uint64_t{0});
    if (!guid)
      fail(fmt::format("expected a GUID such as 0x0002c90000000001 at {}", place_shown(cursor.rest())));
    read_port_guid(cursor);
    cursor.skip_blanks();
    if (!cursor.at_end() && cursor.peek() != '#') {
      fail(fmt::format("expected the end of the line at {}", place_shown(cursor.rest())));
    }
    stated_guid_ = *guid;
    stated_kind_ = kind;
    const auto index = static_cast<std::size_t>(kind);
    if (!relative) base_guid_[index] = *guid;
    guid_[index] = relative ? base_guid_[index] + *guid : *guid;
  }

  bool read_ibsim_directive(Cursor cursor, std::string_view keyword) {
    cursor.eat(keyword);
    if (keyword == "width" || keyword == "speed" || keyword == "extspeed") {
      cursor.skip_blanks();
      if (!cursor.eat('=') || !cursor.decimal(31))
        fail(fmt::format("expected a value such as {}=1", keyword));
      return true;
    }
    if (keyword == "module" || keyword == "netprefix") {
      const auto quote = cursor.until('"');
      const auto prefix = quote ? cursor.until('"') : std::nullopt;
      if (!prefix) fail(fmt::format("expected a quoted prefix after {}", keyword));
      if (prefix->find_first_of("#@") != std::string_view::npos) fail("a prefix must not hold '#' or '@'");
      prefix_ = *prefix;
      return true;
    }
    if (keyword == "include") {
      include(cursor);
      return true;
    }
    if (keyword == "do") {
      cursor.skip_blanks();
      const std::string_view command = cursor.word();
      // Commands that only show or control the simulator change no fabric.
      std::string lower(command.substr(0, 16));
      std::transform(lower.begin(), lower.end(), lower.begin(),
                     [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
      if (lower == "link" || lower == "unlink" || lower == "relink" || lower == "clear") {
        fail(fmt::format("the command '{}' changes links: state them in the records", shown(command)));
      }
      return true;
    }
    return keyword == "pdebug";
  }

  void include(Cursor cursor) {
    const auto quote = cursor.until('"');
    const auto file = quote ? cursor.until('"') : std::nullopt;
    if (!file || file->empty()) fail("expected a quoted file name after include");
    // Relative names are seen from the file that includes.
    const std::filesystem::path path =
        std::filesystem::path(lines_->file()).parent_path() / std::string(*file);
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) {
      fail(fmt::format("cannot include '{}': no such file", shown(*file)));
    }
    const std::string& name = names_.emplace_back(path.string());
    read(draft_.texts.emplace_back(read_file(name)), name);
  }

  FabricDraft& draft_;
  const bool strict_;
  Lines* lines_ = nullptr;
  std::uint32_t file_ = 0;
  int depth_ = 0;
  bool in_record_ = false;
  std::string prefix_;
  std::deque<std::string> names_;
  std::optional<std::uint64_t> stated_guid_;
  Kind stated_kind_ = Kind::router;
  // ibsim's own first GUIDs, so that a net without any reads as ibsim would show it. Indexed by Kind.
  std::array<std::uint64_t, 3> base_guid_{0x200000, 0x100000, 0x300000};
  std::array<std::uint64_t, 3> guid_ = base_guid_;
  mutable std::string_view last_rate_word_;
  mutable LinkRate last_rate_ = 0;
};

}  // namespace

FabricDraft read_net_records(std::string_view text, const std::string& name, NetDialect dialect) {
  FabricDraft draft;
  draft.one_end_is_enough = dialect == NetDialect::ibsim;
  // About the number of lines of each kind: a record is no shorter than this.
  draft.ends.reserve(text.size() / 96);
  draft.devices.reserve(text.size() / 512);
  NetReader(draft, dialect).read(text, name);
  if (draft.devices.empty()) {
    throw InputError(fmt::format("{}: no Switch or Ca record in this file", name));
  }
  return draft;
}

bool looks_like_net(std::string_view head, NetDialect dialect) {
  static const std::string kNoFile;
  Lines lines(head.substr(0, head.find('\0')), kNoFile);
  const bool tool_wanted = dialect == NetDialect::ibnetdiscover;
  bool titled = false;     // "# Topology file: ..."
  bool bracketed = false;  // "switchguid=0x1(1)", which only ibnetdiscover writes
  while (lines.next()) {
    Cursor cursor(lines.line());
    cursor.skip_blanks();
    const std::string_view line = cursor.rest();
    if (line.starts_with("# Topology file")) titled = true;
    if (line.starts_with("switchguid=") && line.find('(') != std::string_view::npos) bracketed = true;
    const std::string_view keyword = cursor.word();
    const auto kind = kind_of(keyword);
    if (!kind) continue;
    // Other tools have lines such as "Switch 0x0002c90000000001, base LID 2" in their dumps.
    cursor.skip_blanks();
    const std::string_view ports = cursor.word();
    if (ports.empty() || ports.find_first_not_of("0123456789") != std::string_view::npos) return false;
    // A malformed header belongs to the dialect too: its reader says what is wrong.
    bool tool = keyword != "Hca" && (bracketed || *kind != Kind::router);
    cursor.until('"');
    if (const auto id = cursor.until('"')) {
      cursor.skip_blanks();
      tool = tool && guid_in_id(*id, *kind) && cursor.eat('#');
    }
    return tool == tool_wanted;
  }
  return tool_wanted && (titled || bracketed);
}

}  // namespace unknot
