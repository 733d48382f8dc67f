// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/tables/transition_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "unknot/formats/tables/lid_map.hpp"
#include "unknot/formats/text/guid_index.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/json_text.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot {
namespace {

using nlohmann::json;

class TransitionReader {
 public:
  TransitionReader(const Network& network, Routing& before, const std::string& file)
      : network_(network), before_(before), file_(file), guids_(network), lids_(LidMap::of(network)) {}

  std::vector<TransitionStep> read(std::string_view text) {
    const json document = parse_json(text, file_);
    if (!document.is_object() || !document.contains("steps") || !document["steps"].is_array())
      fail("expected a JSON object with a list \"steps\"");
    require_members(document, "the file", {"steps", "drained_paths", "drained_paths_alive"});
    for (const char* const count : {"drained_paths", "drained_paths_alive"}) {
      if (document.contains(count))
        (void)number(document, count, "the file", std::numeric_limits<std::uint64_t>::max());
    }
    const json& rows = document["steps"];
    give_levels(rows);
    std::vector<TransitionStep> steps;
    for (std::size_t i = 0; i < rows.size(); ++i) steps.push_back(step(rows[i], fmt::format("steps[{}]", i)));
    return steps;
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { throw InputError(file_ + ": " + message); }

  /// Changes of levels are of rows: where one names a terminal, each terminal has a row of its own.
  void give_levels(const json& rows) {
    bool any = false, of_terminals = false;
    for (const json& row : rows) {
      if (!row.is_object() || !row.contains("levels") || !row["levels"].is_array()) continue;
      for (const json& one : row["levels"]) {
        any = true;
        of_terminals = of_terminals || (one.is_object() && one.contains("terminal"));
      }
    }
    const ServiceLevels& have = before_.service_levels;
    if (!any || have.rows() == ServiceLevels::Rows::by_terminal || (!have.empty() && !of_terminals)) return;
    ServiceLevels levels(network_,
                         of_terminals ? ServiceLevels::Rows::by_terminal : ServiceLevels::Rows::by_router);
    for (const TerminalId t : network_.terminals()) {
      if (have.empty()) break;
      const auto row = have.row(have.row_of(t));
      std::copy(row.begin(), row.end(), levels.row(levels.row_of(t)).begin());
    }
    before_.service_levels = std::move(levels);
  }

  /// A name that means nothing here is one that is misspelt, and what it says would not be looked at.
  void require_members(const json& object, const std::string& where,
                       std::initializer_list<std::string_view> names) const {
    if (!object.is_object()) fail(where + ": expected an object");
    for (const auto& [name, value] : object.items()) {
      if (std::find(names.begin(), names.end(), name) == names.end()) {
        fail(fmt::format("{}: no member is called {}, expected {}", where, shown(name),
                         fmt::join(names, ", ")));
      }
    }
  }
  const json& member(const json& object, const char* name, const std::string& where) const {
    if (!object.is_object() || !object.contains(name))
      fail(fmt::format("{}: \"{}\" is missing", where, name));
    return object[name];
  }
  const json& list(const json& object, const char* name, const std::string& where) const {
    const json& value = member(object, name, where);
    if (!value.is_array()) fail(fmt::format("{}: \"{}\" is no list", where, name));
    return value;
  }
  std::uint64_t number(const json& object, const char* name, const std::string& where,
                       std::uint64_t max) const {
    const json& value = member(object, name, where);
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > max)
      fail(fmt::format("{}: \"{}\": expected a whole number up to {}", where, name, max));
    return value.get<std::uint64_t>();
  }
  Device device(const json& object, const char* name, const std::string& where) const {
    const json& value = member(object, name, where);
    if (value.is_string()) {
      Cursor cursor(value.get_ref<const std::string&>());
      if (cursor.eat("0x")) {
        const auto guid = cursor.hex();
        if (guid && cursor.at_end()) return guids_.port(*guid);
      }
    }
    fail(fmt::format("{}: \"{}\": expected a GUID such as \"0x0002c90000000001\"", where, name));
  }
  TerminalId destination(const json& object, const std::string& where) const {
    const Device found = lids_.at(static_cast<std::uint32_t>(number(object, "lid", where, kLastUnicastLid)));
    if (!found.is_terminal()) fail(fmt::format("{}: no terminal has LID {}", where, object["lid"].dump()));
    return TerminalId(found.index());
  }

  TransitionStep step(const json& row, const std::string& where) const {
    require_members(row, where, {"what", "wait", "entries", "levels"});
    TransitionStep result;
    const json& what = member(row, "what", where);
    if (!what.is_string()) fail(where + ": \"what\" is no text");
    result.what = what.get<std::string>();
    const json& entries = list(row, "entries", where);
    Places entry_places, level_places;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const EntryChange change = entry(entries[i], fmt::format("{}.entries[{}]", where, i));
      require_once(entry_places, change.router.value, change.destination, where + ".entries", i);
      result.entries.push_back(change);
    }
    const json& levels = list(row, "levels", where);
    for (std::size_t i = 0; i < levels.size(); ++i) {
      for (const LevelChange& change : changed_levels(levels[i], fmt::format("{}.levels[{}]", where, i))) {
        require_once(level_places, change.row, change.destination, where + ".levels", i);
        result.levels.push_back(change);
      }
    }
    if (row.contains("wait")) {
      if (!row["wait"].is_boolean()) fail(where + ": \"wait\" is neither true nor false");
      result.wait = row["wait"].get<bool>();
    }
    return result;
  }

  /// What a list of a step changes, and in which place. Which of two changes of the same thing comes first in
  /// a step is not said, nor is what holds between them.
  using Places = std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t>;
  void require_once(Places& places, std::uint32_t who, TerminalId destination, const std::string& where,
                    std::size_t place) const {
    const auto [at, first] = places.try_emplace({who, destination.value}, place);
    if (first) return;
    fail(fmt::format("{}[{}] changes what {}[{}] changes already; give each change once in a step", where,
                     place, where, at->second));
  }

  EntryChange entry(const json& row, const std::string& where) const {
    require_members(row, where, {"router", "lid", "port"});
    const Device found = device(row, "router", where);
    if (!found.is_router()) fail(where + ": no router has that GUID");
    const RouterId router(found.index());
    EntryChange change{router, destination(row, where), ForwardingTable::kNone, ForwardingTable::kNone};
    if (member(row, "port", where).is_null()) return change;
    const auto port = static_cast<std::uint16_t>(number(row, "port", where, 65535));
    const ChannelId channel = network_.channel_at(router, port);
    if (!channel.valid() && network_.terminal_at(router, port) == change.destination) {
      change.after = ForwardingTable::kHere;
      return change;
    }
    if (!channel.valid()) {
      fail(fmt::format("{}: port {} of {} leads to no other router, nor to LID {}", where, port,
                       shown(network_.router_name(router)), row["lid"].dump()));
    }
    change.after = channel.value - network_.out(router).first();
    return change;
  }

  /// Of a terminal, or of all terminals of a router.
  std::vector<LevelChange> changed_levels(const json& row, const std::string& where) const {
    const ServiceLevels& levels = before_.service_levels;
    const bool of_router = !row.is_object() || !row.contains("terminal");
    const char* const who = of_router ? "router" : "terminal";
    require_members(row, where, {who, "lid", "level"});
    LevelChange change{0, destination(row, where), ServiceLevels::kMissing, ServiceLevels::kMissing};
    const Device found = device(row, who, where);
    if (!member(row, "level", where).is_null())
      change.after = static_cast<std::uint8_t>(number(row, "level", where, LaneMap::kDrop - 1));
    if (!of_router) {
      if (!found.is_terminal()) fail(where + ": no terminal has that GUID");
      change.row = levels.row_of(TerminalId(found.index()));
      return {change};
    }
    if (!found.is_router() || network_.terminals_at(RouterId(found.index())).empty())
      fail(where + ": no router with terminals has that GUID");
    std::vector<LevelChange> all;
    for (const TerminalId t : network_.terminals_at(RouterId(found.index()))) {
      if (!levels.begins_row(network_, t)) continue;
      change.row = levels.row_of(t);
      all.push_back(change);
    }
    return all;
  }

  const Network& network_;
  Routing& before_;
  const std::string& file_;
  GuidIndex guids_;
  LidMap lids_;
};

}  // namespace

std::vector<TransitionStep> parse_transition(const Network& network, Routing& before, std::string_view text,
                                             const std::string& file) {
  return TransitionReader(network, before, file).read(text);
}

}  // namespace unknot
