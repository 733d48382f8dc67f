// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace unknot::cli::test {

struct Result {
  int code = 0;
  std::string out, err;
  [[nodiscard]] nlohmann::json json() const { return nlohmann::json::parse(out); }
};

/// Runs the whole program in this process with "unknot" before `arguments`, stdout and stderr captured.
Result run(const std::vector<std::string>& arguments);
/// The same, with the arguments separated by blanks as on a command line without quotes.
Result run(std::string_view line);

/// Runs each test in an empty folder of its own, which is the working directory.
class InFolder : public ::testing::Test {
 protected:
  static std::string write(const std::string& name, std::string_view content);
  static std::string read(const std::string& name);
  /// Names of the files in the folder, sorted.
  static std::vector<std::string> files();

  /// Exit 2, one line on stderr with `expected` in it, nothing on stdout, nothing written.
  static void expect_refused(std::string_view line, const std::string& expected);
  static void expect_arguments_refused(const std::vector<std::string>& arguments,
                                       const std::string& expected);

 private:
  /// A new empty folder, the working directory while it lives.
  class Folder {
   public:
    Folder();
    ~Folder();
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

   private:
    std::filesystem::path before_, folder_;
  };
  Folder folder_;
};

}  // namespace unknot::cli::test
