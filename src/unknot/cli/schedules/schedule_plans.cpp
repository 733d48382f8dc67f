// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/schedules/schedule_plans.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/cli/schedules/schedule_graphs.hpp"
#include "unknot/collective/chakra/chakra_tasks.hpp"
#include "unknot/collective/chakra/chakra_trace.hpp"
#include "unknot/collective/mscclpp/plan_make.hpp"
#include "unknot/collective/runtimes/nccl_tuner.hpp"
#include "unknot/collective/runtimes/openmpi_rules.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/text/scanner.hpp"
#include "unknot/traffic/workloads/goal_file.hpp"

namespace unknot::cli {
namespace {

constexpr std::size_t kMostTraces = 1U << 20U;  // files that are read

/// Boxes of the GPUs of a machine, which its file names: "node0-gpu3". Empty: all in one.
std::vector<std::uint32_t> boxes_of(const Network& network, const std::vector<NodeId>& nodes) {
  std::vector<std::uint32_t> box;
  if (network.labels().terminal_name.empty()) return box;
  std::map<std::string, std::uint32_t> seen;
  box.reserve(nodes.size());
  for (const NodeId n : nodes) {
    std::string name;
    if (n.value >= network.router_count()) {
      name = network.terminal_name(TerminalId(n.value - network.router_count()));
    } else {
      const auto here = network.terminals_at(RouterId(n.value));
      name = here.empty() ? network.router_name(RouterId(n.value)) : network.terminal_name(*here.begin());
    }
    const std::size_t end = name.rfind("-gpu");
    if (end != std::string::npos) name.resize(end);
    box.push_back(seen.emplace(name, static_cast<std::uint32_t>(seen.size())).first->second);
  }
  return box;
}

std::string mscclpp_text(const mscclpp::RankMoves& moves, const std::string& name, const Network& network,
                         bool in_place) {
  const mscclpp::PlanOptions options{in_place, boxes_of(network, moves.node)};
  return mscclpp::plan_text(mscclpp::make_plan(moves, shown(name), options));
}

/// What there is of a plan.
struct PlanSize {
  std::size_t blocks = 0, operations = 0, longest = 0, channels = 0, scratch = 0;
};

PlanSize plan_size(const mscclpp::Plan& plan) {
  PlanSize size;
  for (const mscclpp::Gpu& gpu : plan.gpus) {
    size.blocks = std::max(size.blocks, gpu.blocks.size());
    size.channels = std::max(size.channels, gpu.peers[0].size() + gpu.peers[1].size());
    size.scratch = std::max<std::size_t>(size.scratch, gpu.chunks[2]);
    for (const mscclpp::ThreadBlock& block : gpu.blocks) {
      std::size_t here = block.operations.size();
      for (const mscclpp::Operation& op : block.operations) here += op.inner.size();
      size.operations += here;
      size.longest = std::max(size.longest, here);
    }
  }
  return size;
}

}  // namespace

const std::vector<PlanFormat>& plan_formats() {
  static const std::vector<PlanFormat> rows = {
      {"mscclpp", "MSCCL++ JSON: an execution plan, for buffers that are not the same",
       [](const mscclpp::RankMoves& moves, const std::string& name, const Network& network) {
         return mscclpp_text(moves, name, network, false);
       }},
      {"mscclpp-in-place", "the same where input and output are one buffer",
       [](const mscclpp::RankMoves& moves, const std::string& name, const Network& network) {
         return mscclpp_text(moves, name, network, true);
       }},
      {.name = "chakra",
       .summary = "Chakra execution traces, NAME.<rank>.et: algorithms of collectives for ASTRA-sim",
       .write = nullptr,
       .of_ranks =
           [](const mscclpp::RankMoves& moves, std::uint64_t bytes) {
             std::vector<std::string> texts;
             for (const chakra::Trace& trace : chakra::make_traces(moves, bytes))
               texts.push_back(chakra::trace_text(trace));
             return texts;
           }},
      {"nccl-graph", "NCCL_GRAPH_FILE, XML: rings and trees in the boxes of a machine, with --goal bandwidth",
       nullptr, nccl_graphs_of},
      {"nccl-tuner", "CSV of NCCL's reference tuner: from which size on which algorithm, with --bytes",
       nullptr, nullptr,
       [](const std::string& collective, std::uint32_t ranks, const std::vector<runtimes::SizeRule>& rules) {
         return runtimes::tuner_text(runtimes::tuner_rows(collective, ranks, rules));
       },
       runtimes::tuner_algorithms},
      {"openmpi-rules", "Open MPI's dynamic rules: from which size on which algorithm, with --bytes", nullptr,
       nullptr,
       [](const std::string& collective, std::uint32_t ranks, const std::vector<runtimes::SizeRule>& rules) {
         return runtimes::openmpi_rules_text(runtimes::openmpi_rules(collective, ranks, rules));
       },
       runtimes::openmpi_algorithms},
  };
  return rows;
}

const PlanFormat* find_plan_format(std::string_view name) {
  const auto& rows = plan_formats();
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const PlanFormat& row) { return row.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

const PlanFormat* find_moves_format(std::string_view name) {
  static const PlanFormat goal{.name = "goal",
                               .summary = "",
                               .write = nullptr,
                               .of_bytes = [](const mscclpp::RankMoves& moves, std::uint64_t bytes) {
                                 return goal_text(chakra::task_graph_of(chakra::make_traces(moves, bytes)),
                                                  moves.ranks());
                               }};
  return name == goal.name ? &goal : find_plan_format(name);
}

mscclpp::RankMoves moves_for(const PlanFormat& format, const CombinedProblem& problem,
                             const CombinedSchedule& schedule, mscclpp::Sharing sharing) {
  return format.write != nullptr ? mscclpp::moves_of(problem, schedule, sharing)
                                 : mscclpp::messages_of(problem, schedule, sharing);
}

void require_moves(const PlanFormat& format) {
  if (format.write != nullptr || format.of_ranks != nullptr || format.of_bytes != nullptr) return;
  throw InputError(fmt::format("--format {}: it is made of {}", format.name,
                               format.of_machine != nullptr ? "a machine, with --goal bandwidth"
                                                            : "the sizes of messages, with --bytes"));
}

void write_moves(const ScheduleTarget& target, const PlanFormat& format, const mscclpp::RankMoves& moves,
                 const std::string& name, const Network& network, std::uint64_t bytes, const Common& common) {
  require_moves(format);
  if (format.of_ranks == nullptr) {
    write_target(
        target,
        format.of_bytes != nullptr ? format.of_bytes(moves, bytes) : format.write(moves, name, network),
        common);
    return;
  }
  if (target.file == "-") {
    throw InputError(
        fmt::format("--format {}: a file for each rank cannot go to standard output", target.format));
  }
  const std::vector<std::string> texts = format.of_ranks(moves, bytes);
  for (std::size_t rank = 0; rank < texts.size(); ++rank)
    write_file(fmt::format("{}.{}.et", target.file, rank), texts[rank]);
  note(common, fmt::format("wrote {0}.0.et to {0}.{1}.et in format {2}", target.file, texts.size() - 1,
                           target.format));
}

Answer check_traces(const std::string& first, const Common& common) {
  const std::string name = first.substr(0, first.size() - std::string_view("0.et").size());
  ReadLimits binary;
  binary.text = false;
  std::vector<chakra::Trace> traces;
  std::string file = first;
  do {
    traces.push_back(chakra::parse_trace(read_file(file, binary), file));
    file = fmt::format("{}{}.et", name, traces.size());
  } while (traces.size() < kMostTraces && std::filesystem::exists(file));
  const std::optional<std::string> fault = chakra::find_fault(traces);
  std::size_t nodes = 0;
  std::size_t sends = 0;
  std::uint64_t most = 0;
  for (const chakra::Trace& trace : traces) {
    nodes += trace.size();
    std::uint64_t bytes = 0;
    for (const chakra::TraceNode& node : trace) {
      if (node.type != chakra::NodeType::send) continue;
      ++sends;
      bytes += node.bytes;
    }
    most = std::max(most, bytes);
  }
  if (common.json) {
    Json report{{"program", first}, {"ranks", traces.size()}, {"nodes", nodes},
                {"sends", sends},   {"most_bytes", most},     {"valid", !fault}};
    if (fault) report["fault"] = {{"sentence", *fault}};
    return {fault ? kNo : kYes, std::move(report), {}};
  }
  std::string out =
      fmt::format("{}: Chakra traces of {} ranks\n\n", first, grouped(traces.size())) +
      key_values(
          {{"nodes", grouped(nodes)},
           {"messages", fmt::format("{}, of one rank {} bytes at most", grouped(sends), grouped(most))},
           {"valid",
            fault ? "NO" : "yes: every message that is sent is received, and nothing waits for itself"}});
  if (fault) out += fmt::format("\n{}: {}\n", first, *fault);
  return {fault ? kNo : kYes, {}, out};
}

Answer check_plan(const std::string& file, const std::string& text, const Common& common) {
  const mscclpp::Plan plan = mscclpp::parse_plan(text, file == "-" ? "standard input" : file);
  const std::optional<std::string> fault = mscclpp::find_fault(plan);
  const PlanSize size = plan_size(plan);
  const bool promised = mscclpp::promises_something(plan);
  if (common.json) {
    Json report{{"program", file},
                {"name", plan.name},
                {"collective", plan.collective},
                {"protocol", plan.packets ? "LL" : "Simple"},
                {"gpus", plan.gpus.size()},
                {"channels", size.channels},
                {"thread_blocks", size.blocks},
                {"operations", size.operations},
                {"scratch_chunks", size.scratch},
                {"in_place", plan.in_place},
                {"out_of_place", !plan.in_place},
                {"result_checked", promised},
                {"valid", !fault}};
    if (fault) report["fault"] = {{"sentence", *fault}};
    return {fault ? kNo : kYes, std::move(report), {}};
  }
  const std::string where = plan.in_place ? "in place" : "out of place";
  std::string out =
      fmt::format("{}: {} of {} GPUs, an MSCCL++ plan{}\n\n", file, plan.collective,
                  grouped(plan.gpus.size()), plan.name.empty() ? "" : fmt::format(" named {}", plan.name)) +
      key_values({{"protocol", plan.packets ? "LL" : "Simple"},
                  {"channels", fmt::format("{} of a GPU at most", grouped(size.channels))},
                  {"thread blocks", fmt::format("{} of a GPU at most", grouped(size.blocks))},
                  {"operations", fmt::format("{}, {} in the longest thread block", grouped(size.operations),
                                             grouped(size.longest))},
                  {"scratch", fmt::format("{} chunks at most, beside {} of input and {} of output",
                                          grouped(size.scratch), grouped(plan.gpus[0].chunks[0]),
                                          grouped(plan.gpus[0].chunks[1]))},
                  {"valid", fault      ? "NO"
                            : promised ? fmt::format("yes, as executed {}: the result is what {} promises",
                                                     where, plan.collective)
                                       : fmt::format("yes, as executed {}; what {} promises is not known",
                                                     where, plan.collective)}});
  if (fault) out += fmt::format("\n{}: {}\n", file, *fault);
  return {fault ? kNo : kYes, {}, out};
}

}  // namespace unknot::cli
