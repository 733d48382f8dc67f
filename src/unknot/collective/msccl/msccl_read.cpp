// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>

#include "unknot/collective/msccl/msccl_names.hpp"
#include "unknot/collective/msccl/msccl_program.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/number.hpp"
#include "unknot/support/text/scanner.hpp"
#include "unknot/support/text/xml_text.hpp"

namespace unknot::msccl {
namespace {

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : xml_(text, file), file_(file) {}

  Program read() {
    read_algo(xml_.root("algo"));
    return std::move(program_);
  }

 private:
  [[noreturn]] void fail(std::uint32_t line, const std::string& message) const {
    throw InputError(file_, line, message);
  }
  std::uint32_t line_of(const pugi::xml_node& node) { return xml_.line_of(node); }

  /// Value of the attribute of either name; nullptr where there is none. One that comes twice is refused.
  const char* attribute(const pugi::xml_node& node, std::string_view name, std::string_view older = {}) {
    const char* value = nullptr;
    for (const pugi::xml_attribute& a : node.attributes()) {
      if (name != a.name() && (older.empty() || older != a.name())) continue;
      if (value != nullptr)
        fail(line_of(node), fmt::format("<{}> has the attribute '{}' twice", node.name(), name));
      value = a.value();
    }
    return value;
  }
  std::string_view text(const pugi::xml_node& node, std::string_view name) {
    const char* value = attribute(node, name);
    if (value == nullptr)
      fail(line_of(node), fmt::format("<{}> lacks the attribute '{}'", node.name(), name));
    return value;
  }
  std::int64_t number(const pugi::xml_node& node, std::string_view name, std::int64_t least,
                      std::int64_t most, std::string_view older = {}) {
    const char* value = attribute(node, name, older);
    if (value == nullptr)
      fail(line_of(node), fmt::format("<{}> lacks the attribute '{}'", node.name(), name));
    const std::string_view digits(value);
    const auto result = number_in<std::int64_t>(digits);
    if (!result || *result < least || *result > most) {
      fail(line_of(node), fmt::format("{}=\"{}\" of <{}>: expected a number from {} to {}", name,
                                      shown(digits), node.name(), least, most));
    }
    return *result;
  }
  std::uint32_t small(const pugi::xml_node& node, std::string_view name, std::uint32_t most,
                      std::uint32_t least = 0) {
    return static_cast<std::uint32_t>(number(node, name, least, most));
  }
  bool flag(const pugi::xml_node& node, std::string_view name) { return number(node, name, 0, 1) == 1; }
  /// Index in a list of names.
  template <class Names, class NameOf>
  std::size_t choice(const pugi::xml_node& node, std::string_view name, const Names& names, NameOf name_of) {
    const std::string_view value = text(node, name);
    std::string all;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (name_of(names[i]) == value) return i;
      all += fmt::format("{}{}", i == 0 ? "" : ", ", name_of(names[i]));
    }
    fail(line_of(node),
         fmt::format("{}=\"{}\" of <{}>: expected one of {}", name, shown(value), node.name(), all));
  }
  template <class Names>
  std::size_t choice(const pugi::xml_node& node, std::string_view name, const Names& names) {
    return choice(node, name, names, [](std::string_view n) { return n; });
  }

  /// Calls `read` for each child, all of which must have that name.
  template <class Read>
  void children(const pugi::xml_node& node, std::string_view name, Read read) {
    std::uint32_t count = 0;
    for (const pugi::xml_node& child : node.children()) {
      if (child.type() != pugi::node_element)
        fail(line_of(node), fmt::format("text inside <{}>: expected elements <{}>", node.name(), name));
      if (name != child.name()) {
        fail(line_of(child), fmt::format("<{}> inside <{}>: expected {}", shown(child.name()), node.name(),
                                         name.empty() ? "nothing" : fmt::format("<{}>", name)));
      }
      if (++count > kMostChildren)
        fail(line_of(child), fmt::format("more than {} elements inside <{}>", kMostChildren, node.name()));
      read(child);
    }
  }
  /// Puts elements with ids into the order of the ids, which must be dense.
  template <class Item>
  void place(std::vector<Item>& items, std::vector<bool>& seen, std::uint32_t id, Item item,
             std::string_view what) {
    if (id >= items.size()) {
      items.resize(id + 1);
      seen.resize(id + 1, false);
    }
    if (seen[id]) fail(item.line, fmt::format("{} {} is on line {} already", what, id, items[id].line));
    seen[id] = true;
    items[id] = std::move(item);
  }
  void require_dense(const std::vector<bool>& seen, std::uint32_t line, std::string_view what) const {
    const auto gap = std::find(seen.begin(), seen.end(), false);
    if (gap != seen.end()) fail(line, fmt::format("{} {} is missing", what, gap - seen.begin()));
  }

  void read_algo(const pugi::xml_node& node) {
    program_.line = line_of(node);
    program_.name = text(node, "name");
    program_.protocol = kProtocols[choice(node, "proto", kProtocols)];
    program_.collective = static_cast<Collective>(choice(node, "coll", kCollectives));
    program_.channels = small(node, "nchannels", kMostChannels, 1);
    program_.chunks_per_loop = small(node, "nchunksperloop", kMostChunks, 1);
    const std::uint32_t ranks = small(node, "ngpus", kMostRanks, 1);
    program_.in_place = flag(node, "inplace");
    program_.out_of_place = flag(node, "outofplace");
    constexpr std::int64_t kMostBytes = INT64_MAX;
    if (attribute(node, "minBytes") != nullptr)
      program_.min_bytes = static_cast<std::uint64_t>(number(node, "minBytes", 0, kMostBytes));
    if (attribute(node, "maxBytes") != nullptr)
      program_.max_bytes = static_cast<std::uint64_t>(number(node, "maxBytes", 0, kMostBytes));
    program_.gpus.resize(ranks);
    std::vector<bool> seen(ranks, false);
    children(node, "gpu", [&](const pugi::xml_node& child) {
      const std::uint32_t id = small(child, "id", ranks - 1);
      place(program_.gpus, seen, id, read_gpu(child), "gpu");
    });
    require_dense(seen, program_.line, "gpu");
  }

  Gpu read_gpu(const pugi::xml_node& node) {
    Gpu gpu;
    gpu.line = line_of(node);
    gpu.chunks = {small(node, "i_chunks", kMostChunks), small(node, "o_chunks", kMostChunks),
                  small(node, "s_chunks", kMostChunks)};
    std::vector<bool> seen;
    children(node, "tb", [&](const pugi::xml_node& child) {
      const std::uint32_t id = small(child, "id", kMostBlocks - 1);
      place(gpu.blocks, seen, id, read_block(child), "thread block");
    });
    require_dense(seen, gpu.line, "thread block");
    return gpu;
  }

  std::optional<std::uint32_t> peer(const pugi::xml_node& node, std::string_view name) {
    const std::int64_t rank = number(node, name, -1, static_cast<std::int64_t>(program_.gpus.size()) - 1);
    if (rank < 0) return std::nullopt;
    return static_cast<std::uint32_t>(rank);
  }

  ThreadBlock read_block(const pugi::xml_node& node) {
    ThreadBlock block;
    block.line = line_of(node);
    block.send_to = peer(node, "send");
    block.receive_from = peer(node, "recv");
    block.channel = static_cast<std::uint32_t>(
        std::max<std::int64_t>(0, number(node, "chan", -1, program_.channels - std::int64_t{1})));
    children(node, "step", [&](const pugi::xml_node& child) {
      const std::int64_t s = number(child, "s", 0, kMostSteps - 1, "step");
      if (s != static_cast<std::int64_t>(block.steps.size())) {
        fail(line_of(child), fmt::format("step {}: expected step {}, they count from 0 in each thread block",
                                         s, block.steps.size()));
      }
      block.steps.push_back(read_step(child));
      children(child, "", [](const pugi::xml_node&) {});
    });
    return block;
  }

  Step read_step(const pugi::xml_node& node) {
    Step step;
    step.line = line_of(node);
    step.action =
        static_cast<Action>(choice(node, "type", kActions, [](const ActionRow& row) { return row.name; }));
    step.source.buffer = static_cast<Buffer>(choice(node, "srcbuf", kBuffers));
    step.destination.buffer = static_cast<Buffer>(choice(node, "dstbuf", kBuffers));
    // -1 is written where a place means nothing
    const auto offset = [&](std::string_view name, bool used) {
      return static_cast<std::uint32_t>(
          std::max<std::int64_t>(0, number(node, name, used ? 0 : -1, kMostChunks)));
    };
    step.source.offset = offset("srcoff", reads_source(step.action));
    step.destination.offset = offset("dstoff", stores(step.action));
    step.count = small(node, "cnt", kMostCount, step.action == Action::nothing ? 0 : 1);
    const std::int64_t block = number(node, "depid", -1, kMostBlocks - 1);
    const std::int64_t after = number(node, "deps", -1, kMostSteps - 1);
    if (block >= 0) {
      if (after < 0) fail(step.line, "deps=\"-1\" beside a depid: expected the number of a step");
      step.after = {static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(after)};
    }
    step.announced = flag(node, "hasdep");
    return step;
  }

  XmlText xml_;
  const std::string& file_;
  Program program_;
};

}  // namespace

Program parse_program(std::string_view text, const std::string& file) {
  return Reader(text, file).read();
}

}  // namespace unknot::msccl
