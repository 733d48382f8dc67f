// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/adaptive/group_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "unknot/support/error.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot {
namespace {

constexpr std::uint16_t kNotYet = 0xFFFF;

/// One router's groups towards all destinations.
class RowOfGroups {
 public:
  RowOfGroups(const Network& network, const GroupDistances& distances, const std::vector<std::uint8_t>& up)
      : network_(network),
        distances_(distances),
        up_(up),
        words_((network.max_out_degree() + 63) / 64),
        masks_(distances.destinations.size() * words_) {}

  void write(RouterId r, const ForwardingTable* fixed, AdaptivePlane& plane) {
    find_masks(r);
    groups_.clear();
    choice_of_.clear();
    group_of_mask_.clear();
    const std::span<std::uint16_t> row = plane.row(r);
    for (std::size_t d = 0; d < distances_.destinations.size(); ++d) {
      const RouterId destination = distances_.destinations[d];
      const IdRange<TerminalId> terminals = network_.terminals_at(destination);
      if (destination == r) {
        std::fill_n(row.begin() + terminals.first(), terminals.size(), AdaptivePlane::kHere);
        continue;
      }
      const std::uint32_t group = group_of(r, d, plane);
      const std::vector<std::uint16_t>& members = groups_[group];
      if (members.empty()) {
        std::fill_n(row.begin() + terminals.first(), terminals.size(), AdaptivePlane::kNone);
        continue;
      }
      std::vector<std::uint16_t>& choices = choice_of_[group];
      // By turns; from router to router one further, so that no member is the first of all.
      auto turn = static_cast<std::uint32_t>(d % members.size());
      for (const TerminalId t : terminals) {
        std::uint32_t member = turn;
        if (fixed != nullptr) member = member_of(members, fixed->get(r, t), turn);
        if (choices[member] == kNotYet) {
          choices[member] = plane.add_choice(
              r, members.size() == 1 ? Choice{ChoiceKind::fixed, members.front(), 0}
                                     : Choice{ChoiceKind::adaptive, members[member], number_[group]});
        }
        row[t.value] = choices[member];
        if (++turn == members.size()) turn = 0;
      }
    }
  }

 private:
  static std::uint32_t member_of(const std::vector<std::uint16_t>& members, std::uint32_t position,
                                 std::uint32_t otherwise) {
    const auto found = std::lower_bound(members.begin(), members.end(), position);
    if (found == members.end() || *found != position) return otherwise;
    return static_cast<std::uint32_t>(found - members.begin());
  }

  /// By destination, a bit for each channel of its group.
  void find_masks(RouterId r) {
    std::fill(masks_.begin(), masks_.end(), 0);
    const std::size_t count = distances_.destinations.size();
    const std::uint16_t* mine = distances_.row(r).data();
    const IdRange<ChannelId> out = network_.out(r);
    for (std::uint32_t i = 0; i < out.size(); ++i) {
      const std::uint16_t* there = distances_.row(network_.target(out[i])).data();
      std::uint64_t* masks = masks_.data() + (i / 64) * count;
      const std::uint32_t bit = i % 64;
      if (!up_.empty() && up_[out[i].value] != 0) {
        // A way that begins upwards may go on upwards or downwards.
        for (std::size_t d = 0; d < count; ++d) {
          const bool on =
              (mine[d] & 1U) != 0 && mine[d] < GroupDistances::kFar && (there[d] | 1U) + 2U == mine[d];
          masks[d] |= std::uint64_t{on} << bit;
        }
      } else {
        for (std::size_t d = 0; d < count; ++d) {
          const bool on = (mine[d] & 1U) == 0 && mine[d] < GroupDistances::kFar && there[d] + 2U == mine[d];
          masks[d] |= std::uint64_t{on} << bit;
        }
      }
    }
  }

  std::uint32_t group_of(RouterId r, std::size_t d, AdaptivePlane& plane) {
    const std::size_t count = distances_.destinations.size();
    mask_.resize(words_);
    for (std::size_t word = 0; word < words_; ++word) mask_[word] = masks_[word * count + d];
    const auto [found, fresh] = group_of_mask_.try_emplace(mask_, static_cast<std::uint32_t>(groups_.size()));
    if (fresh) {
      std::vector<std::uint16_t> members;
      for (std::uint32_t i = 0; i < network_.out(r).size(); ++i)
        if ((mask_[i / 64] >> i % 64 & 1U) != 0) members.push_back(static_cast<std::uint16_t>(i));
      choice_of_.emplace_back(members.size(), kNotYet);
      number_.resize(groups_.size() + 1);
      number_[groups_.size()] = members.size() < 2 ? 0 : plane.add_group(r, members);
      groups_.push_back(std::move(members));
    }
    return found->second;
  }

  const Network& network_;
  const GroupDistances& distances_;
  const std::vector<std::uint8_t>& up_;
  std::size_t words_;
  std::vector<std::uint64_t> masks_;  // by word, then destination
  std::vector<std::uint64_t> mask_;
  std::map<std::vector<std::uint64_t>, std::uint32_t> group_of_mask_;
  std::vector<std::vector<std::uint16_t>> groups_;     // positions
  std::vector<std::uint32_t> number_;                  // of the plane's groups
  std::vector<std::vector<std::uint16_t>> choice_of_;  // by group and member
};

}  // namespace

GroupDistances::GroupDistances(const Network& network) {
  destinations = network.endpoint_routers();
  distance.assign(static_cast<std::size_t>(network.router_count()) * destinations.size(), kFar);
}

AdaptivePlane group_plane(const Network& network, const GroupDistances& distances,
                          const std::vector<std::uint8_t>& up, const ForwardingTable* fixed,
                          std::uint32_t threads, Progress& progress) {
  if (network.max_out_degree() >= Choice::kStray)
    throw InputError(fmt::format("adaptive groups hold at most {} channels of a router", Choice::kStray));
  AdaptivePlane plane = AdaptivePlane::unfilled(network);
  progress.begin("making groups", network.router_count());
  constexpr std::uint32_t kRouters = 32;
  parallel_blocks(network.router_count(), kRouters, threads,
                  [&](std::uint32_t, std::uint32_t begin, std::uint32_t end) {
                    RowOfGroups row(network, distances, up);
                    for (RouterId r(begin); r.value < end; ++r.value) row.write(r, fixed, plane);
                  });
  return plane;
}

}  // namespace unknot
