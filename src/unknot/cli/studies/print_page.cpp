// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/studies/print_page.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/watch/follow/shell_command.hpp"

namespace unknot::cli {
namespace {

namespace fs = std::filesystem;

constexpr double kPatience = 300;  // seconds for a page of a million channels
constexpr std::uint64_t kMostPdf = std::uint64_t{1} << 30U;

/// A folder that only the user can read, gone with the object.
class PrivateFolder {
 public:
  PrivateFolder() {
    std::string name = (fs::temp_directory_path() / "unknot-print-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw InputError(fmt::format("{}: cannot make a folder for the page that is printed", name));
    path_ = name;
  }
  ~PrivateFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace

bool is_pdf(const std::string& path) {
  return path.ends_with(".pdf") || path.ends_with(".PDF");
}

std::string find_chromium() {
  const char* const folders = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe)
  std::string_view rest = folders == nullptr ? "" : folders;
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
    for (const char* name : {"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}) {
      const fs::path program = fs::path(folder) / name;
      std::error_code ignored;
      if (!folder.empty() && fs::is_regular_file(program, ignored) && ::access(program.c_str(), X_OK) == 0)
        return program.string();
    }
  }
  throw InputError(
      "report: a PDF is printed by Chromium, which is not installed; write page.html and print it in a "
      "browser");
}

void print_page(std::string_view html, const std::string& chromium, const std::string& path) {
  const PrivateFolder folder;
  write_file((folder.path() / "page.html").string(), html);
  // Its sandbox does not run as root; the page may load nothing. What is no name of ours is in variables.
  const std::string command = fmt::format(
      "cd \"$UNKNOT_FOLDER\" && \"$UNKNOT_CHROMIUM\" --headless --disable-gpu --no-first-run "
      "--disable-dev-shm-usage {}--user-data-dir=profile --no-pdf-header-footer "
      "--virtual-time-budget=20000 --print-to-pdf=page.pdf page.html 2>/dev/null",
      ::geteuid() == 0 ? "--no-sandbox " : "");
  const watch::CommandEnd end =
      watch::run_command(command, kPatience, std::uint64_t{1} << 20U,
                         {"UNKNOT_FOLDER=" + folder.path().string(), "UNKNOT_CHROMIUM=" + chromium});
  const fs::path printed = folder.path() / "page.pdf";
  if (!end.failure.empty() || !fs::exists(printed)) {
    throw InputError(fmt::format("{}: does not print the page{}{}", chromium, end.failure.empty() ? "" : ": ",
                                 end.failure));
  }
  ReadLimits limits;
  limits.text = false;
  limits.most = kMostPdf;
  write_file(path, read_file(printed.string(), limits));
}

}  // namespace unknot::cli
