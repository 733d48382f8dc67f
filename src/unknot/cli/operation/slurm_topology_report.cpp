// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/operation/slurm_topology_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/slurm/topology/topology_file.hpp"

namespace unknot::cli {
namespace {

std::string error_line(const slurm::TreeError& error) {
  return fmt::format("{:.2f} channels, {:.2f} without a tree", error.rms, error.rms_without_tree);
}

std::string groups_text(const SlurmTopologyOptions& options, const Network& network, const Judged& judged) {
  const slurm::TopologyTree& tree = judged.tree;
  const slurm::TreeError& error = judged.error;
  TextTable table(
      {{"hosts meet at"}, {"switches"}, {"pairs of hosts"}, {"channels between, mean"}, {"min"}, {"max"}});
  for (std::uint32_t level = 0; level < error.levels.size(); ++level) {
    std::uint64_t switches = 0;
    for (const auto& one : tree.switches) switches += one.level == level ? 1 : 0;
    const slurm::TreeError::Level& l = error.levels[level];
    table.add({fmt::format("level {}", level), grouped(switches), grouped(l.pairs),
               fmt::format("{:.2f}", l.mean), std::to_string(l.min), std::to_string(l.max)});
  }
  std::vector<std::pair<std::string, std::string>> rows;
  if (const auto* blocks = std::get_if<slurm::Blocks>(&judged.topology)) {
    rows.emplace_back("blocks", grouped(blocks->blocks.size()));
    rows.emplace_back("block sizes", fmt::format("{}", fmt::join(blocks->sizes, ", ")));
  }
  if (const auto* rings = std::get_if<slurm::Rings>(&judged.topology)) {
    rows.emplace_back("rings", grouped(rings->rings.size()));
    rows.emplace_back("from a node to the next", fmt::format("{:.2f} channels", judged.ring_step));
  }
  rows.emplace_back("error of the tree", error_line(error));
  rows.emplace_back("pairs put in the wrong order", fmt::format("{:.1f} %", 100 * error.wrong_order));
  return fabric_line(options.fabric, network) + "\n" + key_values(rows) + "\n" + table.text();
}

Json groups_json(const SlurmTopologyOptions& options, const Network& network, const Judged& judged) {
  const slurm::TopologyTree& tree = judged.tree;
  const slurm::TreeError& error = judged.error;
  Json document;
  add_fabric(document, options.fabric, network);
  if (const auto* blocks = std::get_if<slurm::Blocks>(&judged.topology)) {
    document["type"] = "block";
    document["blocks"] = blocks->blocks.size();
    document["block_sizes"] = blocks->sizes;
  } else if (const auto* rings = std::get_if<slurm::Rings>(&judged.topology)) {
    document["type"] = "ring";
    document["rings"] = rings->rings.size();
    document["ring_step"] = judged.ring_step;
  } else {
    document["type"] = "tree";
    document["switches"] = tree.switches.size();
  }
  document["rms_error"] = error.rms;
  document["rms_without_tree"] = error.rms_without_tree;
  document["wrong_order"] = error.wrong_order;
  Json levels = Json::array();
  for (const slurm::TreeError::Level& level : error.levels)
    levels.push_back({{"pairs", level.pairs}, {"mean", level.mean}, {"min", level.min}, {"max", level.max}});
  document["levels"] = std::move(levels);
  return document;
}

std::string extents_text(const slurm::Extents& e) {
  return fmt::format("{}x{}x{}", e[0], e[1], e[2]);
}

/// "2x2x2", and where they lie if that is not at multiples of it.
std::string placement_text(const slurm::CubePlacement& placement) {
  std::string text = extents_text(placement.dims);
  if (placement.spacing != placement.dims) text += " every " + extents_text(placement.spacing);
  if (placement.seed != slurm::Extents{}) text += " from " + extents_text(placement.seed);
  return text;
}

std::string cubes_text(const slurm::CubeShape& shape) {
  if (shape.whole == shape.anchors) return grouped(shape.anchors);
  return fmt::format("{} of {}", grouped(shape.whole), grouped(shape.anchors));
}

std::int64_t nodes_of(const slurm::Torus& torus) {
  return std::count_if(torus.node.begin(), torus.node.end(), [](TerminalId t) { return t.valid(); });
}

std::string torus_line(const slurm::Torus& torus) {
  const auto nodes = static_cast<std::uint64_t>(nodes_of(torus));
  if (nodes == torus.places()) return extents_text(torus.dims);
  return fmt::format("{}, {} of {} nodes", extents_text(torus.dims), grouped(nodes), grouped(torus.places()));
}

std::string torus_text(const SlurmTopologyOptions& options, const Network& network, const Judged& judged) {
  TextTable table({{"placement", Align::left},
                   {"nodes"},
                   {"sub-cubes"},
                   {"all-to-all at most"},
                   {"mean distance"},
                   {"routes", Align::left}});
  std::string shared;
  for (const slurm::CubeShape& shape : judged.shapes) {
    const char* verdict = shape.shared > 0 ? "share channels" : shape.inside ? "stay inside" : "disjoint";
    table.add({placement_text(shape), grouped(shape.nodes), cubes_text(shape),
               fmt::format("{:.3f}", shape.all_to_all_bound), fmt::format("{:.2f}", shape.mean_distance),
               verdict});
    if (shape.shared > 0) {
      shared += fmt::format("{}: {} channels are taken by two sub-cubes, {} by those at {} and {}\n",
                            placement_text(shape), grouped(shape.shared), network.channel_name(shape.example),
                            extents_text(shape.first), extents_text(shape.second));
    }
  }
  std::string text = fabric_line(options.fabric, network) + "\n" +
                     key_values({{"torus", torus_line(judged.torus)},
                                 {"error of the torus", fmt::format("{:.2f} channels", judged.torus_error)},
                                 {"routes", judged.routes}}) +
                     "\n" + table.text();
  if (!shared.empty()) text += "\n" + shared;
  if (!judged.all_shapes.empty()) {
    TextTable all(
        {{"placement", Align::left}, {"nodes"}, {"sub-cubes"}, {"all-to-all at most"}, {"mean distance"}});
    for (const slurm::CubeShape& shape : judged.all_shapes) {
      all.add({placement_text(shape), grouped(shape.nodes), cubes_text(shape),
               fmt::format("{:.3f}", shape.all_to_all_bound), fmt::format("{:.2f}", shape.mean_distance)});
    }
    text += "\n" + all.text();
  }
  return text;
}

Json shape_json(const Network& network, const slurm::CubeShape& shape) {
  Json json = {{"dims", shape.dims},
               {"nodes", shape.nodes},
               {"anchors", shape.anchors},
               {"whole", shape.whole},
               {"all_to_all_bound", shape.all_to_all_bound},
               {"mean_distance", shape.mean_distance}};
  if (shape.spacing != shape.dims) json["anchor_spacing"] = shape.spacing;
  if (shape.seed != slurm::Extents{}) json["anchor_seed"] = shape.seed;
  if (!shape.proven) return json;
  json["disjoint"] = shape.shared == 0;
  json["inside"] = shape.inside;
  json["shared_channels"] = shape.shared;
  if (shape.shared > 0) {
    json["example"] = {{"channel", network.channel_name(shape.example)},
                       {"anchors", {shape.first, shape.second}}};
  }
  return json;
}

Json torus_json(const SlurmTopologyOptions& options, const Network& network, const Judged& judged) {
  Json document;
  add_fabric(document, options.fabric, network);
  document["type"] = "torus3d";
  document["dims"] = judged.torus.dims;
  document["nodes"] = nodes_of(judged.torus);
  document["rms_error"] = judged.torus_error;
  document["routes"] = judged.routes;
  document["placements"] = Json::array();
  for (const slurm::CubeShape& shape : judged.shapes)
    document["placements"].push_back(shape_json(network, shape));
  if (!judged.all_shapes.empty()) {
    document["shapes"] = Json::array();
    for (const slurm::CubeShape& shape : judged.all_shapes)
      document["shapes"].push_back(shape_json(network, shape));
  }
  return document;
}

}  // namespace

std::string slurm_topology_text(const SlurmTopologyOptions& options, const Network& network,
                                const Judged& judged) {
  const bool torus = std::holds_alternative<slurm::NamedTorus>(judged.topology);
  return torus ? torus_text(options, network, judged) : groups_text(options, network, judged);
}

Json slurm_topology_json(const SlurmTopologyOptions& options, const Network& network, const Judged& judged) {
  const bool torus = std::holds_alternative<slurm::NamedTorus>(judged.topology);
  return torus ? torus_json(options, network, judged) : groups_json(options, network, judged);
}

std::string written_topology(const SlurmTopologyOptions& options, const Judged& judged) {
  if (const auto* torus = std::get_if<slurm::NamedTorus>(&judged.topology)) {
    return slurm::torus_yaml(
        *torus, fmt::format("Torus of {}; sub-cubes of each placement proven to share no channel "
                            "under {}: {}",
                            options.fabric, judged.routes,
                            std::all_of(judged.shapes.begin(), judged.shapes.end(),
                                        [](const auto& shape) { return shape.shared == 0; })
                                ? "all"
                                : "not all"));
  }
  const std::string wrong = fmt::format("error {}, {:.1f} % of pairs in the wrong order",
                                        error_line(judged.error), 100 * judged.error.wrong_order);
  if (const auto* blocks = std::get_if<slurm::Blocks>(&judged.topology))
    return slurm::blocks_yaml(*blocks, fmt::format("Blocks of {}: {}", options.fabric, wrong));
  if (const auto* rings = std::get_if<slurm::Rings>(&judged.topology)) {
    return slurm::rings_yaml(*rings, fmt::format("Rings of {}: {:.2f} channels from a node to the next",
                                                 options.fabric, judged.ring_step));
  }
  const std::string comment = fmt::format("Tree of {}: {}", options.fabric, wrong);
  return options.format == "conf" ? slurm::topology_conf(judged.tree, comment)
                                  : slurm::topology_yaml(judged.tree, comment);
}

}  // namespace unknot::cli
