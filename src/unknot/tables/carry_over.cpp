// SPDX-License-Identifier: Apache-2.0
#include "unknot/tables/carry_over.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "unknot/support/parallel.hpp"
#include "unknot/tables/plugged_entries.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kGone = NetworkChange::kGone;
constexpr std::uint32_t kRowsAtOnce = 64;  // most of the time goes into pages touched for the first time

/// Terminals that follow each other in both networks.
struct Stretch {
  std::uint32_t old_first, new_first, count;
};

std::vector<Stretch> stretches(const NetworkChange& change) {
  std::vector<Stretch> found;
  for (std::uint32_t t = 0; t < change.terminal_to_old.size(); ++t) {
    const std::uint32_t old = change.terminal_to_old[t];
    if (old == kGone) continue;
    if (!found.empty() && found.back().old_first + found.back().count == old &&
        found.back().new_first + found.back().count == t) {
      ++found.back().count;
    } else {
      found.push_back({old, t, 1});
    }
  }
  return found;
}

/// New position of each old one at a router; kNone for channels that are gone.
std::vector<std::uint32_t> new_positions(const Network& before, const Network& after,
                                         const NetworkChange& change, RouterId old_router,
                                         RouterId new_router) {
  std::vector<std::uint32_t> positions;
  for (const ChannelId c : before.out(old_router)) {
    const std::uint32_t now = change.channel_to_new[c.value];
    positions.push_back(now == kGone ? ForwardingTable::kNone : now - after.out(new_router).first());
  }
  return positions;
}

bool in_place(const std::vector<std::uint32_t>& positions) {
  for (std::uint32_t p = 0; p < positions.size(); ++p) {
    if (positions[p] != p) return false;
  }
  return true;
}

template <class Entry>
void translate(std::span<Entry> row, const std::vector<std::uint32_t>& positions) {
  std::vector<Entry> meaning(std::size_t{1} << (8 * sizeof(Entry)));
  // Numbers beyond the old channels meant nothing; they must not come to name a new one.
  std::fill(meaning.begin(), meaning.end(), ForwardingTable::none<Entry>);
  meaning[ForwardingTable::here<Entry>] = ForwardingTable::here<Entry>;
  meaning[ForwardingTable::stray<Entry>] = ForwardingTable::stray<Entry>;
  for (std::size_t p = 0; p < positions.size(); ++p) meaning[p] = static_cast<Entry>(positions[p]);
  for (Entry& entry : row) entry = meaning[entry];
}

/// Same number of bytes an entry in both tables, as nearly always.
template <class Entry>
void carry_rows(const Network& before, const ForwardingTable& from, const Network& after,
                const NetworkChange& change, ForwardingTable& to) {
  const std::vector<Stretch> runs = stretches(change);
  const std::size_t old_columns = before.terminal_count();
  const std::size_t new_columns = after.terminal_count();
  const std::span<const Entry> old_entries = from.entries<Entry>();
  const std::span<Entry> new_entries = to.entries<Entry>();
  parallel_blocks(
      after.router_count(), kRowsAtOnce, 0, [&](std::uint32_t, std::uint32_t begin, std::uint32_t end) {
        for (RouterId r(begin); r.value < end; ++r.value) {
          const std::uint32_t old = change.router_to_old[r.value];
          if (old == kGone) continue;
          const std::span<Entry> row = new_entries.subspan(r.value * new_columns, new_columns);
          for (const Stretch& run : runs) {
            std::memcpy(row.data() + run.new_first, old_entries.data() + old * old_columns + run.old_first,
                        run.count * sizeof(Entry));
          }
          const std::vector<std::uint32_t> positions = new_positions(before, after, change, RouterId(old), r);
          if (!in_place(positions)) translate(row, positions);
        }
      });
}

/// A router has come or gone that alone made entries two bytes wide.
void carry_entries(const Network& before, const ForwardingTable& from, const Network& after,
                   const NetworkChange& change, ForwardingTable& to) {
  for (const RouterId r : after.routers()) {
    const std::uint32_t old = change.router_to_old[r.value];
    if (old == kGone) continue;
    const std::vector<std::uint32_t> positions = new_positions(before, after, change, RouterId(old), r);
    for (const TerminalId t : after.terminals()) {
      if (change.terminal_to_old[t.value] == kGone) continue;
      const std::uint32_t entry = from.get(RouterId(old), TerminalId(change.terminal_to_old[t.value]));
      to.set(r, t, entry < positions.size() ? positions[entry] : entry);
    }
  }
}

ForwardingTable carry_table(const Network& before, const ForwardingTable& from, const Network& after,
                            const NetworkChange& change) {
  // Where nothing has come, every entry is carried.
  const auto all_known = [](const std::vector<std::uint32_t>& to_old) {
    return std::find(to_old.begin(), to_old.end(), kGone) == to_old.end();
  };
  const bool whole = all_known(change.router_to_old) && all_known(change.terminal_to_old);
  ForwardingTable to = whole ? ForwardingTable::unfilled(after) : ForwardingTable(after);
  if (from.width() != to.width()) {
    carry_entries(before, from, after, change, to);
  } else {
    to.with_entry_type([&]<class Entry>(Entry) { carry_rows<Entry>(before, from, after, change, to); });
  }
  return to;
}

/// Ports of stray entries. Where one leads on now, the entry does not lead where it led.
void carry_stray_ports(const ForwardingTable& from, const Network& after, const NetworkChange& change,
                       ForwardingTable& to) {
  from.for_each_stray_port([&](RouterId old_router, TerminalId old_terminal, std::uint16_t port) {
    const std::uint32_t router = change.router_to_new[old_router.value];
    const std::uint32_t terminal = change.terminal_to_new[old_terminal.value];
    if (router == kGone || terminal == kGone) return;
    const RouterId r(router);
    const TerminalId t(terminal);
    if (after.channel_at(r, port).valid() || after.terminal_at(r, port) == t) {
      to.set(r, t, ForwardingTable::kNone);
    } else {
      to.set_stray(r, t, port);
    }
  });
}

/// No levels yet, in rows as the old ones; terminals that have come have one of their own.
ServiceLevels rows_as(const ServiceLevels& from, const Network& after, const NetworkChange& change) {
  if (from.rows() != ServiceLevels::Rows::grouped) return {after, from.rows()};
  std::vector<bool> begins(after.terminal_count(), true);
  for (std::uint32_t t = 1; t < after.terminal_count(); ++t) {
    const std::uint32_t old = change.terminal_to_old[t];
    const std::uint32_t old_last = change.terminal_to_old[t - 1];
    begins[t] = old == kGone || old_last == kGone ||
                from.row_of(TerminalId(old)) != from.row_of(TerminalId(old_last));
  }
  return {after, begins, 0};
}

ServiceLevels carry_levels(const ServiceLevels& from, const Network& after, const NetworkChange& change) {
  ServiceLevels to = rows_as(from, after, change);
  const std::vector<Stretch> runs = stretches(change);
  std::vector<bool> done(to.row_count(), false);
  for (const TerminalId source : after.terminals()) {
    const std::uint32_t old = change.terminal_to_old[source.value];
    if (old == kGone || done[to.row_of(source)]) continue;
    done[to.row_of(source)] = true;
    const auto row = to.row(to.row_of(source));
    const auto old_row = from.row(from.row_of(TerminalId(old)));
    for (const Stretch& run : runs)
      std::memcpy(row.data() + run.new_first, old_row.data() + run.old_first, run.count);
  }
  return to;
}

/// The rows of ports that both have; nothing is told of new routers and ports (see LaneMap).
LaneMap carry_lanes(const Network& before, const LaneMap& from, const Network& after,
                    const NetworkChange& change) {
  LaneMap to(after, std::uint8_t{LaneMap::kLevels});
  for (const RouterId r : after.routers()) {
    const std::uint32_t old = change.router_to_old[r.value];
    if (old == kGone) continue;
    const std::uint16_t ports = std::min(before.port_count(RouterId(old)), after.port_count(r));
    for (std::uint32_t in = 0; in <= ports; ++in) {
      for (std::uint32_t out = 0; out <= ports; ++out) {
        const auto in_port = static_cast<std::uint16_t>(in);
        const auto out_port = static_cast<std::uint16_t>(out);
        to.set(r, in_port, out_port, from.get(RouterId(old), in_port, out_port));
      }
    }
  }
  for (const TerminalId t : after.terminals()) {
    const std::uint32_t old = change.terminal_to_old[t.value];
    const LaneMap::Row* row = old == kGone ? nullptr : from.source(TerminalId(old));
    if (row != nullptr) to.set_source(after, t, *row);
  }
  // An adapter keeps its own rows wherever it is, and whatever its LID.
  for (const NetworkChange::Move& move : change.moved_terminals) {
    const LaneMap::Row* row = from.source(move.before);
    if (row != nullptr) to.set_source(after, move.after, *row);
  }
  return to;
}

/// Hosts that have moved, or have another LID, send with the levels they had, whatever the others at their
/// router do.
void carry_moved_sources(const Network& before, const Routing& old, const Network& after,
                         const NetworkChange& change, Routing& now) {
  if (change.moved_terminals.empty() || old.service_levels.empty()) return;
  ServiceLevels levels(after, ServiceLevels::Rows::by_terminal);
  for (const TerminalId source : after.terminals()) {
    const std::span<const std::uint8_t> row = now.service_levels.row(now.service_levels.row_of(source));
    std::copy(row.begin(), row.end(), levels.row(levels.row_of(source)).begin());
  }
  const std::vector<std::uint32_t> holders = holders_before(before, after, change);
  for (const NetworkChange::Move& move : change.moved_terminals) {
    const std::span<std::uint8_t> row = levels.row(levels.row_of(move.after));
    for (const TerminalId d : after.terminals()) {
      const std::uint32_t was = holders[d.value];
      row[d.value] = was == kGone ? std::uint8_t{0} : old.service_levels.get(move.before, TerminalId(was));
    }
  }
  now.service_levels = levels.compacted(after);
}

}  // namespace

Routing kept_entries(const Network& before, const Routing& routing, const Network& after,
                     const NetworkChange& change) {
  require_tables(routing, "carrying tables over to a changed network");
  require_fit(before, routing);
  Routing carried;
  carried.engine = routing.engine;
  carried.virtual_lanes = routing.virtual_lanes;
  carried.lanes_needed = routing.lanes_needed;
  carried.data_lanes = routing.data_lanes;
  carried.flow_control = routing.flow_control;
  carried.paths = carry_table(before, routing.table(), after, change);
  carry_stray_ports(routing.table(), after, change, carried.table());
  if (!routing.service_levels.empty()) {
    carried.service_levels = carry_levels(routing.service_levels, after, change);
  }
  if (routing.lane_map != nullptr) {
    carried.lane_map = std::make_shared<const LaneMap>(carry_lanes(before, *routing.lane_map, after, change));
  }
  for (const Routing& further : routing.further)
    carried.further.push_back(kept_entries(before, further, after, change));
  return carried;
}

Routing carry_over(const Network& before, const Routing& routing, const Network& after,
                   const NetworkChange& change) {
  Routing carried = kept_entries(before, routing, after, change);
  const auto plug_in = [&](const Routing& old, Routing& now) {
    const PluggedDifferences plugged = plugged_differences(before, old, after, change, now);
    for (const PluggedEntry& one : plugged.entries) {
      if (one.entry == ForwardingTable::kStray) {
        now.table().set_stray(one.router, one.destination, one.stray_port);
      } else {
        now.table().set(one.router, one.destination, one.entry);
      }
    }
    for (const PluggedLevel& one : plugged.levels)
      now.service_levels.row(one.row)[one.destination.value] = one.level;
    carry_moved_sources(before, old, after, change, now);
  };
  plug_in(routing, carried);
  for (std::size_t i = 0; i < carried.further.size(); ++i) plug_in(routing.further[i], carried.further[i]);
  return carried;
}

}  // namespace unknot
