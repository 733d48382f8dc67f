// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <deque>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "unknot/formats/graph/dot_lexer.hpp"
#include "unknot/formats/graph/graph_draft.hpp"
#include "unknot/formats/graph/graph_text.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

/// Subgraphs inside subgraphs, as deep as anybody draws them.
constexpr std::uint32_t kDeepest = 200;

/// What `node [...]` and `edge [...]` have said so far, in this subgraph and those around it.
struct Defaults {
  GraphDraft::NodeValues node;
  GraphDraft::EdgeValues edge;
};

class Parser {
 public:
  Parser(std::string_view text, const std::string& file) : lexer_(text, file, draft_.texts), file_(file) {}

  Network run() {
    strict_ = lexer_.eat_word("strict");
    directed_ = lexer_.eat_word("digraph");
    if (!directed_ && !lexer_.eat_word("graph")) lexer_.fail_expecting("graph or digraph");
    if (lexer_.is(DotToken::id)) lexer_.take();
    lexer_.expect('{');
    std::vector<std::uint32_t> members;
    read_statements({}, 0, members);
    if (!lexer_.is(DotToken::end)) lexer_.fail_expecting("nothing behind the graph");
    return assemble(draft_, file_);
  }

 private:
  /// Up to and with the closing brace; the nodes it mentions are put behind `members`.
  void read_statements(Defaults defaults, std::uint32_t depth, std::vector<std::uint32_t>& members) {
    while (!lexer_.eat('}')) {
      if (lexer_.eat(';')) continue;
      read_statement(defaults, depth, members);
    }
  }

  void read_statement(Defaults& defaults, std::uint32_t depth, std::vector<std::uint32_t>& members) {
    if (lexer_.eat_word("graph")) return read_attributes([](std::string_view, std::string_view) {});
    if (lexer_.eat_word("node")) {
      return read_attributes(
          [&](std::string_view name, std::string_view value) { set(defaults.node, name, value); });
    }
    if (lexer_.eat_word("edge")) {
      return read_attributes(
          [&](std::string_view name, std::string_view value) { set(defaults.edge, name, value); });
    }
    const std::uint32_t line = lexer_.line();
    const std::size_t first = members.size();
    bool single = false;
    std::string_view id;
    if (starts_subgraph()) {
      read_subgraph(defaults, depth, members);
    } else {
      id = lexer_.take_id("a node, an edge, an attribute or '}'");
      if (lexer_.eat('=')) {
        lexer_.take_id("the value of an attribute");
        return;
      }
      members.push_back(node(id, defaults, line));
      skip_port();
      single = true;
    }
    if (lexer_.is(DotToken::edge)) {
      read_edges(first, defaults, depth, members, line);
    } else if (single) {
      GraphDraft::NodeValues& values = draft_.nodes[members.back()].values;
      read_attributes([&](std::string_view name, std::string_view value) { set(values, name, value); });
    }
  }

  bool starts_subgraph() const { return lexer_.is('{') || lexer_.is_word("subgraph"); }

  void read_subgraph(const Defaults& defaults, std::uint32_t depth, std::vector<std::uint32_t>& members) {
    if (depth == kDeepest) lexer_.fail(fmt::format("more than {} subgraphs inside each other", kDeepest));
    if (lexer_.eat_word("subgraph") && lexer_.is(DotToken::id)) lexer_.take();
    lexer_.expect('{');
    read_statements(defaults, depth + 1, members);
  }

  /// "a -> b -> {c d} [...]", of which the first end is read: members from `first` on.
  void read_edges(std::size_t first, const Defaults& defaults, std::uint32_t depth,
                  std::vector<std::uint32_t>& members, std::uint32_t line) {
    std::vector<std::size_t> starts{first};  // of each end, in `members`
    while (lexer_.is(DotToken::edge)) {
      const std::string_view arrow = lexer_.take();
      if ((arrow == "->") != directed_) {
        lexer_.fail(fmt::format("{} in a {}, expected {}", arrow, directed_ ? "digraph" : "graph",
                                directed_ ? "->" : "--"));
      }
      starts.push_back(members.size());
      if (starts_subgraph()) {
        read_subgraph(defaults, depth, members);
      } else {
        const std::uint32_t at = lexer_.line();
        members.push_back(node(lexer_.take_id("the other end of the edge"), defaults, at));
        skip_port();
      }
    }
    starts.push_back(members.size());
    GraphDraft::Edge edge;
    edge.directed = directed_;
    edge.line = line;
    edge.values = defaults.edge;
    read_attributes([&](std::string_view name, std::string_view value) { set(edge.values, name, value); });
    for (std::size_t i = 0; i + 2 < starts.size(); ++i) {
      const std::size_t pairs = (starts[i + 1] - starts[i]) * (starts[i + 2] - starts[i + 1]);
      if (pairs > 1 && (between_groups_ += pairs) > kMostBetweenGroups) {
        lexer_.fail(fmt::format("more than {} edges between subgraphs, expected the others one by one",
                                kMostBetweenGroups));
      }
      for (std::size_t a = starts[i]; a < starts[i + 1]; ++a) {
        for (std::size_t b = starts[i + 1]; b < starts[i + 2]; ++b) {
          edge.source = members[a];
          edge.target = members[b];
          add(edge);
        }
      }
    }
  }

  void add(const GraphDraft::Edge& edge) {
    if (strict_) {
      std::pair<std::uint32_t, std::uint32_t> ends(edge.source, edge.target);
      if (!directed_ && ends.first > ends.second) std::swap(ends.first, ends.second);
      if (!seen_.insert(ends).second) return;
    }
    draft_.edges.push_back(edge);
  }

  /// "[a=b, c=d][e=f]", which may be left out.
  template <class Set>
  void read_attributes(const Set& set_value) {
    while (lexer_.eat('[')) {
      while (!lexer_.eat(']')) {
        const std::string_view name = lexer_.take_id("an attribute or ']'");
        // Graphviz takes a name without a value for true.
        const std::string_view value =
            lexer_.eat('=') ? lexer_.take_id("the value of an attribute") : std::string_view("true");
        set_value(name, value);
        if (!lexer_.eat(',')) lexer_.eat(';');
      }
    }
  }

  void skip_port() {
    for (int parts = 0; parts < 2 && lexer_.eat(':'); ++parts) lexer_.take_id("a port of the drawing");
  }

  std::uint32_t node(std::string_view id, const Defaults& defaults, std::uint32_t line) {
    const auto [found, is_new] = node_of_.emplace(id, static_cast<std::uint32_t>(draft_.nodes.size()));
    if (is_new) draft_.nodes.push_back({id, defaults.node, line});
    return found->second;
  }

  void set(GraphDraft::NodeValues& values, std::string_view name, std::string_view value) {
    const GraphDraft::NodeField field = GraphDraft::node_field(name);
    if (field == GraphDraft::node_fields) return;
    values[field] = field == GraphDraft::label ? lexer_.label_text(value) : value;
  }
  /// The drawing's own attributes say where an edge begins and ends.
  static void set(GraphDraft::EdgeValues& values, std::string_view name, std::string_view value) {
    if (name == "taillabel") name = "source_port";
    if (name == "headlabel") name = "target_port";
    if (name == "label") name = "rate";
    const GraphDraft::EdgeField field = GraphDraft::edge_field(name);
    if (field != GraphDraft::edge_fields) values[field] = value;
  }

  /// "{a b c ...} -- {d e f ...}" is a short text for many edges: those written out take a text as long.
  static constexpr std::size_t kMostBetweenGroups = 1'000'000;

  GraphDraft draft_;
  DotLexer lexer_;
  const std::string& file_;
  bool strict_ = false;
  bool directed_ = false;
  std::size_t between_groups_ = 0;
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen_;  // of a strict graph
  std::unordered_map<std::string_view, std::uint32_t> node_of_;
};

}  // namespace

Network read_dot(std::string_view text, const std::string& name) {
  return Parser(text, name).run();
}

bool looks_like_dot(std::string_view head) {
  static const std::string kNoFile;
  std::deque<std::string> texts;
  try {
    DotLexer lexer(head.substr(0, head.find('\0')), kNoFile, texts);
    lexer.eat_word("strict");
    if (!lexer.eat_word("graph") && !lexer.eat_word("digraph")) return false;
    if (lexer.is(DotToken::id)) lexer.take();
    return lexer.is('{');
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace unknot
