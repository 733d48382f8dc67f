// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "unknot/collective/msccl/msccl_names.hpp"
#include "unknot/collective/msccl/msccl_program.hpp"
#include "unknot/support/files/append.hpp"

namespace unknot::msccl {
namespace {

/// Names hold what users wrote.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return result;
}

std::int64_t or_none(const std::optional<std::uint32_t>& rank) {
  return rank ? std::int64_t{*rank} : -1;
}

void append_step(std::string& text, const Step& step, std::size_t number) {
  const auto buffer = [](const Place& place) { return kBuffers[static_cast<std::size_t>(place.buffer)]; };
  append(text,
         "      <step s=\"{}\" type=\"{}\" srcbuf=\"{}\" srcoff=\"{}\" dstbuf=\"{}\" dstoff=\"{}\" "
         "cnt=\"{}\" depid=\"{}\" deps=\"{}\" hasdep=\"{}\"/>\n",
         number, name_of(step.action), buffer(step.source), step.source.offset, buffer(step.destination),
         step.destination.offset, step.count, step.after ? std::int64_t{step.after->block} : -1,
         step.after ? std::int64_t{step.after->step} : -1, step.announced ? 1 : 0);
}

}  // namespace

std::string program_text(const Program& program) {
  std::string text = fmt::format(
      "<algo name=\"{}\" proto=\"{}\" nchannels=\"{}\" nchunksperloop=\"{}\" ngpus=\"{}\" coll=\"{}\" "
      "inplace=\"{}\" outofplace=\"{}\" minBytes=\"{}\" maxBytes=\"{}\">\n",
      escaped(program.name), escaped(program.protocol), program.channels, program.chunks_per_loop,
      program.gpus.size(), name_of(program.collective), program.in_place ? 1 : 0,
      program.out_of_place ? 1 : 0, program.min_bytes, program.max_bytes);
  for (std::size_t rank = 0; rank < program.gpus.size(); ++rank) {
    const Gpu& gpu = program.gpus[rank];
    append(text, "  <gpu id=\"{}\" i_chunks=\"{}\" o_chunks=\"{}\" s_chunks=\"{}\">\n", rank, gpu.chunks[0],
           gpu.chunks[1], gpu.chunks[2]);
    for (std::size_t id = 0; id < gpu.blocks.size(); ++id) {
      const ThreadBlock& block = gpu.blocks[id];
      append(text, "    <tb id=\"{}\" send=\"{}\" recv=\"{}\" chan=\"{}\">\n", id, or_none(block.send_to),
             or_none(block.receive_from), block.channel);
      for (std::size_t s = 0; s < block.steps.size(); ++s) append_step(text, block.steps[s], s);
      text += "    </tb>\n";
    }
    text += "  </gpu>\n";
  }
  return text + "</algo>\n";
}

}  // namespace unknot::msccl
