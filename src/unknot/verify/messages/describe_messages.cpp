// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "unknot/verify/messages/message_verdict.hpp"

namespace unknot {
namespace {

std::string name_of(const Network& network, const MessageBuffer& buffer) {
  const std::string where = fmt::format("virtual network {}", buffer.network);
  switch (buffer.kind) {
    case MessageBuffer::Kind::send:
      return fmt::format("the send queue of {}, {}", network.terminal_name(buffer.terminal), where);
    case MessageBuffer::Kind::receive:
      return fmt::format("the receive queue of {}, {}", network.terminal_name(buffer.terminal), where);
    case MessageBuffer::Kind::channel:
      break;
  }
  return fmt::format("{} lane {}, {}", network.channel_name(buffer.channel.channel), buffer.channel.lane,
                     where);
}

/// "a request", "an ack".
std::string with_article(const std::string& name) {
  const bool vowel = std::string_view("aeioAEIO").find(name.front()) != std::string_view::npos;
  return (vowel ? "an " : "a ") + name;
}

}  // namespace

std::string describe(const Network& network, const std::vector<MessageClass>& classes,
                     const std::vector<MessageWait>& witness) {
  std::string text;
  for (std::size_t i = 0; i < witness.size(); ++i) {
    const MessageWait& wait = witness[i];
    const MessageWait& next = witness[(i + 1) % witness.size()];
    const bool taken = wait.held.kind == MessageBuffer::Kind::receive;
    text += fmt::format("  {}: {} from {} to {} waits for room in {}{}\n", name_of(network, wait.held),
                        with_article(wait.message_class < classes.size() ? classes[wait.message_class].name
                                                                         : "management packet"),
                        network.terminal_name(wait.source), network.terminal_name(wait.destination),
                        name_of(network, next.held), taken ? ", for what it causes" : "");
  }
  return text;
}

}  // namespace unknot
