// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/adaptive/adaptive_verdict.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "effort.hpp"
#include "verify/random_relations.hpp"
#include "verify/reference_relation.hpp"

namespace unknot {
namespace {

using Buffer = ReferenceRelation::Buffer;

AdaptiveVerdict verdict_of(const RandomRelation& one, bool committed = false, std::uint32_t threads = 1) {
  Progress silent;
  AdaptiveVerifyOptions options;
  options.certificate = true;
  options.committed = committed;
  options.threads = threads;
  return verify_adaptive(one.network, one.routing, options, silent);
}

/// The packets of the witness may come to where they stand, and wait for the set alone.
void expect_witness(const ReferenceRelation& reference, const AdaptiveVerdict& verdict) {
  ASSERT_FALSE(verdict.witness.empty());
  std::set<Buffer> set;
  for (const BlockedPacket& packet : verdict.witness)
    set.insert({packet.holds.channel.value, packet.holds.lane});
  EXPECT_EQ(set.size(), verdict.witness.size());
  for (const BlockedPacket& packet : verdict.witness) {
    const Buffer at{packet.holds.channel.value, packet.holds.lane};
    const ReferenceRelation::Packet which{packet.packets.level, packet.packets.adaptive,
                                          packet.destination.value};
    ASSERT_TRUE(reference.heads.contains(at));
    EXPECT_TRUE(reference.heads.at(at).contains(which));
    EXPECT_TRUE(packet.source.valid());
    EXPECT_NE(packet.source, packet.destination);
    if (!verdict.committed) {
      EXPECT_TRUE(reference.blocked(at, which, set));
    }
    ASSERT_FALSE(packet.waits_for.empty());
    const ReferenceRelation::Next next = reference.next(at, which);
    for (const LaneChannel& to : packet.waits_for) {
      const Buffer waited{to.channel.value, to.lane};
      EXPECT_TRUE(set.contains(waited));
      EXPECT_THAT(next.buffers, testing::Contains(waited));
    }
  }
}

TEST(AdaptiveVerdict, AgreesWithBruteForceOnRandomRelations) {
  constexpr std::uint64_t cases = 10'000;
  std::uint32_t free = 0;
  std::uint32_t escape = 0;
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    SCOPED_TRACE(seed);
    const RandomRelation one = random_relation(seed, 8);
    const ReferenceRelation reference(one.network, one.routing);
    const AdaptiveVerdict verdict = verdict_of(one);
    EXPECT_EQ(verdict.lost_destinations, reference.lost.size());
    EXPECT_EQ(verdict.looping_destinations, reference.looping.size());
    if (verdict.delivers()) {
      EXPECT_EQ(verdict.max_hops, reference.max_hops);
      EXPECT_EQ(verdict.minimal, !reference.longer);
      EXPECT_EQ(verdict.max_distance, reference.max_distance);
    } else {
      EXPECT_FALSE(verdict.findings.empty());
    }
    EXPECT_EQ(verdict.method == AdaptiveMethod::acyclic, reference.acyclic());
    EXPECT_EQ(verdict.deadlock_free(), reference.greatest_closed().empty());
    if (const auto some = reference.some_closed()) {
      EXPECT_EQ(verdict.deadlock_free(), !*some);
    }
    const AdaptiveVerdict committed = verdict_of(one, true);
    EXPECT_EQ(committed.deadlock_free(), reference.acyclic());
    free += verdict.deadlock_free() ? 1 : 0;
    escape += verdict.method == AdaptiveMethod::escape ? 1 : 0;
    if (!verdict.deadlock_free()) expect_witness(reference, verdict);
    if (!committed.deadlock_free()) expect_witness(reference, committed);
    if (HasFailure()) return;
  }
  // Each verdict is met often enough to mean something.
  EXPECT_GT(free, cases / 4);
  EXPECT_LT(free, cases - cases / 10);
  EXPECT_GT(escape, cases / 100);
  RecordProperty("free", static_cast<int>(free));
  RecordProperty("escape", static_cast<int>(escape));
}

TEST(AdaptiveVerdict, NoRelationThatIsProvenFreeComesToADeadlock) {
  const std::uint64_t cases = fewer_cases() ? 400 : 4000;
  constexpr std::size_t kStates = 20'000;
  int explored = 0;
  int may = 0;
  int does = 0;
  int escape = 0;
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    SCOPED_TRACE(seed);
    const RandomRelation one = random_relation(seed, 4);
    const ReferenceRelation reference(one.network, one.routing);
    const AdaptiveVerdict verdict = verdict_of(one);
    const std::optional<bool> reachable = reference.deadlock_reachable(kStates);
    if (!reachable) continue;
    ++explored;
    escape += verdict.method == AdaptiveMethod::escape ? 1 : 0;
    if (verdict.deadlock_free()) {
      EXPECT_FALSE(*reachable);
    } else {
      ++may;
      does += *reachable ? 1 : 0;
    }
    if (HasFailure()) return;
  }
  RecordProperty("explored", explored);
  RecordProperty("escape", escape);
  RecordProperty("may_deadlock", may);
  RecordProperty("does_deadlock", does);
  EXPECT_GT(does, 0);
}

TEST(AdaptiveVerdict, CertificatesHoldAndWrongOnesDoNot) {
  const std::uint64_t cases = fewer_cases() ? 500 : 3000;
  int refused = 0;
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    SCOPED_TRACE(seed);
    const RandomRelation one = random_relation(seed, 8);
    for (const bool committed : {false, true}) {
      const AdaptiveVerdict verdict = verdict_of(one, committed);
      ASSERT_EQ(verdict.certificate.has_value(), verdict.deadlock_free());
      if (!verdict.certificate) continue;
      std::string why;
      EXPECT_TRUE(
          check_adaptive_certificate(one.network, one.routing, *verdict.certificate, committed, 1, &why))
          << why;
      // Numbers turned round prove nothing, but where no packet waits for another.
      Certificate wrong = *verdict.certificate;
      for (std::uint32_t& number : wrong.number)
        if (number != Certificate::kUnused) number = 1'000'000 - number;
      const bool holds = check_adaptive_certificate(one.network, one.routing, wrong, committed, 1, &why);
      EXPECT_EQ(holds, verdict.dependencies == 0) << why;
      refused += holds ? 0 : 1;
      wrong = *verdict.certificate;
      const auto used = std::find_if(wrong.number.begin(), wrong.number.end(),
                                     [](std::uint32_t number) { return number != Certificate::kUnused; });
      if (used != wrong.number.end()) {
        *used = Certificate::kUnused;
        EXPECT_FALSE(check_adaptive_certificate(one.network, one.routing, wrong, committed, 1, &why));
        EXPECT_FALSE(why.empty());
      }
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(refused, 0);
}

TEST(AdaptiveVerdict, IsTheSameOnAnyNumberOfThreads) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const RandomRelation one = random_relation(seed, 8);
    const AdaptiveVerdict a = verdict_of(one, false, 1);
    const AdaptiveVerdict b = verdict_of(one, false, 3);
    EXPECT_EQ(a.dependencies, b.dependencies);
    EXPECT_EQ(a.method, b.method);
    EXPECT_EQ(a.findings.size(), b.findings.size());
    ASSERT_EQ(a.witness.size(), b.witness.size());
    for (std::size_t i = 0; i < a.witness.size(); ++i)
      EXPECT_EQ(describe(one.network, a.witness[i]), describe(one.network, b.witness[i]));
    EXPECT_EQ(a.certificate.has_value(), b.certificate.has_value());
    if (a.certificate && b.certificate) {
      EXPECT_EQ(a.certificate->number, b.certificate->number);
    }
  }
}

}  // namespace
}  // namespace unknot
