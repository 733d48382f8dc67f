// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "unknot/network/network.hpp"

namespace unknot {

/// Edge list of the Graph Golf contest: an undirected edge on each line, two vertex numbers from 0 ("3 17"),
/// or two grid points ("0,4 2,2"). Each vertex is a router with one terminal. Vertices that no edge mentions
/// do not exist; vertex numbers must be dense. Grid points become routers in the order of x, then y, named
/// "x,y". Throws InputError for a line of another form, a self-loop, an edge given twice, a graph in several
/// parts. O(m log m) time for m edges; memory in proportion to the text, whatever numbers it holds.
Network read_graph_golf(std::string_view text, const std::string& name);

/// True when the first line of `head` is an edge.
bool looks_like_graph_golf(std::string_view head);

}  // namespace unknot
