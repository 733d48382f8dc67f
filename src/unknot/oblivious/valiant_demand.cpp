// SPDX-License-Identifier: Apache-2.0
#include "unknot/oblivious/valiant_demand.hpp"

#include <algorithm>

#include "unknot/network/bfs.hpp"
#include "unknot/network/connectivity.hpp"

namespace unknot {

ValiantDemand::ValiantDemand(const Network& network, const RouterDemand& demand) : demand_(&demand) {
  find_parts(network);
  find_weights();
  add_up();
}

void ValiantDemand::find_parts(const Network& network) {
  constexpr std::uint32_t kUnnumbered = 0xFFFFFFFFU;
  const RouterParts strong = strongly_connected_parts(network);
  std::vector<std::uint32_t> number(strong.count, kUnnumbered);
  std::vector<RouterId> first;  // by part
  part_.reserve(endpoints().count());
  for (const RouterId r : endpoints().all()) {
    std::uint32_t& part = number[strong.part[r.value]];
    if (part == kUnnumbered) {
      part = parts_++;
      first.push_back(r);
      members_.push_back(0);
    }
    part_.push_back(part);
    ++members_[part];
  }
  reach_.assign(std::size_t{parts_} * parts_, 0);
  BreadthFirstSearch search(network);
  for (std::uint32_t p = 0; p < parts_; ++p) {
    const std::span<const std::uint32_t> distance = search.from(first[p]);
    for (std::uint32_t to = 0; to < parts_; ++to) {
      reach_[p * std::size_t{parts_} + to] =
          distance[first[to].value] == BreadthFirstSearch::kUnreached ? 0 : 1;
    }
  }
}

void ValiantDemand::find_weights() {
  weight_.assign(reach_.size(), 0);
  for (std::uint32_t from = 0; from < parts_; ++from) {
    double* between = weight_.data() + from * std::size_t{parts_};  // endpoint routers, both ends counted
    for (std::uint32_t middle = 0; middle < parts_; ++middle) {
      if (!reaches(from, middle)) continue;
      for (std::uint32_t to = 0; to < parts_; ++to) {
        if (reaches(middle, to)) between[to] += members_[middle];
      }
    }
    for (std::uint32_t to = 0; to < parts_; ++to) between[to] = between[to] > 2 ? 1 / (between[to] - 2) : 0;
  }
}

void ValiantDemand::add_up() {
  const std::uint32_t count = endpoints().count();
  // Weighted sums over the other end's part first, then over what an intermediate's part reaches.
  std::vector<double> to_part(count * std::size_t{parts_}, 0);
  std::vector<double> from_part(count * std::size_t{parts_}, 0);
  std::vector<double> rate(count);
  for (std::uint32_t d = 0; d < count; ++d) {
    demand_->column(d, rate);
    for (std::uint32_t s = 0; s < count; ++s) {
      const double each = rate[s] * weight(part_[s], part_[d]);
      to_part[s * std::size_t{parts_} + part_[d]] += each;
      from_part[d * std::size_t{parts_} + part_[s]] += each;
    }
  }
  sent_.assign(to_part.size(), 0);
  received_.assign(to_part.size(), 0);
  for (std::uint32_t e = 0; e < count; ++e) {
    const std::size_t row = e * std::size_t{parts_};
    for (std::uint32_t middle = 0; middle < parts_; ++middle) {
      for (std::uint32_t end = 0; end < parts_; ++end) {
        if (reaches(middle, end)) sent_[row + middle] += to_part[row + end];
        if (reaches(end, middle)) received_[row + middle] += from_part[row + end];
      }
    }
  }
}

void ValiantDemand::column(std::uint32_t destination, std::span<double> rate) const {
  demand_->column(destination, rate);
  const std::uint32_t to = part_[destination];
  const double* received = received_.data() + destination * std::size_t{parts_};
  for (std::uint32_t s = 0; s < rate.size(); ++s) {
    const std::uint32_t from = part_[s];
    if (s == destination || !reaches(from, to)) {
      rate[s] = 0;
      continue;
    }
    const double sum = sent_[s * std::size_t{parts_} + to] + received[from];
    // Rounding must not leave a negative rate where a router has a single partner.
    rate[s] = std::max(0.0, sum - 2 * rate[s] * weight(from, to));
  }
}

}  // namespace unknot
