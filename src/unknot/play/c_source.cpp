// SPDX-License-Identifier: Apache-2.0
#include "unknot/play/c_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "unknot/collective/model/catalogue.hpp"
#include "unknot/play/c_self_test.hpp"
#include "unknot/support/files/append.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot::play {
namespace {

constexpr std::size_t kWidth = 100;

constexpr const char* kInterpreter = R"(
struct buffers {
  char *send, *receive, *work;
  MPI_Aint bytes; /* from one block to the next */
};

static char *block(const struct buffers *all, int number)
{
  if (number < SEND_BLOCKS) return all->send + number * all->bytes;
  number -= SEND_BLOCKS;
  if (number < RECEIVE_BLOCKS) return all->receive + number * all->bytes;
  return all->work + (number - RECEIVE_BLOCKS) * all->bytes;
}
)";

constexpr const char* kBegin = R"({
  struct buffers all = {(char *)send, receive, NULL, 0};
  MPI_Request request[MOST_MESSAGES];
  MPI_Aint lower, extent;
  int size, rank, i, error, requests = 0;

  if (count < 0) return MPI_ERR_COUNT;
  error = MPI_Comm_size(comm, &size);
  if (error != MPI_SUCCESS) return error;
  if (size != RANKS) return MPI_ERR_COMM;
  error = MPI_Comm_rank(comm, &rank);
  if (error != MPI_SUCCESS) return error;
  error = MPI_Type_get_extent(type, &lower, &extent);
  if (error != MPI_SUCCESS) return error;
)";

constexpr const char* kOneBlock = R"(  all.bytes = extent * count;
)";

constexpr const char* kPieces = R"(  block_count = count / PIECES + (count % PIECES != 0);
  all.bytes = extent * block_count;
)";

// An element sent at once to oneself takes any datatype.
constexpr const char* kPad = R"(
/* Messages from `from` on, `count` elements each, to where they take `room`: filled up with the first element. */
static int spread(const char *from, char *to, int messages, int count, int room, MPI_Datatype type, MPI_Aint extent)
{
  int m, k, error = MPI_SUCCESS;
  for (m = 0; m < messages && error == MPI_SUCCESS; ++m, from += count * extent, to += room * extent) {
    error = MPI_Sendrecv(from, count, type, 0, TAG, to, count, type, 0, TAG, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    for (k = count; k < room && error == MPI_SUCCESS; ++k)
      error = MPI_Sendrecv(from, 1, type, 0, TAG, to + k * extent, 1, type, 0, TAG, MPI_COMM_SELF,
                           MPI_STATUS_IGNORE);
  }
  return error;
}

/* And back again. */
static int gather(const char *from, char *to, int messages, int count, int room, MPI_Datatype type, MPI_Aint extent)
{
  int m, error = MPI_SUCCESS;
  for (m = 0; m < messages && error == MPI_SUCCESS; ++m, from += room * extent, to += count * extent)
    error = MPI_Sendrecv(from, count, type, 0, TAG, to, count, type, 0, TAG, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  return error;
}
)";

constexpr const char* kCommutative = R"(  error = MPI_Op_commutative(op, &i);
  if (error != MPI_SUCCESS) return error;
  if (!i) return MPI_ERR_OP;
)";

// Elements may begin before or behind where they are said to: memory of one's own begins at `lower`, too.
constexpr const char* kMemory = R"(  error = MPI_Type_get_true_extent(type, &lower, &true_bytes);
  if (error != MPI_SUCCESS) return error;
  if (true_bytes < 0) true_bytes = 0;
)";

constexpr const char* kAllocate =
    R"(  memory = malloc((size_t)((work_blocks[rank]@EXTRA@) * all.bytes + true_bytes + 1));
  if (memory == NULL) return MPI_ERR_NO_MEM;
  all.work = memory - lower;
)";

constexpr const char* kSpread = R"(  if (pads) {
    char *next = all.work + work_blocks[rank] * all.bytes;
    if (send != NULL) {
      all.send = next;
      error = spread(send, all.send, SEND_MESSAGES, count, PIECES * block_count, type, extent);
      next += SEND_BLOCKS * all.bytes;
    }
    if (receive != NULL && error == MPI_SUCCESS) {
      all.receive = next;
      error = spread(receive, all.receive, RECEIVE_MESSAGES, count, PIECES * block_count, type, extent);
    }
  }
)";

constexpr const char* kGather = R"(  if (pads && receive != NULL && error == MPI_SUCCESS)
    error = gather(all.receive, receive, RECEIVE_MESSAGES, count, PIECES * block_count, type, extent);
)";

constexpr const char* kLoop = R"(  for (i = first[rank]; i < first[rank + 1] && error == MPI_SUCCESS; ++i) {
    const int here = program[i].block, other = program[i].other@RUN@;
    switch (program[i].action) {
      case SEND:
        error = MPI_Isend(block(&all, here), @COUNT@, type, other, TAG, comm, &request[requests++]);
        break;
      case RECEIVE:
        error = MPI_Irecv(block(&all, here), @COUNT@, type, other, TAG, comm, &request[requests++]);
        break;
      case WAIT:
        error = MPI_Waitall(requests, request, MPI_STATUSES_IGNORE);
        requests = 0;
        break;
      case COPY:
        error = MPI_Sendrecv(block(&all, other), @COUNT@, type, 0, TAG, block(&all, here), @COUNT@, type, 0, TAG,
                             MPI_COMM_SELF, MPI_STATUS_IGNORE);
        break;
)";

constexpr const char* kCombine = R"(      case COMBINE:
        error = MPI_Reduce_local(block(&all, other), block(&all, here), @COUNT@, type, op);
        break;
)";

/// `text` with each `name` replaced.
std::string filled(std::string text, std::string_view name, std::string_view value) {
  for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos; at += value.size())
    text.replace(at, name.size(), value);
  return text;
}

/// What a comment may hold.
std::string in_comment(std::string_view text) {
  if (text.empty()) return "a network";
  std::string result = shown(text);
  std::replace(result.begin(), result.end(), '*', '?');
  return result;
}

std::string function_name(const std::string& collective, std::size_t ranks) {
  std::string name = collective;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return c == '-' ? '_' : static_cast<char>(std::tolower(c)); });
  return fmt::format("unknot_{}_{}", name, ranks);
}

/// Items with commas between them, in lines of at most kWidth characters.
class List {
 public:
  void add(std::string_view item) {
    if (!text_.empty()) text_ += ',';
    if (column_ + item.size() + 2 > kWidth) {
      text_ += "\n ";
      column_ = 1;
    }
    text_ += ' ';
    text_ += item;
    column_ += item.size() + 2;
  }
  /// A new line before the next item.
  void end_line() { column_ = kWidth; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::size_t column_ = kWidth;
};

/// The instructions of all ranks, one after the other.
struct Tables {
  List program, first, work_blocks;
  std::size_t most_messages = 1;
  std::uint32_t most_work = 0, most_blocks = 1;
};

Tables tables_of(const std::vector<RankProgram>& programs) {
  static constexpr std::array<const char*, 5> names = {"COPY", "SEND", "RECEIVE", "COMBINE", "WAIT"};
  Tables tables;
  for (const RankProgram& program : programs) {
    tables.most_work = std::max(tables.most_work, program.work_blocks);
    for (const Instruction& now : program.instructions)
      tables.most_blocks = std::max(tables.most_blocks, now.blocks);
  }
  std::size_t instructions = 0;
  for (const RankProgram& program : programs) {
    tables.first.add(std::to_string(instructions));
    tables.work_blocks.add(std::to_string(program.work_blocks));
    tables.program.end_line();
    std::size_t messages = 0;
    for (const Instruction& now : program.instructions) {
      const bool waits = now.action == Action::wait;
      if (waits && messages == 0) continue;
      const bool sends = now.action == Action::send;
      const bool receives = now.action == Action::receive;
      messages = waits ? 0 : messages + (sends || receives ? 1 : 0);
      tables.most_messages = std::max(tables.most_messages, messages);
      const std::uint32_t other = sends || receives ? now.peer : now.from;
      tables.program.add(fmt::format("{{{}, {}, {}{}}}", names[static_cast<std::size_t>(now.action)], other,
                                     sends ? now.from : now.to,
                                     tables.most_blocks > 1 ? fmt::format(", {}", now.blocks) : ""));
      ++instructions;
    }
  }
  tables.first.add(std::to_string(instructions));
  return tables;
}

/// Where the messages of the buffers come from and go to.
std::string buffers_text(const CombinedProblem& problem, const BlockLayout& layout, std::size_t ranks) {
  if (problem.outcome != Outcome::as_given) {
    return fmt::format(" * send     one message\n * receive  one message, the result{}\n",
                       problem.outcome == Outcome::scan ? " of all ranks up to this one" : "");
  }
  const std::string each = fmt::format("{} messages, number r ", ranks);
  switch (problem.base.delivery) {
    case Delivery::scatter:
      return fmt::format(" * send     {}\n * receive  {}\n",
                         layout.send_messages == 1 ? "one message, for the destination" : each + "for rank r",
                         layout.receive_messages == 1 ? "one message" : each + "of rank r");
    case Delivery::broadcast:
      return fmt::format(" * send     one message, at those who have one\n * receive  {}\n",
                         layout.receive_messages == 1 ? "one message" : each + "of rank r");
    case Delivery::reduction:
      break;
  }
  return fmt::format(" * send     {}\n * receive  one message, the result\n",
                     layout.send_messages == 1 ? "one message" : each + "goes into the result of rank r");
}

std::string comment(const CombinedProblem& problem, const CombinedSchedule& schedule,
                    std::string_view fabric) {
  std::string nodes;
  for (const NodeId n : problem.nodes) {
    if (nodes.size() > kWidth) {
      nodes += " ...";
      break;
    }
    append(nodes, " {}", n.value);
  }
  const std::size_t ranks = problem.nodes.size();
  const MpiCollective collective = mpi_collective(problem);
  const std::string same = collective == MpiCollective::none
                               ? std::string("No operation of MPI does the same.")
                               : fmt::format("It leaves what {} leaves.", name_of(collective));
  const std::string summary = problem.outcome == Outcome::as_given
                                  ? find_collective(problem.base.collective).summary
                                  : find_combined_collective(problem.collective).summary;
  std::string text = fmt::format(
      "/* {}, {}\n * on {}: {} messages among {} ranks in {} steps, made by unknot.\n *\n"
      " * Ranks stand for these nodes, in this order:{}.\n * {}\n *\n",
      problem.collective, summary, in_comment(fabric), schedule.transfer_count(), ranks,
      schedule.step_count(), nodes, same);
  text += buffers_text(problem, block_layout(problem), ranks);
  text += " * count    elements of type `type` in a message\n";
  if (problem.reduces()) text += " * op       combines elements; one that is not commutative is refused\n";
  append(
      text,
      " * comm     of {} ranks, all of which call it; else MPI_ERR_COMM\n *\n"
      " * The buffers must not overlap; who has nothing to send, or to receive, may pass NULL. Messages that "
      "nobody\n"
      " * sends are left as they are. What is sent has the tag TAG: nothing else of that tag may be under\n"
      " * way in comm. Each rank ends a step when its own messages of that step are done; there is no "
      "barrier.\n"
      " * Returns MPI_SUCCESS or the code of the error, after which messages may be left under way.\n *\n"
      " * cc -std=c99 with MPI's compiler; -DUNKNOT_MAIN makes a program that tests the function. */\n",
      ranks);
  return text;
}

}  // namespace

std::string c_source(const CombinedProblem& problem, const CombinedSchedule& schedule,
                     std::string_view fabric, Channels channels) {
  const std::vector<RankProgram> programs = rank_programs(problem, schedule, channels);
  const BlockLayout layout = block_layout(problem);
  const bool reduction = problem.reduces();
  const bool pieces = layout.pieces > 1;
  const Tables tables = tables_of(programs);
  const bool runs = tables.most_blocks > 1;
  const bool works = tables.most_work > 0 || pieces;
  const std::string one = pieces ? "block_count" : "count";
  const std::string function = function_name(problem.collective, programs.size());
  const std::string parameters =
      fmt::format("const void *send, void *receive, int count, MPI_Datatype type, {}MPI_Comm comm",
                  reduction ? "MPI_Op op, " : "");

  std::string text = comment(problem, schedule, fabric);
  text += "#include <limits.h>\n#include <mpi.h>\n#include <stdlib.h>\n\n";
  text += fmt::format("int {}({});\n\n", function, parameters);
  text += fmt::format(
      "enum {{ RANKS = {}, SEND_MESSAGES = {}, RECEIVE_MESSAGES = {}, PIECES = {}, MOST_MESSAGES = {},\n"
      "       MOST_BLOCKS = {}, TAG = 21845 }};\n",
      programs.size(), layout.send_messages, layout.receive_messages, layout.pieces, tables.most_messages,
      tables.most_blocks);
  text += "enum { SEND_BLOCKS = SEND_MESSAGES * PIECES, RECEIVE_BLOCKS = RECEIVE_MESSAGES * PIECES };\n\n";
  text += fmt::format("/* A block is {}. They are numbered through the buffers: send, receive, then work.\n",
                      pieces ? fmt::format("one of {} pieces of a message", layout.pieces) : "a message");
  text +=
      " * SEND: `block` to rank `other`. RECEIVE: into `block` from rank `other`. WAIT: for all of these.\n";
  text += reduction ? " * COPY: block `other` to `block`. COMBINE: block `other` into `block`."
                    : " * COPY: block `other` to `block`.";
  text += runs ? "\n * `blocks`: how many, from this one on. */\n" : " */\n";
  text += fmt::format("enum action {{ SEND, RECEIVE, WAIT, COPY{} }};\n\n", reduction ? ", COMBINE" : "");
  text +=
      fmt::format("static const struct {{\n  enum action action;\n  int other, block{};\n}} program[] = {{",
                  runs ? ", blocks" : "");
  text += tables.program.text() + "\n};\n\n/* Where the program of each rank begins. */\n";
  text += "static const int first[RANKS + 1] = {" + tables.first.text() + "\n};\n";
  if (works) text += "\nstatic const int work_blocks[RANKS] = {" + tables.work_blocks.text() + "\n};\n";
  text += kInterpreter;
  if (pieces) text += kPad;
  text += fmt::format("\nint {}({})\n", function, parameters);
  std::string begin = kBegin;
  if (works) {
    begin.insert(begin.find("  int size"), fmt::format("  MPI_Aint true_bytes;\n  char *memory;\n{}",
                                                       pieces ? "  int block_count, pads;\n" : ""));
  }
  text += begin;
  text += pieces ? kPieces : kOneBlock;
  if (runs) text += fmt::format("  if ({} > INT_MAX / MOST_BLOCKS) return MPI_ERR_COUNT;\n", one);
  if (reduction) text += kCommutative;
  if (pieces) text += "  pads = count % PIECES != 0;\n";
  if (works) {
    text += kMemory;
    text += filled(kAllocate, "@EXTRA@", pieces ? " + (pads ? SEND_BLOCKS + RECEIVE_BLOCKS : 0)" : "");
  }
  if (pieces) text += kSpread;
  std::string loop = kLoop;
  if (reduction) loop += kCombine;
  loop = filled(loop, "@RUN@", runs ? fmt::format(", elements = program[i].blocks * {}", one) : "");
  text += filled(loop, "@COUNT@", runs ? "elements" : one);
  text += "    }\n  }\n";
  if (pieces) text += kGather;
  if (works) text += "  free(memory);\n";
  text += "  return error;\n}\n";
  return text + c_self_test(problem, function);
}

}  // namespace unknot::play
