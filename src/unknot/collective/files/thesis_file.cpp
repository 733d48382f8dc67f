// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/files/thesis_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "unknot/network/builder.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/append.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kMaxNodes = 20'000'000;
constexpr std::uint32_t kMaxLinks = 65'534;  // as many ports as a router has, but for its terminal

constexpr std::string_view kRoles = "NTRB";  // by value of Role

/// The next line with something on it, comments gone.
bool next_line(Lines& lines, std::string_view& content) {
  while (lines.next()) {
    content = lines.line().substr(0, lines.line().find('#'));
    if (content.find_first_not_of(" \t") != std::string_view::npos) return true;
  }
  return false;
}

std::optional<std::uint64_t> number(Cursor& cursor, std::uint64_t max) {
  cursor.skip_blanks();
  Cursor ahead = cursor;
  const auto value = ahead.decimal(max);
  if (!value || !(ahead.at_end() || Cursor::is_blank(ahead.peek()))) return std::nullopt;
  cursor = ahead;
  return value;
}

std::optional<Role> role(Cursor& cursor) {
  cursor.skip_blanks();
  Cursor ahead = cursor;
  const std::string_view word = ahead.word();
  if (word.size() != 1 || kRoles.find(word[0]) == std::string_view::npos) return std::nullopt;
  cursor = ahead;
  return static_cast<Role>(kRoles.find(word[0]));
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : lines_(text, file), file_(file) {}

  ThesisInput read() {
    read_head();
    std::string_view content;
    while (next_line(lines_, content)) read_node(content);
    for (std::uint32_t n = 0; n < nodes_; ++n) {
      if (n >= seen_.size() || seen_[n] == 0)
        throw InputError(file_, lines_.number(), fmt::format("node {} is missing", n));
    }
    check_roles();
    return {make_network(), std::move(roles_)};
  }

 private:
  struct Pair {
    std::uint32_t from, to;
    auto operator<=>(const Pair&) const = default;  // NOLINT(modernize-use-nullptr): a false positive
  };

  void read_head() {
    std::string_view content;
    if (!next_line(lines_, content)) throw InputError(file_ + ": the file is empty");
    Cursor cursor(content);
    const auto nodes = number(cursor, kMaxNodes);
    if (!nodes || *nodes == 0) lines_.fail(fmt::format("expected the number of nodes, 1 to {}", kMaxNodes));
    const auto links = number(cursor, kMaxLinks);
    if (!links)
      lines_.fail(fmt::format("expected the largest number of links of a node, at most {}", kMaxLinks));
    cursor.skip_blanks();
    if (!cursor.at_end())
      lines_.fail("expected nothing after the two numbers, found " + place_shown(cursor.rest()));
    nodes_ = static_cast<std::uint32_t>(*nodes);
    links_ = static_cast<std::uint32_t>(*links);
  }

  void read_node(std::string_view content) {
    Cursor cursor(content);
    const auto node = number(cursor, nodes_ - 1);
    if (!node) {
      cursor.skip_blanks();
      lines_.fail(fmt::format("expected a node, 0 to {}, found {}", nodes_ - 1, place_shown(cursor.rest())));
    }
    const auto from = static_cast<std::uint32_t>(*node);
    if (from >= seen_.size()) {  // grows with the lines that are there, not with what the first one claims
      seen_.resize(from + 1, 0);
      roles_.resize(from + 1, Role::switch_only);
    }
    if (seen_[from] != 0) lines_.fail(fmt::format("node {} comes a second time", from));
    seen_[from] = 1;
    const auto what = role(cursor);
    if (!what) {
      lines_.fail(fmt::format("expected what node {} does, T, R, B or N, found {}", from,
                              place_shown(cursor.rest())));
    }
    roles_[from] = *what;
    std::uint32_t count = 0;
    for (;;) {
      cursor.skip_blanks();
      if (cursor.at_end()) break;
      const auto to = number(cursor, nodes_ - 1);
      if (!to) {
        lines_.fail(fmt::format("expected a neighbour of node {}, 0 to {}, found {}", from, nodes_ - 1,
                                place_shown(cursor.rest())));
      }
      if (*to == from) lines_.fail(fmt::format("node {} is its own neighbour", from));
      if (++count > links_) lines_.fail(fmt::format("node {} has more than {} neighbours", from, links_));
      pairs_.push_back({from, static_cast<std::uint32_t>(*to)});
    }
  }

  void check_roles() const {
    const auto any = [&](Role role) {
      return std::any_of(roles_.begin(), roles_.end(), [&](Role r) { return r == role || r == Role::both; });
    };
    if (!any(Role::transmitter)) throw InputError(file_ + ": there is no transmitter");
    if (!any(Role::receiver)) throw InputError(file_ + ": there is no receiver");
  }

  Network make_network() {
    NetworkBuilder builder;
    builder.add_routers(nodes_);
    std::sort(pairs_.begin(), pairs_.end());
    for (std::size_t i = 0; i < pairs_.size();) {
      const Pair pair = pairs_[i];
      const auto same = std::equal_range(pairs_.begin(), pairs_.end(), pair);
      const auto back = std::equal_range(pairs_.begin(), pairs_.end(), Pair{pair.to, pair.from});
      const auto there = same.second - same.first;
      const auto cables = std::min(there, back.second - back.first);
      for (std::ptrdiff_t k = 0; k < there; ++k) {
        if (k >= cables) {
          builder.add_channel(RouterId(pair.from), RouterId(pair.to));
        } else if (pair.from < pair.to) {
          builder.add_cable(RouterId(pair.from), RouterId(pair.to));
        }
      }
      i = static_cast<std::size_t>(same.second - pairs_.begin());
    }
    for (std::uint32_t n = 0; n < nodes_; ++n) {
      if (roles_[n] != Role::switch_only) builder.add_terminal(RouterId(n));
    }
    builder.set_description(file_);
    try {
      return std::move(builder).build();
    } catch (const InputError& error) {
      throw InputError(file_ + ": " + error.what());
    }
  }

  Lines lines_;
  const std::string& file_;
  std::uint32_t nodes_ = 0, links_ = 0;
  std::vector<std::uint8_t> seen_;
  std::vector<Role> roles_;
  std::vector<Pair> pairs_;
};

}  // namespace

std::vector<NodeId> ThesisInput::with_role(Role role) const {
  std::vector<NodeId> nodes;
  for (std::uint32_t n = 0; n < roles.size(); ++n) {
    if ((static_cast<unsigned>(roles[n]) & static_cast<unsigned>(role)) != 0) nodes.emplace_back(n);
  }
  return nodes;
}

ThesisInput parse_thesis_input(std::string_view text, const std::string& file) {
  return Reader(text, file).read();
}

bool looks_like_thesis_input(std::string_view head) {
  if (head.find('\0') != std::string_view::npos) return false;
  const std::string name;
  Lines lines(head, name);
  std::string_view content;
  if (!next_line(lines, content)) return false;
  Cursor first(content);
  if (!number(first, kMaxNodes) || !number(first, kMaxLinks)) return false;
  first.skip_blanks();
  if (!first.at_end() || !next_line(lines, content)) return false;
  Cursor second(content);
  return number(second, kMaxNodes) && role(second);
}

std::string thesis_input(const Problem& problem) {
  const NodeGraph& graph = *problem.graph;
  const std::vector<Role> roles = problem.roles();
  std::uint32_t most = 0;
  for (const NodeId n : graph.nodes()) most = std::max(most, graph.out_capacity(n));
  std::string text = fmt::format("# nodes, and most links that leave one\n{} {}\n", graph.node_count(), most);
  text += "# node, what it does (T transmits, R receives, B both, N only switches), its neighbours\n";
  for (const NodeId n : graph.nodes()) {
    append(text, "{} {}", n.value, kRoles[static_cast<std::size_t>(roles[n.value])]);
    for (const ArcId a : graph.out(n)) {
      for (std::uint32_t k = 0; k < graph.capacity(a); ++k) append(text, " {}", graph.head(a).value);
    }
    text += '\n';
  }
  return text;
}

}  // namespace unknot
