// SPDX-License-Identifier: Apache-2.0
#include "unknot/place/placed_load.hpp"

#include <algorithm>

#include "unknot/load/flow_load.hpp"
#include "unknot/tables/further_addresses.hpp"

namespace unknot::place {

PlacedLoad::PlacedLoad(const Network& network, const Routing& routing, const Places& places,
                       const LinkWidths& widths, const CommunicationMatrix& sent,
                       const CommunicationMatrix& received)
    : network_(network),
      tables_(tables_to_addresses(routing)),
      places_(places),
      sent_(sent),
      received_(received),
      load_(std::size_t{network.channel_count()} + 2 * std::size_t{network.terminal_count()}, 0),
      stamp_(load_.size(), 0) {
  const auto addresses = static_cast<double>(tables_.size());
  per_byte_.reserve(load_.size());
  for (const ChannelId c : network.channels()) per_byte_.push_back(1 / (addresses * widths.of(c)));
  for (int direction = 0; direction < 2; ++direction) {
    for (const TerminalId t : network.terminals()) per_byte_.push_back(1 / (addresses * widths.of(t)));
  }
  cables_differ_ = std::any_of(widths.terminal.begin(), widths.terminal.end(),
                               [&](double width) { return width != widths.terminal.front(); });
  reset(in_order(sent.ranks));
}

void PlacedLoad::reset(const Placement& placement) {
  place_of_ = placement;
  rank_at_.assign(places_.count(), kNobody);
  for (std::uint32_t rank = 0; rank < place_of_.size(); ++rank) rank_at_[place_of_[rank]] = rank;
  std::fill(load_.begin(), load_.end(), 0);
  ++now_;
  touched_.clear();
  for (std::uint32_t rank = 0; rank < sent_.ranks; ++rank) {
    for (std::uint64_t i = sent_.first[rank]; i < sent_.first[rank + 1]; ++i)
      lay(rank, sent_.entries[i].column, static_cast<std::int64_t>(sent_.entries[i].bytes));
  }
}

void PlacedLoad::add(std::uint32_t channel, std::int64_t bytes) {
  if (stamp_[channel] != now_) {
    stamp_[channel] = now_;
    touched_.push_back({channel, load_[channel]});
  }
  load_[channel] += bytes;
}

void PlacedLoad::lay(std::uint32_t from, std::uint32_t to, std::int64_t bytes) {
  const TerminalId source = places_.terminal_of(place_of_[from]);
  const TerminalId destination = places_.terminal_of(place_of_[to]);
  if (source == destination) return;
  ++walked_;
  path_.clear();
  for (const Routing* const tables : tables_) append_path(network_, *tables, source, destination, path_);
  for (const ChannelId c : path_) add(c.value, bytes);
  const std::int64_t all = bytes * static_cast<std::int64_t>(tables_.size());
  add(network_.channel_count() + source.value, all);
  add(network_.channel_count() + network_.terminal_count() + destination.value, all);
}

void PlacedLoad::lay_rank(std::uint32_t rank, std::uint32_t but, int sign) {
  for (std::uint64_t i = sent_.first[rank]; i < sent_.first[rank + 1]; ++i) {
    if (sent_.entries[i].column != but)
      lay(rank, sent_.entries[i].column, sign * static_cast<std::int64_t>(sent_.entries[i].bytes));
  }
  for (std::uint64_t i = received_.first[rank]; i < received_.first[rank + 1]; ++i) {
    if (received_.entries[i].column != but)
      lay(received_.entries[i].column, rank, sign * static_cast<std::int64_t>(received_.entries[i].bytes));
  }
}

void PlacedLoad::swap_places(std::uint32_t a, std::uint32_t b) {
  std::swap(rank_at_[a], rank_at_[b]);
  if (rank_at_[a] != kNobody) place_of_[rank_at_[a]] = a;
  if (rank_at_[b] != kNobody) place_of_[rank_at_[b]] = b;
}

void PlacedLoad::set_scale(const Cost& cost) {
  const double channel = cables_differ_ ? cost.busiest : cost.busiest_channel;
  channel_scale_ = channel > 0 ? 1 / channel : 1;
  cable_scale_ = cost.busiest > 0 ? 1 / cost.busiest : 1;
}

double PlacedLoad::potential(std::uint32_t channel, std::int64_t load) const {
  const double u = static_cast<double>(load) * per_byte_[channel] *
                   (channel < network_.channel_count() ? channel_scale_ : cable_scale_);
  const double square = u * u;
  const double fourth = square * square;
  const double eighth = fourth * fourth;
  return eighth * eighth + square * (1.0 / 64);
}

double PlacedLoad::exchange(std::uint32_t place_a, std::uint32_t place_b) {
  last_a_ = place_a;
  last_b_ = place_b;
  touched_.clear();
  ++now_;
  const std::uint32_t a = rank_at_[place_a];
  const std::uint32_t b = rank_at_[place_b];
  const bool same_host = places_.host_of(place_a) == places_.host_of(place_b);
  const auto lay_both = [&](int sign) {
    if (same_host) return;
    // what the two send each other is laid once, with the first
    if (a != kNobody) lay_rank(a, kNobody, sign);
    if (b != kNobody) lay_rank(b, a, sign);
  };
  lay_both(-1);
  swap_places(place_a, place_b);
  lay_both(+1);
  double change = 0;
  for (const Touched& t : touched_)
    change += potential(t.channel, load_[t.channel]) - potential(t.channel, t.before);
  return change;
}

void PlacedLoad::undo() {
  for (const Touched& t : touched_) load_[t.channel] = t.before;
  swap_places(last_a_, last_b_);
}

Cost PlacedLoad::cost() const {
  Cost cost;
  for (std::size_t c = 0; c < load_.size(); ++c) {
    const double load = static_cast<double>(load_[c]) * per_byte_[c];
    cost.busiest = std::max(cost.busiest, load);
    if (c < network_.channel_count()) cost.busiest_channel = std::max(cost.busiest_channel, load);
    cost.squares += load * load;
  }
  return cost;
}

}  // namespace unknot::place
