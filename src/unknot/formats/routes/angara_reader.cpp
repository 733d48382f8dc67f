// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "unknot/angara/source_routes.hpp"
#include "unknot/angara/torus.hpp"
#include "unknot/formats/routes/angara_grammar.hpp"
#include "unknot/formats/routes/angara_tables.hpp"
#include "unknot/formats/text/line_scanner.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

using angara::Direction;
using angara::RouteCode;
using angara::Torus;

class AngaraReader {
 public:
  AngaraReader(const Network& network, std::string_view text, const std::string& name)
      : network_(network),
        name_(name),
        torus_(network),
        nodes_(angara_grammar::nodes_by_name(network)),
        scanner_(text, name_),
        codes_(std::size_t{network.terminal_count()} * network.terminal_count()),
        begun_(network.terminal_count(), false) {}

  Routing read() {
    while (next_line()) {
      const char* p = begin_;
      if (scanner_.line() == angara_grammar::kMagic) {
        header();
      } else if (headed_ && take_text(p, end_, "node ")) {
        section(p);
      } else {
        scanner_.fail(fmt::format(
            "expected {}, not {}",
            headed_ ? "'node <name> at <coordinates>'" : fmt::format("'{}'", angara_grammar::kMagic),
            place_shown(scanner_.line())));
      }
    }
    if (std::find(begun_.begin(), begun_.end(), true) == begun_.end())
      scanner_.fail("the file ends early, expected 'node <name> at <coordinates>'");
    Routing routing;
    routing.engine = name_;
    routing.paths = angara::to_source_routes(torus_, codes_, 0);
    routing.flow_control = FlowControl::bubble;
    return routing;
  }

 private:
  /// The next line that is neither blank nor a comment.
  bool next_line() {
    while (scanner_.advance()) {
      begin_ = scanner_.begin();
      end_ = scanner_.end();
      skip_blanks(begin_, end_);
      if (begin_ != end_ && *begin_ != '#') return true;
    }
    return false;
  }
  void require_line(std::string_view what) {
    if (!next_line()) scanner_.fail(fmt::format("the file ends early, expected {}", what));
  }

  void header() {
    const auto require = [&](std::string_view key, const std::string& value, const char* what) {
      require_line(fmt::format("'{}{}'", key, value));
      const char* p = begin_;
      if (!take_text(p, end_, key)) scanner_.fail(fmt::format("expected '{}{}'", key, value));
      const std::string_view given(p, static_cast<std::size_t>(end_ - p));
      if (given != value)
        scanner_.fail(fmt::format("the {} of the fabric is {}, not {}", what, value, place_shown(given)));
    };
    require(angara_grammar::kTorus, angara_grammar::extents(torus_), "torus");
    require(angara_grammar::kOrder, angara_grammar::order(torus_), "direction order");
    headed_ = true;
  }

  /// A name, in quotes or without.
  std::string take_name(const char*& p) {
    const char* const start = p;
    std::string text;
    const bool quoted = take_text(p, end_, "\"");
    if (!quoted) {
      while (p != end_ && angara_grammar::plain(*p)) text += *p++;
    } else {
      while (p != end_ && *p != '"') text += *p == '\\' ? escaped(p) : *p++;
      if (p == end_) scanner_.fail("the quotes of a name are not closed");
      ++p;
    }
    if ((text.empty() && !quoted) || (p != end_ && !is_blank(*p)))
      scanner_.fail(fmt::format("expected the name of a node, not {}", place_shown({start, end_})));
    skip_blanks(p, end_);
    return text;
  }
  char escaped(const char*& p) {
    ++p;
    if (p != end_ && (*p == '"' || *p == '\\')) return *p++;
    std::uint64_t value = 0;
    if (take_text(p, end_, "x") && end_ - p >= 2) {
      const char* digits = p;
      if (take_hex_digits(digits, p + 2, value) && digits == p + 2) {
        p = digits;
        return static_cast<char>(value);
      }
    }
    scanner_.fail("expected \\\", \\\\ or \\x and two hexadecimal digits in a name");
  }
  TerminalId take_node(const char*& p) {
    const std::string name = take_name(p);
    const auto found = nodes_.find(name);
    if (found == nodes_.end())
      scanner_.fail(fmt::format("no node of the fabric is called '{}'", shown(name)));
    return found->second;
  }

  void section(const char* p) {
    source_ = take_node(p);
    if (begun_[source_.value])
      scanner_.fail(fmt::format("node {} has a section above already", network_.terminal_name(source_)));
    begun_[source_.value] = true;
    place(p);
    std::uint32_t routes = 0;
    for (;;) {
      require_line("a route or 'end <number of routes>'");
      p = begin_;
      // A node may be called 'end' too: its line has more than a number.
      if (take_text(p, end_, "end ") && (p == end_ || Cursor::is_digit(*p))) break;
      p = begin_;
      route(p);
      ++routes;
    }
    std::uint32_t said = 0;
    if (!take_decimal(p, end_, said) || p != end_ || said != routes) {
      scanner_.fail(fmt::format("expected 'end {}', the number of routes of {}", routes,
                                network_.terminal_name(source_)));
    }
  }

  void place(const char* p) {
    std::string here;
    const std::uint32_t node = network_.router_of(source_).value;
    for (std::uint32_t d = 0; d < torus_.dimensions(); ++d)
      here += fmt::format(" {}", torus_.coordinate(node, d));
    std::string given;
    bool good = take_text(p, end_, "at");
    while (good && p != end_) {
      const char* const before = p;
      skip_blanks(p, end_);
      std::uint32_t value = 0;
      if (p == end_) break;
      good = p != before && take_decimal(p, end_, value);
      given += fmt::format(" {}", value);
    }
    if (!good) scanner_.fail("expected 'at' and the coordinates of the node");
    if (given != here)
      scanner_.fail(fmt::format("{} is at{}, not at{}", network_.terminal_name(source_), here, given));
  }

  void route(const char* p) {
    const TerminalId to = take_node(p);
    if (to == source_) scanner_.fail(fmt::format("a route of {} to itself", network_.terminal_name(to)));
    RouteCode& code = codes_[std::size_t{source_.value} * network_.terminal_count() + to.value];
    if (code.bits() != 0)
      scanner_.fail(fmt::format("destination {} has a route above already", network_.terminal_name(to)));
    words_.clear();
    for (; p != end_; skip_blanks(p, end_)) {
      const char* const start = p;
      while (p != end_ && !is_blank(*p)) ++p;
      words_.emplace_back(start, static_cast<std::size_t>(p - start));
    }
    if (words_.size() < 2)
      scanner_.fail("expected '<destination> <first step or -> <directions with counts> <last step or ->'");
    code.set_first_step(special(words_.front(), "first", true));
    code.set_last_step(special(words_.back(), "last", false));
    Direction before = 0;
    for (std::size_t i = 1; i + 1 < words_.size(); ++i) before = steps(words_[i], before, i == 1, code);
    follow(code, to);
  }

  /// Direction at the start of a word; nothing where there is none. Takes it off the word.
  std::optional<Direction> take_direction(std::string_view& word) const {
    for (std::uint32_t d = 0; d < torus_.directions(); ++d) {
      const auto direction = static_cast<Direction>(d);
      const std::string name = torus_.direction_name(direction);
      if (!word.starts_with(name)) continue;
      word.remove_prefix(name.size());
      return direction;
    }
    return std::nullopt;
  }
  Direction direction(std::string_view& word) const {
    const std::string_view whole = word;
    const auto found = take_direction(word);
    if (!found) {
      scanner_.fail(fmt::format("'{}' does not start with a direction of this torus ({})", shown(whole),
                                angara_grammar::order(torus_)));
    }
    return *found;
  }

  std::optional<Direction> special(std::string_view word, const char* which, bool positive) const {
    if (word == "-") return std::nullopt;
    std::string_view rest = word;
    const Direction d = direction(rest);
    if (!rest.empty()) {
      scanner_.fail(
          fmt::format("the {} step is a direction without a count or -, not '{}'", which, shown(word)));
    }
    if (torus_.positive(d) != positive) {
      scanner_.fail(fmt::format("a {} step is {}, not {}", which, positive ? "positive" : "negative",
                                torus_.direction_name(d)));
    }
    return d;
  }

  /// One direction bit with its count. Returns the direction.
  Direction steps(std::string_view word, Direction before, bool first, RouteCode& code) const {
    std::string_view rest = word;
    const Direction d = direction(rest);
    const std::uint32_t along = torus_.dimension(d);
    const std::string name = torus_.direction_name(d);
    const std::uint32_t most = torus_.extent(along) - 1;
    const char* p = rest.data();
    const char* const end = rest.data() + rest.size();
    std::uint32_t count = 0;
    if (!take_decimal(p, end, count) || p != end || count < 1 || count > most) {
      scanner_.fail(most == 0 ? fmt::format("direction {} leads nowhere: its dimension has size 1", name)
                              : fmt::format("the count in '{}' is not 1 to {}", shown(word), most));
    }
    if (const std::int32_t steps = code.steps(along); steps != 0) {
      scanner_.fail((steps > 0) == torus_.positive(d)
                        ? fmt::format("direction {} is given twice", name)
                        : fmt::format("directions {} and {} cannot both be gone",
                                      torus_.direction_name(torus_.opposite(d)), name));
    }
    if (!first && d < before) {
      scanner_.fail(fmt::format("{} comes after {}: directions are gone in the order {}", name,
                                torus_.direction_name(before), angara_grammar::order(torus_)));
    }
    code.set_steps(along,
                   torus_.positive(d) ? static_cast<std::int32_t>(count) : -static_cast<std::int32_t>(count));
    return d;
  }

  void follow(RouteCode code, TerminalId to) const {
    std::uint32_t at = network_.router_of(source_).value;
    code.for_each_stretch(torus_.dimensions(), [&](Direction d, std::uint32_t count) {
      for (; count > 0; --count) {
        const std::uint32_t next = torus_.next(torus_.slot(at, d));
        if (next == Torus::kNone) {
          scanner_.fail(fmt::format("the route of {} to {} goes {} at {}, where there is no channel",
                                    network_.terminal_name(source_), network_.terminal_name(to),
                                    torus_.direction_name(d), network_.router_name(RouterId(at))));
        }
        at = next;
      }
    });
    if (at != network_.router_of(to).value) {
      scanner_.fail(fmt::format("the route of {} to {} ends at {}", network_.terminal_name(source_),
                                network_.terminal_name(to), network_.router_name(RouterId(at))));
    }
  }

  const Network& network_;
  const std::string& name_;
  Torus torus_;
  std::map<std::string, TerminalId, std::less<>> nodes_;
  LineScanner scanner_;
  std::vector<RouteCode> codes_;  // source-major
  std::vector<bool> begun_;       // by terminal: has a section
  std::vector<std::string_view> words_;
  const char* begin_ = nullptr;  // of the line at hand, blanks skipped
  const char* end_ = nullptr;
  TerminalId source_;  // of the section at hand
  bool headed_ = false;
};

}  // namespace

bool recognises_angara(std::string_view head) {
  return head.starts_with("unknot-angara ");
}

Routing read_angara(const Network& network, std::string_view text, const std::string& name) {
  if (const std::string trouble = angara::Torus::trouble(network); !trouble.empty())
    throw InputError(fmt::format("{}: source routes of a torus do not fit this network: {}", name, trouble));
  return AngaraReader(network, text, name).read();
}

}  // namespace unknot
