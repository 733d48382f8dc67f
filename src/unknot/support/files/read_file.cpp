// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <new>
#include <system_error>

#include "unknot/support/error.hpp"
#include "unknot/support/files/descriptor.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/files/stop_request.hpp"
#include "unknot/support/files/system_error.hpp"

namespace unknot {
namespace {

constexpr std::size_t kReadPiece = std::size_t{1} << 20;

class FileReader {
 public:
  FileReader(const std::string& path, const ReadLimits& limits)
      : path_(path),
        limits_(limits),
        // A pipe without a writer must not hold up open(), which no signal ends.
        file_(path == "-" ? STDIN_FILENO
                          : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {
    if (file_.get() < 0) fail_to("open", path_);
    struct stat status {};
    if (::fstat(file_.get(), &status) != 0) fail_to("read", path_);
    if (S_ISDIR(status.st_mode)) throw InputError(fmt::format("{}: is a directory, expected a file", path_));
    regular_ = S_ISREG(status.st_mode);
    most_ = regular_ ? limits.most : std::min(limits.most, limits.most_streamed);
    if (regular_) size_ = static_cast<std::uint64_t>(status.st_size);
    if (size_ > most_) refuse_length();
  }

  std::string read() {
    std::string text;
    bool whole = append(text, ReadLimits::kHead);
    if (limits_.judge) limits_.judge(std::string_view(text).substr(0, ReadLimits::kHead));
    if (!whole && size_ > text.size()) reserve(text);
    while (!whole) whole = append(text, kReadPiece);
    return text;
  }

 private:
  [[nodiscard]] std::string name() const { return path_ == "-" ? "standard input" : path_; }
  [[noreturn]] void refuse_length() const {
    throw InputError(
        most_ == limits_.most
            ? fmt::format("{}: longer than {} bytes, more than a file of its kind can have", name(), most_)
            : fmt::format("{}: gives more than {} MiB without an end; put it into a file first", name(),
                          most_ / ReadLimits::kMebi));
  }
  void reserve(std::string& text) const {
    try {
      text.reserve(size_ + 1);  // a byte more tells that the file has ended
    } catch (const std::exception&) {
      throw InputError(fmt::format("{}: its {} bytes do not fit into memory", path_, size_));
    }
  }

  /// Up to this many bytes more; true at the end of the file.
  bool append(std::string& text, std::size_t count) const {
    const std::size_t before = text.size();
    std::size_t size = before;
    bool end = false;
    if (size_ > 0 && size_ >= before) count = std::min<std::size_t>(count, size_ + 1 - before);
    text.resize(before + count);
    while (size < text.size() && !end) {
      // Waiting can be interrupted, reading cannot.
      if (!regular_) wait_for(file_.get(), POLLIN);
      const ssize_t got = ::read(file_.get(), text.data() + size, text.size() - size);
      if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (got < 0) fail_to("read", path_);
      end = got == 0;
      size += static_cast<std::size_t>(got);
    }
    text.resize(size);
    if (limits_.text) refuse_nul(text, before);
    if (size > most_) refuse_length();
    return end;
  }

  void refuse_nul(const std::string& text, std::size_t from) const {
    const std::size_t nul = text.find('\0', from);
    if (nul == std::string::npos) return;
    const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(nul), '\n') + 1;
    throw InputError(name(), static_cast<std::size_t>(line), "a NUL byte, expected text");
  }

  const std::string& path_;
  const ReadLimits& limits_;
  Descriptor file_;
  bool regular_ = false;
  std::uint64_t most_ = 0;
  std::uint64_t size_ = 0;  // 0 where it has none
};

}  // namespace

std::string read_file(const std::string& path, const ReadLimits& limits) {
  return FileReader(path, limits).read();
}

std::string head_of_file(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return {};
  std::string head(ReadLimits::kHead, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(file.gcount()));
  return head;
}

}  // namespace unknot
