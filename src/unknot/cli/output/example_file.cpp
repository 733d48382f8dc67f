// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/output/example_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "unknot/cli/output/output.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot::cli {

Answer write_example(const std::string& path, std::string_view text, std::string_view what,
                     const Common& common) {
  if (std::filesystem::exists(path) && read_file(path) != text)
    throw InputError(fmt::format("{}: is there already, with other content", path));
  check_outputs({path});
  write_file(path, text);
  if (common.json) return {kYes, {{"example", path}}, {}};
  note(common, fmt::format("wrote {} to {}", what, path));
  return {kYes};
}

}  // namespace unknot::cli
