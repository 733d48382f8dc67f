// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/schedules/schedule_front.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "unknot/cli/command/processes.hpp"
#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/progress_bar.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/cli/schedules/bandwidth_proof.hpp"
#include "unknot/cli/schedules/schedule_plans.hpp"
#include "unknot/collective/files/combined_file.hpp"
#include "unknot/collective/files/goal_write.hpp"
#include "unknot/collective/front/all_reduce_front.hpp"
#include "unknot/collective/front/front_messages.hpp"
#include "unknot/collective/front/rounds_check.hpp"
#include "unknot/collective/front/step_front.hpp"
#include "unknot/play/c_source.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/in_file.hpp"

namespace unknot::cli {

/// A line of the table.
struct FrontLine {
  std::uint32_t steps = 0;
  std::uint64_t channels = 0;  ///< of the longest hops of all steps together
  Fraction time, bound;
  std::vector<Fraction> step_time;
  std::uint32_t chunks = 1;  ///< of a share, or of a message
  bool by_weights = false;
  std::optional<CombinedSchedule> messages;  ///< none where each has a receiver of its own
  std::uint32_t pieces = 1;

  [[nodiscard]] bool optimal() const { return time == bound; }
};

struct FrontTable {
  std::vector<FrontLine> lines;
  std::uint32_t least_steps = 0;
  Fraction end;
  std::string end_proof;
};

namespace {

constexpr std::size_t kMostFrontNodes = 256;

std::uint64_t longest_hops(const StepProblem& problem, const StepSchedule& schedule) {
  std::uint64_t sum = 0;
  for (const std::vector<StepSend>& step : schedule.steps) {
    std::size_t most = 1;
    for (const StepSend& send : step) most = std::max(most, problem.hops[send.hop].arcs.size());
    sum += most;
  }
  return sum;
}

FrontLine line_of(const StepProblem& problem, const FrontPoint& point) {
  if (count_proof(problem, point.proof).time() < (point.by_weights ? point.bound : Fraction()))
    throw std::runtime_error("the weights that prove a bound do not hold");
  FrontLine line;
  line.steps = point.steps();
  line.channels = longest_hops(problem, point.schedule);
  line.time = point.verdict.time;
  line.bound = point.bound;
  line.step_time = point.verdict.step_time;
  if (problem.backward) std::reverse(line.step_time.begin(), line.step_time.end());
  line.chunks = line.pieces = point.schedule.chunks;
  line.by_weights = point.by_weights;
  if (!problem.personal) line.messages = front_messages(problem, point.schedule);
  return line;
}

StepProblem steps_for(const BandwidthRequest& request, const char* row) {
  const CollectiveRequest& all = request.all;
  return in_file(all.said_in, [&] {
    require_no_limits(*all.graph, all.rules);
    StepProblem problem = make_step_problem(make_collective(all.graph, row, all.who, all.rules));
    if (problem.ranks() > kMostFrontNodes) {
      throw InputError(fmt::format("{} nodes: the front of steps against bytes is sought among {} at most",
                                   problem.ranks(), kMostFrontNodes));
    }
    return problem;
  });
}

class FrontMaker {
 public:
  FrontMaker(const BandwidthRequest& request, const FrontOptions& options, Progress& progress)
      : request_(request), options_(options), progress_(progress) {}

  FrontTable run() {
    if (request_.is_exchange()) return exchange();
    const BandwidthProblem problem = in_file(request_.all.said_in, [&] {
      return make_bandwidth_problem(request_.all.graph, request_.collective, request_.all.who,
                                    request_.all.rules);
    });
    const BandwidthProof optimum({&problem, 1}, nullptr, 0, progress_);
    FrontTable table = problem.all_reduce ? all_reduce(optimum.time()) : one_way(optimum.time());
    table.end = optimum.time();
    table.end_proof = optimum.text();
    return table;
  }

 private:
  FrontTable table_of(const StepProblem& problem, const Front& front) const {
    FrontTable table;
    table.least_steps = front.least_steps;
    for (const FrontPoint& point : front.points) table.lines.push_back(line_of(problem, point));
    return table;
  }
  FrontTable one_way(const Fraction& end) {
    const StepProblem problem = steps_for(request_, request_.all.row->name.c_str());
    return table_of(problem, find_front(problem, end, options_, progress_));
  }
  FrontTable exchange() {
    const StepProblem problem = steps_for(request_, request_.all.row->name.c_str());
    const Front front = find_front(problem, {}, options_, progress_);
    FrontTable table = table_of(problem, front);
    table.end = front.end;
    if (count_proof(problem, front.end_proof).time() != front.end)
      throw std::runtime_error("the weights that prove the bound do not hold");
    table.end_proof =
        fmt::format("weights of channels: {} of distance between ends, {} of capacity times weight",
                    grouped(front.end_proof.distance), grouped(front.end_proof.budget));
    return table;
  }
  /// A reduce-scatter and an all-gather.
  FrontTable all_reduce(const Fraction& end) {
    const StepProblem in = steps_for(request_, "AAR");
    const StepProblem out = steps_for(request_, "AAB");
    FrontOptions half = options_;
    if (half.most_steps > 0) {
      if (half.most_steps < in.least_steps() + out.least_steps())
        throw_few_steps(in.least_steps() + out.least_steps());
      half.most_steps -= in.least_steps();
    }
    const Front inward = find_front(in, half_end(in), half, progress_);
    const Front outward = find_front(out, half_end(out), half, progress_);
    FrontTable table;
    table.least_steps = in.least_steps() + out.least_steps();
    for (const AllReducePoint& point : join_fronts(inward, outward)) {
      if (options_.most_steps > 0 && point.steps > options_.most_steps) break;
      const FrontLine first = line_of(in, inward.points[point.inward]);
      const FrontLine second = line_of(out, outward.points[point.outward]);
      AllReduceMessages made = all_reduce_messages(in, inward.points[point.inward].schedule, out,
                                                   outward.points[point.outward].schedule);
      FrontLine line;
      line.steps = point.steps;
      line.channels = first.channels + second.channels;
      line.time = point.time;
      line.bound = std::max(point.bound, end);
      line.by_weights = first.by_weights || second.by_weights;
      line.step_time = first.step_time;
      line.step_time.insert(line.step_time.end(), second.step_time.begin(), second.step_time.end());
      line.pieces = made.pieces;
      line.chunks = made.pieces / in.ranks();
      line.messages = std::move(made.schedule);
      table.lines.push_back(std::move(line));
    }
    return table;
  }
  Fraction half_end(const StepProblem& problem) {
    const char* row = problem.backward ? "AAR" : "AAB";
    return bandwidth_optimum(
               make_bandwidth_problem(request_.all.graph, row, request_.all.who, request_.all.rules),
               progress_)
        .time();
  }

 public:
  [[noreturn]] static void throw_few_steps(std::uint32_t least) {
    throw InputError(fmt::format("--steps: there is no schedule of fewer than {} steps", least));
  }

 private:
  const BandwidthRequest& request_;
  FrontOptions options_;
  Progress& progress_;
};

/// "1/2+1": of each step.
std::string step_times(const FrontLine& line) {
  std::string text;
  for (const Fraction& time : line.step_time) text += (text.empty() ? "" : "+") + time.text();
  return text;
}

std::string verdict_text(const FrontLine& line, const Fraction& end) {
  if (line.optimal()) return line.bound == end ? "optimal, in any number of steps" : "optimal";
  return fmt::format("{:.2f} % over {}", 100 * (line.time.value() / line.bound.value() - 1),
                     line.bound.text());
}

/// The schedule of a line as a file, checked once more as files are. Nothing of the other lines.
void write_line(const ScheduleTarget& target, const std::string& fabric, const BandwidthRequest& request,
                const FrontLine& line, std::uint64_t bytes, const Common& common) {
  const CollectiveRequest& all = request.all;
  const CombinedProblem problem =
      make_combined(all.graph, find_combined_collective(request.collective), all.who, line.pieces, all.rules);
  CombinedDocument document;
  document.fabric = fabric;
  document.collective = request.collective;
  document.participants = all.who;
  document.pieces = line.pieces;
  document.schedule = *line.messages;
  document.faults = all.faults;
  document.rounds = rounds_of(problem, document.schedule);
  const ScheduleVerdict verdict = check_in_rounds(problem, document.schedule, document.rounds);
  if (!verdict.valid())
    throw std::runtime_error("the schedule does not pass the checker: " + verdict.findings.front().first);
  if (const PlanFormat* plan = find_moves_format(target.format); plan != nullptr) {
    const std::uint64_t piece = (bytes + line.pieces - 1) / line.pieces;
    write_moves(target, *plan, moves_for(*plan, problem, document.schedule, mscclpp::Sharing::shared),
                request.collective + " " + fabric, all.network, piece, common);
  } else {
    write_target(target,
                 target.format == "c"
                     ? play::c_source(problem, document.schedule, fabric, play::Channels::shared)
                 : target.format == "table" ? combined_table(document.schedule)
                                            : combined_json(document),
                 common);
  }
}

void require_front_format(const ScheduleTarget& target, bool exchange) {
  if (target.file.empty()) return;
  if (exchange) {
    throw InputError(
        "-o: of messages that each have a receiver of their own the front is shown, not written");
  }
  if (target.format == "json" || target.format == "table" || target.format == "c") return;
  if (const PlanFormat* plan = find_moves_format(target.format); plan != nullptr) return require_moves(*plan);
  throw InputError(
      fmt::format("--format {}: schedules of a front are written as json, table, c, mscclpp, chakra or goal",
                  target.format));
}

bool is_all_reduce(const BandwidthRequest& request) {
  return find_combined_collective(request.collective).outcome == Outcome::all_reduce;
}

Json line_json(const FrontLine& line, std::optional<std::uint64_t> from) {
  Json times = Json::array();
  for (const Fraction& time : line.step_time) times.push_back(time.text());
  return {{"steps", line.steps},
          {"time", line.time.text()},
          {"chunks", line.chunks},
          {"step_times", std::move(times)},
          {"bound", line.bound.text()},
          {"bound_proof", line.by_weights ? "weights" : "any_steps"},
          {"proven_optimal", line.optimal()},
          {"from_bytes", from ? Json(*from) : Json()}};
}

}  // namespace

MadeFront::MadeFront(std::string fabric, const CollectiveInput& collective, const BandwidthInput& input,
                     std::uint32_t most_steps, const ScheduleTarget& target, const Common& common)
    : fabric_(std::move(fabric)), request_(load_bandwidth_request(fabric_, collective, input, common)) {
  require_front_format(target, request_.is_exchange());
  ProgressBar bar(common);
  FrontOptions options;
  options.most_steps = most_steps;
  if (input.chunks > 0) options.most_chunks = static_cast<std::uint32_t>(input.chunks);
  table_ = std::make_unique<const FrontTable>(FrontMaker(request_, options, bar).run());
  if (table_->lines.empty()) {
    if (most_steps > 0 && most_steps < table_->least_steps) FrontMaker::throw_few_steps(table_->least_steps);
    throw InputError("no schedule was found; more --steps may have one");
  }
  const CollectiveRequest& all = request_.all;
  model_ = cost_of(input, *all.graph);
  for (const Role role : make_collective(all.graph, all.row->name, all.who, all.rules).roles())
    nodes_ += role != Role::switch_only ? 1 : 0;
  // Shares of a message: an all-reduce has one for each node.
  const double shares = is_all_reduce(request_) ? static_cast<double>(nodes_) : 1;
  costs_.reserve(table_->lines.size());
  for (const FrontLine& line : table_->lines) {
    costs_.push_back({line.steps * model_.alpha + static_cast<double>(line.channels) * model_.hop,
                      line.time.value() * model_.beta / shares});
  }
}

MadeFront::~MadeFront() = default;

std::size_t MadeFront::best_at(std::uint64_t bytes) const {
  return cheapest(costs_, bytes);
}

std::size_t MadeFront::most_steps() const {
  return costs_.size() - 1;
}

double MadeFront::seconds(std::size_t point, std::uint64_t bytes) const {
  return costs_[point].fixed + costs_[point].byte * static_cast<double>(bytes);
}

void MadeFront::write(std::size_t point, std::uint64_t bytes, const ScheduleTarget& target,
                      const Common& common) const {
  require_front_format(target, request_.is_exchange());
  write_line(target, fabric_, request_, table_->lines[point], bytes, common);
}

Answer MadeFront::answer(std::uint64_t bytes, const Common& common) const {
  const std::vector<std::optional<std::uint64_t>> from = first_sizes(costs_);
  Json document;
  ReportLines lines;
  begin_report(fabric_, request_, nodes_, document, lines);
  document["cost"] = cost_json(model_);
  document["least_steps"] = table_->least_steps;
  document["bound"] = table_->end.text();
  lines.emplace_back("cost", cost_text(model_));
  lines.emplace_back("any steps",
                     fmt::format("at least {} of the time that a {} takes over a capacity of 1",
                                 table_->end.text(), request_.is_exchange() ? "message" : "share"));
  lines.emplace_back("proof", table_->end_proof);
  if (is_all_reduce(request_))
    lines.emplace_back("made as", "a reduce-scatter and then an all-gather, compared with such alone");
  lines.emplace_back("valid", "yes, as checked: every schedule below");
  if (bytes > 0) {
    const std::size_t chosen = best_at(bytes);
    document["bytes"] = bytes;
    document["steps"] = table_->lines[chosen].steps;
    document["time"] = seconds(chosen, bytes);
    lines.emplace_back("time",
                       fmt::format("{:.6g} us for {} bytes, in {} steps", seconds(chosen, bytes) * 1e6,
                                   grouped(bytes), table_->lines[chosen].steps));
  }
  Json points = Json::array();
  TextTable table({{"steps"},
                   {"time"},
                   {"chunks"},
                   {"of each step", Align::left},
                   {"from bytes"},
                   {"proof", Align::left}});
  for (std::size_t i = 0; i < table_->lines.size(); ++i) {
    const FrontLine& line = table_->lines[i];
    points.push_back(line_json(line, from[i]));
    table.add({std::to_string(line.steps), line.time.text(), std::to_string(line.chunks), step_times(line),
               from[i] ? grouped(*from[i]) : "-", verdict_text(line, table_->end)});
  }
  document["points"] = std::move(points);
  document["valid"] = true;
  document["seconds"] = time_.seconds();
  if (common.json) return {kYes, std::move(document), {}};
  return {
      kYes, {}, fabric_line(fabric_, request_.all.network) + "\n" + key_values(lines) + "\n" + table.text()};
}

Answer front_command(const std::string& fabric, const CollectiveInput& collective,
                     const BandwidthInput& input, std::uint32_t most_steps, const ScheduleTarget& target,
                     const Common& common) {
  require_one_process(common, "schedule --goal front");
  require_writable(target, common);
  const MadeFront front(fabric, collective, input, most_steps, target, common);
  if (!target.file.empty()) {
    const std::size_t chosen = input.bytes > 0 ? front.best_at(input.bytes) : front.most_steps();
    front.write(chosen, input.bytes > 0 ? input.bytes : kGoalMessageBytes, target, common);
    if (target.file == "-") return {kYes};
  }
  return front.answer(input.bytes, common);
}

}  // namespace unknot::cli
