// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/packing/route_packing.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::size_t kMostEntries = std::size_t{1} << 29U;

}  // namespace

RoutePacking::RoutePacking(const Problem& problem, std::uint32_t steps, std::uint64_t seed)
    : problem_(&problem),
      steps_(steps),
      words_((steps + 63) / 64),
      resources_(problem),
      random_(seed),
      step_(problem.messages(), kNowhere),
      weight_(problem.messages() + std::size_t{1}, 1),
      mask_(words_),
      price_(steps) {
  for (std::uint32_t g = 0; g < problem.groups(); ++g) {
    for (const NodeId n : problem.partners(g)) {
      resources_.add_taken(problem.owner[g], n, taken_);
      owner_.push_back(g);
      first_.push_back(taken_.size());
    }
  }
  for (std::uint32_t r = 0; r < resources_.count(); ++r)
    slot_.push_back(slot_.back() + resources_.capacity(r));
  if (std::size_t{slot_.back()} * steps > kMostEntries)
    throw InputError("too many channels times steps: the schedule does not fit into memory");
  const std::uint32_t nobody = problem.messages();
  weight_[nobody] = 0;
  taker_.assign(std::size_t{slot_.back()} * steps, nobody);
  free_.assign(std::size_t{resources_.count()} * words_, ~std::uint64_t{0});
  if (steps % 64 != 0) {
    for (std::uint32_t r = 0; r < resources_.count(); ++r)
      free_[std::size_t{r} * words_ + words_ - 1] = (std::uint64_t{1} << steps % 64) - 1;
  }
  // Those that share most with others go first: they are the last ones in the list of those that wait.
  std::vector<std::uint64_t> load(resources_.count(), 0), shared(problem.messages(), 0);
  for (const std::uint32_t r : taken_) ++load[r];
  for (std::uint32_t m = 0; m < problem.messages(); ++m) {
    for (const std::uint32_t r : taken(m)) shared[m] += load[r] / resources_.capacity(r);
  }
  waiting_.resize(problem.messages());
  std::iota(waiting_.begin(), waiting_.end(), 0U);
  for (std::uint32_t i = problem.messages(); i > 1; --i)
    std::swap(waiting_[i - 1], waiting_[random_.below(i)]);
  std::stable_sort(waiting_.begin(), waiting_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return shared[a] < shared[b]; });
}

bool RoutePacking::begin_by_shifts() {
  std::vector<std::uint32_t> rank(problem_->graph->node_count(), 0);
  std::uint32_t ends = 0;
  const std::vector<Role> roles = problem_->roles();
  for (const NodeId n : problem_->graph->nodes()) {
    if (roles[n.value] != Role::switch_only) rank[n.value] = ends++;
  }
  std::vector<std::uint32_t> others;
  for (const std::uint32_t m : waiting_) {
    const std::uint32_t shift =
        rank[problem_->partner[m].value] + ends - rank[problem_->owner[owner_[m]].value];
    const std::uint32_t step = (shift % ends - 1) % steps_;
    if (is_free(m, step)) {
      put(m, step);
    } else {
      others.push_back(m);
    }
  }
  waiting_ = std::move(others);
  return run(0, [] { return false; });
}

bool RoutePacking::is_free(std::uint32_t message, std::uint32_t step) const {
  const auto all = taken(message);
  return std::all_of(all.begin(), all.end(), [&](std::uint32_t r) {
    return (free_[std::size_t{r} * words_ + step / 64] >> step % 64 & 1U) != 0;
  });
}

void RoutePacking::begin_with(std::span<const std::uint32_t> steps, std::uint32_t weight) {
  std::erase_if(waiting_, [&](std::uint32_t m) {
    if (steps[m] >= steps_ || !is_free(m, steps[m])) return false;
    put(m, steps[m]);
    weight_[m] = weight;
    return true;
  });
}

std::uint32_t RoutePacking::free_step(std::uint32_t message) {
  std::fill(mask_.begin(), mask_.end(), ~std::uint64_t{0});
  for (const std::uint32_t r : taken(message)) {
    const std::uint64_t* const free = free_.data() + std::size_t{r} * words_;
    for (std::uint32_t w = 0; w < words_; ++w) mask_[w] &= free[w];
  }
  std::uint32_t count = 0;
  for (const std::uint64_t word : mask_) count += static_cast<std::uint32_t>(std::popcount(word));
  if (count == 0) return kNowhere;
  std::uint32_t which = random_.below(count);
  for (std::uint32_t w = 0;; ++w) {
    const auto here = static_cast<std::uint32_t>(std::popcount(mask_[w]));
    if (which >= here) {
      which -= here;
      continue;
    }
    std::uint64_t word = mask_[w];
    for (; which > 0; --which) word &= word - 1;
    return w * 64 + static_cast<std::uint32_t>(std::countr_zero(word));
  }
}

std::uint32_t RoutePacking::weakest_slot(std::uint32_t resource, std::uint32_t step) const {
  std::uint32_t weakest = kNowhere, least = 0xFFFFFFFFU;
  for (std::uint32_t slot = slot_[resource]; slot < slot_[resource + 1]; ++slot) {
    const std::uint32_t who = taker_[at(slot, step)];
    if (who == problem_->messages()) return kNowhere;
    if (weight_[who] < least) {
      least = weight_[who];
      weakest = slot;
    }
  }
  return weakest;
}

std::uint32_t RoutePacking::cheapest_step(std::uint32_t message) {
  std::fill(price_.begin(), price_.end(), 0U);
  for (const std::uint32_t r : taken(message)) {
    if (resources_.capacity(r) == 1) {
      const std::uint32_t* const row = taker_.data() + at(slot_[r], 0);
      for (std::uint32_t s = 0; s < steps_; ++s) price_[s] += weight_[row[s]];
      continue;
    }
    for (std::uint32_t s = 0; s < steps_; ++s) {
      const std::uint32_t slot = weakest_slot(r, s);
      if (slot != kNowhere) price_[s] += weight_[taker_[at(slot, s)]];
    }
  }
  work_ += taken(message).size() * steps_;
  std::uint32_t best = 0, alike = 0;
  for (std::uint32_t s = 0; s < steps_; ++s) {
    if (price_[s] > price_[best]) continue;
    if (price_[s] < price_[best]) alike = 0;
    if (random_.below(++alike) == 0) best = s;
  }
  return best;
}

void RoutePacking::set_free(std::uint32_t resource, std::uint32_t step) {
  std::uint64_t& word = free_[std::size_t{resource} * words_ + step / 64];
  const std::uint64_t bit = std::uint64_t{1} << step % 64;
  word = weakest_slot(resource, step) == kNowhere ? word | bit : word & ~bit;
}

void RoutePacking::put(std::uint32_t message, std::uint32_t step) {
  for (const std::uint32_t r : taken(message)) {
    std::uint32_t slot = slot_[r];
    while (taker_[at(slot, step)] != problem_->messages()) ++slot;
    taker_[at(slot, step)] = message;
    set_free(r, step);
  }
  step_[message] = step;
  ++insertions_;
}

void RoutePacking::take_out(std::uint32_t message) {
  const std::uint32_t step = step_[message];
  for (const std::uint32_t r : taken(message)) {
    std::uint32_t slot = slot_[r];
    while (taker_[at(slot, step)] != message) ++slot;
    taker_[at(slot, step)] = problem_->messages();
    set_free(r, step);
  }
  step_[message] = kNowhere;
  waiting_.push_back(message);
}

void RoutePacking::throw_out(std::uint32_t message, std::uint32_t step) {
  for (const std::uint32_t r : taken(message)) {
    const std::uint32_t slot = weakest_slot(r, step);
    if (slot != kNowhere) take_out(taker_[at(slot, step)]);
  }
}

bool RoutePacking::run(std::uint64_t work, const std::function<bool()>& stop) {
  constexpr std::uint32_t kAsk = 256;
  const std::uint64_t until = work_ + work;
  std::uint32_t turn = 0;
  const auto keep_best = [&] {
    if (waiting_.size() >= best_waiting_) return;
    best_waiting_ = static_cast<std::uint32_t>(waiting_.size());
    best_ = step_;
  };
  bool first = true;
  while (!waiting_.empty() && work_ < until && (turn++ % kAsk != 0 || !stop())) {
    // Once in order, then by chance.
    if (!first)
      std::swap(waiting_[random_.below(static_cast<std::uint32_t>(waiting_.size()))], waiting_.back());
    const std::uint32_t message = waiting_.back();
    std::uint32_t step = free_step(message);
    if (step == kNowhere) {
      keep_best();  // before it gets worse
      first = false;
      step = cheapest_step(message);
      ++weight_[message];
      waiting_.pop_back();
      throw_out(message, step);
    } else {
      waiting_.pop_back();
    }
    put(message, step);
  }
  keep_best();
  return waiting_.empty();
}

Schedule RoutePacking::schedule() const {
  std::vector<std::vector<std::uint32_t>> in_step(steps_);
  for (std::uint32_t m = 0; m < best_.size(); ++m) {
    if (best_[m] != kNowhere) in_step[best_[m]].push_back(m);
  }
  Schedule schedule;
  for (const auto& messages : in_step) {
    schedule.add_step();
    for (const std::uint32_t m : messages) {
      const NodeId owner = problem_->owner[owner_[m]];
      schedule.add(owner, problem_->routes->path(owner, problem_->partner[m]));
    }
  }
  return schedule;
}

}  // namespace unknot
