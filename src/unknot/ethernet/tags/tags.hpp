// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unknot/ethernet/pauses/failures.hpp"
#include "unknot/ethernet/pauses/waits.hpp"

namespace unknot::ethernet {

/// What a switch does with the tag of a lossless packet that came by one port and goes on by another: a tag
/// is the lossless queue that the packet is in.
enum class TagRule : std::uint8_t { keep, raise };

struct PortPairRule {
  std::uint32_t channel = 0;  ///< by which it comes
  std::uint32_t next = 0;     ///< by which it goes on
  TagRule rule = TagRule::keep;
  auto operator<=>(const PortPairRule&) const = default;  // NOLINT(modernize-use-nullptr): a false positive
};

/// Lossless queues that make a fabric safe whatever its tables do (Tagger: Hu et al., CoNEXT 2017). Packets
/// of hosts begin with tag 1; between two ports that no rule names, and beyond the last tag, a packet goes on
/// without protection (lossy), so that it cannot hold up others.
struct Tags {
  std::uint32_t queues = 1;         ///< tags are 1 to that
  std::vector<PortPairRule> rules;  ///< ascending
  /// False: ways through some circle of the tables were too many, and their packets are not protected.
  bool all_expected = true;
  /// No rules that keep or raise tags, by ports and tag, protect with fewer queues than that.
  std::uint32_t least = 1;
  /// None by ports alone, which these are, do; no less than `least`.
  std::uint32_t least_by_ports = 1;

  /// No rules by ports and tag with fewer queues keep all expected packets from loss.
  [[nodiscard]] bool fewest() const { return all_expected && least == queues; }
};

/// Rules under which all packets keep their protection that get out of the fabric without coming to a switch
/// twice as the same flow, with all links and, where `failures` are given, with each one of the links of
/// these down. `dependencies` are Waits::hops(). Queues are as few as keeping what can be kept gives: one
/// where there is no cycle, which is proven, and two are where there is one; for
/// fabrics that would need more several orders are tried, and then fewer queues are asked for exactly
/// (rules_suffice()), if they are small. O(flows * pairs of channels) where that has cycles or loops, but for
/// the search.
Tags make_tags(const Forwarding& forwarding, const Usage& usage, const std::vector<std::uint64_t>& hops,
               const Failures* failures, std::uint32_t threads, Progress& progress);

/// True when the rules are safe whatever the tables do, as ports that keep the tag form no cycle, and when
/// they keep every packet from loss that gets out without coming to a switch twice, with all links and with
/// each of `links` down: followed from every source, tag by tag; without `all_expected` not looked at. `why`
/// (optional) gets one sentence where not. Shares nothing with make_tags(). O(links * destinations * pairs of
/// channels).
bool check_tags(const Forwarding& forwarding, const Tags& tags, const std::vector<std::uint32_t>& links,
                std::string* why);

}  // namespace unknot::ethernet
