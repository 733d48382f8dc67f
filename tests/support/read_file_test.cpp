// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "refusal.hpp"
#include "temporary_folder.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/files/stop_request.hpp"

namespace unknot {
namespace {

using ::testing::HasSubstr;

std::string read_file_refusal(const std::string& path, const ReadLimits& limits = {}) {
  return refusal([&] { (void)read_file(path, limits); });
}

class ReadFile : public test::TemporaryFolder {};

TEST_F(ReadFile, GivesAllBytesOfFilesOfAnyLength) {
  for (const std::size_t size : {0U, 1U, 65'535U, 65'536U, 65'537U, (1U << 20U) + 65'536U, 3'000'000U}) {
    std::string content(size, 'x');
    for (std::size_t i = 0; i < size; i += 97) content[i] = '\n';
    write("file", content);
    EXPECT_TRUE(read_file(path("file")) == content) << size;
  }
  EXPECT_THAT(read_file("/proc/self/status"), HasSubstr("VmRSS"));  // says that it has no size
  EXPECT_THAT(read_file_refusal(path("none")), HasSubstr("none: cannot open: No such file"));
  EXPECT_THAT(read_file_refusal(path("")), HasSubstr("is a directory, expected a file"));
}

TEST_F(ReadFile, EndlessInputEndsAtItsFirstByteThatIsNoText) {
  EXPECT_EQ(read_file_refusal("/dev/zero"), "/dev/zero:1: a NUL byte, expected text");
  write("file", std::string("one\ntwo\0three\n", 14));
  EXPECT_EQ(read_file_refusal(path("file")), path("file") + ":2: a NUL byte, expected text");
  // A file that is nothing but a hole: its size is no reason to take memory.
  write("hole", "text\n");
  std::filesystem::resize_file(path("hole"), std::uintmax_t{1} << 40U);
  EXPECT_EQ(read_file_refusal(path("hole")), path("hole") + ":2: a NUL byte, expected text");
  ReadLimits any;
  any.text = false;
  EXPECT_EQ(read_file(path("file"), any).size(), 14U);
}

TEST_F(ReadFile, LimitsHoldBeforeMemoryIsTaken) {
  ReadLimits limits;
  limits.most = 100'000;
  write("file", std::string(100'000, 'x'));
  EXPECT_EQ(read_file_refusal(path("file"), limits), "");
  write("file", std::string(100'001, 'x'));
  EXPECT_EQ(read_file_refusal(path("file"), limits),
            path("file") + ": longer than 100000 bytes, more than a file of its kind can have");
  limits.text = false;
  EXPECT_EQ(read_file_refusal("/dev/zero", limits),
            "/dev/zero: longer than 100000 bytes, more than a file of its kind can have");
  limits.most = ReadLimits::kNone;
  limits.most_streamed = 2 * ReadLimits::kMebi;
  EXPECT_EQ(read_file_refusal("/dev/zero", limits),
            "/dev/zero: gives more than 2 MiB without an end; put it into a file first");
  EXPECT_EQ(read_file_refusal(path("file"), limits), "");
  limits.judge = [](std::string_view head) {
    throw InputError(std::to_string(head.size()) + " bytes of nothing");
  };
  EXPECT_EQ(read_file_refusal("/dev/zero", limits), "65536 bytes of nothing");
  write("file", "xy");
  EXPECT_EQ(read_file_refusal(path("file"), limits), "2 bytes of nothing");
}

TEST_F(ReadFile, APipeIsReadToItsEnd) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const std::string content(200'000, 'x');
  std::thread writer([&] { std::ofstream(path("pipe")) << content; });
  EXPECT_TRUE(read_file(path("pipe")) == content);
  writer.join();
}

TEST_F(ReadFile, APipeWithoutAWriterWaitsUntilTheUserStops) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  stop_requested = true;
  EXPECT_THROW((void)read_file(path("pipe")), Interrupted);
  EXPECT_THROW(write_file(path("pipe"), "x"), Interrupted);
  stop_requested = false;
}

}  // namespace
}  // namespace unknot
