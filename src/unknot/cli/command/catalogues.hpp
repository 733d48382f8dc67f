// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unknot/support/parameters.hpp"

namespace unknot::cli {

/// One row of any catalogue, as `unknot list` and the help texts show it.
struct ListedRow {
  std::string name;
  std::string summary;
  std::vector<std::pair<std::string, std::string>> facts;  ///< what only this catalogue has, such as promises
  std::vector<Parameter> parameters;
  std::vector<std::string> examples;
};

struct Catalogue {
  std::string name;
  std::vector<ListedRow> rows;
  bool has_parameters = false;
};

/// A catalogue before it is looked at: its rows are made when they are asked for.
struct CatalogueSource {
  std::string name;
  bool has_parameters = false;
  std::vector<ListedRow> (*rows)() = nullptr;
};

/// Those that UNKNOT_ROUTING_COMMANDS need.
const std::vector<CatalogueSource>& routing_catalogues();
/// All that the program at hand has.
const std::vector<CatalogueSource>& catalogues();
/// "reads and writes tables", for the formats.
std::string format_use(const std::string& things, bool reads, bool writes);

/// Names `unknot list` takes, those of catalogues that are still empty included.
const std::vector<std::string>& catalogue_names();
/// InputError with the near names when there is none of that name.
Catalogue find_catalogue(std::string_view name);

/// "minhop, updn, sssp": the names of a catalogue's rows, for help texts.
std::string row_names(std::string_view catalogue);

/// "number", "real", "list", "text" or "flag".
std::string kind_name(ParameterKind kind);
/// "roots=TEXT  roots of the tree (default chosen)": one line of help.
std::string parameter_text(const Parameter& parameter);

}  // namespace unknot::cli
