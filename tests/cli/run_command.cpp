// SPDX-License-Identifier: Apache-2.0
#include "cli/run_command.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <sstream>
#include <stdexcept>

#include "unknot/cli/program/run.hpp"

namespace unknot::cli::test {
namespace {

/// Sends one descriptor to a file until it dies.
class Capture {
 public:
  Capture(int fd, std::FILE* stream) : fd_(fd), stream_(stream), file_(std::tmpfile()), saved_(::dup(fd)) {
    if (file_ == nullptr || saved_ < 0) throw std::runtime_error("cannot capture output");
    std::fflush(stream_);
    ::dup2(::fileno(file_), fd_);
  }
  ~Capture() {
    restore();
    std::fclose(file_);
  }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;
  std::string text() {
    restore();
    std::rewind(file_);
    std::string text;
    std::array<char, 4096> piece{};
    while (const std::size_t got = std::fread(piece.data(), 1, piece.size(), file_)) {
      text.append(piece.data(), got);
    }
    return text;
  }

 private:
  void restore() {
    if (saved_ < 0) return;
    std::fflush(stream_);
    ::dup2(saved_, fd_);
    ::close(saved_);
    saved_ = -1;
  }
  int fd_;
  std::FILE* stream_;
  std::FILE* file_;
  int saved_;
};

std::vector<std::string> words_of(std::string_view line) {
  std::istringstream words{std::string(line)};
  std::vector<std::string> all;
  for (std::string word; words >> std::quoted(word);) all.push_back(word);
  return all;
}

}  // namespace

Result run(const std::vector<std::string>& arguments) {
  std::vector<const char*> argv = {"unknot"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  Capture out(STDOUT_FILENO, stdout);
  Capture err(STDERR_FILENO, stderr);
  Result result;
  result.code = cli::run(static_cast<int>(argv.size()), argv.data());
  result.err = err.text();
  result.out = out.text();
  return result;
}

Result run(std::string_view line) {
  return run(words_of(line));
}

InFolder::Folder::Folder() : before_(std::filesystem::current_path()) {
  std::string pattern = (std::filesystem::temp_directory_path() / "unknot-cli-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a folder");
  folder_ = pattern;
  std::filesystem::current_path(folder_);
}

InFolder::Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::current_path(before_, ignored);
  std::filesystem::remove_all(folder_, ignored);
}

std::string InFolder::write(const std::string& name, std::string_view content) {
  std::ofstream(name, std::ios::binary) << content;
  return name;
}

std::string InFolder::read(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> InFolder::files() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(".")) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

void InFolder::expect_refused(std::string_view line, const std::string& expected) {
  expect_arguments_refused(words_of(line), expected);
}

void InFolder::expect_arguments_refused(const std::vector<std::string>& arguments,
                                        const std::string& expected) {
  std::string line;
  for (const std::string& argument : arguments) line += (line.empty() ? "" : " ") + argument;
  const std::vector<std::string> before = files();
  const Result result = run(arguments);
  EXPECT_EQ(result.code, 2) << line << "\n" << result.out << result.err;
  EXPECT_EQ(result.out, "") << line;
  EXPECT_THAT(result.err, ::testing::StartsWith("unknot: ")) << line;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << line << "\n" << result.err;
  EXPECT_THAT(result.err, ::testing::HasSubstr(expected)) << line;
  EXPECT_EQ(files(), before) << line;
}

}  // namespace unknot::cli::test
