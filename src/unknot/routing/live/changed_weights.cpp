// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/live/changed_weights.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace unknot {
namespace {

using Word = LegalReach::Word;

/// Sets of groups, one for each router.
struct GroupSets {
  GroupSets(std::uint32_t routers, std::uint32_t groups)
      : words((groups + 63) / 64), at(std::size_t{routers} * words, 0) {}
  Word* of(std::uint32_t router) { return at.data() + router * words; }
  std::size_t words;
  std::vector<Word> at;
};

}  // namespace

bool same_groups(const LiveNetwork& network, const LegalReach& reach, const LeafGroups& a,
                 const LeafGroups& b) {
  const auto all = reach.destinations();
  return a.count == b.count && std::all_of(all.begin(), all.end(), [&](RouterId r) {
           return !network.alive(r) || a.of_router[r.value] == b.of_router[r.value];
         });
}

void add_changed_weights(const LiveNetwork& network, const ClosPlan& before, const ClosPlan& after,
                         DirtyUnits& units) {
  const std::uint32_t groups = after.groups.count;
  GroupSets paths(network.router_count(), groups);  // towards which the sum has changed
  GroupSets above(network.router_count(), groups);  // that the router stands above, in either plan
  for (std::uint32_t r = 0; r < network.router_count(); ++r) {
    const float* old = before.weights.paths(r);
    const float* now = after.weights.paths(r);
    for (std::uint32_t g = 0; g < groups; ++g) {
      const bool was_above = before.weights.above(r, g);
      const bool is_above = after.weights.above(r, g);
      const bool changed = old[g] != now[g] || was_above != is_above;
      paths.of(r)[g / 64] |= Word{changed ? 1U : 0U} << g % 64;
      above.of(r)[g / 64] |= Word{was_above || is_above ? 1U : 0U} << g % 64;
    }
  }
  std::vector<Word> dirty(paths.words);
  for (const RouterId r : network.routers()) {
    if (before.groups.sibling[r.value] != after.groups.sibling[r.value] ||
        before.groups.level[r.value] != after.groups.level[r.value]) {
      units.add(r);
      continue;
    }
    std::fill(dirty.begin(), dirty.end(), 0);
    for (const ChannelId c : network.out(r)) {
      const std::uint32_t to = network.target(c).value;
      const bool all = before.weights.factor(c.value) != after.weights.factor(c.value);
      const bool up = after.weights.up(c.value);
      for (std::size_t i = 0; i < dirty.size(); ++i)
        dirty[i] |= (all ? ~Word{0} : paths.of(to)[i]) & (up ? ~Word{0} : above.of(to)[i]);
    }
    if (groups % 64 != 0) dirty.back() &= (Word{1} << groups % 64) - 1;
    units.add_weighed(r, dirty);
  }
}

}  // namespace unknot
