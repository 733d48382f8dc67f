// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "unknot/cli/command/command.hpp"
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
  std::vector<MessageClass> classes;
  MessageVerdict verdict;
  FewestNetworks fewest;
  std::optional<std::uint32_t> lanes_there;  ///< for data, as far as --vls says

  [[nodiscard]] std::uint32_t lanes() const { return verdict.networks * verdict.lanes; }
  [[nodiscard]] bool fits() const { return !lanes_there || lanes() <= *lanes_there; }
  [[nodiscard]] bool usable() const { return verdict.deadlock_free && fits(); }
};

/// Nothing where no messages are asked for. InputError where the options do not fit each other or the
/// network.
std::optional<MessagesRun> messages_run(const Network& network, const Routing& routing,
                                        const MessagesRequest& request,
                                        std::optional<std::uint32_t> lanes_there, Progress& progress);

void add_messages(Json& document, const Network& network, const MessagesRun& run);
/// Rows for key_values().
std::vector<std::pair<std::string, std::string>> messages_rows(const MessagesRun& run);
/// The cycle, where there is one.
std::string messages_text(const Network& network, const MessagesRun& run);

}  // namespace unknot::cli
