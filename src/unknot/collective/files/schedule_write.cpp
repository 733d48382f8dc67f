// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "unknot/collective/files/schedule_file.hpp"
#include "unknot/collective/files/schedule_head.hpp"
#include "unknot/support/files/append.hpp"

namespace unknot {
namespace {

/// Columns as wide as their widest cell; trailing blanks are left out.
std::string padded(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> width;
  for (const auto& row : rows) {
    width.resize(std::max(width.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format("{:<{}}  ", row[i], width[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace

Problem problem_of(const ScheduleDocument& document, std::shared_ptr<const NodeGraph> graph,
                   const ProblemRules& rules) {
  const CollectiveRow& row = find_collective(document.collective);
  Participants participants = document.participants;
  if (!participants.root && !participants.groups) participants.root = implied_root(row, document.schedule);
  return make_collective(std::move(graph), document.collective, participants, rules);
}

ScheduleDocument document_of(const Problem& problem, std::string fabric, Schedule schedule) {
  return {std::move(fabric), "", problem.collective, participants_of(problem), std::move(schedule)};
}

std::string schedule_json(const ScheduleDocument& document) {
  const Schedule& schedule = document.schedule;
  std::string text =
      schedule_head(document.fabric, document.faults, document.collective, document.participants);
  text += ", \"steps\": [";
  for (std::uint32_t step = 0; step < schedule.step_count(); ++step) {
    text += step == 0 ? "\n [" : ",\n [";
    for (std::uint32_t t = schedule.step_begin(step); t < schedule.step_end(step); ++t) {
      append(text, "{}{{\"origin\": {}, \"path\": [{}]}}", t == schedule.step_begin(step) ? "" : ", ",
             schedule.origin(t).value, node_list(schedule.path(t), ", "));
    }
    text += "]";
  }
  return text + "\n]}\n";
}

std::string schedule_table(const ScheduleDocument& document) {
  const Schedule& schedule = document.schedule;
  std::map<NodeId, std::vector<std::vector<std::string>>> cells;  // by origin, then step
  for (std::uint32_t step = 0; step < schedule.step_count(); ++step) {
    for (std::uint32_t t = schedule.step_begin(step); t < schedule.step_end(step); ++t) {
      auto& row = cells[schedule.origin(t)];
      row.resize(schedule.step_count());
      row[step].push_back(fmt::format("{}->{} ({})", schedule.distributor(t).value,
                                      schedule.receiver(t).value, node_list(schedule.path(t), ",")));
    }
  }
  std::vector<std::vector<std::string>> rows{{"source"}};
  for (std::uint32_t step = 0; step < schedule.step_count(); ++step)
    rows[0].push_back(fmt::format("step {}", step + 1));
  for (const auto& [origin, row] : cells) {
    std::size_t lines = 0;
    for (const auto& cell : row) lines = std::max(lines, cell.size());
    for (std::size_t line = 0; line < lines; ++line) {
      std::vector<std::string> shown{line == 0 ? std::to_string(origin.value) : ""};
      for (const auto& cell : row) shown.push_back(line < cell.size() ? cell[line] : "");
      rows.push_back(std::move(shown));
    }
  }
  return fmt::format("{} {}\n\n", document.collective, document.fabric) + padded(rows);
}

}  // namespace unknot
