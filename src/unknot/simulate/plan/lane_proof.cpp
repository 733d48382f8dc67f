// SPDX-License-Identifier: Apache-2.0
#include "unknot/simulate/plan/lane_proof.hpp"

#include <fmt/format.h>

#include "unknot/oblivious/oblivious_verdict.hpp"
#include "unknot/oblivious/path_lengths.hpp"
#include "unknot/verify/adaptive/adaptive_verdict.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot::simulate {
namespace {

std::string flow_control_words(FlowControl flow_control) {
  return flow_control == FlowControl::bubble ? "bubble flow control" : "credit flow control";
}

/// All lanes as one. Its verdict is about credits: bubbles are kept lane by lane.
Routing on_one_lane(Routing routing) {
  routing.service_levels = ServiceLevels();
  routing.lane_map.reset();
  routing.virtual_lanes = 1;
  routing.lanes_needed = 1;
  routing.flow_control = FlowControl::credits;
  return routing;
}

void state(LaneProof& proof, bool any_lane, const std::string& lanes) {
  if (!any_lane) {
    proof.statement =
        fmt::format("{} deadlock-free on {}", proof.deadlock_free ? "proven" : "NOT proven", lanes);
  } else if (proof.deadlock_free) {
    proof.statement = "proven deadlock-free whatever lanes packets take: the channels alone have no cycle";
  } else {
    proof.statement = "NOT proven deadlock-free: packets take any lane, and the channels alone have a cycle";
  }
}

std::string counted_lanes(std::uint32_t lanes) {
  return fmt::format("{} lane{}", lanes, lanes == 1 ? "" : "s");
}

}  // namespace

LaneProof prove_lanes(const Network& network, const Routing& routing, bool any_lane, std::uint32_t threads,
                      Progress& progress) {
  VerifyOptions options;
  options.threads = threads;
  const Verdict verdict = verify(network, any_lane ? on_one_lane(routing) : routing, options, progress);
  LaneProof proof;
  proof.deadlock_free = verdict.deadlock_free;
  proof.unroutable_pairs = verdict.unroutable_pairs;
  if (verdict.witness) proof.witness = describe(network, *verdict.witness);
  state(proof, any_lane,
        fmt::format("{} under {}", counted_lanes(routing.virtual_lanes),
                    flow_control_words(verdict.flow_control)));
  return proof;
}

LaneProof prove_lanes(const Network& network, const AdaptiveRouting& routing, bool committed,
                      std::uint32_t threads, Progress& progress) {
  AdaptiveVerifyOptions options;
  options.threads = threads;
  options.committed = committed;
  const AdaptiveVerdict verdict = verify_adaptive(network, routing, options, progress);
  LaneProof proof;
  proof.deadlock_free = verdict.deadlock_free();
  const std::string lanes = counted_lanes(verdict.lanes_used);
  switch (verdict.method) {
    case AdaptiveMethod::acyclic:
      proof.statement = fmt::format("proven deadlock-free on {}: no cycle over all choices", lanes);
      break;
    case AdaptiveMethod::escape:
      proof.statement = fmt::format("proven deadlock-free on {} by an escape, one of the choices", lanes);
      break;
    case AdaptiveMethod::none:
      proof.statement =
          fmt::format("NOT proven deadlock-free on {}: {} buffers can block each other for ever", lanes,
                      verdict.witness.size());
      break;
  }
  if (!verdict.delivers()) {
    proof.statement += fmt::format("; packets to {} destinations may be lost, to {} go in circles",
                                   verdict.lost_destinations, verdict.looping_destinations);
  }
  for (const BlockedPacket& packet : verdict.witness) proof.witness += describe(network, packet) + "\n";
  return proof;
}

LaneProof prove_lanes(const Network& network, const AdaptiveChoice& choice, std::uint32_t threads,
                      Progress& progress) {
  const bool any_lane = choice.lane_scheme == "any";
  const bool minimal = choice.kind == RoutePlan::Kind::minimal;
  const PathLengths lengths =
      path_lengths(network, minimal ? ObliviousPaths::minimal : ObliviousPaths::valiant, threads, progress);
  const LaneScheme scheme = make_lane_scheme(lengths, any_lane ? "single" : choice.lane_scheme);
  ObliviousVerifyOptions options;
  options.threads = threads;
  options.most_listed_paths = 0;
  const ObliviousVerdict verdict = verify_oblivious(network, lengths, scheme, options, progress);
  LaneProof proof;
  proof.deadlock_free = verdict.deadlock_free;
  proof.unroutable_pairs = verdict.unroutable_pairs;
  if (verdict.witness) proof.witness = describe(network, *verdict.witness);
  std::string lanes = fmt::format("{} by scheme {}", counted_lanes(scheme.lanes), scheme.name);
  if (choice.ugal.progressive > 0)
    lanes += fmt::format(" behind {} of hops before", counted_lanes(choice.ugal.progressive));
  state(proof, any_lane, lanes + " under credit flow control");
  return proof;
}

}  // namespace unknot::simulate
