// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "unknot/formats/levels/level_ranges.hpp"
#include "unknot/formats/tables/lane_formats.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/formats/tables/table_formats.hpp"
#include "unknot/formats/text/guid_index.hpp"
#include "unknot/formats/text/line_scanner.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot {
namespace {

constexpr std::uint8_t kLevelBits = 0x0F;
/// Set while reading, on levels that a line of the whole adapter gave: a line of the port overrides them.
constexpr std::uint8_t kOfAdapter = 0x10;

constexpr const char* kExpected = "expected '0x<source guid> <destination lid> <service level>'";

constexpr const char* kReferenceExpected =
    "expected a source whose levels are told as '<service level>:<lid>,...' on lines above";

/// Lines that follow each other and have the same source.
struct Run {
  const char* first;
  const char* last;
  std::uint32_t terminal;
  bool of_adapter;
};

/// First field of a line and what follows it; false for blank lines and comments.
bool split_source(const char* p, const char* end, std::string_view& source, const char*& rest) {
  skip_blanks(p, end);
  if (p == end || *p == '#') return false;
  rest = p;
  while (rest != end && !is_blank(*rest)) ++rest;
  source = {p, static_cast<std::size_t>(rest - p)};
  return true;
}

/// Refuses, by its first line, a file that is something else.
void judge_first_line(std::string_view head, const std::string& name) {
  LineScanner scanner(head, name);
  while (scanner.advance()) {
    std::string_view source;
    const char* rest = nullptr;
    if (!split_source(scanner.begin(), scanner.end(), source, rest)) continue;
    if (!source.starts_with("0x")) scanner.fail(kExpected);
    return;
  }
}

/// True when the line starts with that source right away: the common case, told without looking for its end.
bool same_source(const LineScanner& scanner, std::string_view source) {
  const auto length = static_cast<std::size_t>(scanner.end() - scanner.begin());
  return !source.empty() && length > source.size() && is_blank(scanner.begin()[source.size()]) &&
         std::memcmp(scanner.begin(), source.data(), source.size()) == 0;
}

/// Reads the file source by source: a row of levels is complete before the next begins, so that memory for
/// each pair of terminals is taken only where the terminals of some router differ.
class PathLevelReader {
 public:
  PathLevelReader(const Network& network, const LidMap& lids, std::string_view text, const std::string& name)
      : network_(network), lids_(lids), text_(text), name_(name) {}

  ServiceLevels read() {
    find_runs();
    sources_ = network_.endpoint_routers();
    // Rows for each terminal are only asked for when rows of routers were complete: the memory that takes is
    // then of the order of the file's size.
    std::optional<ServiceLevels> levels = fill(ServiceLevels(network_, ServiceLevels::Rows::by_router));
    if (!levels && network_.own_port(sources_.front()).valid()) levels = fill(apart_from_own_ports());
    if (!levels) levels = fill(ServiceLevels(network_, ServiceLevels::Rows::by_terminal));
    return *std::move(levels);
  }

 private:
  /// What came of the rows of one router's terminals.
  struct Outcome {
    const char* error_at = nullptr;  // first line in error
    std::string error;
    std::uint64_t missing = 0;
    TerminalId missing_source, missing_destination;
    bool differ = false;
  };

  [[noreturn]] void fail_at(const char* where, const std::string& message) const {
    LineScanner(text_, name_).fail_at(where, message);
  }

  void find_runs() {
    const GuidIndex guids(network_);
    LineScanner scanner(text_, name_);
    std::string_view current;
    std::size_t group = 0;  // first of the runs that the current lines make
    while (scanner.advance()) {
      if (!same_source(scanner, current)) {
        std::string_view source;
        const char* rest = nullptr;
        if (!split_source(scanner.begin(), scanner.end(), source, rest)) continue;
        if (current.empty() || source != current) {
          current = source;
          group = runs_.size();
          start_runs(guids, scanner, source);
        }
      }
      for (std::size_t i = group; i < runs_.size(); ++i) runs_[i].last = scanner.end();
      lines_of_->back().second = scanner.end();
    }
    std::stable_sort(runs_.begin(), runs_.end(),
                     [](const Run& a, const Run& b) { return a.terminal < b.terminal; });
    first_run_.assign(network_.terminal_count() + std::size_t{1}, 0);
    for (const Run& run : runs_) ++first_run_[run.terminal + 1];
    for (std::size_t t = 1; t < first_run_.size(); ++t) first_run_[t] += first_run_[t - 1];
  }

  void start_runs(const GuidIndex& guids, const LineScanner& scanner, std::string_view source) {
    const char* p = source.data();
    const char* const end = p + source.size();
    std::uint64_t guid = 0;
    if (!take_hex(p, end, guid) || p != end) scanner.fail(kExpected);
    lines_of_ = &lines_of_source_[guid];
    lines_of_->emplace_back(scanner.begin(), scanner.end());
    // A node GUID stands for all ports of the adapter; it may also be the GUID of one of them.
    const Device port = guids.port(guid);
    const auto ports = guids.node(guid);
    for (const auto& [node, t] : ports) {
      const bool port_too = port.is_terminal() && port.index() == t.value;
      runs_.push_back({scanner.begin(), scanner.end(), t.value, ports.size() > 1 && !port_too});
    }
    if (ports.empty()) {
      if (port.is_router()) return;  // no traffic between terminals
      if (!port.is_terminal()) {
        scanner.fail(fmt::format("GUID 0x{:016x} belongs to no endpoint of the fabric", guid));
      }
      runs_.push_back({scanner.begin(), scanner.end(), port.index(), false});
    }
  }

  /// A row for the hosts of each router and one for the router itself.
  ServiceLevels apart_from_own_ports() const {
    std::vector<bool> begins(network_.terminal_count(), false);
    for (const RouterId r : sources_) begins[network_.own_port(r).value] = true;
    return {network_, begins, 0};
  }

  /// The levels in rows as these have; nothing when they have no room for them.
  std::optional<ServiceLevels> fill(ServiceLevels levels) {
    std::vector<Outcome> outcomes(sources_.size());
    std::vector<std::vector<std::uint8_t>> rows(hardware_threads());
    parallel_blocks(static_cast<std::uint32_t>(sources_.size()), 1, hardware_threads(),
                    [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
                      for (std::uint32_t i = begin; i < end; ++i) {
                        fill_router(sources_[i], levels, rows[worker], outcomes[i]);
                      }
                    });
    const Outcome* first_error = nullptr;
    const Outcome* first_missing = nullptr;
    std::uint64_t missing = 0;
    bool differ = false;
    for (const Outcome& outcome : outcomes) {
      if (outcome.error_at != nullptr &&
          (first_error == nullptr || outcome.error_at < first_error->error_at)) {
        first_error = &outcome;
      }
      if (outcome.missing > 0 && first_missing == nullptr) first_missing = &outcome;
      missing += outcome.missing;
      differ = differ || outcome.differ;
    }
    if (first_error != nullptr) fail_at(first_error->error_at, first_error->error);
    if (first_missing != nullptr) {
      const std::uint32_t lid = lids_.of(first_missing->missing_destination);
      throw InputError(fmt::format(
          "{}: {} of {} pairs have no service level, the first from {} (0x{:016x}) to {}{}", name_, missing,
          std::uint64_t{network_.terminal_count()} * (network_.terminal_count() - 1),
          network_.terminal_name(first_missing->missing_source),
          network_.terminal_port_guid(first_missing->missing_source),
          network_.terminal_name(first_missing->missing_destination),
          lid != 0 ? fmt::format(" (LID {})", lid) : fmt::format(", which has no LID{}", kOfAnotherFabric)));
    }
    if (differ) return std::nullopt;
    return levels;
  }

  void fill_router(RouterId r, ServiceLevels& levels, std::vector<std::uint8_t>& row,
                   Outcome& outcome) const {
    const bool managed = network_.own_port(r).valid();
    const IdRange<TerminalId> here = network_.terminals_at(r);
    TerminalId first;  // of the row
    for (const TerminalId source : here) {
      row.assign(network_.terminal_count(), ServiceLevels::kMissing);
      std::uint32_t references = 0;
      for (std::size_t i = first_run_[source.value]; i < first_run_[source.value + 1]; ++i) {
        const Run& run = runs_[i];
        if (!read_lines(run.first, run.last, {source, run.of_adapter, false, row, outcome, references}))
          return;
      }
      row[source.value] = 0;
      for (const TerminalId d : network_.terminals()) {
        // Nobody has said on which level management is sent: on the first.
        if (managed && row[d.value] == ServiceLevels::kMissing && (own_port(source) || own_port(d)))
          row[d.value] = 0;
        if (row[d.value] == ServiceLevels::kMissing) {
          if (outcome.missing++ == 0) {
            outcome.missing_source = source;
            outcome.missing_destination = d;
          }
        }
        row[d.value] &= kLevelBits;
      }
      const auto to = levels.row(levels.row_of(source));
      if (levels.begins_row(network_, source)) {
        first = source;
        std::copy(row.begin(), row.end(), to.begin());
        continue;
      }
      // The levels that a terminal has for itself say nothing: the first row's gap is filled by the second.
      if (source.value == first.value + 1) to[first.value] = row[first.value];
      row[source.value] = to[source.value];
      outcome.differ = outcome.differ || !std::equal(row.begin(), row.end(), to.begin());
    }
  }

  [[nodiscard]] bool own_port(TerminalId t) const { return network_.terminal_port(t) == 0; }

  /// A row that is being filled, and where it is told of.
  struct Filling {
    TerminalId source;
    bool of_adapter = false;
    bool referred = false;  ///< by the lines of another source: those must be compact, and refer to no third
    std::vector<std::uint8_t>& row;
    Outcome& outcome;
    std::uint32_t& references;  ///< of the source so far
  };

  /// Keeps the first line in error; false.
  static bool fail(Outcome& outcome, const char* where, std::string_view message) {
    if (outcome.error_at == nullptr || where < outcome.error_at) {
      outcome.error_at = where;
      outcome.error = message;
    }
    return false;
  }

  /// False when a line is in error.
  bool read_lines(const char* first, const char* last, const Filling& to) const {
    LineScanner scanner({first, static_cast<std::size_t>(last - first)}, name_);
    std::string_view name;
    while (scanner.advance()) {
      const char* p = scanner.begin() + name.size();
      const char* const end = scanner.end();
      const char* const line = scanner.begin();
      if (!same_source(scanner, name) && !split_source(line, end, name, p)) continue;
      skip_blanks(p, end);
      if (p != end && *p == '=') {
        if (!read_reference(p, end, line, to)) return false;
        continue;
      }
      std::uint32_t lid = 0;
      std::uint32_t level = 0;
      const char* const second = p;
      const bool lid_read = take_decimal(p, end, lid);
      if (lid_read && p != end && *p == ':') {
        if (!read_ranges(second, end, line, to)) return false;
        continue;
      }
      const bool blank_read = p != end && is_blank(*p);
      skip_blanks(p, end);
      const bool level_read = take_decimal(p, end, level);
      skip_blanks(p, end);
      if (!lid_read || !blank_read || !level_read || p != end || to.referred) {
        return fail(to.outcome, line, to.referred ? kReferenceExpected : kExpected);
      }
      if (!take_level(lid, level, line, to)) return false;
    }
    return true;
  }

  bool read_ranges(const char* p, const char* end, const char* line, const Filling& to) const {
    bool taken = true;
    const bool read =
        take_level_ranges(p, end, [&](std::uint32_t level, std::uint32_t first, std::uint32_t last) {
          for (std::uint32_t lid = first; taken && lid <= last; ++lid)
            taken = take_level(lid, level, line, to);
          return taken;
        });
    return read || (taken ? fail(to.outcome, line, kLevelRangesExpected) : false);
  }

  /// "= 0x<source guid>": the lines of that source, all of which must be above.
  bool read_reference(const char* p, const char* end, const char* line, const Filling& to) const {
    std::uint64_t guid = 0;
    skip_blanks(++p, end);
    const bool read = take_hex(p, end, guid);
    skip_blanks(p, end);
    if (!read || p != end) return fail(to.outcome, line, kLevelRangesExpected);
    // One for the port and one for its adapter have a meaning; each is as long as the lines that it refers
    // to.
    if (++to.references > 2)
      return fail(to.outcome, line, "expected one '= 0x<source guid>' of a source at most");
    const auto found = lines_of_source_.find(guid);
    if (to.referred || found == lines_of_source_.end()) return fail(to.outcome, line, kReferenceExpected);
    for (const auto& [first, last] : found->second) {
      if (first >= line) return fail(to.outcome, line, kReferenceExpected);
      const char* const error_before = to.outcome.error_at;
      if (read_lines(first, last, {to.source, to.of_adapter, true, to.row, to.outcome, to.references}))
        continue;
      // What is wrong with lines that nothing is wrong with by themselves is this reference to them.
      if (to.outcome.error == kReferenceExpected && to.outcome.error_at != error_before)
        to.outcome.error_at = line;
      return false;
    }
    return true;
  }

  bool take_level(std::uint32_t lid, std::uint32_t level, const char* line, const Filling& to) const {
    if (level >= LaneMap::kLevels) {
      return fail(to.outcome, line,
                  fmt::format("service level {} is beyond {}", level, LaneMap::kLevels - 1));
    }
    const Device device = lids_.at(lid);
    if (!device.known())
      return fail(to.outcome, line, fmt::format("LID {} belongs to no device of the fabric", lid));
    if (!device.is_terminal()) return true;  // paths to switches carry no traffic between terminals
    const TerminalId d(device.index());
    if (d == to.source || lids_.of(d) != lid) return true;
    std::uint8_t& entry = to.row[d.value];
    const bool had = entry != ServiceLevels::kMissing;
    const bool had_of_adapter = had && (entry & kOfAdapter) != 0;
    if (had && to.of_adapter == had_of_adapter && (entry & kLevelBits) != level) {
      return fail(to.outcome, line,
                  fmt::format("service level {} for LID {}, but {} above", level, lid, entry & kLevelBits));
    }
    if (had && to.of_adapter && !had_of_adapter) return true;
    entry = static_cast<std::uint8_t>(level | (to.of_adapter ? kOfAdapter : 0));
    return true;
  }

  const Network& network_;
  const LidMap& lids_;
  std::string_view text_;
  const std::string& name_;
  std::vector<RouterId> sources_;
  std::vector<Run> runs_;               // by terminal, then place in the file
  std::vector<std::size_t> first_run_;  // by terminal
  /// Lines that follow each other, by the GUID of their source.
  std::unordered_map<std::uint64_t, std::vector<std::pair<const char*, const char*>>> lines_of_source_;
  std::vector<std::pair<const char*, const char*>>* lines_of_ = nullptr;  ///< of the current source
};

}  // namespace

ServiceLevels parse_service_levels(const Network& network, const LidMap& lids, std::string_view text,
                                   const std::string& name) {
  return PathLevelReader(network, lids, text, name).read();
}

ServiceLevels read_service_levels(const Network& network, const std::string& path, const LidMap* lids) {
  // A line for each pair, 128 where a terminal has that many LIDs, twice where its adapter has its own; and
  // comments.
  constexpr std::uint64_t kMostOfPair = 16'384;
  constexpr std::uint64_t kMostFree = 16 * ReadLimits::kMebi;
  ReadLimits limits;
  const std::uint64_t terminals = network.terminal_count();
  limits.most = limits.most_streamed = kMostFree + terminals * terminals * kMostOfPair;
  limits.judge = [&](std::string_view head) { judge_first_line(head, path); };
  const std::string text = read_file(path, limits);
  if (lids != nullptr) return parse_service_levels(network, *lids, text, path);
  return parse_service_levels(network, lid_map_beside(network, path), text, path);
}

}  // namespace unknot
