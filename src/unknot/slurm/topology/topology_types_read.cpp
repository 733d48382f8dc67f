// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <set>

#include "unknot/slurm/topology/switch_lines.hpp"
#include "unknot/slurm/topology/topology_file.hpp"
#include "unknot/slurm/topology/topology_types.hpp"
#include "unknot/slurm/topology/yaml_topologies.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/number.hpp"
#include "unknot/support/parameters.hpp"
#include "unknot/support/text/host_list.hpp"
#include "unknot/support/text/scanner.hpp"
#include "unknot/support/text/yaml.hpp"

namespace unknot::slurm {
namespace {

using Kind = YamlValue::Kind;

const std::vector<std::string>& types() {
  static const std::vector<std::string> all = {"tree", "block", "ring", "torus3d", "flat"};
  return all;
}

class TypesReader {
 public:
  explicit TypesReader(const std::string& file) : file_(file) {}

  AnyTopology run(std::string_view text) {
    const YamlValue document = parse_yaml(text, file_);
    const auto [type, value] = chosen(document);
    if (type == "tree") return read_tree(*value, file_);
    if (type == "block") return blocks(*value);
    if (type == "ring") return rings(*value);
    return torus(*value);
  }

 private:
  struct Typed {
    std::string type;
    const YamlValue* value;
  };
  [[noreturn]] void fail(const YamlValue& at, const std::string& message) const {
    throw InputError(file_, at.line, message);
  }

  Typed chosen(const YamlValue& document) const {
    require_topologies(document, file_);
    std::vector<Typed> found;
    for (const YamlValue& topology : document.items) {
      Typed one{"", nullptr};
      for (const auto& [key, value] : topology.members) {
        if (key == "topology" || key == "cluster_default") continue;
        if (std::find(types().begin(), types().end(), key) == types().end()) {
          fail(value,
               fmt::format("there is no topology '{}'; {}", shown(key), near_or_all_names(key, types())));
        }
        if (one.value != nullptr) fail(value, fmt::format("the topology is {} and {}", one.type, key));
        one = {key, &value};
      }
      if (one.value == nullptr) fail(topology, fmt::format("expected one of {}", fmt::join(types(), ", ")));
      if (one.type == "flat") continue;
      if (is_default(topology)) return one;
      found.push_back(one);
    }
    if (found.empty()) fail(document, "no topology is a tree, block, ring or torus3d");
    if (found.size() > 1) {
      fail(document, fmt::format("{} topologies could be meant, expected one with 'cluster_default: true'",
                                 found.size()));
    }
    return found.front();
  }

  /// The members of a mapping, none but these.
  void check_keys(const YamlValue& at, const char* what, const std::vector<std::string>& keys) const {
    if (at.kind != Kind::mapping) fail(at, fmt::format("expected {} with {}", what, fmt::join(keys, ", ")));
    for (const auto& [key, value] : at.members) {
      if (std::find(keys.begin(), keys.end(), key) == keys.end())
        fail(value, fmt::format("{} has no '{}'; {}", what, shown(key), near_or_all_names(key, keys)));
    }
  }
  const YamlValue& member(const YamlValue& at, const char* what, const char* key, Kind kind) const {
    const YamlValue* value = at.find(key);
    if (value == nullptr) fail(at, fmt::format("{} has no '{}'", what, key));
    if (value->kind != kind || (kind == Kind::sequence && value->items.empty()) ||
        (kind == Kind::scalar && value->text.empty())) {
      fail(*value, fmt::format("expected {} for '{}'",
                               kind == Kind::scalar     ? "a text"
                               : kind == Kind::sequence ? "a list"
                                                        : "x, y and z",
                               key));
    }
    return *value;
  }
  std::uint32_t number(const YamlValue& at, std::uint32_t least) const {
    const auto value = at.kind == Kind::scalar ? number_in<std::uint32_t>(at.text) : std::nullopt;
    if (!value || *value < least || *value > kMostHosts) {
      fail(at,
           fmt::format("expected a whole number from {} to {}, not '{}'", least, kMostHosts, shown(at.text)));
    }
    return *value;
  }
  Extents extents(const YamlValue& at, const char* what, std::uint32_t least) const {
    check_keys(at, what, {"x", "y", "z"});
    Extents all;
    for (std::uint32_t d = 0; d < 3; ++d) {
      const char* name = d == 0 ? "x" : d == 1 ? "y" : "z";
      all[d] = number(member(at, what, name, Kind::scalar), least);
    }
    return all;
  }

  std::vector<NodeGroup> groups(const YamlValue& list, const char* one) {
    std::vector<NodeGroup> all;
    std::set<std::string> names;
    for (const YamlValue& item : list.items) {
      check_keys(item, one, {one, "nodes"});
      NodeGroup& group = all.emplace_back();
      group.name = member(item, one, one, Kind::scalar).text;
      if (!names.insert(group.name).second)
        fail(item, fmt::format("{} {} is there twice", one, shown(group.name)));
      group.nodes = nodes(member(item, one, "nodes", Kind::scalar));
    }
    return all;
  }
  std::vector<std::string> nodes(const YamlValue& at) {
    std::vector<std::string> hosts = read_host_list(at.text, file_, at.line);
    for (const std::string& host : hosts)
      if (!nodes_.insert(host).second) fail(at, fmt::format("node {} is there twice", shown(host)));
    return hosts;
  }

  Blocks blocks(const YamlValue& at) {
    check_keys(at, "block", {"block_sizes", "blocks"});
    Blocks made;
    made.blocks = groups(member(at, "block", "blocks", Kind::sequence), "block");
    const YamlValue* sizes = at.find("block_sizes");
    if (sizes == nullptr) return made;
    if (sizes->kind != Kind::sequence) fail(*sizes, "expected a list for 'block_sizes'");
    for (const YamlValue& item : sizes->items) {
      const std::uint32_t size = number(item, 1);
      if (!made.sizes.empty()) {
        const std::uint32_t base = made.sizes.front();
        if (size <= made.sizes.back() || size % base != 0 || !std::has_single_bit(size / base)) {
          fail(item, fmt::format("block size {} is not a power of two times {}, and larger than those before",
                                 size, base));
        }
      }
      made.sizes.push_back(size);
    }
    return made;
  }

  Rings rings(const YamlValue& at) {
    check_keys(at, "ring", {"rings"});
    const YamlValue& list = member(at, "ring", "rings", Kind::sequence);
    Rings made{groups(list, "ring")};
    for (std::size_t r = 0; r < made.rings.size(); ++r) {
      if (made.rings[r].nodes.size() > kMostOfRing) {
        fail(list.items[r],
             fmt::format("a ring of {} nodes, expected at most {}", made.rings[r].nodes.size(), kMostOfRing));
      }
    }
    return made;
  }

  NamedTorus torus(const YamlValue& at) {
    check_keys(at, "torus3d", {"toruses"});
    const YamlValue& list = member(at, "torus3d", "toruses", Kind::sequence);
    if (list.items.size() > 1) fail(list.items[1], "a second torus: a fabric is compared with one");
    const YamlValue& one = list.items.front();
    check_keys(one, "torus", {"name", "dims", "nodes", "regions", "placements"});
    NamedTorus made;
    made.name = member(one, "torus", "name", Kind::scalar).text;
    made.dims = extents(member(one, "torus", "dims", Kind::mapping), "dims", 1);
    const std::uint64_t places = std::uint64_t{made.dims[0]} * made.dims[1] * made.dims[2];
    if (places > kMostHosts) fail(one, fmt::format("a torus of more than {} nodes", kMostHosts));
    if (one.find("regions") != nullptr) {
      regions(one, made);
    } else {
      const YamlValue& value = member(one, "torus", "nodes", Kind::scalar);
      made.nodes = nodes(value);
      if (made.nodes.size() != places)
        fail(value, fmt::format("{} nodes for {} places", made.nodes.size(), places));
    }
    const YamlValue& shapes = member(one, "torus", "placements", Kind::sequence);
    for (const YamlValue& shape : shapes.items) {
      check_keys(shape, "placement", {"dims", "anchor_seed", "anchor_spacing"});
      const YamlValue& value = member(shape, "placement", "dims", Kind::mapping);
      CubePlacement placement;
      placement.dims = placement.spacing = extents(value, "dims", 1);
      within(value, placement.dims, made.dims, 1);
      if (const YamlValue* seed = shape.find("anchor_seed")) {
        placement.seed = extents(*seed, "anchor_seed", 0);
        within(*seed, placement.seed, made.dims, 0);
      }
      if (const YamlValue* step = shape.find("anchor_spacing")) {
        placement.spacing = extents(*step, "anchor_spacing", 1);
        within(*step, placement.spacing, made.dims, 1);
      }
      made.placements.push_back(placement);
    }
    return made;
  }
  void within(const YamlValue& at, const Extents& values, const Extents& dims, std::uint32_t beyond) const {
    for (std::uint32_t d = 0; d < 3; ++d) {
      if (values[d] < dims[d] + beyond) continue;
      fail(at, fmt::format("{} is beyond the torus of {}x{}x{}", values[d], dims[0], dims[1], dims[2]));
    }
  }
  /// Boxes of places; others have no node.
  void regions(const YamlValue& one, NamedTorus& made) {
    if (one.find("nodes") != nullptr) fail(one, "the torus has nodes and regions: expected one of them");
    Torus places;
    places.dims = made.dims;
    made.nodes.assign(places.places(), "");
    for (const YamlValue& region : member(one, "torus", "regions", Kind::sequence).items) {
      check_keys(region, "region", {"anchor", "dims", "nodes"});
      const Extents anchor = extents(member(region, "region", "anchor", Kind::mapping), "anchor", 0);
      Torus box;
      box.dims = extents(member(region, "region", "dims", Kind::mapping), "dims", 1);
      for (std::uint32_t d = 0; d < 3; ++d)
        if (anchor[d] + box.dims[d] > made.dims[d]) fail(region, "the region goes beyond the torus");
      const std::vector<std::string> hosts = nodes(member(region, "region", "nodes", Kind::scalar));
      if (hosts.size() != box.places())
        fail(region, fmt::format("{} nodes for {} places", hosts.size(), box.places()));
      for (std::uint32_t p = 0; p < hosts.size(); ++p) {
        Extents at = box.at(p);
        for (std::uint32_t d = 0; d < 3; ++d) at[d] += anchor[d];
        std::string& node = made.nodes[places.place(at)];
        if (!node.empty()) fail(region, fmt::format("node {} is where {} is", shown(hosts[p]), shown(node)));
        node = hosts[p];
      }
    }
  }

  std::string file_;
  std::set<std::string> nodes_;
};

}  // namespace

AnyTopology parse_any_topology(std::string_view text, const std::string& file) {
  if (!is_topology_yaml(text)) return parse_topology_conf(text, file);
  return TypesReader(file).run(text);
}

}  // namespace unknot::slurm
