// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/simulation/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "unknot/support/error.hpp"
#include "unknot/support/files/append.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/traffic/chakra/chakra_nodes.hpp"

namespace unknot::cli {
namespace {

using simulate::TaskTimes;
using Kind = TaskGraph::Kind;

std::string json_word(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::uint64_t rounded_nanoseconds(std::uint64_t cycle, double cycle_ns) {
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(cycle) * cycle_ns));
}

/// Nanoseconds as microseconds.
std::string microseconds(std::uint64_t nanoseconds) {
  return fmt::format("{}.{:03}", nanoseconds / 1000, nanoseconds % 1000);
}

/// What a track shows.
struct Slice {
  std::uint64_t begin = 0, end = 0;  ///< nanoseconds
  std::uint32_t task = 0;            ///< the first one of a collective
};

class TimelineWriter {
 public:
  TimelineWriter(const Network& network, const Workload& workload, const simulate::WorkloadReport& report,
                 double cycle_ns, const FileSink& sink)
      : network_(network),
        graph_(*workload.tasks),
        trace_(workload.trace.get()),
        at_once_(workload.at_once),
        report_(report),
        cycle_ns_(cycle_ns),
        sink_(sink),
        tasks_of_(network.terminal_count()),
        rank_of_(network.terminal_count()) {
    for (std::uint32_t terminal = 0; terminal < rank_of_.size(); ++terminal) rank_of_[terminal] = terminal;
    const auto count = static_cast<std::uint32_t>(graph_.tasks.size());
    if (trace_ != nullptr) tasks_of_node_.assign(trace_->nodes.size(), 0);
    for (std::uint32_t t = 0; t < count; ++t) {
      tasks_of_[graph_.tasks[t].terminal.value].push_back(t);
      if (trace_ == nullptr) continue;
      const std::uint32_t node = trace_->node_of[t];
      ++tasks_of_node_[node];
      rank_of_[graph_.tasks[t].terminal.value] = trace_->nodes[node].rank;
    }
  }

  void run() {
    std::vector<std::uint32_t> terminals;
    for (std::uint32_t t = 0; t < tasks_of_.size(); ++t) {
      if (!tasks_of_[t].empty()) terminals.push_back(t);
    }
    std::sort(terminals.begin(), terminals.end(),
              [&](std::uint32_t a, std::uint32_t b) { return rank_of_[a] < rank_of_[b]; });
    text_ = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";
    for (const std::uint32_t terminal : terminals) {
      write_rank(terminal);
      sink_(text_);
      text_.clear();
    }
    sink_(text_ + "\n]}\n");  // where nobody has a task, the text still has its beginning
  }

 private:
  [[nodiscard]] std::uint64_t nanoseconds(std::uint64_t cycle) const {
    return rounded_nanoseconds(cycle, cycle_ns_);
  }
  [[nodiscard]] Slice slice(std::uint32_t task) const {
    const TaskTimes& times = report_.tasks[task];
    const std::uint64_t end = times.done == TaskTimes::kNever ? report_.cycles : times.done;
    return {nanoseconds(times.begun), nanoseconds(end), task};
  }
  [[nodiscard]] bool of_collective(std::uint32_t task) const {
    return trace_ != nullptr && trace_->collectives && tasks_of_node_[trace_->node_of[task]] > 1;
  }
  /// What its CPU does for a send or a receive.
  [[nodiscard]] bool of_message(std::uint32_t task) const {
    return trace_ != nullptr && !trace_->collectives && tasks_of_node_[trace_->node_of[task]] > 1;
  }

  void write_rank(std::uint32_t terminal) {
    std::map<std::uint32_t, std::vector<Slice>> processors;
    std::map<std::uint32_t, Slice> collectives;        // by node
    std::map<std::uint8_t, std::vector<Slice>> sends;  // by NIC
    std::vector<Slice> others, receives;
    for (const std::uint32_t t : tasks_of_[terminal]) {
      if (report_.tasks[t].begun == TaskTimes::kNever) continue;
      const TaskGraph::Task& task = graph_.tasks[t];
      if (of_collective(t)) {
        const auto [whole, first] = collectives.emplace(trace_->node_of[t], slice(t));
        whole->second.begin = std::min(whole->second.begin, slice(t).begin);
        whole->second.end = std::max(whole->second.end, slice(t).end);
        if (task.kind == Kind::compute) continue;
      }
      if (task.kind == Kind::send) {
        sends[graph_.nic(t)].push_back(slice(t));
      } else if (task.kind == Kind::receive) {
        receives.push_back(slice(t));
      } else if (task.peer == TaskGraph::kOwnProcessor) {
        others.push_back(slice(t));
      } else {
        processors[task.peer].push_back(slice(t));
      }
    }
    std::vector<Slice> whole;
    whole.reserve(collectives.size());
    for (const auto& [node, all] : collectives) whole.push_back(all);
    rank_ = rank_of_[terminal];
    track_ = 0;
    event("process_name", fmt::format("rank {} ({})", rank_, network_.terminal_name(TerminalId(terminal))));
    for (auto& [processor, slices] : processors)
      write_tracks(fmt::format("processor {}", processor), slices, "computation");
    write_tracks("other computations", others, "computation");
    write_tracks("collectives", whole, "collective");
    for (auto& [nic, slices] : sends) {
      if (at_once_ == 1) one_by_one(slices);
      write_tracks(nic == 0 ? "sends" : fmt::format("sends of NIC {}", nic), slices, "send");
    }
    write_tracks("receives", receives, "receive");
  }

  /// Of a NIC; the next send is taken up before the last one's end, two of them in the same cycle.
  static void one_by_one(std::vector<Slice>& sends) {
    std::sort(sends.begin(), sends.end(), [](const Slice& a, const Slice& b) {
      return std::tuple(a.end, a.begin, a.task) < std::tuple(b.end, b.begin, b.task);
    });
    for (std::size_t i = 1; i < sends.size(); ++i)
      sends[i].begin = std::max(sends[i].begin, sends[i - 1].end);
  }

  static bool earlier(const Slice& a, const Slice& b) {
    return std::pair(a.begin, a.task) < std::pair(b.begin, b.task);
  }

  void begin_event() { text_ += text_.back() == '[' ? "\n" : ",\n"; }
  /// A name of the process, or of the track.
  void event(std::string_view what, const std::string& name) {
    if (text_.empty()) {
      text_ = ",\n";
    } else {
      begin_event();
    }
    append(text_, R"({{"ph":"M","pid":{},"tid":{},"name":"{}","args":{{"name":{}}}}})", rank_, track_, what,
           json_word(name));
  }

  /// Slices that overlap go onto tracks of their own, each onto the first that is free.
  void write_tracks(const std::string& name, std::vector<Slice>& slices, std::string_view category) {
    std::sort(slices.begin(), slices.end(), earlier);
    std::vector<std::uint64_t> free;                // by track: from when on
    std::vector<std::pair<std::size_t, Slice>> on;  // which track
    for (const Slice& slice : slices) {
      const auto first =
          std::find_if(free.begin(), free.end(), [&](std::uint64_t since) { return since <= slice.begin; });
      on.emplace_back(first - free.begin(), slice);
      if (first == free.end()) {
        free.push_back(slice.end);
      } else {
        *first = slice.end;
      }
    }
    for (std::size_t track = 0; track < free.size(); ++track, ++track_) {
      event("thread_name", track == 0 ? name : fmt::format("{} {}", name, track + 1));
      for (const auto& [own, slice] : on) {
        if (own == track) write_slice(slice, category);
      }
    }
  }

  void write_slice(const Slice& slice, std::string_view category) {
    const TaskGraph::Task& task = graph_.tasks[slice.task];
    const bool message = category == "send" || category == "receive";
    std::string name;
    std::string more;
    if (message) {
      const std::uint32_t peer =
          rank_of_[task.kind == Kind::send ? task.peer : graph_.tasks[task.peer].terminal.value];
      name = fmt::format("{} {} {}", category, category == "send" ? "to" : "from", peer);
      more = fmt::format(R"("peer":{},"bytes":{})", peer, task.amount);
    } else {
      if (of_message(slice.task)) category = "overhead";
      name = category;
    }
    if (trace_ != nullptr) {
      const TaskTrace::Node& node = trace_->nodes[trace_->node_of[slice.task]];
      if (!trace_->names[node.name].empty()) name = trace_->names[node.name];
      more += fmt::format(R"({}"node":{})", more.empty() ? "" : ",", node.id);
    }
    begin_event();
    append(text_, R"({{"ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"cat":"{}","name":{},"args":{{{}}}}})",
           rank_, track_, microseconds(slice.begin), microseconds(slice.end - slice.begin), category,
           json_word(name), more);
    if (!message) return;
    // An arrow begins in the slice of the send and ends in that of the receive, at its last nanosecond.
    const bool sends = task.kind == Kind::send;
    begin_event();
    append(text_, R"({{"ph":"{}","pid":{},"tid":{},"ts":{},"id":{},"cat":"message","name":"message"{}}})",
           sends ? "s" : "f", rank_, track_,
           microseconds(sends ? slice.begin : std::max(slice.begin + 1, slice.end) - 1),
           sends ? slice.task : task.peer, sends ? "" : R"(,"bp":"e")");
  }

  const Network& network_;
  const TaskGraph& graph_;
  const TaskTrace* trace_;
  std::uint32_t at_once_;
  const simulate::WorkloadReport& report_;
  double cycle_ns_;
  const FileSink& sink_;
  std::vector<std::vector<std::uint32_t>> tasks_of_;  // by terminal
  std::vector<std::uint32_t> rank_of_;                // by terminal
  std::vector<std::uint32_t> tasks_of_node_;
  std::uint32_t rank_ = 0, track_ = 0;  // of what is being written
  std::string text_;
};

}  // namespace

void check_timeline(const Workload& workload) {
  if (workload.tasks != nullptr) return;
  throw InputError(
      fmt::format("workload {}: --timeline shows tasks that wait for each other, as those of goal and chakra",
                  workload.name));
}

void write_timeline(const Network& network, const Workload& workload, const simulate::WorkloadReport& report,
                    double cycle_ns, const std::string& path) {
  write_file(path,
             [&](const FileSink& sink) { TimelineWriter(network, workload, report, cycle_ns, sink).run(); });
}

std::vector<std::string> filled_trace_files(const Workload& workload, const std::string& prefix) {
  if (workload.trace == nullptr || workload.trace->files.empty()) {
    throw InputError(
        fmt::format("workload {}: --filled-traces writes those of workload chakra again", workload.name));
  }
  std::vector<std::string> files;
  files.reserve(workload.trace->files.size());
  for (std::size_t rank = 0; rank < workload.trace->files.size(); ++rank)
    files.push_back(fmt::format("{}.{}.et", prefix, rank));
  return files;
}

void write_filled_traces(const Workload& workload, const simulate::WorkloadReport& report, double cycle_ns,
                         const std::string& prefix) {
  const TaskTrace& trace = *workload.trace;
  std::vector<TaskTimes> of_node(trace.nodes.size(), {TaskTimes::kNever, 0});
  for (std::size_t t = 0; t < trace.node_of.size(); ++t) {
    TaskTimes& times = of_node[trace.node_of[t]];
    times.begun = std::min(times.begun, report.tasks[t].begun);
    times.done = std::max(times.done, report.tasks[t].done);
  }
  std::vector<std::vector<std::optional<chakra::NodeTimes>>> of_rank(trace.files.size());
  for (std::size_t node = 0; node < of_node.size(); ++node) {
    std::optional<chakra::NodeTimes>& times = of_rank[trace.nodes[node].rank].emplace_back();
    if (of_node[node].done == TaskTimes::kNever) continue;
    const auto micros = [&](std::uint64_t cycle) { return rounded_nanoseconds(cycle, cycle_ns) / 1000; };
    times = {micros(of_node[node].begun), micros(of_node[node].done) - micros(of_node[node].begun)};
  }
  ReadLimits limits;
  limits.text = false;
  const std::vector<std::string> files = filled_trace_files(workload, prefix);
  for (std::size_t rank = 0; rank < of_rank.size(); ++rank) {
    write_file(files[rank],
               chakra::with_times(read_file(trace.files[rank], limits), trace.files[rank], of_rank[rank]));
  }
}

}  // namespace unknot::cli
