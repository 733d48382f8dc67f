// SPDX-License-Identifier: Apache-2.0
#include "unknot/drawing/node_marks.hpp"

#include <span>

namespace unknot::drawing {
namespace {

/// What goes along a path that is none is not delivered.
bool arrives(const NodeGraph& graph, std::span<const NodeId> path) {
  for (std::size_t i = 1; i < path.size(); ++i) {
    if (!graph.find(path[i - 1], path[i]).valid()) return false;
  }
  return path.size() > 1;
}

}  // namespace

NodeMarks::NodeMarks(const Problem& problem, const Schedule& schedule) : nodes_(problem.graph->node_count()) {
  const bool gather = problem.is_gather();
  if (problem.groups() != 1 && !gather) return;
  broadcast_ = problem.delivery == Delivery::broadcast;
  towards_one_ = gather || problem.delivery == Delivery::reduction;

  std::vector<Mark> now(nodes_, Mark::none);
  if (!towards_one_) now[problem.owner.front().value] = Mark::has;
  for (std::uint32_t step = 0; step < schedule.step_count(); ++step) {
    std::vector<Mark> shown = now;
    for (std::uint32_t t = schedule.step_begin(step); t < schedule.step_end(step); ++t) {
      if (!arrives(*problem.graph, schedule.path(t))) continue;
      const NodeId done = towards_one_ ? schedule.distributor(t) : schedule.receiver(t);
      if (now[done.value] != Mark::has) shown[done.value] = Mark::fresh;
    }
    for (std::uint32_t t = schedule.step_begin(step); t < schedule.step_end(step); ++t) {
      const NodeId active = towards_one_ ? schedule.receiver(t) : schedule.distributor(t);
      if (shown[active.value] != Mark::fresh) shown[active.value] = Mark::sends;
    }
    marks_.insert(marks_.end(), shown.begin(), shown.end());
    for (std::uint32_t n = 0; n < nodes_; ++n) {
      if (shown[n] == Mark::fresh) now[n] = Mark::has;
    }
  }
}

const char* NodeMarks::meaning(Mark mark) const {
  switch (mark) {
    case Mark::none:
      return towards_one_ ? "has not sent" : "waits";
    case Mark::has:
      return towards_one_ ? "has sent" : broadcast_ ? "has the message" : "has its message";
    case Mark::sends:
      return towards_one_ ? "collects" : "sends";
    case Mark::fresh:
      return towards_one_ ? "sends" : broadcast_ ? "gets the message" : "gets its message";
  }
  return "";
}

std::string NodeMarks::node_class(std::uint32_t step, NodeId n) const {
  switch (mark(step, n)) {
    case Mark::none:
      return "";
    case Mark::has:
      return " has";
    case Mark::sends:
      return " sends";
    case Mark::fresh:
      return " new";
  }
  return "";
}

std::string NodeMarks::label_class(std::uint32_t step, NodeId n) const {
  return mark(step, n) == Mark::sends ? " inverse" : "";
}

std::string NodeMarks::words(std::uint32_t step, NodeId n) const {
  return marks_.empty() ? "" : std::string(", ") + meaning(mark(step, n));
}

std::vector<std::pair<std::string, std::string>> NodeMarks::legend() const {
  if (marks_.empty()) return {};
  return {{" sends", meaning(Mark::sends)},
          {" new", meaning(Mark::fresh)},
          {" has", meaning(Mark::has)},
          {"", meaning(Mark::none)}};
}

}  // namespace unknot::drawing
