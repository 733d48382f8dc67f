// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/nested/nested_flows.hpp"

#include <algorithm>
#include <utility>

namespace unknot {
namespace {

constexpr std::uint32_t kNever = 0xFFFFFFFFU;
constexpr std::uint32_t kAnywhere = 4;  // one change in this many looks at all nodes
constexpr std::uint32_t kNear = 2;      // hops from a node that was left out

}  // namespace

NestedFlows::NestedFlows(const Problem& problem, std::uint32_t steps, std::uint64_t seed)
    : problem_(problem),
      graph_(*problem.graph),
      steps_(steps),
      random_(seed),
      flow_(problem),
      centres_(problem),
      informed_(graph_.node_count(), kNever) {
  if (TerminalCentres::takes(problem)) at_terminals_.emplace(problem);
}

void NestedFlows::begin_step(const InformPlan& plan, std::uint32_t step) {
  flow_.clear();
  flow_.add_sender(problem_.owner.front());
  for (std::uint32_t k = 0; k < step; ++k) {
    for (const NodeId n : plan.step[k]) flow_.add_sender(n);
  }
}

/// Who has the message after the steps before `from`, and who does not.
void NestedFlows::prepare(InformPlan& plan, std::uint32_t from) {
  ++evaluations_;
  plan.step.resize(steps_);
  for (const NodeId n : problem_.partner) informed_[n.value] = kNever;
  for (std::uint32_t k = 0; k < from; ++k) {
    for (const NodeId n : plan.step[k]) informed_[n.value] = k;
  }
  others_.clear();
  for (const NodeId n : problem_.partner) {
    if (informed_[n.value] == kNever) others_.push_back(n);
  }
  random_.shuffle(others_);
  work_ += 4 * others_.size();
}

/// Informs as many as can be: first those of the plan, then others.
void NestedFlows::run_step(InformPlan& plan, std::uint32_t step) {
  if (others_.empty()) {
    plan.step[step].clear();
    return;
  }
  begin_step(plan, step);
  wanted_.swap(plan.step[step]);
  plan.step[step].clear();
  for (const std::vector<NodeId>* list : {&wanted_, &others_}) {
    for (const NodeId n : *list) {
      if (flow_.spare() == 0) break;
      if (informed_[n.value] != kNever || !flow_.inform(n)) continue;
      informed_[n.value] = step;
      plan.step[step].push_back(n);
    }
  }
  std::erase_if(others_, [&](NodeId n) { return informed_[n.value] != kNever; });
}

void NestedFlows::complete(InformPlan& plan, std::uint32_t from) {
  prepare(plan, from);
  for (std::uint32_t k = from; k < steps_; ++k) run_step(plan, k);
  plan.left = others_;
}

InformPlan NestedFlows::start(Start how) {
  InformPlan plan;
  prepare(plan, 0);
  senders_.assign(1, problem_.owner.front());
  for (std::uint32_t k = 0; k < steps_; ++k) {
    if (how != Start::random && k + 1 < steps_ && !others_.empty()) {
      const auto centres = at_terminals_ ? at_terminals_->choose(senders_, random_)
                                         : centres_.choose(senders_, how == Start::spread_by_cells, random_);
      plan.step[k].assign(centres.begin(), centres.end());
    }
    run_step(plan, k);
    senders_.insert(senders_.end(), plan.step[k].begin(), plan.step[k].end());
  }
  plan.left = others_;
  return plan;
}

/// A receiver that might help: one that was left out, or near one that was, or any.
NodeId NestedFlows::candidate(const InformPlan& plan) {
  if (random_.below(kAnywhere) == 0) return problem_.partner[random_.below(problem_.messages())];
  NodeId n = plan.left[random_.below(plan.missing())];
  for (std::uint32_t hops = random_.below(kNear + 1); hops > 0; --hops) {
    const auto in = graph_.in(n);
    if (in.empty()) break;
    n = graph_.tail(in[random_.below(static_cast<std::uint32_t>(in.size()))]);
  }
  return n;
}

bool NestedFlows::change(InformPlan& plan, std::uint32_t accept) {
  if (steps_ < 2 || plan.left.empty()) return false;
  // later steps more often: there are more choices in them
  std::uint32_t step = steps_ - 2;
  while (step > 0 && random_.below(3) == 0) --step;
  const NodeId wanted = candidate(plan);
  if (problem_.message_of(0, wanted) == Problem::kNone) return false;
  for (std::uint32_t k = 0; k <= step; ++k) {
    if (std::find(plan.step[k].begin(), plan.step[k].end(), wanted) != plan.step[k].end()) return false;
  }
  tried_ = plan;
  // The last in the order for which there is no room beside the new one gives way to it.
  auto& order = tried_.step[step];
  random_.shuffle(order);
  order.insert(order.begin(), wanted);
  complete(tried_, step);
  if (tried_.missing() > accept) return false;
  std::swap(plan, tried_);
  return true;
}

void NestedFlows::flow_of(const InformPlan& plan, std::uint32_t step, std::vector<std::uint32_t>& flow) {
  begin_step(plan, step);
  for (const NodeId n : plan.step[step]) (void)flow_.inform(n);
  flow.resize(graph_.arc_count());
  for (const ArcId a : graph_.arcs()) flow[a.value] = flow_.flow(a);
}

}  // namespace unknot
