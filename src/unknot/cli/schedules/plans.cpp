// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/command/help.hpp"
#include "unknot/cli/command/processes.hpp"
#include "unknot/cli/fabric/fabric.hpp"
#include "unknot/cli/output/text_table.hpp"
#include "unknot/cli/schedules/bandwidth_request.hpp"
#include "unknot/cli/schedules/schedule_bandwidth.hpp"
#include "unknot/cli/schedules/schedule_combined.hpp"
#include "unknot/cli/schedules/schedule_front.hpp"
#include "unknot/cli/schedules/schedule_plans.hpp"
#include "unknot/collective/combine/combined_problem.hpp"
#include "unknot/collective/model/catalogue.hpp"
#include "unknot/collective/runtimes/nccl_tuner.hpp"
#include "unknot/collective/runtimes/openmpi_rules.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot::cli {
namespace {

constexpr std::uint64_t kMostPlanBytes = std::uint64_t{1} << 40U;
constexpr const char* kIndexFile = "index.json";
constexpr std::uint32_t kPlanTries = 8;  // beginnings of the search for combined algorithms
constexpr double kNoise = 1 - 1e-9;      // what is as quick but for rounding is no quicker
constexpr double kMostOver = 1.1;        // over trees in the best number of chunks for a size

struct PlansInput {
  std::string fabric;
  CollectiveInput collective;
  std::uint64_t least = 1024, most = std::uint64_t{1} << 30U;
  std::string cost;
  std::string folder;
};

/// What is the quickest for a size.
struct PlanChoice {
  std::string kind;  ///< front, trees, or combined
  std::string name;  ///< "2 steps", "trees", or the algorithm's
  double seconds = 0;
  std::string proof;
  std::size_t number = 0;  ///< of the front's points, or of the algorithms
};

/// Sizes with the same choice, one after the other.
struct PlanRange {
  std::uint64_t from = 0, to = 0;
  std::uint64_t compared = 0;  ///< the largest of these that was looked at
  std::uint64_t made_for = 0;  ///< its files are
  PlanChoice first, last;
  Json files = Json::object();
};

/// What is in a folder of plans by what its index says; nothing where it has none that is read.
std::optional<std::set<std::string>> files_of_plans(const std::filesystem::path& folder) {
  const std::filesystem::path index = folder / kIndexFile;
  std::error_code error;
  if (!std::filesystem::is_regular_file(index, error)) return std::nullopt;
  std::set<std::string> names{kIndexFile};
  try {
    const Json all = Json::parse(read_file(index.string()));
    for (const Json& range : all.at("ranges")) {
      for (const Json& name : range.at("files")) names.insert(name.get<std::string>());
    }
    for (const Json& name : all.at("tables")) names.insert(name.get<std::string>());
  } catch (const Json::exception&) {
    return std::nullopt;
  }
  return names;
}

/// InputError where a folder holds anything that is not of plans, or is none.
void require_plans_alone(const std::filesystem::path& folder) {
  if (!std::filesystem::exists(folder)) return;
  if (std::filesystem::equivalent(folder, std::filesystem::current_path()))
    throw InputError(fmt::format("{}: it is there already, and where this runs", folder.string()));
  if (std::filesystem::is_directory(folder) && std::filesystem::is_empty(folder)) return;
  const std::optional<std::set<std::string>> known = files_of_plans(folder);
  if (!known)
    throw InputError(fmt::format("{}: it is there already, and is no folder of plans", folder.string()));
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.is_regular_file() && known->contains(entry.path().filename().string())) continue;
    throw InputError(fmt::format("{}: it is there already, and holds {}, which is not of its plans",
                                 folder.string(), entry.path().filename().string()));
  }
}

/// A folder under a name of its own, which gets the name that was asked for when all is in it; plans that
/// were there before go then, and nothing else.
class DraftFolder {
 public:
  explicit DraftFolder(const std::string& name) {
    // Through symbolic links, and without a slash at the end.
    name_ = std::filesystem::weakly_canonical(name).string();
    while (name_.size() > 1 && name_.back() == '/') name_.pop_back();
    require_plans_alone(name_);
    draft_ = fresh_folder();
  }
  DraftFolder(const DraftFolder&) = delete;
  DraftFolder& operator=(const DraftFolder&) = delete;
  ~DraftFolder() {
    std::error_code error;
    std::filesystem::remove_all(draft_, error);
  }

  [[nodiscard]] std::string file(const std::string& name) const { return draft_ + "/" + name; }
  void finish() const {
    require_plans_alone(name_);  // still
    std::error_code error;
    std::filesystem::permissions(draft_, std::filesystem::perms(0755), error);
    if (std::filesystem::exists(name_)) {  // an older one
      const std::string old = fresh_folder();
      std::error_code unimportant;
      std::filesystem::rename(name_, old, error);
      if (!error) std::filesystem::rename(draft_, name_, error);
      if (error && !std::filesystem::exists(name_)) std::filesystem::rename(old, name_, unimportant);
      std::filesystem::remove_all(old, unimportant);
    } else {
      std::filesystem::rename(draft_, name_, error);
    }
    if (error) throw InputError(fmt::format("{}: cannot be made: {}", name_, error.message()));
  }

 private:
  /// Beside the folder, with a name that nothing had.
  [[nodiscard]] std::string fresh_folder() const {
    std::string pattern = name_ + ".XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr)
      throw InputError(fmt::format("{}: cannot make a folder beside it: {}", name_, std::strerror(errno)));
    return pattern;
  }
  std::string name_, draft_;
};

class PlansMaker {
 public:
  PlansMaker(const PlansInput& input, const Common& common) : input_(input), quiet_(common) {
    quiet_.json = true;
    quiet_.quiet = true;
  }

  Answer run(bool json) {
    compare();
    const DraftFolder folder(input_.folder);
    for (PlanRange& range : ranges_) {
      for (const auto& [format, ending] :
           {std::pair("json", "json"), std::pair("mscclpp", "mscclpp.json"), std::pair("c", "c")})
        write_range(folder, range, format, fmt::format("from-{}.{}", range.from, ending));
    }
    write_sizes(folder, "nccl-tuner", "nccl-tuner.csv");
    write_sizes(folder, "openmpi-rules", "openmpi.rules");
    const Json index = index_json();
    write_file(folder.file(kIndexFile), index.dump(1) + "\n");
    folder.finish();
    if (json) return {kYes, index, {}};
    return {kYes, {}, text()};
  }

 private:
  BandwidthInput goal(const char* name, std::uint64_t bytes) const {
    BandwidthInput wanted;
    wanted.goal = name;
    wanted.bytes = bytes;
    wanted.cost = cost_;
    return wanted;
  }
  /// All that can be made, and the quickest of each kind at powers of two.
  void compare() {
    cost_ = input_.cost;
    make_front();
    if (front_.is_object() && cost_.find("beta") == std::string::npos) {
      cost_ += fmt::format("{}beta={}", cost_.empty() ? "" : ",", front_["cost"]["beta"].get<double>());
    }
    CombiningInput combining;
    combining.cost = cost_;
    combining.tries = kPlanTries;
    combined_.emplace(input_.fabric, input_.collective, combining, "", ScheduleTarget{}, quiet_);
    const Json all = combined_->answer(input_.least, false, quiet_).document;
    head_ = {{"fabric", all["fabric"]},
             {"collective", all["collective"]},
             {"nodes", all["nodes"]},
             {"cost", all["cost"]}};
    make_trees();
    for (std::uint64_t bytes = input_.least; bytes < input_.most; bytes *= 2)
      take(bytes, best_at_size(bytes));
    take(input_.most, best_at_size(input_.most));
  }
  void make_front() {
    const std::string& base = find_combined_collective(input_.collective.collective).base;
    if (find_collective(base).delivery == Delivery::scatter) return;
    try {
      made_front_.emplace(input_.fabric, input_.collective, goal("front", 0), 0, ScheduleTarget{}, quiet_);
      front_ = made_front_->answer(0, quiet_).document;
    } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): none for the collective, or the network
    }
  }
  void make_trees() {
    try {
      const BandwidthInput wanted = goal("bandwidth", input_.least);
      BandwidthRequest request = load_bandwidth_request(input_.fabric, input_.collective, wanted, quiet_);
      if (request.is_exchange()) return;
      made_trees_.emplace(input_.fabric, std::move(request), wanted, ScheduleTarget{}, quiet_);
      trees_ = made_trees_->answer(input_.least, quiet_).document;
    } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): none for the collective, or the network
    }
  }
  PlanChoice best_at_size(std::uint64_t bytes) {
    const std::size_t algorithm = combined_->best_at(bytes);
    PlanChoice best{"combined", combined_->algorithm_name(algorithm), combined_->seconds(algorithm, bytes),
                    "", algorithm};
    if (made_front_) {
      const std::size_t point = made_front_->best_at(bytes);
      const double seconds = made_front_->seconds(point, bytes);
      const Json& said = front_["points"][point];
      if (seconds < best.seconds * kNoise) {
        best = {"front", fmt::format("{} steps", said["steps"].get<std::uint32_t>()), seconds, proof_of(said),
                point};
      }
    }
    if (made_trees_) {
      const double seconds = made_trees_->seconds(bytes);
      if (seconds < best.seconds * kNoise) {
        const bool optimum = trees_["optimum"].is_string();
        best = {
            "trees", "trees", seconds,
            (optimum ? "optimum " : "at least ") + trees_[optimum ? "optimum" : "bound"].get<std::string>(),
            0};
      }
    }
    return best;
  }
  static std::string proof_of(const Json& point) {
    if (point["proven_optimal"].get<bool>()) return "optimal in as many steps";
    return "at least " + point["bound"].get<std::string>();
  }
  void take(std::uint64_t bytes, PlanChoice choice) {
    if (!ranges_.empty()) ranges_.back().to = bytes - 1;  // what lies between goes with the smaller
    bool goes_on = !ranges_.empty() && ranges_.back().last.name == choice.name;
    if (goes_on && choice.kind == "trees") {
      // A file has one number of chunks: that for the least of its sizes.
      const double seconds = made_trees_->seconds(bytes, ranges_.back().made_for);
      goes_on = seconds <= choice.seconds * kMostOver;
      if (goes_on) choice.seconds = seconds;
    }
    if (!goes_on) ranges_.push_back({bytes, bytes, bytes, bytes, choice, choice});
    ranges_.back().to = ranges_.back().compared = bytes;
    if (choice.kind != "trees") ranges_.back().made_for = bytes;
    ranges_.back().last = std::move(choice);
  }

  /// A file of a range, made for the largest of its sizes that was compared, of trees for the least; read
  /// again by the reader of its kind.
  void write_range(const DraftFolder& folder, PlanRange& range, const char* format, const std::string& name) {
    const ScheduleTarget target{folder.file(name), format};
    try {
      if (range.last.kind == "front") {
        made_front_->write(range.last.number, range.made_for, target, quiet_);
      } else if (range.last.kind == "trees") {
        made_trees_->write(range.made_for, target, quiet_);
      } else {
        combined_->write(range.last.number, range.made_for, target, quiet_);
      }
    } catch (const InputError& error) {
      left_out_.push_back({{"file", name}, {"why", error.what()}});
      return;
    }
    if (std::string_view(format) == "mscclpp" &&
        check_plan(name, read_file(target.file), quiet_).code != kYes)
      throw std::runtime_error(name + " does not pass the check of its kind");
    range.files[format] = name;
  }
  /// Of the algorithms that a runtime has itself.
  void write_sizes(const DraftFolder& folder, const char* format, const std::string& name) {
    const ScheduleTarget target{folder.file(name), format};
    try {
      combined_->write(combined_->best_at(input_.most), input_.most, target, quiet_);
    } catch (const InputError& error) {
      left_out_.push_back({{"file", name}, {"why", error.what()}});
      return;
    }
    const std::string text = read_file(target.file);
    if (std::string_view(format) == "nccl-tuner") {
      (void)runtimes::parse_tuner(text, name);
    } else {
      (void)runtimes::parse_openmpi_rules(text, name);
    }
    tables_[format] = name;
  }

  [[nodiscard]] Json index_json() const {
    Json index = head_;
    index["bound"] = front_.is_object() ? front_["bound"] : Json();
    Json list = Json::array();
    for (const PlanRange& range : ranges_) {
      list.push_back({{"from", range.from},
                      {"to", range.to},
                      {"compared", range.compared},
                      {"kind", range.last.kind},
                      {"name", range.last.name},
                      {"proof", range.last.proof},
                      {"seconds", {range.first.seconds, range.last.seconds}},
                      {"files", range.files}});
    }
    index["ranges"] = std::move(list);
    index["tables"] = tables_;
    index["left_out"] = left_out_;
    return index;
  }
  [[nodiscard]] std::string text() const {
    TextTable table({{"from bytes"},
                     {"to"},
                     {"best", Align::left},
                     {"us"},
                     {"to"},
                     {"proof", Align::left},
                     {"files", Align::left}});
    for (const PlanRange& range : ranges_) {
      std::string files;
      for (const auto& [format, name] : range.files.items())
        files += (files.empty() ? "" : " ") + name.get<std::string>();
      table.add({grouped(range.from), grouped(range.to), range.last.name,
                 fmt::format("{:.6g}", range.first.seconds * 1e6),
                 fmt::format("{:.6g}", range.last.seconds * 1e6),
                 range.last.proof.empty() ? "-" : range.last.proof, files});
    }
    std::string text =
        fmt::format("{} of {} among {} nodes, in {}\n\n", head_["collective"].get<std::string>(),
                    input_.fabric, head_["nodes"].get<std::uint64_t>(), input_.folder) +
        table.text();
    for (const auto& [format, name] : tables_.items())
      text += fmt::format("\n{}: {}", format, name.get<std::string>());
    for (const Json& one : left_out_) {
      text +=
          fmt::format("\nleft out: {}: {}", one["file"].get<std::string>(), one["why"].get<std::string>());
    }
    return text + "\n";
  }

  const PlansInput& input_;
  Common quiet_;
  std::string cost_;
  // Of the network and collective, each made once; where there is one.
  std::optional<MadeFront> made_front_;
  std::optional<MadeCombined> combined_;
  std::optional<MadeTrees> made_trees_;
  Json front_, trees_, head_;
  std::vector<PlanRange> ranges_;
  Json tables_ = Json::object(), left_out_ = Json::array();
};

Action declare_plans(CLI::App& app, const Common& common) {
  const auto input = std::make_shared<PlansInput>();
  app.add_option("FABRIC", input->fabric, "Spec (unknot list topologies) or file")
      ->required()
      ->type_name("FABRIC");
  app.add_option("--collective", input->collective.collective, "Name: unknot list collectives")
      ->required()
      ->type_name("NAME");
  app.add_option("--root", input->collective.root, "Root of a broadcast or reduction")->type_name("NODE");
  app.add_option("--from", input->least, "Smallest message, in bytes (1K: 1024)")
      ->transform(byte_count(kMostPlanBytes))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--to", input->most, "Largest message")
      ->transform(byte_count(kMostPlanBytes))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--cost", input->cost,
                 "alpha=SECONDS to start a step, beta=SECONDS a byte, hop=SECONDS a channel")
      ->type_name("SPEC");
  app.add_option("-o,--output", input->folder, "Folder that is made, in place of an older one of plans")
      ->required()
      ->type_name("FOLDER");
  return [input, &common] {
    require_one_process(common, "plans");
    if (input->folder == "-")
      throw InputError("--output: plans are a folder, and do not go to standard output");
    if (input->least > input->most)
      throw InputError(fmt::format("--from {} is more than --to {}", input->least, input->most));
    require_terminals(load_collective_network(input->fabric, input->collective, common), input->fabric);
    return PlansMaker(*input, common).run(common.json);
  };
}

}  // namespace

Command plans_row() {
  return {
      .name = "plans",
      .summary = "The best plan of a collective for every size of message, with files for each runtime",
      .details =
          R"(At powers of two between --from and --to the quickest by --cost of combined algorithms, of the front of steps against
bytes, and of trees optimal in bandwidth. FOLDER gets a file of each range as Unknot, MSCCL++ and MPI (C) take it, each read again and
checked; the CSV of NCCL's reference tuner and the dynamic rules of Open MPI, of the algorithms that these have; and index.json, which
says which is for which size, how long it takes, and what is proven. A size between two goes with the smaller; a file is made for the largest size of its range that was compared; of trees, whose number of chunks is the file's, for the least, and a new range begins where they take a tenth more than trees in other chunks. FOLDER appears whole or not at all.

--json: that of index.json: fabric, collective, nodes, cost, bound, ranges [{from, to, compared, kind, name, proof, seconds [at from, at compared], files}],
tables, left_out [{file, why}].)",
      .examples = {"unknot plans dgx1 --collective all-reduce --to 1M -o plans"},
      .declare = declare_plans};
}

}  // namespace unknot::cli
