// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/graph/graph_draft.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "unknot/formats/draft/fabric_draft.hpp"
#include "unknot/formats/draft/label_checks.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

using Node = GraphDraft::Node;
using Edge = GraphDraft::Edge;

constexpr std::array<std::string_view, GraphDraft::node_fields> kNodeNames{
    "kind", "name", "label", "guid", "node_guid", "lid", "level", "ports"};
constexpr std::array<std::string_view, GraphDraft::edge_fields> kEdgeNames{
    "source_port", "target_port", "port", "rate", "latency", "latency_back", "capacity", "capacity_back"};
constexpr std::uint32_t kNone = 0xFFFFFFFFU;
constexpr std::uint64_t kMaxPort = 65535;
constexpr std::uint64_t kMax32 = 0xFFFFFFFFU;

bool given(std::string_view value) {
  return value.data() != nullptr;
}

std::string_view trimmed(std::string_view value) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t begin = value.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return value.substr(0, 0);
  return value.substr(begin, value.find_last_not_of(kBlanks) - begin + 1);
}

enum class Kind : std::uint8_t { router, terminal, service };

std::optional<Kind> known_kind(const Node& node) {
  const std::string_view word = trimmed(node.values[GraphDraft::kind]);
  if (word == "router") return Kind::router;
  if (word == "terminal") return Kind::terminal;
  if (word == "service") return Kind::service;
  return std::nullopt;
}

/// Where a terminal or a service node is connected.
struct Home {
  std::uint32_t router = kNone;
  std::uint16_t router_port = 0;  // 0: not stated
  std::uint16_t own_port = 0;
  LinkRate rate = 0;
  std::uint32_t latency = 0, capacity = 0;
  bool to_node = false;  // which of its directions have been seen
  bool from_node = false;
};

/// The ends of a link as numbers, in its direction; two that mirror each other are a cable.
using Ends = std::array<std::uint32_t, 4>;  // router, port, router, port

struct EndsHash {
  std::size_t operator()(const Ends& ends) const {
    std::uint64_t hash = 0;
    for (const std::uint32_t part : ends) hash = (hash ^ part) * 0x9E3779B97F4A7C15U + (hash >> 29);
    return static_cast<std::size_t>(hash ^ hash >> 32);
  }
};

class Assembly {
 public:
  Assembly(const GraphDraft& draft, const std::string& file) : draft_(draft), file_(file) {}

  Network run() {
    if (draft_.nodes.empty()) throw InputError(fmt::format("{}: no node in this graph", file_));
    number_nodes();
    builder_.reserve(routers_.size(), draft_.edges.size(), others_.size());
    builder_.add_routers(static_cast<std::uint32_t>(routers_.size()));
    for (const Edge& edge : draft_.edges) connect(edge);
    add_links();
    add_others();
    builder_.labels().router_name = texts(routers_);
    if (annotated_) label();
    builder_.set_description(file_);
    try {
      Network network = std::move(builder_).build();
      check_labelled_ports(network, file_);
      require_connected(network, file_);
      return network;
    } catch (const InputError& error) {
      const std::string message = error.what();
      throw InputError(message.starts_with(file_) ? message : file_ + ": " + message);
    }
  }

 private:
  [[noreturn]] void fail(std::uint32_t line, const std::string& message) const {
    throw InputError(file_, line, message);
  }
  static std::string quoted(const Node& node) { return fmt::format("\"{}\"", shown(node.id)); }

  void number_nodes() {
    for (const Node& node : draft_.nodes) annotated_ = annotated_ || known_kind(node).has_value();
    number_.reserve(draft_.nodes.size());
    for (const Node& node : draft_.nodes) {
      const Kind kind = annotated_ ? known_kind(node).value_or(Kind::router) : Kind::router;
      std::vector<const Node*>& list = kind == Kind::router ? routers_ : others_;
      kind_.push_back(kind);
      number_.push_back(static_cast<std::uint32_t>(list.size()));
      list.push_back(&node);
    }
    homes_.resize(others_.size());
  }

  std::uint64_t number(std::string_view value, std::uint32_t line, std::string_view what, std::uint64_t min,
                       std::uint64_t max) const {
    Cursor cursor(trimmed(value));
    const auto n = cursor.decimal(max);
    if (!n || *n < min || !cursor.at_end()) {
      fail(line,
           fmt::format("{}: expected a whole number from {} to {}, not '{}'", what, min, max, shown(value)));
    }
    return *n;
  }
  /// 0 where the graph does not say, or is none of ours.
  std::uint16_t port_of(const Edge& edge, GraphDraft::EdgeField field) const {
    const std::string_view value = edge.values[field];
    if (!annotated_ || !given(value)) return 0;
    return static_cast<std::uint16_t>(number(value, edge.line, kEdgeNames[field], 1, kMaxPort));
  }
  LinkRate rate_of(const Edge& edge) const {
    const std::string_view value = trimmed(edge.values[GraphDraft::rate]);
    if (!annotated_ || value.empty()) return 0;
    const LinkRate known = link_rate_from(std::string(value));
    if (known == 0) fail(edge.line, fmt::format("expected a rate such as 4xNDR, not '{}'", shown(value)));
    return known;
  }

  // Latencies and capacities count in a graph of anybody's making, too. 0 where it does not say.

  /// Libraries of graphs write a whole number of theirs as 7.0, too.
  std::uint32_t latency_of(const Edge& edge, GraphDraft::EdgeField field) const {
    const std::string_view value = trimmed(edge.values[field]);
    if (!given(edge.values[field])) return 0;
    Cursor cursor(value);
    const auto cycles = cursor.decimal(kMax32);
    const bool whole = cursor.at_end() ||
                       (cursor.eat(".0") && cursor.rest().find_first_not_of('0') == std::string_view::npos);
    if (cycles && whole) return static_cast<std::uint32_t>(*cycles);
    fail(edge.line, fmt::format("{}: expected a whole number of cycles from 0 to {}, not '{}'",
                                kEdgeNames[field], kMax32, shown(value)));
  }
  std::uint32_t capacity_of(const Edge& edge, GraphDraft::EdgeField field) const {
    const std::string_view value = edge.values[field];
    if (!given(value) || (field == GraphDraft::capacity_back && trimmed(value) == "0")) return 0;
    if (const auto megabits = megabits_from(trimmed(value))) return *megabits;
    fail(edge.line, fmt::format("{}: expected {}, not '{}'", kEdgeNames[field], kCapacityRule, shown(value)));
  }
  /// Of an undirected edge the way back, where it is not said the same as there.
  std::uint32_t latency_back(const Edge& edge) const {
    if (edge.directed) return 0;
    return latency_of(
        edge, given(edge.values[GraphDraft::latency_back]) ? GraphDraft::latency_back : GraphDraft::latency);
  }
  std::uint32_t capacity_back(const Edge& edge) const {
    if (edge.directed) return 0;
    return capacity_of(edge, given(edge.values[GraphDraft::capacity_back]) ? GraphDraft::capacity_back
                                                                           : GraphDraft::capacity);
  }

  void connect(const Edge& edge) {
    const bool from_router = kind_[edge.source] == Kind::router;
    const bool to_router = kind_[edge.target] == Kind::router;
    if (from_router && to_router) {
      add_link(edge);
    } else if (from_router || to_router) {
      attach(edge, from_router);
    } else {
      fail(edge.line, fmt::format("{} and {} are connected without a router",
                                  quoted(draft_.nodes[edge.source]), quoted(draft_.nodes[edge.target])));
    }
  }

  struct Link {
    Ends ends;
    LinkRate rate;
    std::uint32_t latency, latency_back, capacity, capacity_back;
    std::uint32_t line;
    bool cable;
  };

  void add_link(const Edge& edge) {
    if (edge.source == edge.target) {
      fail(edge.line, fmt::format("{} is connected to itself", quoted(draft_.nodes[edge.source])));
    }
    const Ends ends{number_[edge.source], port_of(edge, GraphDraft::source_port), number_[edge.target],
                    port_of(edge, GraphDraft::target_port)};
    if ((ends[1] == 0) != (ends[3] == 0)) {
      fail(edge.line, "expected both source_port and target_port, or neither");
    }
    const LinkRate rate = rate_of(edge);
    if (edge.directed) {
      const auto waiting = one_way_.find(Ends{ends[2], ends[3], ends[0], ends[1]});
      if (waiting != one_way_.end() && !waiting->second.empty()) {
        Link& other = links_[waiting->second.back()];
        waiting->second.pop_back();
        if (other.rate != rate) {
          fail(edge.line, fmt::format("another rate than in the other direction, on line {}", other.line));
        }
        other.latency_back = latency_of(edge, GraphDraft::latency);
        other.capacity_back = capacity_of(edge, GraphDraft::capacity);
        other.cable = true;
        return;
      }
      one_way_[ends].push_back(static_cast<std::uint32_t>(links_.size()));
    }
    links_.push_back({ends, rate, latency_of(edge, GraphDraft::latency), latency_back(edge),
                      capacity_of(edge, GraphDraft::capacity), capacity_back(edge), edge.line,
                      !edge.directed});
  }

  [[noreturn]] void refuse_two_capacities(const Edge& edge, std::uint32_t node) const {
    fail(edge.line, fmt::format("{} has another capacity in the other direction, expected one for both",
                                quoted(draft_.nodes[node])));
  }

  void attach(const Edge& edge, bool from_router) {
    const std::uint32_t node = from_router ? edge.target : edge.source;
    const std::uint32_t router = number_[from_router ? edge.source : edge.target];
    Home& home = homes_[number_[node]];
    const std::uint16_t stated =
        port_of(edge, from_router ? GraphDraft::source_port : GraphDraft::target_port);
    const std::uint16_t port = port_of(edge, GraphDraft::port);
    const Home seen{router,
                    port != 0 ? port : stated,
                    port_of(edge, from_router ? GraphDraft::target_port : GraphDraft::source_port),
                    rate_of(edge),
                    latency_of(edge, GraphDraft::latency),
                    capacity_of(edge, GraphDraft::capacity),
                    from_router || !edge.directed,
                    !from_router || !edge.directed};
    if (!edge.directed && capacity_back(edge) != seen.capacity) refuse_two_capacities(edge, node);
    if (home.router == kNone) {
      home = seen;
      return;
    }
    const bool other_way = !(home.to_node && seen.to_node) && !(home.from_node && seen.from_node);
    if (!other_way || home.router != router || home.router_port != seen.router_port) {
      fail(edge.line,
           fmt::format("{} has a cable already, expected one, to one router", quoted(draft_.nodes[node])));
    }
    if (seen.capacity != home.capacity) refuse_two_capacities(edge, node);
    home.to_node = home.from_node = true;
  }

  void add_links() {
    for (const Link& link : links_) {
      const RouterId a(link.ends[0]);
      const RouterId b(link.ends[2]);
      const auto port_a = static_cast<std::uint16_t>(link.ends[1]);
      const auto port_b = static_cast<std::uint16_t>(link.ends[3]);
      if (port_a != 0) {
        link.cable ? builder_.add_cable(a, port_a, b, port_b, link.rate)
                   : builder_.add_channel(a, port_a, b, port_b, link.rate);
      } else {
        link.cable ? builder_.add_cable(a, b, link.rate) : builder_.add_channel(a, b, link.rate);
      }
      builder_.set_latency(link.latency, link.latency_back);
      builder_.set_capacity(link.capacity, link.capacity_back);
    }
  }

  /// Terminals and service nodes; one terminal for each router of a graph that is not annotated.
  void add_others() {
    if (!annotated_) {
      for (std::uint32_t r = 0; r < routers_.size(); ++r) builder_.add_terminal(RouterId(r));
      return;
    }
    for (std::size_t i = 0; i < draft_.nodes.size(); ++i) {
      if (kind_[i] == Kind::router) continue;
      const Node& node = draft_.nodes[i];
      const Home& home = homes_[number_[i]];
      if (home.router == kNone) fail(node.line, fmt::format("{} is connected to no router", quoted(node)));
      if (kind_[i] == Kind::terminal) {
        terminals_.push_back(&node);
        terminal_homes_.push_back(&home);
        if (home.router_port == 0) {
          builder_.add_terminal(RouterId(home.router));
        } else {
          builder_.add_terminal(RouterId(home.router), home.router_port);
        }
        continue;
      }
      if (home.router_port == 0)
        fail(node.line, fmt::format("the port that leads to {} is not given", quoted(node)));
      builder_.labels().service_nodes.push_back(
          {RouterId(home.router), home.router_port, guid_or_zero(node, GraphDraft::node_guid),
           guid_or_zero(node, GraphDraft::guid), lid_of(node), home.rate, text(node)});
    }
  }

  static std::string text(const Node& node) {
    const std::string_view name = node.values[GraphDraft::name];
    const std::string_view label = node.values[GraphDraft::label];
    return std::string(given(name) ? name : given(label) ? label : node.id);
  }
  static std::vector<std::string> texts(const std::vector<const Node*>& nodes) {
    std::vector<std::string> all;
    all.reserve(nodes.size());
    for (const Node* node : nodes) all.push_back(text(*node));
    return all;
  }

  std::uint64_t guid_of(const Node& node, GraphDraft::NodeField field) const {
    Cursor cursor(trimmed(node.values[field]));
    if (cursor.eat("0x")) {
      const auto n = cursor.hex();
      if (n && cursor.at_end()) return *n;
    }
    fail(node.line, fmt::format("{}: expected a GUID such as 0x0002c90000000001, not '{}'", kNodeNames[field],
                                shown(node.values[field])));
  }
  std::uint64_t guid_or_zero(const Node& node, GraphDraft::NodeField field) const {
    return given(node.values[field]) ? guid_of(node, field) : 0;
  }
  std::uint32_t lid_of(const Node& node) const {
    const std::string_view value = node.values[GraphDraft::lid];
    return given(value) ? static_cast<std::uint32_t>(number(value, node.line, "lid", 0, kMax32)) : 0;
  }

  /// A column of an attribute that all of the nodes have, or none of them: then it is empty.
  template <class T, class Value>
  std::vector<T> column(const std::vector<const Node*>& nodes, GraphDraft::NodeField field,
                        const Value& value) const {
    const auto has = [field](const Node* node) { return given(node->values[field]); };
    std::vector<T> all;
    if (std::none_of(nodes.begin(), nodes.end(), has)) return all;
    all.reserve(nodes.size());
    for (const Node* node : nodes) {
      if (!has(node))
        fail(node->line, fmt::format("{} has no {}, others have", quoted(*node), kNodeNames[field]));
      all.push_back(static_cast<T>(value(*node)));
    }
    return all;
  }
  std::vector<std::uint64_t> guids(const std::vector<const Node*>& nodes, GraphDraft::NodeField field) const {
    return column<std::uint64_t>(nodes, field, [&](const Node& node) { return guid_of(node, field); });
  }
  template <class T>
  std::vector<T> numbers(const std::vector<const Node*>& nodes, GraphDraft::NodeField field,
                         std::uint64_t max) const {
    return column<T>(nodes, field, [&](const Node& node) {
      return number(node.values[field], node.line, kNodeNames[field], 0, max);
    });
  }

  /// Throws where two of the nodes have the same value. 0 is not looked at: it stands for none.
  template <class T>
  void check_unique(const std::vector<const Node*>& nodes, const std::vector<T>& values,
                    GraphDraft::NodeField field) const {
    std::vector<std::pair<T, std::uint32_t>> sorted;  // and the line
    sorted.reserve(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] != 0) sorted.emplace_back(values[i], nodes[i]->line);
    }
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 1; i < sorted.size(); ++i) {
      if (sorted[i].first != sorted[i - 1].first) continue;
      fail(sorted[i].second,
           fmt::format("the {} is already on line {}", kNodeNames[field], sorted[i - 1].second));
    }
  }

  void label() {
    Labels& labels = builder_.labels();
    labels.router_guid = guids(routers_, GraphDraft::guid);
    check_unique(routers_, labels.router_guid, GraphDraft::guid);
    labels.router_ports = numbers<std::uint16_t>(routers_, GraphDraft::ports, kMaxPort);
    builder_.set_levels(numbers<std::uint32_t>(routers_, GraphDraft::level, kMax32));
    if (!terminals_.empty()) {
      labels.terminal_name = texts(terminals_);
      labels.terminal_node_guid = guids(terminals_, GraphDraft::node_guid);
      labels.terminal_port_guid = guids(terminals_, GraphDraft::guid);
      check_unique(terminals_, labels.terminal_port_guid, GraphDraft::guid);
      label_adapters(labels);
    }
    label_lids(labels);
  }

  void label_adapters(Labels& labels) const {
    labels.terminal_adapter_ports = numbers<std::uint16_t>(terminals_, GraphDraft::ports, kMaxPort);
    const bool counted = !labels.terminal_adapter_ports.empty();
    bool rated = false, timed = false, measured = false;
    for (std::size_t t = 0; t < terminals_.size(); ++t) {
      const Home& home = *terminal_homes_[t];
      const std::uint16_t own = std::max<std::uint16_t>(home.own_port, 1);
      if (counted && own > labels.terminal_adapter_ports[t]) {
        fail(terminals_[t]->line, fmt::format("{} uses port {}, but has {}", quoted(*terminals_[t]), own,
                                              labels.terminal_adapter_ports[t]));
      }
      labels.terminal_adapter_port.push_back(own);
      labels.terminal_rate.push_back(home.rate);
      labels.terminal_latency.push_back(home.latency);
      rated = rated || home.rate != 0;
      labels.terminal_capacity.push_back(home.capacity);
      timed = timed || home.latency != 0;
      measured = measured || home.capacity != 0;
    }
    if (!rated) labels.terminal_rate.clear();
    if (!timed) labels.terminal_latency.clear();
    if (!measured) labels.terminal_capacity.clear();
    if (!counted) labels.terminal_adapter_ports = labels.terminal_adapter_port;
  }

  /// Routers, terminals and service nodes share the addresses.
  void label_lids(Labels& labels) const {
    std::vector<const Node*> nodes(routers_);
    nodes.insert(nodes.end(), terminals_.begin(), terminals_.end());
    std::vector<std::uint32_t> lids;
    lids.reserve(nodes.size());
    for (const Node* node : nodes) lids.push_back(lid_of(*node));
    check_unique(nodes, lids, GraphDraft::lid);
    if (std::find(lids.begin(), lids.end(), 0U) != lids.end()) return;
    const auto split = lids.begin() + static_cast<std::ptrdiff_t>(routers_.size());
    labels.router_lid.assign(lids.begin(), split);
    labels.terminal_lid.assign(split, lids.end());
  }

  const GraphDraft& draft_;
  const std::string& file_;
  bool annotated_ = false;             // the kinds of nodes are given
  std::vector<Kind> kind_;             // by node
  std::vector<std::uint32_t> number_;  // by node: index into routers_ or others_
  std::vector<const Node*> routers_, others_, terminals_;
  std::vector<Home> homes_;  // by index into others_
  std::vector<const Home*> terminal_homes_;
  std::vector<Link> links_;
  std::unordered_map<Ends, std::vector<std::uint32_t>, EndsHash>
      one_way_;  // that have met no other direction
  NetworkBuilder builder_;
};

template <class Field, std::size_t N>
Field field_of(const std::array<std::string_view, N>& names, std::string_view name) {
  return static_cast<Field>(std::find(names.begin(), names.end(), name) - names.begin());
}

}  // namespace

GraphDraft::NodeField GraphDraft::node_field(std::string_view name) {
  return field_of<NodeField>(kNodeNames, name);
}

GraphDraft::EdgeField GraphDraft::edge_field(std::string_view name) {
  return field_of<EdgeField>(kEdgeNames, name);
}

Network assemble(const GraphDraft& draft, const std::string& file) {
  return Assembly(draft, file).run();
}

}  // namespace unknot
