// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unknot/deadlock/dependency_graph.hpp"
#include "unknot/network/network.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/routing.hpp"
#include "unknot/verify/messages/message_classes.hpp"
#include "unknot/verify/messages/message_flows.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {

/// Where packets wait: in a channel, to be sent by a terminal, or to be taken by one.
struct MessageBuffer {
  enum class Kind : std::uint8_t { channel, send, receive } kind = Kind::channel;
  std::uint32_t network = 0;  ///< virtual network
  LaneChannel channel;        ///< of Kind::channel; lanes count within the virtual network
  TerminalId terminal;        ///< of the others
  bool operator==(const MessageBuffer&) const = default;
};

/// A packet of `message_class` from `source` to `destination` fills `held` and waits for room in the next
/// step's.
struct MessageWait {
  MessageBuffer held;
  std::uint32_t message_class = 0;  ///< background after the classes
  TerminalId source, destination;
};

struct MessageVerdict {
  bool deadlock_free = false;
  std::vector<MessageWait> witness;  ///< where not: a shortest cycle, the last waits for the first
  std::uint32_t lanes = 1;           ///< of each virtual network
  std::uint32_t networks = 1;        ///< 1 + the highest that a class travels on
  std::uint64_t dependencies = 0;
  /// Where deadlock-free, by virtual network and MessageBuffers' number in it: rises along every dependency.
  std::vector<std::uint32_t> number;
};

/// Virtual networks for the classes: as few as there can be with these tables.
struct FewestNetworks {
  bool possible = false;                  ///< false: not even with a network for each class
  std::uint32_t networks = 0;             ///< where possible; that of the background is one of them
  std::vector<std::uint32_t> network_of;  ///< by class; where not possible, one for each
};

/// Whether the messages of a protocol can wait for each other in a cycle, through channels and endpoints: a
/// terminal takes a message of a class only when it has room to send what that class causes, and both its
/// queues are finite. A graph of buffers without a cycle is sufficient for freedom of deadlock (Dally and
/// Seitz 1987, with endpoints as vertices: Dally and Towles 2004, chapter 14). Of classes that cause
/// nothing a terminal takes what comes.
///
/// All pairs of a class's senders and receivers send, and what a message causes may go to any of these. A
/// terminal that sends nothing of a class to anybody else keeps no room for it.
class MessageModel {
 public:
  /// Follows the packets of every class once: message_flows(). `background` is what travels besides on
  /// virtual network 0, causes nothing and stays there. InputError under bubble flow control.
  MessageModel(const Network& network, const Routing& routing, const std::vector<MessageClass>& classes,
               const std::vector<MessageClass>& background, Progress& progress);

  /// With the networks that the classes say. O(networks * (buffers + dependencies)) where there is no
  /// deadlock.
  [[nodiscard]] MessageVerdict verdict() const;
  /// Tries 1, 2, ... networks, and with each all ways to share them in which no two classes meet that cannot
  /// share one where all others are alone: fewer is impossible. Exponential in the classes, of which there
  /// are few.
  [[nodiscard]] FewestNetworks fewest(Progress& progress) const;

 private:
  using Networks = std::vector<std::uint32_t>;  // by class, background last

  [[nodiscard]] DependencyGraph graph(const Networks& network_of) const;
  [[nodiscard]] bool acyclic(const Networks& network_of) const;
  [[nodiscard]] MessageWait waiting(std::uint32_t from, std::uint32_t to, const Networks& network_of) const;
  [[nodiscard]] bool waits(std::uint32_t message_class, std::uint32_t from, std::uint32_t to) const;
  [[nodiscard]] bool answers(std::uint32_t message_class, std::uint32_t caused, TerminalId t) const;
  /// Whether some table leads packets to it over the channel; true where sources choose.
  [[nodiscard]] bool led_by(ChannelId channel, TerminalId destination) const;

  const Network& network_;
  const Routing& routing_;
  std::vector<MessageClass> classes_;       // background last
  std::uint32_t count_;                     // without it
  std::vector<MessageFlows> flows_;         // of classes between the same terminals once
  std::vector<std::uint32_t> flows_of_;     // by class
  std::vector<std::vector<bool>> arrives_;  // by flows and terminal: some packet gets there
  std::vector<std::vector<bool>> departs_;  // by class and terminal: senders_to_others()
  std::uint32_t lanes_ = 1;
  std::uint32_t stride_ = 0;  // buffers of a virtual network
};

/// True when the numbers rise along everything that any packet of any pair of any class waits for, background
/// included, as its path says when it is followed alone: a proof that needs neither the graph nor a search.
/// `why` (optional) gets one sentence when they do not. O(pairs * hops * classes).
bool check_message_numbers(const Network& network, const Routing& routing,
                           const std::vector<MessageClass>& classes,
                           const std::vector<MessageClass>& background, const MessageVerdict& verdict,
                           std::string* why);

/// Lines for people: what fills each buffer, and what it waits for. Background is called management.
std::string describe(const Network& network, const std::vector<MessageClass>& classes,
                     const std::vector<MessageWait>& witness);

}  // namespace unknot
