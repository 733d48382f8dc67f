// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/collective/bandwidth/bandwidth_problem.hpp"
#include "unknot/collective/bandwidth/forest.hpp"
#include "unknot/collective/files/plan_reader.hpp"

namespace unknot {

/// Trees as files hold them: what schedules say before their steps, then into how many parts a share is
/// divided, and the trees. An edge is the nodes that it passes, from who sends to who receives; nodes send
/// after they have received. Trees of reductions lead to the root: a Forest in reversed time, see
/// time_reversed().
///
///     {"fabric": "ring:3", "collective": "AAB", "terminals": [0, 1, 2], "copies": 1, "trees": [
///      {"root": 0, "copies": 1, "edges": [[0, 1], [0, 2]]},
///      {"root": 1, "copies": 1, "edges": [[1, 0], [1, 2]]},
///      {"root": 2, "copies": 1, "edges": [[2, 0], [2, 1]]}
///     ]}
///
/// "switches": ["copy", "combine"] says what nodes that take no part do; they are ends of edges then. A tree
/// of an all-reduce may have "inward", the edges to its root, children before parents, where they are other
/// ones than "edges" backwards; a tree of one of several "groups" says which, counted from 0: "group": 1.
///
/// "translations", where they are there: lists of the images of all nodes; "trees" are those of one root
/// then, and those of all others their images.
struct ForestDocument : PlanHead {
  Forest forest;
  SwitchPowers powers = {};
  std::vector<std::uint32_t> sizes = {};  ///< by group; empty: 1
};

/// Whether a text is of this form: it speaks of "trees", and not of "steps" before. O(text).
bool is_forest(std::string_view text);

/// InputError with the file, and the member where it is that, for anything but the form above. Members that
/// are not known are ignored. Whether the trees deliver is for check_forest() to say. O(text).
ForestDocument parse_forest(std::string_view text, const std::string& file);

/// JSON with one line for each tree.
std::string forest_json(const ForestDocument& document);

}  // namespace unknot
