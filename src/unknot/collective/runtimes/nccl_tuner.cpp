// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/runtimes/nccl_tuner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "unknot/support/error.hpp"
#include "unknot/support/files/append.hpp"
#include "unknot/support/number.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot::runtimes {
namespace {

constexpr std::array<std::string_view, 5> kTunerCollectives = {"broadcast", "reduce", "allgather",
                                                               "reducescatter", "allreduce"};
constexpr std::array<std::string_view, 7> kTunerAlgorithms = {
    "tree", "ring", "collnet_direct", "collnet_chain", "nvls", "nvls_tree", "pat"};
constexpr std::array<std::string_view, 3> kTunerProtocols = {"ll", "ll128", "simple"};
constexpr std::size_t kLongestLine = 254;

/// PAT sends what Bruck's algorithm sends, in as many rounds.
constexpr std::array<KnownAlgorithm, 6> kTunerKnown = {{
    {"all-reduce", "reduce-scatter + all-gather: ring", 1, "ring"},
    {"all-reduce", "reduce + broadcast: binomial", 0, "tree"},
    {"AAB", "ring", 1, "ring"},
    {"AAB", "bruck", 6, "pat"},
    {"AAR", "ring", 1, "ring"},
    {"AAR", "bruck", 6, "pat"},
}};

std::string_view tuner_collective(std::string_view collective) {
  if (collective == "all-reduce") return "allreduce";
  if (collective == "AAB") return "allgather";
  if (collective == "AAR") return "reducescatter";
  throw InputError(fmt::format("NCCL: it has not two algorithms of {} to choose from", collective));
}

class TunerReader {
 public:
  TunerReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  std::vector<TunerRow> run() {
    std::vector<TunerRow> rows;
    while (!text_.empty()) {
      ++line_;
      const std::size_t end = std::min(text_.find('\n'), text_.size());
      std::string_view line = text_.substr(0, end);
      text_.remove_prefix(std::min(end + 1, text_.size()));
      if (line.size() > kLongestLine) fail(fmt::format("a line of more than {} characters", kLongestLine));
      if (line.empty() || line.front() == '#') continue;
      rows.push_back(read_row(line));
    }
    return rows;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const { throw InputError(file_, line_, why); }

  TunerRow read_row(std::string_view line) {
    std::vector<std::string_view> fields;
    while (true) {
      const std::size_t comma = std::min(line.find(','), line.size());
      std::string_view field = line.substr(0, comma);
      while (!field.empty() && (field.front() == ' ' || field.front() == '\t')) field.remove_prefix(1);
      while (!field.empty() && (field.back() == ' ' || field.back() == '\t' || field.back() == '\r'))
        field.remove_suffix(1);
      if (field.empty()) fail("an empty field");
      fields.push_back(field);
      if (comma == line.size()) break;
      line.remove_prefix(comma + 1);
    }
    if (fields.size() < 8 || fields.size() > 10) {
      fail(fmt::format(
          "{} fields, expected 8 to 10: collective, bytes from, to, algorithm, protocol, channels, nodes, "
          "ranks, operations, registered",
          fields.size()));
    }
    TunerRow row;
    row.collective = name(fields[0], kTunerCollectives);
    row.min_bytes = whole<std::uint64_t>(fields[1]);
    row.max_bytes = whole<std::uint64_t>(fields[2]);
    if (row.max_bytes < row.min_bytes) fail(fmt::format("from {} bytes to {}", row.min_bytes, row.max_bytes));
    row.algorithm = name(fields[3], kTunerAlgorithms);
    row.protocol = name(fields[4], kTunerProtocols);
    row.channels = or_any(fields[5]);
    row.nodes = or_any(fields[6]);
    row.ranks = or_any(fields[7]);
    if (fields.size() > 8) row.pipe_ops = or_any(fields[8]);
    if (fields.size() > 9) row.registered = or_any(fields[9]);
    return row;
  }
  template <class Names>
  std::string name(std::string_view field, const Names& names) {
    if (std::find(names.begin(), names.end(), field) == names.end()) {
      std::string all;
      for (const std::string_view one : names) all += (all.empty() ? "" : ", ") + std::string(one);
      fail(fmt::format("'{}', expected one of {}", shown(field), all));
    }
    return std::string(field);
  }
  template <class Number>
  Number whole(std::string_view field) {
    const auto value = number_in<Number>(field);
    if (!value) fail(fmt::format("'{}', expected a whole number", shown(field)));
    return *value;
  }
  std::int32_t or_any(std::string_view field) {
    const auto value = whole<std::int32_t>(field);
    if (value < -1) fail(fmt::format("{}, expected -1 or more", value));
    return value;
  }

  std::string_view text_;
  const std::string& file_;
  std::uint32_t line_ = 0;
};

}  // namespace

std::span<const KnownAlgorithm> tuner_algorithms() {
  return kTunerKnown;
}

std::vector<TunerRow> tuner_rows(std::string_view collective, std::uint32_t ranks,
                                 const std::vector<SizeRule>& rules) {
  std::vector<TunerRow> rows;
  const std::uint64_t messages = messages_counted(collective, ranks);
  for (const SizeRule& rule : rules) {
    TunerRow row;
    row.algorithm = find_algorithm(kTunerKnown, "NCCL", collective, rule.algorithm).name;
    row.collective = tuner_collective(collective);
    row.ranks = static_cast<std::int32_t>(ranks);
    row.min_bytes = rows.empty() ? 0 : rule.from_bytes * messages;
    if (!rows.empty()) rows.back().max_bytes = row.min_bytes - 1;
    rows.push_back(row);
  }
  return rows;
}

std::vector<TunerRow> parse_tuner(std::string_view text, const std::string& file) {
  return TunerReader(text, file).run();
}

std::string tuner_text(const std::vector<TunerRow>& rows) {
  std::string text =
      "# collective,min_bytes,max_bytes,algorithm,protocol,channels,nNodes,nRanks,numPipeOps,regBuff\n";
  for (const TunerRow& row : rows) {
    append(text, "{},{},{},{},{},{},{},{},{},{}\n", row.collective, row.min_bytes, row.max_bytes,
           row.algorithm, row.protocol, row.channels, row.nodes, row.ranks, row.pipe_ops, row.registered);
  }
  return text;
}

const TunerRow* tuner_choice(const std::vector<TunerRow>& rows, std::string_view collective,
                             std::uint64_t bytes, std::int32_t nodes, std::int32_t ranks) {
  for (const TunerRow& row : rows) {
    if (row.collective == collective && row.min_bytes <= bytes && bytes <= row.max_bytes &&
        (row.nodes == -1 || row.nodes == nodes) && (row.ranks == -1 || row.ranks == ranks))
      return &row;
  }
  return nullptr;
}

}  // namespace unknot::runtimes
