// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/runtimes/openmpi_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "unknot/support/error.hpp"
#include "unknot/support/files/append.hpp"
#include "unknot/support/number.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot::runtimes {
namespace {

/// By number: name, and the highest number of an algorithm in Open MPI 4.1. COLLTYPE of
/// coll_base_functions.h.
struct CollectiveName {
  std::string_view name;
  std::uint32_t algorithms;
};
constexpr std::array<CollectiveName, kOpenMpiCollectives> kCollectiveNames = {{
    {"MPI_Allgather", 6},
    {"MPI_Allgatherv", 5},
    {"MPI_Allreduce", 6},
    {"MPI_Alltoall", 5},
    {"MPI_Alltoallv", 2},
    {"MPI_Alltoallw", 0},
    {"MPI_Barrier", 6},
    {"MPI_Bcast", 9},
    {"MPI_Exscan", 2},
    {"MPI_Gather", 3},
    {"MPI_Gatherv", 0},
    {"MPI_Reduce", 7},
    {"MPI_Reduce_scatter", 4},
    {"MPI_Reduce_scatter_block", 4},
    {"MPI_Scan", 2},
    {"MPI_Scatter", 3},
    {"MPI_Scatterv", 0},
    {"MPI_Neighbor_allgather", 0},
    {"MPI_Neighbor_allgatherv", 0},
    {"MPI_Neighbor_alltoall", 0},
    {"MPI_Neighbor_alltoallv", 0},
    {"MPI_Neighbor_alltoallw", 0},
}};

/// Recursive doubling of an all-gather, in reversed time, is the recursive halving of a reduce-scatter.
constexpr std::array<KnownAlgorithm, 17> kOpenMpiAlgorithms = {{
    {"AAB", "bruck", 2, "bruck"},
    {"AAB", "recursive-doubling", 3, "recursive_doubling"},
    {"AAB", "ring", 4, "ring"},
    {"all-reduce", "recursive-doubling", 3, "recursive_doubling"},
    {"all-reduce", "reduce-scatter + all-gather: ring", 4, "ring"},
    {"all-reduce", "reduce-scatter + all-gather: recursive-doubling", 6, "rabenseifner"},
    {"AAS", "pairwise", 2, "pairwise"},
    {"AAS", "bruck", 3, "modified_bruck"},
    {"OAB", "binomial", 6, "binomial"},
    {"OAB", "scatter + all-gather: recursive-doubling", 8, "scatter_allgather"},
    {"OAB", "scatter + all-gather: ring", 9, "scatter_allgather_ring"},
    {"AOR", "binomial", 5, "binomial"},
    {"AOR", "reduce-scatter + gather: recursive-doubling", 7, "rabenseifner"},
    {"AAR", "ring", 3, "ring"},
    {"AAR", "recursive-doubling", 2, "recursive_halving"},
    {"OAS", "binomial", 2, "binomial"},
    {"AOG", "binomial", 2, "binomial"},
}};

std::uint32_t id_of(std::string_view collective) {
  constexpr std::array<std::pair<std::string_view, std::uint32_t>, 8> kIds = {{{"AAB", 0},
                                                                               {"all-reduce", 2},
                                                                               {"AAS", 3},
                                                                               {"OAB", 7},
                                                                               {"AOG", 9},
                                                                               {"AOR", 11},
                                                                               {"AAR", 12},
                                                                               {"OAS", 15}}};
  for (const auto& [name, id] : kIds) {
    if (name == collective) return id;
  }
  throw InputError(fmt::format("Open MPI: no rules choose between algorithms of {}", collective));
}

constexpr std::uint64_t kMostRules = 100'000;  // of a list

/// Numbers between blanks; '#' begins a comment.
class Numbers {
 public:
  Numbers(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  std::uint64_t next(std::uint64_t most, const char* what) {
    skip();
    if (text_.empty()) fail(fmt::format("the file ends, expected {}", what));
    const std::string_view word = text_.substr(0, std::min(text_.size(), text_.find_first_of(" \t\r\n#")));
    const auto value = number_in<std::uint64_t>(word);
    if (!value || *value > most) fail(fmt::format("'{}', expected {} up to {}", shown(word), what, most));
    text_.remove_prefix(word.size());
    return *value;
  }
  void end() {
    skip();
    if (!text_.empty())
      fail(fmt::format("'{}' behind the last rule", shown(text_.substr(0, text_.find_first_of(" \t\r\n#")))));
  }
  [[noreturn]] void fail(const std::string& why) const { throw InputError(file_, line_, why); }

 private:
  void skip() {
    while (!text_.empty()) {
      if (text_.front() == '#') {
        text_.remove_prefix(std::min(text_.find('\n'), text_.size()));
      } else if (std::string_view(" \t\r\n").find(text_.front()) != std::string_view::npos) {
        if (text_.front() == '\n') ++line_;
        text_.remove_prefix(1);
      } else {
        return;
      }
    }
  }

  std::string_view text_;
  const std::string& file_;
  std::uint32_t line_ = 1;
};

std::string_view algorithm_name(std::uint32_t collective, std::uint32_t number) {
  for (const KnownAlgorithm& row : kOpenMpiAlgorithms) {
    if (row.number == number && id_of(row.collective) == collective) return row.name;
  }
  return "";
}

}  // namespace

std::span<const KnownAlgorithm> openmpi_algorithms() {
  return kOpenMpiAlgorithms;
}

std::vector<OpenMpiCollective> openmpi_rules(std::string_view collective, std::uint32_t ranks,
                                             const std::vector<SizeRule>& rules) {
  OpenMpiCollective result{id_of(collective), {{ranks, {}}}};
  const std::uint64_t messages = messages_counted(collective, ranks);
  for (const SizeRule& rule : rules) {
    const KnownAlgorithm& known = find_algorithm(kOpenMpiAlgorithms, "Open MPI", collective, rule.algorithm);
    std::vector<OpenMpiRule>& list = result.sizes[0].rules;
    const std::uint64_t from = list.empty() ? 0 : rule.from_bytes * messages;
    list.push_back({from, known.number, 0, 0});
  }
  return {result};
}

std::vector<OpenMpiCollective> parse_openmpi_rules(std::string_view text, const std::string& file) {
  constexpr std::string_view kVersion = "rule-file-version-";
  if (text.starts_with(kVersion)) {
    throw InputError(file, 1,
                     "rules with a version are of another form, which has more numbers: expected a number");
  }
  Numbers numbers(text, file);
  std::vector<OpenMpiCollective> result(numbers.next(kOpenMpiCollectives, "the number of collectives"));
  std::array<bool, kOpenMpiCollectives> seen{};
  for (OpenMpiCollective& collective : result) {
    collective.id =
        static_cast<std::uint32_t>(numbers.next(kOpenMpiCollectives - 1, "the number of a collective"));
    if (seen[collective.id]) numbers.fail(fmt::format("rules for collective {} again", collective.id));
    seen[collective.id] = true;
    const std::uint64_t sizes =
        numbers.next(kMostRules, "how many sizes of communicators there are rules for");
    for (std::uint64_t s = 0; s < sizes; ++s) {
      OpenMpiSizes& of_size = collective.sizes.emplace_back();
      of_size.ranks = static_cast<std::uint32_t>(numbers.next(0x7FFFFFFF, "the ranks of a communicator"));
      if (s > 0 && of_size.ranks <= collective.sizes[s - 1].ranks) {
        numbers.fail(
            fmt::format("{} ranks after {}: expected more", of_size.ranks, collective.sizes[s - 1].ranks));
      }
      const std::uint64_t rules = numbers.next(kMostRules, "how many sizes of messages there are rules for");
      for (std::uint64_t r = 0; r < rules; ++r) {
        OpenMpiRule rule;
        rule.from_bytes = numbers.next(INT64_MAX, "the bytes of a message");
        if (r == 0 && rule.from_bytes > 0) numbers.fail("the first rule must be for 0 bytes on");
        if (r > 0 && rule.from_bytes <= of_size.rules.back().from_bytes) {
          numbers.fail(fmt::format("{} bytes after {}: expected more", rule.from_bytes,
                                   of_size.rules.back().from_bytes));
        }
        rule.algorithm = static_cast<std::uint32_t>(
            numbers.next(kCollectiveNames[collective.id].algorithms, "the number of an algorithm"));
        rule.fan = static_cast<std::uint32_t>(numbers.next(0x7FFFFFFF, "a number of children"));
        rule.segment = numbers.next(0x7FFFFFFF, "the bytes of a segment");
        of_size.rules.push_back(rule);
      }
    }
  }
  numbers.end();
  return result;
}

std::string openmpi_rules_text(const std::vector<OpenMpiCollective>& rules) {
  std::string text = fmt::format("{}  # collectives\n", rules.size());
  for (const OpenMpiCollective& collective : rules) {
    append(text, "{}  # {}\n{}  # sizes of communicators\n", collective.id,
           kCollectiveNames[collective.id].name, collective.sizes.size());
    for (const OpenMpiSizes& of_size : collective.sizes) {
      append(text, "{}  # ranks\n{}  # sizes of messages: from bytes, algorithm, fan, segment\n",
             of_size.ranks, of_size.rules.size());
      for (const OpenMpiRule& rule : of_size.rules) {
        append(text, "{} {} {} {}", rule.from_bytes, rule.algorithm, rule.fan, rule.segment);
        if (const std::string_view name = algorithm_name(collective.id, rule.algorithm); !name.empty())
          append(text, "  # {}", name);
        text += "\n";
      }
    }
  }
  return text;
}

std::uint32_t openmpi_algorithm(const std::vector<OpenMpiCollective>& rules, std::uint32_t collective,
                                std::uint32_t ranks, std::uint64_t bytes) {
  std::uint32_t result = 0;
  for (const OpenMpiCollective& one : rules) {
    if (one.id != collective) continue;
    for (const OpenMpiSizes& of_size : one.sizes) {
      if (of_size.ranks > ranks && &of_size != one.sizes.data()) break;
      result = 0;
      for (const OpenMpiRule& rule : of_size.rules) {
        if (rule.from_bytes > bytes) break;
        result = rule.algorithm;
      }
    }
  }
  return result;
}

}  // namespace unknot::runtimes
