// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/constellation/noc_design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "unknot/formats/constellation/noc_reader.hpp"

namespace unknot {
namespace {

constexpr std::int64_t kMostVirtualNetworks = 256;
constexpr std::size_t kMostVirtualChannels = 65'536;
constexpr std::uint64_t kMostStates = std::uint64_t{1} << 26;  // channels times classes of flows

class NocDesignMaker {
 public:
  NocDesignMaker(NocFile& file, const std::string& name)
      : file_(file), params_(file.params_of(name)), record_(file.record(params_, "NoCParams")) {
    static constexpr std::array<std::string_view, 12> kFields = {
        "topology",     "channelParamGen",      "ingresses", "egresses",
        "routerParams", "vNetBlocking",         "flows",     "routingRelation",
        "nocName",      "skipValidationChecks", "hasCtrl",   "inlineNoC"};
    if (record_.name != "NoCParams" || record_.arguments == nullptr)
      file.fail(params_.token, fmt::format("expected NoCParams(...), not {}", record_.name));
    for (const ScalaPart& one : *record_.arguments) {
      if (!one.name.empty() && std::find(kFields.begin(), kFields.end(), one.name) == kFields.end())
        file.fail(one.span.first, fmt::format("expected a field of NoCParams, not {}", one.name));
    }
  }

  NocDesign::Parts run() {
    const ScalaValue topology = needed("topology", 0);
    const NocRelation::Topology made = make_noc_topology(file_, topology);
    parts_.nodes = static_cast<std::uint32_t>(made->nodes);
    parts_.topology = topology.as<ScalaRecord>()->name;
    read_channels(*made);
    const ScalaValue relation = needed("routingRelation", 7);
    parts_.rule = make_noc_relation(file_, relation, made);
    parts_.relation = relation.as<ScalaRecord>()->name;
    const std::vector<int> ingresses = terminals("ingresses", 2, "UserIngressParams", "destId");
    const std::vector<int> egresses = terminals("egresses", 3, "UserEgressParams", "srcId");
    parts_.ingresses = static_cast<std::uint32_t>(ingresses.size());
    parts_.egresses = static_cast<std::uint32_t>(egresses.size());
    read_flows(ingresses, egresses);
    read_blocking();
    require_lanes(relation.token);
    return std::move(parts_);
  }

 private:
  ScalaValue needed(std::string_view name, std::size_t place) {
    return file_.needed(record_, name, place, params_.token);
  }

  /// A field of a record of this name, as a number.
  std::int64_t number(const ScalaValue& value, std::string_view wanted, std::string_view name,
                      std::size_t place, std::int64_t end) {
    const ScalaRecord& record = file_.record(value, "a record");
    if (record.name != wanted)
      file_.fail(value.token, fmt::format("expected {}, not {}", wanted, record.name));
    const std::int64_t number = file_.whole(file_.needed(record, name, place, value.token), "a number");
    if (number < 0 || number >= end)
      file_.fail(value.token, fmt::format("expected {} of {} below {}, not {}", name, wanted, end, number));
    return number;
  }

  std::size_t lanes(const std::optional<ScalaValue>& maker, int src, int dst) {
    if (!maker) return 1;
    const ScalaValue params = file_.apply(
        *maker, {{std::int64_t{src}, maker->token}, {std::int64_t{dst}, maker->token}}, maker->token);
    const ScalaRecord& record = file_.record(params, "UserChannelParams");
    if (record.name != "UserChannelParams")
      file_.fail(params.token, fmt::format("expected UserChannelParams, not {}", record.name));
    const auto list = file_.field(record, "virtualChannelParams", 0);
    if (!list) return 1;
    const std::size_t count = file_.list(*list, "a list of UserVirtualChannelParams").size();
    if (count == 0)
      file_.fail(params.token, fmt::format("expected at least one virtual channel from {} to {}", src, dst));
    return count;
  }

  void read_channels(const NocTopology& topology) {
    const auto maker = file_.field(record_, "channelParamGen", 1);
    for (int src = 0; src < topology.nodes; ++src) {
      for (int dst = 0; dst < topology.nodes; ++dst) {
        if (!topology.linked(src, dst)) continue;
        ++parts_.links;
        const std::size_t count = lanes(maker, src, dst);
        if (parts_.channels.size() + count > kMostVirtualChannels) {
          file_.fail(params_.token,
                     fmt::format("expected at most {} virtual channels", kMostVirtualChannels));
        }
        for (std::size_t lane = 0; lane < count; ++lane) {
          parts_.channels.push_back({static_cast<std::uint32_t>(src), static_cast<std::uint32_t>(dst),
                                     static_cast<std::uint32_t>(lane)});
          parts_.seen.push_back({src, dst, static_cast<int>(lane), static_cast<int>(count)});
        }
      }
    }
  }

  std::vector<int> terminals(std::string_view field, std::size_t place, std::string_view record,
                             std::string_view node) {
    std::vector<int> nodes;
    const ScalaValue list = needed(field, place);
    for (const ScalaValue& one : file_.list(list, "a list of terminals"))
      nodes.push_back(static_cast<int>(number(one, record, node, 0, parts_.nodes)));
    return nodes;
  }

  void read_flows(const std::vector<int>& ingresses, const std::vector<int>& egresses) {
    using Key = std::tuple<std::uint32_t, std::uint32_t, bool, std::int64_t>;
    std::map<Key, std::set<std::uint32_t>> classes;
    std::set<std::pair<std::int64_t, std::int64_t>> pairs;
    std::map<std::int64_t, std::int64_t> vnet_of_ingress;
    std::map<std::int64_t, std::int64_t> vnet_of_egress;
    const ScalaValue list = needed("flows", 6);
    for (const ScalaValue& one : file_.list(list, "a list of FlowParams")) {
      const std::int64_t in = number(one, "FlowParams", "ingressId", 0, parts_.ingresses);
      const std::int64_t out = number(one, "FlowParams", "egressId", 1, parts_.egresses);
      const std::int64_t vnet = number(one, "FlowParams", "vNetId", 2, kMostVirtualNetworks);
      const auto fifo = file_.field(*one.as<ScalaRecord>(), "fifo", 3);
      const bool ordered = fifo && file_.truth(*fifo, "fifo");
      if (!pairs.emplace(in, out).second)
        file_.fail(one.token, fmt::format("expected one flow from ingress {} to egress {}", in, out));
      if (vnet_of_ingress.emplace(in, vnet).first->second != vnet ||
          vnet_of_egress.emplace(out, vnet).first->second != vnet) {
        file_.fail(one.token,
                   fmt::format("expected one vNetId for all flows of ingress {} and of egress {}", in, out));
      }
      const auto source = static_cast<std::uint32_t>(ingresses[static_cast<std::size_t>(in)]);
      classes[{static_cast<std::uint32_t>(egresses[static_cast<std::size_t>(out)]),
               static_cast<std::uint32_t>(vnet), ordered, parts_.rule.by_ingress ? std::int64_t{source} : -1}]
          .insert(source);
      ++parts_.flows;
      subnets_ = std::max(subnets_, static_cast<std::size_t>(vnet) + 1);
    }
    if (parts_.flows == 0) file_.fail(list.token, "expected at least one flow");
    if (classes.size() * parts_.channels.size() > kMostStates)
      file_.fail(list.token, fmt::format("expected at most {} flows times virtual channels", kMostStates));
    for (const auto& [key, sources] : classes) {
      parts_.classes.push_back(
          {std::get<0>(key), std::get<1>(key), std::get<2>(key), {sources.begin(), sources.end()}});
    }
  }

  void read_blocking() {
    parts_.blocking.assign(subnets_, std::vector<bool>(subnets_, true));
    const auto blocks = file_.field(record_, "vNetBlocking", 5);
    if (!blocks) return;
    for (std::size_t v = 0; v < subnets_; ++v) {
      for (std::size_t w = 0; w < subnets_; ++w) {
        if (v == w) continue;
        parts_.blocking[v][w] = file_.truth(file_.apply(*blocks,
                                                        {{static_cast<std::int64_t>(v), blocks->token},
                                                         {static_cast<std::int64_t>(w), blocks->token}},
                                                        blocks->token),
                                            "vNetBlocking");
      }
    }
  }

  /// Where some part of the relation has no virtual channels, Constellation stops.
  void require_lanes(std::uint32_t relation) const {
    try {
      for (const NocChannel& channel : parts_.seen) {
        for (std::size_t v = 0; v < subnets_; ++v) (void)parts_.rule.is_escape(channel, static_cast<int>(v));
      }
    } catch (const InputError& error) {
      file_.fail(relation, error.what());
    }
  }

  NocFile& file_;
  const ScalaValue params_;
  const ScalaRecord& record_;
  NocDesign::Parts parts_;
  std::size_t subnets_ = 0;
};

NocFlow noc_flow(const ChannelRelation::Flow& flow) {
  // Where the rule looks at the ingress, there is one source.
  return {static_cast<int>(flow.sources.front()), static_cast<int>(flow.destination),
          static_cast<int>(flow.subnet)};
}

}  // namespace

NocDesign::NocDesign(Parts parts)
    : ChannelRelation(parts.nodes, parts.channels, parts.classes,
                      static_cast<std::uint32_t>(parts.blocking.size())),
      parts_(std::move(parts)) {}

bool NocDesign::allows(Channel from, Channel next, const Flow& flow) const {
  const NocChannel& to = parts_.seen[next];
  return parts_.rule.rel(from == kEntrance ? NocChannel{-1, to.src, 0, 1} : parts_.seen[from], to,
                         noc_flow(flow));
}

bool NocDesign::is_escape(Channel channel, std::uint32_t subnet) const {
  return parts_.rule.is_escape(parts_.seen[channel], static_cast<int>(subnet));
}

bool looks_like_noc_configurations(std::string_view head) {
  return head.find("class ") != std::string_view::npos && head.find(" extends ") != std::string_view::npos &&
         head.find("NoCParams") != std::string_view::npos;
}

std::vector<std::string> noc_configurations(std::string_view text, const std::string& file) {
  const ScalaTokens tokens(text, file);
  std::vector<std::string> names;
  for (const ScalaClass& one : ScalaClasses(tokens).classes)
    if (one.parameters == ScalaClass::kNone && !one.base.empty()) names.emplace_back(one.name);
  return names;
}

std::unique_ptr<NocDesign> read_noc_configuration(std::string_view text, const std::string& file,
                                                  const std::string& name) {
  NocFile scala(text, file);
  return std::make_unique<NocDesign>(NocDesignMaker(scala, name).run());
}

}  // namespace unknot
