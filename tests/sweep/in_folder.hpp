// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace unknot::sweep::test {

/// A new empty folder for each test.
class InFolder : public ::testing::Test {
 protected:
  InFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "unknot-sweep-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a folder");
    root_ = pattern;
  }
  ~InFolder() override {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }
  [[nodiscard]] std::string path(const std::string& name) const { return (root_ / name).string(); }

  static std::string content(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static void append(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::binary | std::ios::app) << text;
  }
  /// Whole lines of all journals of a folder.
  static std::vector<std::string> lines_of(const std::string& folder) {
    std::vector<std::string> lines;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() != ".journal") continue;
      std::string text = content(entry.path().string());
      for (std::size_t end = 0; (end = text.find('\n')) != std::string::npos; text.erase(0, end + 1))
        lines.push_back(text.substr(0, end));
    }
    return lines;
  }

 private:
  std::filesystem::path root_;
};

}  // namespace unknot::sweep::test
