// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "fabric.hpp"
#include "line_reader.hpp"

namespace {

using unknot::opensm::Misfit;

template <std::size_t N>
void copy_path(char (&to)[N], std::string_view from) {
  if (from.size() >= N) throw Misfit(fmt::format("a path of more than {} characters", N - 1));
  std::memcpy(to, from.data(), from.size());
  to[from.size()] = '\0';
}

int choose(std::string_view key, std::string_view value, std::string_view usual, std::string_view other) {
  if (value != usual && value != other) {
    throw Misfit(fmt::format("option {} is '{}' or '{}', not '{}'", key, usual, other, value));
  }
  return value == other ? 1 : 0;
}

unsigned number(std::string_view key, std::string_view value) {
  constexpr std::uint64_t kMost = 15;
  std::uint64_t result = 0;
  std::string_view rest = value;
  if (!unknot::opensm::take_number(rest, result) || !rest.empty() || result == 0 || result > kMost)
    throw Misfit(fmt::format("option {} is a number from 1 to {}, not '{}'", key, kMost, value));
  return static_cast<unsigned>(result);
}

void set(unknot_options& options, std::string_view key, std::string_view value) {
  if (key == "tables") {
    copy_path(options.tables, value);
  } else if (key == "lanes") {
    copy_path(options.lanes, value);
  } else if (key == "multicast") {
    copy_path(options.multicast, value);
  } else if (key == "sl2vl_file") {
    copy_path(options.sl2vl_file, value);
  } else if (key == "classes") {
    options.classes = number(key, value);
  } else if (key == "class_levels") {
    options.class_levels = number(key, value);
  } else if (key == "sl2vl") {
    options.trust_sl2vl = choose(key, value, "set", "trust");
  } else if (key == "deadlock") {
    options.allow_deadlock = choose(key, value, "refuse", "allow");
  } else if (key == "live") {
    options.live = choose(key, value, "off", "trees");
  } else {
    throw Misfit(
        fmt::format("unknown option '{}': the options are tables=FILE, lanes=FILE, multicast=FILE, "
                    "sl2vl_file=FILE, classes=N, class_levels=N, sl2vl=set|trust, deadlock=refuse|allow and "
                    "live=off|trees",
                    key));
  }
}

/// Tables that are made here take nothing from files, and have one lane, which every level may be.
void check_live(const unknot_options& options) {
  const bool files = options.tables[0] != '\0' || options.lanes[0] != '\0' || options.multicast[0] != '\0' ||
                     options.sl2vl_file[0] != '\0';
  if (files || options.classes != 0 || options.class_levels != 0 || options.allow_deadlock != 0) {
    throw Misfit(
        "option live=trees makes tables and trees by itself: it goes with no file, class or deadlock=allow");
  }
}

void read(const char* text, unknot_options& options) {
  options = {};
  constexpr const char* kVariables[][2] = {
      {"UNKNOT_TABLES", "tables"}, {"UNKNOT_LANES", "lanes"},           {"UNKNOT_MULTICAST", "multicast"},
      {"UNKNOT_SL2VL", "sl2vl"},   {"UNKNOT_SL2VL_FILE", "sl2vl_file"}, {"UNKNOT_DEADLOCK", "deadlock"},
      {"UNKNOT_LIVE", "live"}};
  for (const auto& [variable, key] : kVariables) {
    const char* value = std::getenv(variable);
    if (value != nullptr && *value != '\0') set(options, key, value);
  }
  // OpenSM has one string for all plug-ins: "name.key=value" is for the plug-in of that name.
  std::string_view rest = text != nullptr ? text : "";
  std::vector<std::string_view> given;
  for (;;) {
    const std::size_t first = rest.find_first_not_of(" \t,");
    if (first == std::string_view::npos) break;
    rest.remove_prefix(first);
    const std::string_view word = rest.substr(0, rest.find_first_of(" \t,"));
    rest.remove_prefix(word.size());
    const std::size_t equals = word.find('=');
    std::string_view key = word.substr(0, equals);
    const std::size_t dot = key.find('.');
    if (dot != std::string_view::npos) {
      if (key.substr(0, dot) != "unknot") continue;
      key.remove_prefix(dot + 1);
    }
    if (equals == std::string_view::npos) {
      throw Misfit(fmt::format("option '{}' has no value: expected key=value", word));
    }
    if (std::find(given.begin(), given.end(), key) != given.end())
      throw Misfit(fmt::format("option '{}' is given twice", key));
    given.push_back(key);
    set(options, key, word.substr(equals + 1));
  }
  if (options.live != 0) {
    check_live(options);
    return;
  }
  if (options.tables[0] == '\0') {
    throw Misfit(
        "no tables given: set event_plugin_options to 'tables=FILE lanes=FILE' or 'live=trees', or "
        "UNKNOT_TABLES");
  }
  if ((options.classes == 0) != (options.class_levels == 0))
    throw Misfit("options classes and class_levels go together");
  if (options.classes * options.class_levels > 15) {
    throw Misfit(fmt::format("{} classes of {} levels need {} lanes, and there are 15 at most",
                             options.classes, options.class_levels, options.classes * options.class_levels));
  }
  if (options.classes > 1 && options.sl2vl_file[0] != '\0')
    throw Misfit("option classes needs levels that are lanes, without sl2vl_file");
  if (options.multicast[0] != '\0' && options.sl2vl_file[0] != '\0')
    throw Misfit("option multicast needs levels that are lanes, without sl2vl_file");
}

}  // namespace

extern "C" int unknot_options_read(const char* text, unknot_options* options, char* why,
                                   std::size_t why_size) {
  try {
    read(text, *options);
    return 0;
  } catch (const std::exception& error) {
    unknot::opensm::copy_text(error.what(), why, why_size);
    return -1;
  }
}
