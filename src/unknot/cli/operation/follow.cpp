// SPDX-License-Identifier: Apache-2.0
#include "unknot/cli/operation/follow.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <ctime>
#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

#include "unknot/cli/command/catalogues.hpp"
#include "unknot/cli/command/help.hpp"
#include "unknot/cli/output/output.hpp"
#include "unknot/cli/output/progress_bar.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/formats/fabric/fabric_catalogue.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/files/stop_request.hpp"
#include "unknot/support/hash.hpp"
#include "unknot/watch/follow/dump_folder.hpp"
#include "unknot/watch/follow/metrics.hpp"
#include "unknot/watch/follow/shell_command.hpp"

namespace unknot::cli {
namespace {

using watch::Dump;
using watch::FollowAction;
using watch::Follower;
using watch::FollowEvent;
using watch::FollowVerdict;
using watch::ReadDump;

constexpr double kMostSeconds = 1e6;
constexpr std::uint64_t kMostOutput = 512 * ReadLimits::kMebi;
constexpr int kStep = 100;  // milliseconds between two looks at whether the user wants to stop

double now_seconds() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string time_text(double seconds) {
  const auto whole = static_cast<std::time_t>(seconds);
  std::tm parts{};
  ::gmtime_r(&whole, &parts);
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", parts);
}

/// By the steady clock, so that a clock that is set means nothing. Throws Interrupted.
void pause(double seconds) {
  using Steady = std::chrono::steady_clock;
  const auto until = Steady::now() + std::chrono::duration<double>(seconds);
  while (Steady::now() < until) wait_milliseconds(kStep);
}

std::uint64_t hash_of(std::string_view text) {
  Hash64 hash;
  hash.add_bytes(std::as_bytes(std::span(text.data(), text.size())));
  return hash.value();
}

/// One run of the service.
class Service {
 public:
  Service(const FollowCommandOptions& options, watch::FollowOptions follow, Progress& progress)
      : options_(options), follower_(std::move(follow), progress), folder_(options.folder) {}

  /// Until the user asks to stop (Interrupted).
  void run() {
    say_damage();
    look();  // a folder that is not there is a mistake now
    for (;;) {
      after_look();
      pause(options_.every);
      guarded(look_said_, [&] { look(); });
    }
  }
  /// One look; a second one where files might still have grown.
  [[nodiscard]] int run_once() {
    say_damage();
    look();
    if (options_.command.empty() && folder_.growing()) {
      pause(options_.every);
      look();
    }
    after_look();
    const FollowVerdict verdict = follower_.state().verdict;
    return trouble_ || !follower_.damage().empty() || verdict == FollowVerdict::deadlock ||
                   verdict == FollowVerdict::lost
               ? kNo
               : kYes;
  }

 private:
  void say_damage() const {
    if (!follower_.damage().empty()) message("watch: " + follower_.damage());
  }

  /// What goes wrong later (a folder that is away, a full disk) is said once, and may be right at the next
  /// look.
  template <class Work>
  void guarded(std::string& said, const Work& work) {
    try {
      work();
      said.clear();
    } catch (const InputError& error) {
      trouble_ = true;
      if (said != error.what()) message(error.what());
      said = error.what();
    }
  }

  void look() {
    if (options_.command.empty()) {
      look_at_folder();
    } else {
      look_at_command();
    }
  }

  void after_look() {
    guarded(hook_said_, [&] { run_hook(); });
    if (options_.metrics.empty()) return;
    guarded(metrics_said_, [&] {
      write_file(options_.metrics,
                 watch::metrics_text(follower_.state(), follower_.set_number(), now_seconds()),
                 Lasting::later);
    });
  }

  void look_at_folder() {
    const std::vector<Dump> dumps = folder_.look();
    follower_.forget_all_but(folder_.present());
    // A dump is handled when the next one has been read, so that it is known whether it is the newest.
    std::optional<ReadDump> waiting;
    for (const Dump& dump : dumps) {
      if (follower_.knows(dump)) continue;
      std::optional<ReadDump> read = read_dump(dump, [&] { return follower_.read(dump); });
      if (!read) continue;
      if (waiting) take(*waiting, false);
      waiting = std::move(read);
    }
    if (waiting) take(*waiting, true);
  }

  void look_at_command() {
    const watch::CommandEnd end = watch::run_command(options_.command, options_.time_limit, kMostOutput);
    Dump dump;
    dump.name = "command";
    if (!end.failure.empty()) {
      dump.stamp = hash_of(end.failure);
      if (!follower_.knows(dump)) refuse(dump, "the command for a dump " + end.failure);
      return;
    }
    try {
      ReadDump read{dump, read_fabric_text(end.output, "the command's output"), std::nullopt};
      if (read.fabric.terminal_count() == 0) throw InputError("the command's output has no terminal");
      // Not that of the text: ibnetdiscover writes the time into it.
      read.dump.stamp = hash_of(json_of(read.fabric));
      if (!follower_.knows(read.dump)) take(read, true);
    } catch (const InputError& error) {
      dump.stamp = hash_of(error.what());
      if (!follower_.knows(dump)) refuse(dump, error.what());
    }
  }

  static std::string json_of(const Network& network) {
    return find_row(fabric_formats(), "format of fabrics", "json").write(network);
  }

  /// Nothing where the dump has changed or gone meanwhile, or was refused.
  template <class Read>
  std::optional<ReadDump> read_dump(const Dump& dump, const Read& read) {
    std::string why;
    try {
      ReadDump whole = read();
      if (stamp_of(dump) == dump.stamp) return whole;
      return std::nullopt;
    } catch (const InputError& error) {
      why = error.what();
    } catch (const std::bad_alloc&) {
      why = dump.fabric + ": not enough memory for a network of this size";
    }
    if (stamp_of(dump) == dump.stamp) refuse(dump, why);
    return std::nullopt;
  }

  void take(const ReadDump& read, bool newest) {
    FollowEvent event;
    try {
      event = follower_.take(read, newest);
    } catch (const InputError& error) {
      event = follower_.refuse(read.dump, error.what());
    }
    tell(read.dump, event);
  }
  void refuse(const Dump& dump, const std::string& why) {
    FollowEvent event = follower_.refuse(dump, why);
    tell(dump, event);
  }
  /// Told first, then kept: who is killed between the two tells it again.
  void tell(const Dump& dump, FollowEvent& event) {
    const double now = now_seconds();
    event.time = time_text(now);
    trouble_ = event.action == FollowAction::refused || event.action == FollowAction::kept || trouble_;
    print(watch::event_line(event) + "\n");
    follower_.keep(dump, event, now);
  }

  void run_hook() {
    if (options_.run_on_install.empty() || follower_.untold() == 0) return;
    const watch::CommandEnd end = watch::run_command(options_.run_on_install, options_.time_limit, 0,
                                                     {"UNKNOT_SET=" + follower_.set()});
    if (end.failure.empty()) {
      follower_.tell();
    } else {
      trouble_ = true;
      throw InputError(
          fmt::format("the command after installation {}; it is run again at the next look", end.failure));
    }
  }

  const FollowCommandOptions& options_;
  Follower follower_;
  watch::DumpFolder folder_;
  bool trouble_ = false;
  std::string look_said_, hook_said_, metrics_said_;
};

}  // namespace

void check_follow_options(const FollowCommandOptions& options) {
  if (!options.wanted()) {
    const auto given = std::find_if(options.declared.begin(), options.declared.end(),
                                    [](const CLI::Option* option) { return option->count() > 0; });
    if (given == options.declared.end()) return;
    throw InputError(fmt::format("watch: {} is for --follow or --follow-command", (*given)->get_name()));
  }
  if (!options.folder.empty() && !options.command.empty())
    throw InputError("watch: dumps come from --follow or from --follow-command, not from both");
  require_management(options.management, "watch");
  if (!options.run_on_install.empty() && options.install.empty())
    throw InputError("watch: --run-on-install needs --reroute, without which nothing is installed");
  const auto place = [](const std::string& path) {
    std::error_code error;
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
  };
  const std::vector<std::string> folders = {options.folder, options.state, options.install};
  for (std::size_t i = 0; i < folders.size(); ++i) {
    for (std::size_t j = i + 1; j < folders.size(); ++j) {
      if (!folders[i].empty() && !folders[j].empty() && place(folders[i]) == place(folders[j]))
        throw InputError("watch: --follow, --state and --reroute need a folder each");
    }
  }
  check_outputs({options.metrics});
  require_heeded(options.engine, options.guidance);  // and that there is such an engine
  require_clos(options.upkeep, options.engine, "watch");
  if (options.trees && options.install.empty())
    throw InputError("watch: --multicast is for trees that --reroute makes, which is missing");
  if (options.guidance.any() && options.install.empty()) {
    throw InputError(
        "watch: what an administrator sets is for tables that --reroute makes, which is missing");
  }
}

Answer follow(const FollowCommandOptions& options, watch::FollowOptions old, const Common& common) {
  old.state = options.state;
  old.install = options.install;
  old.request.engine = options.engine;
  old.request.upkeep = options.upkeep.upkeep();
  old.request.virtual_lanes = options.virtual_lanes;
  old.request.management = options.management.wanted();
  old.request.management_hosts = options.management.hosts;
  old.request.management_lanes = options.management.lanes;
  if (options.guidance.any()) {
    // What is named may be off, and a name is then unknown: what the files said before holds, by GUID. A
    // fabric that is not repaired for that would be worse.
    const auto last = std::make_shared<std::optional<Guidance>>();
    old.request.guidance = [files = options.guidance, &common, last](const Network& network) {
      try {
        *last = read_guidance(network, files, common, true);
      } catch (const InputError& error) {
        if (!*last) throw;
        note(common, fmt::format("{}; what was said before holds", error.what()));
      }
      return **last;
    };
  }
  old.request.trees = options.trees;
  old.request.seed = common.seed;
  old.request.threads = common.threads;
  try {
    ProgressBar bar(common);
    Service service(options, std::move(old), bar);
    if (options.once) return {service.run_once()};
    service.run();
  } catch (const Interrupted&) {
    note(common, "watch: stopped");
  }
  return {kYes};
}

void add_follow_options(CLI::App& app, FollowCommandOptions& options) {
  const auto add = [&](CLI::Option* option) {
    options.declared.push_back(option);
    return option;
  };
  app.add_option(
         "--follow", options.folder,
         "Take each dump that appears in DIR: NAME.fabric with NAME.lfts, NAME.lanes, NAME.sl2vl, "
         "NAME.trees (multicast tables) and NAME.groups (their service levels) where there are such, or a "
         "folder NAME that has fabric, lfts, lanes and so on")
      ->type_name("DIR");
  app.add_option("--follow-command", options.command,
                 "Take what this command writes to standard output, as ibnetdiscover does")
      ->type_name("COMMAND");
  add(app.add_option("--every", options.every, "Seconds between two looks")
          ->check(number_between(0.01, kMostSeconds))
          ->type_name("SECONDS")
          ->capture_default_str());
  add(app.add_flag("--once", options.once, "Take what is there, and end; for timers"));
  add(app.add_option("--state", options.state,
                     "Keep in DIR where it stands, to go on from there when started again")
          ->type_name("DIR"));
  add(app.add_option("--reroute", options.install,
                     "Make tables for the fabric as it is, prove them, and install them in DIR: DIR/current "
                     "has fabric, "
                     "lfts, guid2lid, lanes and proof")
          ->type_name("DIR"));
  add(app.add_option("--engine,-E", options.engine,
                     fmt::format("Engine for the first tables, and where old ones cannot be mended: NAME or "
                                 "NAME:key=value,...; one of {}",
                                 row_names("engines")))
          ->capture_default_str());
  add(add_upkeep_option(app, options.upkeep));
  add(app.add_option("--vls", options.virtual_lanes, "Virtual lanes the hardware has")
          ->check(whole_number(1, kMaxLanes))
          ->type_name("N")
          ->capture_default_str());
  add_management_options(app, options.management);
  for (const char* name : {"--traffic", "--management-hosts", "--management-lanes"})
    options.declared.push_back(app.get_option(name));
  add(app.add_flag("--multicast", options.trees,
                   "Make a multicast tree of all hosts, too, proven with the rest: DIR/current has trees"));
  for (CLI::Option* option : add_guidance_options(app, options.guidance)) options.declared.push_back(option);
  add(app.add_option("--run-on-install", options.run_on_install,
                     "Run this command when tables have been installed; UNKNOT_SET is their folder")
          ->type_name("COMMAND"));
  add(app.add_option(
             "--metrics", options.metrics,
             "Write verdict, lanes, loads and counts to FILE, as Prometheus reads them (textfile collector)")
          ->type_name("FILE"));
  add(app.add_option("--time-limit", options.time_limit, "Seconds after which a command is ended")
          ->check(number_between(0.01, kMostSeconds))
          ->type_name("SECONDS")
          ->capture_default_str());
}

}  // namespace unknot::cli
