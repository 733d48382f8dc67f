// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "unknot/collective/model/problem.hpp"
#include "unknot/collective/model/schedule.hpp"

namespace unknot::drawing {

/// What nodes do in a step, where it can be said of a node as a whole: one source or owner, or one
/// destination. Elsewhere nothing is marked. Messages towards one node (gathers, reductions): a node is done
/// when it has sent; else when it has got its message.
class NodeMarks {
 public:
  NodeMarks(const Problem& problem, const Schedule& schedule);

  /// Class of the style sheet after a blank: "", " has", " sends" (distributors, or collectors), " new".
  [[nodiscard]] std::string node_class(std::uint32_t step, NodeId n) const;
  [[nodiscard]] std::string label_class(std::uint32_t step, NodeId n) const;
  /// For tool tips, after a comma and blank; may be empty.
  [[nodiscard]] std::string words(std::uint32_t step, NodeId n) const;
  /// Classes with what they mean.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> legend() const;

 private:
  enum class Mark : std::uint8_t { none, has, sends, fresh };
  [[nodiscard]] Mark mark(std::uint32_t step, NodeId n) const {
    return marks_.empty() ? Mark::none : marks_[std::size_t{step} * nodes_ + n.value];
  }
  [[nodiscard]] const char* meaning(Mark mark) const;

  std::uint32_t nodes_ = 0;
  bool towards_one_ = false;
  bool broadcast_ = false;
  std::vector<Mark> marks_;  // by step and node
};

}  // namespace unknot::drawing
