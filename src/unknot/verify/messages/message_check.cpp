// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstddef>

#include "unknot/verify/messages/message_flows.hpp"
#include "unknot/verify/messages/message_path.hpp"
#include "unknot/verify/messages/message_verdict.hpp"

namespace unknot {
namespace {

class NumberCheck {
 public:
  NumberCheck(const Network& network, const std::vector<MessageClass>& classes, const MessageVerdict& verdict)
      : classes_(classes), verdict_(verdict), buffers_(network) {
    departs_.reserve(classes.size());
    for (const MessageClass& c : classes) departs_.push_back(senders_to_others(c, network.terminal_count()));
  }

  /// Whether the numbers rise along the path, and at its end to what the message causes.
  bool rises(std::uint32_t message_class, const std::vector<std::uint32_t>& path) const {
    const MessageClass& c = classes_[message_class];
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      if (number(c.network, path[i]) >= number(c.network, path[i + 1])) return false;
    }
    if (path.size() < 2 || !buffers_.is_receive(path.back())) return true;
    for (const std::uint32_t caused : c.causes) {
      const TerminalId here = buffers_.terminal(path.back());
      if (!departs_[caused][here.value]) continue;
      const std::uint32_t send = buffers_.send(here);
      if (number(c.network, path.back()) >= number(classes_[caused].network, send)) return false;
    }
    return true;
  }

 private:
  /// One that rises to nothing where there is none.
  std::uint64_t number(std::uint32_t network, std::uint32_t buffer) const {
    const std::uint64_t at = network * buffers_.count(verdict_.lanes) + buffer;
    if (at >= verdict_.number.size()) return Certificate::kUnused;
    return verdict_.number[static_cast<std::size_t>(at)];
  }

  const std::vector<MessageClass>& classes_;
  const MessageVerdict& verdict_;
  MessageBuffers buffers_;
  std::vector<std::vector<bool>> departs_;  // by class and terminal
};

}  // namespace

bool check_message_numbers(const Network& network, const Routing& routing,
                           const std::vector<MessageClass>& classes,
                           const std::vector<MessageClass>& background, const MessageVerdict& verdict,
                           std::string* why) {
  std::vector<MessageClass> all = classes;
  all.insert(all.end(), background.begin(), background.end());
  const NumberCheck check(network, all, verdict);
  for (std::uint32_t k = 0; k < all.size(); ++k) {
    for (const TerminalId source : network.terminals()) {
      if (!all[k].sends(source)) continue;
      for (const TerminalId destination : network.terminals()) {
        if (source == destination || !all[k].receives(destination)) continue;
        for (std::size_t address = 0; address <= routing.further.size(); ++address) {
          const Routing& tables = address == 0 ? routing : routing.further[address - 1];
          if (check.rises(k, message_path(network, tables, source, destination))) continue;
          if (why != nullptr) {
            *why = fmt::format("the numbers do not rise along {} from {} to {}", all[k].name,
                               network.terminal_name(source), network.terminal_name(destination));
          }
          return false;
        }
      }
    }
  }
  return true;
}

}  // namespace unknot
