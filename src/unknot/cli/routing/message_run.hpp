// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/routing/managed_run.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/verify/messages/message_verdict.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace unknot::cli {

/// Options about a protocol whose messages cause others.
struct MessagesRequest {
  std::string messages;            ///< "": none
  std::string networks;            ///< of --classes
  std::vector<std::string> hosts;  ///< of --class-hosts
};

/// Gives the option --messages; --classes and --class-hosts need it.
CLI::Option* add_messages_options(CLI::App& app, MessagesRequest& request);

/// What the proof with messages says.
struct MessagesRun {
  /// Whose terminals the classes name: with the switches' own where management is covered.
  const Network* network = nullptr;
  std::vector<MessageClass> classes;
  MessageVerdict verdict;
  FewestNetworks fewest;
  std::optional<std::uint32_t> lanes_there;  ///< for data: what --vls says, or the tables declare

  [[nodiscard]] std::uint32_t lanes() const { return verdict.networks * verdict.lanes; }
  [[nodiscard]] bool fits() const { return !lanes_there || lanes() <= *lanes_there; }
  [[nodiscard]] bool usable() const { return verdict.deadlock_free && fits(); }
};

/// Nothing where no messages are asked for. Management, where there is some, travels on virtual network 0.
/// The networks have to outlive the result. InputError where the options do not fit each other or the
/// network.
std::optional<MessagesRun> messages_run(const Network& network, const Routing& routing,
                                        const ManagedRun* management, const MessagesRequest& request,
                                        std::optional<std::uint32_t> lanes_there, Progress& progress);

void add_messages(Json& document, const MessagesRun& run);
/// A circle of messages: [{held, class, source, destination}].
Json message_waits_json(const Network& network, const std::vector<MessageClass>& classes,
                        const std::vector<MessageWait>& circle);
/// "request=0,reply=1".
std::string classes_text(const std::vector<MessageClass>& classes);
/// Rows for key_values().
std::vector<std::pair<std::string, std::string>> messages_rows(const MessagesRun& run);
/// The cycle, where there is one.
std::string messages_text(const MessagesRun& run);

}  // namespace unknot::cli
