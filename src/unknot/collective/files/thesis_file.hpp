// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "unknot/collective/model/problem.hpp"
#include "unknot/network/network.hpp"

namespace unknot {

/// The input file of Jaros's thesis, section 6.1: a network and what each node does.
///
///     # nodes, and most links that leave one
///     3 2
///     # node, what it does (T transmits, R receives, B both, N only switches), its neighbours
///     0 T 1 2
///     1 N 0 2
///     2 R 1
struct ThesisInput {
  Network network;          ///< a router for each node, with a terminal where it does not only switch
  std::vector<Role> roles;  ///< by node

  [[nodiscard]] std::vector<NodeId> with_role(Role role) const;
};

/// A neighbour listed twice is two channels; where both nodes list each other the channels are cables. Lines
/// of nodes may come in any order, each once. InputError with file and line: a node that is missing, repeated
/// or its own neighbour, a number or letter that is none, more links than the first line allows, nobody to
/// transmit or receive.
ThesisInput parse_thesis_input(std::string_view text, const std::string& file);
/// True where the first line that is no comment holds two numbers, and the second one a node of such a file.
bool looks_like_thesis_input(std::string_view head);

/// Graph and roles of a problem in that form; terminals that are nodes of their own become nodes with one
/// neighbour. Which messages there are besides "every transmitter to every receiver", port limits and
/// half duplex have no place in it.
std::string thesis_input(const Problem& problem);

}  // namespace unknot
