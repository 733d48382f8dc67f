// SPDX-License-Identifier: Apache-2.0
#include "plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string_view>

#include "dependency_check.hpp"
#include "lane_check.hpp"
#include "lane_tables.hpp"
#include "level_matrix.hpp"
#include "line_reader.hpp"
#include "tables_file.hpp"
#include "target.hpp"

namespace unknot::opensm {

namespace {

using Peer = Peer;
constexpr std::uint8_t kNoRow = TablesFile::kNoRow;

class Planner {
 public:
  Planner(const unknot_fabric& fabric, const unknot_options& options, const unknot_sl2vl& sl2vl)
      : fabric_(fabric), options_(options), sl2vl_(sl2vl), tables_(read_tables_file(options.tables)) {}

  unknot_plan run() {
    match_switches();
    check_ports();
    list_targets();
    order_starts();
    plan_.highest_lid = fabric_.highest_lid();
    plan_.rows.assign(fabric_.switches.size(), std::vector<std::uint8_t>(plan_.highest_lid + 1U, kNoRow));
    for (const Target& target : targets_) {
      if (target.file_lid == 0) continue;
      take_rows(target);
      walk(target);
    }
    for (const Target& target : targets_) {
      if (target.file_lid == 0) take_routes_of_a_neighbour(target);
    }
    if (options_.lanes[0] != '\0') {
      plan_.levels = make_levels(fabric_, options_, tables_, targets_, plan_.rows);
      plan_.has_levels = true;
    }
    if (options_.multicast[0] != '\0') plan_.multicast = make_multicast_trees(fabric_, options_.multicast);
    take_classes();
    take_lanes();
    if (options_.allow_deadlock == 0) check();
    describe();
    return std::move(plan_);
  }

 private:
  /// What switches send counts where somebody has said on which levels; else it is only told.
  void check() {
    const bool said = plan_.has_levels && plan_.levels.names_switches;
    plan_.multicast.levels = check(said ? Traffic::with_management : Traffic::hosts_alone);
    plan_.multicast.proven = true;
    if (said) return;
    try {
      (void)check(Traffic::with_management);
    } catch (const Misfit& misfit) {
      management_ = misfit.what();
    }
  }

  std::uint16_t check(Traffic traffic) const {
    if (!plan_.lanes.any()) return check_dependencies(fabric_, targets_, plan_, traffic);
    try {
      check_lane_dependencies(fabric_, targets_, plan_, traffic);
    } catch (const Misfit& misfit) {
      if (few_lanes_.empty()) throw;
      throw Misfit(fmt::format("{}; on the lanes that there are, {}", few_lanes_, misfit.what()));
    }
    return 0;
  }

  void take_classes() {
    if (options_.classes == 0) return;
    plan_.classes = options_.classes;
    plan_.class_levels = options_.class_levels;
    if (plan_.levels.highest < plan_.class_levels) return;
    throw Misfit(fmt::format("{} has service level {}, which is beyond the {} levels of a class",
                             options_.lanes, plan_.levels.highest, plan_.class_levels));
  }

  /// Levels are lanes of their own on every cable, or the file says which they are, or what OpenSM makes of
  /// them on ports with fewer lanes is looked at.
  void take_lanes() {
    if (options_.sl2vl_file[0] != '\0') {
      if (sl2vl_.managed == 0 && options_.trust_sl2vl == 0)
        throw Misfit("SL-to-VL tables need OpenSM's option 'qos TRUE', which writes them");
      plan_.lanes = LaneTables::read(options_.sl2vl_file, fabric_);
      return;
    }
    unsigned highest = std::max(plan_.levels.highest, plan_.multicast.highest_level());
    if (plan_.classes > 1) highest = std::max(highest, plan_.classes * plan_.class_levels - 1);
    if (highest == 0) return;
    try {
      check_level_lanes(fabric_, options_, sl2vl_, highest);
    } catch (const Misfit& misfit) {
      const bool known = sl2vl_.managed != 0 && options_.trust_sl2vl == 0;
      if (!known || options_.allow_deadlock != 0 || plan_.classes > 1 || !plan_.multicast.trees.empty())
        throw;
      few_lanes_ = misfit.what();
      plan_.lanes = LaneTables::cut_to_ports(sl2vl_, fabric_);
    }
  }

  void match_switches() {
    std::map<std::uint64_t, std::uint32_t> live;
    table_of_.assign(fabric_.switches.size(), nullptr);
    for (std::uint32_t s = 0; s < fabric_.switches.size(); ++s) {
      live.emplace(fabric_.switches[s].guid, s);
      const auto found = tables_.switch_of_guid.find(fabric_.switches[s].guid);
      if (found != tables_.switch_of_guid.end()) table_of_[s] = &tables_.switches[found->second];
    }
    const auto missing = std::count(table_of_.begin(), table_of_.end(), nullptr);
    if (missing > 0) {
      const auto first = std::find(table_of_.begin(), table_of_.end(), nullptr) - table_of_.begin();
      throw Misfit(fmt::format("{} of the fabric has no table in {}{}",
                               name_of(fabric_.switches[static_cast<std::size_t>(first)]), tables_.path,
                               and_more(static_cast<std::uint64_t>(missing) - 1)));
    }
    std::uint64_t unknown = 0;
    std::uint64_t first = 0;
    for (const TablesFile::SwitchTable& table : tables_.switches) {
      if (live.contains(table.guid)) continue;
      if (unknown++ == 0) first = table.guid;
    }
    if (unknown > 0) {
      throw Misfit(fmt::format("switch 0x{:016x} of {} is not in the fabric{}", first, tables_.path,
                               and_more(unknown - 1)));
    }
  }

  /// Ports within the switch, for every row: also for LIDs that nobody has now.
  void check_ports() const {
    for (std::uint32_t s = 0; s < table_of_.size(); ++s) {
      const std::vector<std::uint8_t>& table = table_of_[s]->port_of_lid;
      for (unsigned lid = 0; lid < table.size(); ++lid) {
        if (table[lid] == kNoRow || table[lid] < fabric_.switches[s].ports.size()) continue;
        throw Misfit(fmt::format("the table of {} sends LID {} to port {}, but the switch has {} ports",
                                 name_of(fabric_.switches[s]), lid, table[lid],
                                 fabric_.switches[s].ports.size() - 1));
      }
    }
  }

  void list_targets() {
    for (std::uint32_t a = 0; a < fabric_.adapters.size(); ++a) {
      const unknot_fabric::Adapter& adapter = fabric_.adapters[a];
      if (adapter.lid == 0 || adapter.at_switch == unknot_fabric::kNowhere) continue;
      for (unsigned i = 0; i < adapter.lids; ++i) {
        Target t{false, a, static_cast<std::uint16_t>(adapter.lid + i),
                 tables_.file_lid(adapter.port_guid, adapter.lid, i)};
        if (t.file_lid == 0 && !is_aggregation_node(adapter)) {
          throw Misfit(i == 0
                           ? fmt::format("{} of the fabric has no row in {}", name_of(adapter), tables_.path)
                           : fmt::format("{} has {} LIDs, but {} has rows for {}: was it made for another "
                                         "LMC?",
                                         name_of(adapter), adapter.lids, tables_.path, i));
        }
        targets_.push_back(t);
      }
    }
    for (std::uint32_t s = 0; s < fabric_.switches.size(); ++s) {
      const unknot_fabric::Switch& sw = fabric_.switches[s];
      for (unsigned i = 0; sw.lid != 0 && i < sw.lids; ++i) {
        targets_.push_back(
            {true, s, static_cast<std::uint16_t>(sw.lid + i), tables_.file_lid(sw.guid, sw.lid, i)});
      }
    }
  }

  std::string name(const Target& target) const {
    return target.is_switch ? name_of(fabric_.switches[target.index])
                            : name_of(fabric_.adapters[target.index]);
  }

  void take_rows(const Target& target) {
    for (std::uint32_t s = 0; s < table_of_.size(); ++s) {
      plan_.rows[s][target.lid] = table_of_[s]->port(target.file_lid);
    }
  }

  /// Switches with hosts, then the others, where no packet starts but their own.
  void order_starts() {
    has_hosts_.assign(fabric_.switches.size(), false);
    for (const Target& target : targets_) {
      if (!target.is_switch && !is_aggregation_node(fabric_.adapters[target.index]))
        has_hosts_[target.home(fabric_)] = true;
    }
    for (const bool hosts : {true, false}) {
      for (std::uint32_t s = 0; s < fabric_.switches.size(); ++s) {
        if (has_hosts_[s] == hosts) starts_.push_back(s);
      }
    }
  }

  /// Follows the rows from every switch. Those to an adapter must deliver from every switch with hosts, and
  /// so must all that their packets pass. No packet of a host comes to the rest: there, and to a switch's own
  /// LID, which only management uses, rows may be missing, but what is there must not go astray. O(switches).
  void walk(const Target& target) {
    enum : std::uint8_t { kUnseen, kOpen, kDone };
    state_.assign(fabric_.switches.size(), kUnseen);
    for (const std::uint32_t start : starts_) {
      from_hosts_ = has_hosts_[start];
      std::uint32_t at = start;
      trail_.clear();
      bool more = true;
      while (more && state_[at] == kUnseen) {
        state_[at] = kOpen;
        trail_.push_back(at);
        more = step(target, at);
      }
      if (more && state_[at] == kOpen) throw_loop(target, at);
      for (const std::uint32_t s : trail_) state_[s] = kDone;
    }
  }

  /// Moves `at` one switch on; false where the packet ends well.
  bool step(const Target& target, std::uint32_t& at) {
    const unknot_fabric::Switch& sw = fabric_.switches[at];
    const std::uint8_t port = plan_.rows[at][target.lid];
    if (port == kNoRow) {
      if (target.is_switch) return false;
      if (!from_hosts_) {
        ++rows_missing_;
        return false;
      }
      throw Misfit(fmt::format("the table of {} has no row for {}", name_of(sw), name(target)));
    }
    if (port == 0) {
      if (target.is_switch && target.index == at) return false;
      throw Misfit(fmt::format("{} keeps packets for {}: its row names port 0", name_of(sw), name(target)));
    }
    const unknot_fabric::Link& link = sw.ports[port];
    if (link.kind == Peer::none) {
      throw Misfit(fmt::format("{} sends packets for {} to port {}, which is not connected", name_of(sw),
                               name(target), port));
    }
    if (link.kind == Peer::adapter) {
      if (!target.is_switch && link.index == target.index) return false;
      throw Misfit(fmt::format("{} sends packets for {} to port {}, where {} is: was a cable moved?",
                               name_of(sw), name(target), port, name_of(fabric_.adapters[link.index])));
    }
    if (target.is_switch && link.index == target.index) return false;
    at = link.index;
    return true;
  }

  [[noreturn]] void throw_loop(const Target& target, std::uint32_t at) const {
    constexpr std::size_t kShown = 8;
    const auto first = std::find(trail_.begin(), trail_.end(), at);
    std::string loop;
    for (auto s = first; s != trail_.end(); ++s) {
      if (static_cast<std::size_t>(s - first) == kShown) {
        loop += "..., ";
        break;
      }
      loop += fmt::format("'{}', ", fabric_.switches[*s].name);
    }
    throw Misfit(
        fmt::format("packets for {} go round in a loop, through switches {}and '{}' again: was a cable "
                    "moved?",
                    name(target), loop, fabric_.switches[at].name));
  }

  /// A switch's own LID or an aggregation node without rows takes the routes of an adapter on the same switch
  /// (else, of the switch's LID), but for the last hop: its packets then follow paths that the proof covers.
  void take_routes_of_a_neighbour(const Target& target) {
    const std::uint32_t home = target.home(fabric_);
    if (model_at_.empty()) index_models();
    const std::uint16_t model = model_at_[home];
    if (model == 0) {
      ++unrouted_;
      return;
    }
    ++followers_;
    for (std::vector<std::uint8_t>& row : plan_.rows) row[target.lid] = row[model];
    plan_.rows[home][target.lid] =
        target.is_switch ? std::uint8_t{0} : fabric_.adapters[target.index].at_port;
  }

  void index_models() {
    model_at_.assign(fabric_.switches.size(), 0);
    for (const bool want_switch : {false, true}) {
      for (const Target& target : targets_) {
        std::uint16_t& model = model_at_[target.home(fabric_)];
        if (target.file_lid != 0 && target.is_switch == want_switch && model == 0) model = target.lid;
      }
    }
  }

  void describe() {
    const std::size_t routed = targets_.size() - followers_ - unrouted_;
    plan_.summary = fmt::format(
        "{} switches, {} LIDs from {}, {}", fabric_.switches.size(), routed, tables_.path,
        plan_.has_levels ? fmt::format("service levels 0 to {} from {}", plan_.levels.highest, options_.lanes)
                         : std::string("no service levels"));
    if (!plan_.multicast.path.empty()) {
      plan_.summary +=
          fmt::format(", {} multicast trees from {}", plan_.multicast.trees.size(), plan_.multicast.path);
    }
    if (!plan_.lanes.path().empty()) plan_.summary += ", SL-to-VL tables from " + plan_.lanes.path();
    if (plan_.classes > 1) {
      plan_.summary += fmt::format(", {} classes of {} service levels", plan_.classes, plan_.class_levels);
    }
    if (followers_ > 0) {
      plan_.notes = fmt::format(
          "{} LIDs of switches and aggregation nodes take the routes of an adapter beside "
          "them",
          followers_);
    }
    if (unrouted_ > 0) {
      plan_.notes += fmt::format("{}{} LIDs of switches and aggregation nodes get no route",
                                 followers_ > 0 ? ", " : "", unrouted_);
    }
    if (rows_missing_ > 0) {
      plan_.notes += fmt::format(
          "{}{} rows to adapters are missing at switches without hosts, where no packet of a "
          "host comes: these switches cannot answer there",
          plan_.notes.empty() ? "" : ", ", rows_missing_);
    }
    if (!few_lanes_.empty()) {
      plan_.notes +=
          fmt::format("{}{}, and cut to the lanes that there are the tables cannot deadlock either",
                      plan_.notes.empty() ? "" : ", ", few_lanes_);
    }
    if (!management_.empty()) {
      plan_.notes += fmt::format(
          "{}with the packets of management, {} (levels for switches, as unknot route "
          "--lanes writes them, end that)",
          plan_.notes.empty() ? "" : ", ", management_);
    }
  }

  const unknot_fabric& fabric_;
  std::string management_;  // what is wrong with packets of switches
  std::string few_lanes_;   // why levels are no lanes of their own
  const unknot_options& options_;
  const unknot_sl2vl& sl2vl_;
  TablesFile tables_;
  unknot_plan plan_;
  std::vector<const TablesFile::SwitchTable*> table_of_;  // by switch of the fabric
  std::vector<Target> targets_;
  std::vector<std::uint8_t> state_;      // of walk()
  std::vector<std::uint32_t> trail_;     // of walk()
  std::vector<std::uint16_t> model_at_;  // by switch: LID to take routes from, 0 for none
  std::vector<bool> has_hosts_;          // by switch
  std::vector<std::uint32_t> starts_;    // of walk(): switches, those with hosts first
  bool from_hosts_ = false;              // of walk(): where the trail began
  std::uint64_t rows_missing_ = 0;
  std::size_t followers_ = 0, unrouted_ = 0;
};

}  // namespace

unknot_plan make_plan(const unknot_fabric& fabric, const unknot_options& options, const unknot_sl2vl& sl2vl) {
  return Planner(fabric, options, sl2vl).run();
}

}  // namespace unknot::opensm

using unknot::opensm::copy_text;

extern "C" {

unknot_plan* unknot_plan_make(const unknot_fabric* fabric, const unknot_options* options,
                              const unknot_sl2vl* sl2vl, char* why, std::size_t why_size, char* notes,
                              std::size_t notes_size) {
  try {
    auto plan = std::make_unique<unknot_plan>(unknot::opensm::make_plan(*fabric, *options, *sl2vl));
    copy_text(plan->notes, notes, notes_size);
    return plan.release();
  } catch (const std::bad_alloc&) {
    copy_text("not enough memory for the tables", why, why_size);
  } catch (const std::exception& error) {
    copy_text(error.what(), why, why_size);
  }
  return nullptr;
}

void unknot_plan_free(unknot_plan* plan) {
  delete plan;
}

const std::uint8_t* unknot_plan_row(const unknot_plan* plan, int switch_index, unsigned* last) {
  *last = plan->highest_lid;
  return plan->rows[static_cast<std::size_t>(switch_index)].data();
}

std::uint8_t unknot_plan_level(const unknot_plan* plan, std::uint16_t source_lid,
                               std::uint16_t destination_lid, std::uint8_t otherwise) {
  if (!plan->has_levels) return otherwise;
  const std::uint8_t level = plan->levels.get(source_lid, destination_lid);
  if (level == unknot::opensm::LevelMatrix::kMissing) return otherwise;
  const unsigned of_class = otherwise / plan->class_levels;
  if (of_class >= plan->classes) return level;
  return static_cast<std::uint8_t>(of_class * plan->class_levels + level);
}

int unknot_plan_has_lanes(const unknot_plan* plan) {
  return plan->lanes.path().empty() ? 0 : 1;
}

const std::uint8_t* unknot_plan_lanes(const unknot_plan* plan, std::uint64_t switch_guid,
                                      std::uint8_t in_port, std::uint8_t out_port) {
  const unknot::opensm::LaneTables::Row* row = plan->lanes.find(switch_guid, in_port, out_port);
  return row == nullptr ? nullptr : row->data();
}

void unknot_plan_drop_rows(unknot_plan* plan) {
  plan->rows.clear();
  plan->rows.shrink_to_fit();
}

int unknot_plan_has_trees(const unknot_plan* plan) {
  return plan->multicast.trees.empty() ? 0 : 1;
}

int unknot_plan_tree(const unknot_plan* plan, std::uint16_t lid, unknot_member* members, std::size_t count,
                     unknot_tree_port** ports) {
  try {
    const std::vector<unknot_tree_port> tree = plan->multicast.prune(lid, {members, count});
    const std::size_t bytes = tree.size() * sizeof(unknot_tree_port);
    *ports = static_cast<unknot_tree_port*>(std::malloc(bytes + 1));  // NOLINT: C frees it
    if (*ports == nullptr) return -1;
    if (bytes > 0) std::memcpy(*ports, tree.data(), bytes);
    return static_cast<int>(tree.size());
  } catch (const std::bad_alloc&) {
    return -1;
  }
}

std::uint16_t unknot_plan_tree_lid(const unknot_plan* plan, std::uint16_t lid) {
  return plan->multicast.tree_of(lid).lid;
}

int unknot_plan_level_warning(unknot_plan* plan, std::uint16_t lid, std::uint8_t level) {
  const unknot::opensm::MulticastTrees& trees = plan->multicast;
  if (!trees.proven || trees.is_proven(lid, level)) return 0;
  try {
    return plan->warned.emplace(lid, level).second ? 1 : -1;
  } catch (const std::bad_alloc&) {
    return 1;
  }
}

void unknot_plan_summary(const unknot_plan* plan, char* text, std::size_t size) {
  copy_text(plan->summary, text, size);
}

}  // extern "C"
