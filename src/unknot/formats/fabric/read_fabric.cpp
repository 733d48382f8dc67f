// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "unknot/formats/draft/parts.hpp"
#include "unknot/formats/fabric/fabric_catalogue.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/network/grids/recognise_grid.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

constexpr std::size_t kHead = 16384;
// Five million ports fit; what is larger is a file, which has a size.
constexpr std::uint64_t kMostStreamed = 512 * ReadLimits::kMebi;

/// A mistyped spec rather than the name of a missing file: "trous:4x4".
bool means_spec(const std::string& text) {
  if (text.find('/') != std::string::npos) return false;
  std::error_code error;
  if (std::filesystem::exists(text, error)) return false;
  const std::size_t colon = text.find(':');
  return colon != std::string::npos || text.find('.') == std::string::npos;
}

/// The format that a file's first bytes tell. InputError where they tell none.
const FabricFormat& format_of(std::string_view text, const std::string& name) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw InputError(fmt::format("{}: the file is empty", name));
  std::string known;
  for (const FabricFormat& format : fabric_formats()) {
    if (!format.read) continue;
    if (format.recognises(text.substr(0, kHead))) return format;
    known += (known.empty() ? "" : ", ") + format.name;
  }
  for (const TableFormat& tables : table_formats()) {
    if (!tables.recognises || !tables.recognises(text.substr(0, kHead))) continue;
    throw InputError(fmt::format(
        "{}: routing tables (format {}), where a fabric is expected: unknot verify FABRIC {} proves them",
        name, tables.name, name));
  }
  throw InputError(fmt::format("{}: of no fabric format that can be read ({})", name, known));
}

Network read(const std::string& spec_or_path, Parts parts) {
  if (spec_or_path != "-" && is_spec(spec_or_path)) return make_network(spec_or_path);
  if (spec_or_path != "-" && means_spec(spec_or_path)) {
    // Only a name with a colon can be nothing but a spec.
    if (spec_or_path.find(':') != std::string::npos) return make_network(spec_or_path);
    try {
      return make_network(spec_or_path);
    } catch (const InputError& error) {
      throw InputError(fmt::format("no file of that name, and {}", error.what()));
    }
  }
  const std::string name = spec_or_path == "-" ? "standard input" : spec_or_path;
  const FabricFormat* format = nullptr;
  ReadLimits limits;
  limits.most_streamed = kMostStreamed;
  limits.judge = [&](std::string_view head) { format = &format_of(head, name); };
  const std::string text = read_file(spec_or_path, limits);
  if (parts == Parts::any && format->read_parts) return format->read_parts(text, name);
  return format->read(text, name);
}

}  // namespace

Network read_fabric(const std::string& spec_or_path) {
  return with_recognised_grid(read(spec_or_path, Parts::one));
}

Network read_fabric_in_parts(const std::string& spec_or_path) {
  return read(spec_or_path, Parts::any);
}

Network read_fabric_text(std::string_view text, const std::string& name) {
  if (text.find('\0') != std::string_view::npos)
    throw InputError(fmt::format("{}: has a NUL byte, expected text", name));
  return with_recognised_grid(format_of(text, name).read(text, name));
}

}  // namespace unknot
