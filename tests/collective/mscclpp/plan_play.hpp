// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "unknot/collective/mscclpp/plan.hpp"

namespace unknot::mscclpp::testing {

/// What GPU `rank` has in a chunk of its input: sums of any of them differ.
inline std::uint64_t input_of(std::uint32_t rank, std::uint32_t chunk) {
  return (std::uint64_t{rank} + 1) * 1'000'003 * (chunk * 131 + 7) + rank * rank;
}

/// Carries out a plan of plain data with numbers, as plainly as can be: in each turn some thread block that
/// can, or some port, does what is next for it. The root of a broadcast is GPU 0. Says what is wrong at the
/// end; "" where all is right.
class PlanPlay {
 public:
  PlanPlay(const Plan& plan, std::uint64_t seed) : plan_(plan), random_(seed) {}

  std::string run() {
    const auto ranks = static_cast<std::uint32_t>(plan_.gpus.size());
    for (std::uint32_t r = 0; r < ranks; ++r) {
      for (std::uint32_t c = 0; c < plan_.gpus[r].chunks[0]; ++c) at(r, Buffer::input, c) = input_of(r, c);
      for (std::uint32_t b = 0; b < plan_.gpus[r].blocks.size(); ++b) workers_.push_back({r, b});
      for (std::uint32_t s = 0; s < plan_.gpus[r].semaphores.size(); ++s)
        semaphore_[{r, s}] = plan_.gpus[r].semaphores[s];
    }
    while (turn()) {
    }
    for (const Worker& worker : workers_) {
      if (worker.next < block(worker).operations.size()) return "a thread block waits for ever";
    }
    return wrong_result();
  }

 private:
  using End = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // GPU, access, channel
  struct Worker {
    std::uint32_t rank, block;
    std::size_t next = 0;
  };
  struct PortTask {
    std::uint32_t rank;
    bool puts, signals;
    Range from, to;
    std::uint32_t to_rank;
    Buffer to_buffer;
  };

  const ThreadBlock& block(const Worker& w) const { return plan_.gpus[w.rank].blocks[w.block]; }

  std::uint64_t& at(std::uint32_t rank, Buffer buffer, std::uint32_t chunk) {
    if (plan_.in_place && buffer == Buffer::input && plan_.collective != "reducescatter") {
      buffer = Buffer::output;
      if (plan_.collective == "allgather") chunk += rank * plan_.gpus[rank].chunks[0];
    }
    if (plan_.in_place && buffer == Buffer::output && plan_.collective == "reducescatter") {
      buffer = Buffer::input;
      chunk += rank * plan_.gpus[rank].chunks[1];
    }
    return memory_[{rank, static_cast<int>(buffer), chunk}];
  }

  /// The other end of a channel: the n-th one to a peer belongs to the n-th one back.
  End other(const End& end) const {
    const auto& [rank, access, channel] = end;
    const std::vector<std::uint32_t>& peers = plan_.gpus[rank].peers[access];
    std::uint32_t n = 0;
    for (std::uint32_t c = 0; c < channel; ++c) n += peers[c] == peers[channel] ? 1 : 0;
    const std::vector<std::uint32_t>& back = plan_.gpus[peers[channel]].peers[access];
    for (std::uint32_t c = 0; c < back.size(); ++c) {
      if (back[c] == rank && n-- == 0) return {peers[channel], access, c};
    }
    return end;
  }

  bool turn() {
    // A thread block may do nothing for long: begin anywhere.
    const std::size_t places = workers_.size() + ports_.size();
    const std::size_t first = random_() % places;
    for (std::size_t i = 0; i < places; ++i) {
      const std::size_t at_place = (first + i) % places;
      if (at_place < workers_.size()
              ? work(workers_[at_place])
              : serve(*std::next(ports_.begin(), static_cast<std::ptrdiff_t>(at_place - workers_.size()))))
        return true;
    }
    return false;
  }

  bool serve(std::pair<const End, std::deque<PortTask>>& port) {
    if (port.second.empty()) return false;
    const PortTask task = port.second.front();
    port.second.pop_front();
    for (std::uint32_t c = 0; task.puts && c < task.from.size; ++c)
      at(task.to_rank, task.to_buffer, task.to.index + c) =
          at(task.rank, task.from.buffer, task.from.index + c);
    if (task.signals) ++signals_[other(port.first)];
    return true;
  }

  bool work(Worker& worker) {
    if (worker.next == block(worker).operations.size()) return false;
    const Operation& op = block(worker).operations[worker.next];
    const auto access = static_cast<std::uint32_t>(op.access);
    const auto end = [&](std::size_t i) {
      return End{worker.rank, access, block(worker).channels[access][op.channels[i]]};
    };
    switch (op.kind) {
      case Kind::signal:
      case Kind::relaxed_signal:
        for (std::size_t i = 0; i < op.channels.size(); ++i) {
          if (op.access == Access::port) {
            ports_[end(i)].push_back({worker.rank, false, true, {}, {}, 0, Buffer::input});
          } else {
            ++signals_[other(end(i))];
          }
        }
        break;
      case Kind::wait:
      case Kind::relaxed_wait:
        if (signals_[end(0)] == 0) return false;
        --signals_[end(0)];
        break;
      case Kind::acquire:
        for (const std::uint32_t s : op.semaphores) {
          if (semaphore_[{worker.rank, s}] == 0) return false;
        }
        for (const std::uint32_t s : op.semaphores) --semaphore_[{worker.rank, s}];
        break;
      case Kind::release:
        for (const std::uint32_t s : op.semaphores) ++semaphore_[{worker.rank, s}];
        break;
      case Kind::copy:
        for (std::uint32_t c = 0; c < op.sources[0].size; ++c) {
          at(worker.rank, op.destinations[0].buffer, op.destinations[0].index + c) =
              at(worker.rank, op.sources[0].buffer, op.sources[0].index + c);
        }
        break;
      case Kind::reduce:
        for (std::uint32_t c = 0; c < op.sources[0].size; ++c) {
          std::uint64_t sum = 0;
          for (const Range& source : op.sources) sum += at(worker.rank, source.buffer, source.index + c);
          at(worker.rank, op.destinations[0].buffer, op.destinations[0].index + c) = sum;
        }
        break;
      case Kind::put:
      case Kind::put_signal:
      case Kind::put_signal_flush:
        put(worker, op);
        break;
      default:
        break;
    }
    ++worker.next;
    return true;
  }

  void put(const Worker& worker, const Operation& op) {
    for (std::size_t i = 0; i < op.sources.size(); ++i) {
      const Range& from = op.sources[i];
      const Range& to = op.destinations[i];
      const auto access = static_cast<std::size_t>(op.access);
      const RemoteBuffer& remote = plan_.gpus[worker.rank].remotes[block(worker).remotes[access][to.id]];
      const PortTask task{worker.rank, true, op.kind != Kind::put, from, to, remote.rank, remote.buffer};
      const std::uint32_t channel = op.access == Access::port ? block(worker).channels[1][op.channels[i]] : 0;
      std::pair<const End, std::deque<PortTask>> now{{worker.rank, 1, channel}, {task}};
      if (op.access == Access::port && op.kind != Kind::put_signal_flush) {
        ports_[now.first].push_back(task);
      } else {  // a flush waits for all before it
        if (op.access == Access::port) {
          while (serve(*ports_.try_emplace(now.first).first)) {
          }
        }
        serve(now);
      }
    }
  }

  std::string wrong_result() {
    const auto ranks = static_cast<std::uint32_t>(plan_.gpus.size());
    const std::uint32_t in = plan_.gpus[0].chunks[0];
    const std::uint32_t out = plan_.gpus[0].chunks[1];
    const auto sum = [&](std::uint32_t chunk) {
      std::uint64_t all = 0;
      for (std::uint32_t r = 0; r < ranks; ++r) all += input_of(r, chunk);
      return all;
    };
    std::uint32_t right = 0;
    for (std::uint32_t r = 0; r < ranks; ++r) {
      bool all = true;
      for (std::uint32_t c = 0; c < out; ++c) {
        const std::uint64_t found = at(r, Buffer::output, c);
        const std::string& what = plan_.collective;
        if (what == "allreduce" || what == "reduce") all = all && found == sum(c);
        if (what == "reducescatter") all = all && found == sum(r * out + c);
        if (what == "allgather") all = all && found == input_of(c / in, c % in);
        if (what == "alltoall") {
          const std::uint32_t share = in / ranks;
          all = all && found == input_of(c / share, r * share + c % share);
        }
        if (what == "broadcast") all = all && found == input_of(0, c);
      }
      right += all ? 1 : 0;
    }
    return right == ranks || (plan_.collective == "reduce" && right > 0) ? "" : "a result is wrong";
  }

  const Plan& plan_;
  std::mt19937_64 random_;
  std::vector<Worker> workers_;
  std::map<std::tuple<std::uint32_t, int, std::uint32_t>, std::uint64_t> memory_;
  std::map<End, std::uint64_t> signals_;
  std::map<End, std::deque<PortTask>> ports_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> semaphore_;
};

}  // namespace unknot::mscclpp::testing
