// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "unknot/simulate/core/engine.hpp"

namespace unknot::simulate {

/// Which routers a core simulates: `own` of the parts that a network is divided into.
struct PartOf {
  const std::vector<std::uint8_t>& of_router;  ///< by router: its part. Outlives the core
  std::uint32_t parts = 1;
  std::uint8_t own = 0;
};

/// Places of the buffers in front of input lanes, and packets: what the laws of the model count. The sum over
/// parts is that of the whole.
struct LawCounts {
  std::vector<std::int64_t> places;  ///< by input lane as the core numbers them, and by terminals' lanes
  std::uint64_t packets = 0, live = 0;
};

/// An engine of some of a network's routers, which advances together with those of the others. Nothing that a
/// router does is felt by another sooner than lookahead() steps later: that long the parts need not know of
/// each other. What they send each other lies in mail boxes, of which there are two for each pair, so that
/// one is read while the other is filled. [Chandy and Misra 1979; conservative, with windows of time]
class PartEngine : public Engine {
 public:
  /// Steps that what is sent to another part takes at least. 0xFFFFFFFF where nothing is ever sent.
  [[nodiscard]] virtual std::uint32_t lookahead() const = 0;
  /// Runs steps [from, to); nothing is to happen between where the last call ended and `from`. Mail goes to
  /// boxes number `turn`, 0 or 1. The first step at or after `to` in which something is to happen, to whom
  /// mail was sent included; kNothing where there is none.
  virtual std::uint64_t run_window(std::uint64_t from, std::uint64_t to, std::uint32_t turn) = 0;
  static constexpr std::uint64_t kNothing = ~std::uint64_t{0};
  /// Takes what `from`, a part of the same run, has sent to this one in boxes `turn`.
  virtual void take_mail(PartEngine& from, std::uint32_t turn) = 0;

  [[nodiscard]] virtual LawCounts law_counts() const = 0;
  /// As Engine::broken_law(), of the sum of all parts.
  [[nodiscard]] virtual std::string law_broken_by(const LawCounts& counts) const = 0;
};

/// As make_engine(), of a part, for what may be divided: divisible().
std::unique_ptr<PartEngine> make_part(const RoutePlan& plan, const Settings& settings, const LinkTimes& links,
                                      Source& source, const PartOf& part);

}  // namespace unknot::simulate
