// SPDX-License-Identifier: Apache-2.0
#include "unknot/evolve/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "unknot/evolve/streams.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/text/json_object.hpp"
#include "unknot/support/text/json_text.hpp"

namespace unknot::evolve {
namespace {

using nlohmann::json;

constexpr int kVersion = 1;
constexpr const char* kWhat = "how far a search is, as --resume keeps it";
constexpr std::uint64_t kMostBytes = 4096 * ReadLimits::kMebi;

json search_json(const Search& search) {
  json object = {{"asked", search.asked}, {"finished", search.finished}, {"tries", search.tries}};
  if (search.tries == 0) return object;
  const Outcome& outcome = search.outcome;
  object["cost"] = outcome.cost;
  object["reached"] = outcome.reached;
  object["generations"] = outcome.generations;
  object["evaluations"] = outcome.evaluations;
  object["best"] = outcome.best;
  return object;
}

std::uint64_t number_up_to(const JsonObject& object, const char* name, std::uint64_t most) {
  const std::uint64_t number = object.number(name);
  if (number > most) object.fail(name, fmt::format("at most {}", most).c_str());
  return number;
}

template <class T>
std::vector<T> numbers(const JsonObject& object, const char* name) {
  const json& list = object.member(name);
  if (!list.is_array()) object.fail(name, "a list of whole numbers");
  std::vector<T> all;
  all.reserve(list.size());
  for (const json& one : list) {
    if (!one.is_number_unsigned() || one.get<std::uint64_t>() > std::numeric_limits<T>::max())
      object.fail(name, "whole numbers that its kind can have");
    all.push_back(one.get<T>());
  }
  return all;
}

Search search_from(const json& document, const std::string& file) {
  const JsonObject object(document, file, "a search");
  Search search;
  search.asked = object.text("asked");
  search.finished = object.flag("finished");
  search.tries = number_up_to(object, "tries", kMaxGenerations);
  if (search.tries == 0) {
    if (search.finished) object.fail("tries", "one or more of a search that is finished");
    return search;
  }
  Outcome& outcome = search.outcome;
  outcome.cost = static_cast<Cost>(number_up_to(object, "cost", std::numeric_limits<Cost>::max()));
  outcome.reached = object.flag("reached");
  outcome.generations = number_up_to(object, "generations", kMaxGenerations);
  outcome.evaluations = number_up_to(object, "evaluations", UINT64_MAX / 2);
  outcome.best = numbers<Value>(object, "best");
  return search;
}

RunState run_from(const json& document, const std::string& file) {
  const JsonObject object(document, file, "a population");
  RunState run;
  run.generation = number_up_to(object, "generation", kMaxGenerations);
  run.better = number_up_to(object, "better", run.generation);
  run.costs = numbers<Cost>(object, "costs");
  run.values = numbers<Value>(object, "values");
  return run;
}

/// The first of the parts, divided by commas, in which what is kept and what is asked for differ.
std::string difference(std::string_view kept, std::string_view asked) {
  constexpr std::size_t kShown = 60;
  const auto same = static_cast<std::size_t>(
      std::mismatch(kept.begin(), kept.end(), asked.begin(), asked.end()).first - kept.begin());
  const std::size_t comma = kept.substr(0, same).rfind(',');
  const auto part = [&](std::string_view text) {
    text = text.substr(comma == std::string_view::npos ? 0 : comma + 1);
    return text.substr(0, std::min(text.find(','), kShown));
  };
  return fmt::format("of '{}', where '{}' is asked for", part(kept), part(asked));
}

}  // namespace

std::string search_text(const SearchState& state) {
  json document = {{"version", kVersion}, {"seconds", state.seconds}, {"searches", json::array()}};
  for (const Search& search : state.searches) document["searches"].push_back(search_json(search));
  if (state.run) {
    document["run"] = {{"generation", state.run->generation},
                       {"better", state.run->better},
                       {"costs", state.run->costs},
                       {"values", state.run->values}};
  }
  return document.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

SearchState parse_search_state(std::string_view text, const std::string& file) {
  const json document = parse_json(text, file);
  const JsonObject object(document, file, kWhat);
  if (object.number("version") != kVersion) object.fail("version", fmt::format("{}", kVersion).c_str());
  SearchState state;
  state.seconds = object.real("seconds");
  if (!(state.seconds >= 0)) object.fail("seconds", "0 or more");
  const json& searches = object.member("searches");
  if (!searches.is_array()) object.fail("searches", "a list");
  for (const json& search : searches) {
    if (!state.searches.empty() && !state.searches.back().finished)
      object.fail("searches", "only the last to be under way");
    state.searches.push_back(search_from(search, file));
  }
  if (document.contains("run")) {
    if (state.searches.empty() || state.searches.back().finished)
      object.fail("run", "none where no search is under way");
    state.run = run_from(document["run"], file);
  }
  return state;
}

double Checkpoint::steady_seconds() {
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

Checkpoint::Checkpoint(std::string path, double every, double (*clock)())
    : path_(std::move(path)), every_(every), clock_(clock), start_(clock()) {
  written_ = Clock::now();
  std::error_code none;
  if (std::filesystem::exists(path_, none)) {
    if (!std::filesystem::is_regular_file(path_, none))
      refuse("is no regular file, where a search can be kept");
    ReadLimits limits;
    limits.most = kMostBytes;
    state_ = parse_search_state(read_file(path_, limits), path_);
    before_ = state_.seconds;
  }
}

Search& Checkpoint::next(const std::string& asked) {
  if (next_ == state_.searches.size()) {
    state_.searches.emplace_back();
    state_.searches.back().asked = asked;
  }
  Search& search = state_.searches[next_++];
  if (search.asked != asked) refuse("keeps another search: " + difference(search.asked, asked));
  return search;
}

std::optional<RunState> Checkpoint::take_run() {
  return std::exchange(state_.run, std::nullopt);
}

void Checkpoint::keep(RunState run) {
  state_.run = std::move(run);
  write();
}

void Checkpoint::ended() {
  state_.run.reset();
  to_write_ = true;
}

Checkpoint::~Checkpoint() {
  if (!to_write_) return;
  try {
    write();
  } catch (...) {  // NOLINT(bugprone-empty-catch): what is lost is made again
  }
}

void Checkpoint::write() {
  state_.seconds = seconds();
  write_file(path_, search_text(state_));
  written_ = Clock::now();
  to_write_ = false;
}

void Checkpoint::remove() {
  to_write_ = false;
  std::error_code ignored;
  std::filesystem::remove(link_target(path_), ignored);
}

void Checkpoint::refuse(std::string_view why) const {
  throw InputError(fmt::format("{}: {}", path_, why));
}

}  // namespace unknot::evolve
