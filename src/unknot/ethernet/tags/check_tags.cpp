// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>

#include "unknot/ethernet/pauses/pause_verdict.hpp"
#include "unknot/ethernet/tags/tags.hpp"

namespace unknot::ethernet {
namespace {

/// By channel: what packets that came by it do by the next.
using PairRules = std::vector<std::unordered_map<std::uint32_t, TagRule>>;

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

/// Follows the packets of one destination that have kept their protection so far, hop by hop with their
/// tags, and looks at each hop without a rule: behind it may be no delivery but for packets that come back to
/// where they have been.
class TagWalk {
 public:
  TagWalk(const Forwarding& forwarding, const PairRules& rules, std::uint32_t queues,
          std::uint32_t destination, DeadChannels dead)
      : forwarding_(forwarding), rules_(rules), queues_(queues), destination_(destination), dead_(dead) {
    find_core();
  }

  /// Whether packets to the destination never come to a place again.
  [[nodiscard]] bool straight() const { return core_.empty(); }

  [[nodiscard]] bool protects(std::string* why) {
    const Fabric& fabric = forwarding_.fabric();
    std::set<State> seen;
    std::vector<State> stack;
    for (std::uint32_t s = 0; s < fabric.switches.size(); ++s) {
      if (fabric.switches[s].source) stack.emplace_back(s, destination_, kNone, 1, Trail{{s, destination_}});
    }
    while (!stack.empty()) {
      const State now = stack.back();
      stack.pop_back();
      if (!seen.insert(now).second) continue;
      const auto& [at, flow, channel, tag, trail] = now;
      const Forwarding::Step step = forwarding_.step(at, flow, dead_);
      for (const std::uint32_t next : step.channels()) {
        const Place to{fabric.channels[next].to, step.flow};
        if (is_down(next)) continue;
        const std::optional<Trail> longer = goes_on(trail, {at, flow}, to);
        if (!longer) continue;
        const std::uint32_t new_tag = tag_after(channel, next, tag);
        if (new_tag > 0) {
          stack.emplace_back(to.first, to.second, next, new_tag, *longer);
        } else if (delivers(to, *longer)) {
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
  using Place = std::pair<std::uint32_t, std::uint32_t>;  // a switch, and a flow there
  using Trail = std::vector<Place>;                       // since the circle that a packet is in was entered
  using State = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, Trail>;

  /// Places that all circles are among; none where no packet comes to a place again.
  void find_core() {
    const Fabric& fabric = forwarding_.fabric();
    std::map<Place, std::uint32_t> coming;
    std::vector<Place> places;
    for (std::uint32_t s = 0; s < fabric.switches.size(); ++s) {
      if (fabric.switches[s].source && coming.emplace(Place{s, destination_}, 0).second)
        places.emplace_back(s, destination_);
    }
    const auto for_each_next = [&](const Place& place, const auto& visit) {
      const Forwarding::Step step = forwarding_.step(place.first, place.second, dead_);
      for (const std::uint32_t next : step.channels()) {
        if (!is_down(next)) visit(Place{fabric.channels[next].to, step.flow});
      }
    };
    for (std::size_t i = 0; i < places.size(); ++i) {
      for_each_next(Place(places[i]), [&](const Place& to) {
        const auto [found, added] = coming.try_emplace(to, 0);
        ++found->second;
        if (added) places.push_back(to);
      });
    }
    // The core: without what none of it comes to, and without what leads to none of it.
    std::vector<Place> free;
    for (const Place& place : places) {
      if (coming[place] == 0) free.push_back(place);
    }
    std::set<Place> outside(free.begin(), free.end());
    for (std::size_t i = 0; i < free.size(); ++i) {
      for_each_next(Place(free[i]), [&](const Place& to) {
        if (--coming[to] > 0) return;
        free.push_back(to);
        outside.insert(to);
      });
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (const Place& place : places) {
        if (outside.count(place) > 0) continue;
        bool leads_on = false;
        for_each_next(place, [&](const Place& to) { leads_on = leads_on || outside.count(to) == 0; });
        if (leads_on) continue;
        outside.insert(place);
        changed = true;
      }
    }
    for (const Place& place : places) {
      if (outside.count(place) == 0) core_.insert(place);
    }
  }

  /// The trail after one more hop; nothing where it leads back to the trail. Out of a circle none comes back.
  std::optional<Trail> goes_on(const Trail& trail, const Place& from, const Place& to) {
    if (core_.empty()) return Trail();
    if (core_.count(from) == 0 || core_.count(to) == 0 || behind(to).count(from) == 0) return Trail{to};
    if (std::find(trail.begin(), trail.end(), to) != trail.end()) return std::nullopt;
    Trail longer = trail;
    longer.push_back(to);
    return longer;
  }

  [[nodiscard]] std::uint32_t tag_after(std::uint32_t channel, std::uint32_t next, std::uint32_t tag) const {
    if (channel == kNone) return tag;
    const auto rule = rules_[channel].find(next);
    if (rule == rules_[channel].end()) return 0;
    if (rule->second == TagRule::keep) return tag;
    return tag < queues_ ? tag + 1 : 0;
  }

  [[nodiscard]] bool is_down(std::uint32_t channel) const {
    return std::find(dead_.begin(), dead_.end(), channel) != dead_.end();
  }

  /// All of the core that packets get to from a place of it without leaving it, itself included.
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
        if (!is_down(next) && core_.count(to) > 0 && reached.insert(to).second) stack.push_back(to);
      }
    }
    return behind_[place] = std::move(reached);
  }

  /// Whether some packet gets out from a place with that trail behind it.
  bool delivers(const Place& place, const Trail& trail) {
    std::set<std::pair<Place, Trail>> seen;
    std::vector<std::pair<Place, Trail>> stack{{place, trail}};
    while (!stack.empty()) {
      const auto [at, behind_it] = stack.back();
      stack.pop_back();
      const Forwarding::Step step = forwarding_.step(at.first, at.second, dead_);
      if (step.delivered()) return true;
      for (const std::uint32_t next : step.channels()) {
        const Place to{forwarding_.fabric().channels[next].to, step.flow};
        if (is_down(next)) continue;
        std::optional<Trail> longer = goes_on(behind_it, at, to);
        if (longer && seen.emplace(to, *longer).second) stack.emplace_back(to, std::move(*longer));
      }
    }
    return false;
  }

  const Forwarding& forwarding_;
  const PairRules& rules_;
  std::uint32_t queues_;
  std::uint32_t destination_;
  DeadChannels dead_;
  std::set<Place> core_;
  std::map<Place, std::set<Place>> behind_;
};

/// Whether a switch at an end of the link has no next hop left for some packets to the destination.
bool loses_all_hops(const Forwarding& forwarding, std::uint32_t destination, DeadChannels dead) {
  for (const std::uint32_t channel : dead) {
    const std::uint32_t at = forwarding.fabric().channels[channel].from;
    for (const std::uint32_t flow : forwarding.family(destination)) {
      const Forwarding::Step step = forwarding.step(at, flow);
      const auto channels = step.channels();
      const bool all = std::all_of(channels.begin(), channels.end(), [&](std::uint32_t c) {
        return std::find(dead.begin(), dead.end(), c) != dead.end();
      });
      if (!channels.empty() && all) return true;
    }
  }
  return false;
}

}  // namespace

bool check_tags(const Forwarding& forwarding, const Tags& tags, const std::vector<std::uint32_t>& links,
                std::string* why) {
  if (!kept_tags_are_acyclic(forwarding.fabric(), tags)) {
    if (why != nullptr) *why = "ports that keep the tag form a cycle";
    return false;
  }
  if (!tags.all_expected) return true;
  PairRules rules(forwarding.fabric().channels.size());
  for (const PortPairRule& rule : tags.rules) rules[rule.channel][rule.next] = rule.rule;
  std::vector<bool> straight(forwarding.destination_count());
  for (std::uint32_t d = 0; d < forwarding.destination_count(); ++d) {
    TagWalk walk(forwarding, rules, tags.queues, d, {});
    if (!walk.protects(why)) return false;
    straight[d] = walk.straight();
  }
  for (const std::uint32_t link : links) {
    const std::array dead{link, forwarding.fabric().channels[link].reverse};
    for (std::uint32_t d = 0; d < forwarding.destination_count(); ++d) {
      // Fewer of the same ways, where they go in no circle, are kept from loss as all of them are.
      if (straight[d] && !loses_all_hops(forwarding, d, dead)) continue;
      if (!TagWalk(forwarding, rules, tags.queues, d, dead).protects(why)) return false;
    }
  }
  return true;
}

}  // namespace unknot::ethernet
