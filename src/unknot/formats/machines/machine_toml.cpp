// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/machines/machine_toml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "unknot/formats/draft/fabric_draft.hpp"
#include "unknot/formats/machines/nccl_topology.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"
#include "unknot/support/parameters.hpp"
#include "unknot/support/text/scanner.hpp"
#include "unknot/support/text/toml.hpp"
#include "unknot/topology/machines/box_plans.hpp"

namespace unknot {
namespace {

constexpr std::size_t kLongestMachine = 16 * ReadLimits::kMebi;
constexpr std::uint64_t kMostParts = 65535;
constexpr std::array<std::string_view, 13> kBoxKeys{
    "name",  "count", "nccl", "gpus",      "switches",          "link",        "link_latency",
    "cards", "card",  "mesh", "card_link", "card_link_latency", "mesh_latency"};
constexpr std::array<std::string_view, 6> kNetworkKeys{"rails",  "leaves",       "spines",
                                                       "uplink", "card_latency", "uplink_latency"};

/// One table of the file, and what its keys say.
class MachineTable {
 public:
  MachineTable(const toml::table& table, std::string title, const std::string& file)
      : table_(table), title_(std::move(title)), file_(file) {}

  [[nodiscard]] bool has(std::string_view key) const { return table_.contains(key); }
  [[noreturn]] void fail(const std::string& message) const { fail(line_of(table_), message); }
  [[noreturn]] void fail_at(std::string_view key, const std::string& message) const {
    fail(line_of(*table_.get(key)), message);
  }

  void check_keys(std::span<const std::string_view> known) const {
    for (const auto& entry : table_) {
      const std::string_view key = entry.first.str();
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      fail(entry.first.source().begin.line,
           fmt::format("no key \"{}\" of {}; {}", shown(key), title_,
                       near_or_all_names(key, {known.begin(), known.end()})));
    }
  }

  [[nodiscard]] std::uint64_t number(std::string_view key, std::uint64_t otherwise, std::uint64_t min,
                                     std::uint64_t max) const {
    const toml::node* node = table_.get(key);
    if (node == nullptr) return otherwise;
    if (const auto* value = node->as_integer()) {
      const std::int64_t n = value->get();
      if (n >= 0 && static_cast<std::uint64_t>(n) >= min && static_cast<std::uint64_t>(n) <= max)
        return static_cast<std::uint64_t>(n);
    }
    fail_at(key, fmt::format("{}: expected a whole number from {} to {}", key, min, max));
  }
  [[nodiscard]] std::uint32_t number32(std::string_view key, std::uint32_t otherwise, std::uint32_t min,
                                       std::uint32_t max) const {
    return static_cast<std::uint32_t>(number(key, otherwise, min, max));
  }
  [[nodiscard]] std::uint32_t latency(std::string_view key) const { return number32(key, 0, 0, 0xFFFFFFFFU); }
  /// Megabits a second; 0 where the key is not there.
  [[nodiscard]] std::uint32_t capacity(std::string_view key) const {
    const toml::node* node = table_.get(key);
    if (node == nullptr) return 0;
    if (const auto gigabits = node->is_number() ? node->value<double>() : std::nullopt) {
      if (const auto megabits = megabits_from(*gigabits)) return *megabits;
    }
    fail_at(key, fmt::format("{}: expected {}", key, kCapacityRule));
  }
  [[nodiscard]] std::string text(std::string_view key, const std::string& otherwise) const {
    const toml::node* node = table_.get(key);
    if (node == nullptr) return otherwise;
    if (const auto* value = node->as_string(); value != nullptr && !value->get().empty()) return value->get();
    fail_at(key, fmt::format("{}: expected a text", key));
  }
  /// `key` means something only where `other` is given.
  void require_with(std::string_view key, std::string_view other) const {
    if (has(key) && !has(other)) fail_at(key, fmt::format("{} without {}", key, other));
  }

 private:
  [[noreturn]] void fail(std::size_t line, const std::string& message) const {
    throw InputError(file_, line, message);
  }

  const toml::table& table_;
  std::string title_;
  const std::string& file_;
};

class MachineReader {
 public:
  MachineReader(const std::string& file, const MachineFileText& text_of) : file_(file), text_of_(text_of) {}

  MachinePlan run(const toml::table& file) {
    for (const auto& entry : file) {
      if (entry.first.str() == "box" || entry.first.str() == "network") continue;
      throw InputError(
          file_, entry.first.source().begin.line,
          fmt::format("\"{}\": expected tables [[box]] and [network]", shown(entry.first.str())));
    }
    const toml::array* boxes = file.get_as<toml::array>("box");
    if (boxes == nullptr || boxes->empty())
      throw InputError(file_ + ": expected a table [[box]] for each kind of box");
    for (const toml::node& node : *boxes) {
      const toml::table* table = node.as_table();
      if (table == nullptr) throw InputError(file_, line_of(node), "expected tables [[box]]");
      read_box({*table, "[[box]]", file_});
    }
    read_network(file.get("network"));
    return std::move(plan_);
  }

 private:
  void read_box(const MachineTable& table) {
    table.check_keys(kBoxKeys);
    MachinePlan::Kind kind;
    kind.name = table.text("name", "box");
    if (!names_.insert(kind.name).second) {
      table.fail(fmt::format("another box is named \"{}\", expected a name of its own", shown(kind.name)));
    }
    kind.count = table.number("count", 1, 1, kMaxRouters);
    kind.box = table.has("nccl") ? nccl_box(table) : described_box(table);
    plan_.kinds.push_back(std::move(kind));
    // Before the next kind takes its memory.
    const NetworkSize size = machine_size(plan_);
    if (size.cables > kMaxCables || size.routers > kMaxRouters) {
      table.fail(
          fmt::format("with these boxes the machine has {} parts and {} links inside; at most {} and {} "
                      "are supported",
                      size.routers, size.cables, kMaxRouters, kMaxCables));
    }
  }

  BoxPlan nccl_box(const MachineTable& table) {
    for (const std::string_view key : kBoxKeys) {
      if (key != "name" && key != "count" && key != "nccl" && table.has(key))
        table.fail_at(key, fmt::format("{} beside nccl, whose file says it", key));
    }
    const std::string path =
        (std::filesystem::path(file_).parent_path() / table.text("nccl", "")).lexically_normal().string();
    std::string text;
    try {
      text = text_of_(path);
    } catch (const InputError& error) {
      table.fail_at("nccl", fmt::format("nccl: {}", error.what()));
    }
    return read_nccl_box(text, path);
  }

  static BoxPlan described_box(const MachineTable& table) {
    if (!table.has("gpus"))
      table.fail("expected gpus, how many a box has, or nccl, a file that says what it has");
    for (const auto& [key, other] :
         {std::pair("switches", "link"), std::pair("link_latency", "link"), std::pair("mesh_latency", "mesh"),
          std::pair("cards", "card"), std::pair("card_link", "card"),
          std::pair("card_link_latency", "card_link")})
      table.require_with(key, other);
    const std::uint32_t gpus = table.number32("gpus", 0, 1, kMostGpusOfABox);
    BoxPlan box = plain_box(gpus);
    if (table.has("mesh")) add_mesh(box, {table.capacity("mesh"), table.latency("mesh_latency")});
    if (table.has("link")) {
      add_box_switches(box, table.number32("switches", 1, 1, kMostGpusOfABox),
                       {table.capacity("link"), table.latency("link_latency")});
    }
    if (!table.has("card")) return box;
    const std::uint32_t cards = table.number32("cards", gpus, 1, kMostParts);
    if (table.has("card_link") != (cards < gpus)) {
      table.fail(
          cards < gpus
              ? fmt::format("{} cards for {} GPUs: expected card_link, from a GPU to its card", cards, gpus)
              : std::string("card_link, but each card is at a GPU of its own"));
    }
    add_cards(box, cards, table.capacity("card"),
              {table.capacity("card_link"), table.latency("card_link_latency")});
    return box;
  }

  void read_network(const toml::node* node) {
    std::uint64_t boxes = 0;
    for (const MachinePlan::Kind& kind : plan_.kinds) boxes += kind.count;
    if (node == nullptr) {
      if (boxes > 1)
        throw InputError(fmt::format("{}: {} boxes, and no [network] to join them", file_, boxes));
      plan_.rails = 0;
      return;
    }
    if (!node->is_table()) throw InputError(file_, line_of(*node), "expected a table [network]");
    const MachineTable table(*node->as_table(), "[network]", file_);
    table.check_keys(kNetworkKeys);
    for (const auto& [key, other] : {std::pair("spines", "uplink"), std::pair("uplink", "spines"),
                                     std::pair("uplink_latency", "uplink")})
      table.require_with(key, other);
    plan_.rails = table.number32("rails", 1, 1, kMostParts);
    plan_.leaves = table.number32("leaves", 1, 1, kMostParts);
    plan_.spines = table.number32("spines", 0, 1, kMostParts);
    plan_.uplink = table.capacity("uplink");
    plan_.card_latency = table.latency("card_latency");
    plan_.uplink_latency = table.latency("uplink_latency");
    if (plan_.leaves > boxes)
      table.fail_at("leaves", fmt::format("leaves: {} for {} boxes", plan_.leaves, boxes));
    if (plan_.leaves > 1 && plan_.spines == 0)
      table.fail_at("leaves", "leaves without spines, which join the switches of a rail");
    check_rails(table);
  }

  void check_rails(const MachineTable& table) const {
    std::vector<bool> used(plan_.rails, false);
    for (const MachinePlan::Kind& kind : plan_.kinds) {
      if (kind.box.cards.empty()) {
        table.fail(
            fmt::format("the boxes \"{}\" have no card to join them to the network", shown(kind.name)));
      }
      for (const BoxPlan::Card& card : kind.box.cards) used[card.rail % plan_.rails] = true;
    }
    const auto unused = std::find(used.begin(), used.end(), false);
    if (unused == used.end()) return;
    const std::string message = fmt::format("rails: no card leads to rail {}", unused - used.begin());
    if (table.has("rails")) table.fail_at("rails", message);
    table.fail(message);
  }

  const std::string& file_;
  const MachineFileText& text_of_;
  std::set<std::string> names_;
  MachinePlan plan_;
};

}  // namespace

MachinePlan read_machine_plan(std::string_view text, const std::string& name,
                              const MachineFileText& text_of) {
  if (text.size() > kLongestMachine) throw InputError(name + ": longer than 16 MiB, which no machine takes");
  return MachineReader(name, text_of).run(parse_toml(text, name));
}

Network read_machine(std::string_view text, const std::string& name) {
  const MachinePlan plan =
      read_machine_plan(text, name, [](const std::string& path) { return read_file(path); });
  try {
    Network network = machine_network(plan).described_as(name);
    require_connected(network, name);
    return network;
  } catch (const InputError& error) {
    const std::string message = error.what();
    throw InputError(message.starts_with(name) ? message : name + ": " + message);
  }
}

bool looks_like_machine(std::string_view head) {
  constexpr std::string_view kTitle = "[[box]]";
  for (std::size_t at = head.find(kTitle); at != std::string_view::npos; at = head.find(kTitle, at + 1)) {
    const std::size_t before = head.find_last_not_of(" \t", at == 0 ? 0 : at - 1);
    if (at == 0 || before == std::string_view::npos || head[before] == '\n') return true;
  }
  return false;
}

}  // namespace unknot
