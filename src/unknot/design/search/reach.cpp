// SPDX-License-Identifier: Apache-2.0
#include "unknot/design/search/reach.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "unknot/network/builder.hpp"

namespace unknot {
namespace {

constexpr double kRounding = 1e-9;

/// Racks of the routers alone, with their terminals but without a cable.
Racks racks_of(std::uint32_t routers, const CableLimit& limit) {
  NetworkBuilder builder;
  builder.add_routers(routers);
  for (std::uint32_t r = 0; r < routers; ++r) {
    for (std::uint32_t i = 0; i < limit.terminals; ++i)
      builder.add_terminal(RouterId(r), static_cast<std::uint16_t>(i + 1));
  }
  return {std::move(builder).build(), limit.floor};
}

/// Of a floor of rows and columns: where a turn or a mirror brings a place.
using Motion = std::function<std::uint32_t(std::uint32_t row, std::uint32_t column)>;

/// Routers of each rack, in order; racks beyond the last are empty ones of the last row.
std::vector<std::vector<std::uint32_t>> routers_by_place(std::uint32_t routers, const Racks& racks,
                                                         std::uint32_t places) {
  std::vector<std::vector<std::uint32_t>> at(places);
  for (std::uint32_t r = 0; r < routers; ++r) at[racks.of(RouterId(r))].push_back(r);
  return at;
}

/// Nothing where the motion does not bring routers to as many, or leaves some in place that do not share out
/// among the copies.
std::optional<FloorSymmetry> symmetry_of(const std::vector<std::vector<std::uint32_t>>& at,
                                         std::uint32_t per_row, std::uint32_t order, const Motion& motion) {
  std::vector<std::vector<std::uint32_t>> copies(order);
  std::vector<bool> done(at.size(), false);
  for (std::uint32_t place = 0; place < at.size(); ++place) {
    if (done[place]) continue;
    std::vector<std::uint32_t> orbit;
    for (std::uint32_t p = place; !done[p]; p = motion(p / per_row, p % per_row)) {
      done[p] = true;
      orbit.push_back(p);
    }
    const auto size = static_cast<std::uint32_t>(orbit.size());
    const std::uint32_t rounds = order / size;  // an orbit is as long as the order, or a part of it
    if (at[place].size() % rounds != 0) return {};
    for (const std::uint32_t p : orbit) {
      if (at[p].size() != at[place].size()) return {};
    }
    for (std::size_t i = 0; i < at[place].size(); i += rounds) {
      for (std::uint32_t x = 0; x < order; ++x) copies[x].push_back(at[orbit[x % size]][i + x / size]);
    }
  }
  FloorSymmetry symmetry{.order = order, .number = {}};
  for (const std::vector<std::uint32_t>& copy : copies)
    symmetry.number.insert(symmetry.number.end(), copy.begin(), copy.end());
  return symmetry;
}

std::vector<FloorSymmetry> symmetries(std::uint32_t routers, const Racks& racks, const FloorPlan& floor) {
  const std::uint32_t columns = std::min(racks.per_row(), racks.count());
  const std::uint32_t rows = (racks.count() + columns - 1) / columns;
  const auto at = routers_by_place(routers, racks, rows * columns);
  const auto place = [columns](std::uint32_t row, std::uint32_t column) { return row * columns + column; };
  std::vector<FloorSymmetry> found;
  const auto add = [&](std::uint32_t order, const Motion& motion) {
    if (std::optional<FloorSymmetry> symmetry = symmetry_of(at, columns, order, motion))
      found.push_back(*std::move(symmetry));
  };
  if (rows == columns && floor.rack_width == floor.row_pitch)
    add(4, [&](std::uint32_t row, std::uint32_t column) { return place(column, rows - 1 - row); });
  add(2,
      [&](std::uint32_t row, std::uint32_t column) { return place(rows - 1 - row, columns - 1 - column); });
  if (rows > 1)
    add(2, [&](std::uint32_t row, std::uint32_t column) { return place(rows - 1 - row, column); });
  if (columns > 1 && rows > 1)
    add(2, [&](std::uint32_t row, std::uint32_t column) { return place(row, columns - 1 - column); });
  add(1, place);
  return found;
}

}  // namespace

LiftReach::LiftReach(FloorSymmetry symmetry, const Racks& racks, double longest)
    : symmetry_(std::move(symmetry)),
      base_(static_cast<std::uint32_t>(symmetry_.number.size()) / symmetry_.order),
      routers_(static_cast<std::uint32_t>(symmetry_.number.size())),
      near_(std::size_t{base_} * routers_, 0) {
  const std::vector<std::uint32_t>& number = symmetry_.number;
  first_.reserve(base_ + 1);
  first_.push_back(0);
  for (std::uint32_t from = 0; from < base_; ++from) {
    for (std::uint32_t to = 0; to < routers_; ++to) {
      const double metres = racks.metres(racks.of(RouterId(number[from])), racks.of(RouterId(number[to])));
      if (to == from || metres > longest + kRounding) continue;
      near_[std::size_t{from} * routers_ + to] = 1;
      ends_.push_back({to % base_, to / base_});
    }
    first_.push_back(ends_.size());
  }
}

std::vector<std::shared_ptr<const LiftReach>> lift_reaches(std::uint32_t routers, const CableLimit& limit) {
  const Racks racks = racks_of(routers, limit);
  std::vector<std::shared_ptr<const LiftReach>> reaches;
  for (FloorSymmetry& symmetry : symmetries(routers, racks, limit.floor))
    reaches.push_back(std::make_shared<LiftReach>(std::move(symmetry), racks, limit.longest));
  return reaches;
}

double least_mean_distance(std::uint32_t routers, std::uint32_t ports, const CableLimit& limit) {
  FloorSymmetry none{.order = 1, .number = std::vector<std::uint32_t>(routers)};
  std::iota(none.number.begin(), none.number.end(), 0U);
  const LiftReach reach(std::move(none), racks_of(routers, limit), limit.longest);
  std::uint64_t sum = 0;
  std::vector<std::uint32_t> distance(routers);
  std::vector<std::uint32_t> queue;
  for (std::uint32_t r = 0; r < routers; ++r) {
    std::fill(distance.begin(), distance.end(), routers);
    distance[r] = 0;
    queue.assign(1, r);
    std::uint64_t room = 1;   // routers that so many cables reach, by ports
    std::uint64_t width = 1;  // of the last of them
    std::uint64_t reached = 1;
    std::size_t head = 0;
    for (std::uint32_t d = 1; reached < routers; ++d) {
      // all that stand within d cables
      for (const std::size_t end = queue.size(); head < end && queue.size() < routers; ++head) {
        for (const LiftReach::End& to : reach.ends(queue[head])) {
          if (distance[to.router] != routers) continue;
          distance[to.router] = d;
          queue.push_back(to.router);
        }
      }
      width *= d == 1 ? ports : ports - 1;
      room = std::min<std::uint64_t>(routers, room + width);
      const std::uint64_t now = std::min<std::uint64_t>(room, queue.size());
      if (now == reached) return std::numeric_limits<double>::infinity();
      sum += (now - reached) * d;
      reached = now;
    }
  }
  return static_cast<double>(sum) / (static_cast<double>(routers) * (routers - 1));
}

}  // namespace unknot
