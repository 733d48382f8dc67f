// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/command/help.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/program/manual_page.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/parameters.hpp"

namespace unknot::cli {
namespace {

struct ManualOptions {
  std::string page = "unknot";
  std::string folder;
};

Answer manual(const ManualOptions& options, const Common& common) {
  const std::vector<ManualPage> pages = manual_pages();
  if (!options.folder.empty()) {
    if (!std::filesystem::is_directory(options.folder))
      throw InputError(options.folder + ": expected an existing folder");
    std::vector<std::string> files;
    for (const ManualPage& page : pages) {
      const std::string file = page.name + "." + std::to_string(page.section);
      files.push_back((std::filesystem::path(options.folder) / file).string());
      write_file(files.back(), page.text);
    }
    return {kYes, common.json ? Json{{"files", files}} : Json(), {}};
  }
  std::vector<std::string> names;
  for (const ManualPage& page : pages) {
    if (page.name == options.page || page.name == "unknot-" + options.page) {
      if (common.json) {
        return {kYes, {{"page", page.name}, {"section", page.section}, {"roff", page.text}}, {}};
      }
      return {kYes, {}, page.text};
    }
    names.push_back(page.name == "unknot" ? page.name : page.name.substr(sizeof("unknot-") - 1));
  }
  throw InputError(
      fmt::format("there is no manual page '{}'; {}", options.page, near_or_all_names(options.page, names)));
}

Action declare_manual(CLI::App& app, const Common& common) {
  const auto options = std::make_shared<ManualOptions>();
  app.add_option("PAGE", options->page, "A command or a catalogue")->type_name("")->capture_default_str();
  app.add_option("-o,--output", options->folder, "Write all pages into this folder")->type_name("FOLDER");
  return [options, &common] { return manual(*options, common); };
}

}  // namespace

Command manual_row() {
  return {
      .name = "manual",
      .summary = "Print a manual page, made from the options and the catalogues of this program",
      .details =
          R"(With -o all pages are written, as NAME.1 (commands) and NAME.7 (catalogues). An installed unknot has them:
man unknot-route.)",
      .examples = {"unknot manual route", "unknot manual engines"},
      .declare = declare_manual};
}

}  // namespace unknot::cli
