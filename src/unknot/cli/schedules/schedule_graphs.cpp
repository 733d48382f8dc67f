// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/schedules/schedule_graphs.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/collective/nccl/nccl_graph.hpp"
#include "unknot/formats/machines/machine_toml.hpp"
#include "unknot/formats/machines/nccl_topology.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot::cli {
namespace {

BoxPlan box_of(const std::string& fabric) {
  const std::string needed = fabric +
                             ": NCCL's graphs are of boxes with GPUs: expected a machine file, or the XML in "
                             "which NCCL writes a server";
  std::string text;
  try {
    text = read_file(fabric);
  } catch (const InputError&) {
    throw InputError(needed);
  }
  if (looks_like_nccl_topology(text)) return read_nccl_box(text, fabric);
  if (!looks_like_machine(text)) throw InputError(needed);
  const MachinePlan plan =
      read_machine_plan(text, fabric, [](const std::string& path) { return read_file(path); });
  if (plan.kinds.size() > 1) {
    throw InputError(
        fmt::format("{}: each kind of box needs graphs of its own: expected a machine of one kind, not of "
                    "{} and {}",
                    fabric, plan.kinds[0].name, plan.kinds[1].name));
  }
  BoxPlan box = plan.kinds[0].box;
  // a box that stands alone has no use for its cards
  if (plan.kinds[0].count == 1 || plan.rails == 0) box.cards.clear();
  return box;
}

const char* what(nccl::GraphId id) {
  switch (id) {
    case nccl::GraphId::ring:
      return "rings";
    case nccl::GraphId::tree:
      return "trees";
    case nccl::GraphId::collnet_chain:
      return "collnet chains";
    case nccl::GraphId::nvls:
      return "nvls";
    case nccl::GraphId::collnet_direct:
      return "collnet direct";
  }
  return "";
}

}  // namespace

std::string nccl_graphs_of(const std::string& fabric) {
  const BoxPlan box = box_of(fabric);
  const std::vector<nccl::Graph> graphs = nccl::make_graphs(box);
  const nccl::GraphVerdict verdict = nccl::check_graphs(box, graphs);
  if (!verdict.fault.empty()) throw InputError("NCCL: " + verdict.fault);
  return nccl::graphs_text(graphs);
}

Answer check_nccl_graphs(const std::string& fabric, const std::string& file, const std::string& text,
                         const Common& common) {
  const BoxPlan box = box_of(fabric);
  const std::vector<nccl::Graph> graphs = nccl::parse_graphs(text, file == "-" ? "standard input" : file);
  const nccl::GraphVerdict verdict = nccl::check_graphs(box, graphs);
  const bool valid = verdict.fault.empty();
  if (common.json) {
    Json report{
        {"fabric", fabric}, {"graphs_file", file}, {"gpus", box.gpus.size()}, {"cards", box.cards.size()}};
    report["graphs"] = Json::array();
    for (const nccl::Graph& graph : graphs) {
      report["graphs"].push_back({{"id", static_cast<std::uint32_t>(graph.id)},
                                  {"channels", graph.channels.size()},
                                  {"speed_intra", graph.speed_intra},
                                  {"speed_inter", graph.speed_inter}});
    }
    report["valid"] = valid;
    report["busiest"] = verdict.busiest;
    report["busiest_name"] = verdict.busiest_name;
    if (!valid) report["fault"] = {{"line", verdict.line}, {"sentence", verdict.fault}};
    return {valid ? kYes : kNo, std::move(report), {}};
  }
  std::vector<std::pair<std::string, std::string>> lines;
  lines.emplace_back("box", fmt::format("{} GPUs, {} card{}", box.gpus.size(), box.cards.size(),
                                        box.cards.size() == 1 ? "" : "s"));
  for (const nccl::Graph& graph : graphs) {
    const auto channels = static_cast<double>(graph.channels.size());
    lines.emplace_back(what(graph.id),
                       fmt::format("{} channel{}, {:.6g} GB/s in the box and {:.6g} between boxes in all",
                                   graph.channels.size(), graph.channels.size() == 1 ? "" : "s",
                                   channels * graph.speed_intra, channels * graph.speed_inter));
  }
  lines.emplace_back("valid", !valid ? "NO"
                                     : fmt::format("yes, busiest {}: {:.4g} of its capacity",
                                                   verdict.busiest_name, verdict.busiest));
  std::string out = fmt::format("{}: NCCL's graphs on {}\n\n", file, fabric) + key_values(lines);
  if (!valid) out += fmt::format("\n{}:{}: {}\n", file, verdict.line, verdict.fault);
  return {valid ? kYes : kNo, {}, out};
}

}  // namespace unknot::cli
