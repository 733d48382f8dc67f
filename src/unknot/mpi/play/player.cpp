// SPDX-License-Identifier: Apache-2.0
#include "unknot/mpi/play/player.hpp"

#include <algorithm>
#include <cstring>

#include "unknot/mpi/play/words.hpp"

namespace unknot::mpi {
namespace {

using play::Action;
using play::Instruction;

/// Messages of `bytes` each, laid out anew from `from_stride` to `to_stride` bytes from one to the next.
void lay_out(const std::byte* from, std::size_t from_stride, std::byte* to, std::size_t to_stride,
             std::size_t bytes, std::uint32_t messages) {
  for (std::uint32_t m = 0; m < messages; ++m) std::memcpy(to + m * to_stride, from + m * from_stride, bytes);
}

bool is_message(const Instruction& now) {
  return now.action == Action::send || now.action == Action::receive;
}

}  // namespace

Player::Player(const Assignment& assignment, MPI_Comm comm) : assignment_(assignment), comm_(comm) {
  const auto& instructions = assignment.program.instructions;
  requests_.assign(instructions.size(), MPI_REQUEST_NULL);
  if (assignment.settings.between != Between::nothing) return;
  const play::BlockLayout& layout = assignment.settings.layout;
  flow_ = play::data_flow_of(instructions,
                             layout.send_blocks() + layout.receive_blocks() + assignment.program.work_blocks);
  done_.resize(instructions.size());
}

void Player::set_message_bytes(std::size_t bytes) {
  const PlaySettings& settings = assignment_.settings;
  message_bytes_ = bytes;
  const std::size_t word = settings.reduces ? kWordBytes : 1;
  const std::size_t pieces = settings.layout.pieces;
  block_bytes_ = (bytes / word + pieces - 1) / pieces * word;
  work_.resize(assignment_.program.work_blocks * block_bytes_);
  const bool pads = block_bytes_ * pieces != bytes;
  padded_send_.assign(pads ? settings.layout.send_blocks() * block_bytes_ : 0, std::byte{0});
  padded_receive_.assign(pads ? settings.layout.receive_blocks() * block_bytes_ : 0, std::byte{0});
}

void Player::run(std::byte* send, std::byte* receive) {
  const play::BlockLayout& layout = assignment_.settings.layout;
  const std::size_t padded = block_bytes_ * layout.pieces;
  const bool pads = padded != message_bytes_;
  send_ = pads ? padded_send_.data() : send;
  receive_ = pads ? padded_receive_.data() : receive;
  if (pads && send != nullptr)
    lay_out(send, message_bytes_, send_, padded, message_bytes_, layout.send_messages);
  if (pads && receive != nullptr)
    lay_out(receive, message_bytes_, receive_, padded, message_bytes_, layout.receive_messages);
  if (assignment_.settings.between == Between::nothing) {
    run_as_data_comes();
  } else {
    run_in_steps();
  }
  if (pads && receive != nullptr)
    lay_out(receive_, padded, receive, message_bytes_, message_bytes_, layout.receive_messages);
}

std::byte* Player::block(std::uint32_t number) {
  const play::BlockLayout& layout = assignment_.settings.layout;
  if (number < layout.send_blocks()) return send_ + number * block_bytes_;
  number -= layout.send_blocks();
  if (number < layout.receive_blocks()) return receive_ + number * block_bytes_;
  return work_.data() + (number - layout.receive_blocks()) * block_bytes_;
}

int Player::bytes_of(const Instruction& now) const {
  return static_cast<int>(now.blocks * block_bytes_);
}

void Player::carry_out(const Instruction& now, MPI_Request& request) {
  const int bytes = bytes_of(now);
  const auto peer = static_cast<int>(now.peer);
  const auto tag = static_cast<int>(now.tag);
  switch (now.action) {
    case Action::copy:
      std::memcpy(block(now.to), block(now.from), static_cast<std::size_t>(bytes));
      break;
    case Action::combine: {
      const Words words = words_of(assignment_.settings.combination);
      MPI_Reduce_local(block(now.from), block(now.to), bytes / kWordBytes, words.type, words.operation);
      break;
    }
    case Action::send:
      MPI_Isend(block(now.from), bytes, MPI_BYTE, peer, tag, comm_, &request);
      break;
    case Action::receive:
      MPI_Irecv(block(now.to), bytes, MPI_BYTE, peer, tag, comm_, &request);
      break;
    case Action::wait:
      break;
  }
}

void Player::run_in_steps() {
  std::size_t requests = 0;
  for (const Instruction& now : assignment_.program.instructions) {
    carry_out(now, requests_[requests]);
    if (is_message(now)) ++requests;
    if (now.action != Action::wait) continue;
    MPI_Waitall(static_cast<int>(requests), requests_.data(), MPI_STATUSES_IGNORE);
    requests = 0;
    if (assignment_.settings.between == Between::barrier) MPI_Barrier(comm_);
  }
}

void Player::run_as_data_comes() {
  const auto& instructions = assignment_.program.instructions;
  pending_ = flow_.waits;
  ready_.clear();
  for (auto i = static_cast<std::uint32_t>(instructions.size()); i-- > 0;) {
    if (pending_[i] == 0) ready_.push_back(i);
  }
  std::size_t under_way = 0;
  const auto finish = [&](std::uint32_t i) {
    for (std::uint32_t n = flow_.first_next[i]; n < flow_.first_next[i + 1]; ++n) {
      if (--pending_[flow_.next[n]] == 0) ready_.push_back(flow_.next[n]);
    }
  };
  for (;;) {
    while (!ready_.empty()) {
      const std::uint32_t i = ready_.back();
      ready_.pop_back();
      carry_out(instructions[i], requests_[i]);
      if (is_message(instructions[i])) {
        ++under_way;
      } else {
        finish(i);
      }
    }
    if (under_way == 0) return;
    int count = 0;
    MPI_Waitsome(static_cast<int>(requests_.size()), requests_.data(), &count, done_.data(),
                 MPI_STATUSES_IGNORE);
    under_way -= static_cast<std::size_t>(count);
    for (int i = 0; i < count; ++i) finish(static_cast<std::uint32_t>(done_[static_cast<std::size_t>(i)]));
  }
}

}  // namespace unknot::mpi
