// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "unknot/collective/mscclpp/plan.hpp"
#include "unknot/collective/mscclpp/plan_names.hpp"
#include "unknot/support/files/append.hpp"

namespace unknot::mscclpp {
namespace {

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string numbers(const std::vector<std::uint32_t>& list) {
  return fmt::format("[{}]", fmt::join(list, ", "));
}

std::string_view place_name(Buffer buffer) {
  return kPlaces[static_cast<std::size_t>(buffer)];
}

std::string ranges_text(const std::vector<Range>& ranges) {
  std::string text;
  for (const Range& range : ranges) {
    text += text.empty() ? "[{" : ", {";
    switch (range.where) {
      case Range::Where::local:
        append(text, "\"type\": \"{}\"", place_name(range.buffer));
        break;
      case Range::Where::remote:
        append(text, "\"buffer_id\": {}", range.id);
        break;
      case Range::Where::multicast:
        append(text, "\"switch_channel_id\": {}", range.id);
        break;
    }
    append(text, ", \"index\": {}, \"size\": {}}}", range.index, range.size);
  }
  return text.empty() ? "[]" : text + "]";
}

bool combines(Kind kind) {
  switch (kind) {
    case Kind::reduce:
    case Kind::reduce_send:
    case Kind::read_reduce:
    case Kind::read_reduce_send:
    case Kind::reduce_send_packets:
    case Kind::reduce_packets:
    case Kind::reduce_copy_packets:
    case Kind::reduce_copy_send_packets:
    case Kind::switch_reduce:
      return true;
    default:
      return false;
  }
}

std::string operation_text(const Operation& op) {
  std::string text = fmt::format("{{\"name\": \"{}\"", name_of(op.kind));
  if (op.kind == Kind::pipeline) {
    append(text, ", \"iter_context\": {{\"unit_size\": {}, \"num_chunks\": {}}}, \"ops\": [", op.unit,
           op.chunks);
    for (std::size_t i = 0; i < op.inner.size(); ++i)
      append(text, "{}\n          {}", i == 0 ? "" : ",", operation_text(op.inner[i]));
    return text + "]}";
  }
  if (op.kind == Kind::barrier)
    append(text, ", \"barrier_id\": {}, \"num_threadblocks\": {}", op.barrier, op.blocks);
  if (!op.sources.empty()) append(text, ", \"src_buff\": {}", ranges_text(op.sources));
  if (!op.destinations.empty()) append(text, ", \"dst_buff\": {}", ranges_text(op.destinations));
  if (!op.semaphores.empty()) append(text, ", \"semaphore_ids\": {}", numbers(op.semaphores));
  if (!op.channels.empty()) append(text, ", \"channel_ids\": {}", numbers(op.channels));
  if (op.access != Access::none)
    append(text, ", \"channel_type\": \"{}\"", kAccesses[static_cast<std::size_t>(op.access)]);
  if (combines(op.kind)) text += ", \"reduce_op\": \"sum\"";
  if (op.parts > 1) append(text, ", \"tbg_info\": {{\"tb_id\": {}, \"tbg_size\": {}}}", op.part, op.parts);
  return text + "}";
}

void append_block(std::string& text, const ThreadBlock& block, std::size_t id) {
  append(text, "      {{\"id\": {}, \"ops\": [", id);
  for (std::size_t i = 0; i < block.operations.size(); ++i)
    append(text, "{}\n        {}", i == 0 ? "" : ",", operation_text(block.operations[i]));
  text += "],\n       \"channels\": [";
  bool first = true;
  for (std::size_t access = 0; access < block.channels.size(); ++access) {
    if (block.channels[access].empty()) continue;
    append(text, "{}{{\"channel_type\": \"{}\", \"channel_ids\": {}}}", first ? "" : ", ", kAccesses[access],
           numbers(block.channels[access]));
    first = false;
  }
  text += "], \"remote_buffer_refs\": [";
  first = true;
  for (std::size_t access = 0; access < block.remotes.size(); ++access) {
    if (block.remotes[access].empty()) continue;
    append(text, "{}{{\"access_channel_type\": \"{}\", \"remote_buffer_ids\": {}}}", first ? "" : ", ",
           kAccesses[access], numbers(block.remotes[access]));
    first = false;
  }
  text += "]}";
}

void append_gpu(std::string& text, const Gpu& gpu, std::size_t rank) {
  append(text, "    {{\"id\": {}, \"input_chunks\": {}, \"output_chunks\": {}, \"scratch_chunks\": {},\n",
         rank, gpu.chunks[0], gpu.chunks[1], gpu.chunks[2]);
  text += "     \"threadblocks\": [";
  for (std::size_t b = 0; b < gpu.blocks.size(); ++b) {
    text += b == 0 ? "\n" : ",\n";
    append_block(text, gpu.blocks[b], b);
  }
  text += "],\n     \"channels\": [";
  bool first = true;
  for (std::size_t access = 0; access < gpu.peers.size(); ++access) {
    if (gpu.peers[access].empty()) continue;
    append(text, "{}{{\"channel_type\": \"{}\", \"connected_to\": {}}}", first ? "" : ", ", kAccesses[access],
           numbers(gpu.peers[access]));
    first = false;
  }
  for (const SwitchChannel& s : gpu.switches) {
    append(text,
           "{}{{\"channel_type\": \"switch\", \"buffer_type\": \"{}\", \"rank_groups\": [{{\"size\": {}, "
           "\"ranks\": {}}}]}}",
           first ? "" : ", ", place_name(s.buffer), s.ranks.size(), numbers(s.ranks));
    first = false;
  }
  text += "],\n     \"remote_buffers\": [";
  for (std::size_t i = 0; i < gpu.remotes.size(); ++i) {
    const RemoteBuffer& remote = gpu.remotes[i];
    append(text, "{}{{\"rank\": {}, \"type\": \"{}\", \"access_channel_types\": [{}{}{}]}}",
           i == 0 ? "" : ", ", remote.rank, place_name(remote.buffer), remote.by[0] ? "\"memory\"" : "",
           remote.by[0] && remote.by[1] ? ", " : "", remote.by[1] ? "\"port\"" : "");
  }
  text += "],\n     \"semaphores\": [";
  for (std::size_t i = 0; i < gpu.semaphores.size(); ++i)
    append(text, "{}{{\"init_value\": {}}}", i == 0 ? "" : ", ", gpu.semaphores[i]);
  text += "]}";
}

}  // namespace

std::string_view name_of(Kind kind) {
  return kKinds[static_cast<std::size_t>(kind)];
}

std::string plan_text(const Plan& plan) {
  std::string text = fmt::format(
      "{{\n  \"name\": {},\n  \"collective\": {},\n  \"protocol\": \"{}\",\n  \"inplace\": {},\n"
      "  \"reuse_resources\": {},\n  \"gpus\": [",
      quoted(plan.name), quoted(plan.collective), plan.packets ? "LL" : "Simple", plan.in_place,
      plan.reuse_resources);
  for (std::size_t rank = 0; rank < plan.gpus.size(); ++rank) {
    text += rank == 0 ? "\n" : ",\n";
    append_gpu(text, plan.gpus[rank], rank);
  }
  append(text,
         "\n  ],\n  \"num_threads_per_block\": {},\n  \"use_double_scratch_buffer\": {},\n"
         "  \"buffer_alignment\": {},\n  \"min_message_size\": {},\n  \"max_message_size\": {}\n}}\n",
         plan.threads, plan.double_scratch, plan.alignment, plan.min_bytes, plan.max_bytes);
  return text;
}

}  // namespace unknot::mscclpp
