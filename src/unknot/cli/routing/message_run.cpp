// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/routing/message_run.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string_view>
#include <unordered_map>

#include "unknot/cli/output/text_table.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/host_list.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot::cli {
namespace {

/// By terminal; those that are no hosts are the switches themselves.
std::vector<bool> hosts_of(const Network& network) {
  std::vector<bool> hosts(network.terminal_count());
  for (const TerminalId t : network.terminals()) hosts[t.value] = t != network.own_port(network.router_of(t));
  return hosts;
}

/// The hosts of a list, by terminal: by the whole name of an adapter or by its first word, which is the
/// host's; all where nothing is said.
std::vector<bool> hosts_listed(const Network& network, std::string_view list) {
  std::vector<bool> hosts = hosts_of(network);
  if (list.empty()) return hosts;
  std::unordered_map<std::string, std::vector<TerminalId>> named;
  for (const TerminalId t : network.terminals()) {
    if (!hosts[t.value]) continue;
    const std::string name = network.terminal_name(t);
    named[name].push_back(t);
    const std::size_t blank = name.find(' ');
    if (blank != std::string::npos) named[name.substr(0, blank)].push_back(t);
  }
  std::vector<bool> listed(network.terminal_count(), false);
  for (const std::string& host : expand_host_list(list)) {
    const auto found = named.find(host);
    if (found == named.end())
      throw InputError(fmt::format("--class-hosts: the fabric has no host '{}'", shown(host)));
    for (const TerminalId t : found->second) listed[t.value] = true;
  }
  return listed;
}

std::string class_names(const std::vector<MessageClass>& classes) {
  std::string names;
  for (const MessageClass& c : classes) names += (names.empty() ? "" : ", ") + c.name;
  return names;
}

void restrict_hosts(const Network& network, const std::string& text, std::vector<MessageClass>& classes,
                    std::vector<bool>& restricted) {
  const std::size_t equals = text.find('=');
  const std::size_t arrow = text.find('>', equals == std::string::npos ? 0 : equals);
  const auto found = std::find_if(classes.begin(), classes.end(), [&](const MessageClass& c) {
    return equals != std::string::npos && text.compare(0, equals, c.name) == 0;
  });
  const char* const expected = "--class-hosts: expected CLASS=SENDERS>RECEIVERS, ";
  if (equals == std::string::npos)
    throw InputError(fmt::format("{}found no '=' in '{}'", expected, shown(text)));
  if (found == classes.end()) {
    throw InputError(fmt::format("{}CLASS one of {}, found '{}' in '{}'", expected, class_names(classes),
                                 shown(text.substr(0, equals)), shown(text)));
  }
  if (arrow == std::string::npos) {
    throw InputError(
        fmt::format("{}with > between them even where one side is everybody; found no '>' in '{}'", expected,
                    shown(text)));
  }
  const auto at = static_cast<std::size_t>(found - classes.begin());
  if (restricted[at]) throw InputError(fmt::format("--class-hosts: {} is named twice", found->name));
  restricted[at] = true;
  found->senders = hosts_listed(network, std::string_view(text).substr(equals + 1, arrow - equals - 1));
  found->receivers = hosts_listed(network, std::string_view(text).substr(arrow + 1));
}

/// "request=0,reply=1".
std::string networks_text(const std::vector<MessageClass>& classes,
                          const std::vector<std::uint32_t>& network_of) {
  std::string text;
  for (std::size_t k = 0; k < classes.size(); ++k)
    text += fmt::format("{}{}={}", k == 0 ? "" : ",", classes[k].name, network_of[k]);
  return text;
}

Json buffer_json(const Network& network, const MessageBuffer& buffer) {
  constexpr std::string_view kKinds[] = {"channel", "send queue", "receive queue"};
  Json json;
  json["kind"] = kKinds[static_cast<std::size_t>(buffer.kind)];
  json["virtual_network"] = buffer.network;
  if (buffer.kind == MessageBuffer::Kind::channel) {
    json["channel"] = network.channel_name(buffer.channel.channel);
    json["lane"] = buffer.channel.lane;
  } else {
    json["terminal"] = network.terminal_name(buffer.terminal);
  }
  return json;
}

}  // namespace

CLI::Option* add_messages_options(CLI::App& app, MessagesRequest& request) {
  CLI::Option* messages =
      app.add_option("--messages", request.messages,
                     "Classes of messages, as request>reply,reply>ack: a host takes a message only when it "
                     "has room to send what that causes. Proven with the hosts' queues")
          ->type_name("PROTOCOL");
  app.add_option(
         "--classes", request.networks,
         "Virtual network of classes of --messages, as request=0,reply=1: each has queues of its own, "
         "and lanes like those of the tables (default 0)")
      ->needs(messages)
      ->type_name("LIST");
  app.add_option(
         "--class-hosts", request.hosts,
         "Who sends a class of --messages to whom, as request=node[01-16]>server1,server2; nothing on "
         "a side means all. Once for each class (default: all pairs)")
      ->needs(messages)
      ->allow_extra_args(false)
      ->type_name("CLASS=HOSTS>HOSTS");
  return messages;
}

std::optional<MessagesRun> messages_run(const Network& network, const Routing& routing,
                                        const ManagedRun* management, const MessagesRequest& request,
                                        std::optional<std::uint32_t> lanes_there, Progress& progress) {
  if (request.messages.empty()) return std::nullopt;
  MessagesRun run;
  run.network = management == nullptr ? &network : &management->managed.network;
  const Routing& tables = management == nullptr ? routing : management->result.routing;
  run.classes = parse_message_classes(request.messages, "--messages");
  if (!request.networks.empty()) assign_networks(request.networks, "--classes", run.classes);
  std::vector<bool> restricted(run.classes.size(), false);
  for (const std::string& one : request.hosts) restrict_hosts(*run.network, one, run.classes, restricted);
  std::vector<MessageClass> background;
  if (management != nullptr) {
    const std::vector<bool> hosts = hosts_of(*run.network);
    for (std::size_t k = 0; k < run.classes.size(); ++k) {
      if (!restricted[k]) run.classes[k].senders = run.classes[k].receivers = hosts;
    }
    std::vector<bool> switches = hosts;
    switches.flip();
    background.resize(2);
    background[0].senders = switches;
    background[1].receivers = std::move(switches);
  }
  const MessageModel model(*run.network, tables, run.classes, background, progress);
  run.verdict = model.verdict();
  run.fewest = model.fewest(progress);
  run.lanes_there = lanes_there;
  if (!lanes_there && tables.data_lanes != Routing::kAnyLanes) run.lanes_there = tables.data_lanes;
  return run;
}

Json message_waits_json(const Network& network, const std::vector<MessageClass>& classes,
                        const std::vector<MessageWait>& circle) {
  Json steps = Json::array();
  for (const MessageWait& wait : circle) {
    steps.push_back(
        {{"held", buffer_json(network, wait.held)},
         {"class", wait.message_class < classes.size() ? classes[wait.message_class].name : "management"},
         {"source", network.terminal_name(wait.source)},
         {"destination", network.terminal_name(wait.destination)}});
  }
  return steps;
}

std::string classes_text(const std::vector<MessageClass>& classes) {
  std::vector<std::uint32_t> network_of;
  network_of.reserve(classes.size());
  for (const MessageClass& c : classes) network_of.push_back(c.network);
  return networks_text(classes, network_of);
}

void add_messages(Json& document, const MessagesRun& run) {
  const Network& network = *run.network;
  Json json;
  json["classes"] = Json::array();
  for (const MessageClass& c : run.classes) {
    Json causes = Json::array();
    for (const std::uint32_t caused : c.causes) causes.push_back(run.classes[caused].name);
    json["classes"].push_back({{"name", c.name},
                               {"causes", std::move(causes)},
                               {"virtual_network", c.network},
                               {"first_lane", c.network * run.verdict.lanes},
                               {"lanes", run.verdict.lanes}});
  }
  json["virtual_networks"] = run.verdict.networks;
  json["lanes"] = run.lanes();
  json["fits"] = run.fits();
  json["send_places"] = most_caused_together(run.classes);
  json["deadlock_free"] = run.verdict.deadlock_free;
  json["dependencies"] = run.verdict.dependencies;
  json["fewest_networks"] = run.fewest.possible ? Json(run.fewest.networks) : Json();
  if (run.fewest.possible) json["fewest_classes"] = networks_text(run.classes, run.fewest.network_of);
  if (!run.verdict.deadlock_free) {
    json["witness"] = message_waits_json(network, run.classes, run.verdict.witness);
    // The cycle of the tables, where they have one of their own.
    if (document["witness"].is_null()) document["witness"] = json["witness"];
  }
  document["tables_deadlock_free"] = document["deadlock_free"];
  document["deadlock_free"] = document["deadlock_free"].get<bool>() && run.verdict.deadlock_free;
  document["messages"] = std::move(json);
}

std::vector<std::pair<std::string, std::string>> messages_rows(const MessagesRun& run) {
  std::vector<std::pair<std::string, std::string>> rows = {
      {"messages", fmt::format("{} ({} lane{} in all)", classes_text(run.classes), run.lanes(),
                               run.lanes() == 1 ? "" : "s")},
      {"deadlock-free with them",
       run.verdict.deadlock_free
           ? fmt::format("yes, {} dependencies of channels and queues", grouped(run.verdict.dependencies))
           : std::string("NO")},
      {"fewest virtual networks",
       run.fewest.possible
           ? fmt::format("{}, {}", run.fewest.networks, networks_text(run.classes, run.fewest.network_of))
           : std::string("none will do: not even one for each class")}};
  if (const std::uint32_t places = most_caused_together(run.classes); places > 1) {
    rows.emplace_back(
        "send queues",
        fmt::format("of {} messages at least: as many are caused at once on one virtual network", places));
  }
  if (!run.fits()) {
    rows.emplace_back("lanes for messages",
                      fmt::format("NO, {} are wanted and {} there", run.lanes(), *run.lanes_there));
  }
  return rows;
}

std::string messages_text(const MessagesRun& run) {
  if (run.verdict.deadlock_free) return "";
  return "\nMessages can wait for each other, the last for the first:\n" +
         describe(*run.network, run.classes, run.verdict.witness);
}

}  // namespace unknot::cli
