// SPDX-License-Identifier: Apache-2.0
#include "unknot/watch/follow/follower.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <string_view>
#include <utility>

#include "unknot/formats/fabric/fabric_catalogue.hpp"
#include "unknot/network/network_change.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/support/error.hpp"
#include "unknot/verify/transition/transition_check.hpp"
#include "unknot/watch/watch.hpp"

namespace unknot::watch {
namespace {

class Clock {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

FollowVerdict verdict_of(const Proof& proof) {
  if (!proof.deadlock_free || !proof.loop_free) return FollowVerdict::deadlock;
  return proof.whole() ? FollowVerdict::proven : FollowVerdict::lost;
}

/// What is in force after the action.
void set_verdict(const Proof& proof, FollowEvent& event) {
  event.verdict = verdict_of(proof);
  event.pairs = proof.data.pairs;
  event.lost_pairs = proof.lost();
  event.cut_pairs = proof.disconnected.count * proof.data.addresses;
  event.lanes = proof.lanes;
  event.max_load = proof.load.max;
  event.management = proof.management;
  if (proof.multicast)
    event.lost_multicast_pairs = proof.multicast->lost_pairs + proof.multicast->repeated_pairs;
}

/// Whether any mixture of both is free of deadlock; nothing where the checker of transitions takes them not.
std::optional<bool> together(const TablesInForce& old, const TablesInForce& now, std::uint32_t threads,
                             Progress& progress) {
  const Routing before = carried_over(old, now.own).data;
  for (const Routing* routing : {&before, &now.data}) {
    if (routing->lane_map != nullptr || !routing->further.empty()) return std::nullopt;
  }
  return verify_transition(now.network, before, now.data, threads, progress).deadlock_free;
}

/// Hosts that the first multicast tree leads to.
std::uint64_t hosts_in_tree(const TablesInForce& tables) {
  const MulticastTables* const trees = tables.all().multicast.get();
  if (trees == nullptr || trees->groups.empty()) return 0;
  return members(tables.network, trees->groups.front()).size();
}

/// "what has happened; what was done; what holds".
void finish_sentence(bool first, bool changed, const std::string& holds, FollowEvent& event) {
  std::string happened = first ? "the first dump" : changed ? "nothing that hurts" : "nothing has changed";
  if (!event.hurts.empty()) happened = fmt::format("{}", fmt::join(event.hurts, ", "));
  event.sentence = happened + (event.sentence.empty() ? "" : "; " + event.sentence) + "; " + holds;
}

}  // namespace

Follower::Follower(FollowOptions options, Progress& progress)
    : options_(std::move(options)), progress_(progress), state_(options_.state) {
  if (!options_.install.empty()) target_.emplace(options_.install);
  if (options_.request.engine == "clos")
    clos_.emplace(LiveOptions{options_.request.upkeep, options_.request.threads});
  last_ = state_.fabric();
  if (!last_) last_ = options_.old_fabric;
  read_good();
  if (!last_ && good_) last_ = good_->own;
}

void Follower::read_good() {
  if (target_ && target_->number() > 0) {
    // Somebody may have changed the files since they were proven.
    try {
      good_ = read_set(target_->current(), options_.request.management);
      const Proof proof = prove(*good_, false, options_.request.threads, progress_);
      if (proof.proven()) return;
      damage_ = fmt::format("{} {}", set(), proof_text(proof));
      state_.state().verdict = verdict_of(proof);
    } catch (const InputError& error) {
      damage_ = error.what();
      state_.state().verdict = FollowVerdict::unknown;
    }
    good_.reset();
    state_.state().taken.clear();  // the dump that is known is to be taken again
    return;
  }
  if (target_ && state_.state().installed > 0) {  // somebody has removed all sets
    state_.state().taken.clear();
    state_.state().told = 0;
    state_.state().verdict = FollowVerdict::unknown;
    damage_ = fmt::format("{}: the installed set is gone", options_.install);
  }
  const std::optional<Dump>& told = state_.state().tables;
  if (told && stamp_of(*told) == told->stamp) {
    try {
      good_ = read_tables_in_force(read_fabric(told->fabric), told->tables, options_.request.management);
      told_by_ = told;
      return;
    } catch (const InputError&) {
      good_.reset();  // gone meanwhile: nobody tells tables until another dump does
    }
  }
  if (options_.old_fabric && !options_.old_tables.none())
    good_ = read_tables_in_force(*options_.old_fabric, options_.old_tables, options_.request.management);
}

bool Follower::knows(const Dump& dump) const {
  const auto at = state().taken.find(dump.name);
  return at != state().taken.end() && at->second == dump.stamp;
}

void Follower::forget_all_but(const std::map<std::string, std::uint64_t>& there) {
  std::erase_if(state_.state().taken, [&](const auto& one) { return !there.contains(one.first); });
}

ReadDump Follower::read(const Dump& dump) const {
  const Clock clock;
  ReadDump read{dump, read_fabric(dump.fabric), std::nullopt};
  if (!dump.tables.none())
    read.tables = read_tables_in_force(read.fabric, dump.tables, options_.request.management);
  if (read.fabric.terminal_count() == 0) throw InputError(dump.fabric + ": has no terminal to route to");
  read.seconds = clock.seconds();
  return read;
}

FollowEvent Follower::take(const ReadDump& read, bool newest) {
  const Clock clock;
  FollowEvent event;
  event.dump = read.dump.name;
  const bool first = !last_;
  if (last_) compare(read, event);
  if (!damage_.empty()) event.hurts.push_back(damage_);
  const bool changed = event.changed_cables + event.changed_routers + event.changed_hosts > 0;
  if (read.tables && !target_) {
    good_ = read.tables;
    told_by_ = read.dump;
  }
  std::string holds = "nobody has told tables";
  const auto judge = [&](const TablesInForce& tables) {
    const Proof proof = prove(tables, false, options_.request.threads, progress_);
    set_verdict(proof, event);
    holds = proof_text(proof);
    // Members are whom the tree leads to: those that it should have are not the checker's to know.
    const std::uint64_t hosts = tables.network.terminal_count();
    const std::uint64_t reached = options_.request.trees && target_ ? hosts_in_tree(tables) : hosts;
    const std::uint64_t left_out = hosts * (hosts - 1) - reached * (reached == 0 ? 0 : reached - 1);
    if (left_out == 0) return;
    event.lost_multicast_pairs = event.lost_multicast_pairs.value_or(0) + left_out;
    if (event.verdict == FollowVerdict::proven) event.verdict = FollowVerdict::lost;
    holds += fmt::format(", the multicast tree leaves out {} of {} hosts", hosts - reached, hosts);
  };
  if (target_ && newest) install(read, event);
  if (target_ && target_->number() > 0) event.set = SetFolder::name_of(target_->number());
  if (good_) judge(carried_over(*good_, read.fabric));
  if (read.tables && target_)
    event.in_force = verdict_of(prove(*read.tables, false, options_.request.threads, progress_));
  finish_sentence(first, changed, holds, event);
  last_ = read.fabric;
  new_fabric_ = true;
  event.seconds = read.seconds + clock.seconds();
  return event;
}

void Follower::compare(const ReadDump& read, FollowEvent& event) const {
  const std::optional<TablesInForce> before =
      good_ ? std::optional(carried_over(*good_, *last_)) : std::nullopt;
  const std::optional<TablesInForce> now =
      good_ ? std::optional(carried_over(*good_, read.fabric)) : std::nullopt;
  const Network& after = read.tables ? read.tables->network : now ? now->network : read.fabric;
  const WatchReport report = watch(before ? before->network : *last_, before ? &before->data : nullptr, after,
                                   read.tables ? &read.tables->data : nullptr,
                                   {options_.load_rise, options_.request.threads}, progress_);
  const FabricDifference& d = report.difference;
  event.hurts = report.hurts;
  if (target_) {  // others are installed, and would be taken for the new ones
    constexpr std::string_view kNew = "the new tables";
    for (std::string& hurt : event.hurts) {
      if (hurt.starts_with(kNew)) hurt.replace(0, kNew.size(), "the tables of the dump");
    }
  }
  event.broken_pairs = report.damage ? report.damage->broken : 0;
  event.changed_cables = d.cables_gone.size() + d.cables_come.size() + d.cables_moved.size() +
                         d.cables_one_way.size() + d.cables_both_ways.size();
  event.changed_routers = d.routers_gone.size() + d.routers_come.size();
  event.changed_hosts = d.terminals_gone.size() + d.terminals_come.size() + d.terminals_moved.size();
}

bool Follower::fits(const Network& fabric) const {
  const TablesInForce now = carried_over(*good_, fabric);
  const NetworkChange change = compare_networks(good_->network, now.network, MovedTerminals::as_new);
  if (!change.none() || !change.moved_terminals.empty()) return false;
  const Proof proof = prove(now, false, options_.request.threads, progress_);
  return proof.proven() && proof.lanes <= options_.request.virtual_lanes &&
         transit_in(now, options_.request).empty() &&
         (now.all().multicast != nullptr || treeless_ || !options_.request.trees);
}

/// Makes, proves and installs tables where those that are installed are not for this fabric.
void Follower::install(const ReadDump& read, FollowEvent& event) {
  const bool installed = target_->number() > 0 && good_;
  if (installed && fits(read.fabric)) return;
  // The first set starts from what the dump says is in force.
  const TablesInForce* base = good_ ? &*good_ : read.tables ? &*read.tables : nullptr;
  if (!try_install(base, read.fabric, event) &&
      (base == nullptr || !try_install(nullptr, read.fabric, event)))
    event.action = FollowAction::kept;
}

bool Follower::try_install(const TablesInForce* base, const Network& fabric, FollowEvent& event) {
  try {
    const NewTables made = new_tables(base, fabric, options_.request, clos_ ? &*clos_ : nullptr, progress_);
    TablesInForce filed;
    Proof proof;
    std::string through;
    std::optional<bool> mixed;
    const bool proven = target_->install([&](const std::string& folder) {
      write_set(made.tables, folder);
      // What the files say is proven, not what they were written from.
      filed = read_set(folder, options_.request.management);
      proof = prove(filed, true, options_.request.threads, progress_);
      through = transit_in(filed, options_.request);
      if (!proof.proven() || !through.empty()) return false;
      write_proof(filed, proof, folder);
      if (made.mended && good_) mixed = together(*good_, filed, options_.request.threads, progress_);
      return true;
    });
    if (!proven) {
      event.sentence = fmt::format("new tables are not installed: {}",
                                   through.empty() ? proof_text(proof) : "they pass through " + through);
      return false;
    }
    good_ = std::move(filed);
    treeless_ = good_->all().multicast == nullptr;
    damage_.clear();
    event.again = false;
    event.action = made.mended ? FollowAction::rerouted : FollowAction::routed;
    event.entries_changed = made.entries_changed;
    if (!made.trees_differ.empty()) event.hurts.push_back(made.trees_differ);
    event.together_deadlock_free = mixed;
    const std::string name = SetFolder::name_of(target_->number());
    if (made.mended) {
      event.sentence = fmt::format("{} is installed, {} entries changed", name, made.entries_changed);
    } else {
      event.sentence = fmt::format("{} is installed, made anew by {}{}", name, options_.request.engine,
                                   made.why_anew.empty() ? "" : " (" + made.why_anew + ")");
    }
    return true;
  } catch (const RoutingFailure& failure) {
    event.sentence = fmt::format("no new tables: {}", failure.what());
  } catch (const InputError& error) {  // a full disk, say: the set in force stays
    event.again = true;
    event.sentence = fmt::format("new tables are not installed: {}", error.what());
  }
  return false;
}

FollowEvent Follower::refuse(const Dump& dump, const std::string& sentence) {
  FollowEvent event;
  event.dump = dump.name;
  event.action = FollowAction::refused;
  event.verdict = state().verdict;
  event.lost_pairs = state().lost_pairs;
  event.cut_pairs = state().cut_pairs;
  event.lanes = state().lanes;
  event.max_load = state().max_load;
  if (target_ && target_->number() > 0) event.set = SetFolder::name_of(target_->number());
  event.sentence = sentence;
  return event;
}

void Follower::keep(const Dump& dump, const FollowEvent& event, double now) {
  FollowState& state = state_.state();
  count_event(event, now, state);
  if (event.again) {
    state.taken.erase(dump.name);
  } else {
    state.taken[dump.name] = dump.stamp;
  }
  state.tables = told_by_;
  state_.keep(new_fabric_ ? &*last_ : nullptr);
  new_fabric_ = false;
}

std::uint64_t Follower::untold() const {
  const std::uint64_t number = set_number();
  return number == state().told ? 0 : number;
}

void Follower::tell() {
  state_.state().told = set_number();
  state_.keep(nullptr);
}

std::string Follower::set() const {
  return target_ && target_->number() > 0 ? target_->current() : std::string();
}

}  // namespace unknot::watch
