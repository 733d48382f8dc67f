// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/slurm/topology_file.hpp"
#include "unknot/slurm/topology_tree.hpp"
#include "unknot/slurm/tree_error.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/text/in_file.hpp"

namespace unknot::cli {
namespace {

struct SlurmTopologyOptions {
  std::string fabric;
  std::string check;
  std::string output;
  std::string format = "conf";
};

void slurm_topology_check_options(const SlurmTopologyOptions& options, const Common& common) {
  if (options.format != "conf" && options.format != "yaml")
    throw InputError(fmt::format("slurm-topology: --format is conf or yaml, not '{}'", options.format));
  if (!options.check.empty() && !options.output.empty())
    throw InputError("slurm-topology: --check judges a file, and -o writes one; give one of them");
  if (options.output == "-" && common.json)
    throw InputError("slurm-topology: -o - and --json both go to standard output");
  check_outputs({options.output});
}

std::string error_line(const slurm::TreeError& error) {
  return fmt::format("{:.2f} channels, {:.2f} without a tree", error.rms, error.rms_without_tree);
}

std::string slurm_topology_text_report(const SlurmTopologyOptions& options, const Network& network,
                                       const slurm::TopologyTree& tree, const slurm::TreeError& error) {
  TextTable table(
      {{"hosts meet at"}, {"switches"}, {"pairs of hosts"}, {"channels between, mean"}, {"min"}, {"max"}});
  for (std::uint32_t level = 0; level < error.levels.size(); ++level) {
    std::uint64_t switches = 0;
    for (const auto& one : tree.switches) switches += one.level == level ? 1 : 0;
    const slurm::TreeError::Level& l = error.levels[level];
    table.add({fmt::format("level {}", level), grouped(switches), grouped(l.pairs),
               fmt::format("{:.2f}", l.mean), std::to_string(l.min), std::to_string(l.max)});
  }
  return fabric_line(options.fabric, network) + "\n" +
         key_values({{"error of the tree", error_line(error)},
                     {"pairs put in the wrong order", fmt::format("{:.1f} %", 100 * error.wrong_order)}}) +
         "\n" + table.text();
}

Json slurm_topology_json_report(const SlurmTopologyOptions& options, const Network& network,
                                const slurm::TopologyTree& tree, const slurm::TreeError& error) {
  Json document;
  add_fabric(document, options.fabric, network);
  document["switches"] = tree.switches.size();
  document["rms_error"] = error.rms;
  document["rms_without_tree"] = error.rms_without_tree;
  document["wrong_order"] = error.wrong_order;
  Json levels = Json::array();
  for (const slurm::TreeError::Level& level : error.levels)
    levels.push_back({{"pairs", level.pairs}, {"mean", level.mean}, {"min", level.min}, {"max", level.max}});
  document["levels"] = std::move(levels);
  return document;
}

Answer slurm_topology(const SlurmTopologyOptions& options, const Common& common) {
  slurm_topology_check_options(options, common);
  const Network network = load_fabric(options.fabric);
  const slurm::TopologyTree tree = options.check.empty()
                                       ? slurm::topology_tree(network)
                                       : slurm::parse_topology(read_file(options.check), options.check);
  const slurm::TreeError error = in_file(options.check, [&] { return slurm::tree_error(network, tree); });
  if (!options.output.empty()) {
    const std::string comment = fmt::format("Tree of {}: error {}, {:.1f} % of pairs in the wrong order",
                                            options.fabric, error_line(error), 100 * error.wrong_order);
    write_file(options.output, options.format == "conf" ? slurm::topology_conf(tree, comment)
                                                        : slurm::topology_yaml(tree, comment));
    if (options.output != "-") note(common, fmt::format("wrote the tree to {}", options.output));
  }
  if (common.json) {
    return {kYes, slurm_topology_json_report(options, network, tree, error), {}};
  }
  if (options.output != "-") {
    return {kYes, {}, slurm_topology_text_report(options, network, tree, error)};
  }
  return {kYes};
}

Action declare_slurm_topology(CLI::App& app, const Common& common) {
  const auto options = std::make_shared<SlurmTopologyOptions>();
  add_fabric_argument(app, options->fabric);
  app.add_option("--output,-o", options->output, "Write the tree to FILE, - for standard output")
      ->type_name("FILE");
  app.add_option("--format", options->format,
                 "conf: topology.conf; yaml: topology.yaml of Slurm 25.05 and later")
      ->capture_default_str();
  app.add_option("--check", options->check,
                 "Judge the tree of this topology.conf or topology.yaml instead of making one")
      ->type_name("FILE");
  return [options, &common] { return slurm_topology(*options, common); };
}

}  // namespace

Command slurm_topology_row() {
  return {
      .name = "slurm-topology",
      .summary = "The tree of switches that Slurm's topology/tree wants, of any fabric, and how wrong it is",
      .details =
          R"(Routers with terminals are the leaves; they are joined by mean distance. A tree of switches comes out as it is. Of
other fabrics a tree cannot say all: the error is that of guessing the distance of two hosts by the level at which
they meet. --check judges a third-party topology.conf or topology.yaml. See docs/slurm.md. Exit code 0: done.)",
      .examples = {"unknot slurm-topology xgft:m=4x4,w=2x2,terminals=16 -o topology.conf",
                   "unknot slurm-topology xgft:m=4x4,w=2x2,terminals=16 --check topology.conf",
                   "unknot slurm-topology slimfly:q=5,p=4 -o topology.yaml --format yaml",
                   "unknot slurm-topology slimfly:q=5,p=4 --check topology.yaml"},
      .declare = declare_slurm_topology};
}

}  // namespace unknot::cli
