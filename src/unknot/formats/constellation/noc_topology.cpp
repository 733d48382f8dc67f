// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/constellation/noc_topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

namespace unknot {
namespace {

constexpr int kDeepestTopology = 8;  // of TerminalRouter and HierarchicalTopology within each other

bool ring_linked(int src, int dst, int n, bool both) {
  return (dst - src + n) % n == 1 || (both && (src - dst + n) % n == 1);
}

int digit(int number, int base, int place) {
  for (; place > 0; --place) number /= base;
  return number % base;
}

class NocTopologyMaker {
 public:
  NocTopologyMaker(ScalaEvaluator& scala, const ScalaValue& value)
      : scala_(scala), token_(value.token), record_(scala.record(value, "a topology")) {}

  NocTopology run(int depth) {
    struct Row {
      std::string_view name;
      NocTopology::Kind kind;
      std::string_view first, second;  // names of its numbers
    };
    static constexpr std::array<Row, 9> kRows = {{
        {"UnidirectionalLine", NocTopology::Kind::unidirectional_line, "n", ""},
        {"BidirectionalLine", NocTopology::Kind::bidirectional_line, "n", ""},
        {"UnidirectionalTorus1D", NocTopology::Kind::unidirectional_ring, "n", ""},
        {"BidirectionalTorus1D", NocTopology::Kind::bidirectional_ring, "n", ""},
        {"Butterfly", NocTopology::Kind::butterfly, "kAry", "nFly"},
        {"BidirectionalTree", NocTopology::Kind::tree, "height", "dAry"},
        {"Mesh2D", NocTopology::Kind::mesh, "nX", "nY"},
        {"UnidirectionalTorus2D", NocTopology::Kind::unidirectional_torus, "nX", "nY"},
        {"BidirectionalTorus2D", NocTopology::Kind::bidirectional_torus, "nX", "nY"},
    }};
    if (depth > kDeepestTopology)
      scala_.fail(token_, fmt::format("expected topologies nested at most {} deep", kDeepestTopology));
    for (const Row& row : kRows) {
      if (row.name != record_.name) continue;
      made_.kind = row.kind;
      // Of no number beyond the most nodes can a topology be made.
      made_.a = number(row.first, 0, row.kind == NocTopology::Kind::tree ? 0 : 1);
      if (!row.second.empty()) {
        const bool without =
            row.kind == NocTopology::Kind::tree && scala_.argument(record_, row.second, 1) == nullptr;
        made_.b = without ? 2 : number(row.second, 1, 1);
      }
      count_nodes();
      if (row.kind == NocTopology::Kind::unidirectional_line) read_skips();
      return std::move(made_);
    }
    if (record_.name == "TerminalRouter") {
      made_.kind = NocTopology::Kind::terminal_router;
      made_.base = within("base", 0, depth);
      set_nodes(2.0 * made_.base->nodes);
    } else if (record_.name == "HierarchicalTopology") {
      made_.kind = NocTopology::Kind::hierarchical;
      made_.base = within("base", 0, depth);
      read_children(depth);
    } else if (record_.name == "CustomTopology") {
      set_nodes(number("n", 0, 1));
      read_edges();
    } else {
      scala_.fail(token_,
                  fmt::format("expected a topology of Constellation, as Mesh2D(4, 4), not {}", record_.name));
    }
    return std::move(made_);
  }

 private:
  ScalaValue needed(std::string_view name, std::size_t place) {
    return scala_.needed(record_, name, place, token_);
  }

  int number(std::string_view name, std::size_t place, int least) {
    return scala_.needed_number(record_, name, place, "a size", least, NocTopology::kMostNodes, token_);
  }

  void set_nodes(double count) {
    if (count > NocTopology::kMostNodes)
      scala_.fail(token_, fmt::format("expected a topology of at most {} nodes", NocTopology::kMostNodes));
    made_.nodes = static_cast<int>(count);
  }

  void count_nodes() {
    const int a = made_.a;
    const int b = made_.b;
    double nodes = a;
    if (made_.kind == NocTopology::Kind::butterfly) {
      if (a < 2 || b < 2) scala_.fail(token_, "expected Butterfly with kAry and nFly of at least 2");
      made_.height = 1;
      for (int i = 1; i < b; ++i) {
        made_.height *= a;
        set_nodes(1.0 * made_.height * b);
      }
      nodes = 1.0 * made_.height * b;
    } else if (made_.kind == NocTopology::Kind::tree) {
      if (b < 2) scala_.fail(token_, "expected BidirectionalTree with dAry of at least 2");
      nodes = 1;
      for (int level = 1, width = b; level <= a; ++level, width *= b) {
        nodes += width;
        set_nodes(nodes);
      }
    } else if (made_.is_grid()) {
      nodes = 1.0 * a * b;
    }
    set_nodes(nodes);
  }

  std::shared_ptr<const NocTopology> within(std::string_view name, std::size_t place, int depth) {
    return std::make_shared<const NocTopology>(NocTopologyMaker(scala_, needed(name, place)).run(depth + 1));
  }

  void read_skips() {
    const auto skips = scala_.field(record_, "skips", 1);
    if (!skips) return;
    for (const ScalaValue& one : scala_.list(*skips, "a list of skips")) {
      const auto* pair = one.as<ScalaTuple>();
      if (pair == nullptr || pair->parts->size() != 2)
        scala_.fail(one.token, "expected skips as Seq((0, 2))");
      add_edge((*pair->parts)[0], (*pair->parts)[1]);
    }
  }

  void add_edge(const ScalaValue& src, const ScalaValue& dst) {
    const std::int64_t from = scala_.whole(src, "a node");
    const std::int64_t to = scala_.whole(dst, "a node");
    const auto is_node = [&](std::int64_t node) { return node >= 0 && node < made_.nodes; };
    if (!is_node(from) || !is_node(to) || from == to) {
      scala_.fail(src.token,
                  fmt::format("expected two different nodes below {}, not {} and {}", made_.nodes, from, to));
    }
    const std::pair<int, int> edge(static_cast<int>(from), static_cast<int>(to));
    made_.edges.insert(edge);
    made_.edge_order.push_back(edge);
  }

  void read_edges() {
    const ScalaValue list = needed("edgeList", 1);
    for (const ScalaValue& one : scala_.list(list, "a list of edges")) {
      const ScalaRecord& edge = scala_.record(one, "TopologyEdge(src, dst)");
      const auto src = scala_.field(edge, "src", 0);
      const auto dst = scala_.field(edge, "dst", 1);
      if (edge.name != "TopologyEdge" || !src || !dst)
        scala_.fail(one.token, "expected TopologyEdge(src, dst)");
      add_edge(*src, *dst);
    }
  }

  void read_children(int depth) {
    set_nodes(made_.base->nodes);
    made_.offsets.push_back(made_.nodes);
    const ScalaValue list = needed("children", 1);
    for (const ScalaValue& one : scala_.list(list, "a list of HierarchicalSubTopology")) {
      const ScalaRecord& child = scala_.record(one, "HierarchicalSubTopology(src, dst, topo)");
      const auto src = scala_.field(child, "src", 0);
      const auto dst = scala_.field(child, "dst", 1);
      const auto topo = scala_.field(child, "topo", 2);
      if (child.name != "HierarchicalSubTopology" || !src || !dst || !topo)
        scala_.fail(one.token, "expected HierarchicalSubTopology(src, dst, topo)");
      NocTopology::Child made;
      made.topology = std::make_shared<const NocTopology>(NocTopologyMaker(scala_, *topo).run(depth + 1));
      const std::int64_t from = scala_.whole(*src, "a node of the base");
      const std::int64_t to = scala_.whole(*dst, "a node of the child");
      if (from < 0 || from >= made_.base->nodes || to < 0 || to >= made.topology->nodes) {
        scala_.fail(one.token, fmt::format("expected src below {} and dst below {}, not {} and {}",
                                           made_.base->nodes, made.topology->nodes, from, to));
      }
      made.src = static_cast<int>(from);
      made.dst = static_cast<int>(to);
      set_nodes(1.0 * made_.nodes + made.topology->nodes);
      made_.offsets.push_back(made_.nodes);
      made_.children.push_back(std::move(made));
    }
  }

  ScalaEvaluator& scala_;
  std::uint32_t token_;
  const ScalaRecord record_;
  NocTopology made_;
};

}  // namespace

std::size_t NocTopology::child_of(int node) const {
  return static_cast<std::size_t>(std::upper_bound(offsets.begin(), offsets.end(), node) - offsets.begin()) -
         1;
}

bool NocTopology::linked(int src, int dst) const {
  switch (kind) {
    case Kind::unidirectional_line:
      return dst - src == 1 || (dst > src && edges.contains({src, dst}));
    case Kind::bidirectional_line:
      return std::abs(dst - src) == 1;
    case Kind::unidirectional_ring:
      return ring_linked(src, dst, nodes, false);
    case Kind::bidirectional_ring:
      return ring_linked(src, dst, nodes, true);
    case Kind::butterfly: {
      // One stage on, where the digit of that stage alone may change.
      if (dst / height != src / height + 1) return false;
      for (int place = 0; place < b - 1; ++place) {
        if (place != src / height && digit(src % height, a, place) != digit(dst % height, a, place))
          return false;
      }
      return true;
    }
    case Kind::tree:
      return (dst > 0 && (dst - 1) / b == src) || (src > 0 && (src - 1) / b == dst);
    case Kind::mesh:
      return (src % a == dst % a && std::abs(src / a - dst / a) == 1) ||
             (src / a == dst / a && std::abs(src % a - dst % a) == 1);
    case Kind::unidirectional_torus:
    case Kind::bidirectional_torus: {
      const bool both = kind == Kind::bidirectional_torus;
      return (src / a == dst / a && ring_linked(src % a, dst % a, a, both)) ||
             (src % a == dst % a && ring_linked(src / a, dst / a, b, both));
    }
    case Kind::terminal_router:
      if (is_base(src) && is_base(dst)) return base->linked(src - base->nodes, dst - base->nodes);
      return src % base->nodes == dst % base->nodes && is_base(src) != is_base(dst);
    case Kind::hierarchical: {
      if (is_base(src) && is_base(dst)) return base->linked(src, dst);
      if (is_base(src) || is_base(dst)) {
        const int up = is_base(src) ? src : dst;
        const int down = is_base(src) ? dst : src;
        const std::size_t i = child_of(down);
        return children[i].src == up && children[i].dst == down - offsets[i];
      }
      const std::size_t i = child_of(src);
      return i == child_of(dst) && children[i].topology->linked(src - offsets[i], dst - offsets[i]);
    }
    case Kind::custom:
      break;
  }
  return edges.contains({src, dst});
}

std::shared_ptr<const NocTopology> make_noc_topology(ScalaEvaluator& scala, const ScalaValue& value) {
  return std::make_shared<const NocTopology>(NocTopologyMaker(scala, value).run(0));
}

}  // namespace unknot
