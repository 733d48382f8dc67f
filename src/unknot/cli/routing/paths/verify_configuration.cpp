// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/routing/paths/verify_configuration.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "unknot/cli/output/interrupt.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/progress_bar.hpp"
#include "unknot/cli/output/stopwatch.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/formats/constellation/noc_design.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/text/in_file.hpp"
#include "unknot/verify/relation/channel_verdict.hpp"

namespace unknot::cli {
namespace {

constexpr std::size_t kMostShown = 12;  // of a witness, in text
constexpr std::uint64_t kMostBytes = 16 * ReadLimits::kMebi;

std::string proof_answer(const ChannelVerdict& verdict) {
  switch (verdict.proof) {
    case ChannelProof::acyclic:
      return "yes: no cycle over all choices";
    case ChannelProof::escape:
      return "yes, by the escape channels: each packet can always take one, and they have no cycle";
    case ChannelProof::none:
      break;
  }
  switch (verdict.witness_kind) {
    case ChannelWitness::blocked:
      return fmt::format("NO: {} channels can block each other for ever", verdict.witness.size());
    case ChannelWitness::cycle:
      return fmt::format("not proven: the escape channels have a cycle of {}", verdict.witness.size());
    default:
      break;
  }
  return "not proven: some packets have no escape channel to go to";
}

std::string delivered_answer(const ChannelVerdict& verdict) {
  if (verdict.delivers()) return "yes";
  std::string text = "NO";
  if (verdict.lost_flows > 0) text += fmt::format(", {} flows have no way on somewhere", verdict.lost_flows);
  if (verdict.looping_flows > 0) text += fmt::format(", {} flows may go in circles", verdict.looping_flows);
  if (verdict.unordered_flows > 0)
    text += fmt::format(", {} flows that keep their order have several ways", verdict.unordered_flows);
  return text;
}

const char* name_of(ChannelFinding::Kind kind) {
  switch (kind) {
    case ChannelFinding::Kind::lost:
      return "lost";
    case ChannelFinding::Kind::loop:
      return "loop";
    case ChannelFinding::Kind::unordered:
      return "unordered";
    case ChannelFinding::Kind::stalled:
      break;
  }
  return "stalled";
}

const char* name_of(ChannelWitness kind) {
  return kind == ChannelWitness::blocked ? "blocked" : kind == ChannelWitness::cycle ? "cycle" : "no_escape";
}

Json channel_json(const ChannelRelation& relation, ChannelRelation::Channel channel) {
  const ChannelRelation::VirtualChannel& c = relation.channel(channel);
  return {{"from", c.from}, {"to", c.to}, {"lane", c.lane}};
}

Json flow_json(const ChannelRelation& relation, std::uint32_t flow) {
  const ChannelRelation::Flow& one = relation.flows()[flow];
  return {{"sources", one.sources}, {"destination", one.destination}, {"subnet", one.subnet}};
}

Json document_of(const std::string& path, const std::string& name, const NocDesign& design,
                 const ChannelVerdict& verdict, double seconds) {
  const NocDesign::Parts& parts = design.parts();
  Json document;
  document["fabric"] = path;
  document["config"] = name;
  document["topology"] = parts.topology;
  document["relation"] = parts.relation;
  document["routers"] = parts.nodes;
  document["channels"] = parts.links;
  document["virtual_channels"] = design.channel_count();
  document["ingresses"] = parts.ingresses;
  document["egresses"] = parts.egresses;
  document["flows"] = parts.flows;
  document["subnets"] = design.subnet_count();
  document["traffic"] = Json::array({"data"});
  document["deadlock_free"] = verdict.deadlock_free();
  document["method"] = verdict.proof == ChannelProof::none      ? Json()
                       : verdict.proof == ChannelProof::acyclic ? Json("acyclic")
                                                                : Json("escape");
  document["delivers"] = verdict.delivers();
  document["lost_flows"] = verdict.lost_flows;
  document["looping_flows"] = verdict.looping_flows;
  document["unordered_flows"] = verdict.unordered_flows;
  document["subnets_move"] = verdict.subnets_move();
  document["hops"] = {{"max", verdict.max_hops}};
  document["dependencies"] = verdict.dependencies;
  document["virtual_channels_used"] = verdict.channels_used;
  document["most_choices"] = verdict.most_choices;
  document["witness_kind"] =
      verdict.witness_kind == ChannelWitness::none ? Json() : Json(name_of(verdict.witness_kind));
  Json witness;
  for (const WaitingPacket& packet : verdict.witness) {
    Json waits_for = Json::array();
    for (const ChannelRelation::Channel c : packet.waits_for) waits_for.push_back(channel_json(design, c));
    witness.push_back({{"holds", channel_json(design, packet.holds)},
                       {"flow", flow_json(design, packet.flow)},
                       {"waits_for", std::move(waits_for)}});
  }
  document["witness"] = std::move(witness);
  Json findings = Json::array();
  for (const ChannelFinding& one : verdict.findings) {
    findings.push_back(
        {{"kind", name_of(one.kind)},
         {"flow", flow_json(design, one.flow)},
         {"router", one.router},
         {"holds", one.holds == ChannelRelation::kEntrance ? Json() : channel_json(design, one.holds)}});
  }
  document["findings"] = std::move(findings);
  document["seconds"] = seconds;
  return document;
}

std::string witness_text(const NocDesign& design, const ChannelVerdict& verdict) {
  std::string text;
  for (const ChannelFinding& one : verdict.findings) text += "  " + describe(design, one) + "\n";
  if (!text.empty()) text = "\n" + text;
  if (verdict.witness.empty()) return text;
  text += verdict.witness_kind == ChannelWitness::blocked
              ? "\nOnce these channels are full of these packets, none of them ever moves:\n"
              : "\nWhat is in the way of a proof:\n";
  for (std::size_t i = 0; i < std::min(kMostShown, verdict.witness.size()); ++i)
    text += "  " + describe(design, verdict.witness[i]) + "\n";
  if (verdict.witness.size() > kMostShown)
    text += fmt::format("  and {} more, all of them in --json\n", verdict.witness.size() - kMostShown);
  return text;
}

std::string text_of(const std::string& path, const std::string& name, const NocDesign& design,
                    const ChannelVerdict& verdict, double seconds) {
  const NocDesign::Parts& parts = design.parts();
  std::vector<std::pair<std::string, std::string>> rows = {
      {"topology, relation", parts.topology + ", " + parts.relation},
      {"traffic covered", fmt::format("{} flows from {} ingresses to {} egresses", grouped(parts.flows),
                                      grouped(parts.ingresses), grouped(parts.egresses))},
      {"every packet delivered", delivered_answer(verdict)},
      {"deadlock-free", proof_answer(verdict)},
  };
  if (design.subnet_count() > 1) {
    rows.emplace_back("subnets move while others stall",
                      verdict.subnets_move()
                          ? "yes, as vNetBlocking says"
                          : fmt::format("NO, packets of {} flows may not", grouped(verdict.stalled_flows)));
  }
  rows.emplace_back("hops, most", std::to_string(verdict.max_hops));
  rows.emplace_back("widest choice", fmt::format("{} virtual channel{}", verdict.most_choices,
                                                 verdict.most_choices == 1 ? "" : "s"));
  rows.emplace_back("virtual channels in use",
                    fmt::format("{} of {}", grouped(verdict.channels_used), grouped(design.channel_count())));
  rows.emplace_back("dependencies", grouped(verdict.dependencies));
  rows.emplace_back("checked in", duration(seconds));
  return fmt::format("{}, {}: {} routers, {} channels between routers\n\n", path, name, grouped(parts.nodes),
                     grouped(parts.links)) +
         key_values(rows) + witness_text(design, verdict);
}

}  // namespace

CLI::Option* add_configuration_option(CLI::App& app, std::string& name) {
  return app
      .add_option(
          "--config", name,
          "Instead of tables, with a Scala file of configurations of Constellation as FABRIC: the class "
          "whose network and routing relation are proven")
      ->type_name("NAME");
}

bool is_configuration_file(const std::string& path) {
  return looks_like_noc_configurations(head_of_file(path));
}

Answer verify_configuration(const std::string& path, const Scope& scope, const std::string& name,
                            const Common& common) {
  if (!scope.whole() || scope.rail != 0) {
    throw InputError(
        "verify: a configuration is proven whole: --config goes without --nodes, --fail and --rail");
  }
  ReadLimits limits;
  limits.most = limits.most_streamed = kMostBytes;
  const std::string text = read_file(path, limits);
  if (name.empty()) {
    const std::vector<std::string> names = noc_configurations(text, path);
    std::string some;
    for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), 8); ++i)
      some += (i == 0 ? "" : ", ") + names[i];
    throw InputError(fmt::format("{}: expected --config NAME, one of its {} configurations: {}{}", path,
                                 names.size(), some, names.size() > 8 ? ", ..." : ""));
  }
  const Stopwatch time;
  const std::unique_ptr<NocDesign> design = read_noc_configuration(text, path, name);
  stop_if_interrupted();
  ProgressBar bar(common);
  const ChannelVerdict verdict = in_file(path, [&] { return verify_relation(*design, bar); });
  const double seconds = time.seconds();
  const int code = verdict.usable() ? kYes : kNo;
  if (common.json) return {code, document_of(path, name, *design, verdict, seconds), {}};
  return {code, {}, text_of(path, name, *design, verdict, seconds)};
}

}  // namespace unknot::cli
