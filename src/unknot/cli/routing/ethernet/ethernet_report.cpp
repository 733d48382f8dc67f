// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "unknot/cli/output/text_table.hpp"
#include "unknot/cli/routing/ethernet/ethernet_run.hpp"

namespace unknot::cli {
namespace {

using namespace unknot::ethernet;

std::uint32_t prefixes_of(const Forwarding& forwarding, const std::vector<LostPath>& paths) {
  std::uint32_t prefixes = 0;
  for (const LostPath& path : paths) prefixes += forwarding.destinations()[path.destination].prefixes;
  return prefixes;
}

std::uint32_t all_prefixes(const Forwarding& forwarding) {
  std::uint32_t prefixes = 0;
  for (const Destination& d : forwarding.destinations()) prefixes += d.prefixes;
  return prefixes;
}

std::string path_text(const Forwarding& forwarding, const LostPath& path) {
  const std::vector<Switch>& switches = forwarding.fabric().switches;
  std::string names;
  for (const std::uint32_t s : path.switches) names += (names.empty() ? "" : ", ") + switches[s].name;
  const std::string to = text(forwarding.destinations()[path.destination].prefix);
  if (path.again == kNone) return fmt::format("a packet to {} passes {} and is dropped there", to, names);
  return fmt::format("a packet to {} passes {} and is at {} again", to, names,
                     switches[path.switches[path.again]].name);
}

/// What is down: a switch, or links.
std::string down_text(const Fabric& fabric, const FailureOutcome& outcome) {
  if (outcome.gone != kNone) return fabric.switches[outcome.gone].name;
  std::string names;
  for (const std::uint32_t link : outcome.links)
    names += (names.empty() ? "" : " and ") + channel_text(fabric, link);
  return names;
}

std::string failures_answer(const FailureReport& report) {
  std::string answer = report.deadlocks == 0 ? fmt::format("yes, all {} tried", grouped(report.tried))
                                             : fmt::format("NO, {} of {} tried deadlock",
                                                           grouped(report.deadlocks), grouped(report.tried));
  if (report.looping > 0) answer += fmt::format("; with {} packets go in circles", grouped(report.looping));
  if (report.losing > 0) answer += fmt::format("; with {} packets are dropped", grouped(report.losing));
  return answer;
}

/// The first failure of the worst kind there is, and how many are like it.
std::string worst_failure(const Forwarding& forwarding, const FailureReport& report) {
  if (report.named.empty()) return "";
  const FailureOutcome& worst = report.named.front();
  const std::string down = down_text(forwarding.fabric(), worst);
  if (worst.deadlock) {
    return fmt::format("\nWith {} down buffers can wait for each other, the last for the first:\n{}", down,
                       describe(forwarding, worst.witness));
  }
  const std::uint32_t prefixes = worst.looping > 0 ? worst.looping : worst.losing;
  return fmt::format("\nWith {} down packets to {} prefix{} {}.\n", down, grouped(prefixes),
                     prefixes == 1 ? "" : "es", worst.looping > 0 ? "go in circles" : "are dropped");
}

Json lost_json(const Forwarding& forwarding, const std::vector<LostPath>& paths) {
  constexpr std::size_t kMost = 10;
  Json list = Json::array();
  for (std::size_t i = 0; i < std::min(kMost, paths.size()); ++i) {
    Json names = Json::array();
    for (const std::uint32_t s : paths[i].switches) names.push_back(forwarding.fabric().switches[s].name);
    list.push_back({{"prefix", text(forwarding.destinations()[paths[i].destination].prefix)},
                    {"path", std::move(names)}});
  }
  return list;
}

Json channel_json(const Fabric& fabric, std::uint32_t channel) {
  const Channel& c = fabric.channels[channel];
  return {{"from", fabric.switches[c.from].name},
          {"from_port", c.out_port},
          {"to", fabric.switches[c.to].name},
          {"to_port", c.in_port}};
}

Json witness_json(const Forwarding& forwarding, const std::vector<PauseWait>& witness) {
  Json list = Json::array();
  for (const PauseWait& wait : witness) {
    Json one = channel_json(forwarding.fabric(), wait.channel);
    const ethernet::Flow& flow = forwarding.flows()[wait.reason.flow];
    const ethernet::Flow& next = forwarding.flows()[wait.reason.next_flow];
    one["priority"] = wait.priority;
    one["prefix"] = text(forwarding.destinations()[flow.destination].prefix);
    one["dscp"] = wait.reason.code_point;
    for (const auto& [name, f] : {std::pair("tunnel_of", flow), std::pair("goes_on_in_tunnel_of", next)}) {
      one[name] =
          f.encapsulated_at == kNone ? Json() : Json(forwarding.fabric().switches[f.encapsulated_at].name);
    }
    list.push_back(std::move(one));
  }
  return list;
}

Json failures_json(const Forwarding& forwarding, const std::optional<FailureReport>& report) {
  if (!report) return {};
  Json json{{"tried", report->tried},     {"all", report->all},       {"deadlock", report->deadlocks},
            {"looping", report->looping}, {"losing", report->losing}, {"named", Json::array()}};
  for (const FailureOutcome& one : report->named) {
    Json entry;
    if (one.gone != kNone) {
      entry["switch"] = forwarding.fabric().switches[one.gone].name;
    } else {
      entry["links"] = Json::array();
      for (const std::uint32_t link : one.links)
        entry["links"].push_back(channel_json(forwarding.fabric(), link));
    }
    entry["deadlock_free"] = !one.deadlock;
    entry["looping_prefixes"] = one.looping;
    entry["losing_prefixes"] = one.losing;
    if (!one.witness.empty()) entry["witness"] = witness_json(forwarding, one.witness);
    json["named"].push_back(std::move(entry));
  }
  return json;
}

/// "core2, which 2 ports lead to, and 3 others".
std::string absent_names(const Fabric& fabric) {
  const std::size_t count = fabric.absent.size();
  const std::size_t ports = fabric.absent.front().ports.size();
  std::string names = fmt::format("{}, which {} port{} to", fabric.absent.front().device, grouped(ports),
                                  ports == 1 ? " leads" : "s lead");
  if (count > 1) names += fmt::format(", and {} other{}", grouped(count - 1), count == 2 ? "" : "s");
  return names;
}

std::string absent_text(const Fabric& fabric) {
  constexpr std::size_t kMostDevices = 10;
  constexpr std::size_t kMostPorts = 3;
  std::string result =
      "\nNamed by LLDP or by routes, and not in the folder. They are taken for hosts; what switches among "
      "them do is not covered:\n";
  for (std::size_t i = 0; i < std::min(kMostDevices, fabric.absent.size()); ++i) {
    const AbsentNeighbour& one = fabric.absent[i];
    std::string ports;
    for (std::size_t p = 0; p < std::min(kMostPorts, one.ports.size()); ++p) {
      const auto& [at, port] = one.ports[p];
      ports += fmt::format("{}{} {}", ports.empty() ? "" : ", ", fabric.switches[at].name, port);
    }
    if (one.ports.size() > kMostPorts)
      ports += fmt::format(" and {} more", grouped(one.ports.size() - kMostPorts));
    result += fmt::format("  {}, behind {}\n", one.device, ports);
  }
  if (fabric.absent.size() > kMostDevices)
    result += fmt::format("  and {} more\n", grouped(fabric.absent.size() - kMostDevices));
  return result;
}

Json absent_json(const Fabric& fabric) {
  Json list = Json::array();
  for (const AbsentNeighbour& one : fabric.absent) {
    Json ports = Json::array();
    for (const auto& [at, port] : one.ports)
      ports.push_back({{"switch", fabric.switches[at].name}, {"port", port}});
    list.push_back({{"device", one.device}, {"ports", std::move(ports)}});
  }
  return list;
}

std::string queues_answer(const PauseVerdict& verdict, bool all_there) {
  std::string all;
  std::string locked;
  for (const auto& [priority, free] : verdict.free_of_priority) {
    all += (all.empty() ? "" : ", ") + std::to_string(priority);
    if (!free) locked += (locked.empty() ? "" : ", ") + std::to_string(priority);
  }
  if (all.empty()) return "no priority is lossless: nothing waits";
  if (!verdict.deadlock_free) return fmt::format("NO, priorities {} of {}", locked, all);
  return fmt::format("yes{}, priorities {}", all_there ? "" : " among these", all);
}

/// How many, and what for: with all links up it says little of links that are down.
std::string fewest_answer(const EthernetRun& run) {
  std::string answer = std::to_string(run.tags.queues);
  if (run.tags_of_failures) {
    answer += ", for each link down, too";
  } else if (run.single || run.pairs) {
    answer += " with all links up";
    if (!run.tags_checked) answer += "; --failures with --tags FILE finds those for each link down, too";
  }
  if (run.tags.fewest()) return answer;
  if (!run.tags.all_expected) return answer + "; some packets that pass circles of the tables are lossy";
  if (run.tags.least_by_ports == run.tags.queues)
    return answer + fmt::format("; at least {} where rules look at tags, too", run.tags.least);
  return answer + fmt::format("; at least {}", run.tags.least);
}

}  // namespace

bool EthernetRun::usable() const {
  return verdict.deadlock_free && usage->loops().empty() && usage->dead_ends().empty() &&
         (!single || single->deadlocks == 0) && (!switches || switches->deadlocks == 0) &&
         (!pairs || pairs->deadlocks == 0);
}

std::string ethernet_text(const std::string& folder, const EthernetRun& run) {
  const Forwarding& forwarding = *run.forwarding;
  const Fabric& fabric = forwarding.fabric();
  const std::uint32_t prefixes = all_prefixes(forwarding);
  const auto answer = [&](const std::vector<LostPath>& paths, const char* what) {
    return paths.empty() ? std::string("yes")
                         : fmt::format("NO, packets to {} of {} prefixes {}",
                                       grouped(prefixes_of(forwarding, paths)), grouped(prefixes), what);
  };
  std::vector<std::pair<std::string, std::string>> rows;
  if (!fabric.absent.empty()) {
    rows.emplace_back("covers", fmt::format("the {} switches in the folder, without {}",
                                            grouped(fabric.switches.size()), absent_names(fabric)));
  }
  rows.emplace_back("deadlock-free", queues_answer(run.verdict, fabric.absent.empty()));
  rows.emplace_back("every packet delivered", answer(run.usage->dead_ends(), "are dropped somewhere"));
  rows.emplace_back("free of loops", answer(run.usage->loops(), "may go in circles"));
  rows.emplace_back("buffers, dependencies",
                    fmt::format("{}, {}", grouped(run.verdict.buffers), grouped(run.verdict.dependencies)));
  if (run.single) rows.emplace_back("free with one link down", failures_answer(*run.single));
  if (run.switches) rows.emplace_back("free with one switch down", failures_answer(*run.switches));
  if (run.pairs) {
    rows.emplace_back("free with two links down",
                      failures_answer(*run.pairs) +
                          (run.pairs->all ? " (all pairs)" : fmt::format(" (pairs of seed {})", run.seed)));
  }
  rows.emplace_back("fewest lossless queues", fewest_answer(run));
  rows.emplace_back("checked in", duration(run.seconds));
  std::string result =
      fmt::format("{}: {} switches, {} links between them, {} prefixes of hosts in {} classes\n\n", folder,
                  grouped(fabric.switches.size()), grouped(fabric.channels.size() / 2), grouped(prefixes),
                  grouped(forwarding.destination_count())) +
      key_values(rows);
  if (!fabric.absent.empty()) result += absent_text(fabric);
  if (!run.verdict.witness.empty()) {
    result += "\nBuffers can wait for each other, the last for the first:\n" +
              describe(forwarding, run.verdict.witness);
  }
  if (!run.usage->loops().empty())
    result += "\nIn a circle: " + path_text(forwarding, run.usage->loops().front()) + ".\n";
  if (!run.usage->dead_ends().empty())
    result += "\nDropped: " + path_text(forwarding, run.usage->dead_ends().front()) + ".\n";
  if (run.single) result += worst_failure(forwarding, *run.single);
  if (run.switches) result += worst_failure(forwarding, *run.switches);
  if (run.pairs) result += worst_failure(forwarding, *run.pairs);
  if (run.tags_checked) result += "\n" + tags_text(run);
  return result;
}

Json ethernet_json(const std::string& folder, const EthernetRun& run) {
  const Forwarding& forwarding = *run.forwarding;
  Json json;
  json["ethernet"] = folder;
  json["switches"] = forwarding.fabric().switches.size();
  json["links"] = forwarding.fabric().channels.size() / 2;
  json["prefixes"] = all_prefixes(forwarding);
  json["classes"] = forwarding.destination_count();
  json["all_neighbours_in_folder"] = forwarding.fabric().absent.empty();
  json["not_in_folder"] = absent_json(forwarding.fabric());
  json["deadlock_free"] = run.verdict.deadlock_free;
  json["queues"] = Json::array();
  for (const auto& [priority, free] : run.verdict.free_of_priority)
    json["queues"].push_back({{"priority", priority}, {"deadlock_free", free}});
  json["witness"] = run.verdict.witness.empty() ? Json() : witness_json(forwarding, run.verdict.witness);
  json["buffers"] = run.verdict.buffers;
  json["dependencies"] = run.verdict.dependencies;
  json["looping_prefixes"] = prefixes_of(forwarding, run.usage->loops());
  json["loops"] = lost_json(forwarding, run.usage->loops());
  json["dropped_prefixes"] = prefixes_of(forwarding, run.usage->dead_ends());
  json["dropped"] = lost_json(forwarding, run.usage->dead_ends());
  json["single_failures"] = failures_json(forwarding, run.single);
  json["switch_failures"] = failures_json(forwarding, run.switches);
  json["failure_pairs"] = failures_json(forwarding, run.pairs);
  json["lossless_queues_needed"] = run.tags.queues;
  json["lossless_queues_with_failures"] = run.tags_of_failures;
  json["lossless_queues_proven_fewest"] = run.tags.fewest();
  json["lossless_queues_at_least"] = run.tags.least;
  json["lossless_queues_at_least_by_ports"] = run.tags.least_by_ports;
  json["seconds"] = run.seconds;
  return json;
}

Json tags_json(const EthernetRun& run) {
  const Fabric& fabric = run.forwarding->fabric();
  Json json;
  json["queues"] = run.tags.queues;
  json["first_tag"] = 1;
  json["otherwise"] = "lossy";
  json["switches"] = Json::object();
  for (const Switch& s : fabric.switches)
    json["switches"][s.name] = {{"keep", Json::array()}, {"raise", Json::array()}};
  for (const PortPairRule& rule : run.tags.rules) {
    const Channel& in = fabric.channels[rule.channel];
    json["switches"][fabric.switches[in.to].name][rule.rule == TagRule::keep ? "keep" : "raise"].push_back(
        {in.in_port, fabric.channels[rule.next].out_port});
  }
  return json;
}

std::string tags_text(const EthernetRun& run) {
  const Fabric& fabric = run.forwarding->fabric();
  std::string result = fmt::format(
      "Rules for {} lossless queue{}, checked: packets of hosts begin with tag 1, which is their queue; "
      "between ports\n"
      "of the file they keep it, but for the rises below; between all others, and above tag {}, they are "
      "lossy.\n",
      run.tags.queues, run.tags.queues == 1 ? "" : "s", run.tags.queues);
  constexpr std::size_t kShown = 20;
  std::size_t rises = 0;
  for (const PortPairRule& rule : run.tags.rules) {
    if (rule.rule != TagRule::raise) continue;
    if (++rises > kShown) continue;
    const Channel& in = fabric.channels[rule.channel];
    result += fmt::format("  {}: in by {}, out by {}: tag t becomes t + 1\n", fabric.switches[in.to].name,
                          in.in_port, fabric.channels[rule.next].out_port);
  }
  if (rises > kShown) result += fmt::format("  and {} more rises\n", grouped(rises - kShown));
  return result;
}

}  // namespace unknot::cli
