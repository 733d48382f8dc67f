// SPDX-License-Identifier: Apache-2.0
// Files that nobody writes by mistake: endless, deep, wide, or not files at all.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "cli/run_command.hpp"

namespace unknot::cli::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class HostileInput : public InFolder {};

std::string repeated(const std::string& piece, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += piece;
  return text;
}

/// Every option and argument that is read as text, with what stands before and after the file.
const std::vector<std::pair<std::string, std::string>>& readers() {
  static const std::vector<std::pair<std::string, std::string>> lines = {
      {"info ", ""},
      {"verify torus:4x4 ", ""},
      {"verify ", " --config Noc"},
      {"verify torus:4x4 tables --lanes ", ""},
      {"verify torus:4x4 tables --sl2vl ", ""},
      {"verify torus:4x4 tables --certificate ", ""},
      {"congestion torus:4x4 --engine minhop --pattern file:", ""},
      {"simulate torus:4x4 --engine minhop --load 0.1 --config ", ""},
      {"simulate torus:4x4 --engine minhop --packets ", ""},
      {"simulate torus:4x4 --engine minhop --workload messages:", ""},
      {"simulate torus:4x4 --engine minhop --workload matrix:", ""},
      {"simulate torus:4x4 --engine minhop --workload goal:", ""},
      {"simulate torus:4x4 --engine minhop --workload chakra:", ""},
      {"simulate torus:4x4 --schedule ", ""},
      {"schedule check torus:4x4 ", ""},
      {"schedule torus:4x4 --collective MNS --messages ", ""},
      {"place torus:4x4 --engine minhop --matrix ", ""},
      {"place torus:4x4 --engine minhop --stencil 4x4 --from ", ""},
      {"place torus:4x4 --engine minhop --stencil 4x4 --cores ", ""},
      {"slurm-topology torus:4x4 --check ", ""},
      {"slurm-prolog ", " --job 1 --nodes n1"},
      {"sweep ", " --dry-run"},
      {"route torus:4x4 --engine updn:roots=@", ""},
      {"reroute torus:4x4 --fail cable-count=1 --tables ", ""},
  };
  return lines;
}

TEST_F(HostileInput, NoReaderTakesWhatIsNoText) {
  ASSERT_EQ(run("route torus:4x4 --engine updn -o tables").code, 0);
  fs::create_directory("folder");
  write("empty", "");
  write("zeros", std::string("\0\0\0\0", 4));
  write("noise", std::string("\xFF\xFE\x01\x80\n\x93\n", 7));
  write("wide", std::string(1'000'000, 'x'));
  write("deep", repeated("[", 100'000));
  write("objects", repeated("{\"a\":", 100'000));
  write("lists", repeated("- ", 100'000));
  write("marks", repeated("<a>", 100'000));
  for (const auto& [before, after] : readers()) {
    for (const char* file :
         {"/dev/zero", "zeros", "noise", "wide", "deep", "objects", "lists", "marks", "folder", "none"}) {
      const std::string line = before + file + after;
      SCOPED_TRACE(line);
      expect_refused(line, fs::path(file).filename().string());
      const Result result = run(line);
      EXPECT_LE(result.err.size(), 700U);
    }
  }
}

/// What a reader does not know by its first bytes is not read on, however much there is: here a file that
/// says it has a terabyte.
TEST_F(HostileInput, AFileFullOfHolesTakesNoMemory) {
  ASSERT_EQ(run("route ring:4 --engine updn -o tables --lanes lanes").code, 0);
  for (const char* name : {"tables", "lanes"}) {
    fs::copy_file(name, "hole", fs::copy_options::overwrite_existing);
    fs::resize_file("hole", std::uintmax_t{1} << 40U);
    expect_refused(std::string("verify ring:4 ") + (name[0] == 't' ? "hole" : "tables --lanes hole"),
                   "more than a file of its kind can have");
  }
  write("fabric", "router 0 router 1\n");
  fs::resize_file("fabric", std::uintmax_t{1} << 40U);
  expect_refused("info fabric", "fabric:2: a NUL byte, expected text");
}

}  // namespace
}  // namespace unknot::cli::test
