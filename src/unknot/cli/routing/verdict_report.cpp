// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/routing/verdict_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "unknot/cli/output/text_table.hpp"

namespace unknot::cli {
namespace {

const char* kind_text(Finding::Kind kind) {
  switch (kind) {
    case Finding::Kind::unreachable:
      return "unreachable";
    case Finding::Kind::stray_port:
      return "stray_port";
    case Finding::Kind::loop:
      return "loop";
    case Finding::Kind::missing_service_level:
      return "missing_service_level";
    case Finding::Kind::dropped_lane:
      return "dropped_lane";
  }
  return "";
}

Json witness_json(const Network& network, const Verdict& verdict) {
  if (!verdict.witness) return {};
  Json steps = Json::array();
  for (const WitnessStep& step : verdict.witness->steps) {
    steps.push_back({{"channel", network.channel_name(step.from.channel)},
                     {"lane", step.from.lane},
                     {"source", network.terminal_name(step.source)}});
    if (step.group != 0) {
      steps.back()["group"] = fmt::format("0x{:04x}", step.group);
    } else {
      steps.back()["destination"] = network.terminal_name(step.destination);
    }
    if (verdict.addresses > 1) steps.back()["address"] = step.address + 1;
  }
  return steps;
}

Json findings_json(const Network& network, const Verdict& verdict) {
  Json findings = Json::array();
  for (const Finding& finding : verdict.findings) {
    findings.push_back({{"kind", kind_text(finding.kind)},
                        {"source", network.terminal_name(finding.source)},
                        {"destination", network.terminal_name(finding.destination)},
                        {"router", finding.at.valid() ? Json(network.router_name(finding.at)) : Json()}});
    if (verdict.addresses > 1) findings.back()["address"] = finding.address + 1;
  }
  return findings;
}

}  // namespace

void add_verdict(Json& document, const Network& network, const Verdict& verdict) {
  document["addresses"] = verdict.addresses;
  document["complete"] = verdict.complete();
  document["unroutable_pairs"] = verdict.unroutable_pairs;
  document["loops"] = verdict.looping_pairs;
  document["deadlock_free"] = verdict.deadlock_free;
  document["flow_control"] = verdict.flow_control == FlowControl::bubble ? "bubble" : "credits";
  document["minimal"] = verdict.minimal();
  document["longer_pairs"] = verdict.longer_pairs;
  document["lanes_used"] = verdict.lanes_used;
  document["dependencies"] = verdict.dependencies;
  document["hops"] = {{"max", verdict.max_hops}, {"mean", verdict.mean_hops()}};
  document["witness"] = witness_json(network, verdict);
  document["findings"] = findings_json(network, verdict);
}

Json load_json(const LoadStatistics& load) {
  return {{"max", load.max}, {"min", load.min}, {"mean", load.mean}, {"sigma4", load.sigma4}};
}

std::string deadlock_cell(const Verdict& verdict) {
  if (verdict.deadlock_free) return verdict.flow_control == FlowControl::bubble ? "free (bubble)" : "free";
  return verdict.witness ? fmt::format("CYCLE of {} channels", verdict.witness->steps.size()) : "CYCLE";
}

std::string deadlock_answer(const Verdict& verdict) {
  return fmt::format("{}, under {} flow control",
                     verdict.deadlock_free ? std::string("yes") : "NO, " + deadlock_cell(verdict),
                     verdict.flow_control == FlowControl::bubble ? "bubble" : "credit");
}

std::string explain(const Network& network, const Verdict& verdict) {
  std::string text;
  if (!verdict.complete()) {
    text += fmt::format("{} of {} pairs are not delivered ({} of them loop):\n",
                        grouped(verdict.unroutable_pairs), grouped(verdict.pairs),
                        grouped(verdict.looping_pairs));
    for (const Finding& finding : verdict.findings) {
      text += fmt::format("  {}\n", describe(network, finding));
    }
    if (verdict.findings.size() < verdict.unroutable_pairs) text += "  ...\n";
  }
  if (verdict.multicast && !verdict.multicast->complete()) {
    for (const MulticastFinding& finding : verdict.multicast->findings)
      text += fmt::format("  {}\n", describe(network, finding));
  }
  if (verdict.witness) {
    text += describe(network, *verdict.witness);
    if (!text.ends_with('\n')) text += '\n';
  }
  return text;
}

}  // namespace unknot::cli
