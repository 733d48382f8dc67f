// SPDX-License-Identifier: Apache-2.0
#include "unknot/support/files/stop_request.hpp"

#include <poll.h>

#include <cerrno>

#include "unknot/support/error.hpp"

namespace unknot {
namespace {

// A signal that comes just before poll() is seen this much later.
constexpr int kLongestWait = 100;

/// True when something is there.
bool waited(pollfd* files, nfds_t count, int milliseconds) {
  const int ready = ::poll(files, count, milliseconds);
  // Also where someone else handles the signal, as Python does.
  if (stop_requested.load(std::memory_order_relaxed) || (ready < 0 && errno == EINTR)) throw Interrupted();
  return ready != 0;
}

}  // namespace

void wait_for(int fd, short events) {
  pollfd file{fd, events, 0};
  while (!waited(&file, 1, kLongestWait)) {
  }
}

void wait_milliseconds(int milliseconds) {
  (void)waited(nullptr, 0, milliseconds);
}

}  // namespace unknot
