// SPDX-License-Identifier: Apache-2.0
#include "unknot/traffic/workloads/message_file.hpp"

#include <fmt/format.h>

#include <limits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "unknot/support/text/scanner.hpp"
#include "unknot/traffic/terminal_words.hpp"
#include "unknot/traffic/workloads/task_graph.hpp"
#include "unknot/traffic/workloads/workloads.hpp"

namespace unknot {
namespace {

constexpr const char* kForm = "[label:] source destination bytes [after label...]";

class MessageReader {
 public:
  MessageReader(const Network& network, std::string_view text, const std::string& file)
      : terminals_(network), terminal_count_(network.terminal_count()), lines_(text, file) {}

  Workload run(std::uint32_t at_once) {
    while (lines_.next()) read_line();
    if (list_.empty())
      throw InputError(fmt::format("{}: no messages; expected lines '{}'", lines_.file(), kForm));
    if (waits_.empty()) return workload_of_list(terminal_count_, list_, at_once);
    return workload_of_tasks(terminal_count_, graph(), at_once);
  }

 private:
  /// A message after the one with a label.
  struct Wait {
    std::uint32_t message;
    std::string_view label;
  };

  void read_line() {
    Cursor cursor(lines_.line().substr(0, lines_.line().find('#')));
    cursor.skip_blanks();
    if (cursor.at_end()) return;
    const auto index = static_cast<std::uint32_t>(list_.size());
    read_label(cursor, index);
    ListedMessage item;
    item.source = terminals_.read(lines_, cursor, "source");
    item.message.destination = terminals_.read(lines_, cursor, "destination");
    if (item.source == item.message.destination) lines_.fail("a terminal sends to itself");
    item.message.bytes = bytes(cursor.word());
    if (item.message.bytes > std::numeric_limits<std::uint64_t>::max() - total_)
      lines_.fail("the messages up to here have 2^64 bytes or more");
    total_ += item.message.bytes;
    cursor.skip_blanks();
    if (!cursor.at_end()) read_waits(cursor, index);
    list_.push_back(item);
    line_of_.push_back(lines_.number());
  }

  void read_label(Cursor& cursor, std::uint32_t index) {
    Cursor ahead = cursor;
    std::string_view word = ahead.word();
    if (!word.ends_with(':')) return;
    word.remove_suffix(1);
    if (word.empty()) lines_.fail("a label without a name");
    if (const auto [old, is_new] = labels_.emplace(word, index); !is_new) {
      lines_.fail(fmt::format("the label '{}' is on line {} already", shown(word), line_of_[old->second]));
    }
    cursor = ahead;
    cursor.skip_blanks();
  }

  [[nodiscard]] std::uint64_t bytes(std::string_view word) const {
    Cursor digits(word);
    const auto value = digits.decimal(kMostAmount);
    if (!value || *value == 0 || !digits.at_end()) {
      lines_.fail(
          fmt::format("expected a number of bytes from 1 to {}, not {}", kMostAmount, place_shown(word)));
    }
    return *value;
  }

  void read_waits(Cursor& cursor, std::uint32_t index) {
    if (cursor.word() != "after") lines_.fail(fmt::format("expected '{}'", kForm));
    cursor.skip_blanks();
    if (cursor.at_end()) lines_.fail("expected a label behind 'after'");
    while (!cursor.at_end()) {
      waits_.push_back({index, cursor.word()});
      cursor.skip_blanks();
    }
  }

  /// Message i is the tasks 2 i (send) and 2 i + 1 (receive).
  [[nodiscard]] TaskGraph graph() const {
    TaskGraphBuilder builder;
    for (const ListedMessage& item : list_)
      builder.receive(builder.send(item.source, item.message.destination, item.message.bytes));
    for (const Wait& wait : waits_) {
      const std::size_t line = line_of_[wait.message];
      const auto found = labels_.find(wait.label);
      if (found == labels_.end())
        throw InputError(lines_.file(), line, fmt::format("no line has the label '{}'", shown(wait.label)));
      const ListedMessage& before = list_[found->second];
      const TerminalId source = list_[wait.message].source;
      if (before.source != source && before.message.destination != source) {
        throw InputError(lines_.file(), line,
                         fmt::format("terminal {} cannot know when message '{}' of line {} is done: it "
                                     "neither sends nor receives it",
                                     source.value, shown(wait.label), line_of_[found->second]));
      }
      builder.require_done(2 * wait.message, 2 * found->second + (before.source == source ? 0 : 1));
    }
    TaskGraph graph = std::move(builder).build();
    refuse_circle(waiting_circle(graph));
    return graph;
  }

  void refuse_circle(const std::vector<std::uint32_t>& circle) const {
    if (circle.empty()) return;
    std::string others;
    for (const std::uint32_t task : circle) {
      const std::string line = fmt::format(" {}", line_of_[task / 2]);
      if (others.ends_with(line)) continue;  // send and receive of one message
      if (others.size() > 60) {
        others += " and others";
        break;
      }
      others += line;
    }
    throw InputError(lines_.file(), line_of_[circle[0] / 2],
                     "messages wait for each other in a circle, those of lines" + others);
  }

  TerminalWords terminals_;
  std::uint32_t terminal_count_;
  Lines lines_;
  std::uint64_t total_ = 0;  // bytes
  std::vector<ListedMessage> list_;
  std::vector<std::uint32_t> line_of_;  // by message
  std::unordered_map<std::string_view, std::uint32_t> labels_;
  std::vector<Wait> waits_;
};

[[noreturn]] void refuse_text(const char* why) {
  throw InputError(fmt::format("this workload is more than a list of messages: {}", why));
}

/// Send that a requirement of a send means: itself, or the one that is received.
std::uint32_t awaited_send(const TaskGraph& graph, std::uint32_t before) {
  switch (graph.tasks[before].kind) {
    case TaskGraph::Kind::send:
      return before;
    case TaskGraph::Kind::receive:
      return graph.tasks[before].peer;
    case TaskGraph::Kind::compute:
      break;
  }
  refuse_text("it computes");
}

void append_tasks(const TaskGraph& graph, std::string& text) {
  const auto count = static_cast<std::uint32_t>(graph.tasks.size());
  if (!graph.requires_begun.empty()) refuse_text("a task waits for another to begin");
  std::vector<bool> labelled(count, false);
  for (std::uint32_t t = 0; t < count; ++t) {
    if (graph.tasks[t].kind == TaskGraph::Kind::compute) refuse_text("it computes");
    if (graph.tasks[t].kind == TaskGraph::Kind::receive && !graph.done_before(t).empty())
      refuse_text("a receive waits for something");
    for (const std::uint32_t before : graph.done_before(t)) labelled[awaited_send(graph, before)] = true;
  }
  for (std::uint32_t t = 0; t < count; ++t) {
    const TaskGraph::Task& task = graph.tasks[t];
    if (task.kind != TaskGraph::Kind::send) continue;
    if (labelled[t]) text += fmt::format("m{}: ", t);
    text += fmt::format("{} {} {}", task.terminal.value, task.peer, task.amount);
    const char* word = " after";
    for (const std::uint32_t before : graph.done_before(t)) {
      text += fmt::format("{} m{}", word, awaited_send(graph, before));
      word = "";
    }
    text += '\n';
  }
}

}  // namespace

Workload parse_messages(const Network& network, std::string_view text, const std::string& file,
                        std::uint32_t at_once) {
  return MessageReader(network, text, file).run(at_once);
}

std::string messages_text(const Workload& workload, std::uint32_t terminals, std::string_view comment) {
  std::string text;
  if (!comment.empty()) text = fmt::format("# {}\n", comment);
  if (workload.tasks) {
    append_tasks(*workload.tasks, text);
    return text;
  }
  for (std::uint32_t t = 0; t < terminals; ++t) {
    const std::uint32_t count = workload.count(TerminalId(t));
    for (std::uint32_t k = 0; k < count; ++k) {
      const Message message = workload.message(TerminalId(t), k);
      text += fmt::format("{} {} {}\n", t, message.destination.value, message.bytes);
    }
  }
  return text;
}

}  // namespace unknot
