// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "unknot/collective/msccl/msccl_execution.hpp"

namespace unknot::msccl {
namespace {

class Structure {
 public:
  explicit Structure(const Program& program)
      : program_(program), ranks_(static_cast<std::uint32_t>(program.gpus.size())) {}

  std::optional<Fault> run() {
    if (ranks_ == 0 || ranks_ > kMostRanks)
      fail(program_.line, fmt::format("{} GPUs: expected 1 to {}", ranks_, kMostRanks));
    if (program_.channels > kMostChannels)
      fail(program_.line, fmt::format("{} channels: there are at most {}", program_.channels, kMostChannels));
    if (!program_.in_place && !program_.out_of_place)
      fail(program_.line, "neither for use in place nor out of place");
    for (std::uint32_t rank = 0; rank < ranks_ && !fault_; ++rank) check_gpu(rank);
    if (!fault_) match();
    if (!fault_) check_sizes();
    return fault_;
  }

 private:
  using Connection = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // from, to, channel
  struct Ends {
    std::vector<const Step*> sent, received;
    bool from_seen = false, to_seen = false;
  };

  /// Keeps the first.
  void fail(std::uint32_t line, std::string sentence) {
    if (!fault_) fault_ = Fault{line, std::move(sentence)};
  }

  void check_gpu(std::uint32_t rank) {
    const Gpu& gpu = program_.gpus[rank];
    if (gpu.blocks.size() > kMostBlocks) {
      fail(gpu.line, fmt::format("GPU {} needs {} thread blocks: the runtime has at most {}", rank,
                                 gpu.blocks.size(), kMostBlocks));
    }
    for (const std::uint32_t chunks : gpu.chunks) {
      if (chunks > kMostChunks)
        fail(gpu.line, fmt::format("a buffer of {} chunks: the runtime has at most {}", chunks, kMostChunks));
    }
    std::size_t elements = 1 + ranks_ + gpu.blocks.size();
    std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> peers;  // by channel: to, from
    for (std::uint32_t b = 0; b < gpu.blocks.size(); ++b) {
      const ThreadBlock& block = gpu.blocks[b];
      elements += block.steps.size();
      check_block(rank, b);
      auto& [to, from] = peers[block.channel];
      if (block.send_to) ++to;
      if (block.receive_from) ++from;
      if (std::max(to, from) > kMostPeers) {
        fail(block.line,
             fmt::format("GPU {} has more than {} peers on channel {}", rank, kMostPeers, block.channel));
      }
      if (fault_) return;
    }
    if (elements > kMostElements) {
      fail(gpu.line, fmt::format("{} XML elements for GPU {}: the runtime reads at most {}", elements, rank,
                                 kMostElements));
    }
  }

  void check_block(std::uint32_t rank, std::uint32_t b) {
    const Gpu& gpu = program_.gpus[rank];
    const ThreadBlock& block = gpu.blocks[b];
    const auto where = [&] { return fmt::format("thread block {} of GPU {}", b, rank); };
    if (block.channel >= program_.channels)
      fail(block.line, fmt::format("{} is on channel {} of {}", where(), block.channel, program_.channels));
    if (block.steps.size() > kMostSteps) {
      fail(block.line, fmt::format("{} needs {} steps: the runtime has at most {}", where(),
                                   block.steps.size(), kMostSteps));
    }
    for (const auto& peer : {block.send_to, block.receive_from}) {
      if (!peer) continue;
      if (*peer == rank) fail(block.line, fmt::format("{} is its own peer", where()));
      if (*peer >= ranks_) fail(block.line, fmt::format("{} has the peer {}: no such GPU", where(), *peer));
    }
    if (block.send_to) {
      Ends& ends = connections_[{rank, *block.send_to, block.channel}];
      if (ends.from_seen) {
        fail(block.line, fmt::format("two thread blocks of GPU {} send to {} on channel {}", rank,
                                     *block.send_to, block.channel));
      }
      ends.from_seen = true;
    }
    if (block.receive_from) {
      Ends& ends = connections_[{*block.receive_from, rank, block.channel}];
      if (ends.to_seen) {
        fail(block.line, fmt::format("two thread blocks of GPU {} receive from {} on channel {}", rank,
                                     *block.receive_from, block.channel));
      }
      ends.to_seen = true;
    }
    bool waits = false;  // a nop that waits comes just before
    for (const Step& step : block.steps) {
      check_step(rank, block, step);
      if (step.action == Action::nothing) {
        if (!step.after)
          fail(step.line, "a nop that waits for nothing: the runtime would count steps wrongly");
        waits = true;
        continue;
      }
      if (waits && !step.after)
        fail(step.line, "a nop waits together with the step behind it, which must wait for something, too");
      waits = false;
    }
  }

  void check_step(std::uint32_t rank, const ThreadBlock& block, const Step& step) {
    if (sends(step.action)) {
      if (!block.send_to) {
        fail(step.line,
             fmt::format("a step sends, but its thread block of GPU {} has no peer to send to", rank));
        return;
      }
      connections_[{rank, *block.send_to, block.channel}].sent.push_back(&step);
    }
    if (receives(step.action)) {
      if (!block.receive_from) {
        fail(
            step.line,
            fmt::format("a step receives, but its thread block of GPU {} has no peer to receive from", rank));
        return;
      }
      connections_[{*block.receive_from, rank, block.channel}].received.push_back(&step);
    }
    if (step.action != Action::nothing && (step.count == 0 || step.count > kMostCount))
      fail(step.line, fmt::format("a step of {} chunks: expected 1 to {}", step.count, kMostCount));
    const auto bounded = [&](const Place& place) {
      const std::uint32_t chunks = program_.gpus[rank].chunks[static_cast<std::size_t>(place.buffer)];
      if (place.offset + step.count <= chunks) return;
      constexpr std::array<const char*, 3> kNames = {"input", "output", "scratch buffer"};
      fail(step.line, fmt::format("chunks {} to {} of an {} that has {}, on GPU {}", place.offset,
                                  place.offset + step.count - 1,
                                  kNames[static_cast<std::size_t>(place.buffer)], chunks, rank));
    };
    if (reads_source(step.action)) bounded(step.source);
    if (stores(step.action)) bounded(step.destination);
    if (!step.after) return;
    const std::vector<ThreadBlock>& blocks = program_.gpus[rank].blocks;
    const Dependency& after = *step.after;
    if (after.block >= blocks.size()) {
      fail(step.line,
           fmt::format("waits for thread block {}: GPU {} has {}", after.block, rank, blocks.size()));
    } else if (after.step >= blocks[after.block].steps.size()) {
      fail(step.line, fmt::format("waits for step {} of thread block {}, which has {}", after.step,
                                  after.block, blocks[after.block].steps.size()));
    } else if (!announcing_step(blocks[after.block], after.step)) {
      fail(step.line,
           fmt::format("waits for step {} of thread block {}, whose end is never made known (hasdep)",
                       after.step, after.block));
    }
  }

  void match() {
    for (const auto& [connection, ends] : connections_) {
      const auto [from, to, channel] = connection;
      const auto where = [&, f = from, t = to, c = channel] {
        return fmt::format("from GPU {} to {} on channel {}", f, t, c);
      };
      const std::size_t pairs = std::min(ends.sent.size(), ends.received.size());
      for (std::size_t i = 0; i < pairs; ++i) {
        if (ends.sent[i]->count == ends.received[i]->count) continue;
        fail(ends.received[i]->line, fmt::format("receives {} chunks where {} are sent {}",
                                                 ends.received[i]->count, ends.sent[i]->count, where()));
      }
      if (ends.sent.size() > pairs)
        fail(ends.sent[pairs]->line, fmt::format("nobody receives what is sent {}", where()));
      if (ends.received.size() > pairs)
        fail(ends.received[pairs]->line, fmt::format("nobody sends what is received {}", where()));
      if (fault_) return;
    }
  }

  void check_sizes() {
    const Layout layout(program_, false);
    const bool divides = program_.chunks_per_loop % ranks_ == 0;
    switch (program_.collective) {
      case Collective::allgather:
      case Collective::reduce_scatter:
      case Collective::all_to_all:
        if (!divides) {
          fail(program_.line, fmt::format("{} chunks (nchunksperloop) do not divide evenly over {} GPUs",
                                          program_.chunks_per_loop, ranks_));
        }
        break;
      default:
        break;
    }
    for (const auto& size : {layout.input_size(), layout.output_size()}) {
      if (size.value_or(0) > kMostChunks) {
        fail(program_.line,
             fmt::format("a buffer of {} chunks: the runtime has at most {}", *size, kMostChunks));
      }
    }
    for (const Gpu& gpu : program_.gpus) {
      if (layout.input_size() && gpu.chunks[0] > *layout.input_size()) {
        fail(gpu.line, fmt::format("an input of {} chunks: {} gives each GPU {}", gpu.chunks[0],
                                   name_of(program_.collective), *layout.input_size()));
      }
      if (layout.output_size() && gpu.chunks[1] > *layout.output_size()) {
        fail(gpu.line, fmt::format("an output of {} chunks: that of {} has {}", gpu.chunks[1],
                                   name_of(program_.collective), *layout.output_size()));
      }
    }
  }

  const Program& program_;
  std::uint32_t ranks_;
  std::map<Connection, Ends> connections_;
  std::optional<Fault> fault_;
};

}  // namespace

std::optional<std::uint32_t> announcing_step(const ThreadBlock& block, std::uint32_t after) {
  for (std::uint32_t s = after; s < block.steps.size(); ++s) {
    if (block.steps[s].announced && block.steps[s].action != Action::nothing) return s;
  }
  return std::nullopt;
}

std::optional<Fault> find_structural_fault(const Program& program) {
  return Structure(program).run();
}

}  // namespace unknot::msccl
