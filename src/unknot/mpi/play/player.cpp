// SPDX-License-Identifier: Apache-2.0
#include "unknot/mpi/play/player.hpp"

#include <algorithm>
#include <cstring>

#include "unknot/mpi/play/words.hpp"

namespace unknot::mpi {

using play::Action;
using play::Instruction;

Player::Player(const Assignment& assignment, MPI_Comm comm) : assignment_(assignment), comm_(comm) {
  const auto& instructions = assignment.program.instructions;
  const auto messages = std::count_if(instructions.begin(), instructions.end(), [](const Instruction& now) {
    return now.action == Action::send || now.action == Action::receive;
  });
  requests_.assign(static_cast<std::size_t>(messages), MPI_REQUEST_NULL);
  if (assignment.settings.between == Between::nothing) prepare();
}

void Player::prepare() {
  const play::BlockLayout& layout = assignment_.settings.layout;
  const auto& instructions = assignment_.program.instructions;
  const std::size_t blocks = layout.send_blocks + layout.receive_blocks + assignment_.program.work_blocks;
  expected_.assign(blocks, 0);
  std::vector<std::size_t> combined_by(blocks, kNot);
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    const Instruction& now = instructions[i];
    if (now.action == Action::combine) combined_by[now.from] = i;
    if (now.action == Action::receive) incoming_.push_back({i, now.to, kNot});
    if (now.action == Action::send) sends_.push_back(i);
  }
  for (Incoming& message : incoming_) {
    message.combine = combined_by[message.ready];
    if (message.combine != kNot) message.ready = instructions[message.combine].to;
    ++expected_[message.ready];
  }
  std::stable_sort(sends_.begin(), sends_.end(),
                   [&](std::size_t a, std::size_t b) { return instructions[a].from < instructions[b].from; });
  first_send_.assign(blocks + 1, 0);
  for (const std::size_t send : sends_) ++first_send_[instructions[send].from + 1];
  for (std::size_t b = 0; b < blocks; ++b) first_send_[b + 1] += first_send_[b];
  done_.resize(incoming_.size());
}

void Player::set_block_bytes(std::size_t bytes) {
  bytes_ = static_cast<int>(bytes);
  work_.resize(assignment_.program.work_blocks * bytes);
}

void Player::run(std::byte* send, std::byte* receive) {
  send_ = send;
  receive_ = receive;
  if (assignment_.settings.between == Between::nothing) {
    run_as_data_comes();
  } else {
    run_in_steps();
  }
}

std::byte* Player::block(std::uint32_t number) {
  const play::BlockLayout& layout = assignment_.settings.layout;
  const auto bytes = static_cast<std::size_t>(bytes_);
  if (number < layout.send_blocks) return send_ + number * bytes;
  number -= layout.send_blocks;
  if (number < layout.receive_blocks) return receive_ + number * bytes;
  return work_.data() + (number - layout.receive_blocks) * bytes;
}

void Player::copy(const Instruction& now) {
  std::memcpy(block(now.to), block(now.from), static_cast<std::size_t>(bytes_));
}

void Player::combine(const Instruction& now) {
  const Words words = words_of(assignment_.settings.combination);
  MPI_Reduce_local(block(now.from), block(now.to), bytes_ / kWordBytes, words.type, words.operation);
}

void Player::send(const Instruction& now, MPI_Request& request) {
  MPI_Isend(block(now.from), bytes_, MPI_BYTE, static_cast<int>(now.peer), static_cast<int>(now.tag), comm_,
            &request);
}

void Player::receive(const Instruction& now, MPI_Request& request) {
  MPI_Irecv(block(now.to), bytes_, MPI_BYTE, static_cast<int>(now.peer), static_cast<int>(now.tag), comm_,
            &request);
}

void Player::run_in_steps() {
  std::size_t requests = 0;
  for (const Instruction& now : assignment_.program.instructions) {
    switch (now.action) {
      case Action::copy:
        copy(now);
        break;
      case Action::send:
        send(now, requests_[requests++]);
        break;
      case Action::receive:
        receive(now, requests_[requests++]);
        break;
      case Action::combine:
        combine(now);
        break;
      case Action::wait:
        MPI_Waitall(static_cast<int>(requests), requests_.data(), MPI_STATUSES_IGNORE);
        requests = 0;
        if (assignment_.settings.between == Between::barrier) MPI_Barrier(comm_);
    }
  }
}

void Player::release(std::uint32_t number) {
  const auto& instructions = assignment_.program.instructions;
  for (std::uint32_t i = first_send_[number]; i < first_send_[number + 1]; ++i)
    send(instructions[sends_[i]], requests_[incoming_.size() + sent_++]);
}

void Player::run_as_data_comes() {
  const auto& instructions = assignment_.program.instructions;
  for (std::size_t i = 0; i < incoming_.size(); ++i)
    receive(instructions[incoming_[i].instruction], requests_[i]);
  for (const Instruction& now : instructions) {
    if (now.action != Action::copy) break;  // nothing is copied later
    copy(now);
  }
  sent_ = 0;
  pending_ = expected_;
  for (std::uint32_t number = 0; number < pending_.size(); ++number) {
    if (pending_[number] == 0) release(number);
  }
  for (std::size_t left = incoming_.size(); left > 0;) {
    int count = 0;
    MPI_Waitsome(static_cast<int>(incoming_.size()), requests_.data(), &count, done_.data(),
                 MPI_STATUSES_IGNORE);
    left -= static_cast<std::size_t>(count);
    for (int i = 0; i < count; ++i) {
      const Incoming& message = incoming_[static_cast<std::size_t>(done_[static_cast<std::size_t>(i)])];
      if (message.combine != kNot) combine(instructions[message.combine]);
      if (--pending_[message.ready] == 0) release(message.ready);
    }
  }
  MPI_Waitall(static_cast<int>(sent_), requests_.data() + incoming_.size(), MPI_STATUSES_IGNORE);
}

}  // namespace unknot::mpi
