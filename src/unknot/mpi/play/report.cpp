// SPDX-License-Identifier: Apache-2.0
#include "unknot/mpi/play/report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/text_table.hpp"

namespace unknot::mpi {
namespace {

using cli::Json;

/// "Open MPI v4.1.4, package: ..." up to what a reader wants to know.
std::string library_name() {
  std::string text(MPI_MAX_LIBRARY_VERSION_STRING, '\0');
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  text.resize(static_cast<std::size_t>(length));
  return text.substr(0, text.find_first_of(",\n"));
}

std::string microseconds(double seconds) {
  return fmt::format("{:.1f} us", seconds * 1e6);
}

std::string middle_half(const play::Spread& spread) {
  return fmt::format("{:.1f} to {}", spread.lower_quartile * 1e6, microseconds(spread.upper_quartile));
}

double ratio(const SizeResult& result) {
  return result.schedule.median / result.own->median;
}

std::uint64_t wrong_bytes(const PlayResult& result) {
  std::uint64_t sum = 0;
  for (const SizeResult& size : result.sizes) sum += size.wrong_bytes;
  return sum;
}

std::string wrong_sentence(const FirstWrong& wrong, const Prepared& prepared) {
  return fmt::format(
      "rank {} (node {}): byte {} of block {} of the receive buffer is 0x{:02x} and not 0x{:02x}, {}, "
      "blocks of {} bytes",
      wrong.rank, prepared.problem.nodes[wrong.rank].value, wrong.byte.offset, wrong.byte.block,
      wrong.byte.found, wrong.byte.expected,
      wrong.own ? "left by MPI's own operation" : "left by the schedule", wrong.bytes);
}

Json spread_json(const play::Spread& spread) {
  return {{"least", spread.least},
          {"lower_quartile", spread.lower_quartile},
          {"median", spread.median},
          {"upper_quartile", spread.upper_quartile},
          {"greatest", spread.greatest}};
}

void print_document(const PlayOptions& options, const Prepared& prepared, const PlayResult& result) {
  const PlaySettings& settings = prepared.settings;
  Json document = {{"fabric", options.fabric},
                   {"schedule", options.schedule},
                   {"collective", prepared.problem.collective},
                   {"valid", true},
                   {"ranks", prepared.problem.nodes.size()},
                   {"steps", prepared.verdict.steps},
                   {"transfers", prepared.verdict.transfers},
                   {"between", between_names()[static_cast<std::size_t>(settings.between)]},
                   {"operation", settings.reduces ? Json(options.operation.value_or("sum")) : Json()},
                   {"repetitions", settings.repetitions},
                   {"warm_up", settings.warm_up},
                   {"seed", settings.seed},
                   {"mpi_library", library_name()}};
  const bool compares = settings.own != MpiCollective::none;
  document["mpi"] = compares ? Json(name_of(settings.own)) : Json();
  document["wrong_bytes"] = wrong_bytes(result);
  document["first_wrong"] = result.first_wrong ? Json(wrong_sentence(*result.first_wrong, prepared)) : Json();
  Json list = Json::array();
  for (const SizeResult& size : result.sizes) {
    list.push_back({{"bytes", size.bytes},
                    {"schedule", spread_json(size.schedule)},
                    {"mpi", compares ? spread_json(*size.own) : Json()},
                    {"barrier", spread_json(size.barrier)},
                    {"ratio", compares ? Json(ratio(size)) : Json()},
                    {"wrong_bytes", size.wrong_bytes}});
  }
  document["sizes"] = std::move(list);
  cli::print({cli::kYes, std::move(document), {}});
}

std::string table_text(const PlayResult& result, const PlaySettings& settings) {
  const bool compares = settings.own != MpiCollective::none;
  std::vector<cli::TextTable::Column> columns = {{"bytes"}, {"schedule"}, {"middle half"}};
  if (compares) columns.insert(columns.end(), {{name_of(settings.own)}, {"middle half"}, {"ratio"}});
  columns.insert(columns.end(), {{"barrier"}, {"wrong bytes"}});
  cli::TextTable table(columns);
  for (const SizeResult& size : result.sizes) {
    std::vector<std::string> row = {grouped(size.bytes), microseconds(size.schedule.median),
                                    middle_half(size.schedule)};
    if (compares) {
      row.insert(row.end(), {microseconds(size.own->median), middle_half(*size.own),
                             fmt::format("{:.2f}", ratio(size))});
    }
    row.insert(row.end(), {microseconds(size.barrier.median), grouped(size.wrong_bytes)});
    table.add(std::move(row));
  }
  return table.text();
}

std::string between_text(Between between) {
  switch (between) {
    case Between::nothing:
      return "nothing: a message is sent as soon as there is what it says";
    case Between::pairs:
      return "pairs: a rank waits for its own messages of the step before";
    case Between::barrier:
      break;
  }
  return "barrier: all ranks wait for each other";
}

}  // namespace

void print_result(const PlayOptions& options, const Prepared& prepared, const PlayResult& result) {
  if (options.json) {
    print_document(options, prepared, result);
    return;
  }
  const PlaySettings& settings = prepared.settings;
  const std::string against = settings.own == MpiCollective::none
                                  ? "nothing: MPI has no operation for reductions of some of the ranks"
                                  : fmt::format("{} of {}", name_of(settings.own), library_name());
  const std::string head = cli::key_values(
      {{"collective", fmt::format("{}, {} messages among {} ranks", prepared.problem.collective,
                                  grouped(prepared.verdict.transfers), prepared.problem.nodes.size())},
       {"schedule", fmt::format("{}, {} steps, valid", options.schedule, prepared.verdict.steps)},
       {"between steps", between_text(settings.between)},
       {"compared with", against},
       {"repetitions", fmt::format("{}, after {} to warm up", settings.repetitions, settings.warm_up)}});
  std::string text = fmt::format(
      "{}\n{}\n{}\nTimes: medians, and between which the middle half lies; all end with a barrier, timed "
      "alone, too.\n"
      "Ratio: schedule over MPI's own.\n",
      prepared.network, head, table_text(result, settings));
  if (result.first_wrong) text += fmt::format("\n{}\n", wrong_sentence(*result.first_wrong, prepared));
  cli::print(text);
}

void print_refusal(const PlayOptions& options, const Prepared& prepared) {
  const StepFinding& first = prepared.verdict.findings.front();
  if (options.json) {
    cli::print({cli::kNo,
                {{"fabric", options.fabric},
                 {"schedule", options.schedule},
                 {"collective", prepared.problem.collective},
                 {"valid", false},
                 {"violations", prepared.verdict.violations()},
                 {"first", first.first}},
                {}});
  }
  cli::message(fmt::format("{}: the schedule is not valid: {}", options.schedule, first.first));
}

}  // namespace unknot::mpi
