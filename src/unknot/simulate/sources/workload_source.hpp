// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <queue>
#include <utility>
#include <vector>

#include "unknot/simulate/core/engine.hpp"
#include "unknot/simulate/core/source.hpp"
#include "unknot/simulate/settings/settings.hpp"
#include "unknot/simulate/sources/task_times.hpp"
#include "unknot/traffic/workloads/task_graph.hpp"
#include "unknot/traffic/workloads/workload.hpp"

namespace unknot::simulate {

/// Cuts messages into packets: whole ones, and one with the rest.
class PacketSizes {
 public:
  explicit PacketSizes(const Settings& settings)
      : flit_bytes_(settings.flit_bytes),
        packet_bytes_(std::uint64_t{settings.packet_flits} * settings.flit_bytes) {}
  [[nodiscard]] std::uint64_t packets(std::uint64_t bytes) const {
    return (bytes + packet_bytes_ - 1) / packet_bytes_;
  }
  /// Flits of a whole packet.
  [[nodiscard]] std::uint32_t longest() const {
    return static_cast<std::uint32_t>(packet_bytes_ / flit_bytes_);
  }
  /// Flits of packet number `i` of a message.
  [[nodiscard]] std::uint32_t flits(std::uint64_t bytes, std::uint64_t i) const {
    const std::uint64_t rest = bytes - i * packet_bytes_;
    const std::uint64_t payload = rest < packet_bytes_ ? rest : packet_bytes_;
    return static_cast<std::uint32_t>((payload + flit_bytes_ - 1) / flit_bytes_);
  }

 private:
  std::uint64_t flit_bytes_, packet_bytes_;
};

/// Sends the messages of each terminal in their order, in groups of Workload::at_once: of a group a packet of
/// each message in turn, then the second packets, and so on. O(terminals) memory.
class OrderedSource final : public Source {
 public:
  OrderedSource(const Workload& workload, std::uint32_t terminals, const Settings& settings);
  bool next(std::uint32_t terminal, std::uint64_t cycle, NewPacket& packet) override;
  [[nodiscard]] std::uint32_t longest_packet() const override { return sizes_.longest(); }
  [[nodiscard]] bool terminals_apart() const override { return true; }

 private:
  struct Terminal {
    std::uint32_t count = 0;
    std::uint32_t group = 0;  ///< first message of the group
    std::uint32_t at = 0;     ///< message, within the group, whose turn it is
    std::uint64_t round = 0;  ///< packet of each message
    bool sent_in_round = false;
  };
  const Workload& workload_;
  PacketSizes sizes_;
  std::vector<Terminal> terminals_;
};

/// Does the tasks of a graph. A terminal does one computation on each of its processors, and its NICs send a
/// packet each in turn. A NIC sends up to `at_once` messages at the same time, a packet of each in turn.
class TaskSource final : public Source {
 public:
  /// `times`: where each task's go, or null.
  TaskSource(const TaskGraph& graph, std::uint32_t terminals, const Settings& settings, std::uint32_t at_once,
             std::vector<TaskTimes>* times = nullptr);
  /// The engine that is to be told of terminals with new packets.
  void attach(Engine& engine);

  bool next(std::uint32_t terminal, std::uint64_t cycle, NewPacket& packet) override;
  [[nodiscard]] std::uint32_t longest_packet() const override { return sizes_.longest(); }
  void sent(std::uint32_t message, std::uint64_t cycle) override;
  void arrived(std::uint32_t message, std::uint64_t cycle) override;
  [[nodiscard]] bool wants_messages() const override { return true; }
  [[nodiscard]] bool terminals_apart() const override { return true; }
  void divide(const std::vector<std::uint8_t>& part_of_terminal, std::uint32_t parts) override;
  [[nodiscard]] Source& of_part(std::uint32_t part) override { return *parts_[part]; }

  /// When the next computation ends, or something else that has happened has consequences. Not of a run that
  /// is divided.
  [[nodiscard]] std::uint64_t next_timer() const override { return parts_[0]->next_timer(); }
  void advance(std::uint64_t cycle) override { parts_[0]->advance(cycle); }
  [[nodiscard]] bool finished() const;
  /// Cycle in which the last task was done, so far.
  [[nodiscard]] std::uint64_t last_done() const;

 private:
  /// Beside the number of a task in a timer: it begins. Those that are done in the same cycle come first.
  static constexpr std::uint64_t kBegins = std::uint64_t{1} << 32;

  /// What the terminals of a part share: when something of theirs is to happen. All else belongs to a
  /// terminal, of a message the number of packets that have left to its source, of those that have arrived to
  /// its destination.
  struct Part final : Source {
    explicit Part(TaskSource& tasks) : whole(tasks) {}
    bool next(std::uint32_t terminal, std::uint64_t cycle, NewPacket& packet) override {
      return whole.next(terminal, cycle, packet);
    }
    [[nodiscard]] std::uint32_t longest_packet() const override { return whole.longest_packet(); }
    void sent(std::uint32_t message, std::uint64_t cycle) override { whole.sent(message, cycle); }
    void arrived(std::uint32_t message, std::uint64_t cycle) override { whole.arrived(message, cycle); }
    [[nodiscard]] bool wants_messages() const override { return true; }
    [[nodiscard]] std::uint64_t next_timer() const override {
      return timers.empty() ? kNever : timers.top().first;
    }
    void advance(std::uint64_t cycle) override;

    using Timer = std::pair<std::uint64_t, std::uint64_t>;  // cycle; task that is done, or one that begins
    TaskSource& whole;
    std::priority_queue<Timer, std::vector<Timer>, std::greater<>> timers;
    std::size_t done = 0;
    std::uint64_t last_done = 0;
  };
  [[nodiscard]] Part& part_of(std::uint32_t task) {
    return part_of_.empty() ? *parts_[0] : *parts_[part_of_[graph_.tasks[task].terminal.value]];
  }

  /// A NIC of a terminal, where any send goes by it.
  struct Nic {
    std::uint8_t number = 0;
    std::uint32_t turn = 0;  ///< of active
    struct Sending {
      std::uint32_t task = 0;
      std::uint64_t packets = 0;  ///< that have been handed out
    };
    std::vector<Sending> active;
    std::deque<std::uint32_t> waiting;  ///< sends in order
  };

  void make_nics(std::uint32_t terminals);
  void requirement_met(std::uint32_t task, std::uint64_t cycle);
  void begin(std::uint32_t task, std::uint64_t cycle);
  void begun(std::uint32_t task, std::uint64_t cycle);
  void compute(std::uint32_t task, std::uint64_t cycle);
  void finish(std::uint32_t task, std::uint64_t cycle);

  const TaskGraph& graph_;
  TaskSuccessors successors_;
  PacketSizes sizes_;
  double cycle_ns_;
  std::vector<TaskTimes>* times_;
  Engine* engine_ = nullptr;
  std::vector<std::uint32_t> missing_;       // by task: requirements that are not met
  std::vector<std::uint64_t> packets_left_;  // by send: that have not left; those that have not arrived
  std::vector<std::uint64_t> arrivals_left_;
  std::vector<std::uint8_t> open_;  // by receive: has begun
  std::uint32_t at_once_;
  std::vector<Nic> nics_;                 // by terminal and number
  std::vector<std::uint32_t> first_nic_;  // of each terminal, and the end
  std::vector<std::uint32_t> turn_;       // by terminal: which of its NICs is next
  // By terminal: the cycle after that in which a packet has left. The next is asked for with its last flit.
  std::vector<std::uint64_t> free_from_;
  std::vector<std::uint32_t> ready_left_;  // by terminal: sends that are ready and not handed out whole
  // By terminal and processor: computations, the one in front at work, the others in the order of their
  // turns.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::deque<std::uint32_t>> processors_;
  std::vector<std::uint8_t> part_of_;  // by terminal; empty: all of the first
  std::vector<std::unique_ptr<Part>> parts_;
};

}  // namespace unknot::simulate
