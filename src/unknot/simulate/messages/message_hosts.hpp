// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <queue>
#include <utility>
#include <vector>

#include "unknot/simulate/core/engine.hpp"
#include "unknot/simulate/core/source.hpp"
#include "unknot/simulate/messages/message_report.hpp"
#include "unknot/simulate/plan/message_plan.hpp"
#include "unknot/simulate/record/latency_histogram.hpp"
#include "unknot/simulate/settings/settings.hpp"
#include "unknot/simulate/sources/destinations.hpp"
#include "unknot/simulate/sources/injection.hpp"

namespace unknot::simulate {

/// Hosts that answer. Each has a send and a receive queue on every virtual network, all of them finite. A
/// message that comes is taken out of its receive queue, first in, first out, when there is room in the send
/// queues for all that it causes; the room is kept from then on, and what is caused is there to be sent
/// `service` cycles later. It goes to the one who sent the cause where its class is sent there, else to a
/// receiver drawn at random. Where room comes free, what waits to be taken goes before what the host begins
/// by itself. Classes that nothing causes are begun by steady traffic, in equal parts; a message that is
/// created and finds no room waits outside the queue.
///
/// A host that sends nothing of a class to anybody else sends none when it is caused, and keeps no room.
class MessageHosts final : public Source {
 public:
  /// `load`: flits a cycle of messages begun, of the busiest terminals, in [0, 1]. Those that the pattern
  /// would send to hosts that receive none go to a receiver drawn at random. Plan and destinations must
  /// outlive it. InputError where a message causes more on one network than a send queue holds.
  MessageHosts(const RoutePlan& plan, const Destinations& destinations, double load, const Settings& settings,
               const Injection& injection = {});
  /// The engine that runs it; before the first cycle.
  void attach(Engine& engine) { engine_ = &engine; }

  bool next(std::uint32_t sender, std::uint64_t cycle, NewPacket& packet) override;
  [[nodiscard]] std::uint32_t longest_packet() const override { return flits_; }
  void sent(std::uint32_t word, std::uint64_t cycle) override;
  void arrived(std::uint32_t word, std::uint64_t cycle) override;
  [[nodiscard]] bool wants_messages() const override { return true; }
  [[nodiscard]] std::uint64_t next_timer() const override {
    return timers_.empty() ? kNever : timers_.top().first;
  }
  void advance(std::uint64_t cycle) override;

  // What is counted. Cycles [from, to) are the window, from now on.
  void set_window(std::uint64_t from, std::uint64_t to);
  /// Of classes that begin: flits that arrived in the window.
  [[nodiscard]] std::uint64_t accepted_flits() const;
  /// Messages created in the window and those that they lead to have arrived.
  [[nodiscard]] bool measured_arrived() const;
  [[nodiscard]] std::vector<ClassReport> report() const;
  /// Flits of the messages begun that the window's cycles will see created; of hosts that have not been run.
  std::uint64_t flits_to_begin(std::uint64_t from, std::uint64_t to);
  /// What the busiest terminals begin, mean of all terminals, for each unit of load.
  [[nodiscard]] double mean_share() const { return mean_share_; }

  // For the search for deadlocks.
  struct Message {
    std::uint64_t created = 0;
    std::uint64_t begun = 0;  ///< when its first cause was created
    std::uint32_t source = 0, destination = 0;
    std::uint32_t message_class = 0;
    bool live = false;
  };
  /// By the word that the core knows it by.
  [[nodiscard]] const Message& message(std::uint32_t word) const { return messages_[word >> kNetworkBits]; }
  /// Words of the messages in a queue, the first first. Of a send queue those that are not in the network.
  [[nodiscard]] const std::deque<std::uint32_t>& send_queue(std::uint32_t sender) const {
    return queues_[sender].send;
  }
  [[nodiscard]] const std::deque<std::uint32_t>& receive_queue(std::uint32_t sender) const {
    return queues_[sender].received;
  }
  /// Places of a send queue that are free, neither taken nor kept.
  [[nodiscard]] std::uint32_t room(std::uint32_t sender) const {
    return send_places_ - queues_[sender].taken;
  }
  /// What the terminal sends when a message of the class is taken, as classes.
  [[nodiscard]] std::vector<std::uint32_t> caused_at(std::uint32_t message_class,
                                                     std::uint32_t terminal) const;

 private:
  struct Queues {
    std::deque<std::uint32_t> send, received;
    std::uint32_t taken = 0;  ///< places of the send queue
  };
  /// Steady traffic of one class that begins, from one terminal.
  struct Beginner {
    NewPacket next;
    bool more = false;   ///< there is a next one
    bool waits = false;  ///< for room
  };
  struct Seen {
    std::uint64_t flits = 0;
    LatencyHistogram latency, trips;
  };

  [[nodiscard]] std::uint32_t sender_of(std::uint32_t terminal, std::uint32_t network) const {
    return terminal * plan_.networks + network;
  }
  [[nodiscard]] std::uint32_t receiver(std::uint32_t message_class, std::uint32_t sender,
                                       std::uint32_t wanted);
  std::uint32_t create(const Message& message);
  void push(std::uint32_t word);
  bool take_first(std::uint32_t terminal, std::uint32_t network, std::uint64_t cycle);
  void use_room(std::uint32_t terminal, std::uint32_t network, std::uint64_t cycle);
  void begin(std::uint32_t beginner, std::uint64_t cycle);
  bool draw(std::uint32_t beginner);
  [[nodiscard]] bool in_window(std::uint64_t cycle) const { return cycle >= from_ && cycle < to_; }

  const MessagePlan& plan_;
  const std::uint32_t terminals_, flits_, send_places_, service_;
  double mean_share_ = 0;
  Engine* engine_ = nullptr;
  std::vector<std::vector<bool>> departs_;             // by class and terminal: it sends it to others
  std::vector<std::vector<std::uint32_t>> receivers_;  // by class
  std::vector<std::uint32_t> begins_;                  // classes that begin
  std::vector<std::unique_ptr<Source>> traffic_;       // of each of those
  std::vector<Beginner> beginners_;                    // by terminal and position in `begins_`
  std::vector<TerminalRandom> random_;                 // by terminal
  std::vector<Queues> queues_;                         // by sender
  std::vector<std::uint32_t> turn_;                    // by terminal: what is looked at first for room
  std::vector<Message> messages_;
  std::vector<std::uint32_t> spare_;
  // When a beginner's next message is created (its number), or what was caused is there (behind those, its
  // word).
  using Timer = std::pair<std::uint64_t, std::uint64_t>;
  std::priority_queue<Timer, std::vector<Timer>, std::greater<>> timers_;
  std::uint64_t from_ = 0, to_ = 0;
  std::uint64_t outstanding_ = 0;  // messages of the window, and those that they led to
  std::vector<Seen> seen_;         // by class
};

}  // namespace unknot::simulate
