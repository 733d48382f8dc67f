// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "unknot/collective/schedule_file.hpp"

namespace unknot {
namespace {

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

template <class Nodes>
std::string joined(const Nodes& nodes, const char* between) {
  std::string text;
  for (const NodeId n : nodes)
    fmt::format_to(std::back_inserter(text), "{}{}", text.empty() ? "" : between, n.value);
  return text;
}

void add_list(std::string& text, const char* name, const std::optional<std::vector<NodeId>>& nodes) {
  if (nodes) fmt::format_to(std::back_inserter(text), ", \"{}\": [{}]", name, joined(*nodes, ", "));
}

std::vector<NodeId> with_role(const std::vector<Role>& roles, Role role) {
  std::vector<NodeId> nodes;
  for (std::uint32_t n = 0; n < roles.size(); ++n) {
    if ((static_cast<unsigned>(roles[n]) & static_cast<unsigned>(role)) != 0) nodes.emplace_back(n);
  }
  return nodes;
}

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

bool ScheduleDocument::operator==(const ScheduleDocument& other) const {
  const Participants& a = participants;
  const Participants& b = other.participants;
  return fabric == other.fabric && faults == other.faults && collective == other.collective &&
         a.root == b.root && a.nodes == b.nodes && a.transmitters == b.transmitters &&
         a.receivers == b.receivers && schedule == other.schedule;
}

Problem problem_of(const ScheduleDocument& document, std::shared_ptr<const NodeGraph> graph,
                   const Problem& rules) {
  const CollectiveRow& row = find_collective(document.collective);
  Participants participants = document.participants;
  if (!participants.root) participants.root = implied_root(row, document.schedule);
  return make_collective(std::move(graph), document.collective, participants, rules);
}

ScheduleDocument document_of(const Problem& problem, std::string fabric, Schedule schedule) {
  ScheduleDocument document;
  document.fabric = std::move(fabric);
  document.collective = problem.collective;
  document.schedule = std::move(schedule);
  const std::vector<Role> roles = problem.roles();
  std::vector<NodeId> transmitters = with_role(roles, Role::transmitter);
  std::vector<NodeId> receivers = with_role(roles, Role::receiver);
  std::vector<NodeId>& all = document.participants.nodes.emplace();
  std::set_union(transmitters.begin(), transmitters.end(), receivers.begin(), receivers.end(),
                 std::back_inserter(all));
  switch (find_collective(problem.collective).spread) {
    case Spread::one_to_all:
      document.participants.root = transmitters.front();
      break;
    case Spread::all_to_one:
      document.participants.root = receivers.front();
      break;
    case Spread::all_to_all:
    case Spread::many_to_many:
      if (transmitters != all || receivers != all) {
        document.participants.transmitters = std::move(transmitters);
        document.participants.receivers = std::move(receivers);
      }
  }
  return document;
}

std::string schedule_json(const ScheduleDocument& document) {
  const Schedule& schedule = document.schedule;
  std::string text = "{";
  if (!document.fabric.empty()) text += "\"fabric\": " + quoted(document.fabric) + ", ";
  if (!document.faults.empty()) text += "\"fail\": " + quoted(document.faults) + ", ";
  text += "\"collective\": " + quoted(document.collective);
  add_list(text, "terminals", document.participants.nodes);
  if (document.participants.root)
    fmt::format_to(std::back_inserter(text), ", \"root\": {}", document.participants.root->value);
  add_list(text, "transmitters", document.participants.transmitters);
  add_list(text, "receivers", document.participants.receivers);
  text += ", \"steps\": [";
  for (std::uint32_t step = 0; step < schedule.step_count(); ++step) {
    text += step == 0 ? "\n [" : ",\n [";
    for (std::uint32_t t = schedule.step_begin(step); t < schedule.step_end(step); ++t) {
      fmt::format_to(std::back_inserter(text), "{}{{\"origin\": {}, \"path\": [{}]}}",
                     t == schedule.step_begin(step) ? "" : ", ", schedule.origin(t).value,
                     joined(schedule.path(t), ", "));
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
                                      schedule.receiver(t).value, joined(schedule.path(t), ",")));
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
