// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/graph/graph_golf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "unknot/formats/draft/fabric_draft.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

constexpr std::uint64_t kMaxNumber = 0xFFFFFFFEU;

/// A vertex number, or a grid point as x << 32 | y. Points in order are by x, then y.
using Vertex = std::uint64_t;

struct Edge {
  Vertex a, b;
  std::uint32_t line;
};

/// Either form of a vertex; `grid` says which one it was.
std::optional<Vertex> read_vertex(Cursor& cursor, bool& grid) {
  const auto first = cursor.decimal(kMaxNumber);
  if (!first) return std::nullopt;
  grid = cursor.eat(',');
  if (!grid) return first;
  const auto second = cursor.decimal(kMaxNumber);
  if (!second) return std::nullopt;
  return *first << 32 | *second;
}

/// The edge on a line; nothing when it is none.
std::optional<Edge> read_edge(Cursor cursor, bool& grid) {
  bool grid_b = false;
  cursor.skip_blanks();
  const auto a = read_vertex(cursor, grid);
  if (!a || !Cursor::is_blank(cursor.peek())) return std::nullopt;
  cursor.skip_blanks();
  const auto b = read_vertex(cursor, grid_b);
  cursor.skip_blanks();
  if (!b || grid != grid_b || !cursor.at_end()) return std::nullopt;
  return Edge{*a, *b, 0};
}

bool is_comment(Cursor cursor) {
  cursor.skip_blanks();
  return cursor.at_end() || cursor.peek() == '#';
}

std::string vertex_name(Vertex v, bool grid) {
  return grid ? fmt::format("{},{}", v >> 32, v & 0xFFFFFFFFU) : fmt::format("{}", v);
}

void check_edges(const Lines& lines, const std::vector<Edge>& edges, bool grid) {
  std::vector<Edge> sorted(edges);
  for (Edge& edge : sorted) {
    if (edge.a > edge.b) std::swap(edge.a, edge.b);
  }
  std::sort(sorted.begin(), sorted.end(), [](const Edge& x, const Edge& y) {
    return std::tie(x.a, x.b, x.line) < std::tie(y.a, y.b, y.line);
  });
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i].a != sorted[i - 1].a || sorted[i].b != sorted[i - 1].b) continue;
    throw InputError(
        lines.file(), sorted[i].line,
        fmt::format("the edge between {} and {} is already on line {}", vertex_name(sorted[i].a, grid),
                    vertex_name(sorted[i].b, grid), sorted[i - 1].line));
  }
}

/// All vertices in order. Throws where a number is skipped: the vertex would have no edge.
std::vector<Vertex> vertices_of(const std::string& file, const std::vector<Edge>& edges, bool grid) {
  std::vector<Vertex> vertices;
  vertices.reserve(2 * edges.size());
  for (const Edge& edge : edges) {
    vertices.push_back(edge.a);
    vertices.push_back(edge.b);
  }
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  if (grid) return vertices;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    if (vertices[i] == i) continue;
    throw InputError(
        fmt::format("{}: vertex {} has no edge, though there is a vertex {}", file, i, vertices.back()));
  }
  return vertices;
}

}  // namespace

Network read_graph_golf(std::string_view text, const std::string& name) {
  std::vector<Edge> edges;
  bool grid = false;
  Lines lines(text, name);
  while (lines.next()) {
    if (is_comment(Cursor(lines.line()))) continue;
    bool this_grid = false;
    auto edge = read_edge(Cursor(lines.line()), this_grid);
    if (!edge || (!edges.empty() && this_grid != grid)) {
      lines.fail(fmt::format("expected an edge such as '{}', not '{}'",
                             edges.empty() ? "0 1' or '0,0 0,1"
                             : grid        ? "0,0 0,1"
                                           : "0 1",
                             shown(lines.line())));
    }
    grid = this_grid;
    if (edge->a == edge->b)
      lines.fail(fmt::format("vertex {} is connected to itself", vertex_name(edge->a, grid)));
    edge->line = lines.number();
    edges.push_back(*edge);
  }
  if (edges.empty()) throw InputError(fmt::format("{}: no edge in this file", name));
  check_edges(lines, edges, grid);
  const std::vector<Vertex> vertices = vertices_of(name, edges, grid);

  NetworkBuilder builder;
  builder.reserve(vertices.size(), edges.size(), vertices.size());
  builder.add_routers(static_cast<std::uint32_t>(vertices.size()));
  const auto router = [&](Vertex v) {
    return RouterId(
        static_cast<std::uint32_t>(std::lower_bound(vertices.begin(), vertices.end(), v) - vertices.begin()));
  };
  for (const Edge& edge : edges) builder.add_cable(router(edge.a), router(edge.b));
  for (std::uint32_t r = 0; r < vertices.size(); ++r) {
    builder.add_terminal(RouterId(r));
    if (grid) builder.labels().router_name.push_back(vertex_name(vertices[r], true));
  }
  builder.set_description(name);
  Network network = std::move(builder).build();
  require_connected(network, name);
  return network;
}

bool looks_like_graph_golf(std::string_view head) {
  static const std::string kNoFile;
  Lines lines(head.substr(0, head.find('\0')), kNoFile);
  while (lines.next()) {
    if (is_comment(Cursor(lines.line()))) continue;
    bool grid = false;
    return read_edge(Cursor(lines.line()), grid).has_value();
  }
  return false;
}

}  // namespace unknot
