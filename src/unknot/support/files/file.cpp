// SPDX-License-Identifier: Apache-2.0
// Where files are, and that they stay there; what is in them: read_file.cpp and write_file.cpp.
#include "unknot/support/files/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <filesystem>

#include "unknot/support/files/descriptor.hpp"
#include "unknot/support/files/system_error.hpp"

namespace unknot {
namespace {

namespace fs = std::filesystem;

constexpr int kMostLinks = 40;  // as many as the system follows

/// A link that anyone may have put into a folder for all, such as /tmp, to have another file overwritten. The
/// system follows none of these either, as a rule.
bool planted(const struct stat& link, const fs::path& folder) {
  struct stat status {};
  if (::stat(folder.c_str(), &status) != 0) return true;
  const bool for_all = (status.st_mode & S_ISVTX) != 0 && (status.st_mode & S_IWOTH) != 0;
  return for_all && link.st_uid != ::geteuid() && link.st_uid != status.st_uid;
}

}  // namespace

std::string link_target(const std::string& path) {
  fs::path target = path;
  for (int links = 0; links <= kMostLinks; ++links) {
    const Descriptor link(::open(target.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    struct stat status {};
    if (link.get() < 0 || ::fstat(link.get(), &status) != 0 || !S_ISLNK(status.st_mode))
      return target.string();
    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    if (planted(status, folder)) fail_to("write", path, EACCES);
    std::string next(PATH_MAX, '\0');
    const ssize_t length = ::readlinkat(link.get(), "", next.data(), next.size());
    if (length < 0) fail_to("write", path);
    next.resize(static_cast<std::size_t>(length));
    target = target.parent_path() / next;  // an absolute one stands for itself
  }
  fail_to("write", path, ELOOP);
}

void sync_file_system(const std::string& folder) {
  const Descriptor file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (file.get() < 0 || ::syncfs(file.get()) != 0) fail_to("write", folder);
}

void sync_folder(const std::string& folder) {
  const Descriptor file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (file.get() < 0) fail_to("write", folder);
  // Some file systems cannot; there the names last by other means.
  (void)::fsync(file.get());
}

}  // namespace unknot
