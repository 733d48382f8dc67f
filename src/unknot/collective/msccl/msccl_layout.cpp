// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/msccl/msccl_execution.hpp"

namespace unknot::msccl {

Layout::Layout(const Program& program, bool in_place) : program_(program), in_place_(in_place) {
  const auto ranks = static_cast<std::uint32_t>(program.gpus.size());
  const std::uint32_t chunks = program.chunks_per_loop;
  switch (program.collective) {
    case Collective::allreduce:
    case Collective::broadcast:
    case Collective::reduce:
    case Collective::all_to_all:
      input_size_ = output_size_ = chunks;
      break;
    case Collective::allgather:
      input_size_ = shift_per_rank_ = chunks / ranks;
      output_size_ = chunks;
      break;
    case Collective::reduce_scatter:
      input_size_ = chunks;
      output_size_ = shift_per_rank_ = chunks / ranks;
      output_in_input_ = true;
      break;
    case Collective::gather:
      input_size_ = shift_per_rank_ = chunks;
      output_size_ = ranks * chunks;
      break;
    case Collective::scatter:
      input_size_ = ranks * chunks;
      output_size_ = shift_per_rank_ = chunks;
      output_in_input_ = true;
      break;
    case Collective::all_to_all_v:
    case Collective::send:
    case Collective::receive:
      break;
  }
}

std::uint32_t Layout::location(std::uint32_t rank, Buffer buffer, std::uint32_t offset) const {
  if (in_place_) {
    if (buffer == Buffer::input && !output_in_input_) {
      buffer = Buffer::output;
      offset += rank * shift_per_rank_;
    } else if (buffer == Buffer::output && output_in_input_) {
      buffer = Buffer::input;
      offset += rank * shift_per_rank_;
    }
  }
  // the shift can be as large as the product of two limits
  return static_cast<std::uint32_t>(buffer) << 30U | offset;
}

Value Layout::initial(std::uint32_t rank, std::uint32_t location) const {
  const auto buffer = static_cast<Buffer>(location >> 30U);
  std::uint32_t chunk = location & ((1U << 30U) - 1);
  if (in_place_ && !output_in_input_) {
    const std::uint32_t shift = rank * shift_per_rank_;
    if (buffer != Buffer::output || chunk < shift) return {};
    chunk -= shift;
  } else if (buffer != Buffer::input) {
    return {};
  }
  if (chunk >= input_size_.value_or(program_.gpus[rank].chunks[0])) return {};
  return {{input_id(rank, chunk)}};
}

Value Execution::at(const Layout& layout, std::uint32_t rank, std::uint32_t location) const {
  const auto found = memory[rank].find(location);
  return found == memory[rank].end() ? layout.initial(rank, location) : found->second;
}

}  // namespace unknot::msccl
