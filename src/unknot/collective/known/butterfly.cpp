// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/known/butterfly.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <stdexcept>

namespace unknot {

Butterfly::Butterfly(const KnownCase& which, Pairing pairing) : which_(which), pairing_(std::move(pairing)) {
  if (which.collective != RankCollective::broadcast) which_.root = 0;
  std::vector<std::uint8_t> holds(std::size_t{paired()} * paired());
  for (std::uint32_t v = 0; v < paired(); ++v) holds[std::size_t{v} * paired() + v] = 1;
  moves_ = spread(std::move(holds));
}

std::uint32_t Butterfly::rank(std::uint32_t v) const {
  return rank_at(v < others() ? 2 * v : v + others());
}

std::vector<std::uint32_t> Butterfly::ranks_of(std::uint32_t v) const {
  return v < others() ? std::vector<std::uint32_t>{rank(v), other(v)} : std::vector<std::uint32_t>{rank(v)};
}

Butterfly::Moves Butterfly::spread(std::vector<std::uint8_t> holds) const {
  Moves moves(steps());
  for (std::uint32_t s = steps(); s-- > 0;) {
    const std::vector<std::uint8_t> before = holds;
    for (std::uint32_t v = 0; v < paired(); ++v) {
      const std::uint32_t to = pairing_[s][v];
      if (to == v) continue;
      Move move{v, to, {}};
      for (std::uint32_t item = 0; item < paired(); ++item) {
        if (before[std::size_t{v} * paired() + item] == 0 || before[std::size_t{to} * paired() + item] != 0)
          continue;
        move.items.push_back(item);
        holds[std::size_t{to} * paired() + item] = 1;
      }
      moves[s].push_back(std::move(move));
    }
  }
  if (std::find(holds.begin(), holds.end(), 0) != holds.end())
    throw std::logic_error("a pairing by which not everyone reaches everyone");
  return moves;
}

std::vector<std::uint32_t> Butterfly::blocks_of(const std::vector<std::uint32_t>& items) const {
  if (which_.collective == RankCollective::all_reduce || which_.collective == RankCollective::broadcast)
    return items;  // pieces
  std::vector<std::uint32_t> blocks;
  for (const std::uint32_t item : items) {
    for (const std::uint32_t r : ranks_of(item)) blocks.push_back(r);
  }
  return blocks;
}

void Butterfly::hand_over(RankDraft& draft, const std::vector<std::uint32_t>& blocks) const {
  const std::uint32_t round = draft.rounds();
  const bool sums = which_.collective != RankCollective::all_gather;
  for (std::uint32_t v = 0; v < others(); ++v)
    draft.add(round, {other(v), rank(v), sums}, sums ? blocks : std::vector<std::uint32_t>{other(v)});
}

void Butterfly::reduce(RankDraft& draft) const {
  const std::uint32_t first = draft.rounds();
  for (std::uint32_t s = 0; s < steps(); ++s) {
    for (const Move& move : moves_[s])
      draft.add(first + s, {rank(move.to), rank(move.from), true}, blocks_of(move.items));
  }
}

void Butterfly::gather(RankDraft& draft, const Moves& moves) const {
  const std::uint32_t first = draft.rounds();
  for (std::uint32_t s = steps(); s-- > 0;) {
    for (const Move& move : moves[s])
      draft.add(first + steps() - 1 - s, {rank(move.from), rank(move.to), false}, blocks_of(move.items));
  }
}

void Butterfly::hand_back(RankDraft& draft) const {
  const std::uint32_t round = draft.rounds();
  std::vector<std::uint32_t> items(paired());
  std::iota(items.begin(), items.end(), 0);
  for (std::uint32_t v = 0; v < others(); ++v) {
    std::vector<std::uint32_t> blocks{other(v)};
    if (which_.collective != RankCollective::reduce_scatter) {
      blocks = blocks_of(items);
      if (which_.collective == RankCollective::all_gather) std::erase(blocks, other(v));
    }
    draft.add(round, {rank(v), other(v), false}, blocks);
  }
}

void Butterfly::scatter_and_gather(RankDraft& draft) const {
  // Pieces go the ways of sums, from the root alone, and all who passed one on keep it.
  std::vector<std::uint8_t> holds(std::size_t{paired()} * paired());
  std::fill(holds.begin(), holds.begin() + paired(), 1);
  for (std::uint32_t s = 0; s < steps(); ++s) {
    const std::vector<std::uint8_t> before = holds;
    for (const Move& move : moves_[s]) {
      std::vector<std::uint32_t> pieces;
      for (const std::uint32_t item : move.items) {
        if (before[std::size_t{move.to} * paired() + item] == 0) continue;
        if (before[std::size_t{move.from} * paired() + item] != 0) continue;
        pieces.push_back(item);
        holds[std::size_t{move.from} * paired() + item] = 1;
      }
      draft.add(s, {rank(move.to), rank(move.from), false}, pieces);
    }
  }
  gather(draft, spread(std::move(holds)));
}

void Butterfly::pass_on(RankDraft& draft) const {
  const std::uint32_t ranks = which_.ranks;
  for (std::uint32_t v = 0; v < others(); ++v) {
    std::vector<std::uint32_t> blocks;
    for (std::uint32_t to = 0; to < ranks; ++to) {
      if (to != other(v)) blocks.push_back(other(v) * ranks + to);
    }
    draft.add(0, {other(v), rank(v), false}, blocks);
  }
  const std::uint32_t first = draft.rounds();
  // By rank and by where they go: the blocks that have come so far.
  std::vector<std::vector<std::uint32_t>> waiting(std::size_t{paired()} * paired());
  for (std::uint32_t v = 0; v < paired(); ++v) {
    for (std::uint32_t item = 0; item < paired(); ++item) {
      for (const std::uint32_t from : ranks_of(v)) {
        for (const std::uint32_t to : ranks_of(item)) {
          if (from != to) waiting[std::size_t{v} * paired() + item].push_back(from * ranks + to);
        }
      }
    }
  }
  for (std::uint32_t s = 0; s < steps(); ++s) {
    std::vector<std::vector<std::uint32_t>> sent;
    for (const Move& move : moves_[s]) {
      std::vector<std::uint32_t> blocks;
      for (const std::uint32_t item : move.items) {
        std::vector<std::uint32_t>& here = waiting[std::size_t{move.to} * paired() + item];
        blocks.insert(blocks.end(), here.begin(), here.end());
      }
      draft.add(first + s, {rank(move.to), rank(move.from), false}, blocks);
    }
    // What somebody sends goes away for good: nobody gets blocks for where it sends in the same step.
    for (const Move& move : moves_[s]) {
      for (const std::uint32_t item : move.items) {
        std::vector<std::uint32_t>& here = waiting[std::size_t{move.to} * paired() + item];
        std::vector<std::uint32_t>& there = waiting[std::size_t{move.from} * paired() + item];
        there.insert(there.end(), here.begin(), here.end());
        here.clear();
      }
    }
  }
  const std::uint32_t last = draft.rounds();
  for (std::uint32_t v = 0; v < others(); ++v) {
    std::vector<std::uint32_t> blocks;
    for (std::uint32_t from = 0; from < ranks; ++from) {
      if (from != other(v)) blocks.push_back(from * ranks + other(v));
    }
    draft.add(last, {rank(v), other(v), false}, blocks);
  }
}

RankSchedule Butterfly::in_blocks() const {
  const bool pieces =
      which_.collective == RankCollective::all_reduce || which_.collective == RankCollective::broadcast;
  RankDraft draft(which_.collective, which_.ranks, pieces ? paired() : 1, which_.root);
  std::vector<std::uint32_t> all(pieces ? paired() : which_.ranks);
  std::iota(all.begin(), all.end(), 0);
  switch (which_.collective) {
    case RankCollective::all_reduce:
      hand_over(draft, all);
      reduce(draft);
      gather(draft, moves_);
      hand_back(draft);
      break;
    case RankCollective::reduce_scatter:
      hand_over(draft, all);
      reduce(draft);
      hand_back(draft);
      break;
    case RankCollective::all_gather:
      hand_over(draft, all);
      gather(draft, moves_);
      hand_back(draft);
      break;
    case RankCollective::broadcast:
      scatter_and_gather(draft);
      hand_back(draft);
      break;
    case RankCollective::all_to_all:
      pass_on(draft);
      break;
  }
  return std::move(draft).build();
}

RankSchedule Butterfly::whole() const {
  const bool sums = which_.collective == RankCollective::all_reduce;
  RankDraft draft(which_.collective, which_.ranks, 1, which_.root);
  const std::vector<std::uint32_t> vector{0};
  if (sums) hand_over(draft, vector);
  const std::uint32_t first = draft.rounds();
  std::vector<std::uint8_t> has(paired());
  has[0] = 1;
  for (std::uint32_t i = 0; i < steps(); ++i) {
    const std::vector<std::uint32_t>& peer = pairing_[sums ? i : steps() - 1 - i];
    const std::vector<std::uint8_t> before = has;
    for (std::uint32_t v = 0; v < paired(); ++v) {
      if (peer[v] == v || (!sums && (before[v] == 0 || before[peer[v]] != 0))) continue;
      has[peer[v]] = 1;
      draft.add(first + i, {rank(v), rank(peer[v]), sums}, vector);
    }
  }
  const std::uint32_t last = draft.rounds();
  for (std::uint32_t v = 0; v < others(); ++v) draft.add(last, {rank(v), other(v), false}, vector);
  return std::move(draft).build();
}

Pairing xor_pairing(std::uint32_t paired, bool near_first) {
  Pairing pairing;
  for (std::uint32_t distance = paired / 2; distance > 0; distance /= 2) {
    std::vector<std::uint32_t>& peer = pairing.emplace_back(paired);
    for (std::uint32_t v = 0; v < paired; ++v) peer[v] = v ^ distance;
  }
  if (near_first) std::reverse(pairing.begin(), pairing.end());
  return pairing;
}

Pairing swing_pairing(const std::vector<std::uint32_t>& extent) {
  std::uint32_t ranks = 1, most = 0;
  std::vector<std::uint32_t> stride(extent.size());
  for (std::size_t d = extent.size(); d-- > 0;) {
    stride[d] = ranks;
    ranks *= extent[d];
    most = std::max(most, static_cast<std::uint32_t>(std::bit_width(extent[d] - 1)));
  }
  Pairing pairing;
  std::int64_t rho = 0, power = 1;
  for (std::uint32_t s = 0; s < most; ++s, power *= -2) {
    rho += power;
    for (std::size_t d = 0; d < extent.size(); ++d) {
      if (s >= static_cast<std::uint32_t>(std::bit_width(extent[d] - 1))) continue;
      const auto size = static_cast<std::int64_t>(extent[d]);
      std::vector<std::uint32_t>& peer = pairing.emplace_back(ranks);
      for (std::uint32_t v = 0; v < ranks; ++v) {
        const std::int64_t at = v / stride[d] % extent[d];
        const std::int64_t on = ((at % 2 == 0 ? at + rho : at - rho) % size + size) % size;
        peer[v] = v + static_cast<std::uint32_t>(on - at) * stride[d];
      }
    }
  }
  return pairing;
}

}  // namespace unknot
