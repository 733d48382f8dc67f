// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "unknot/collective/mscclpp/plan_execution.hpp"

namespace unknot::mscclpp {
namespace {

using Where = Range::Where;
using Ends = KindRow::Ends;

constexpr std::uint32_t kMostDivided = 1U << 20U;  // chunks of a buffer times their divisions

class PlanStructure {
 public:
  explicit PlanStructure(const Plan& plan)
      : plan_(plan), ranks_(static_cast<std::uint32_t>(plan.gpus.size())), parts_(divisions(plan)) {}

  std::optional<std::string> run() {
    check_sizes();
    if (plan_.threads > kMostThreads) {
      fail(fmt::format("{} threads of a thread block: the executor has at most {}", plan_.threads,
                       kMostThreads));
    }
    for (std::uint32_t rank = 0; rank < ranks_ && !fault_; ++rank) check_gpu(rank);
    return fault_;
  }

 private:
  /// Keeps the first.
  void fail(std::string sentence) {
    if (!fault_) fault_ = std::move(sentence);
  }
  void fail(const Spot& spot, const std::string& sentence) {
    fail(fmt::format("{}: {}", text_of(spot), sentence));
  }

  void check_sizes() {
    const Gpu& first = plan_.gpus[0];
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) {
      const Gpu& gpu = plan_.gpus[rank];
      if (gpu.chunks[0] == 0 || gpu.chunks[1] == 0) {
        fail(fmt::format("GPU {} has no chunks of {}: the executor divides by their number", rank,
                         gpu.chunks[0] == 0 ? "input" : "output"));
      }
      if (promises_something(plan_) && (gpu.chunks[0] != first.chunks[0] || gpu.chunks[1] != first.chunks[1]))
        fail(fmt::format("GPU {} has other chunks of input or output than GPU 0", rank));
      for (const std::uint32_t chunks : gpu.chunks) {
        if (std::uint64_t{chunks} * parts_ > kMostDivided) {
          fail(
              fmt::format("GPU {}: more than {} parts of chunks, too many to be judged", rank, kMostDivided));
        }
      }
    }
    const std::uint64_t in = first.chunks[0];
    const std::uint64_t out = first.chunks[1];
    const auto need = [&](bool fits, const char* what) {
      if (!fits)
        fail(fmt::format("{} chunks of input and {} of output: {} has {}", in, out, plan_.collective, what));
    };
    if (plan_.collective == "allgather") {
      need(out == in * ranks_, "as much output as all GPUs have input");
    } else if (plan_.collective == "reducescatter") {
      need(in == out * ranks_, "as much input as all GPUs have output");
    } else if (plan_.collective == "alltoall") {
      need(in == out && in % ranks_ == 0, "a part of both for each GPU");
    } else if (promises_something(plan_)) {
      need(in == out, "as much of one as of the other");
    }
  }

  void check_gpu(std::uint32_t rank) {
    const Gpu& gpu = plan_.gpus[rank];
    for (std::size_t access = 0; access < 2; ++access) {
      for (const std::uint32_t peer : gpu.peers[access]) {
        if (peer == rank) fail(fmt::format("GPU {} has a channel to itself", rank));
      }
    }
    for (const RemoteBuffer& remote : gpu.remotes) {
      if (remote.rank == rank) fail(fmt::format("GPU {} has a remote buffer of its own", rank));
    }
    for (const SwitchChannel& s : gpu.switches) {
      if (std::find(s.ranks.begin(), s.ranks.end(), rank) == s.ranks.end())
        fail(fmt::format("GPU {} has a switch channel that it is not part of", rank));
    }
    for (std::uint32_t b = 0; b < gpu.blocks.size() && !fault_; ++b) check_block(rank, b);
  }

  void check_block(std::uint32_t rank, std::uint32_t b) {
    const Gpu& gpu = plan_.gpus[rank];
    const ThreadBlock& block = gpu.blocks[b];
    const auto where = [&] { return fmt::format("GPU {}, thread block {}", rank, b); };
    const std::array<std::size_t, 3> there = {gpu.peers[0].size(), gpu.peers[1].size(), gpu.switches.size()};
    for (std::size_t access = 0; access < 3; ++access) {
      if (block.channels[access].size() > kMostChannels) {
        fail(fmt::format("{} has {} channels: the executor has at most {}", where(),
                         block.channels[access].size(), kMostChannels));
      }
      for (const std::uint32_t id : block.channels[access]) {
        if (id >= there[access]) fail(fmt::format("{}: the GPU has no channel {} of that kind", where(), id));
      }
    }
    for (std::size_t access = 0; access < 2; ++access) {
      if (block.remotes[access].size() > kMostChannels) {
        fail(fmt::format("{} has {} remote buffers: the executor has at most {}", where(),
                         block.remotes[access].size(), kMostChannels));
      }
      for (const std::uint32_t id : block.remotes[access]) {
        if (id >= gpu.remotes.size() || !gpu.remotes[id].by[access])
          fail(fmt::format("{}: the GPU has no remote buffer {} to be reached so", where(), id));
      }
    }
    std::size_t operations = block.operations.size();
    for (const Operation& op : block.operations) operations += op.inner.size();
    if (operations > kMostOperations) {
      fail(fmt::format("{} needs {} operations: the executor has at most {}", where(), operations,
                       kMostOperations));
    }
    for (std::uint32_t i = 0; i < block.operations.size() && !fault_; ++i) {
      const Operation& op = block.operations[i];
      check_operation({rank, b, i}, op);
      for (std::uint32_t k = 0; k < op.inner.size() && !fault_; ++k) {
        const Operation& inner = op.inner[k];
        const Spot spot{rank, b, i, k};
        check_operation(spot, inner);
        if (row_of(inner.kind).ends == Ends::none) continue;
        if (inner.parts > 1) fail(spot, "thread blocks that share an operation of a pipeline are not judged");
        for (const auto* ranges : {&inner.sources, &inner.destinations}) {
          for (const Range& range : *ranges) {
            if (range.size != op.chunks)
              fail(spot, fmt::format("{} chunks in a pipeline of {}", range.size, op.chunks));
          }
        }
      }
    }
  }

  void check_operation(const Spot& spot, const Operation& op) {
    const Gpu& gpu = plan_.gpus[spot.rank];
    if (op.channels.size() > kMostChannelsAtOnce) {
      fail(spot, fmt::format("{} channels of an operation: the executor has at most {}", op.channels.size(),
                             kMostChannelsAtOnce));
    }
    if (std::max(op.sources.size(), op.destinations.size()) > kMostRanges)
      fail(spot, fmt::format("more than {} sources or destinations", kMostRanges));
    if (op.semaphores.size() > kMostSemaphoresAtOnce) {
      fail(spot, fmt::format("{} semaphores of an operation: the executor has at most {}",
                             op.semaphores.size(), kMostSemaphoresAtOnce));
    }
    for (const std::uint32_t id : op.semaphores) {
      if (id >= gpu.semaphores.size()) fail(spot, fmt::format("the GPU has no semaphore {}", id));
    }
    if (op.kind == Kind::barrier) {
      if (op.barrier >= kMostBarriers)
        fail(spot, fmt::format("barrier {}: the executor has {}", op.barrier, kMostBarriers));
      if (op.blocks > gpu.blocks.size()) {
        fail(spot,
             fmt::format("a barrier of {} thread blocks, the GPU has {}", op.blocks, gpu.blocks.size()));
      }
      return;
    }
    const bool point = op.access == Access::memory || op.access == Access::port;
    const bool channelled = signals(op.kind) || waits(op.kind) || op.kind == Kind::flush;
    if (channelled || op.kind == Kind::put) check_channels(spot, op);
    if (fault_) return;
    if ((op.kind == Kind::put_signal || op.kind == Kind::put_signal_flush || op.kind == Kind::flush) &&
        op.access != Access::port) {
      fail(spot,
           fmt::format("{} needs port channels: with others the executor does not signal", name_of(op.kind)));
    }
    if (channelled && !point) fail(spot, fmt::format("{} needs memory or port channels", name_of(op.kind)));
    if (channelled && op.channels.empty()) fail(spot, fmt::format("{} without a channel", name_of(op.kind)));
    if (is_packets(op.kind) && !plan_.packets) {
      fail(spot,
           fmt::format("{} needs protocol LL: scratch memory has no room for packets", name_of(op.kind)));
    }
    const KindRow& row = row_of(op.kind);
    if (row.ends != Ends::none && !fault_) check_ends(spot, op, row);
  }

  void check_channels(const Spot& spot, const Operation& op) {
    if (op.access == Access::none) return;
    const auto& mine = plan_.gpus[spot.rank].blocks[spot.block].channels[static_cast<std::size_t>(op.access)];
    for (const std::uint32_t id : op.channels) {
      if (id >= mine.size()) fail(spot, fmt::format("the thread block has no channel {} of that kind", id));
    }
  }

  void check_ends(const Spot& spot, const Operation& op, const KindRow& row) {
    const std::size_t sources = op.sources.size();
    const std::size_t destinations = op.destinations.size();
    const std::size_t least =
        op.kind == Kind::reduce_copy_packets || op.kind == Kind::reduce_copy_send_packets ? 2 : 1;
    if (sources == 0 || destinations < least)
      return fail(spot, fmt::format("{} without a source or destination", name_of(op.kind)));
    if ((sources > 1 && !row.many_sources) || (destinations > least && !row.many_destinations))
      return fail(spot, fmt::format("more sources or destinations than {} has", name_of(op.kind)));
    if (row.ends == Ends::copies && sources != destinations)
      return fail(spot, fmt::format("{} sources for {} destinations", sources, destinations));
    for (std::size_t i = 0; i < sources; ++i) {
      check_range(spot, op, op.sources[i], i == 0 ? row.first_source : row.other_sources,
                  row.packets_in && (row.ends != Ends::combines || i > 0));
    }
    for (std::size_t i = 0; i < destinations; ++i) {
      const bool first = i == 0 || (i == 1 && least == 2);
      check_range(spot, op, op.destinations[i], first ? row.first_destination : row.other_destinations,
                  i >= row.plain_out);
    }
    if (fault_) return;
    if (row.ends == Ends::copies) {
      for (std::size_t i = 0; i < sources; ++i) {
        if (op.sources[i].size != op.destinations[i].size)
          fail(spot, fmt::format("{} chunks to {}", op.sources[i].size, op.destinations[i].size));
        // handlePut() and handlePutPackets() take the buffer of the first for all
        if (op.access == Access::memory && op.kind != Kind::get &&
            op.sources[i].buffer != op.sources[0].buffer)
          fail(spot, "sources in several buffers: the executor takes all from that of the first");
        if (op.kind == Kind::get && op.sources[i].index != op.destinations[i].index)
          fail(spot, "get to another chunk: the executor mixes up where it reads and where it writes");
      }
      if (op.access == Access::port && op.channels.size() != destinations)
        fail(spot, fmt::format("{} channels for {} destinations", op.channels.size(), destinations));
      return;
    }
    for (const auto* ranges : {&op.sources, &op.destinations}) {
      for (const Range& range : *ranges) {
        if (range.size != op.sources[0].size)
          fail(spot, fmt::format("{} chunks beside {}", range.size, op.sources[0].size));
      }
    }
  }

  void check_range(const Spot& spot, const Operation& op, const Range& range, Where where, bool packets) {
    if (range.where != where) {
      constexpr std::array<const char*, 3> kWords = {"of this GPU", "of another GPU", "of a switch"};
      return fail(spot, fmt::format("{} has a buffer {} there", name_of(op.kind),
                                    kWords[static_cast<std::size_t>(where)]));
    }
    const Gpu& gpu = plan_.gpus[spot.rank];
    const ThreadBlock& block = gpu.blocks[spot.block];
    Buffer buffer = range.buffer;
    std::vector<std::uint32_t> ranks = {spot.rank};
    if (where == Where::remote) {
      const bool port = op.access == Access::port && row_of(op.kind).ends == Ends::copies &&
                        op.kind != Kind::get && !is_packets(op.kind);
      if (op.access != Access::memory && !port)
        return fail(spot, fmt::format("{} needs memory channels", name_of(op.kind)));
      const auto& remotes = block.remotes[static_cast<std::size_t>(op.access)];
      if (range.id >= remotes.size())
        return fail(spot, fmt::format("the thread block has no remote buffer {}", range.id));
      const RemoteBuffer& remote = gpu.remotes[remotes[range.id]];
      buffer = remote.buffer;
      ranks = {remote.rank};
      if (port) {
        const auto& channels = block.channels[1];
        const auto at = static_cast<std::size_t>(&range - op.destinations.data());
        if (at < op.channels.size() && op.channels[at] < channels.size() &&
            gpu.peers[1][channels[op.channels[at]]] != remote.rank)
          return fail(spot, fmt::format("a put to GPU {} over a channel to another", remote.rank));
      }
    } else if (where == Where::multicast) {
      if (range.id >= block.channels[2].size())
        return fail(spot, fmt::format("the thread block has no switch channel {}", range.id));
      const SwitchChannel& channel = gpu.switches[block.channels[2][range.id]];
      buffer = channel.buffer;
      ranks = channel.ranks;
    }
    if (packets && buffer != Buffer::scratch)
      return fail(spot, "packets outside of scratch memory, which alone has room for them");
    for (const std::uint32_t rank : ranks) {
      const std::uint32_t chunks = plan_.gpus[rank].chunks[static_cast<std::size_t>(buffer)];
      if (range.index + range.size > chunks) {
        constexpr std::array<const char*, 3> kNames = {"input", "output", "scratch buffer"};
        return fail(spot,
                    fmt::format("chunk {} of the {} of GPU {}, which has {}", range.index + range.size - 1,
                                kNames[static_cast<std::size_t>(buffer)], rank, chunks));
      }
    }
  }

  const Plan& plan_;
  std::uint32_t ranks_, parts_;
  std::optional<std::string> fault_;
};

}  // namespace

const KindRow& row_of(Kind kind) {
  constexpr Where kLocal = Where::local;
  constexpr Where kRemote = Where::remote;
  constexpr Where kSwitch = Where::multicast;
  static const std::map<Kind, KindRow> rows = {
      {Kind::put, {Ends::copies, kLocal, kLocal, kRemote, kRemote, true, true}},
      {Kind::put_signal, {Ends::copies, kLocal, kLocal, kRemote, kRemote, true, true}},
      {Kind::put_signal_flush, {Ends::copies, kLocal, kLocal, kRemote, kRemote, true, true}},
      {Kind::get, {Ends::copies, kRemote, kRemote, kLocal, kLocal, true, true}},
      {Kind::copy, {Ends::copies}},
      {Kind::reduce, {Ends::combines, kLocal, kLocal, kLocal, kLocal, true, false}},
      {Kind::reduce_send, {Ends::combines, kLocal, kLocal, kLocal, kRemote, true, true}},
      {Kind::read_reduce, {Ends::combines, kLocal, kRemote, kLocal, kLocal, true, false}},
      {Kind::read_reduce_send, {Ends::combines, kLocal, kRemote, kLocal, kRemote, true, true}},
      {Kind::put_packets, {Ends::copies, kLocal, kLocal, kRemote, kRemote, true, true, false, 0}},
      {Kind::read_put_packets, {Ends::shared, kLocal, kLocal, kRemote, kRemote, false, true, true, 0}},
      {Kind::reduce_send_packets, {Ends::combines, kLocal, kLocal, kLocal, kRemote, true, true, true, 1}},
      {Kind::copy_packets, {Ends::copies, kLocal, kLocal, kLocal, kLocal, false, false, false, 0}},
      {Kind::unpack_packets, {Ends::copies, kLocal, kLocal, kLocal, kLocal, false, false, true}},
      {Kind::reduce_packets, {Ends::combines, kLocal, kLocal, kLocal, kLocal, true, false, true}},
      {Kind::reduce_copy_packets, {Ends::combines, kLocal, kLocal, kLocal, kLocal, true, false, true, 1}},
      {Kind::reduce_copy_send_packets,
       {Ends::combines, kLocal, kLocal, kLocal, kRemote, true, true, true, 1}},
      {Kind::switch_reduce, {Ends::shared, kSwitch, kSwitch, kSwitch, kSwitch}},
      {Kind::switch_store, {Ends::shared, kLocal, kLocal, kSwitch, kSwitch}},
      {Kind::switch_store_packets, {Ends::shared, kLocal, kLocal, kSwitch, kSwitch, false, false, true, 0}},
  };
  static const KindRow none{};
  const auto found = rows.find(kind);
  return found == rows.end() ? none : found->second;
}

bool is_packets(Kind kind) {
  const KindRow& row = row_of(kind);
  return row.packets_in || row.plain_out < 255;
}
bool signals(Kind kind) {
  return kind == Kind::signal || kind == Kind::relaxed_signal || kind == Kind::put_signal ||
         kind == Kind::put_signal_flush;
}
bool waits(Kind kind) {
  return kind == Kind::wait || kind == Kind::relaxed_wait;
}

std::string text_of(const Spot& spot) {
  std::string text =
      fmt::format("GPU {}, thread block {}, operation {}", spot.rank, spot.block, spot.operation);
  if (spot.inner != Spot::kNone) text += fmt::format(", its operation {}", spot.inner);
  return text;
}

std::uint32_t divisions(const Plan& plan) {
  std::uint64_t parts = 1;
  bool rounds = false;
  for (const Gpu& gpu : plan.gpus) {
    for (const ThreadBlock& block : gpu.blocks) {
      for (const Operation& op : block.operations) {
        parts = std::min<std::uint64_t>(std::lcm(parts, std::uint64_t{op.parts}), kMostDivided + 1);
        rounds = rounds || op.kind == Kind::pipeline;
      }
    }
  }
  return static_cast<std::uint32_t>(parts) * (rounds ? kRounds : 1);
}

std::optional<std::string> find_structural_fault(const Plan& plan) {
  return PlanStructure(plan).run();
}

}  // namespace unknot::mscclpp
