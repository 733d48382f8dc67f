// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <limits>
#include <unordered_map>

#include "unknot/support/text/scanner.hpp"
#include "unknot/traffic/workloads/goal_schedule.hpp"
#include "unknot/traffic/workloads/goal_tokens.hpp"

namespace unknot::goal {
namespace {

using Kind = TaskGraph::Kind;

constexpr std::uint64_t kMostTag = kAny - 1;
constexpr std::uint64_t kMostUnit = 255;  // CPUs and NICs are bytes in LogGOPSim

class ScheduleReader {
 public:
  ScheduleReader(std::string_view text, const std::string& file, std::uint32_t most_ranks)
      : tokens_(text, file), file_(file), most_ranks_(most_ranks) {}

  Schedule run() {
    for (;;) {
      tokens_.skip_ends_of_statements();
      if (tokens_.kind() == Tokens::Kind::end_of_text) break;
      const std::uint32_t line = tokens_.line();
      if (tokens_.eat("num_ranks")) {
        read_rank_count(line);
      } else if (tokens_.eat("rank")) {
        read_section();
      } else {
        tokens_.expected("'num_ranks' or 'rank'");
      }
    }
    if (schedule_.operations.empty())
      throw InputError(file_ + ": no operations; expected a schedule in GOAL");
    return std::move(schedule_);
  }

 private:
  /// Requirement by the names of labels.
  struct Named {
    std::string_view operation, before;
    bool begun;
    std::uint32_t line;
  };

  void read_rank_count(std::uint32_t line) {
    if (schedule_.ranks != 0) throw InputError(file_, line, "the number of ranks is given already");
    const std::uint64_t ranks = tokens_.number("a number of ranks", kMostTag);
    if (ranks == 0) throw InputError(file_, line, "expected at least one rank");
    if (ranks > most_ranks_) {
      throw InputError(file_, line,
                       fmt::format("{} ranks, but the network has {} terminals", ranks, most_ranks_));
    }
    schedule_.ranks = static_cast<std::uint32_t>(ranks);
    section_of_.assign(schedule_.ranks, 0);
  }

  void read_section() {
    if (schedule_.ranks == 0) tokens_.fail("expected 'num_ranks' before the first rank");
    const std::uint32_t line = tokens_.line();
    rank_ = rank();
    if (section_of_[rank_] != 0) {
      throw InputError(file_, line,
                       fmt::format("rank {} has a section on line {} already", rank_, section_of_[rank_]));
    }
    section_of_[rank_] = line;
    tokens_.skip_ends_of_statements();
    tokens_.take(Tokens::Kind::open, "'{'");
    for (;;) {
      tokens_.skip_ends_of_statements();
      if (tokens_.kind() == Tokens::Kind::close) break;
      if (tokens_.kind() == Tokens::Kind::end_of_text)
        tokens_.fail(fmt::format("the section of rank {} does not end: expected '}}'", rank_));
      read_statement();
    }
    tokens_.next();
    resolve();
  }

  void read_statement() {
    if (!read_operation()) {
      const std::uint32_t line = tokens_.line();
      const std::string_view label =
          tokens_.take(Tokens::Kind::word, "'calc', 'send', 'recv', a label or '}'");
      if (tokens_.kind() == Tokens::Kind::colon) {
        tokens_.next();
        define(label, line);
        if (!read_operation()) tokens_.expected("'calc', 'send' or 'recv'");
      } else {
        const bool begun = tokens_.is_word("irequires");
        if (!begun && !tokens_.is_word("requires")) tokens_.expected("':', 'requires' or 'irequires'");
        tokens_.next();
        named_.push_back({label, tokens_.take(Tokens::Kind::word, "a label"), begun, line});
      }
    }
    if (tokens_.kind() != Tokens::Kind::end_of_statement && tokens_.kind() != Tokens::Kind::close)
      tokens_.expected("the end of the statement");
  }

  void define(std::string_view label, std::uint32_t line) {
    const auto index = static_cast<std::uint32_t>(schedule_.operations.size());
    const auto [old, is_new] = labels_.emplace(label, index);
    schedule_.labels.emplace_back(index, label);
    if (is_new) return;
    throw InputError(file_, line,
                     fmt::format("the label '{}' is on line {} already", shown(label),
                                 schedule_.operations[old->second].line));
  }

  bool read_operation() {
    Operation operation;
    operation.rank = rank_;
    operation.line = tokens_.line();
    if (tokens_.eat("calc")) {
      operation.kind = Kind::compute;
      operation.amount = tokens_.number("a number of nanoseconds", kMostAmount);
    } else if (tokens_.eat("send")) {
      operation.kind = Kind::send;
      operation.amount = bytes();
      if (!tokens_.eat("to")) tokens_.expected("'to'");
      operation.peer = rank();
    } else if (tokens_.eat("recv")) {
      operation.kind = Kind::receive;
      operation.amount = bytes();
      if (!tokens_.eat("from")) tokens_.expected("'from'");
      operation.peer = any() ? kAny : rank();
    } else {
      return false;
    }
    if (operation.kind != Kind::compute && operation.peer == rank_)
      throw InputError(file_, operation.line, fmt::format("rank {} and itself exchange a message", rank_));
    read_options(operation);
    if (schedule_.operations.size() >= kAny - 1U) tokens_.fail("2^32 operations or more");
    schedule_.operations.push_back(operation);
    return true;
  }

  void read_options(Operation& operation) {
    bool tag = operation.kind == Kind::compute;  // which may not come any more
    bool cpu = false;
    bool nic = false;
    for (;;) {
      if (!tag && tokens_.eat("tag")) {
        tag = true;
        if (operation.kind == Kind::receive && any()) {
          operation.tag = kAny;
        } else {
          operation.tag = static_cast<std::uint32_t>(tokens_.number("a tag", kMostTag));
        }
      } else if (!cpu && tokens_.eat("cpu")) {
        cpu = true;
        operation.cpu = static_cast<std::uint8_t>(tokens_.number("the number of a CPU", kMostUnit));
      } else if (!nic && tokens_.eat("nic")) {
        nic = true;
        operation.nic = static_cast<std::uint8_t>(tokens_.number("the number of a NIC", kMostUnit));
      } else {
        return;
      }
    }
  }

  std::uint64_t bytes() {
    const std::uint64_t bytes = tokens_.number("a number of bytes", kMostAmount);
    if (!tokens_.eat("b")) tokens_.expected("'b' behind the number of bytes");
    return bytes;
  }

  std::uint32_t rank() {
    const std::uint32_t line = tokens_.line();
    const std::uint64_t rank = tokens_.number("a rank", kMostTag);
    if (rank >= schedule_.ranks) {
      throw InputError(
          file_, line,
          fmt::format("there is no rank {}: there are {}, counted from 0", rank, schedule_.ranks));
    }
    return static_cast<std::uint32_t>(rank);
  }

  bool any() {
    if (tokens_.kind() != Tokens::Kind::any) return false;
    tokens_.next();
    return true;
  }

  /// At the end of a section: labels are those of the rank alone.
  void resolve() {
    const auto find = [&](std::string_view label, std::uint32_t line) {
      const auto found = labels_.find(label);
      if (found == labels_.end()) {
        throw InputError(file_, line,
                         fmt::format("no operation of rank {} has the label '{}'", rank_, shown(label)));
      }
      return found->second;
    };
    for (const Named& named : named_) {
      schedule_.requirements.push_back(
          {find(named.operation, named.line), find(named.before, named.line), named.begun});
    }
    named_.clear();
    labels_.clear();
  }

  Tokens tokens_;
  const std::string& file_;
  std::uint32_t most_ranks_;
  Schedule schedule_;
  std::vector<std::uint32_t> section_of_;  // line of each rank's section, 0: none yet
  std::uint32_t rank_ = 0;
  std::unordered_map<std::string_view, std::uint32_t> labels_;
  std::vector<Named> named_;
};

}  // namespace

Schedule parse_schedule(std::string_view text, const std::string& file, std::uint32_t most_ranks) {
  return ScheduleReader(text, file, most_ranks).run();
}

}  // namespace unknot::goal
