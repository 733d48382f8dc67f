// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/chips/floogen_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

class GraphMaker {
 public:
  GraphMaker(const FloogenPlan& plan, const std::string& file) : plan_(plan), file_(file) {}

  FloogenGraph run() {
    for (const FloogenPlan::Routers& one : plan_.routers) add_routers(one);
    routers_ = static_cast<std::uint32_t>(nodes_.size());
    if (routers_ == 0) throw InputError(fmt::format("{}: no router in this file", file_));
    for (const FloogenPlan::Endpoints& one : plan_.endpoints) add_endpoints(one);
    for (const FloogenPlan::Connection& one : plan_.connections) connect_all(one);
    for (std::uint32_t r = 0; r < routers_; ++r) give_ports(r);
    require_one_router();
    return {std::move(nodes_), routers_};
  }

 private:
  using Edge = FloogenGraph::Edge;
  using Node = FloogenGraph::Node;
  static constexpr std::uint32_t kMostNodes = 1000000;

  [[noreturn]] void fail(std::uint32_t line, const std::string& message) const {
    throw InputError(file_, line, message);
  }

  /// Refuses sizes that would take long to refuse one by one.
  void require_room(std::uint64_t more, std::uint32_t line) const {
    if (nodes_.size() + more > kMostNodes) fail(line, "more than a million routers and endpoints");
  }

  std::uint32_t add_node(std::string name, std::uint32_t line) {
    require_room(1, line);
    const auto number = static_cast<std::uint32_t>(nodes_.size());
    const auto [at, fresh] = number_of_.emplace(name, number);
    if (!fresh)
      fail(line, fmt::format("{} is already described on line {}", shown(name), nodes_[at->second].line));
    nodes_.emplace_back();
    nodes_.back().name = std::move(name);
    nodes_.back().line = line;
    return number;
  }
  void add_edge(std::uint32_t from, std::uint32_t to, std::optional<std::uint32_t> direction,
                std::uint32_t line) {
    if (!joined_.emplace(from, to).second) {
      fail(line, fmt::format("{} and {} are connected already, where FlooGen takes one connection",
                             shown(nodes_[from].name), shown(nodes_[to].name)));
    }
    nodes_[from].edges.push_back({to, direction, line});
  }
  void join(std::uint32_t a, std::optional<std::uint32_t> at_a, std::uint32_t b,
            std::optional<std::uint32_t> at_b, std::uint32_t line) {
    if (a == b) fail(line, fmt::format("{} is connected to itself", shown(nodes_[a].name)));
    add_edge(a, b, at_a, line);
    add_edge(b, a, at_b, line);
  }

  void add_routers(const FloogenPlan::Routers& one) {
    const auto first = static_cast<std::uint32_t>(nodes_.size());
    if (!one.tree.empty()) {
      add_tree(one, one.name, std::nullopt, 0);
    } else if (!one.array.empty()) {
      add_mesh(one);
    } else {
      add_node(one.name, one.line);
    }
    for (std::size_t i = first; i < nodes_.size(); ++i) {
      nodes_[i].group = static_cast<std::uint32_t>(&one - plan_.routers.data());
      nodes_[i].degree = one.degree;
    }
  }
  void add_mesh(const FloogenPlan::Routers& one) {
    enum : std::uint32_t { north, east, south, west };
    const std::uint32_t columns = one.array[1];
    require_room(std::uint64_t{one.array[0]} * columns, one.line);
    for (std::uint32_t i = 0; i < one.array[0]; ++i) {
      for (std::uint32_t j = 0; j < columns; ++j) {
        const std::uint32_t node = add_node(fmt::format("{}_{}_{}", one.name, i, j), one.line);
        nodes_[node].place = FloogenPlan::Place{static_cast<std::int32_t>(i), static_cast<std::int32_t>(j)};
        if (!one.joined) continue;
        if (i > 0) join(node, west, node - columns, east, one.line);
        if (j > 0) join(node, south, node - 1, north, one.line);
      }
    }
  }
  void add_tree(const FloogenPlan::Routers& one, const std::string& parent,
                std::optional<std::uint32_t> above, std::uint32_t level) {
    if (level == one.tree.size()) return;
    require_room(one.tree[level], one.line);
    if (level == kMostLevels) fail(one.line, fmt::format("more than {} levels of a tree", kMostLevels));
    for (std::uint32_t i = 0; i < one.tree[level]; ++i) {
      const std::string name = fmt::format("{}_{}", parent, i);
      const std::uint32_t node = add_node(name, one.line);
      nodes_[node].level = level;
      if (one.joined && above) join(*above, std::nullopt, node, std::nullopt, one.line);
      add_tree(one, name, node, level + 1);
    }
  }
  static constexpr std::uint32_t kMostLevels = 64;

  void add_endpoints(const FloogenPlan::Endpoints& one) {
    const auto add = [&](const std::string& name) {
      nodes_[add_node(name, one.line)].group = static_cast<std::uint32_t>(&one - plan_.endpoints.data());
    };
    std::uint64_t count = 1;
    for (const std::uint32_t size : one.array) count *= size;
    require_room(count, one.line);
    if (one.array.empty()) {
      add(one.name);
      return;
    }
    for (std::uint32_t i = 0; i < one.array[0]; ++i) {
      const std::string name = fmt::format("{}_{}", one.name, i);
      if (one.array.size() == 1) {
        add(name);
      } else {
        for (std::uint32_t j = 0; j < one.array[1]; ++j) add(fmt::format("{}_{}", name, j));
      }
    }
  }

  std::uint32_t node_named(const std::string& name, std::uint32_t line) const {
    const auto found = number_of_.find(name);
    if (found == number_of_.end()) fail(line, fmt::format("no router or endpoint {}", shown(name)));
    return found->second;
  }
  void add_range(const FloogenPlan::Side& side, const std::string& name, std::size_t depth,
                 std::vector<std::uint32_t>& all) const {
    const auto [first, last] = side.range[depth];
    for (std::int64_t i = first;; i += last > first ? 1 : -1) {
      const std::string deeper = fmt::format("{}_{}", name, i);
      if (depth + 1 < side.range.size()) {
        add_range(side, deeper, depth + 1, all);
      } else {
        all.push_back(node_named(deeper, side.line));
      }
      if (i == last) return;
    }
  }
  std::vector<std::uint32_t> nodes_of(const FloogenPlan::Side& side) const {
    std::vector<std::uint32_t> all;
    if (!side.range.empty()) {
      add_range(side, side.name, 0, all);
    } else if (side.level) {
      for (std::uint32_t r = 0; r < routers_; ++r) {
        const FloogenPlan::Routers& group = plan_.routers[nodes_[r].group];
        if (group.name == side.name && !group.tree.empty() && nodes_[r].level == *side.level)
          all.push_back(r);
      }
      if (all.empty())
        fail(side.line, fmt::format("routers {} have no level {}", shown(side.name), *side.level));
    } else {
      std::string name = side.name;
      for (const std::uint32_t i : side.index) name += fmt::format("_{}", i);
      all.push_back(node_named(name, side.line));
    }
    return all;
  }

  void connect_all(const FloogenPlan::Connection& one) {
    const std::vector<std::uint32_t> from = nodes_of(one.from);
    const std::vector<std::uint32_t> to = nodes_of(one.to);
    const std::size_t more = std::max(from.size(), to.size());
    const std::size_t fewer = std::min(from.size(), to.size());
    if (more != fewer && (!one.several || more % fewer != 0)) {
      fail(one.line, fmt::format("connects {} of {} with {} of {}, expected as many{}", from.size(),
                                 shown(one.from.name), to.size(), shown(one.to.name),
                                 one.several ? ", or a multiple" : "; or 'allow_multi: true'"));
    }
    for (std::size_t i = 0; i < more; ++i) {
      const std::uint32_t a = from[i / (more / from.size())];
      const std::uint32_t b = to[i / (more / to.size())];
      if (a >= routers_ && b >= routers_) {
        fail(one.line, fmt::format("{} and {} are endpoints, expected a router", shown(nodes_[a].name),
                                   shown(nodes_[b].name)));
      }
      join(a, one.from.direction, b, one.to.direction, one.line);
    }
  }

  /// Directions first, then the free ports in order.
  void give_ports(std::uint32_t r) {
    Node& node = nodes_[r];
    const std::size_t degree = node.degree.value_or(static_cast<std::uint32_t>(node.edges.size()));
    if (degree > 65535)
      fail(node.line, fmt::format("router {} has {} ports, more than 65535", shown(node.name), degree));
    std::vector<bool> taken(degree, false);
    node.ports.assign(node.edges.size(), 0);
    for (std::size_t i = 0; i < node.edges.size(); ++i) {
      if (!node.edges[i].direction) continue;
      const std::uint32_t port = *node.edges[i].direction;
      if (port >= degree) {
        fail(node.edges[i].line,
             fmt::format("port {} of router {}, which has {}: expected a port from 0, or 'degree'", port,
                         shown(node.name), degree));
      }
      if (taken[port])
        fail(node.edges[i].line, fmt::format("port {} of router {} is used twice", port, shown(node.name)));
      taken[port] = true;
      node.ports[i] = static_cast<std::uint16_t>(port + 1);
    }
    std::size_t free = 0;
    for (std::size_t i = 0; i < node.edges.size(); ++i) {
      if (node.edges[i].direction) continue;
      while (free < degree && taken[free]) ++free;
      if (free == degree) {
        fail(node.edges[i].line,
             fmt::format("router {} has more connections than its {} ports", shown(node.name), degree));
      }
      taken[free] = true;
      node.ports[i] = static_cast<std::uint16_t>(free + 1);
    }
    node.degree = static_cast<std::uint32_t>(degree);
  }

  void require_one_router() const {
    for (std::uint32_t t = routers_; t < nodes_.size(); ++t) {
      const Node& node = nodes_[t];
      if (node.edges.size() == 1) continue;
      fail(node.edges.size() > 1 ? node.edges[1].line : node.line,
           fmt::format("endpoint {} has {} connections, expected one to a router", shown(node.name),
                       node.edges.size()));
    }
  }

  const FloogenPlan& plan_;
  const std::string& file_;
  std::vector<Node> nodes_;
  std::uint32_t routers_ = 0;
  std::map<std::string, std::uint32_t, std::less<>> number_of_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> joined_;
};

}  // namespace

std::uint16_t FloogenGraph::port_to(std::uint32_t from, std::uint32_t to) const {
  const Node& node = nodes[from];
  const auto edge =
      std::find_if(node.edges.begin(), node.edges.end(), [&](const Edge& one) { return one.to == to; });
  return node.ports[static_cast<std::size_t>(edge - node.edges.begin())];
}

FloogenGraph make_floogen_graph(const FloogenPlan& plan, const std::string& file) {
  return GraphMaker(plan, file).run();
}

}  // namespace unknot
