// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/schedules/schedule_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/cli/schedules/schedule_plans.hpp"
#include "unknot/collective/msccl/msccl_program.hpp"
#include "unknot/collective/mscclpp/plan.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot::cli {
namespace {

/// What there is of a program.
struct Size {
  std::size_t blocks = 0, steps = 0, longest = 0, sends = 0;
};

Size size_of(const msccl::Program& program) {
  Size size;
  for (const msccl::Gpu& gpu : program.gpus) {
    size.blocks += gpu.blocks.size();
    for (const msccl::ThreadBlock& block : gpu.blocks) {
      size.steps += block.steps.size();
      size.longest = std::max(size.longest, block.steps.size());
      size.sends += static_cast<std::size_t>(
          std::count_if(block.steps.begin(), block.steps.end(),
                        [](const msccl::Step& s) { return msccl::sends(s.action); }));
    }
  }
  return size;
}

std::string_view memory_text(const msccl::Program& program) {
  if (program.in_place && program.out_of_place) return "in place and out of place";
  return program.in_place ? "in place" : "out of place";
}

/// Nobody has said what these leave where.
bool promises_something(msccl::Collective collective) {
  return collective != msccl::Collective::all_to_all_v && collective != msccl::Collective::send &&
         collective != msccl::Collective::receive;
}

}  // namespace

Answer check_program(const std::string& file, const Common& common) {
  if (file.ends_with(".0.et")) return check_traces(file, common);
  const std::string text = read_file(file);
  if (mscclpp::is_plan(text)) return check_plan(file, text, common);
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin != std::string::npos && text[begin] == '{') {
    throw InputError(
        fmt::format("{}: a schedule is checked on its fabric: schedule check FABRIC {}", file, file));
  }
  const msccl::Program program = msccl::parse_program(text, file == "-" ? "standard input" : file);
  const std::optional<msccl::Fault> fault = msccl::find_fault(program);
  const Size size = size_of(program);
  const bool promised = promises_something(program.collective);
  if (common.json) {
    Json report{{"program", file},
                {"name", program.name},
                {"collective", msccl::name_of(program.collective)},
                {"protocol", program.protocol},
                {"gpus", program.gpus.size()},
                {"channels", program.channels},
                {"thread_blocks", size.blocks},
                {"steps", size.steps},
                {"sends", size.sends},
                {"in_place", program.in_place},
                {"out_of_place", program.out_of_place},
                {"result_checked", promised},
                {"valid", !fault}};
    if (fault) report["fault"] = {{"line", fault->line}, {"sentence", fault->sentence}};
    return {fault ? kNo : kYes, std::move(report), {}};
  }
  std::string out =
      fmt::format("{}: {} of {} GPUs, an MSCCL program{}\n\n", file, msccl::name_of(program.collective),
                  grouped(program.gpus.size()),
                  program.name.empty() ? "" : fmt::format(" named {}", program.name)) +
      key_values(
          {{"protocol", program.protocol},
           {"channels", std::to_string(program.channels)},
           {"thread blocks", grouped(size.blocks)},
           {"steps",
            fmt::format("{}, {} in the longest thread block", grouped(size.steps), grouped(size.longest))},
           {"messages", grouped(size.sends)},
           {"valid", fault      ? "NO"
                     : promised ? fmt::format("yes, as executed {}: the result is what {} promises",
                                              memory_text(program), msccl::name_of(program.collective))
                                : fmt::format("yes, as executed {}; what {} promises is not known",
                                              memory_text(program), msccl::name_of(program.collective))}});
  if (fault) out += fmt::format("\n{}:{}: {}\n", file, fault->line, fault->sentence);
  return {fault ? kNo : kYes, {}, out};
}

}  // namespace unknot::cli
