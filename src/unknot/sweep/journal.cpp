// SPDX-License-Identifier: Apache-2.0
#include "unknot/sweep/journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <vector>

#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/hash.hpp"
#include "unknot/support/number.hpp"
#include "unknot/sweep/plan.hpp"

namespace unknot::sweep {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".journal";
constexpr mode_t kFileMode = 0644;
constexpr std::size_t kDigits = 16;
// "<key> <hash> <+ or -> <text>"
constexpr std::size_t kHashAt = kDigits + 1;
constexpr std::size_t kBodyAt = kHashAt + kDigits + 1;

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw InputError(fmt::format("{}: cannot {}: {}", path, what, std::strerror(errno)));
}

std::uint64_t hash_of(std::string_view key, std::string_view body) {
  Hash64 hash;
  hash.add_bytes(std::as_bytes(std::span(key)));
  hash.add_bytes(std::as_bytes(std::span(body)));
  return hash.value();
}

}  // namespace

Journal::Journal(std::string folder) : folder_(std::move(folder)) {
  if (::mkdir(folder_.c_str(), 0755) != 0 && errno != EEXIST) fail(folder_, "make the folder");
  if (!fs::is_directory(folder_)) throw InputError(fmt::format("{}: is no folder", folder_));
  refresh();
}

Journal::~Journal() {
  if (own_ >= 0) ::close(own_);
}

void Journal::refresh() {
  std::error_code error;
  std::vector<std::string> names;
  for (fs::directory_iterator at(folder_, error), end; !error && at != end; at.increment(error)) {
    if (at->path().extension() == kEnding) names.push_back(at->path().string());
  }
  if (error) throw InputError(fmt::format("{}: cannot read: {}", folder_, error.message()));
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    if (name != own_path_) read_more(name, offsets_[name]);
  }
}

void Journal::read_more(const std::string& path, std::uint64_t& offset) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  if (error || size <= offset) return;
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(path, "open");
  file.seekg(static_cast<std::streamoff>(offset));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::string_view rest = text;
  for (std::size_t end = 0; (end = rest.find('\n')) != std::string_view::npos; rest.remove_prefix(end + 1)) {
    take_line(rest.substr(0, end));
    offset += end + 1;
  }
}

void Journal::take_line(std::string_view line) {
  const bool divided = line.size() >= kBodyAt + 2 && line[kHashAt - 1] == ' ' && line[kBodyAt - 1] == ' ';
  const auto number_at = [&](std::size_t at) {
    return divided ? number_in<std::uint64_t>(line.substr(at, kDigits), 16) : std::nullopt;
  };
  const auto key = number_at(0), hash = number_at(kHashAt);
  if (!key || !hash || *hash != hash_of(line.substr(0, kDigits), line.substr(kBodyAt))) {
    ++damaged_;
    return;
  }
  keep(*key, {line[kBodyAt] == '-', std::string(line.substr(kBodyAt + 2))});
}

void Journal::keep(std::uint64_t key, Record record) {
  Record& known = records_.try_emplace(key, Record{true, ""}).first->second;
  if (known.refused) known = std::move(record);
}

void Journal::forget_refused() {
  std::erase_if(records_, [](const auto& entry) { return entry.second.refused; });
}

const Record* Journal::find(std::uint64_t key) const {
  const auto at = records_.find(key);
  return at == records_.end() ? nullptr : &at->second;
}

void Journal::open_own() {
  for (std::size_t number = offsets_.size() + 1; own_ < 0; ++number) {
    own_path_ = (fs::path(folder_) / fmt::format("{:06}{}", number, kEnding)).string();
    own_ = ::open(own_path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, kFileMode);
    if (own_ < 0 && errno != EEXIST) fail(own_path_, "write");
  }
  sync_folder(folder_);
}

void Journal::add(std::uint64_t key, Record record) {
  if (own_ < 0) open_own();
  const std::string name = key_text(key);
  const std::string body = fmt::format("{} {}", record.refused ? '-' : '+', record.text);
  const std::string line = fmt::format("{} {} {}\n", name, key_text(hash_of(name, body)), body);
  std::size_t done = 0;
  while (done < line.size()) {
    const ssize_t written = ::write(own_, line.data() + done, line.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(own_path_, "write");
    done += static_cast<std::size_t>(written);
  }
  if (::fdatasync(own_) != 0) fail(own_path_, "write");
  keep(key, std::move(record));
}

}  // namespace unknot::sweep
