// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/live/live_forest.hpp"

#include <algorithm>
#include <limits>

namespace unknot {
namespace {

constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();
// What becomes of packets at a router, in recount().
constexpr std::uint8_t kUnknown = 0, kOnPath = 1, kArrives = 2, kLost = 3, kLoops = 4;

}  // namespace

template <class Entry>
LiveForest<Entry>::LiveForest(const LiveNetwork& network, const ForwardingTable& table)
    : network_(&network.network()),
      terminals_(network_->terminal_count()),
      stride_((terminals_ / 64 + 1) * 64 + 96),
      dependencies_(*network_),
      cells_(std::size_t{network_->router_count()} * stride_),
      usable_(network_->channel_count()),
      touched_(terminals_, 0),
      fate_(network_->router_count()) {
  for (const RouterId r : network_->routers()) out_first_.push_back(network_->out(r).first());
  out_first_.push_back(network_->channel_count());
  hops_.reserve(network_->channel_count());
  for (const ChannelId c : network_->channels()) {
    const std::uint32_t target = network_->target(c).value;
    hops_.push_back({target, out_first_[target]});
  }
  feeders_.reserve(network_->channel_count());
  for (const RouterId r : network_->routers()) {
    feeder_first_.push_back(static_cast<std::uint32_t>(feeders_.size()));
    for (const ChannelId c : network_->in(r)) {
      const std::uint32_t from = network_->source(c).value;
      feeders_.push_back({c.value, from, c.value - out_first_[from]});
    }
  }
  feeder_first_.push_back(static_cast<std::uint32_t>(feeders_.size()));
  home_.reserve(terminals_);
  for (const TerminalId t : network_->terminals()) home_.push_back(network_->router_of(t).value);
  fill(network, [&](std::uint32_t router, std::uint32_t terminal) {
    return static_cast<Entry>(table.get(RouterId(router), TerminalId(terminal)));
  });
}

template <class Entry>
void LiveForest<Entry>::fill(const LiveNetwork& network) {
  fill(network, [&](std::uint32_t router, std::uint32_t terminal) { return cell(router, terminal).entry; });
}

/// Block by block of destinations: what is looked at of all rows then lies in a cache.
template <class Entry>
template <class EntryOf>
void LiveForest<Entry>::fill(const LiveNetwork& network, const EntryOf& entry_of) {
  constexpr std::uint32_t kBlock = 256;
  for (const ChannelId c : network_->channels()) usable_[c.value] = network.alive(c) ? 1 : 0;
  entries_into_.assign(network_->channel_count(), 0);
  sources_.clear();
  for (const RouterId r : network_->routers()) sources_.push_back(network.terminals_at(r).size());
  senders_from_.assign(terminals_, kNobody);
  lost_ends_.assign(terminals_, 0);
  lost_.assign(terminals_, 0);
  loops_.assign(terminals_, 0);
  unroutable_ = looping_ = 0;
  dependencies_.clear();
  for (std::uint32_t begin = 0; begin < terminals_; begin += kBlock) {
    const std::uint32_t end = std::min(begin + kBlock, terminals_);
    for (std::uint32_t r = 0; r < network_->router_count(); ++r) {
      const std::uint32_t degree = out_first_[r + 1] - out_first_[r];
      for (std::uint32_t t = begin; t < end; ++t) {
        const Entry entry = entry_of(r, t);
        cell(r, t) = {entry, 0};
        if (entry < degree) ++entries_into_[out_first_[r] + entry];
      }
    }
    count_block(network, begin, end);
  }
  for (std::uint32_t t = 0; t < terminals_; ++t) touch(t);
  conclude();
}

/// First who sends, then, row by row, what that makes of dependencies: those of a router lie together.
template <class Entry>
void LiveForest<Entry>::count_block(const LiveNetwork& network, std::uint32_t begin, std::uint32_t end) {
  for (std::uint32_t t = begin; t < end; ++t) {
    if (network.alive(RouterId(home_[t]))) senders_from_[t] = 0;
  }
  const std::uint32_t routers = network_->router_count();
  for (std::uint32_t r = 0; r < routers; ++r) {
    if (sources_[r] == 0) continue;
    for (std::uint32_t t = begin; t < end; ++t) {
      if (own(r, t) > 0) count_senders(r, t);
    }
  }
  for (std::uint32_t r = 0; r < routers; ++r) {
    for (std::uint32_t t = begin; t < end; ++t) {
      if (!busy(r, t)) continue;
      const Entry entry = cell(r, t).entry;
      const std::uint32_t c = edge(r, entry);
      if (c == kNowhere) {
        ends(r, t, entry, 1);
        continue;
      }
      const Hop hop = hops_[c];
      const std::uint32_t after = edge(hop.target, cell(hop.target, t).entry);
      if (after != kNowhere) dependencies_.add(c, after - hop.target_first);
    }
  }
}

/// From a router with terminals on to the next one that others send to, or that has terminals itself.
template <class Entry>
void LiveForest<Entry>::count_senders(std::uint32_t router, std::uint32_t terminal) {
  for (;;) {
    const std::uint32_t c = edge(router, cell(router, terminal).entry);
    if (c == kNowhere) return;
    router = hops_[c].target;
    if (cell(router, terminal).senders++ > 0 || own(router, terminal) > 0) return;
  }
}

/// Calls visit(channel) for those that busy routers send to this one by.
template <class Entry>
template <class Visit>
void LiveForest<Entry>::for_each_sender(std::uint32_t router, std::uint32_t terminal,
                                        const Visit& visit) const {
  std::uint32_t left = cell(router, terminal).senders;
  if (left == 0) return;
  const Feeder* const end = feeders_.data() + feeder_first_[router + 1];
  for (const Feeder* one = feeders_.data() + feeder_first_[router]; one != end; ++one) {
    if (cell(one->from, terminal).entry != one->position) continue;
    if (usable_[one->channel] == 0 || !busy(one->from, terminal)) continue;
    visit(one->channel);
    if (--left == 0) return;
  }
}

template <class Entry>
void LiveForest<Entry>::becomes_busy(std::uint32_t router, std::uint32_t terminal) {
  for (;;) {
    const Entry entry = cell(router, terminal).entry;
    const std::uint32_t c = edge(router, entry);
    if (c == kNowhere) {
      ends(router, terminal, entry, 1);
      return;
    }
    const Hop hop = hops_[c];
    Cell& next = cell(hop.target, terminal);
    if (const std::uint32_t after = edge(hop.target, next.entry); after != kNowhere)
      dependencies_.add(c, after - hop.target_first);
    const bool was = next.senders > 0 || own(hop.target, terminal) > 0;
    ++next.senders;
    if (was) return;
    router = hop.target;
  }
}

template <class Entry>
void LiveForest<Entry>::becomes_idle(std::uint32_t router, std::uint32_t terminal, Entry entry) {
  const std::uint32_t c = edge(router, entry);
  if (c == kNowhere) {
    ends(router, terminal, entry, kNobody);  // one less
  } else {
    sends_less(c, terminal);
  }
}

/// A router has sent by this channel, and does so no more.
template <class Entry>
void LiveForest<Entry>::sends_less(std::uint32_t channel, std::uint32_t terminal) {
  for (;;) {
    const Hop hop = hops_[channel];
    Cell& next = cell(hop.target, terminal);
    const std::uint32_t after = edge(hop.target, next.entry);
    if (after != kNowhere) dependencies_.remove(channel, after - hop.target_first);
    if (--next.senders > 0 || own(hop.target, terminal) > 0) return;
    if (after == kNowhere) {
      ends(hop.target, terminal, next.entry, kNobody);
      return;
    }
    channel = after;
  }
}

template <class Entry>
Entry LiveForest<Entry>::lift(std::uint32_t router, std::uint32_t terminal) {
  touch(terminal);
  Cell& here = cell(router, terminal);
  const Entry entry = here.entry;
  if (entry < out_first_[router + 1] - out_first_[router]) --entries_into_[out_first_[router] + entry];
  const std::uint32_t c = edge(router, entry);
  const bool sends = busy(router, terminal);
  if (c != kNowhere)
    for_each_sender(router, terminal, [&](std::uint32_t before) { dependencies_.remove(before, entry); });
  // From here on packets end at this router, whatever comes back to it.
  here.entry = ForwardingTable::none<Entry>;
  if (!sends) return entry;
  ends(router, terminal, here.entry, 1);
  becomes_idle(router, terminal, entry);
  return entry;
}

template <class Entry>
void LiveForest<Entry>::put(std::uint32_t router, std::uint32_t terminal, Entry entry) {
  Cell& here = cell(router, terminal);
  if (here.entry != ForwardingTable::none<Entry>) lift(router, terminal);
  touch(terminal);
  if (busy(router, terminal)) ends(router, terminal, here.entry, kNobody);
  if (entry < out_first_[router + 1] - out_first_[router]) ++entries_into_[out_first_[router] + entry];
  if (edge(router, entry) != kNowhere)
    for_each_sender(router, terminal, [&](std::uint32_t before) { dependencies_.add(before, entry); });
  const bool sends = busy(router, terminal);
  here.entry = entry;
  if (sends) becomes_busy(router, terminal);
}

template <class Entry>
void LiveForest<Entry>::retire(RouterId router) {
  const std::uint32_t r = router.value;
  if (sources_[r] == 0) return;
  const std::uint32_t count = sources_[r];
  for (std::uint32_t t = 0; t < terminals_; ++t) {
    const std::uint32_t before = own(r, t);
    if (before == 0) continue;
    touch(t);
    sources_[r] = 0;
    if (cell(r, t).senders == 0) becomes_idle(r, t, cell(r, t).entry);
    sources_[r] = count;
  }
  sources_[r] = 0;
  for (const TerminalId terminal : network_->terminals_at(router)) {
    const std::uint32_t t = terminal.value;
    touch(t);
    for (std::uint32_t from = 0; from < network_->router_count(); ++from) {
      const bool sent = own(from, t) > 0;
      senders_from_[t] = from + 1;
      if (sent && cell(from, t).senders == 0) becomes_idle(from, t, cell(from, t).entry);
    }
    senders_from_[t] = kNobody;
  }
}

template <class Entry>
void LiveForest<Entry>::enlist(RouterId router) {
  const std::uint32_t r = router.value;
  const std::uint32_t count = network_->terminals_at(router).size();
  if (count == 0) return;
  for (std::uint32_t t = 0; t < terminals_; ++t) {
    sources_[r] = count;
    const bool sends = own(r, t) > 0;
    sources_[r] = 0;
    if (!sends) continue;
    touch(t);
    const bool idle = cell(r, t).senders == 0;
    sources_[r] = count;
    if (idle) becomes_busy(r, t);
    sources_[r] = 0;
  }
  sources_[r] = count;
  for (const TerminalId terminal : network_->terminals_at(router)) {
    const std::uint32_t t = terminal.value;
    touch(t);
    for (std::uint32_t from = network_->router_count(); from-- > 0;) {
      senders_from_[t] = from;
      if (own(from, t) > 0 && cell(from, t).senders == 0) becomes_busy(from, t);
    }
  }
}

template <class Entry>
void LiveForest<Entry>::conclude() {
  dependencies_.settle();
  const bool cycles = !dependencies_.acyclic();
  for (const std::uint32_t t : touched_list_) {
    touched_[t] = 0;
    unroutable_ -= lost_[t];
    looping_ -= loops_[t];
    // Without a cycle of dependencies no packet goes round: all arrive where none ends elsewhere.
    lost_[t] = loops_[t] = 0;
    if (cycles || lost_ends_[t] > 0) recount(t);
    if (cycles) stop_unfed_loops(t);
    unroutable_ += lost_[t];
    looping_ += loops_[t];
  }
  touched_list_.clear();
  if (cycles) dependencies_.settle();
}

/// The sources that do not reach the terminal, by following all.
template <class Entry>
void LiveForest<Entry>::recount(std::uint32_t terminal) {
  std::fill(fate_.begin(), fate_.end(), kUnknown);
  for (std::uint32_t r = 0; r < network_->router_count(); ++r) {
    const std::uint32_t pairs = own(r, terminal);
    if (pairs == 0) continue;
    path_.clear();
    std::uint32_t at = r;
    while (fate_[at] == kUnknown) {
      fate_[at] = kOnPath;
      path_.push_back(at);
      const Entry entry = cell(at, terminal).entry;
      const std::uint32_t c = edge(at, entry);
      if (c == kNowhere) {
        fate_[at] = arrives(at, terminal, entry) ? kArrives : kLost;
      } else {
        at = hops_[c].target;
      }
    }
    const std::uint8_t fate = fate_[at] == kOnPath ? kLoops : fate_[at];
    for (const std::uint32_t passed : path_) fate_[passed] = fate;
    if (fate != kArrives) lost_[terminal] += pairs;
    if (fate == kLoops) loops_[terminal] += pairs;
  }
}

/// Loops that keep themselves busy alone, where recount() has just come to no router, are so no more.
template <class Entry>
void LiveForest<Entry>::stop_unfed_loops(std::uint32_t terminal) {
  path_.clear();
  for (std::uint32_t r = 0; r < network_->router_count(); ++r) {
    const Cell& here = cell(r, terminal);
    if (here.senders == 0 || fate_[r] != kUnknown) continue;
    const Hop hop = hops_[edge(r, here.entry)];
    dependencies_.remove(edge(r, here.entry),
                         edge(hop.target, cell(hop.target, terminal).entry) - hop.target_first);
    path_.push_back(r);
  }
  for (const std::uint32_t r : path_) cell(r, terminal).senders = 0;
}

template class LiveForest<std::uint8_t>;
template class LiveForest<std::uint16_t>;

}  // namespace unknot
