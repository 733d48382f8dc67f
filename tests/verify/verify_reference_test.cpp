// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "effort.hpp"
#include "unknot/verify/verify.hpp"
#include "verify/random_routings.hpp"
#include "verify/reference_checker.hpp"

namespace unknot {
namespace {

using testing::Outcome;
using testing::Vertex;

Outcome outcome_of(Finding::Kind kind) {
  switch (kind) {
    case Finding::Kind::unreachable:
      return Outcome::none;
    case Finding::Kind::stray_port:
      return Outcome::stray;
    case Finding::Kind::loop:
      return Outcome::loop;
    case Finding::Kind::missing_service_level:
      return Outcome::missing;
    case Finding::Kind::dropped_lane:
      return Outcome::dropped;
  }
  return Outcome::delivered;
}

void expect_same(const Network& network, const testing::Reference& reference, const Verdict& verdict,
                 std::uint32_t max_findings) {
  const std::uint64_t terminals = network.terminal_count();
  EXPECT_EQ(verdict.pairs, terminals == 0 ? 0 : terminals * (terminals - 1));
  EXPECT_EQ(verdict.unroutable_pairs, reference.unroutable);
  EXPECT_EQ(verdict.looping_pairs, reference.looping);
  EXPECT_EQ(verdict.longer_pairs, reference.longer);
  EXPECT_EQ(verdict.total_hops, reference.total_hops);
  EXPECT_EQ(verdict.max_hops, reference.max_hops);
  EXPECT_EQ(verdict.lanes_used, reference.lanes());
  EXPECT_EQ(verdict.dependencies, reference.arc_count());
  const std::size_t girth = reference.girth();
  EXPECT_EQ(verdict.deadlock_free, girth == 0);
  ASSERT_EQ(verdict.witness.has_value(), girth != 0);
  EXPECT_EQ(verdict.certificate.has_value(), girth == 0);

  ASSERT_EQ(verdict.findings.size(), std::min<std::uint64_t>(reference.unroutable, max_findings));
  for (const Finding& finding : verdict.findings) {
    EXPECT_EQ(outcome_of(finding.kind), reference.paths.at({finding.source, finding.destination}).outcome);
  }
  if (girth == 0) return;
  const std::vector<WitnessStep>& steps = verdict.witness->steps;
  ASSERT_EQ(steps.size(), girth);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const WitnessStep& step = steps[i];
    const LaneChannel to = steps[(i + 1) % steps.size()].from;
    const std::vector<Vertex>& hops = reference.paths.at({step.source, step.destination}).hops;
    const Vertex arc[] = {{step.from.channel.value, step.from.lane}, {to.channel.value, to.lane}};
    EXPECT_NE(std::search(hops.begin(), hops.end(), std::begin(arc), std::end(arc)), hops.end());
  }
}

bool same(const Verdict& a, const Verdict& b) {
  const auto finding = [](const Finding& x, const Finding& y) {
    return x.kind == y.kind && x.source == y.source && x.destination == y.destination && x.at == y.at;
  };
  const auto step = [](const WitnessStep& x, const WitnessStep& y) {
    return x.from == y.from && x.source == y.source && x.destination == y.destination;
  };
  const auto& wa = a.witness ? a.witness->steps : std::vector<WitnessStep>{};
  const auto& wb = b.witness ? b.witness->steps : std::vector<WitnessStep>{};
  return a.unroutable_pairs == b.unroutable_pairs && a.looping_pairs == b.looping_pairs &&
         a.longer_pairs == b.longer_pairs && a.total_hops == b.total_hops && a.max_hops == b.max_hops &&
         a.lanes_used == b.lanes_used && a.dependencies == b.dependencies &&
         a.deadlock_free == b.deadlock_free && a.certificate.has_value() == b.certificate.has_value() &&
         (!a.certificate || a.certificate->number == b.certificate->number) &&
         std::equal(a.findings.begin(), a.findings.end(), b.findings.begin(), b.findings.end(), finding) &&
         std::equal(wa.begin(), wa.end(), wb.begin(), wb.end(), step);
}

TEST(Verify, AgreesWithWalkingEveryPairAtAnyNumberOfThreads) {
  std::uint32_t cyclic = 0;
  std::uint32_t broken = 0;
  std::uint32_t looping = 0;
  std::uint32_t dropped = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(seed);
    const testing::RandomCase made = testing::random_case(seed);
    const testing::Reference reference = testing::reference_check(made.network, made.routing);
    Progress silent;
    VerifyOptions options;
    options.threads = 1;
    options.certificate = true;
    options.max_findings = static_cast<std::uint32_t>(seed % 7) * 3;
    const Verdict verdict = verify(made.network, made.routing, options, silent);
    expect_same(made.network, reference, verdict, options.max_findings);
    if (HasFailure()) return;
    for (const std::uint32_t threads : {2U, 3U}) {
      options.threads = threads;
      ASSERT_TRUE(same(verdict, verify(made.network, made.routing, options, silent))) << threads;
    }
    std::string why;
    if (verdict.certificate) {
      ASSERT_TRUE(check_certificate(made.network, made.routing, *verdict.certificate, &why)) << why;
    }
    cyclic += verdict.deadlock_free ? 0 : 1;
    broken += verdict.complete() ? 0 : 1;
    looping += verdict.loop_free() ? 0 : 1;
    for (const Finding& finding : verdict.findings)
      dropped += finding.kind == Finding::Kind::dropped_lane ? 1 : 0;
  }
  // The family has to reach every branch, or the comparison says little.
  EXPECT_GT(cyclic, 100U);
  EXPECT_GT(broken, 300U);
  EXPECT_GT(looping, 100U);
  EXPECT_GT(dropped, 20U);
}

TEST(Verify, AgreesWhereDestinationsFillSeveralGroups) {
  for (std::uint64_t seed = 0; seed < (fewer_cases() ? 2 : 12); ++seed) {
    SCOPED_TRACE(seed);
    // Every third case has routers with more terminals than a group holds.
    const testing::RandomCase made =
        seed % 3 == 0 ? testing::random_case(seed, 4, 200) : testing::random_case(seed, 30, 20);
    const testing::Reference reference = testing::reference_check(made.network, made.routing);
    Progress silent;
    VerifyOptions options;
    options.threads = 1;
    options.certificate = true;
    const Verdict verdict = verify(made.network, made.routing, options, silent);
    expect_same(made.network, reference, verdict, options.max_findings);
    for (const std::uint32_t threads : {2U, 3U}) {
      options.threads = threads;
      ASSERT_TRUE(same(verdict, verify(made.network, made.routing, options, silent))) << threads;
    }
  }
}

TEST(Verify, AgreesOnTablesOfTwoBytesAnEntry) {
  Random random(5);
  Network network = testing::star(260);
  Routing routing = testing::shortest_paths(network, 1);
  ASSERT_EQ(routing.table().width(), 2U);
  testing::damage(network, routing, random);
  Progress silent;
  VerifyOptions options;
  options.certificate = true;
  expect_same(network, testing::reference_check(network, routing), verify(network, routing, options, silent),
              options.max_findings);
}

}  // namespace
}  // namespace unknot
