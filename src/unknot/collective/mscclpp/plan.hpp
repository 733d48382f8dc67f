// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/collective/msccl/msccl_program.hpp"

// Execution plans of MSCCL++, Microsoft's library for the collective operations of GPUs: JSON files that its
// executor carries out. What is here was learnt from its executor as of August 2026 and holds for its limits.
namespace unknot::mscclpp {

using msccl::Buffer;

/// What an operation does. All threads of a thread block take part in it, each in its share of the data, and
/// go on to the next one without waiting for each other: only `nop` and `barrier` bring them together.
enum class Kind : std::uint8_t {
  nop,                       ///< the threads of the thread block wait for each other
  barrier,                   ///< and so do thread blocks of the GPU
  put,                       ///< copies local chunks to another GPU
  put_signal,                ///< pws: and signals, behind the data
  put_signal_flush,          ///< pwsf: and waits until it is sent
  get,                       ///< copies chunks of another GPU
  copy,                      ///< local
  signal,                    ///< to the other end of a channel
  wait,                      ///< for a signal
  flush,                     ///< until all puts of a channel are sent
  reduce,                    ///< re: the first source and the others
  reduce_send,               ///< res: and puts the result
  read_reduce,               ///< rre: the others are of other GPUs
  read_reduce_send,          ///< rres
  put_packets,               ///< ppkt: to scratch memory; packets say that they are there
  read_put_packets,          ///< rppkt: passes packets on
  reduce_send_packets,       ///< respkt: local data and packets, and puts the result as packets
  copy_packets,              ///< cpkt: local data as packets
  unpack_packets,            ///< upkt
  reduce_packets,            ///< repkt
  reduce_copy_packets,       ///< recpkt: keeps the result as packets, too
  reduce_copy_send_packets,  ///< recspkt
  switch_reduce,             ///< glres: the sum of all GPUs of a switch to all of them
  switch_store,              ///< gstore: to all of them
  switch_store_packets,      ///< gstorepkt
  relaxed_signal,            ///< rlxsignal: orders nothing but itself
  relaxed_wait,
  pipeline,  ///< its operations again and again, each time for the next part of their chunks
  acquire,   ///< sem_acquire: semaphores of the GPU, each one down
  release,   ///< sem_release: up
};
/// "pws", as the files have it.
std::string_view name_of(Kind kind);

/// How another GPU is reached.
enum class Access : std::uint8_t {
  memory,     ///< directly, within a box
  port,       ///< by a processor that puts in order: network cards
  multicast,  ///< by the switch of a box
  none
};

/// Chunks of a buffer.
struct Range {
  enum class Where : std::uint8_t { local, remote, multicast };
  Where where = Where::local;
  Buffer buffer = Buffer::input;  ///< of a local one
  std::uint32_t id = 0;           ///< of the remote buffers, or switch channels, of the thread block
  std::uint32_t index = 0;
  std::uint32_t size = 1;
  bool operator==(const Range&) const = default;
};

struct Operation {
  Kind kind = Kind::nop;
  Access access = Access::none;
  std::vector<std::uint32_t> channels;  ///< of the thread block
  std::vector<Range> sources, destinations;
  std::vector<std::uint32_t> semaphores;  ///< of the GPU
  std::uint32_t barrier = 0, blocks = 0;  ///< its number, and how many thread blocks meet there
  std::uint32_t part = 0, parts = 1;      ///< of the data, where thread blocks share an operation
  std::uint64_t unit = 0;                 ///< bytes of each time round a pipeline
  std::uint32_t chunks = 1;               ///< of its ranges
  std::vector<Operation> inner;           ///< of a pipeline
};

/// Does its operations one after the other; all thread blocks of all GPUs work at once.
struct ThreadBlock {
  std::array<std::vector<std::uint32_t>, 3> channels;  ///< by access: of the GPU
  std::array<std::vector<std::uint32_t>, 2> remotes;   ///< by access (memory, port): of the GPU
  std::vector<Operation> operations;
};

/// A buffer of another GPU.
struct RemoteBuffer {
  std::uint32_t rank = 0;
  Buffer buffer = Buffer::output;
  std::array<bool, 2> by{};  ///< memory, port
};

/// A buffer of several GPUs that their switch reads and writes as one.
struct SwitchChannel {
  Buffer buffer = Buffer::input;
  std::vector<std::uint32_t> ranks;
};

struct Gpu {
  std::array<std::uint32_t, 3> chunks{};            ///< of each buffer
  std::array<std::vector<std::uint32_t>, 2> peers;  ///< by access: the GPU at the other end of each channel
  std::vector<SwitchChannel> switches;
  std::vector<RemoteBuffer> remotes;
  std::vector<std::uint32_t> semaphores;  ///< what each begins with
  std::vector<ThreadBlock> blocks;
};

/// The n-th channel of an access from GPU a to GPU b has the n-th one from b to a as its other end.
struct Plan {
  std::string name, collective;
  bool packets = false;  ///< protocol LL, else Simple
  bool in_place = false;
  bool reuse_resources = false;
  bool double_scratch = false;  ///< scratch memory of two runs, in turns
  std::uint32_t threads = 1024;
  std::uint32_t alignment = 16;
  std::uint64_t min_bytes = 0, max_bytes = UINT64_MAX;
  std::vector<Gpu> gpus;  ///< by rank
};

// What the executor can hold (execution_common.hpp).
constexpr std::uint32_t kMostChannels = 16;          ///< of a thread block, of each access
constexpr std::uint32_t kMostChannelsAtOnce = 8;     ///< of an operation
constexpr std::uint32_t kMostRanges = 10;            ///< sources, or destinations, of an operation
constexpr std::uint32_t kMostOperations = 64;        ///< of a thread block, those in pipelines included
constexpr std::uint32_t kMostBarriers = 16;          ///< of a GPU
constexpr std::uint32_t kMostSemaphoresAtOnce = 16;  ///< of an operation
constexpr std::uint32_t kMostThreads = 1024;
// What is read.
constexpr std::uint32_t kMostRanks = 1024;
constexpr std::uint32_t kMostBlocks = 1024;  ///< of a GPU
constexpr std::uint32_t kMostChunks = 1U << 16U;
constexpr std::uint32_t kMostIds = 1U << 16U;

/// Reads JSON. InputError with file and member for what is no JSON, members that are missing or hold what
/// they cannot, and numbers beyond what is read; members that are not known are ignored, as the executor
/// does. Whether the plan does what it says is for find_fault(). O(text).
Plan parse_plan(std::string_view text, const std::string& file);
/// True where JSON is a plan and no schedule.
bool is_plan(std::string_view text);

/// JSON with a line for each operation.
std::string plan_text(const Plan& plan);

/// Executes the plan on symbolic chunks and says the first fault it finds, with GPU, thread block and
/// operation: limits of the executor, what it would do other than said, a deadlock, a signal that nobody
/// waits for, chunks that hold nothing, memory that two threads touch in no certain order, also of one thread
/// block without a nop between, memory of a GPU that is written before it is known to have begun or may be
/// after it has ended, and at the end a buffer that does not hold what the collective promises. nullopt:
/// none, whatever the thread blocks' speed. Knows nothing of schedules.
///
/// Relaxed signals order the beginnings of GPUs and nothing else. Chunks of which thread blocks share an
/// operation are divided among them; of a pipeline three times round are executed, with chunks that scratch
/// memory has room for. Of collectives other than allreduce, allgather, reducescatter, broadcast, reduce and
/// alltoall the result is not looked at.
std::optional<std::string> find_fault(const Plan& plan);
/// True where find_fault() knows what the collective promises.
bool promises_something(const Plan& plan);

}  // namespace unknot::mscclpp
