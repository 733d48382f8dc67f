// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/adaptive/adaptive_routing.hpp"

namespace unknot {

/// One form of a file with an adaptive routing, or a part of one.
struct AdaptiveFormat {
  std::string name;
  std::string summary;
  std::function<bool(std::string_view head)> recognises;
  /// Puts what the file says into the routing. InputError with file, and line where lines mean anything.
  std::function<void(const Network&, std::string_view text, const std::string& name, AdaptiveRouting&)> read;
  /// The forwarding tables are in it; others hold lanes, or which table a port looks in.
  bool holds_tables = false;
  /// The service level of each pair is in it, where the routing has one.
  bool holds_levels = false;
  /// Writes `path`, and whatever of the routing belongs into files beside it: the paths of all. Null where it
  /// cannot be written by itself.
  std::function<std::vector<std::string>(const Network&, const AdaptiveRouting&, const std::string& path)>
      write = nullptr;
};

/// In the order in which files are read: those with the tables first.
const std::vector<AdaptiveFormat>& adaptive_formats();

/// The files of one routing, each of another form, told by their content, in any order. InputError where none
/// has the tables, or two are of one form.
AdaptiveRouting read_adaptive(const Network& network, const std::vector<std::string>& paths);

/// The form of that name. InputError where none of that name can be written.
const AdaptiveFormat& written_adaptive_format(std::string_view name);

/// This project's JSON, which holds all of a routing: docs/table-formats.md.
bool recognises_adaptive_json(std::string_view head);
void read_adaptive_json(const Network& network, std::string_view text, const std::string& name,
                        AdaptiveRouting& routing);
void write_adaptive_json(const Network& network, const AdaptiveRouting& routing, const std::string& path);

}  // namespace unknot
