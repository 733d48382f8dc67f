// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

// Source routes of a torus as text, a section for each node: what an adapter is given. The same grammar for
// the file of one node, for a file of all, and for files joined in any order: docs/table-formats.md.

bool recognises_angara(std::string_view head);
/// Throws InputError, with file and line, for whatever is no route of this network. Pairs without a line have
/// no route. Flow control is bubble.
Routing read_angara(const Network& network, std::string_view text, const std::string& name);
/// Sections of all nodes that have a terminal. Throws InputError as AngaraTables does.
void write_angara(const Network& network, const Routing& routing, const std::string& path);

/// The text of one node at a time, for a file each.
class AngaraTables {
 public:
  /// Throws InputError where the format cannot hold the routing: forwarding tables, credits instead of bubble
  /// flow control, a network that is no torus, two nodes of one name. Network and routing must outlive it.
  AngaraTables(const Network& network, const Routing& routing);
  ~AngaraTables();
  AngaraTables(const AngaraTables&) = delete;
  AngaraTables& operator=(const AngaraTables&) = delete;

  /// Header lines that every file starts with.
  [[nodiscard]] std::string header() const;
  /// Section of the terminal's node: a line for each destination it has a route to. Throws InputError for a
  /// route that no packet header can hold. O(channels of the routes).
  [[nodiscard]] std::string section(TerminalId terminal) const;

 private:
  struct State;
  std::unique_ptr<const State> state_;
};

/// A whole file for one node: header and section. O(network + routes of the node).
std::string angara_node_text(const Network& network, const Routing& routing, TerminalId terminal);

/// The name as the files write it: as it is, or in quotes where it has other characters than letters, digits
/// and ._:/@+- (with \" \\ and \xHH).
std::string angara_name(std::string_view name);

}  // namespace unknot
