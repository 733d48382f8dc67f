// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Execution traces of Chakra 1.0 (MLCommons, schema/protobuf/et_def.proto of May 2026), node by node: what
// one rank does, a message with metadata and then one for each node of a graph.
namespace unknot::chakra {

enum class NodeType : std::uint8_t {
  invalid,
  metadata,
  load,
  store,
  compute,
  send,
  receive,
  collective,
  storage,
  batch,
  checkpoint,
};
constexpr std::uint64_t kNodeTypes = 11;

/// A node as its file says it; what is not known of it, among it start times, is left out.
struct Node {
  std::uint64_t id = 0;
  std::string name;
  std::uint64_t type = 0;            ///< of NodeType, or beyond
  std::vector<std::uint64_t> after;  ///< ids, of data or control
  std::uint64_t microseconds = 0;    ///< that it takes
  std::string inputs;                ///< their values, in words
  // Attributes, where there are such.
  std::optional<std::uint64_t> comm_size;                                      ///< below 2^63
  std::optional<std::uint64_t> comm_type, comm_src, comm_dst, comm_tag, root;  ///< below 2^31
  std::optional<std::uint64_t> num_ops, tensor_size;
  std::optional<std::string> group;  ///< pg_name or comm_group, a number in digits
  std::vector<bool> involved_dims;
  bool on_host = false;  ///< is_cpu_op
};

/// Hands over each node of a file. InputError with file and the number of the node (from 0) for what is no
/// such file, and for fields and attributes of another kind than they have; what is not known is ignored, as
/// protocol buffers are read. O(text).
void read_nodes(std::string_view text, const std::string& file, const std::function<void(Node&)>& take);

/// When a node runs, in microseconds.
struct NodeTimes {
  std::uint64_t start = 0, duration = 0;
};
/// The file with these times, by node; those without stay as they are. Fields are added: where one comes
/// twice, protocol buffers take the last. InputError as read_nodes().
std::string with_times(std::string_view text, const std::string& file,
                       const std::vector<std::optional<NodeTimes>>& times);

}  // namespace unknot::chakra
