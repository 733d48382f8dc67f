// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <string>
#include <thread>

#include "refusal.hpp"
#include "temporary_folder.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/descriptor.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/files/temporary_file.hpp"

namespace unknot {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

class WriteFile : public test::TemporaryFolder {
 protected:
  [[nodiscard]] mode_t mode_of(const std::string& name) const {
    struct stat status {};
    EXPECT_EQ(::stat(path(name).c_str(), &status), 0);
    return status.st_mode & 07777U;
  }
};

std::string write_file_refusal(const std::string& path) {
  return refusal([&] { write_file(path, "new"); });
}

TEST_F(WriteFile, ReplacesAFileAndKeepsItsMode) {
  const mode_t before = ::umask(022);
  write_file(path("file"), "one");
  EXPECT_EQ(mode_of("file"), 0644U);
  for (const mode_t mode : {0600U, 0640U, 0755U, 0666U}) {
    ASSERT_EQ(::chmod(path("file").c_str(), mode), 0);
    write_file(path("file"), "two");
    EXPECT_EQ(mode_of("file"), mode);
    EXPECT_EQ(read("file"), "two");
  }
  ::umask(before);
  EXPECT_THAT(files(), ElementsAre("file"));
}

TEST_F(WriteFile, WritesThroughALinkToItsTarget) {
  fs::create_directory(path("folder"));
  write("folder/file", "old");
  fs::create_symlink("folder/file", path("link"));
  fs::create_symlink(path("link"), path("second"));
  write_file(path("second"), "new");
  EXPECT_TRUE(fs::is_symlink(path("link")) && fs::is_symlink(path("second")));
  EXPECT_EQ(read("folder/file"), "new");
  fs::create_symlink("folder/none", path("dangling"));
  write_file(path("dangling"), "made");
  EXPECT_TRUE(fs::is_symlink(path("dangling")));
  EXPECT_EQ(read("folder/none"), "made");
  EXPECT_EQ(link_target(path("second")), path("folder/file"));
  fs::create_symlink("round", path("round"));
  EXPECT_THAT(write_file_refusal(path("round")),
              HasSubstr("round: cannot write: Too many levels of symbolic links"));
}

/// Names that can be guessed can be taken: by a link to another file of the user's.
TEST_F(WriteFile, FollowsNoLinkInTheNameOfItsTemporaryFile) {
  write("precious", "precious");
  const std::string predicted = "file." + std::to_string(::getpid()) + ".tmp";
  fs::create_symlink("precious", path(predicted));
  write_file(path("file"), "new");
  EXPECT_EQ(read("precious"), "precious");
  EXPECT_EQ(read("file"), "new");
  EXPECT_THAT(files(), ElementsAre("file", predicted, "precious"));
}

/// Six writers with one process number, as in six containers: here six threads.
TEST_F(WriteFile, OfSeveralWritersOneLeavesAWholeFile) {
  std::vector<std::thread> writers;
  for (int writer = 0; writer < 6; ++writer) {
    writers.emplace_back([&, writer] {
      const std::string line(1000, static_cast<char>('a' + writer));
      for (int round = 0; round < 5; ++round) {
        write_file(path("file"), [&](const FileSink& sink) {
          for (int piece = 0; piece < 20; ++piece) sink(line);
        });
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  const std::string content = read("file");
  EXPECT_EQ(content, std::string(20'000, content.empty() ? ' ' : content[0]));
  EXPECT_THAT(files(), ElementsAre("file"));
}

TEST_F(WriteFile, LeavesNothingBehindWhenItFails) {
  write("file", "old");
  EXPECT_THROW(write_file(path("file"),
                          [](const FileSink& sink) {
                            sink("half");
                            throw InputError("no");
                          }),
               InputError);
  EXPECT_EQ(read("file"), "old");
  EXPECT_THAT(write_file_refusal(path("none/file")),
              HasSubstr("none/file: cannot write: No such file or directory"));
  EXPECT_THAT(write_file_refusal(path("")), HasSubstr("is a directory"));
  EXPECT_EQ(write_file_refusal("/dev/full"), "/dev/full: cannot write: No space left on device");
  EXPECT_EQ(write_file_refusal("/dev/null"), "");
  EXPECT_THAT(write_file_refusal(path(std::string(300, 'x'))), HasSubstr("cannot write: File name too long"));
  EXPECT_EQ(write_file_refusal(path(std::string(255, 'x'))), "");
  EXPECT_THAT(files(), ElementsAre("file", std::string(255, 'x')));
}

TEST_F(WriteFile, OfAGroupAllFilesAppearOrNone) {
  write("old", "old");
  {
    const FileGroup files;
    write_file(path("one"), "1");
    write_file(path("old"), "new");
    EXPECT_THROW(write_file("/dev/full", "2"), InputError);
  }
  EXPECT_THAT(files(), ElementsAre("old"));
  EXPECT_EQ(read("old"), "old");
  FileGroup files_to_keep;
  write_file(path("one"), "1");
  write_file(path("old"), "new");
  EXPECT_EQ(read("old"), "old");
  files_to_keep.commit();
  EXPECT_THAT(files(), ElementsAre("old", "one"));
  EXPECT_EQ(read("old"), "new");
}

/// A process that makes a temporary file in the folder and, as if killed, ends without taking it away: at
/// once, or when `finish` can be read.
pid_t start_writer(const std::string& folder, int ready, int finish) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  const TemporaryFile file(folder, 0600);
  char byte = 'r';
  const bool told = ::write(ready, &byte, 1) == 1 && (finish < 0 || ::read(finish, &byte, 1) >= 0);
  ::_exit(told ? 0 : 1);
}

/// What a killed process leaves goes with the next file, what a living one writes stays, and so does what
/// only has such a name.
TEST_F(WriteFile, ClearsWhatNobodyHoldsAndNothingElse) {
  std::array<int, 2> ready{};
  std::array<int, 2> finish{};
  ASSERT_EQ(::pipe(ready.data()), 0);
  ASSERT_EQ(::pipe(finish.data()), 0);
  char byte = 0;
  const pid_t living = start_writer(path(""), ready[1], finish[0]);
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  const std::vector<std::string> held = files();
  const pid_t killed = start_writer(path(""), ready[1], -1);
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  ASSERT_EQ(::waitpid(killed, nullptr, 0), killed);
  ASSERT_EQ(held.size(), 1U);
  ASSERT_EQ(files().size(), 2U);
  write(".unknot-0123456789abcdeX.tmp", "of another form");
  fs::create_symlink("file", path(".unknot-0123456789abcde0.tmp"));
  fs::create_directory(path(".unknot-0123456789abcde1.tmp"));
  write_file(path("file"), "new");
  EXPECT_THAT(files(), UnorderedElementsAre(".unknot-0123456789abcdeX.tmp", ".unknot-0123456789abcde0.tmp",
                                            ".unknot-0123456789abcde1.tmp", held[0], "file"));
  EXPECT_EQ(read("file"), "new");
  ASSERT_EQ(::write(finish[1], &byte, 1), 1);
  ASSERT_EQ(::waitpid(living, nullptr, 0), living);
  for (const int end : {ready[0], ready[1], finish[0], finish[1]}) ::close(end);
}

}  // namespace
}  // namespace unknot
