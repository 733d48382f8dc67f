// SPDX-License-Identifier: Apache-2.0
#include "unknot/play/c_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "unknot/collective/model/catalogue.hpp"
#include "unknot/collective/model/ranks.hpp"
#include "unknot/play/c_self_test.hpp"
#include "unknot/play/rank_program.hpp"
#include "unknot/support/files/append.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot::play {
namespace {

constexpr std::size_t kWidth = 100;

constexpr const char* kInterpreter = R"(
struct buffers {
  char *send, *receive, *work;
  MPI_Aint bytes; /* of a block */
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
  MPI_Aint lower;
  int size, rank, i, error, requests = 0;

  if (count < 0) return MPI_ERR_COUNT;
  error = MPI_Comm_size(comm, &size);
  if (error != MPI_SUCCESS) return error;
  if (size != RANKS) return MPI_ERR_COMM;
  error = MPI_Comm_rank(comm, &rank);
  if (error != MPI_SUCCESS) return error;
  error = MPI_Type_get_extent(type, &lower, &all.bytes);
  if (error != MPI_SUCCESS) return error;
  all.bytes *= count;
)";

// Elements may begin before or behind where they are said to: a work block begins at `lower`, too.
constexpr const char* kBeginReduction = R"(  MPI_Aint true_bytes;
  char *memory;
  error = MPI_Op_commutative(op, &i);
  if (error != MPI_SUCCESS) return error;
  if (!i) return MPI_ERR_OP;
  error = MPI_Type_get_true_extent(type, &lower, &true_bytes);
  if (error != MPI_SUCCESS) return error;
  if (true_bytes < 0) true_bytes = 0;
  memory = malloc((size_t)(work_blocks[rank] * all.bytes + true_bytes + 1));
  if (memory == NULL) return MPI_ERR_NO_MEM;
  all.work = memory - lower;
)";

constexpr const char* kLoop = R"(  for (i = first[rank]; i < first[rank + 1] && error == MPI_SUCCESS; ++i) {
    const int here = program[i].block, other = program[i].other;
    switch (program[i].action) {
      case SEND:
        error = MPI_Isend(block(&all, here), count, type, other, TAG, comm, &request[requests++]);
        break;
      case RECEIVE:
        error = MPI_Irecv(block(&all, here), count, type, other, TAG, comm, &request[requests++]);
        break;
      case WAIT:
        error = MPI_Waitall(requests, request, MPI_STATUSES_IGNORE);
        requests = 0;
        break;
      case COPY:
        error = MPI_Sendrecv(block(&all, other), count, type, 0, TAG, block(&all, here), count, type, 0, TAG,
                             MPI_COMM_SELF, MPI_STATUS_IGNORE);
        break;
)";

constexpr const char* kCombine = R"(      case COMBINE:
        error = MPI_Reduce_local(block(&all, other), block(&all, here), count, type, op);
        break;
)";

/// What a comment may hold.
std::string in_comment(std::string_view text) {
  if (text.empty()) return "a network";
  std::string result = shown(text);
  std::replace(result.begin(), result.end(), '*', '?');
  return result;
}

std::string function_name(const Problem& problem, std::uint32_t ranks) {
  std::string name = problem.collective;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
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
};

Tables tables_of(const std::vector<RankProgram>& programs) {
  static constexpr std::array<const char*, 5> names = {"COPY", "SEND", "RECEIVE", "COMBINE", "WAIT"};
  Tables tables;
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
      tables.program.add(fmt::format("{{{}, {}, {}}}", names[static_cast<std::size_t>(now.action)], other,
                                     sends ? now.from : now.to));
      ++instructions;
    }
  }
  tables.first.add(std::to_string(instructions));
  return tables;
}

/// Where the blocks of the buffers come from and go to.
std::string buffers_text(const Problem& problem, const BlockLayout& layout, std::uint32_t ranks) {
  const std::string each = fmt::format("{} blocks, block r ", ranks);
  switch (problem.delivery) {
    case Delivery::scatter:
      return fmt::format(" * send     {}\n * receive  {}\n",
                         layout.send_blocks == 1 ? "one block, for the destination" : each + "for rank r",
                         layout.receive_blocks == 1 ? "one block" : each + "of rank r");
    case Delivery::broadcast:
      return fmt::format(" * send     one block, at those who have a message\n * receive  {}\n",
                         layout.receive_blocks == 1 ? "one block" : each + "of rank r");
    case Delivery::reduction:
      break;
  }
  return fmt::format(" * send     {}\n * receive  one block, the result\n",
                     layout.send_blocks == 1 ? "one block" : each + "goes into the result of rank r");
}

std::string comment(const Problem& problem, const Schedule& schedule, std::string_view fabric,
                    const Ranks& ranks) {
  const bool reduction = problem.delivery == Delivery::reduction;
  std::string nodes;
  for (const NodeId n : ranks.node) {
    if (nodes.size() > kWidth) {
      nodes += " ...";
      break;
    }
    append(nodes, " {}", n.value);
  }
  const MpiCollective collective = mpi_collective(problem);
  const std::string same = collective == MpiCollective::none
                               ? std::string("No operation of MPI does the same.")
                               : fmt::format("It leaves what {} leaves.", name_of(collective));
  std::string text = fmt::format(
      "/* {}\n * on {}: {} messages among {} ranks in {} steps, made by unknot.\n *\n"
      " * Ranks stand for these nodes, in this order:{}.\n * {}\n *\n",
      problem.collective + ", " + find_collective(problem.collective).summary, in_comment(fabric),
      schedule.transfer_count(), ranks.count(), schedule.step_count(), nodes, same);
  text += buffers_text(problem, block_layout(problem), ranks.count());
  text += " * count    elements of type `type` in a block\n";
  if (reduction) text += " * op       combines elements; one that is not commutative is refused\n";
  append(
      text,
      " * comm     of {} ranks, all of which call it; else MPI_ERR_COMM\n *\n"
      " * The buffers must not overlap; who has nothing to send, or to receive, may pass NULL. Blocks that "
      "no\n"
      " * message is for are left as they are. Messages have the tag TAG: none other of that tag may be "
      "under\n"
      " * way in comm. Each rank ends a step when its own messages of that step are done; there is no "
      "barrier.\n"
      " * Returns MPI_SUCCESS or the code of the error, after which messages may be left under way.\n *\n"
      " * cc -std=c99 with MPI's compiler; -DUNKNOT_MAIN makes a program that tests the function. */\n",
      ranks.count());
  return text;
}

}  // namespace

std::string c_source(const Problem& problem, const Schedule& schedule, std::string_view fabric) {
  const std::vector<RankProgram> programs = rank_programs(problem, schedule);
  const Ranks ranks = ranks_of(problem);
  const BlockLayout layout = block_layout(problem);
  const bool reduction = problem.delivery == Delivery::reduction;
  const Tables tables = tables_of(programs);
  const std::string function = function_name(problem, ranks.count());
  const std::string parameters =
      fmt::format("const void *send, void *receive, int count, MPI_Datatype type, {}MPI_Comm comm",
                  reduction ? "MPI_Op op, " : "");

  std::string text = comment(problem, schedule, fabric, ranks);
  text += "#include <mpi.h>\n#include <stdlib.h>\n\n";
  text += fmt::format("int {}({});\n\n", function, parameters);
  text += fmt::format(
      "enum {{ RANKS = {}, SEND_BLOCKS = {}, RECEIVE_BLOCKS = {}, MOST_MESSAGES = {}, TAG = 21845 }};\n\n",
      ranks.count(), layout.send_blocks, layout.receive_blocks, tables.most_messages);
  text +=
      "/* Blocks are numbered through the buffers: send, receive, then work.\n"
      " * SEND: `block` to rank `other`. RECEIVE: into `block` from rank `other`. WAIT: for all of these.\n";
  text += reduction ? " * COPY: block `other` to `block`. COMBINE: block `other` into `block`. */\n"
                    : " * COPY: block `other` to `block`. */\n";
  text += fmt::format("enum action {{ SEND, RECEIVE, WAIT, COPY{} }};\n\n", reduction ? ", COMBINE" : "");
  text += "static const struct {\n  enum action action;\n  int other, block;\n} program[] = {";
  text += tables.program.text() + "\n};\n\n/* Where the program of each rank begins. */\n";
  text += "static const int first[RANKS + 1] = {" + tables.first.text() + "\n};\n";
  if (reduction) text += "\nstatic const int work_blocks[RANKS] = {" + tables.work_blocks.text() + "\n};\n";
  text += kInterpreter;
  text += fmt::format("\nint {}({})\n", function, parameters);
  text += kBegin;
  if (reduction) text += kBeginReduction;
  text += kLoop;
  if (reduction) text += kCombine;
  text += "    }\n  }\n";
  if (reduction) text += "  free(memory);\n";
  text += "  return error;\n}\n";
  return text + c_self_test(problem, function);
}

}  // namespace unknot::play
