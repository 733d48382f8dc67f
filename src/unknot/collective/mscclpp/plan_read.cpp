// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "unknot/collective/mscclpp/plan.hpp"
#include "unknot/collective/mscclpp/plan_names.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/json_text.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot::mscclpp {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostListed =
    4096;  // operations of a thread block, or numbers of a list, that are read

class PlanFile {
 public:
  explicit PlanFile(const std::string& file) : file_(file) {}

  Plan read(const Json& all) {
    if (!all.is_object()) fail("expected an object with \"name\", \"collective\" and \"gpus\"");
    Plan plan;
    plan.name = text(all, "name", "");
    plan.collective = text(all, "collective", "");
    plan.packets =
        choice(text(all, "protocol", ""), std::array<std::string_view, 2>{"Simple", "LL"}, "protocol") == 1;
    plan.in_place = flag(all, "inplace", std::nullopt);
    plan.reuse_resources = flag(all, "reuse_resources", false);
    plan.double_scratch = flag(all, "use_double_scratch_buffer", false);
    if (all.contains("num_threads_per_block"))
      plan.threads = number(all, "num_threads_per_block", "", 1, 1U << 20U);
    if (all.contains("buffer_alignment")) plan.alignment = number(all, "buffer_alignment", "", 1, 1U << 30U);
    if (all.contains("min_message_size")) plan.min_bytes = bytes(all, "min_message_size");
    if (all.contains("max_message_size")) plan.max_bytes = bytes(all, "max_message_size");
    const Json& gpus = list(all, "gpus", "", kMostRanks);
    if (gpus.empty()) fail("gpus: expected one or more");
    ranks_ = static_cast<std::uint32_t>(gpus.size());
    plan.gpus.reserve(ranks_);
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      const std::string where = fmt::format("gpus[{}]", rank);
      // the executor takes the gpu at its place and refuses another id
      if (const std::uint32_t id = number(object(gpus[rank], where), "id", where, 0, kMostIds); id != rank)
        fail(fmt::format("{}.id: {}, expected {}, its place in the list", where, id, rank));
      plan.gpus.push_back(gpu(gpus[rank], where));
    }
    return plan;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const { throw InputError(file_ + ": " + why); }

  static std::string named(const std::string& where, const char* name) {
    return where.empty() ? name : where + "." + name;
  }
  const Json& object(const Json& value, const std::string& where) const {
    if (!value.is_object()) fail(where + ": expected an object");
    return value;
  }
  const Json& member(const Json& value, const char* name, const std::string& where) const {
    const auto found = value.find(name);
    if (found == value.end()) fail(named(where, name) + " is missing");
    return *found;
  }
  const Json& list(const Json& value, const char* name, const std::string& where,
                   std::size_t most = kMostListed) const {
    const Json& found = member(value, name, where);
    if (!found.is_array() || found.size() > most)
      fail(fmt::format("{}: expected a list of at most {}", named(where, name), most));
    return found;
  }
  std::string text(const Json& value, const char* name, const std::string& where) const {
    const Json& found = member(value, name, where);
    if (!found.is_string()) fail(named(where, name) + ": expected a text");
    return found.get<std::string>();
  }
  bool flag(const Json& value, const char* name, std::optional<bool> otherwise) const {
    if (otherwise && !value.contains(name)) return *otherwise;
    const Json& found = member(value, name, "");
    if (!found.is_boolean()) fail(std::string(name) + ": expected true or false");
    return found.get<bool>();
  }
  std::uint32_t whole(const Json& value, const std::string& where, std::uint32_t least,
                      std::uint32_t most) const {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() < least ||
        value.get<std::uint64_t>() > most)
      fail(fmt::format("{}: expected a whole number from {} to {}", where, least, most));
    return value.get<std::uint32_t>();
  }
  std::uint32_t number(const Json& value, const char* name, const std::string& where, std::uint32_t least,
                       std::uint32_t most) const {
    return whole(member(value, name, where), named(where, name), least, most);
  }
  std::uint64_t bytes(const Json& value, const char* name) const {
    const Json& found = member(value, name, "");
    if (!found.is_number_unsigned()) fail(std::string(name) + ": expected a number of bytes");
    return found.get<std::uint64_t>();
  }
  template <class Names>
  std::size_t choice(const std::string& value, const Names& names, const std::string& where) const {
    std::string all;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] == value) return i;
      all += (i == 0 ? "" : ", ") + std::string(names[i]);
    }
    fail(fmt::format("{}: \"{}\", expected one of {}", where, shown(value), all));
  }
  Buffer buffer(const Json& value, const char* name, const std::string& where) const {
    return static_cast<Buffer>(choice(text(value, name, where), kPlaces, named(where, name)));
  }
  std::vector<std::uint32_t> numbers(const Json& value, const char* name, const std::string& where,
                                     std::uint32_t most) const {
    std::vector<std::uint32_t> result;
    const Json& all = list(value, name, where);
    result.reserve(all.size());
    for (const Json& one : all) result.push_back(whole(one, named(where, name), 0, most));
    return result;
  }
  /// Calls `read` for each object of a list that may be left out.
  template <class Read>
  void each(const Json& value, const char* name, const std::string& where, Read read) const {
    if (!value.contains(name)) return;
    const Json& all = list(value, name, where);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::string place = fmt::format("{}[{}]", named(where, name), i);
      read(object(all[i], place), place);
    }
  }

  Gpu gpu(const Json& value, const std::string& where) const {
    Gpu result;
    result.chunks = {number(value, "input_chunks", where, 0, kMostChunks),
                     number(value, "output_chunks", where, 0, kMostChunks),
                     number(value, "scratch_chunks", where, 0, kMostChunks)};
    each(value, "channels", where,
         [&](const Json& one, const std::string& place) { channel(result, one, place); });
    each(value, "remote_buffers", where, [&](const Json& one, const std::string& place) {
      RemoteBuffer remote;
      remote.rank = number(one, "rank", place, 0, ranks_ - 1);
      remote.buffer = buffer(one, "type", place);
      for (const Json& by : list(one, "access_channel_types", place)) {
        if (!by.is_string()) fail(place + ".access_channel_types: expected names");
        const std::size_t access = choice(by.get<std::string>(), kAccesses, place + ".access_channel_types");
        if (access > 1) fail(place + ".access_channel_types: expected memory or port");
        remote.by[access] = true;
      }
      result.remotes.push_back(remote);
    });
    each(value, "semaphores", where, [&](const Json& one, const std::string& place) {
      result.semaphores.push_back(number(one, "init_value", place, 0, 1U << 30U));
    });
    const Json& blocks = list(value, "threadblocks", where, kMostBlocks);
    result.blocks.reserve(blocks.size());
    for (std::uint32_t b = 0; b < blocks.size(); ++b) {
      const std::string place = fmt::format("{}.threadblocks[{}]", where, b);
      if (const std::uint32_t id = number(object(blocks[b], place), "id", place, 0, kMostIds); id != b)
        fail(fmt::format("{}.id: {}, expected {}, its place in the list", place, id, b));
      result.blocks.push_back(block(blocks[b], place));
    }
    return result;
  }

  void channel(Gpu& gpu, const Json& value, const std::string& where) const {
    const std::size_t access = choice(text(value, "channel_type", where), kAccesses, where + ".channel_type");
    if (access < 2) {
      for (const std::uint32_t peer : numbers(value, "connected_to", where, ranks_ - 1))
        gpu.peers[access].push_back(peer);
      return;
    }
    const Buffer of = buffer(value, "buffer_type", where);
    each(value, "rank_groups", where, [&](const Json& group, const std::string& place) {
      gpu.switches.push_back({of, numbers(group, "ranks", place, ranks_ - 1)});
    });
  }

  ThreadBlock block(const Json& value, const std::string& where) const {
    ThreadBlock result;
    each(value, "channels", where, [&](const Json& one, const std::string& place) {
      const std::size_t access = choice(text(one, "channel_type", place), kAccesses, place + ".channel_type");
      for (const std::uint32_t id : numbers(one, "channel_ids", place, kMostIds))
        result.channels[access].push_back(id);
    });
    each(value, "remote_buffer_refs", where, [&](const Json& one, const std::string& place) {
      const std::size_t access =
          choice(text(one, "access_channel_type", place), kAccesses, place + ".access_channel_type");
      if (access > 1) fail(place + ".access_channel_type: expected memory or port");
      for (const std::uint32_t id : numbers(one, "remote_buffer_ids", place, kMostIds))
        result.remotes[access].push_back(id);
    });
    (void)list(value, "ops", where);
    each(value, "ops", where, [&](const Json& one, const std::string& place) {
      result.operations.push_back(operation(one, place, true));
    });
    return result;
  }

  Operation operation(const Json& value, const std::string& where, bool outer) const {
    Operation op;
    op.kind = static_cast<Kind>(choice(text(value, "name", where), kKinds, where + ".name"));
    if (value.contains("channel_type")) {
      const std::string access = text(value, "channel_type", where);
      if (access != "none")
        op.access = static_cast<Access>(choice(access, kAccesses, where + ".channel_type"));
    }
    if (value.contains("channel_ids")) op.channels = numbers(value, "channel_ids", where, kMostIds);
    if (value.contains("semaphore_ids")) op.semaphores = numbers(value, "semaphore_ids", where, kMostIds);
    each(value, "src_buff", where,
         [&](const Json& one, const std::string& place) { op.sources.push_back(range(one, place)); });
    each(value, "dst_buff", where,
         [&](const Json& one, const std::string& place) { op.destinations.push_back(range(one, place)); });
    if (op.kind == Kind::barrier) {
      op.barrier = number(value, "barrier_id", where, 0, kMostIds);
      op.blocks = number(value, "num_threadblocks", where, 1, kMostBlocks);
    }
    if (value.contains("tbg_info")) {
      const Json& group = object(value["tbg_info"], where + ".tbg_info");
      op.parts = number(group, "tbg_size", where + ".tbg_info", 1, 64);
      op.part = number(group, "tb_id", where + ".tbg_info", 0, op.parts - 1);
    }
    if (op.kind == Kind::pipeline) {
      if (!outer) fail(where + ": a pipeline inside of a pipeline");
      const std::string place = where + ".iter_context";
      const Json& context = object(member(value, "iter_context", where), place);
      op.unit = number(context, "unit_size", place, 1, UINT32_MAX);
      op.chunks = number(context, "num_chunks", place, 1, kMostChunks);
      (void)list(value, "ops", where);
      each(value, "ops", where, [&](const Json& one, const std::string& inner) {
        op.inner.push_back(operation(one, inner, false));
      });
    }
    return op;
  }

  Range range(const Json& value, const std::string& where) const {
    Range result;
    result.index = number(value, "index", where, 0, kMostChunks);
    result.size = number(value, "size", where, 1, kMostChunks);
    if (value.contains("buffer_id")) {
      result.where = Range::Where::remote;
      result.id = number(value, "buffer_id", where, 0, kMostIds);
    } else if (value.contains("switch_channel_id")) {
      result.where = Range::Where::multicast;
      result.id = number(value, "switch_channel_id", where, 0, kMostIds);
    } else {
      result.buffer = buffer(value, "type", where);
    }
    return result;
  }

  const std::string& file_;
  std::uint32_t ranks_ = 0;
};

}  // namespace

Plan parse_plan(std::string_view text, const std::string& file) {
  return PlanFile(file).read(parse_json(text, file));
}

bool is_plan(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  return begin != std::string_view::npos && text[begin] == '{' &&
         text.find("\"gpus\"") != std::string_view::npos;
}

}  // namespace unknot::mscclpp
