// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Algorithms of MSCCL, the runtime that carries out collective operations of GPUs from XML files. What is
// here was learnt from the reader and the interpreter of RCCL, AMD's library, and holds for its limits.
namespace unknot::msccl {

enum class Buffer : std::uint8_t { input, output, scratch };

/// What a step does, in this order: receive, reduce (combine with the source), store in the destination,
/// send.
enum class Action : std::uint8_t {
  send,                      ///< s: source to the peer
  receive,                   ///< r: from the peer to the destination
  receive_copy_send,         ///< rcs
  receive_reduce_send,       ///< rrs: what was received, combined with the source, is not kept
  receive_reduce_copy,       ///< rrc
  receive_reduce_copy_send,  ///< rrcs
  copy,                      ///< cpy: source to destination
  reduce,                    ///< re: destination combined with the source
  nothing,                   ///< nop: only waits, together with the step that follows
};
/// "rrc", as the files have it.
std::string_view name_of(Action action);
[[nodiscard]] bool sends(Action action);
[[nodiscard]] bool receives(Action action);
[[nodiscard]] bool reduces(Action action);
[[nodiscard]] bool reads_source(Action action);
[[nodiscard]] bool stores(Action action);

/// `count` chunks of a buffer.
struct Place {
  Buffer buffer = Buffer::input;
  std::uint32_t offset = 0;
  bool operator==(const Place&) const = default;
};

/// Another step of the same GPU that must be done before.
struct Dependency {
  std::uint32_t block = 0;
  std::uint32_t step = 0;
  bool operator==(const Dependency&) const = default;
};

struct Step {
  Action action = Action::nothing;
  Place source, destination;
  std::uint32_t count = 1;
  std::optional<Dependency> after;
  bool announced = false;  ///< its end is made known, so that others can wait for it
  std::uint32_t line = 0;  ///< of the file; 0: from no file
};

/// Does its steps one after the other; all blocks of all GPUs work at once.
struct ThreadBlock {
  std::optional<std::uint32_t> send_to, receive_from;  ///< ranks
  std::uint32_t channel = 0;
  std::vector<Step> steps;
  std::uint32_t line = 0;
};

struct Gpu {
  std::array<std::uint32_t, 3> chunks{};  ///< in each buffer
  std::vector<ThreadBlock> blocks;        ///< by id
  std::uint32_t line = 0;
};

enum class Collective : std::uint8_t {
  allreduce,
  allgather,
  reduce_scatter,
  broadcast,
  reduce,
  all_to_all,
  all_to_all_v,
  gather,
  scatter,
  send,
  receive,
};
/// "reducescatter", as the files have it.
std::string_view name_of(Collective collective);

struct Program {
  std::string name, protocol = "Simple";
  Collective collective = Collective::allgather;
  std::uint32_t channels = 1;
  std::uint32_t chunks_per_loop = 1;
  bool in_place = false;                       ///< may be used where output and input share memory
  bool out_of_place = true;                    ///< may be used where they do not
  std::uint64_t min_bytes = 0, max_bytes = 0;  ///< of messages it is for; a maximum of 0 is none
  std::vector<Gpu> gpus;                       ///< by rank
  std::uint32_t line = 0;
};

// What RCCL's runtime can hold.
constexpr std::uint32_t kMostSteps = 64;       ///< of a thread block
constexpr std::uint32_t kMostBlocks = 64;      ///< of a GPU
constexpr std::uint32_t kMostPeers = 32;       ///< of a GPU on a channel, in each direction
constexpr std::uint32_t kMostChannels = 32;    ///< of an algorithm
constexpr std::uint32_t kMostCount = 71;       ///< chunks of a step
constexpr std::uint32_t kMostChunks = 32767;   ///< of a buffer
constexpr std::uint32_t kMostChildren = 1024;  ///< of an XML element
constexpr std::uint32_t kMostElements =
    4096;  ///< kept by one GPU: its own, and those of the others themselves
constexpr std::uint32_t kMostRanks = kMostChildren;

/// Reads XML. InputError with file and line for what is no XML, elements and attributes that are missing,
/// come twice or hold what they cannot, and numbers beyond the limits above. Takes older files, too, which
/// write `step` for `s` and leave minBytes and maxBytes out; other attributes that are not known are ignored.
/// Whether the algorithm does what it says is for find_fault(). O(text).
Program parse_program(std::string_view text, const std::string& file);

/// XML as the runtime's own reader takes it, which knows no declaration and no tabs.
std::string program_text(const Program& program);

/// What is wrong with an algorithm.
struct Fault {
  std::uint32_t line = 0;  ///< of the step, thread block or GPU; 0 where the program is from no file
  std::string sentence;
};

/// Executes the algorithm and says the first fault it finds: limits of the runtime, a send that nobody
/// receives, a receive of another size than its send, a deadlock, what reads chunks that hold nothing or lie
/// outside of the buffer, two thread blocks that touch a chunk at the same time, and at the end a buffer that
/// does not hold what the collective promises; in place and out of place where it is said to be for both.
/// Knows nothing of schedules. What alltoallv, send and recv promise is not known, so that their ends are not
/// looked at; of reduce, broadcast, gather and scatter any rank may be the root.
///
/// Every connection is a queue of two messages, as the runtime has with protocol Simple: a sender waits while
/// it is full. What happens then depends on no time. O(ranks * steps * thread blocks of a GPU).
std::optional<Fault> find_fault(const Program& program);

}  // namespace unknot::msccl
