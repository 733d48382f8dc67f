// SPDX-License-Identifier: Apache-2.0
#include "unknot/watch/follow/follow_state.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "unknot/formats/fabric/fabric_catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/text/json_object.hpp"
#include "unknot/support/text/json_text.hpp"
#include "unknot/tables/lane_map.hpp"
#include "unknot/watch/follow/set_folder.hpp"

namespace unknot::watch {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kStateVersion = 1;
constexpr const char* kWhat = "the state of unknot watch --follow";
constexpr const char* kStateFile = "state.json";
constexpr std::uint64_t kMostBytes = 64 * ReadLimits::kMebi;

std::string fabric_name(std::uint64_t number) {
  return fmt::format("fabric-{}", number);
}

FollowVerdict verdict_from(const JsonObject& reader) {
  const std::string text = reader.text("verdict");
  for (const FollowVerdict one :
       {FollowVerdict::proven, FollowVerdict::lost, FollowVerdict::deadlock, FollowVerdict::unknown}) {
    if (word(one) == text) return one;
  }
  reader.fail("verdict", "proven, lost, deadlock or unknown");
}

json dump_json(const Dump& dump) {
  return {{"name", dump.name},
          {"fabric", dump.fabric},
          {"tables", dump.tables.tables},
          {"lanes", dump.tables.lanes},
          {"sl2vl", dump.tables.lane_map},
          {"trees", dump.tables.trees},
          {"groups", dump.tables.groups},
          {"folder", dump.folder},
          {"stamp", dump.stamp}};
}

Dump dump_from(const json& object, const std::string& file) {
  const JsonObject reader(object, file, kWhat);
  return {reader.text("name"),
          reader.text("fabric"),
          {reader.text("tables"), reader.text("lanes"), reader.text("sl2vl"), reader.text("trees"),
           reader.text("groups")},
          reader.flag("folder"),
          reader.number("stamp")};
}

}  // namespace

void count_event(const FollowEvent& event, double now, FollowState& state) {
  ++state.dumps;
  if (event.action == FollowAction::refused) {
    ++state.refused;
    return;
  }
  if (event.action == FollowAction::kept) ++state.kept;
  if (event.action == FollowAction::rerouted || event.action == FollowAction::routed) ++state.installed;
  state.last_dump = event.dump;
  state.last_time = now;
  state.verdict = event.verdict;
  state.lost_pairs = event.lost_pairs;
  state.cut_pairs = event.cut_pairs;
  state.changed_cables = event.changed_cables;
  state.max_load = event.max_load;
  state.lanes = event.lanes;
  state.seconds = event.seconds;
}

std::string state_text(const FollowState& state) {
  json document = {{"version", kStateVersion},       {"taken", state.taken},
                   {"fabric", state.fabric},         {"told", state.told},
                   {"dumps", state.dumps},           {"refused", state.refused},
                   {"installed", state.installed},   {"kept", state.kept},
                   {"last_dump", state.last_dump},   {"last_time", state.last_time},
                   {"verdict", word(state.verdict)}, {"lost_pairs", state.lost_pairs},
                   {"cut_pairs", state.cut_pairs},   {"changed_cables", state.changed_cables},
                   {"max_load", state.max_load},     {"lanes", state.lanes},
                   {"seconds", state.seconds}};
  if (state.taken.empty()) document["taken"] = json::object();
  if (state.tables) document["tables"] = dump_json(*state.tables);
  return document.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

FollowState parse_state(std::string_view text, const std::string& file) {
  const json document = parse_json(text, file);
  const JsonObject reader(document, file, kWhat);
  if (reader.number("version") != kStateVersion)
    throw InputError(fmt::format("{}: \"version\": expected {}", file, kStateVersion));
  FollowState state;
  const json& taken = reader.member("taken");
  if (!taken.is_object()) reader.fail("taken", "an object");
  for (const auto& [name, stamp] : taken.items()) {
    if (!stamp.is_number_unsigned()) reader.fail("taken", "whole numbers");
    state.taken[name] = stamp.get<std::uint64_t>();
  }
  if (document.contains("tables")) state.tables = dump_from(document["tables"], file);
  state.fabric = reader.number("fabric");
  state.told = reader.number("told");
  state.dumps = reader.number("dumps");
  state.refused = reader.number("refused");
  state.installed = reader.number("installed");
  state.kept = reader.number("kept");
  state.last_dump = reader.text("last_dump");
  state.last_time = reader.real("last_time");
  state.verdict = verdict_from(reader);
  state.lost_pairs = reader.number("lost_pairs");
  state.cut_pairs = reader.number("cut_pairs");
  state.changed_cables = reader.number("changed_cables");
  state.max_load = reader.number("max_load");
  const std::uint64_t lanes = reader.number("lanes");
  if (lanes > LaneMap::kLevels) reader.fail("lanes", "16 lanes at most");
  state.lanes = static_cast<std::uint32_t>(lanes);
  state.seconds = reader.real("seconds");
  return state;
}

StateFolder::StateFolder(std::string path) : path_(std::move(path)) {
  if (path_.empty()) return;
  std::error_code error;
  fs::create_directories(path_, error);
  if (error) throw InputError(fmt::format("{}: cannot make the folder: {}", path_, error.message()));
  lock_ = lock_folder(path_);
  const std::string name = file(kStateFile);
  if (!fs::exists(name, error)) return;
  ReadLimits limits;
  limits.most = kMostBytes;
  state_ = parse_state(read_file(name, limits), name);
  // A process that was killed may have left the one before.
  if (state_.fabric > 1) fs::remove(file(fabric_name(state_.fabric - 1)), error);
}

std::string StateFolder::file(const std::string& name) const {
  return (fs::path(path_) / name).string();
}

std::optional<Network> StateFolder::fabric() const {
  if (path_.empty() || state_.fabric == 0) return std::nullopt;
  return read_fabric(file(fabric_name(state_.fabric)));
}

void StateFolder::keep(const Network* fabric) {
  if (path_.empty()) return;
  const std::uint64_t before = state_.fabric;
  if (fabric != nullptr) {
    write_fabric(*fabric, "json", file(fabric_name(before + 1)));
    state_.fabric = before + 1;
  }
  write_file(file(kStateFile), state_text(state_));
  std::error_code ignored;
  if (fabric != nullptr && before > 0) fs::remove(file(fabric_name(before)), ignored);
}

}  // namespace unknot::watch
