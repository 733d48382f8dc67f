// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/routing/adaptive/adaptive_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "unknot/cli/output/text_table.hpp"

namespace unknot::cli {
namespace {

constexpr std::size_t kMostBlocked = 24;  // of a witness that people read

const char* name_of(ChoiceKind kind) {
  return kind == ChoiceKind::fixed ? "fixed" : kind == ChoiceKind::adaptive ? "adaptive" : "hashed";
}

const char* name_of(AdaptiveFinding::Kind kind) {
  using Kind = AdaptiveFinding::Kind;
  switch (kind) {
    case Kind::no_route:
      return "no_route";
    case Kind::stray_port:
      return "stray_port";
    case Kind::empty_group:
      return "empty_group";
    case Kind::dropped_lane:
      return "dropped_lane";
    case Kind::loop:
      break;
  }
  return "loop";
}

Json buffer_json(const Network& network, const LaneChannel& buffer) {
  return {{"channel", network.channel_name(buffer.channel)}, {"lane", buffer.lane}};
}

Json blocked_json(const Network& network, const BlockedPacket& packet) {
  Json waits_for = Json::array();
  for (const LaneChannel& buffer : packet.waits_for) waits_for.push_back(buffer_json(network, buffer));
  Json json = buffer_json(network, packet.holds);
  json["source"] = packet.source.valid() ? Json(network.terminal_name(packet.source)) : Json();
  json["destination"] = network.terminal_name(packet.destination);
  json["level"] = packet.packets.level;
  json["packets"] = packet.packets.adaptive ? "adaptive" : "fixed";
  json["choice"] = name_of(packet.choice);
  json["waits_for"] = std::move(waits_for);
  return json;
}

Json finding_json(const Network& network, const AdaptiveFinding& finding) {
  Json loop = Json::array();
  for (const RouterId r : finding.loop) loop.push_back(network.router_name(r));
  return {{"kind", name_of(finding.kind)},
          {"destination",
           finding.destination.valid() ? Json(network.terminal_name(finding.destination)) : Json()},
          {"router", network.router_name(finding.at)},
          {"level", finding.packets.level},
          {"packets", finding.packets.adaptive ? "adaptive" : "fixed"},
          {"loop", std::move(loop)}};
}

std::string delivery_answer(const AdaptiveVerdict& verdict) {
  if (verdict.delivers()) return "yes";
  std::string text = "NO";
  if (verdict.lost_destinations > 0)
    text += fmt::format(", packets to {} destinations may be lost", grouped(verdict.lost_destinations));
  if (verdict.looping_destinations > 0) {
    text +=
        fmt::format(", packets to {} destinations may go in circles", grouped(verdict.looping_destinations));
  }
  return text;
}

std::string adaptive_deadlock_answer(const AdaptiveVerdict& verdict) {
  const char* of = verdict.committed ? "a packet that waits is committed to one port"
                                     : "a packet that waits may still take another port";
  switch (verdict.method) {
    case AdaptiveMethod::acyclic:
      return "yes: no cycle over all choices, on any kind of switch";
    case AdaptiveMethod::escape:
      return fmt::format(
          "yes, by an escape, the ports with a larger number (--write-certificate): {}, and one of these is "
          "always free in the end",
          of);
    case AdaptiveMethod::none:
      break;
  }
  return fmt::format("NO: {} channels can block each other for ever", verdict.witness.size());
}

}  // namespace

void add_adaptive_verdict(Json& document, const Network& network, const AdaptiveVerdict& verdict) {
  document["traffic"] = Json::array({"data"});
  document["deadlock_free"] = verdict.deadlock_free();
  document["method"] = verdict.method == AdaptiveMethod::none      ? Json()
                       : verdict.method == AdaptiveMethod::acyclic ? Json("acyclic")
                                                                   : Json("escape");
  document["committed"] = verdict.committed;
  document["delivers"] = verdict.delivers();
  document["lost_destinations"] = verdict.lost_destinations;
  document["looping_destinations"] = verdict.looping_destinations;
  document["minimal"] = verdict.minimal;
  document["hops"] = {{"max", verdict.max_hops}, {"max_shortest", verdict.max_distance}};
  document["lanes_used"] = verdict.lanes_used;
  document["dependencies"] = verdict.dependencies;
  document["destination_classes"] = verdict.classes;
  document["most_choices"] = verdict.most_choices;
  Json witness;
  for (const BlockedPacket& packet : verdict.witness) witness.push_back(blocked_json(network, packet));
  document["witness"] = std::move(witness);
  Json findings = Json::array();
  for (const AdaptiveFinding& finding : verdict.findings) findings.push_back(finding_json(network, finding));
  document["findings"] = std::move(findings);
}

std::vector<std::pair<std::string, std::string>> adaptive_rows(const AdaptiveVerdict& verdict) {
  return {
      {"traffic covered", "data"},
      {"every packet delivered", delivery_answer(verdict)},
      {"deadlock-free", adaptive_deadlock_answer(verdict)},
      {"shortest paths", verdict.minimal      ? "yes, all of them"
                         : verdict.delivers() ? "NO, some ways are longer"
                                              : "not all packets arrive"},
      {"hops, most and shortest", fmt::format("{}, {}", verdict.max_hops, verdict.max_distance)},
      {"widest choice", fmt::format("{} port{}", verdict.most_choices, verdict.most_choices == 1 ? "" : "s")},
      {"lanes in use", std::to_string(verdict.lanes_used)},
      {"dependencies", grouped(verdict.dependencies)},
  };
}

std::string explain_adaptive(const Network& network, const AdaptiveVerdict& verdict) {
  std::string text;
  for (const AdaptiveFinding& finding : verdict.findings) text += "  " + describe(network, finding) + "\n";
  if (verdict.witness.empty()) return text;
  if (!text.empty()) text += "\n";
  text += "Once these buffers are full of these packets, none of them ever moves:\n";
  for (std::size_t i = 0; i < std::min(kMostBlocked, verdict.witness.size()); ++i)
    text += "  " + describe(network, verdict.witness[i]) + "\n";
  if (verdict.witness.size() > kMostBlocked)
    text += fmt::format("  and {} more, all of them in --json\n", verdict.witness.size() - kMostBlocked);
  return text;
}

}  // namespace unknot::cli
