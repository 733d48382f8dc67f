// SPDX-License-Identifier: Apache-2.0
#include "unknot/mpi/play/own_operation.hpp"

#include <cstring>

#include "unknot/mpi/play/words.hpp"

namespace unknot::mpi {

OwnOperation::OwnOperation(const Assignment& assignment, MPI_Comm comm)
    : assignment_(assignment), comm_(comm) {
  const MpiCollective own = assignment.settings.own;
  if (own != MpiCollective::alltoallv && own != MpiCollective::allgatherv) return;
  for (std::uint32_t message = 0; message < assignment.promise.messages(); ++message)
    takes_.push_back(assignment.promise.of(message).empty() ? 0 : 1);
  gives_.resize(takes_.size());
  MPI_Alltoall(takes_.data(), 1, MPI_INT, gives_.data(), 1, MPI_INT, comm);
}

void OwnOperation::set_message_bytes(std::size_t bytes) {
  bytes_ = static_cast<int>(bytes);
  const bool alike = assignment_.settings.layout.send_messages == 1;  // all get the same block
  for (std::vector<int>* list : {&receives_, &receive_at_, &sends_, &send_at_}) list->clear();
  for (std::size_t rank = 0; rank < takes_.size(); ++rank) {
    const int at = static_cast<int>(rank) * bytes_;
    receives_.push_back(takes_[rank] * bytes_);
    receive_at_.push_back(at);
    sends_.push_back(gives_[rank] * bytes_);
    send_at_.push_back(alike ? 0 : at);
  }
}

void OwnOperation::run(std::byte* send, std::byte* receive) {
  const PlaySettings& settings = assignment_.settings;
  const auto root = static_cast<int>(settings.root);
  const Words words = words_of(settings.combination);
  const int count = bytes_ / kWordBytes;
  int rank = 0;
  MPI_Comm_rank(comm_, &rank);
  switch (settings.own) {
    case MpiCollective::none:
      break;
    case MpiCollective::scatter:
      MPI_Scatter(send, bytes_, MPI_BYTE, receive, bytes_, MPI_BYTE, root, comm_);
      break;
    case MpiCollective::gather:
      MPI_Gather(send, bytes_, MPI_BYTE, receive, bytes_, MPI_BYTE, root, comm_);
      break;
    case MpiCollective::alltoall:
      MPI_Alltoall(send, bytes_, MPI_BYTE, receive, bytes_, MPI_BYTE, comm_);
      break;
    case MpiCollective::alltoallv:
      MPI_Alltoallv(send, sends_.data(), send_at_.data(), MPI_BYTE, receive, receives_.data(),
                    receive_at_.data(), MPI_BYTE, comm_);
      break;
    case MpiCollective::bcast:
      // it has one buffer; the schedule leaves a copy at the root, too
      if (rank == root) std::memcpy(receive, send, static_cast<std::size_t>(bytes_));
      MPI_Bcast(receive, bytes_, MPI_BYTE, root, comm_);
      break;
    case MpiCollective::allgather:
      MPI_Allgather(send, bytes_, MPI_BYTE, receive, bytes_, MPI_BYTE, comm_);
      break;
    case MpiCollective::allgatherv:
      MPI_Allgatherv(send, takes_[static_cast<std::size_t>(rank)] * bytes_, MPI_BYTE, receive,
                     receives_.data(), receive_at_.data(), MPI_BYTE, comm_);
      break;
    case MpiCollective::reduce:
      MPI_Reduce(send, receive, count, words.type, words.operation, root, comm_);
      break;
    case MpiCollective::reduce_scatter_block:
      MPI_Reduce_scatter_block(send, receive, count, words.type, words.operation, comm_);
      break;
    case MpiCollective::allreduce:
      MPI_Allreduce(send, receive, count, words.type, words.operation, comm_);
      break;
    case MpiCollective::scan:
      MPI_Scan(send, receive, count, words.type, words.operation, comm_);
  }
}

}  // namespace unknot::mpi
