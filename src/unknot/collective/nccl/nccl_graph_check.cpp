// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "unknot/collective/nccl/nccl_graph.hpp"

namespace unknot::nccl {
namespace {

constexpr double kRounding = 1e-5;  // files have six decimals
constexpr double kMegabitsOfSpeed = 8000;

class GraphCheck {
 public:
  GraphCheck(const BoxPlan& box, const Graph& graph) : box_(box), links_(links_of(box)), graph_(graph) {}

  GraphVerdict run() {
    for (const GraphChannel& channel : graph_.channels) {
      check_members(channel);
      if (!verdict_.fault.empty()) return verdict_;
      if (graph_.id == GraphId::ring) lay_ring(channel);
      if (graph_.id == GraphId::tree) lay_tree(channel);
      if (!verdict_.fault.empty()) return verdict_;
    }
    for (const auto& [name, use] : uses_) {
      const double share = use.speed * kMegabitsOfSpeed / use.megabits;
      if (share > verdict_.busiest) {
        verdict_.busiest = share;
        verdict_.busiest_name = name;
      }
    }
    if (verdict_.busiest > 1 + kRounding) {
      const Use& use = uses_.at(verdict_.busiest_name);
      fail(graph_.line, fmt::format("{} would carry {:.6g} GB/s of its {:.6g}", verdict_.busiest_name,
                                    use.speed, use.megabits / kMegabitsOfSpeed));
    }
    return verdict_;
  }

 private:
  struct Use {
    double speed = 0, megabits = 0;
  };

  void fail(std::uint32_t line, std::string why) {
    if (!verdict_.fault.empty()) return;
    verdict_.line = line;
    verdict_.fault = std::move(why);
  }

  void check_members(const GraphChannel& channel) {
    // those of NVLink's own reductions name one GPU
    if (graph_.id == GraphId::nvls) return;
    std::vector<bool> seen(links_.gpus, false);
    for (const GraphGpu& gpu : channel.gpus) {
      if (gpu.dev >= links_.gpus) {
        return fail(channel.line,
                    fmt::format("GPU {:#x} of a channel: the box has {}", gpu.dev, links_.gpus));
      }
      if (seen[gpu.dev]) return fail(channel.line, fmt::format("GPU {} comes twice in a channel", gpu.dev));
      seen[gpu.dev] = true;
    }
    if (const auto gap = std::find(seen.begin(), seen.end(), false); gap != seen.end()) {
      return fail(channel.line,
                  fmt::format("GPU {} is not in a channel, which has to go through all", gap - seen.begin()));
    }
    if (channel.nets.size() == 1) return fail(channel.line, "one <net> of a channel: it has two, or none");
    for (const std::uint64_t net : channel.nets) {
      if (net >= links_.cards.size()) {
        return fail(channel.line,
                    fmt::format("card {:#x} of a channel: the box has {}", net, links_.cards.size()));
      }
    }
    if (channel.nets.size() == 2 && channel.nets[0] != channel.nets[1] && !graph_.cross_nic)
      return fail(channel.line, "a channel that leaves by another card than it came by, where crossnic is 0");
  }

  void use(const std::string& name, double speed, std::uint64_t megabits) {
    Use& here = uses_[name];
    here.speed += speed;
    here.megabits = static_cast<double>(megabits);
  }

  void hop(const GraphChannel& channel, std::uint64_t from, std::uint64_t to, double speed) {
    const auto a = static_cast<std::uint32_t>(from);
    const auto b = static_cast<std::uint32_t>(to);
    if (const std::uint64_t megabits = links_.link(a, b); megabits > 0)
      return use(fmt::format("the link from {} to {}", box_.gpus[a], box_.gpus[b]), speed, megabits);
    if (!links_.joined(a, b)) {
      return fail(channel.line,
                  fmt::format("no NVLink from {} to {}: the channel would go over PCI, which is not judged",
                              box_.gpus[a], box_.gpus[b]));
    }
    use(fmt::format("what {} sends to the switch", box_.gpus[a]), speed, links_.to_switch[a]);
    use(fmt::format("what {} gets from the switch", box_.gpus[b]), speed, links_.from_switch[b]);
  }

  void card(std::uint64_t net, bool out, double speed) {
    use(fmt::format("card {}, {}", net, out ? "out" : "in"), speed, links_.cards[net].megabits);
  }
  [[nodiscard]] bool near(std::uint64_t net, std::uint64_t gpu) const {
    const std::vector<std::uint32_t>& all = links_.cards[net].gpus;
    return std::find(all.begin(), all.end(), gpu) != all.end();
  }
  /// From a GPU to a card, or back: by a GPU that is near it.
  void way(const GraphChannel& channel, std::uint64_t net, std::uint64_t gpu, bool out, double speed) {
    card(net, out, speed);
    if (near(net, gpu)) return;
    if (links_.cards[net].gpus.empty())
      return fail(channel.line, fmt::format("card {} has no GPU near it", net));
    // NCCL lets a GPU of its choice do it: of those near the card, the one of this channel's other end
    const std::uint64_t end = (out ? channel.gpus.front() : channel.gpus.back()).dev;
    const std::uint64_t by = near(net, end) ? end : links_.cards[net].gpus[0];
    if (out) hop(channel, gpu, by, speed);
    if (!out) hop(channel, by, gpu, speed);
  }

  void lay_ring(const GraphChannel& channel) {
    for (std::size_t i = 0; i + 1 < channel.gpus.size(); ++i)
      hop(channel, channel.gpus[i].dev, channel.gpus[i + 1].dev, graph_.speed_intra);
    if (channel.nets.empty()) {
      hop(channel, channel.gpus.back().dev, channel.gpus.front().dev, graph_.speed_intra);
      return;
    }
    way(channel, channel.nets[0], channel.gpus.front().dev, false, graph_.speed_inter);
    way(channel, channel.nets[1], channel.gpus.back().dev, true, graph_.speed_inter);
  }

  void lay_tree(const GraphChannel& channel) {
    for (std::size_t i = 0; i + 1 < channel.gpus.size(); ++i) {
      hop(channel, channel.gpus[i].dev, channel.gpus[i + 1].dev, graph_.speed_intra / 2);
      hop(channel, channel.gpus[i + 1].dev, channel.gpus[i].dev, graph_.speed_intra / 2);
    }
    if (channel.nets.empty()) return;
    // to the parent and from it, to children and from them
    way(channel, channel.nets[0], channel.gpus.front().dev, false, graph_.speed_inter);
    way(channel, channel.nets[1], channel.gpus.front().dev, true, graph_.speed_inter);
  }

  const BoxPlan& box_;
  BoxLinks links_;
  const Graph& graph_;
  GraphVerdict verdict_;
  std::map<std::string, Use> uses_;
};

}  // namespace

GraphVerdict check_graphs(const BoxPlan& box, const std::vector<Graph>& graphs) {
  GraphVerdict result;
  for (const Graph& graph : graphs) {
    GraphVerdict one = GraphCheck(box, graph).run();
    if (!one.fault.empty()) return one;
    if (one.busiest > result.busiest) result = std::move(one);
  }
  return result;
}

}  // namespace unknot::nccl
