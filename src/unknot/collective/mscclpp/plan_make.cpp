// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/mscclpp/plan_make.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <unordered_map>

#include "unknot/collective/mscclpp/plan_draft.hpp"
#include "unknot/support/error.hpp"

namespace unknot::mscclpp {
namespace {

constexpr std::size_t kMostTogether = 24;  // items of one message: more need a second one

class PlanMaker {
 public:
  PlanMaker(const RankMoves& moves, const PlanOptions& options)
      : moves_(moves),
        options_(options),
        drafts_(moves.ranks()),
        scratch_(moves.ranks(), 0),
        track_(moves.ranks()) {}

  Plan run(std::string name) {
    for (std::uint32_t step = 0; step + 1 < moves_.step_first.size(); ++step) {
      for (std::uint32_t m = moves_.step_first[step]; m < moves_.step_first[step + 1]; ++m) {
        const RankMoves::Move& move = moves_.moves[m];
        const std::span<const std::uint32_t> all = moves_.items_of(move);
        for (std::size_t i = 0; i < all.size(); i += kMostTogether)
          send(move, all.subspan(i, std::min(kMostTogether, all.size() - i)));
      }
      for (const auto& [key, place] : changed_) place_[key] = place;
      changed_.clear();
    }
    for (std::uint32_t rank = 0; rank < moves_.ranks(); ++rank) finish(rank);
    return plan(std::move(name));
  }

 private:
  struct Place {
    Buffer buffer = Buffer::input;
    std::uint32_t index = 0;
    std::uint32_t parts = 0;  ///< ranks whose contributions it has; 0: none
  };
  struct Lane {
    std::uint32_t from, to, sender, receiver;  // ranks, and their thread blocks
  };
  struct Track {
    std::optional<Mark> written;
    std::vector<Mark> read;
  };
  struct Pair {
    Range from, other, to;  // other: the second source of what is combined
  };

  static std::uint64_t key(std::uint32_t rank, std::uint32_t item) {
    return std::uint64_t{rank} << 32U | item;
  }
  [[nodiscard]] Access access(std::uint32_t a, std::uint32_t b) const {
    return options_.box.empty() || options_.box[a] == options_.box[b] ? Access::memory : Access::port;
  }

  [[nodiscard]] Place held(std::uint32_t rank, std::uint32_t item, bool begun) const {
    if (begun) {
      if (const auto found = changed_.find(key(rank, item)); found != changed_.end()) return found->second;
    }
    if (const auto found = place_.find(key(rank, item)); found != place_.end()) return found->second;
    const RankMoves::Item& row = moves_.items[item];
    const bool has = row.origin == RankMoves::kAll || row.origin == rank;
    return {Buffer::input, row.input, has ? 1U : 0U};
  }
  [[nodiscard]] std::uint32_t complete(std::uint32_t item) const {
    return moves_.items[item].origin == RankMoves::kAll ? moves_.ranks() : 1;
  }
  [[nodiscard]] bool wants(std::uint32_t rank, std::uint32_t item) const {
    const std::uint32_t target = moves_.items[item].target;
    return target == RankMoves::kAll || target == rank;
  }

  /// Where memory is written and read; in place, input and output are one.
  Track& track(std::uint32_t rank, Buffer buffer, std::uint32_t index) {
    if (options_.in_place && buffer != Buffer::scratch) {
      if (moves_.collective == msccl::Collective::reduce_scatter) {
        if (buffer == Buffer::output) index += rank * moves_.output_chunks;
      } else {
        if (buffer == Buffer::input && moves_.collective == msccl::Collective::allgather)
          index += rank * moves_.input_chunks;
      }
      buffer = Buffer::output;
    }
    return track_[rank][std::uint64_t{static_cast<std::uint8_t>(buffer)} << 32U | index];
  }

  const Lane& lane(std::uint32_t from, std::uint32_t to, std::uint32_t items) {
    std::vector<Lane>& all = lanes_[{from, to}];
    constexpr std::uint32_t kSending = 8;  // around the puts: waits for others, ends, tells
    constexpr std::uint32_t kReceiving = 12;
    if (!all.empty() && drafts_[from].size(all.back().sender) + items + kSending <= kMostOperations &&
        drafts_[to].size(all.back().receiver) + items + kReceiving <= kMostOperations)
      return all.back();
    const Lane made{from, to, drafts_[from].add_block(), drafts_[to].add_block()};
    drafts_[from].add(made.sender, on_channel(Kind::relaxed_wait, access(from, to)));
    drafts_[from].add(made.sender, {});
    drafts_[to].add(made.receiver, on_channel(Kind::relaxed_signal, access(from, to)));
    all.push_back(made);
    return all.back();
  }

  static Operation on_channel(Kind kind, Access access) {
    Operation op;
    op.kind = kind;
    op.access = access;
    op.channels = {0};  // the thread block has one
    return op;
  }

  /// Ranges that follow each other become one.
  static std::vector<Pair> joined(const std::vector<Pair>& pairs, bool combined) {
    std::vector<Pair> result;
    const auto behind = [](const Range& a, const Range& b) {
      return a.buffer == b.buffer && a.id == b.id && a.index + a.size == b.index;
    };
    for (const Pair& pair : pairs) {
      if (!result.empty() && behind(result.back().from, pair.from) && behind(result.back().to, pair.to) &&
          (!combined || behind(result.back().other, pair.other))) {
        for (Range* range : {&result.back().from, &result.back().other, &result.back().to})
          range->size += pair.from.size;
      } else {
        result.push_back(pair);
      }
    }
    return result;
  }

  void send(const RankMoves::Move& move, std::span<const std::uint32_t> items) {
    const Lane at = lane(move.from, move.to, static_cast<std::uint32_t>(items.size()));
    std::vector<Pair> puts, sums;
    std::vector<Mark> before;
    std::vector<Track*> read;
    std::vector<Place> landed;
    for (const std::uint32_t item : items) {
      const RankMoves::Item& row = moves_.items[item];
      const Place from = held(move.from, item, false);
      if (from.parts == 0) throw InputError("MSCCL++: a message is sent by a GPU that does not have it");
      const Place own = held(move.to, item, true);
      const bool sum = move.combines && own.parts > 0;
      Place to{Buffer::scratch, 0, from.parts + (sum ? own.parts : 0)};
      const bool final =
          to.parts == complete(item) && wants(move.to, item) && filled_.insert({move.to, item}).second;
      const std::uint32_t slot = scratch_[move.to];
      if (sum || !final) scratch_[move.to] += row.chunks;
      if (final) {
        to.buffer = Buffer::output;
        to.index = row.output;
      } else {
        to.index = slot;
      }
      const Place first = sum ? Place{Buffer::scratch, slot, 0} : to;
      puts.push_back({local(from, row.chunks), {}, remote(first, row.chunks)});
      if (sum) sums.push_back({local(own, row.chunks), local(first, row.chunks), local(to, row.chunks)});
      Track& source = track(move.from, from.buffer, from.index);
      if (source.written) before.push_back(*source.written);
      read.push_back(&source);
      landed.push_back(to);
      changed_[key(move.to, item)] = to;
    }
    put(at, joined(puts, false), before, read);
    receive(at, items, landed, sums);
  }

  static Range local(const Place& place, std::uint32_t size) {
    return {Range::Where::local, place.buffer, 0, place.index, size};
  }
  /// Buffers of the peer have their names as numbers, until the plan is put together.
  static Range remote(const Place& place, std::uint32_t size) {
    return {Range::Where::remote, place.buffer, static_cast<std::uint32_t>(place.buffer), place.index, size};
  }

  void put(const Lane& at, const std::vector<Pair>& pairs, const std::vector<Mark>& before,
           const std::vector<Track*>& read) {
    GpuDraft& draft = drafts_[at.from];
    draft.wait_for(at.sender, before);
    const Access by = access(at.from, at.to);
    if (by == Access::port) {
      for (const Pair& pair : pairs) {
        Operation op = on_channel(&pair == &pairs.back() ? Kind::put_signal : Kind::put, by);
        if (options_.in_place && op.kind == Kind::put_signal) op.kind = Kind::put_signal_flush;
        op.sources = {pair.from};
        op.destinations = {pair.to};
        draft.add(at.sender, std::move(op));
      }
      if (!options_.in_place) return;
      const Mark done = draft.meet(at.sender);
      for (Track* one : read) one->read.push_back(done);
      return;
    }
    Operation op;
    op.kind = Kind::put;
    op.access = by;
    for (const Pair& pair : pairs) {
      if (!op.sources.empty() &&
          (op.sources.size() == kMostChannelsAtOnce || op.sources[0].buffer != pair.from.buffer)) {
        draft.add(at.sender, op);
        op.sources.clear();
        op.destinations.clear();
      }
      op.sources.push_back(pair.from);
      op.destinations.push_back(pair.to);
    }
    draft.add(at.sender, std::move(op));
    const Mark done = draft.meet(at.sender);
    for (Track* one : read) one->read.push_back(done);
    draft.add(at.sender, on_channel(Kind::signal, by));
  }

  void receive(const Lane& at, std::span<const std::uint32_t> items, const std::vector<Place>& landed,
               const std::vector<Pair>& sums) {
    GpuDraft& draft = drafts_[at.to];
    draft.add(at.receiver, on_channel(Kind::wait, access(at.from, at.to)));
    const Mark come = draft.meet(at.receiver);
    if (sums.empty()) {
      for (std::size_t i = 0; i < items.size(); ++i) {
        Track& there = track(at.to, landed[i].buffer, landed[i].index);
        there.written = come;
        there.read.clear();
      }
      return;
    }
    std::vector<Mark> before;
    for (const Pair& sum : sums) {
      const Track& own = track(at.to, sum.from.buffer, sum.from.index);
      if (own.written) before.push_back(*own.written);
      const Track& there = track(at.to, sum.to.buffer, sum.to.index);
      if (there.written) before.push_back(*there.written);
      before.insert(before.end(), there.read.begin(), there.read.end());
    }
    draft.wait_for(at.receiver, before);
    for (const Pair& sum : joined(sums, true)) {
      Operation op;
      op.kind = Kind::reduce;
      op.sources = {sum.from, sum.other};
      op.destinations = {sum.to};
      draft.add(at.receiver, std::move(op));
    }
    const Mark done = draft.meet(at.receiver);
    for (const Pair& sum : sums) track(at.to, sum.from.buffer, sum.from.index).read.push_back(done);
    for (std::size_t i = 0; i < items.size(); ++i) {
      Track& there = track(at.to, landed[i].buffer, landed[i].index);
      there.written = done;
      there.read.clear();
    }
  }

  /// What is where it has to be: what a rank has for itself is copied there.
  void finish(std::uint32_t rank) {
    std::vector<Pair> copies;
    std::vector<Mark> before;
    for (std::uint32_t item = 0; item < moves_.items.size(); ++item) {
      if (!wants(rank, item) || filled_.contains({rank, item})) continue;
      const RankMoves::Item& row = moves_.items[item];
      const Place place = held(rank, item, false);
      if (place.parts == 0) continue;  // find_fault() names it
      Track& from = track(rank, place.buffer, place.index);
      Track& to = track(rank, Buffer::output, row.output);
      if (&from == &to) continue;  // in place
      if (from.written) before.push_back(*from.written);
      before.insert(before.end(), to.read.begin(), to.read.end());
      copies.push_back({local(place, row.chunks), {}, local({Buffer::output, row.output, 0}, row.chunks)});
    }
    if (copies.empty()) return;
    GpuDraft& draft = drafts_[rank];
    std::uint32_t block = draft.add_block();
    draft.wait_for(block, before);
    for (const Pair& pair : joined(copies, false)) {
      if (draft.size(block) == kMostOperations) {
        block = draft.add_block();
        draft.wait_for(block, before);
      }
      Operation op;
      op.kind = Kind::copy;
      op.sources = {pair.from};
      op.destinations = {pair.to};
      draft.add(block, std::move(op));
    }
  }

  Plan plan(std::string name) {
    Plan result;
    result.name = std::move(name);
    result.collective = msccl::name_of(moves_.collective);
    result.in_place = options_.in_place;
    result.gpus.resize(moves_.ranks());
    std::vector<Lane> all;
    for (const auto& [ends, lanes] : lanes_) all.insert(all.end(), lanes.begin(), lanes.end());
    // the same order at both ends: the n-th channel of one is the n-th of the other
    std::stable_sort(all.begin(), all.end(), [](const Lane& a, const Lane& b) {
      const auto ends = [](const Lane& l) {
        return std::tuple(std::min(l.from, l.to), std::max(l.from, l.to), l.from);
      };
      return ends(a) < ends(b);
    });
    for (std::uint32_t rank = 0; rank < moves_.ranks(); ++rank) {
      Gpu& gpu = result.gpus[rank];
      gpu.chunks = {moves_.input_chunks, moves_.output_chunks, scratch_[rank]};
      gpu.semaphores.assign(drafts_[rank].semaphores(), 0);
      if (drafts_[rank].blocks() > kMostBlocksMade) {
        throw InputError(
            fmt::format("MSCCL++: GPU {} needs {} thread blocks, which must all run at once: at most {} do",
                        rank, drafts_[rank].blocks(), kMostBlocksMade));
      }
      gpu.blocks.resize(drafts_[rank].blocks());
      for (std::uint32_t b = 0; b < gpu.blocks.size(); ++b)
        gpu.blocks[b].operations = drafts_[rank].operations(b);
    }
    for (const Lane& at : all) {
      const auto by = static_cast<std::size_t>(access(at.from, at.to));
      connect(result.gpus[at.from], at.sender, by, at.to);
      connect(result.gpus[at.to], at.receiver, by, at.from);
      name_remotes(result.gpus[at.from], at, by);
    }
    return result;
  }

  static void connect(Gpu& gpu, std::uint32_t block, std::size_t by, std::uint32_t peer) {
    gpu.blocks[block].channels[by] = {static_cast<std::uint32_t>(gpu.peers[by].size())};
    gpu.peers[by].push_back(peer);
  }

  /// Puts numbers in place of the peer's buffers, and flushes the last put of a port: its source is the
  /// caller's again when the plan ends.
  static void name_remotes(Gpu& gpu, const Lane& at, std::size_t by) {
    ThreadBlock& block = gpu.blocks[at.sender];
    std::array<std::uint32_t, 3> id{};
    id.fill(RankMoves::kAll);
    Operation* last = nullptr;
    for (Operation& op : block.operations) {
      if (op.kind == Kind::put_signal || op.kind == Kind::put_signal_flush) last = &op;
      for (Range& range : op.destinations) {
        if (range.where != Range::Where::remote) continue;
        std::uint32_t& here = id[range.id];
        if (here == RankMoves::kAll) {
          here = static_cast<std::uint32_t>(block.remotes[by].size());
          block.remotes[by].push_back(remote_of(gpu, at.to, range.buffer, by));
        }
        range.id = here;
        range.buffer = Buffer::input;  // not said of a remote one
      }
    }
    if (last != nullptr) last->kind = Kind::put_signal_flush;
  }

  static std::uint32_t remote_of(Gpu& gpu, std::uint32_t rank, Buffer buffer, std::size_t by) {
    for (std::uint32_t i = 0; i < gpu.remotes.size(); ++i) {
      if (gpu.remotes[i].rank == rank && gpu.remotes[i].buffer == buffer && gpu.remotes[i].by[by]) return i;
    }
    RemoteBuffer& made = gpu.remotes.emplace_back();
    made.rank = rank;
    made.buffer = buffer;
    made.by[by] = true;
    return static_cast<std::uint32_t>(gpu.remotes.size()) - 1;
  }

  const RankMoves& moves_;
  const PlanOptions& options_;
  std::vector<GpuDraft> drafts_;                                                // by rank
  std::vector<std::uint32_t> scratch_;                                          // by rank: chunks
  std::vector<std::map<std::uint64_t, Track>> track_;                           // by rank: where they stay
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Lane>> lanes_;  // by ends
  std::unordered_map<std::uint64_t, Place> place_, changed_;                    // before the step, and in it
  std::set<std::pair<std::uint32_t, std::uint32_t>> filled_;  // rank, item: the output has it
};

}  // namespace

Plan make_plan(const RankMoves& moves, std::string name, const PlanOptions& options) {
  if (options.in_place && moves.collective == msccl::Collective::all_to_all)
    throw InputError("MSCCL++: an alltoall in place would overwrite what is still to be sent");
  Plan plan = PlanMaker(moves, options).run(std::move(name));
  if (const auto fault = find_fault(plan)) throw InputError("MSCCL++: " + *fault);
  return plan;
}

}  // namespace unknot::mscclpp
