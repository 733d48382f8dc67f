// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
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
    straight_ = !some_circle();
  }

  [[nodiscard]] bool protects(std::string* why) {
    const Fabric& fabric = forwarding_.fabric();
    std::set<State> seen;
    std::vector<State> stack;
    for (std::uint32_t s = 0; s < fabric.switches.size(); ++s) {
      if (fabric.switches[s].source) stack.push_back({s, destination_, kNone, 1, {{s, destination_}}});
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
          stack.push_back({to.first, to.second, next, new_tag, *longer});
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

  /// Whether packets to the destination can come to a place again: not where taking away, again and again,
  /// places that none comes to takes all.
  [[nodiscard]] bool some_circle() const {
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
    std::vector<Place> free;
    for (const Place& place : places) {
      if (coming[place] == 0) free.push_back(place);
    }
    for (std::size_t i = 0; i < free.size(); ++i) {
      for_each_next(Place(free[i]), [&](const Place& to) {
        if (--coming[to] == 0) free.push_back(to);
      });
    }
    return free.size() < places.size();
  }

  /// The trail after one more hop; nothing where it leads back to the trail. Out of a circle none comes back.
  std::optional<Trail> goes_on(const Trail& trail, const Place& from, const Place& to) {
    if (straight_) return Trail();
    if (behind(to).count(from) == 0) return Trail{to};
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
  bool straight_ = false;  // no packet comes to a place again: trails are of no use
  std::map<Place, std::set<Place>> behind_;
};

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
