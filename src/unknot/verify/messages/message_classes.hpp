// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/support/ids.hpp"

namespace unknot {

/// One kind of message of a protocol.
struct MessageClass {
  std::string name;
  /// Classes that an endpoint has to find room to send before it can take a message of this one; ascending.
  std::vector<std::uint32_t> causes;
  /// Virtual network: it has buffers of its own on every channel and in every endpoint, and on each channel
  /// as many lanes as the routing has. Classes on one network share them.
  std::uint32_t network = 0;
  std::vector<bool> senders;    ///< by terminal; empty: all of them send it
  std::vector<bool> receivers;  ///< by terminal; empty: it is sent to all of them

  [[nodiscard]] bool sends(TerminalId t) const { return senders.empty() || senders[t.value]; }
  [[nodiscard]] bool receives(TerminalId t) const { return receivers.empty() || receivers[t.value]; }
};

/// By terminal, of so many: whether it sends the class to another. O(terminals).
std::vector<bool> senders_to_others(const MessageClass& message_class, std::uint32_t terminals);

/// Messages that one message causes on one virtual network, at most: a send queue that holds fewer never
/// takes it. O(causes).
std::uint32_t most_caused_together(const std::vector<MessageClass>& classes);

inline constexpr std::uint32_t kMostMessageClasses = 12;
inline constexpr std::uint32_t kMostVirtualNetworks = 16;

/// "request>reply,reply>ack", or "request>reply>ack" for the same: classes in the order in which they are
/// first named; a name alone is a class without consequences. InputError, beginning with `option`, for
/// anything else, for a pair that is named twice and for more than kMostMessageClasses.
std::vector<MessageClass> parse_message_classes(std::string_view text, std::string_view option);

/// "request=0,reply=1": sets the networks of the classes that are named. InputError, beginning with `option`,
/// for names that are no classes or named twice, and for numbers that are not below kMostVirtualNetworks.
void assign_networks(std::string_view text, std::string_view option, std::vector<MessageClass>& classes);

}  // namespace unknot
