// SPDX-License-Identifier: Apache-2.0
#include "unknot/tables/plugged_entries.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace unknot {
namespace {

constexpr std::uint32_t kNobody = NetworkChange::kGone;

class PortReader {
 public:
  PortReader(const Network& before, const Routing& old, const Network& after, const NetworkChange& change,
             const Routing& kept)
      : before_(before),
        old_(old),
        after_(after),
        change_(change),
        kept_(kept),
        holders_(holders_before(before, after, change)) {}

  PluggedDifferences differences() {
    PluggedDifferences found;
    std::vector<bool> whole_row(after_.router_count(), false);
    for (const RouterId r : after_.routers()) whole_row[r.value] = something_else_plugged(r);
    old_.table().for_each_stray_port([&](RouterId old, TerminalId, std::uint16_t) {
      const std::uint32_t now = change_.router_to_new[old.value];
      if (now != kNobody) whole_row[now] = true;
    });
    std::vector<RouterId> whole_rows;
    for (const RouterId r : after_.routers()) {
      if (whole_row[r.value]) whole_rows.push_back(r);
    }
    for (const TerminalId t : after_.terminals()) {
      if (!same_holder(t)) continue;
      for (const RouterId r : whole_rows) compare(r, t, found);
    }
    for (const TerminalId t : after_.terminals()) {
      if (same_holder(t)) continue;
      for (const RouterId r : after_.routers()) compare(r, t, found);
      levels(t, found);
    }
    std::stable_sort(found.entries.begin(), found.entries.end(), [](const auto& a, const auto& b) {
      return std::tuple(a.destination, a.router) < std::tuple(b.destination, b.router);
    });
    return found;
  }

 private:
  /// The terminal had its LID in the old network already.
  [[nodiscard]] bool same_holder(TerminalId t) const {
    return holders_[t.value] != kNobody && holders_[t.value] == change_.terminal_to_old[t.value];
  }

  [[nodiscard]] bool free(RouterId r, std::uint16_t port) const {
    return !after_.channel_at(r, port).valid() && !after_.terminal_at(r, port).valid();
  }

  bool something_else_plugged(RouterId r) const {
    if (change_.router_to_old[r.value] == kNobody) return false;
    const RouterId old(change_.router_to_old[r.value]);
    for (const ChannelId c : before_.out(old)) {
      if (change_.channel_to_new[c.value] == kNobody && !free(r, before_.source_port(c))) return true;
    }
    for (const TerminalId t : before_.terminals_at(old)) {
      const std::uint32_t now = change_.terminal_to_new[t.value];
      if (now == kNobody ? !free(r, before_.terminal_port(t))
                         : after_.router_of(TerminalId(now)) != r ||
                               after_.terminal_port(TerminalId(now)) != before_.terminal_port(t)) {
        return true;
      }
    }
    return false;
  }

  [[nodiscard]] PluggedEntry entry(RouterId r, TerminalId t) const {
    const PluggedEntry none{r, t, ForwardingTable::kNone, 0};
    const std::uint32_t router = change_.router_to_old[r.value];
    const std::uint32_t holder = holders_[t.value];
    if (router == kNobody || holder == kNobody) return none;
    const RouterId old(router);
    const std::uint32_t was = old_.table().get(old, TerminalId(holder));
    const IdRange<ChannelId> out = before_.out(old);
    std::uint16_t port = 0;
    if (was == ForwardingTable::kStray) {
      port = old_.table().stray_port(old, TerminalId(holder));
      const bool empty = port == 0 || free(r, port);
      if (empty) return {r, t, was, port};
    } else if (was == ForwardingTable::kHere) {
      if (before_.router_of(TerminalId(holder)) != old) return none;
      port = before_.terminal_port(TerminalId(holder));
    } else {
      if (was >= out.size()) return none;
      port = before_.source_port(out[was]);
    }
    const ChannelId now = after_.channel_at(r, port);
    if (now.valid()) return {r, t, now.value - after_.out(r).first(), 0};
    const TerminalId terminal = after_.terminal_at(r, port);
    if (!terminal.valid()) return none;
    if (terminal == t) return {r, t, ForwardingTable::kHere, 0};
    return {r, t, ForwardingTable::kStray, port};
  }

  void compare(RouterId r, TerminalId t, PluggedDifferences& found) const {
    const PluggedEntry does = entry(r, t);
    if (does.entry != kept_.table().get(r, t) || does.stray_port != kept_.table().stray_port(r, t))
      found.entries.push_back(does);
  }

  void levels(TerminalId t, PluggedDifferences& found) const {
    if (old_.service_levels.empty()) return;
    const std::uint32_t holder = holders_[t.value];
    std::vector<bool> done(kept_.service_levels.row_count(), false);
    for (const TerminalId source : after_.terminals()) {
      const std::uint32_t row = kept_.service_levels.row_of(source);
      const std::uint32_t was = holder_of_source(source);
      if (was == kNobody || done[row]) continue;
      done[row] = true;
      // Nobody has told a level to a LID that is new, whosever it is.
      const std::uint8_t level =
          holder == kNobody ? std::uint8_t{0} : old_.service_levels.get(TerminalId(was), TerminalId(holder));
      if (level != kept_.service_levels.row(row)[t.value]) found.levels.push_back({row, t, level});
    }
  }
  /// A source is a host, whatever its LID.
  [[nodiscard]] std::uint32_t holder_of_source(TerminalId source) const {
    return change_.terminal_to_old[source.value];
  }

  const Network& before_;
  const Routing& old_;
  const Network& after_;
  const NetworkChange& change_;
  const Routing& kept_;
  std::vector<std::uint32_t> holders_;
};

}  // namespace

std::vector<std::uint32_t> holders_before(const Network& before, const Network& after,
                                          const NetworkChange& change) {
  std::vector<std::uint32_t> holders = change.terminal_to_old;
  for (const NetworkChange::Move& move : change.moved_terminals)
    holders[move.after.value] = move.before.value;
  const std::vector<std::uint32_t>& old_lids = before.labels().terminal_lid;
  const std::vector<std::uint32_t>& new_lids = after.labels().terminal_lid;
  if (old_lids.empty() || new_lids.empty()) return holders;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> by_lid;
  for (std::uint32_t t = 0; t < old_lids.size(); ++t) {
    if (old_lids[t] != 0) by_lid.emplace_back(old_lids[t], t);
  }
  std::sort(by_lid.begin(), by_lid.end());
  for (std::uint32_t t = 0; t < new_lids.size(); ++t) {
    const std::uint32_t same = holders[t];
    if (new_lids[t] == 0 || (same != kNobody && (old_lids[same] == 0 || old_lids[same] == new_lids[t])))
      continue;  // unknown on one side: the same terminal
    const auto at = std::lower_bound(by_lid.begin(), by_lid.end(), std::pair(new_lids[t], std::uint32_t{0}));
    holders[t] = at == by_lid.end() || at->first != new_lids[t] ? kNobody : at->second;
  }
  return holders;
}

PluggedDifferences plugged_differences(const Network& before, const Routing& old, const Network& after,
                                       const NetworkChange& change, const Routing& kept) {
  return PortReader(before, old, after, change, kept).differences();
}

}  // namespace unknot
