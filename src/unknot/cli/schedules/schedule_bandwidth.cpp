// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/schedules/schedule_bandwidth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <utility>

#include "unknot/cli/command/processes.hpp"
#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/progress_bar.hpp"
#include "unknot/cli/output/stopwatch.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/cli/schedules/bandwidth_proof.hpp"
#include "unknot/cli/schedules/schedule_exchange.hpp"
#include "unknot/cli/schedules/schedule_plans.hpp"
#include "unknot/collective/bandwidth/forest_check.hpp"
#include "unknot/collective/bandwidth/pipelining.hpp"
#include "unknot/collective/files/forest_file.hpp"
#include "unknot/collective/files/goal_write.hpp"
#include "unknot/collective/symmetry/translations.hpp"
#include "unknot/play/c_source.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/in_file.hpp"

namespace unknot::cli {
namespace {

constexpr std::size_t kMostMembers = 4096;     ///< each has a place in a tree of each: some two gibibytes
constexpr std::size_t kMostWrittenOut = 1024;  ///< whose trees become transfers, each

/// A problem for each group; `powers` and `sizes` are those of a file, the command line's come before them.
std::vector<BandwidthProblem> problems_of(const BandwidthRequest& request, const BandwidthInput& input,
                                          const SwitchPowers& powers = {},
                                          const std::vector<std::uint32_t>& sizes = {}) {
  const CollectiveRequest& all = request.all;
  return in_file(all.said_in, [&] {
    std::vector<BandwidthProblem> groups =
        make_bandwidth_groups(all.graph, request.collective, all.who, all.rules,
                              input.sizes.empty() ? sizes : sizes_of(input.sizes));
    if (groups.size() == 1) groups.front() = with_size(groups.front(), 1);  // the unit is its own share
    const SwitchPowers given = input.switches.empty() ? powers : powers_of(input.switches);
    if (given.any() && groups.size() > 1)
      throw InputError("--switches: of several groups at once switches only pass on");
    set_powers(given, groups.front());
    return groups;
  });
}

/// Who takes part, as files say it.
Participants participants_of(const std::vector<BandwidthProblem>& groups) {
  if (groups.size() == 1) return groups.front().who;
  Participants who;
  who.groups.emplace();
  for (const BandwidthProblem& group : groups) {
    std::vector<NodeId> nodes = group.members;
    if (group.who.root) {
      std::stable_partition(nodes.begin(), nodes.end(), [&](NodeId n) { return n == *group.who.root; });
    }
    who.groups->push_back(std::move(nodes));
  }
  return who;
}

/// Empty where all are alike.
std::vector<std::uint32_t> sizes_in(const std::vector<BandwidthProblem>& groups) {
  std::vector<std::uint32_t> sizes;
  sizes.reserve(groups.size());
  for (const BandwidthProblem& group : groups) sizes.push_back(group.size);
  const bool alike = std::all_of(sizes.begin(), sizes.end(), [](std::uint32_t size) { return size == 1; });
  return alike ? std::vector<std::uint32_t>() : sizes;
}

std::size_t members_of(const std::vector<BandwidthProblem>& groups) {
  std::size_t members = 0;
  for (const BandwidthProblem& group : groups) members += group.members.size();
  return members;
}

Json powers_json(const SwitchPowers& powers) {
  Json words = Json::array();
  if (powers.copy) words.push_back("copy");
  if (powers.sum) words.push_back("combine");
  return words;
}

std::string powers_text(const SwitchPowers& powers) {
  return powers.copy && powers.sum ? "copy and combine" : powers.copy ? "copy" : "combine";
}

/// What is said of trees, where there are any.
void add_forest(const BandwidthProblem& problem, const BandwidthProof& proof, const Forest& forest,
                const ForestVerdict& verdict, Json& document, ReportLines& lines) {
  const bool optimal = verdict.valid() && verdict.time == proof.time();
  const ForestDepth depth = verdict.valid() ? depth_of(forest) : ForestDepth{};
  document["reached"] = verdict.valid() ? Json(verdict.time.text()) : Json();
  if (!proof.is_optimum() || problem.powers.any()) {
    document["gap"] = verdict.valid() ? Json(verdict.time.value() / proof.time().value() - 1) : Json();
  }
  document["proven_optimal"] = optimal && proof.reserve().empty();
  document["copies"] = forest.copies;
  document["trees"] = forest.trees.size();
  document["translated"] = !forest.translations.empty();
  document["depth"] = depth.edges;
  document["channels"] = depth.channels;
  document["valid"] = verdict.valid();
  document["fault"] = verdict.valid() ? Json() : Json(verdict.fault);
  if (!verdict.valid()) {
    lines.emplace_back("valid",
                       fmt::format("NO: {}{}", verdict.fault, problem.backward ? ", in reversed time" : ""));
    return;
  }
  const char* const least = proof.reserve().empty() ? ", the least: proven optimal" : ", the bound";
  const std::string gap =
      proof.is_optimum() && !problem.powers.any()
          ? ""
          : fmt::format(", {:.2f} % over the bound", 100 * (verdict.time.value() / proof.time().value() - 1));
  lines.emplace_back("reached", verdict.time.text() + (optimal ? least : gap));
  const bool own_way_in = std::any_of(forest.trees.begin(), forest.trees.end(),
                                      [](const Forest::Tree& tree) { return !tree.inward.empty(); });
  lines.emplace_back(
      "trees", fmt::format("{}{}{}, of shares in {} part{}, {} edge{} deep, over at most {} channel{}",
                           !problem.all_reduce ? ""
                           : own_way_in        ? "to the root, and from it another way: "
                                               : "to the root and back: ",
                           grouped(forest.trees.size()),
                           forest.translations.empty()
                               ? ""
                               : fmt::format(" of node {}, and their translations to all others",
                                             forest.trees.front().root.value),
                           grouped(forest.copies), forest.copies == 1 ? "" : "s", depth.edges,
                           depth.edges == 1 ? "" : "s", depth.channels, depth.channels == 1 ? "" : "s"));
  const NodeId from = problem.backward ? verdict.to : verdict.from;
  const NodeId to = problem.backward ? verdict.from : verdict.to;
  lines.emplace_back("valid", fmt::format("yes, as checked: {} edges, busiest {} -> {}",
                                          grouped(verdict.edges), from.value, to.value));
}

/// How trees are run for messages of the size that is given. A message of an all-reduce has a share for each
/// node.
Pipeline pipeline_for(const BandwidthProblem& problem, const BandwidthInput& input, const Forest& forest,
                      const ForestVerdict& verdict) {
  const CostModel model = cost_of(input, *problem.graph);
  const double share = static_cast<double>(input.bytes) / problem.size /
                       (problem.all_reduce ? static_cast<double>(problem.members.size()) : 1);
  const PipelineShape shape = shape_of(forest, verdict.time, problem.all_reduce);
  return input.chunks > 0 ? pipeline_of(shape, model, share, input.chunks)
                          : best_pipeline(shape, model, share);
}

/// Parts, one behind the other, of what a tree carries: those of --chunks or of --bytes, else one.
std::uint64_t chunks_of(const BandwidthProblem& problem, const BandwidthInput& input, const Forest& forest,
                        const ForestVerdict& verdict) {
  if (input.bytes > 0) return pipeline_for(problem, input, forest, verdict).chunks;
  return std::max<std::uint64_t>(input.chunks, 1);
}

/// Of a share of 1 MiB where no size is known.
std::uint64_t chunk_bytes(const BandwidthProblem& problem, const BandwidthInput& input, const Forest& forest,
                          std::uint64_t chunks) {
  const std::uint64_t shares = problem.all_reduce ? problem.members.size() : 1;
  const std::uint64_t bytes = input.bytes > 0 ? input.bytes : shares * kGoalMessageBytes;
  const std::uint64_t parts = shares * forest.copies * chunks;
  return (bytes + parts - 1) / parts;
}

void add_pipeline(const BandwidthProblem& problem, const BandwidthInput& input, const Forest& forest,
                  const ForestVerdict& verdict, Json& document, ReportLines& lines) {
  const CostModel model = cost_of(input, *problem.graph);
  const Pipeline pipeline = pipeline_for(problem, input, forest, verdict);
  document["bytes"] = input.bytes;
  document["cost"] = cost_json(model);
  document["chunks"] = pipeline.chunks;
  document["steps"] = pipeline.steps;
  document["time"] = pipeline.seconds;
  lines.emplace_back("cost", cost_text(model));
  lines.emplace_back(
      "time", fmt::format("{:.6g} us for {} bytes: {} chunk{}, {} steps", pipeline.seconds * 1e6,
                          grouped(input.bytes), grouped(pipeline.chunks), pipeline.chunks == 1 ? "" : "s",
                          grouped(pipeline.steps)));
}

/// What each group takes by itself, equal ones together: "2 for 4 groups, 3 for 1".
void add_alone(const std::vector<Fraction>& alone, Json& document, ReportLines& lines) {
  if (alone.empty()) return;
  Json list = Json::array();
  std::map<Fraction, std::size_t> times;
  for (const Fraction& one : alone) {
    list.push_back(one.text());
    ++times[one];
  }
  document["alone"] = std::move(list);
  std::string text;
  for (const auto& [time, groups] : times) {
    const char* const noun = !text.empty() ? "" : groups == 1 ? " group" : " groups";
    text += fmt::format("{}{} for {}{}", text.empty() ? "" : ", ", time.text(), groups, noun);
  }
  lines.emplace_back("alone", text);
}

/// `forest`: null where there is no more than a bound.
Answer report(const std::string& fabric, const BandwidthRequest& request,
              const std::vector<BandwidthProblem>& groups, const BandwidthInput& input,
              const BandwidthProof& proof, const Forest* forest, const ForestVerdict& verdict,
              const Stopwatch& time, const Common& common) {
  Json document;
  ReportLines lines;
  const BandwidthProblem& problem = groups.front();
  begin_report(fabric, request, members_of(groups), document, lines);
  if (groups.size() > 1) {
    document["groups"] = groups.size();
    const std::vector<std::uint32_t> sizes = sizes_in(groups);
    if (!sizes.empty()) document["sizes"] = sizes;
    lines.emplace_back("groups", fmt::format("{}, at the same time{}", grouped(groups.size()),
                                             sizes.empty() ? "" : ", with shares of different sizes"));
  }
  if (problem.powers.any()) {
    document["switches"] = powers_json(problem.powers);
    const SwitchPowers asked = input.switches.empty() ? problem.powers : powers_of(input.switches);
    std::string text = powers_text(problem.powers);
    if (asked.copy && !problem.powers.copy) text += "; to copy is of no use here, since all is summed";
    if (asked.sum && !problem.powers.sum) text += "; to combine is of no use here, since nothing is summed";
    lines.emplace_back("switches", text);
  }
  const std::string bound = proof.time().text();
  const bool known = proof.is_optimum() && (!problem.powers.any() || forest == nullptr ||
                                            (verdict.valid() && verdict.time == proof.time()));
  const bool reached = forest != nullptr && verdict.valid() && verdict.time == proof.time();
  const bool optimum = proof.is_optimum() ? known : reached && proof.reserve().empty();
  document["optimum"] = optimum ? Json(bound) : Json();
  if (!proof.is_optimum() || problem.powers.any()) document["bound"] = bound;
  document["cut"] = proof.json();
  lines.emplace_back(proof.is_optimum() && !problem.powers.any() ? "optimum" : "bound",
                     fmt::format("{} of the time that a share takes over a capacity of 1", bound));
  lines.emplace_back("proof", proof.text());
  if (!proof.reserve().empty()) lines.emplace_back("", proof.reserve());
  if (forest != nullptr) add_forest(problem, proof, *forest, verdict, document, lines);
  add_alone(proof.alone(), document, lines);
  if (input.bytes > 0 && forest != nullptr && verdict.valid())
    add_pipeline(problem, input, *forest, verdict, document, lines);
  document["seconds"] = time.seconds();
  const int code = forest == nullptr || verdict.valid() ? kYes : kNo;
  if (common.json) return {code, std::move(document), {}};
  return {code, {}, fabric_line(fabric, request.all.network) + "\n" + key_values(lines)};
}

/// Where asked for, and where trees of all nodes would be too many.
std::optional<Translations> translations_for(const std::vector<BandwidthProblem>& groups,
                                             const BandwidthInput& input, std::size_t members) {
  if (input.bounds || (!input.translations && members <= kMostMembers)) return std::nullopt;
  const BandwidthProblem& problem = groups.front();
  const std::string many = input.translations ? "--translations: "
                                              : fmt::format(
                                                    "{} nodes: trees of all are made for {} at most, and of "
                                                    "one with translations of the network: ",
                                                    grouped(members), grouped(kMostMembers));
  const char* const bounds = input.translations ? "" : "; --bounds gives the optimum alone";
  if (groups.size() > 1 || problem.powers.any() || problem.all_shares != problem.members.size())
    throw InputError(many + "for one group, all of which send, whose switches pass on" + bounds);
  std::optional<Translations> found = find_translations(*problem.graph, problem.members);
  if (!found) throw InputError(many + "none were found that lead every node to every other" + bounds);
  return found;
}

void require_tree_format(const ScheduleTarget& target, std::size_t groups) {
  const PlanFormat* plan = find_moves_format(target.format);
  if (plan != nullptr && plan->of_machine == nullptr) require_moves(*plan);
  if (plan != nullptr && groups > 1 && plan->of_ranks == nullptr && plan->of_bytes == nullptr) {
    throw InputError(fmt::format(
        "--format {}: it has no collective of several groups at the same time; json, c, chakra and "
        "goal have",
        target.format));
  }
  if (target.format == "json" || target.format == "c" || plan != nullptr) return;
  throw InputError(fmt::format(
      "--format {}: trees and paths are written as json, trees as c, mscclpp, chakra and goal, too",
      target.format));
}

/// Translated trees are written out for so many.
void require_few(std::size_t members, const std::string& what) {
  if (members <= kMostWrittenOut) return;
  throw InputError(fmt::format(
      "{}: trees that stand for those of all {} nodes by translations are written out for {} at most", what,
      grouped(members), grouped(kMostWrittenOut)));
}

/// Trees in words of members alone, for steps and runtimes. InputError where they have no words for them.
Forest in_steps(const Forest& forest, const std::vector<BandwidthProblem>& groups, const std::string& what) {
  if (branches_at_switches(forest, groups)) {
    throw InputError(what +
                     ": trees that branch at switches are for json alone, since no other form has words for "
                     "what a switch copies or combines");
  }
  if (!sizes_in(groups).empty())
    throw InputError(what + ": groups with shares of different sizes are for json alone");
  if (forest.translations.empty()) return forest;
  require_few(members_of(groups), what);
  return written_out(forest);
}

}  // namespace

MadeTrees::MadeTrees(std::string fabric, BandwidthRequest request, const BandwidthInput& input,
                     const ScheduleTarget& target, const Common& common)
    : fabric_(std::move(fabric)), input_(input), request_(std::move(request)) {
  ProgressBar bar(common);
  groups_ = problems_of(request_, input);
  require_tree_format(target, groups_.size());
  if (input.bytes > 0) require_one_size();
  translations_ = translations_for(groups_, input, members_of(groups_));
  if (translations_ && !target.file.empty() && target.format != "json")
    require_few(members_of(groups_), "--format " + target.format);
  proof_ = std::make_unique<BandwidthProof>(groups_, translations_ ? &*translations_ : nullptr,
                                            common.threads, bar);
  if (!input.bounds) made_ = proof_->trees(bar);
}

MadeTrees::~MadeTrees() = default;

void MadeTrees::require_one_size() const {
  const BandwidthProblem& problem = groups_.front();
  const bool as_many = std::all_of(groups_.begin(), groups_.end(), [&](const BandwidthProblem& group) {
    const bool same = !problem.all_reduce || group.members.size() == problem.members.size();
    return same && group.size == problem.size;
  });
  if (!as_many) throw InputError("--bytes: groups are of different sizes here, and so are their messages");
}

BandwidthInput MadeTrees::sized(std::uint64_t bytes) const {
  BandwidthInput input = input_;
  input.bytes = bytes;
  return input;
}

double MadeTrees::seconds(std::uint64_t bytes, std::uint64_t made_for) const {
  require_one_size();
  BandwidthInput input = sized(bytes);
  input.chunks = chunks_of(groups_.front(), sized(made_for), made_->forest, made_->verdict);
  return pipeline_for(groups_.front(), input, made_->forest, made_->verdict).seconds;
}

void MadeTrees::write(std::uint64_t bytes, const ScheduleTarget& target, const Common& common) const {
  require_tree_format(target, groups_.size());
  const BandwidthProblem& problem = groups_.front();
  const BandwidthInput input = sized(bytes);
  const Forest& forest = made_->forest;
  if (target.format == "json") {
    return write_target(
        target,
        forest_json({{fabric_, request_.all.faults, request_.collective, participants_of(groups_)},
                     problem.backward ? time_reversed(forest) : forest,
                     problem.powers,
                     sizes_in(groups_)}),
        common);
  }
  const std::string what = "--format " + target.format;
  const Forest plain = in_steps(forest, groups_, what);
  const PlanFormat* const plan = find_moves_format(target.format);
  if (plan != nullptr && plan->of_machine != nullptr) {
    if (!request_.all.faults.empty()) throw InputError(what + ": of the whole machine alone, without --fail");
    return write_target(target, plan->of_machine(fabric_), common);
  }
  const std::uint64_t chunks = chunks_of(problem, input, forest, made_->verdict);
  const auto steps = [&] {
    return pipelined_steps(request_.all.graph, groups_, participants_of(groups_), plain, chunks);
  };
  if (plan == nullptr) {
    const PipelinedSteps made = steps();
    return write_target(target, play::c_source(made.problem, made.schedule, fabric_, play::Channels::shared),
                        common);
  }
  const bool own_way_in = std::any_of(plain.trees.begin(), plain.trees.end(),
                                      [](const Forest::Tree& tree) { return !tree.inward.empty(); });
  mscclpp::RankMoves moves;
  if (groups_.size() == 1 && !own_way_in) {
    moves = mscclpp::moves_of(problem, plain, chunks);
  } else {
    const PipelinedSteps made = steps();
    moves = moves_for(*plan, made.problem, made.schedule, mscclpp::Sharing::shared);
  }
  write_moves(target, *plan, moves, request_.collective + " " + fabric_, request_.all.network,
              chunk_bytes(problem, input, plain, chunks), common);
}

Answer MadeTrees::answer(std::uint64_t bytes, const Common& common) const {
  const Forest* const forest = made_ ? &made_->forest : nullptr;
  return report(fabric_, request_, groups_, sized(bytes), *proof_, forest,
                made_ ? made_->verdict : ForestVerdict(), time_, common);
}

Answer bandwidth_command(const std::string& fabric, const CollectiveInput& collective,
                         const BandwidthInput& input, const ScheduleTarget& target, const Common& common) {
  require_one_process(common, "schedule --goal bandwidth");
  require_writable(target, common);
  require_tree_format(target, 1);
  BandwidthRequest request = load_bandwidth_request(fabric, collective, input, common);
  if (request.is_exchange()) {
    if (target.format != "json" && !target.file.empty())
      throw InputError(fmt::format("--format {}: paths are written as json only", target.format));
    if (!input.switches.empty())
      throw InputError("--switches: messages with a receiver each are neither copied nor combined");
    return exchange_command(fabric, request, input, target, common);
  }
  const MadeTrees made(fabric, std::move(request), input, target, common);
  if (!target.file.empty() && !input.bounds) {
    made.write(input.bytes, target, common);
    if (target.file == "-") return {kYes};
  }
  return made.answer(input.bytes, common);
}

Answer check_forest_file(const std::string& fabric, const CollectiveInput& collective,
                         const BandwidthInput& input, const std::string& content, const std::string& file,
                         const Common& common) {
  ForestDocument document = parse_forest(content, file == "-" ? "standard input" : file);
  const Stopwatch time;
  ProgressBar bar(common);
  const BandwidthRequest request = load_bandwidth_request(fabric, collective, input, common, &document, file);
  const std::vector<BandwidthProblem> groups = problems_of(request, input, document.powers, document.sizes);
  if (groups.front().backward) document.forest = time_reversed(document.forest);
  const ForestVerdict verdict = check_forest(groups, document.forest);
  const std::optional<Translations> translations =
      document.forest.translations.empty() ? std::nullopt
                                           : find_translations(*groups.front().graph, groups.front().members);
  const BandwidthProof proof(groups, translations ? &*translations : nullptr, common.threads, bar);
  return report(fabric, request, groups, input, proof, &document.forest, verdict, time, common);
}

LoadedTrees load_trees(const std::string& fabric, const CollectiveInput& collective, std::uint64_t chunks,
                       const std::string& content, const std::string& file, const Common& common) {
  ForestDocument document = parse_forest(content, file == "-" ? "standard input" : file);
  BandwidthRequest request = load_bandwidth_request(fabric, collective, {}, common, &document, file);
  const std::vector<BandwidthProblem> groups = problems_of(request, {}, document.powers, document.sizes);
  if (groups.front().backward) document.forest = time_reversed(document.forest);
  const ForestVerdict verdict = check_forest(groups, document.forest);
  if (!verdict.valid())
    throw InputError(fmt::format("{}: the trees do not deliver: {}", file, verdict.fault));
  const Forest forest = in_steps(document.forest, groups, file);
  return {std::move(request.all.network),
          pipelined_steps(request.all.graph, groups, participants_of(groups), forest, chunks)};
}

}  // namespace unknot::cli
