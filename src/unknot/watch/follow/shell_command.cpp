// SPDX-License-Identifier: Apache-2.0
#include "unknot/watch/follow/shell_command.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <memory>
#include <string_view>

#include "unknot/support/error.hpp"
#include "unknot/support/files/descriptor.hpp"
#include "unknot/support/files/stop_request.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX declares it in no header

namespace unknot::watch {
namespace {

constexpr int kStep = 20;  // milliseconds between two looks at the command

/// Ends the group, whatever way its object goes.
class Group {
 public:
  explicit Group(pid_t leader) : leader_(leader) {}
  ~Group() {
    if (leader_ < 0) return;
    ::kill(-leader_, SIGKILL);
    ::waitpid(leader_, nullptr, 0);
  }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  /// True once the leader has ended; `status` is then its own. What it has left behind is ended, too.
  bool ended(int& status) {
    if (::waitpid(leader_, &status, WNOHANG) != leader_) return false;
    ::kill(-leader_, SIGKILL);
    leader_ = -1;
    return true;
  }

 private:
  pid_t leader_;
};

pid_t spawn(const std::string& command, int output, const std::vector<std::string>& variables) {
  std::vector<std::string> words = {"/bin/sh", "-c", command};
  std::vector<std::string> added = variables;
  std::vector<char*> arguments, environment;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  // The first of two variables of one name counts.
  for (std::string& variable : added) environment.push_back(variable.data());
  for (char** variable = environ; *variable != nullptr; ++variable) environment.push_back(*variable);
  environment.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  pid_t child = -1;
  const int failed =
      ::posix_spawn(&child, "/bin/sh", &files, &attributes, arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  if (failed != 0) throw InputError(fmt::format("/bin/sh: cannot run: {}", std::strerror(failed)));
  return child;
}

std::string failure_of(int status) {
  if (WIFSIGNALED(status)) return fmt::format("was killed by signal {}", WTERMSIG(status));
  return WEXITSTATUS(status) == 0 ? "" : fmt::format("ended with exit code {}", WEXITSTATUS(status));
}

/// Takes what is there; false at the end.
bool take(int pipe, std::string& output) {
  std::array<char, 1U << 16U> piece{};
  for (;;) {
    const ssize_t got = ::read(pipe, piece.data(), piece.size());
    if (got > 0) {
      output.append(piece.data(), static_cast<std::size_t>(got));
      return true;
    }
    if (got == 0) return false;
    if (errno != EINTR) return errno == EAGAIN;
  }
}

}  // namespace

CommandEnd run_command(const std::string& command, double seconds, std::uint64_t most,
                       const std::vector<std::string>& variables) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw InputError(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  const Descriptor reader(ends[0]);
  Descriptor writer(ends[1]);
  ::fcntl(reader.get(), F_SETFL, O_NONBLOCK);
  Group group(spawn(command, most > 0 ? writer.get() : STDERR_FILENO, variables));
  writer.close();
  CommandEnd end;
  const auto started = std::chrono::steady_clock::now();
  for (bool open = true;;) {
    if (stop_requested.load(std::memory_order_relaxed)) throw Interrupted();
    if (std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count() > seconds) {
      end.failure = fmt::format("had not ended after {} s", seconds);
      return end;
    }
    // Where the pipe has ended there is nothing to wait for but the process.
    pollfd file{open ? reader.get() : -1, POLLIN, 0};
    if (::poll(&file, 1, kStep) > 0) open = take(reader.get(), end.output);
    if (end.output.size() > most) {
      if (most > 0) {
        end.failure = fmt::format("wrote more than {} bytes", most);
        return end;
      }
    }
    int status = 0;
    if (!group.ended(status)) continue;
    while (open && end.output.size() <= most) {
      const std::size_t before = end.output.size();
      if (!take(reader.get(), end.output) || end.output.size() == before) break;
    }
    end.failure = failure_of(status);
    return end;
  }
}

}  // namespace unknot::watch
