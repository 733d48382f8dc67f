// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/constellation/noc_relation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace unknot {
namespace {

constexpr int kMostRelations = 64;     // each within another, or beside it
constexpr int kMostOfRelation = 4096;  // lanes and subnets

class NocRelationMaker {
 public:
  NocRelationMaker(ScalaEvaluator& scala, const ScalaValue& value, const NocRelation::Topology& topology,
                   int& made)
      : scala_(scala),
        token_(value.token),
        record_(scala.record(value, "a routing relation of Constellation")),
        topology_(topology),
        made_(made) {}

  NocRelation run() {
    if (record_.arguments == nullptr) scala_.fail(token_, fmt::format("expected () after {}", record_.name));
    if (++made_ > kMostRelations)
      scala_.fail(token_, fmt::format("expected at most {} relations within each other", kMostRelations));
    if (std::optional<NocRelation> composed = compose()) return std::move(*composed);
    if (std::optional<NocRelation> paths = of_paths()) return std::move(*paths);
    const bool by_dimension = record_.name == "Mesh2DDimensionOrderedRouting";
    if (!by_dimension && !record_.arguments->empty())
      scala_.fail(token_, fmt::format("expected {} without arguments", record_.name));
    NocRelation made = line_relation(record_.name, topology_);
    if (made.rel) return made;
    const int first_dim =
        by_dimension && scala_.argument(record_, "firstDim", 0) != nullptr ? number("firstDim", 0, 0) : 0;
    made = grid_relation(record_.name, topology_, first_dim);
    if (!made.rel) refuse();
    return made;
  }

 private:
  [[noreturn]] void refuse() const {
    if (record_.name == "ShortestPathGeneralizedDatelineRouting") {
      scala_.fail(
          token_,
          "expected a relation that the file and the rules of Constellation alone make: the datelines of "
          "ShortestPathGeneralizedDatelineRouting depend on the order of Scala's hash tables");
    }
    static constexpr std::array<std::string_view, 13> kOfGrids = {
        "Mesh2DDimensionOrderedRouting",
        "Mesh2DMinimalRouting",
        "Mesh2DWestFirstRouting",
        "Mesh2DNorthLastRouting",
        "Mesh2DEscapeRouting",
        "UnidirectionalTorus2DDatelineRouting",
        "BidirectionalTorus2DDatelineRouting",
        "DimensionOrderedUnidirectionalTorus2DDatelineRouting",
        "DimensionOrderedBidirectionalTorus2DDatelineRouting",
        "ButterflyRouting",
        "BidirectionalTreeRouting",
        "TerminalRouterRouting",
        "HierarchicalRouting"};
    if (std::find(kOfGrids.begin(), kOfGrids.end(), record_.name) != kOfGrids.end() ||
        record_.name == "CustomLayeredRouting")
      scala_.fail(token_, fmt::format("expected the topology that {} is for", record_.name));
    scala_.fail(token_, fmt::format("expected a relation of Constellation, as Mesh2DEscapeRouting(), not {}",
                                    record_.name));
  }

  ScalaValue needed(std::string_view name, std::size_t place) {
    return scala_.needed(record_, name, place, token_);
  }
  int number(std::string_view name, std::size_t place, int least) {
    return scala_.needed_number(record_, name, place, "a number", least, kMostOfRelation, token_);
  }
  NocRelation relation(const ScalaValue& value, const NocRelation::Topology& topology) {
    return NocRelationMaker(scala_, value, topology, made_).run();
  }
  int number_or(std::string_view name, std::size_t place, int least, int otherwise) {
    return scala_.argument(record_, name, place) == nullptr ? otherwise : number(name, place, least);
  }

  std::optional<NocRelation> compose() {
    if (record_.name == "EscapeChannelRouting") {
      NocRelation escape = relation(needed("escapeRouter", 0), topology_);
      NocRelation normal = relation(needed("normalRouter", 1), topology_);
      return escape_relation(std::move(escape), std::move(normal), number_or("nEscapeChannels", 2, 1, 1));
    }
    if (record_.name == "NonblockingVirtualSubnetworksRouting") {
      NocRelation base = relation(needed("f", 0), topology_);
      const int subnets = number("n", 1, 1);
      return nonblocking_relation(std::move(base), subnets, number("nDedicatedChannels", 2, 1));
    }
    if (record_.name == "BlockingVirtualSubnetworksRouting") {
      NocRelation base = relation(needed("f", 0), topology_);
      number("n", 1, 1);
      return blocking_relation(std::move(base), number_or("nDedicated", 2, 1, 1));
    }
    if (record_.name == "TerminalRouterRouting") {
      if (topology_->kind != NocTopology::Kind::terminal_router) refuse();
      return terminal_relation(relation(needed("baseRouting", 0), topology_->base), topology_);
    }
    if (record_.name != "HierarchicalRouting") return std::nullopt;
    if (topology_->kind != NocTopology::Kind::hierarchical) refuse();
    NocRelation base = relation(needed("baseRouting", 0), topology_->base);
    const ScalaValue list = needed("childRouting", 1);
    const std::vector<ScalaValue>& children = scala_.list(list, "a list of relations");
    if (children.size() != topology_->children.size()) {
      scala_.fail(token_, fmt::format("expected {} relations, one for each child of the topology, not {}",
                                      topology_->children.size(), children.size()));
    }
    std::vector<NocRelation> made;
    for (std::size_t i = 0; i < children.size(); ++i)
      made.push_back(relation(children[i], topology_->children[i].topology));
    return hierarchical_relation(std::move(base), std::move(made), topology_);
  }

  std::optional<NocRelation> of_paths() {
    if (record_.name == "ShortestPathRouting") {
      number_or("maxVCs", 0, 1, 1);
      constexpr int kMostPathNodes = 1024;  // a hop for each pair of them
      if (topology_->nodes > kMostPathNodes)
        scala_.fail(token_, fmt::format("expected {} on at most {} nodes", record_.name, kMostPathNodes));
      return shortest_path_relation(topology_);
    }
    if (record_.name == "EscapeIDOrderRouting") return id_order_relation(topology_);
    if (record_.name != "CustomLayeredRouting") return std::nullopt;
    if (topology_->kind != NocTopology::Kind::custom) refuse();
    try {
      return layered_relation(topology_);
    } catch (const InputError& error) {
      scala_.fail(token_, error.what());
    }
  }

  ScalaEvaluator& scala_;
  std::uint32_t token_;
  const ScalaRecord record_;
  const NocRelation::Topology& topology_;
  int& made_;
};

}  // namespace

NocRelation make_noc_relation(ScalaEvaluator& scala, const ScalaValue& value,
                              const NocRelation::Topology& topology) {
  int made = 0;
  return NocRelationMaker(scala, value, topology, made).run();
}

}  // namespace unknot
