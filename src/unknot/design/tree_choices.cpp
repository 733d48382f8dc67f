// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "unknot/design/choices.hpp"
#include "unknot/support/solve/galois_field.hpp"
#include "unknot/topology/designs/linear_space.hpp"

// Networks whose terminals are on leaves. A leaf is balanced with as many cables up as terminals.

namespace unknot {
namespace {

std::string fattree2_spec(const ChoiceParameters& at) {
  const std::uint32_t leaves = at[0];
  const std::uint32_t spines = at[1];
  const std::uint32_t parallel = at[2];
  if (leaves % 2 == 0 && spines == leaves / 2 && parallel == 1) return fmt::format("fattree2:{}", leaves);
  const std::string bundles = parallel == 1 ? "" : fmt::format(",cables={}", parallel);
  return fmt::format("xgft:m={},w={}{}", leaves, spines, bundles);
}

/// Parameters: pods of `m1` leaves and `w1` routers above them, `pods` of them under `w1 w2` others by
/// bundles.
std::string fattree3_spec(const ChoiceParameters& at) {
  const auto [m1, pods, w1, w2, parallel] = at;
  if (pods == 2 * m1 && w1 == m1 && w2 == m1 && parallel == 1) return fmt::format("fattree3:{}", pods);
  const std::string bundles = parallel == 1 ? "" : fmt::format(",cables=1x{}", parallel);
  return fmt::format("xgft:m={}x{},w={}x{}{}", m1, pods, w1, w2, bundles);
}

DesignChoice three_levels(std::uint32_t m1, std::uint32_t pods, std::uint32_t w1, std::uint32_t w2,
                          std::uint32_t parallel) {
  const std::uint64_t leaves = std::uint64_t{m1} * pods;
  return {.spec = fattree3_spec,
          .parameters = {m1, pods, w1, w2, parallel},
          .carriers = leaves,
          .routers = leaves + std::uint64_t{w1} * pods + std::uint64_t{w1} * w2,
          .cables = leaves * w1 + std::uint64_t{w1} * pods * w2 * parallel,
          .degree = w1,
          .widest = std::max(m1 + w2 * parallel, pods * parallel),
          .balanced = static_cast<double>(w1),
          .standard = pods == 2 * m1 && w1 == m1 && w2 == m1 && parallel == 1 ? m1 : 0,
          .near = m1,  // of the pod
          .far = 4};
}

}  // namespace

void fattree2_choices(const DesignRule& rule, const VisitChoice& visit) {
  for (std::uint32_t p = 1; p < rule.radix; ++p) {
    const std::uint32_t up = least_balanced(rule, p);
    if (up + p > rule.radix) continue;
    const std::uint64_t leaves = rule.terminals == 0 ? rule.radix : quotient_up(rule.terminals, p);
    if (leaves > rule.radix) continue;
    const auto lower = static_cast<std::uint32_t>(std::max<std::uint64_t>(leaves, 2));
    for (std::uint32_t parallel = 1; parallel * lower <= rule.radix; ++parallel) {
      const auto spines = static_cast<std::uint32_t>(quotient_up(up, parallel));
      if (spines * parallel + p > rule.radix) continue;
      offer(rule,
            {.spec = fattree2_spec,
             .parameters = {lower, spines, parallel},
             .carriers = lower,
             .routers = std::uint64_t{lower} + spines,
             .cables = std::uint64_t{lower} * spines * parallel,
             .degree = spines * parallel,
             .widest = lower * parallel,
             .balanced = static_cast<double>(spines * parallel),
             .standard = lower % 2 == 0 && spines == lower / 2 && parallel == 1 ? spines : 0},
            visit);
    }
  }
}

void fattree3_choices(const DesignRule& rule, const VisitChoice& visit) {
  for (std::uint32_t p = 1; p < rule.radix; ++p) {
    const std::uint32_t w1 = least_balanced(rule, p);
    if (w1 + p > rule.radix) continue;
    for (std::uint32_t m1 = 1; 2 * m1 <= rule.radix; ++m1) {
      const std::uint64_t wanted = quotient_up(rule.terminals, std::uint64_t{p} * m1);
      if (wanted > rule.radix) continue;
      const auto pods =
          rule.terminals == 0 ? rule.radix : static_cast<std::uint32_t>(std::max<std::uint64_t>(wanted, 2));
      for (std::uint32_t parallel = 1; parallel * pods <= rule.radix; ++parallel) {
        const auto w2 = static_cast<std::uint32_t>(quotient_up(m1, parallel));
        if (m1 + w2 * parallel > rule.radix) continue;
        offer(rule, three_levels(m1, pods, w1, w2, parallel), visit);
      }
    }
  }
}

void oft_choices(const DesignRule& rule, const VisitChoice& visit) {
  for (std::uint32_t k = 2; 2 * k <= rule.radix; ++k) {
    if (k != 2 && !as_prime_power(k - 1)) continue;
    const std::uint64_t points = std::uint64_t{k} * (k - 1) + 1;
    offer(rule,
          {.spec = [](const ChoiceParameters& at) { return fmt::format("oft:{}", at[0]); },
           .parameters = {k},
           .carriers = 2 * points,
           .routers = 3 * points,
           .cables = 2 * points * k,
           .degree = k,
           .widest = 2 * k,
           .balanced = static_cast<double>(k),
           .standard = k},
          visit);
  }
}

void mlfm_choices(const DesignRule& rule, const VisitChoice& visit) {
  for (std::uint32_t h = 2; h < rule.radix; ++h) {
    const std::uint32_t most = most_terminals(rule, h, h);
    for (std::uint32_t p = rule.terminals == 0 ? most : 1; p <= most && p > 0; ++p) {
      const std::uint64_t layers =
          rule.terminals == 0 ? rule.radix / 2 : quotient_up(rule.terminals, std::uint64_t{p} * (h + 1));
      if (layers == 0 || 2 * layers > rule.radix) continue;
      const auto l = static_cast<std::uint32_t>(layers);
      const std::uint64_t locals = layers * (h + 1);
      offer(rule,
            {.spec =
                 [](const ChoiceParameters& at) {
                   return at[0] == at[1] ? fmt::format("mlfm:{}", at[0])
                                         : fmt::format("mlfm:h={},l={}", at[0], at[1]);
                 },
             .parameters = {h, l},
             .carriers = locals,
             .routers = locals + std::uint64_t{h} * (h + 1) / 2,
             .cables = locals * h,
             .degree = h,
             .widest = 2 * l,
             .balanced = static_cast<double>(h),
             .standard = h},
            visit);
    }
  }
}

/// Designs between the two: blocks of more than two points that are no projective plane.
void sspt_choices(const DesignRule& rule, const VisitChoice& visit) {
  for (std::uint32_t r1 = 4; r1 < rule.radix; ++r1) {
    const std::uint32_t most = most_terminals(rule, r1, r1);
    if (most == 0) continue;
    for (std::uint32_t r2 = 3; r2 < r1 && r2 <= rule.radix; ++r2) {
      const std::uint64_t points = std::uint64_t{r1} * (r2 - 1) + 1;
      const std::uint64_t copies =
          rule.terminals == 0 ? rule.radix / r2 : quotient_up(rule.terminals, points * most);
      if (copies * r2 > rule.radix || std::uint64_t{r1} * r2 > 60'000 || points * r1 % r2 != 0) continue;
      if (known_design(r1, r2).empty()) continue;
      offer(rule,
            {.spec =
                 [](const ChoiceParameters& at) {
                   const std::string own =
                       at[2] == std::max(1U, 2 * at[0] / at[1]) ? "" : fmt::format(",copies={}", at[2]);
                   return fmt::format("sspt:r1={},r2={}{}", at[0], at[1], own);
                 },
             .parameters = {r1, r2, static_cast<std::uint32_t>(copies)},
             .carriers = copies * points,
             .routers = copies * points + points * r1 / r2,
             .cables = copies * points * r1,
             .degree = r1,
             .widest = static_cast<std::uint32_t>(copies * r2),
             .balanced = static_cast<double>(r1),
             .standard = r1},
            visit);
    }
  }
}

}  // namespace unknot
