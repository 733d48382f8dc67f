// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

#include "unknot/network/network.hpp"
#include "unknot/routing/trees/table_block.hpp"
#include "unknot/routing/up_down/up_down_order.hpp"
#include "unknot/routing/up_down/up_down_tree.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/forwarding_table.hpp"

namespace unknot {

/// Builds a tree for each of the destinations, one after the other, and fills the table with them. Besides
/// what UpDownTree asks of it, `choice` is told of each tree: begin(tree, terminal) before it is built,
/// end(tree, terminal) after. Returns the number of (source, destination) terminal pairs left without a path.
/// O(terminals * channels).
template <class Entry, class Choice>
std::uint64_t fill_up_down_table(const Network& network, const UpDownOrder& order,
                                 std::span<const TerminalId> destinations, Choice& choice,
                                 ForwardingTable& table, Progress& progress) {
  /// Writes down what the choice takes.
  struct Writer {
    const Network& network;
    Choice& choice;
    Entry* column;
    bool better(ChannelId a, ChannelId b) { return choice.better(a, b); }
    void take(RouterId router, ChannelId channel) {
      column[router.value] = static_cast<Entry>(channel.value - network.out(router).first());
      choice.take(router, channel);
    }
  };
  std::uint64_t missing = 0;
  UpDownTree tree(network, order);
  const auto count = static_cast<std::uint32_t>(destinations.size());
  TableBlock<Entry> block(network.router_count());
  progress.begin("trees", count);
  for (std::uint32_t begin = 0; begin < count; begin += TableBlock<Entry>::kColumns) {
    const std::uint32_t end = std::min(count, begin + TableBlock<Entry>::kColumns);
    block.clear(end - begin);
    for (std::uint32_t i = begin; i < end; ++i) {
      const TerminalId destination = destinations[i];
      const RouterId root = network.router_of(destination);
      Writer writer{network, choice, block.column(i - begin)};
      writer.column[root.value] = ForwardingTable::here<Entry>;
      tree.set_root(root);
      choice.begin(tree, destination);
      missing += tree.build(writer);
      choice.end(tree, destination);
    }
    block.store(table, destinations.subspan(begin, end - begin));
    if (progress.interrupted()) throw Interrupted();
    progress.update(end);
  }
  return missing;
}

/// The same for a table of either width.
template <class Choice>
std::uint64_t fill_up_down_table(const Network& network, const UpDownOrder& order,
                                 std::span<const TerminalId> destinations, Choice& choice,
                                 ForwardingTable& table, Progress& progress) {
  table = ForwardingTable(network);
  return table.with_entry_type([&]<class Entry>(Entry) {
    return fill_up_down_table<Entry>(network, order, destinations, choice, table, progress);
  });
}

/// With the choice of each router for itself: of equals the channel that serves the fewest destinations.
std::uint64_t fill_least_served(const Network& network, const UpDownOrder& order,
                                std::span<const TerminalId> destinations, ForwardingTable& table,
                                Progress& progress);

/// Pairs of terminals that no routing could connect: they do not count against an order.
std::uint64_t unconnected_pairs(const Network& network);

/// Empty where every channel has its reverse, as Up*/Down* needs; else a sentence that names one that has
/// not.
std::string one_way_trouble(const Network& network);

/// Empty where engines for trees can take the network: every channel has its reverse, and some router stands
/// above those with terminals; else a sentence.
std::string tree_trouble(const Network& network);

/// The last line of defence: throws std::logic_error where the table goes down and then up.
void require_up_down(const Network& network, const UpDownOrder& order, const ForwardingTable& table);

}  // namespace unknot
