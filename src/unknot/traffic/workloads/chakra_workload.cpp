// SPDX-License-Identifier: Apache-2.0
#include "unknot/traffic/workloads/chakra_workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/text/scanner.hpp"
#include "unknot/traffic/chakra/chakra_files.hpp"
#include "unknot/traffic/chakra/chakra_groups.hpp"
#include "unknot/traffic/chakra/chakra_nodes.hpp"
#include "unknot/traffic/workloads/chakra_collectives.hpp"
#include "unknot/traffic/workloads/task_graph.hpp"

namespace unknot {
namespace {

using chakra::Node;
using chakra::NodeType;

// Computations take turns on these processors of a rank.
constexpr std::uint32_t kHost = 0, kAccelerator = 1;

class ChakraReader {
 public:
  ChakraReader(const std::vector<std::string>& files,
               const std::function<std::string(std::uint32_t)>& text_of, const ChakraOptions& options,
               const std::vector<TerminalId>& terminal_of)
      : files_(files), text_of_(text_of), options_(options), terminal_of_(terminal_of) {
    if (files.size() > terminal_of.size()) {
      throw InputError(fmt::format("{}: {} ranks, but the network has {} terminals", files.back(),
                                   files.size(), terminal_of.size()));
    }
    if (!options.groups.empty()) given_groups_ = chakra::read_groups(options.groups);
    std::uint64_t grid = 1;
    for (const std::uint32_t size : options.dims) grid = std::min<std::uint64_t>(grid * size, UINT32_MAX);
    if (!options.dims.empty() && grid != files.size()) {
      throw InputError(
          fmt::format("{}: {} ranks, but dims is a grid of {}", files.back(), files.size(), grid));
    }
  }

  TaskGraph run(TaskTrace* trace) {
    for (rank_ = 0; rank_ < files_.size(); ++rank_) read_rank();
    match_messages();
    add_collectives();
    TaskGraph graph = std::move(builder_).build();
    refuse_circle(graph);
    if (trace == nullptr) return graph;
    trace_.files = files_;
    *trace = std::move(trace_);
    return graph;
  }

 private:
  struct Message {
    std::uint32_t from, to, tag;
    std::uint32_t task;
    std::uint64_t bytes;
    [[nodiscard]] auto key() const { return std::tuple(from, to, tag); }
  };

  [[nodiscard]] std::string place(std::uint32_t node) const {
    const TaskTrace::Node& which = trace_.nodes[node];
    const std::string& name = trace_.names[which.name];
    return fmt::format("{}: node {}{}", files_[which.rank], which.id,
                       name.empty() ? "" : fmt::format(" ({})", shown(name)));
  }
  [[noreturn]] void fail(std::uint32_t node, const std::string& why) const {
    throw InputError(fmt::format("{}: {}", place(node), why));
  }

  std::uint32_t note_task(std::uint32_t task, std::uint32_t node) {
    trace_.node_of.push_back(node);
    return task;
  }
  std::uint32_t compute(std::uint32_t node, std::uint64_t nanoseconds,
                        std::uint32_t processor = TaskGraph::kOwnProcessor) {
    return note_task(builder_.compute(terminal_of_[rank_], nanoseconds, processor), node);
  }

  void read_rank() {
    groups_ = given_groups_;
    first_node_ = static_cast<std::uint32_t>(trace_.nodes.size());
    chakra::read_nodes(text_of_(rank_), files_[rank_], [&](Node& node) { take(node); });
    std::unordered_map<std::uint64_t, std::uint32_t> node_of_id;
    for (auto n = first_node_; n < trace_.nodes.size(); ++n) {
      if (!node_of_id.emplace(trace_.nodes[n].id, n).second) fail(n, "its id comes twice");
    }
    for (const auto& [node, id] : after_) {
      const auto before = node_of_id.find(id);
      if (before == node_of_id.end() && options_.drop_missing) continue;
      if (before == node_of_id.end())
        fail(node, fmt::format("it comes after node {}, which is not there", id));
      builder_.require_done(tasks_[node - first_node_].first, tasks_[before->second - first_node_].second);
    }
    after_.clear();
    tasks_.clear();
  }

  void take(Node& node) {
    const auto index = static_cast<std::uint32_t>(trace_.nodes.size());
    const auto name = number_of_name_.emplace(node.name, static_cast<std::uint32_t>(trace_.names.size()));
    if (name.second) trace_.names.push_back(node.name);
    trace_.nodes.push_back({rank_, name.first->second, node.id});
    for (const std::uint64_t id : node.after) after_.emplace_back(index, id);
    if (node.type == 0 || node.type >= chakra::kNodeTypes)
      fail(index, fmt::format("type {}, expected 1 to {}", node.type, chakra::kNodeTypes - 1));
    auto type = static_cast<NodeType>(node.type);
    if (launches(node)) type = NodeType::compute;
    std::uint32_t task = 0;
    switch (type) {
      case NodeType::send:
      case NodeType::receive:
        task = message(node, index);
        break;
      case NodeType::collective:
        tasks_.push_back(collective(node, index));
        return;
      case NodeType::compute:
        task = compute(index, nanoseconds(node, index), node.on_host ? kHost : kAccelerator);
        break;
      case NodeType::metadata:
        for (auto& [group, ranks] : chakra::groups_in(node.inputs, place(index)))
          groups_[group] = std::move(ranks);
        task = compute(index, 0);
        break;
      default:
        task = compute(index, nanoseconds(node, index));
    }
    tasks_.emplace_back(task, task);
  }

  /// A call of the host that leaves a message or a collective to the accelerator, which has a node of its
  /// own.
  static bool launches(const Node& node) {
    const auto type = static_cast<NodeType>(node.type);
    return node.on_host && ((type == NodeType::collective && !node.comm_type) ||
                            ((type == NodeType::send || type == NodeType::receive) && !node.comm_size));
  }

  [[nodiscard]] std::uint64_t nanoseconds(const Node& node, std::uint32_t index) const {
    double time = static_cast<double>(node.microseconds) * 1000;
    if (node.microseconds == 0) {
      const auto at_rate = [&](std::uint64_t amount, double rate, const char* what, const char* option) {
        if (amount == 0) return;
        if (rate == 0)
          fail(index, fmt::format("{} {} and no duration: give a rate, {}", amount, what, option));
        time = std::max(time, std::ceil(static_cast<double>(amount) / rate));
      };
      const std::uint64_t bytes = node.tensor_size.value_or(0);
      if (static_cast<NodeType>(node.type) != NodeType::compute) {
        at_rate(bytes, options_.memory, "bytes", "memory=GB/s");
      } else {
        at_rate(node.num_ops.value_or(0), options_.tera_ops * 1000, "operations", "tflops=X");
        if (options_.memory > 0) at_rate(bytes, options_.memory, "bytes", "");
      }
    }
    if (time > static_cast<double>(kMostAmount)) fail(index, "it takes more than 2^48 nanoseconds");
    return static_cast<std::uint64_t>(time);
  }

  std::uint32_t message(const Node& node, std::uint32_t index) {
    const bool sends = static_cast<NodeType>(node.type) == NodeType::send;
    const auto& peer = sends ? node.comm_dst : node.comm_src;
    const auto& self = sends ? node.comm_src : node.comm_dst;
    const char* const what = sends ? "send" : "receive";
    if (!node.comm_size) fail(index, fmt::format("a {} without comm_size", what));
    if (!peer) fail(index, fmt::format("a {} without {}", what, sends ? "comm_dst" : "comm_src"));
    if (self.value_or(rank_) != rank_) fail(index, fmt::format("a {} of rank {}", what, *self));
    if (*peer >= files_.size())
      fail(index, fmt::format("there is no rank {}: there are {}, counted from 0", *peer, files_.size()));
    if (*peer == rank_) fail(index, "a message to itself");
    check_size(*node.comm_size, index);
    const auto other = static_cast<std::uint32_t>(*peer);
    const std::uint64_t bytes = std::max<std::uint64_t>(*node.comm_size, 1);
    TaskGraph::Task task{TaskGraph::Kind::receive, terminal_of_[rank_], 0, bytes};
    if (sends) task = {TaskGraph::Kind::send, terminal_of_[rank_], terminal_of_[other].value, bytes};
    Message made{rank_, other, static_cast<std::uint32_t>(node.comm_tag.value_or(0)),
                 note_task(builder_.add(task), index), bytes};
    if (!sends) std::swap(made.from, made.to);
    (sends ? sends_ : receives_).push_back(made);
    return made.task;
  }

  void check_size(std::uint64_t bytes, std::uint32_t index) const {
    if (bytes > kMostAmount) fail(index, fmt::format("{} bytes, more than 2^48", bytes));
  }

  std::pair<std::uint32_t, std::uint32_t> collective(const Node& node, std::uint32_t index) {
    if (!node.comm_type) fail(index, "a collective without comm_type");
    if (*node.comm_type >= kTraceCollectives)
      fail(index, fmt::format("comm_type {}, expected 0 to {}", *node.comm_type, kTraceCollectives - 1));
    TraceCall call;
    call.collective = static_cast<TraceCollective>(*node.comm_type);
    if (!node.comm_size && call.collective != TraceCollective::barrier)
      fail(index, "a collective without comm_size");
    call.bytes = call.collective == TraceCollective::barrier ? 0 : *node.comm_size;
    check_size(call.bytes, index);
    call.rank = rank_;
    call.node = index;
    call.root = node.root;
    call.begin = compute(index, 0);
    call.end = compute(index, 0);
    const auto refuse = [&](const std::string& why) { fail(index, why); };
    if (node.group) {
      const auto ranks = groups_.find(*node.group);
      if (ranks == groups_.end()) {
        calls_.add_unlisted(*node.group, call);
      } else {
        calls_.add(*node.group, unless_all(ranks->second), call, refuse);
      }
    } else if (node.involved_dims.empty() || (options_.dims.empty() && all_of(node.involved_dims))) {
      calls_.add("", {}, call, refuse);
    } else if (options_.dims.empty()) {
      fail(index, "a collective along some dimensions: give the grid of the ranks, dims=AxB..");
    } else {
      calls_.add("", unless_all(chakra::ranks_along(options_.dims, node.involved_dims, rank_)), call, refuse);
    }
    return {call.begin, call.end};
  }

  static bool all_of(const std::vector<bool>& flags) {
    return std::find(flags.begin(), flags.end(), false) == flags.end();
  }
  /// None for all ranks in their order.
  [[nodiscard]] std::vector<std::uint32_t> unless_all(std::vector<std::uint32_t> ranks) const {
    bool all = ranks.size() == files_.size();
    for (std::size_t i = 0; all && i < ranks.size(); ++i) all = ranks[i] == i;
    if (all) ranks.clear();
    return ranks;
  }

  /// Those of a pair of ranks and a tag, in their order.
  void match_messages() {
    const auto before = [](const Message& a, const Message& b) { return a.key() < b.key(); };
    std::stable_sort(sends_.begin(), sends_.end(), before);
    std::stable_sort(receives_.begin(), receives_.end(), before);
    const auto none = [&](const Message& message, const char* why) {
      fail(trace_.node_of[message.task],
           fmt::format("rank {} to {}, tag {}: {}", message.from, message.to, message.tag, why));
    };
    auto send = sends_.begin();
    for (const Message& receive : receives_) {
      if (send != sends_.end() && before(*send, receive)) none(*send, "no receive takes this message");
      if (send == sends_.end() || before(receive, *send)) none(receive, "no message is there to receive");
      if (send->bytes != receive.bytes) {
        fail(trace_.node_of[receive.task], fmt::format("it receives {} bytes, but {} sends {}", receive.bytes,
                                                       place(trace_.node_of[send->task]), send->bytes));
      }
      builder_.task(receive.task).peer = send++->task;
    }
    if (send != sends_.end()) none(*send, "no receive takes this message");
  }

  void add_collectives() {
    const CollectiveWays ways{options_.all_reduce, options_.all_gather, options_.reduce_scatter,
                              options_.all_to_all, options_.broadcast};
    calls_.build(
        static_cast<std::uint32_t>(files_.size()), terminal_of_, ways, builder_,
        [&](std::uint32_t task, std::uint32_t node) { (void)note_task(task, node); },
        [&](std::uint32_t node, const std::string& why) { fail(node, why); },
        [&](std::uint32_t node) { return place(node); });
  }

  void refuse_circle(const TaskGraph& graph) const {
    const std::vector<std::uint32_t> circle = waiting_circle(graph);
    if (circle.empty()) return;
    std::string nodes;
    std::uint32_t last = UINT32_MAX;
    for (const std::uint32_t task : circle) {
      const std::uint32_t node = trace_.node_of[task];
      if (node == last) continue;
      last = node;
      if (nodes.size() > 60) {
        nodes += " and others";
        break;
      }
      nodes += fmt::format(" {}:{}", trace_.nodes[node].rank, trace_.nodes[node].id);
    }
    fail(trace_.node_of[circle[0]],
         fmt::format("nodes wait for each other in a circle, those of rank and id{}", nodes));
  }

  const std::vector<std::string>& files_;
  const std::function<std::string(std::uint32_t)>& text_of_;
  const ChakraOptions& options_;
  const std::vector<TerminalId>& terminal_of_;
  chakra::ProcessGroups given_groups_;
  TaskGraphBuilder builder_;
  TaskTrace trace_;
  std::unordered_map<std::string, std::uint32_t> number_of_name_;
  std::vector<Message> sends_, receives_;
  TraceCalls calls_;
  // Of the rank at hand: its groups, its first node, what each node comes after by id, and the tasks that
  // begin and end it.
  std::uint32_t rank_ = 0;
  chakra::ProcessGroups groups_;
  std::uint32_t first_node_ = 0;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> after_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> tasks_;
};

}  // namespace

TaskGraph read_chakra(const std::string& path, const ChakraOptions& options,
                      const std::vector<TerminalId>& terminal_of, TaskTrace* trace) {
  const std::vector<std::string> files = chakra::trace_files(path);
  ReadLimits limits;
  limits.text = false;
  return parse_chakra(
      files, [&](std::uint32_t rank) { return read_file(files[rank], limits); }, options, terminal_of, trace);
}

TaskGraph parse_chakra(const std::vector<std::string>& files,
                       const std::function<std::string(std::uint32_t rank)>& text_of,
                       const ChakraOptions& options, const std::vector<TerminalId>& terminal_of,
                       TaskTrace* trace) {
  return ChakraReader(files, text_of, options, terminal_of).run(trace);
}

}  // namespace unknot
