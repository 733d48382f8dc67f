// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "temporary_folder.hpp"

namespace unknot::sweep::test {

class InFolder : public unknot::test::TemporaryFolder {
 protected:
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
};

}  // namespace unknot::sweep::test
