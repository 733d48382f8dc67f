// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/operation/slurm_topology_report.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/progress_bar.hpp"
#include "unknot/formats/fabric/fabric_catalogue.hpp"
#include "unknot/network/grid.hpp"
#include "unknot/network/grids/recognise_grid.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/routing/rules/rules.hpp"
#include "unknot/slurm/topology/topology_file.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/parameters.hpp"
#include "unknot/support/text/grouped.hpp"
#include "unknot/support/text/in_file.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot::cli {
namespace {

const std::vector<std::string>& slurm_types() {
  static const std::vector<std::string> all = {"tree", "block", "ring", "torus3d"};
  return all;
}

void slurm_topology_check_options(const SlurmTopologyOptions& options, const Common& common) {
  if (std::find(slurm_types().begin(), slurm_types().end(), options.type) == slurm_types().end())
    refuse_name("type of topology", options.type, slurm_types());
  if (options.format != "conf" && options.format != "yaml")
    throw InputError(fmt::format("slurm-topology: --format is conf or yaml, not '{}'", options.format));
  if (options.type != "tree" && options.format_given->count() > 0 && options.format == "conf")
    throw InputError(fmt::format("slurm-topology: type {} is written as topology.yaml", options.type));
  if (!options.check.empty() && !options.output.empty())
    throw InputError("slurm-topology: --check judges a file, and -o writes one; give one of them");
  if (!options.check.empty() && options.type_given->count() > 0)
    throw InputError("slurm-topology: --check finds the type in the file; leave out --type");
  const bool routes = options.routes.by_engine() || options.routes.from_tables() || options.all_shapes;
  if (routes && options.check.empty() && options.type != "torus3d")
    throw InputError("slurm-topology: --engine, --tables and --all-shapes are for --type torus3d");
  if (options.routes.by_engine() && options.routes.from_tables())
    throw InputError("slurm-topology: give --engine or --tables, one of them");
  if (options.output == "-" && common.json)
    throw InputError("slurm-topology: -o - and --json both go to standard output");
  check_outputs({options.output});
}

/// Along the routes that jobs' packets take. Dimension order is for whole grids: others have those of the
/// usual engine.
void prove_shapes(const SlurmTopologyOptions& options, const Common& common, const Network& network,
                  Judged& judged) {
  const auto prove = [&](const slurm::NextChannels& next) {
    in_file(options.check,
            [&] { slurm::prove_disjoint(network, judged.torus, next, common.threads, judged.shapes); });
  };
  RoutingSource routes = options.routes;
  if (!routes.by_engine() && !routes.from_tables()) {
    const Network grid = with_recognised_grid(network);  // the rule looks at coordinates
    if (grid.coordinates() != nullptr && grid_trouble(grid).empty()) {
      judged.routes = "dimension order";
      return prove(slurm::next_by_rule(network, *dimension_order_rule(grid)));
    }
    routes.engine = "unknot";
  }
  judged.routes = routes.by_engine() ? "engine " + routes.engine : routes.input.tables;
  ProgressBar bar(common);
  const Routing routing = routing_from(network, routes, common, bar);
  require_tables(routing, "slurm-topology --type torus3d");
  VerifyOptions checks;
  checks.threads = common.threads;
  if (const Verdict verdict = verify(network, routing, checks, bar); !verdict.complete()) {
    throw InputError(fmt::format(
        "slurm-topology: {} of {} pairs are not delivered by {}, and where their routes would go is "
        "not known; see unknot verify",
        grouped(verdict.unroutable_pairs), grouped(verdict.pairs), judged.routes));
  }
  prove(slurm::next_by_tables(network, routing.table()));
}

/// What the topology is of: the file to check, or made of the fabric.
slurm::AnyTopology find_topology(const SlurmTopologyOptions& options, const Network& network,
                                 Judged& judged) {
  if (!options.check.empty()) return slurm::parse_any_topology(read_file(options.check), options.check);
  if (options.type == "block") return slurm::make_blocks(network);
  if (options.type == "ring") return slurm::Rings{slurm::make_rings(network)};
  if (options.type == "tree") return slurm::topology_tree(network);
  judged.torus = slurm::find_torus(network);
  // Slurm takes every row for a ring. Where all are, or as long as one, there is nothing to measure.
  slurm::Torus meant = judged.torus;
  meant.ring = slurm::possible_rings(meant.dims);
  if (meant.ring != judged.torus.ring || !slurm::is_whole(judged.torus))
    judged.torus_error = slurm::torus_error(network, meant);
  judged.all_shapes = slurm::cube_shapes(judged.torus);
  judged.shapes = slurm::best_shapes(judged.all_shapes);
  return slurm::named(network, judged.torus, judged.shapes);
}

void judge_torus(const SlurmTopologyOptions& options, const Common& common, const Network& network,
                 Judged& judged) {
  const auto& named = std::get<slurm::NamedTorus>(judged.topology);
  if (!options.check.empty()) {
    judged.torus = in_file(options.check, [&] { return slurm::torus_on(network, named); });
    judged.torus_error = slurm::torus_error(network, judged.torus);
    for (const slurm::CubePlacement& placement : named.placements)
      judged.shapes.push_back(slurm::cube_shape(judged.torus, placement));
  }
  prove_shapes(options, common, network, judged);
  if (!options.all_shapes) judged.all_shapes.clear();
}

Judged judge(const SlurmTopologyOptions& options, const Common& common, const Network& network) {
  Judged judged;
  judged.topology = find_topology(options, network, judged);
  if (std::holds_alternative<slurm::NamedTorus>(judged.topology)) {
    judge_torus(options, common, network, judged);
    return judged;
  }
  if (const auto* tree = std::get_if<slurm::TopologyTree>(&judged.topology)) judged.tree = *tree;
  if (const auto* blocks = std::get_if<slurm::Blocks>(&judged.topology))
    judged.tree = slurm::tree_of_groups(blocks->blocks);
  if (const auto* rings = std::get_if<slurm::Rings>(&judged.topology)) {
    judged.tree = slurm::tree_of_groups(rings->rings);
    judged.ring_step = in_file(options.check, [&] { return slurm::ring_step(network, rings->rings); });
  }
  judged.error = in_file(options.check, [&] { return slurm::tree_error(network, judged.tree); });
  return judged;
}

Answer slurm_topology(const SlurmTopologyOptions& options, const Common& common) {
  slurm_topology_check_options(options, common);
  // Rails have no cable to each other, but hosts in common.
  const Network network = read_fabric(options.fabric);
  require_terminals(network, options.fabric);
  const Judged judged = judge(options, common, network);
  if (!options.output.empty()) {
    write_file(options.output, written_topology(options, judged));
    if (options.output != "-") note(common, fmt::format("wrote the {} to {}", options.type, options.output));
  }
  if (common.json) return {kYes, slurm_topology_json(options, network, judged), {}};
  if (options.output == "-") return {kYes};
  return {kYes, {}, slurm_topology_text(options, network, judged)};
}

Action declare_slurm_topology(CLI::App& app, const Common& common) {
  const auto options = std::make_shared<SlurmTopologyOptions>();
  add_fabric_argument(app, options->fabric);
  options->type_given =
      app.add_option(
             "--type", options->type,
             "tree; block: groups of nodes of about equal distances; ring: at most 16 nodes each, neighbours "
             "next to each other; torus3d: a torus, with shapes of sub-cubes")
          ->type_name(fmt::format("NAME:{{{}}}", fmt::join(slurm_types(), ",")))
          ->capture_default_str();
  app.add_option("--output,-o", options->output, "Write the topology to FILE, - for standard output")
      ->type_name("FILE");
  options->format_given = app.add_option("--format", options->format,
                                         "conf: topology.conf; yaml: topology.yaml of Slurm 25.05 and later, "
                                         "which all types but tree are "
                                         "written as")
                              ->capture_default_str();
  options->routes.virtual_lanes = kMaxLanes;  // what routes are is asked, and not how many lanes they need
  app.add_option("-E,--engine", options->routes.engine,
                 "Of a torus: the engine whose routes are walked (default: dimension order, by rule)");
  app.add_option("--tables", options->routes.input.tables,
                 "Of a torus: third-party tables whose routes are walked")
      ->type_name("FILE");
  app.add_flag("--all-shapes", options->all_shapes, "Of a torus: all shapes with their bounds");
  app.add_option("--check", options->check,
                 "Judge the topology of this topology.conf or topology.yaml instead of making one")
      ->type_name("FILE");
  return [options, &common] { return slurm_topology(*options, common); };
}

}  // namespace

Command slurm_topology_row() {
  return {
      .name = "slurm-topology",
      .summary = "What Slurm is to know of a fabric, as tree, blocks, rings or torus, and how wrong that is",
      .details =
          R"(Routers with terminals are the leaves; they are joined by mean distance. A tree of switches comes out as it is. Of
other fabrics a tree cannot say all: the error is that of guessing the distance of two hosts by the level at which
they meet. A host with adapters in several rails is at all of their routers. Of a torus each shape of sub-cube has
the part of full speed that an all-to-all can have, by its narrowest cut, and the routes within its sub-cubes are
walked: whether they stay inside, or two of them share a channel. --check judges a third-party topology.conf or
topology.yaml. See docs/slurm.md. Exit code 0: done.)",
      .examples = {"unknot slurm-topology xgft:m=4x4,w=2x2,terminals=16 -o topology.conf",
                   "unknot slurm-topology xgft:m=4x4,w=2x2,terminals=16 --check topology.conf",
                   "unknot slurm-topology torus:8x8x4 --type torus3d -o topology.yaml",
                   "unknot slurm-topology slimfly:q=5,p=4 -o topology.yaml --format yaml",
                   "unknot slurm-topology slimfly:q=5,p=4 --check topology.yaml"},
      .declare = declare_slurm_topology};
}

}  // namespace unknot::cli
