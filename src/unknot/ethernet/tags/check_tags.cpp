// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include "unknot/ethernet/pauses/pause_verdict.hpp"
#include "unknot/ethernet/tags/tags.hpp"

namespace unknot::ethernet {
namespace {

using PairRules = std::map<std::pair<std::uint32_t, std::uint32_t>, TagRule>;

/// Takes away, again and again, ports that no kept tag leads to: all go where there is no cycle.
bool kept_tags_are_acyclic(const Fabric& fabric, const Tags& tags) {
  std::vector<std::vector<std::uint32_t>> next(fabric.channels.size());
  std::vector<std::uint32_t> coming(fabric.channels.size(), 0);
  for (const PortPairRule& rule : tags.rules) {
    if (rule.rule != TagRule::keep) continue;
    next[rule.channel].push_back(rule.next);
    ++coming[rule.next];
  }
  std::vector<std::uint32_t> free;
  for (std::uint32_t c = 0; c < coming.size(); ++c) {
    if (coming[c] == 0) free.push_back(c);
  }
  for (std::size_t i = 0; i < free.size(); ++i) {
    for (const std::uint32_t to : next[free[i]]) {
      if (--coming[to] == 0) free.push_back(to);
    }
  }
  return free.size() == fabric.channels.size();
}

/// Follows the packets of one destination that have lost their protection nowhere, hop by hop with their
/// tags, and looks at each hop without a rule: nothing behind it may be a delivery without a circle.
class TagWalk {
 public:
  TagWalk(const Forwarding& forwarding, const PairRules& rules, std::uint32_t queues, std::uint32_t destination,
          DeadChannels dead)
      : forwarding_(forwarding), rules_(rules), queues_(queues), destination_(destination), dead_(dead) {}

  [[nodiscard]] bool protects(std::string* why) {
    const Fabric& fabric = forwarding_.fabric();
    std::set<State> seen;
    std::vector<State> stack;
    for (std::uint32_t s = 0; s < fabric.switches.size(); ++s) {
      if (fabric.switches[s].source) stack.push_back({s, destination_, kNone, 1});
    }
    while (!stack.empty()) {
      const State now = stack.back();
      stack.pop_back();
      if (!seen.insert(now).second) continue;
      const auto [at, flow, channel, tag] = now;
      const Forwarding::Step step = forwarding_.step(at, flow, dead_);
      for (const std::uint32_t next : step.channels()) {
        if (is_down(next)) continue;
        const std::uint32_t to = fabric.channels[next].to;
        std::uint32_t new_tag = tag;
        if (channel != kNone) {
          const auto rule = rules_.find({channel, next});
          if (rule == rules_.end()) {
            new_tag = 0;
          } else if (rule->second == TagRule::raise) {
            new_tag = tag < queues_ ? tag + 1 : 0;
          }
        }
        if (new_tag > 0) {
          if (!goes_round({at, flow}, {to, step.flow})) stack.push_back({to, step.flow, next, new_tag});
        } else if (!goes_round({at, flow}, {to, step.flow}) && delivers({to, step.flow})) {
          if (why != nullptr) {
            *why = fmt::format("a packet to {} that came by {} with tag {} goes on by {} without protection",
                               text(forwarding_.destinations()[destination_].prefix),
                               channel_text(fabric, channel), tag, channel_text(fabric, next));
          }
          return false;
        }
      }
    }
    return true;
  }

 private:
  using State = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;
  using Place = std::pair<std::uint32_t, std::uint32_t>;  // a switch, and a flow there

  [[nodiscard]] bool is_down(std::uint32_t channel) const {
    return std::find(dead_.begin(), dead_.end(), channel) != dead_.end();
  }

  /// All that packets get to from a place, itself included.
  const std::set<Place>& behind(const Place& place) {
    const auto [found, added] = behind_.try_emplace(place);
    if (!added) return found->second;
    std::set<Place> reached{place};
    std::vector<Place> stack{place};
    while (!stack.empty()) {
      const auto [at, flow] = stack.back();
      stack.pop_back();
      const Forwarding::Step step = forwarding_.step(at, flow, dead_);
      for (const std::uint32_t next : step.channels()) {
        const Place to{forwarding_.fabric().channels[next].to, step.flow};
        if (!is_down(next) && reached.insert(to).second) stack.push_back(to);
      }
    }
    return behind_[place] = std::move(reached);
  }

  bool goes_round(const Place& from, const Place& to) { return behind(to).count(from) > 0; }

  /// Whether some packet gets out from a place without a hop of a circle.
  bool delivers(const Place& place) {
    const auto known = delivers_.find(place);
    if (known != delivers_.end()) return known->second;
    const Forwarding::Step step = forwarding_.step(place.first, place.second, dead_);
    bool out = step.delivered();
    for (const std::uint32_t next : step.channels()) {
      const Place to{forwarding_.fabric().channels[next].to, step.flow};
      out = out || (!is_down(next) && !goes_round(place, to) && delivers(to));
    }
    return delivers_[place] = out;
  }

  const Forwarding& forwarding_;
  const PairRules& rules_;
  std::uint32_t queues_;
  std::uint32_t destination_;
  DeadChannels dead_;
  std::map<Place, std::set<Place>> behind_;
  std::map<Place, bool> delivers_;
};

}  // namespace

bool check_tags(const Forwarding& forwarding, const Tags& tags, const std::vector<std::uint32_t>& links,
                std::string* why) {
  if (!kept_tags_are_acyclic(forwarding.fabric(), tags)) {
    if (why != nullptr) *why = "ports that keep the tag form a cycle";
    return false;
  }
  PairRules rules;
  for (const PortPairRule& rule : tags.rules) rules[{rule.channel, rule.next}] = rule.rule;
  for (std::size_t i = 0; i <= links.size(); ++i) {
    std::vector<std::uint32_t> dead;
    if (i > 0) dead = {links[i - 1], forwarding.fabric().channels[links[i - 1]].reverse};
    for (std::uint32_t d = 0; d < forwarding.destination_count(); ++d) {
      if (!TagWalk(forwarding, rules, tags.queues, d, dead).protects(why)) return false;
    }
  }
  return true;
}

}  // namespace unknot::ethernet
