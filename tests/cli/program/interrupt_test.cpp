// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/output/interrupt.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "cli/run_command.hpp"
#include "unknot/cli/output/progress_bar.hpp"
#include "unknot/support/error.hpp"

namespace unknot::cli::test {
namespace {

using ::testing::IsEmpty;

TEST(Interrupt, RaisesAFlagThatLongWorkPolls) {
  const InterruptGuard guard;
  const Common quiet{.quiet = true};
  const ProgressBar bar(quiet);
  EXPECT_FALSE(bar.interrupted());
  EXPECT_NO_THROW(stop_if_interrupted());
  ASSERT_EQ(std::raise(SIGINT), 0);
  EXPECT_TRUE(bar.interrupted());
  EXPECT_THROW(stop_if_interrupted(), Interrupted);
}

TEST(Interrupt, AnEarlierOneDoesNotStopTheNextCommand) {
  {
    const InterruptGuard guard;
    ASSERT_EQ(std::raise(SIGTERM), 0);
    EXPECT_TRUE(interrupted());
  }
  EXPECT_EQ(run("info ring:5").code, 0);
}

/// Standard input is a pipe while it lives.
class PipedInput {
 public:
  PipedInput() : saved_(::dup(STDIN_FILENO)) {
    if (::pipe(ends_.data()) != 0) throw std::runtime_error("cannot make a pipe");
    ::dup2(ends_[0], STDIN_FILENO);
    ::close(ends_[0]);
  }
  ~PipedInput() {
    ::dup2(saved_, STDIN_FILENO);
    ::close(saved_);
  }
  PipedInput(const PipedInput&) = delete;
  PipedInput& operator=(const PipedInput&) = delete;
  [[nodiscard]] int writer() const { return ends_[1]; }

 private:
  std::array<int, 2> ends_{};
  int saved_;
};

using InterruptedRun = InFolder;

TEST_F(InterruptedRun, ExitsWith130AndLeavesNoFile) {
  const PipedInput input;
  // Blank lines more than the pipe holds: when all are written, the command is reading, so its guard is in
  // place, and it cannot have gone on, since the input has not ended.
  const std::string fabric = "0 1\n1 2\n2 0\n" + std::string(std::size_t{1} << 20, '\n');
  std::thread user([&] {
    std::string_view rest = fabric;
    while (!rest.empty()) {
      const ssize_t written = ::write(input.writer(), rest.data(), rest.size());
      if (written <= 0) break;
      rest.remove_prefix(static_cast<std::size_t>(written));
    }
    EXPECT_TRUE(rest.empty());
    EXPECT_EQ(::kill(::getpid(), SIGINT), 0);
    ::close(input.writer());
  });
  const Result result = run("route - --engine minhop -o tables");
  user.join();
  EXPECT_EQ(result.code, 130) << result.err;
  EXPECT_EQ(result.err, "unknot: interrupted\n");
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_THAT(files(), IsEmpty());
}

}  // namespace
}  // namespace unknot::cli::test
