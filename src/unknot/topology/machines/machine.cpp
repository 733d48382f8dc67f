// SPDX-License-Identifier: Apache-2.0
#include "unknot/topology/machines/machine.hpp"

#include <fmt/format.h>

#include <utility>

#include "unknot/network/builder.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/saturating.hpp"

namespace unknot {
namespace {

struct MachineTotals {
  std::uint64_t boxes = 0, gpus = 0, others = 0, links = 0, cards = 0;
};

MachineTotals totals_of(const MachinePlan& plan) {
  MachineTotals all;
  const auto add = [](std::uint64_t& sum, std::uint64_t count, std::uint64_t each) {
    sum = saturating_add(sum, saturating_multiply(count, each));
  };
  for (const MachinePlan::Kind& kind : plan.kinds) {
    add(all.boxes, kind.count, 1);
    add(all.gpus, kind.count, kind.box.gpus.size());
    add(all.others, kind.count, kind.box.others.size());
    add(all.links, kind.count, kind.box.links.size());
    add(all.cards, kind.count, kind.box.cards.size());
  }
  return all;
}

void refuse_size(std::uint64_t count, std::uint64_t most, const char* things) {
  if (count > most)
    throw InputError(fmt::format("the machine has {} {}; at most {} are supported", count, things, most));
}

class MachineMaker {
 public:
  MachineMaker(const MachinePlan& plan, const TerminalPlacement& terminals)
      : plan_(plan),
        terminals_(terminals),
        named_(!plan.kinds.empty() && !plan.kinds.front().name.empty()),
        totals_(totals_of(plan)),
        size_(machine_size(plan)) {}

  Network run() {
    refuse_size(size_.routers, kMaxRouters, "parts");
    refuse_size(size_.cables, kMaxCables, "cables");
    refuse_size(size_.terminals, kMaxTerminals, "GPUs");
    builder_.reserve(size_.routers, size_.cables, size_.terminals);
    builder_.add_routers(static_cast<std::uint32_t>(size_.routers));
    if (named_) builder_.labels().router_name.resize(size_.routers);
    std::uint64_t box = 0;
    for (const MachinePlan::Kind& kind : plan_.kinds) {
      for (std::uint64_t i = 0; i < kind.count; ++i) add_box(kind, i, box++);
    }
    add_spines();
    return std::move(builder_).build();
  }

 private:
  [[nodiscard]] std::uint32_t first_leaf() const {
    return static_cast<std::uint32_t>(totals_.gpus + totals_.others);
  }
  [[nodiscard]] RouterId leaf(std::uint32_t rail, std::uint64_t box) const {
    const auto which = static_cast<std::uint32_t>(box * plan_.leaves / totals_.boxes);
    return RouterId(first_leaf() + rail * plan_.leaves + which);
  }
  void name(RouterId r, const std::string& text) {
    if (named_) builder_.labels().router_name[r.value] = text;
  }

  void add_box(const MachinePlan::Kind& kind, std::uint64_t number, std::uint64_t box) {
    const BoxPlan& plan = kind.box;
    const auto gpus = static_cast<std::uint32_t>(plan.gpus.size());
    const auto part = [&](std::uint32_t index) {
      return RouterId(index < gpus ? next_gpu_ + index
                                   : static_cast<std::uint32_t>(totals_.gpus) + next_other_ + (index - gpus));
    };
    for (std::uint32_t i = 0; named_ && i < plan.others.size(); ++i)
      name(part(gpus + i), fmt::format("{}{}-{}", kind.name, number, plan.others[i]));
    for (const BoxPlan::Link& link : plan.links) {
      if (link.one_way) {
        builder_.add_channel(part(link.a), part(link.b));
      } else {
        builder_.add_cable(part(link.a), part(link.b));
      }
      builder_.set_capacity(link.there, link.one_way ? 0 : link.back);
      builder_.set_latency(link.latency, link.one_way ? 0 : link.latency);
    }
    if (plan_.rails > 0) {
      for (const BoxPlan::Card& card : plan.cards) {
        builder_.add_cable(part(card.part), leaf(card.rail % plan_.rails, box));
        builder_.set_capacity(card.capacity, card.capacity);
        builder_.set_latency(plan_.card_latency, plan_.card_latency);
      }
    }
    for (std::uint32_t g = 0; g < gpus; ++g) {
      for (std::uint32_t left = terminals_.at(next_gpu_ + g, totals_.gpus); left > 0; --left)
        builder_.add_terminal(part(g));
      if (!named_) continue;
      const std::string gpu = fmt::format("{}{}-{}", kind.name, number, plan.gpus[g]);
      builder_.labels().terminal_name.push_back(gpu);
      name(part(g), gpu + "-crossbar");
    }
    next_gpu_ += gpus;
    next_other_ += static_cast<std::uint32_t>(plan.others.size());
  }

  void add_spines() {
    const std::uint32_t leaves = plan_.rails * plan_.leaves;
    for (std::uint32_t i = 0; i < leaves; ++i) {
      const RouterId from(first_leaf() + i);
      const std::uint32_t rail = i / plan_.leaves;
      name(from, plan_.leaves == 1 ? fmt::format("rail{}", rail)
                                   : fmt::format("rail{}-leaf{}", rail, i % plan_.leaves));
      for (std::uint32_t s = 0; s < plan_.spines; ++s) {
        builder_.add_cable(from, RouterId(first_leaf() + leaves + s));
        builder_.set_capacity(plan_.uplink, plan_.uplink);
        builder_.set_latency(plan_.uplink_latency, plan_.uplink_latency);
      }
    }
    for (std::uint32_t s = 0; s < plan_.spines; ++s)
      name(RouterId(first_leaf() + leaves + s), fmt::format("spine{}", s));
  }

  const MachinePlan& plan_;
  const TerminalPlacement& terminals_;
  bool named_;
  MachineTotals totals_;
  NetworkSize size_;
  std::uint32_t next_gpu_ = 0, next_other_ = 0;
  NetworkBuilder builder_;
};

}  // namespace

NetworkSize machine_size(const MachinePlan& plan) {
  const MachineTotals all = totals_of(plan);
  const std::uint64_t leaves = saturating_multiply(plan.rails, plan.leaves);
  NetworkSize size;
  size.routers = saturating_add(saturating_add(all.gpus, all.others), saturating_add(leaves, plan.spines));
  size.cables = saturating_add(all.links, saturating_multiply(leaves, plan.spines));
  if (plan.rails > 0) size.cables = saturating_add(size.cables, all.cards);
  size.terminals = all.gpus;
  return size;
}

Network machine_network(const MachinePlan& plan, const TerminalPlacement& terminals) {
  return MachineMaker(plan, terminals).run();
}

}  // namespace unknot
