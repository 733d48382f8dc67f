// SPDX-License-Identifier: Apache-2.0
#include "unknot/slurm/cluster.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "unknot/angara/torus.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parameters.hpp"
#include "unknot/support/text/host_list.hpp"
#include "unknot/support/text/scanner.hpp"
#include "unknot/support/text/toml.hpp"
#include "unknot/topology/grids/torus.hpp"

namespace unknot::slurm {
namespace {

constexpr std::int64_t kMostNodes = 65'536;
constexpr double kMostSeconds = 86'400;
constexpr std::int64_t kMostThreads = 1024;

/// The same network with the names of nodes, an empty one for a place without a node.
Network named(const Network& network, const std::vector<std::string>& names, std::string description) {
  NetworkBuilder builder;
  builder.add_routers(network.router_count());
  for (const ChannelId c : network.channels()) {
    if (c < network.reverse(c)) {
      builder.add_cable(network.source(c), network.source_port(c), network.target(c), network.target_port(c));
    }
  }
  for (const TerminalId t : network.terminals())
    builder.add_terminal(network.router_of(t), network.terminal_port(t));
  for (const RouterId r : network.routers()) {
    const std::string& name = names[r.value];
    builder.labels().router_name.push_back(name.empty() ? network.router_name(r) : name);
    builder.labels().terminal_name.push_back(name.empty() ? network.router_name(r) : name);
  }
  builder.set_coordinates(*network.coordinates());
  builder.set_description(std::move(description));
  return std::move(builder).build();
}

class ClusterReader {
 public:
  ClusterReader(const toml::table& file, const std::string& name) : file_(file), name_(name) {}

  Cluster read() {
    check_keys();
    read_machine();
    read_faults();
    cluster_.engine = text("engine", "angara-opt:time=2");
    at("engine", [&] { check_engine(); });
    const std::string transit = text("transit", "own");
    at("transit", [&] { cluster_.transit = transit_from(transit); });
    cluster_.shared_nodes = truth("shared_nodes", false);
    cluster_.directory = path("directory", true);
    cluster_.log = path("log", false);
    cluster_.time_limit = number("time_limit", 10, 0.001, kMostSeconds);
    cluster_.threads = static_cast<std::uint32_t>(whole("threads", 0, 0, kMostThreads));
    return std::move(cluster_);
  }

 private:
  [[noreturn]] void fail(const toml::source_region& where, const std::string& message) const {
    throw InputError(name_, where.begin.line, message);
  }
  [[noreturn]] void fail(const char* key, const std::string& message) const {
    const toml::node* node = file_.get(key);
    if (node == nullptr) throw InputError(fmt::format("{}: {}", name_, message));
    fail(node->source(), message);
  }
  /// Says where an error of someone else's text was.
  template <class Action>
  void at(const char* key, const Action& action) const {
    try {
      action();
    } catch (const InputError& error) {
      fail(key, fmt::format("{}: {}", key, error.what()));
    } catch (const RoutingFailure& error) {
      fail(key, fmt::format("{}: {}", key, error.what()));
    }
  }

  void check_keys() const {
    const std::vector<std::string> known = {"dims",         "nodes",  "coordinates", "failed_nodes",
                                            "failed_links", "engine", "transit",     "shared_nodes",
                                            "directory",    "log",    "time_limit",  "threads"};
    for (const auto& [key, value] : file_) {
      const std::string name(key.str());
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      fail(key.source(), fmt::format("unknown key '{}'; {}", shown(name), near_or_all_names(name, known)));
    }
  }

  std::string text(const char* key, const char* fallback) const {
    const toml::node* node = file_.get(key);
    if (node == nullptr) return fallback;
    if (!node->is_string()) fail(key, fmt::format("'{}' is not text", key));
    return node->as_string()->get();
  }
  std::string path(const char* key, bool required) const {
    const std::string value = text(key, "");
    if (value.empty()) {
      if (required) fail(key, fmt::format("'{}' is missing: a folder", key));
      return "";
    }
    const std::filesystem::path folder = std::filesystem::path(name_).parent_path();
    return (folder / value).lexically_normal().string();
  }
  bool truth(const char* key, bool fallback) const {
    const toml::node* node = file_.get(key);
    if (node == nullptr) return fallback;
    if (!node->is_boolean()) fail(key, fmt::format("'{}' is not true or false", key));
    return node->as_boolean()->get();
  }
  double number(const char* key, double fallback, double low, double high) const {
    const toml::node* node = file_.get(key);
    if (node == nullptr) return fallback;
    const auto value = node->value<double>();
    if (!node->is_number() || !value || !(*value >= low && *value <= high))
      fail(key, fmt::format("'{}' is not a number from {} to {}", key, low, high));
    return *value;
  }
  std::int64_t whole(const char* key, std::int64_t fallback, std::int64_t low, std::int64_t high) const {
    const toml::node* node = file_.get(key);
    return node == nullptr ? fallback : whole(*node, fmt::format("'{}'", key), low, high);
  }
  std::int64_t whole(const toml::node& node, const std::string& what, std::int64_t low,
                     std::int64_t high) const {
    if (!node.is_integer() || node.as_integer()->get() < low || node.as_integer()->get() > high)
      fail(node.source(), fmt::format("{} is not a whole number from {} to {}", what, low, high));
    return node.as_integer()->get();
  }
  const toml::array& list(const toml::node& node, const std::string& what) const {
    if (!node.is_array()) fail(node.source(), fmt::format("{} is not a list", what));
    return *node.as_array();
  }

  void read_machine() {
    const toml::node* node = file_.get("dims");
    if (node == nullptr) fail("dims", "'dims' is missing: the size of each dimension, as [4, 2, 2, 2]");
    std::int64_t places = 1;
    for (const toml::node& size : list(*node, "'dims'")) {
      dims_.push_back(static_cast<std::uint32_t>(whole(size, "a size in 'dims'", 2, angara::kMostExtent)));
      places *= dims_.back();
      if (places > kMostNodes) fail("dims", fmt::format("'dims' has more than {} places", kMostNodes));
    }
    if (dims_.empty() || dims_.size() > angara::kMostDimensions) {
      fail("dims",
           fmt::format("'dims' has {} sizes, expected 1 to {}", dims_.size(), angara::kMostDimensions));
    }
    if ((file_.get("nodes") == nullptr) == (file_.get("coordinates") == nullptr)) {
      fail(file_.get("nodes") == nullptr ? "dims" : "coordinates",
           "give 'nodes' (a host list in the order of coordinates) or 'coordinates' (a table), one of them");
    }
    names_.assign(static_cast<std::size_t>(places), "");
    if (file_.get("nodes") != nullptr) {
      take_list();
    } else {
      take_coordinates();
    }
    cluster_.machine = named(torus(dims_, TerminalPlacement::each(1)), names_, name_);
    for (std::uint32_t place = 0; place < names_.size(); ++place) {
      if (names_[place].empty()) cluster_.faults.routers.emplace_back(place);
    }
  }

  void take(const std::string& name, std::size_t place, const toml::source_region& where) {
    if (name.empty() || name.front() == '.' || name.find('/') != std::string::npos)
      fail(where, fmt::format("'{}' cannot be the name of a node, nor of its file", shown(name)));
    if (!routers_.emplace(name, RouterId(static_cast<std::uint32_t>(place))).second)
      fail(where, fmt::format("node {} is named twice", shown(name)));
    if (!names_[place].empty()) {
      fail(where,
           fmt::format("nodes {} and {} have the same coordinates", shown(names_[place]), shown(name)));
    }
    names_[place] = name;
  }

  void take_list() {
    const std::string list = text("nodes", "");
    std::vector<std::string> expanded;
    at("nodes", [&] { expanded = expand_host_list(list); });
    if (expanded.size() != names_.size()) {
      fail("nodes", fmt::format("'nodes' names {} nodes, and a torus of {} has {} places", expanded.size(),
                                fmt::join(dims_, "x"), names_.size()));
    }
    for (std::size_t place = 0; place < expanded.size(); ++place)
      take(expanded[place], place, file_.get("nodes")->source());
  }

  void take_coordinates() {
    const toml::table* table = file_.get("coordinates")->as_table();
    if (table == nullptr) fail("coordinates", "'coordinates' is not a table");
    if (table->empty()) fail("coordinates", "'coordinates' names no node");
    for (const auto& [key, value] : *table) {
      const std::string name(key.str());
      const toml::array& given = list(value, fmt::format("the place of {}", shown(name)));
      if (given.size() != dims_.size()) {
        fail(value.source(),
             fmt::format("the place of {} has {} coordinates, and the torus has {} dimensions", shown(name),
                         given.size(), dims_.size()));
      }
      std::size_t place = 0;
      for (std::size_t d = 0; d < dims_.size(); ++d) {
        const std::string what = fmt::format("coordinate {} of {}", d + 1, shown(name));
        place = place * dims_[d] + static_cast<std::size_t>(whole(given[d], what, 0, dims_[d] - 1));
      }
      take(name, place, value.source());
    }
  }

  RouterId router(const std::string& name, const toml::source_region& where) const {
    const auto found = routers_.find(name);
    if (found == routers_.end()) fail(where, fmt::format("no node is called '{}'", shown(name)));
    return found->second;
  }

  void read_faults() {
    Faults& faults = cluster_.faults;
    if (const toml::node* node = file_.get("failed_nodes"); node != nullptr) {
      const std::string list = text("failed_nodes", "");
      std::vector<std::string> names;
      if (!list.empty()) at("failed_nodes", [&] { names = expand_host_list(list); });
      for (const std::string& name : names) faults.routers.push_back(router(name, node->source()));
    }
    std::sort(faults.routers.begin(), faults.routers.end());
    faults.routers.erase(std::unique(faults.routers.begin(), faults.routers.end()), faults.routers.end());
    if (const toml::node* node = file_.get("failed_links"); node != nullptr) {
      for (const toml::node& link : list(*node, "'failed_links'")) take_link(link);
    }
    std::sort(faults.channels.begin(), faults.channels.end());
    faults.channels.erase(std::unique(faults.channels.begin(), faults.channels.end()), faults.channels.end());
  }

  void take_link(const toml::node& link) {
    const toml::array* ends = link.as_array();
    if (ends == nullptr || ends->size() != 2 || !(*ends)[0].is_string() || !(*ends)[1].is_string())
      fail(link.source(), "a link is given by the two nodes it joins, as [\"node01\", \"node02\"]");
    const std::string& from = (*ends)[0].as_string()->get();
    const std::string& to = (*ends)[1].as_string()->get();
    const RouterId a = router(from, link.source());
    const RouterId b = router(to, link.source());
    bool found = false;
    for (const ChannelId c : cluster_.machine.out(a)) {
      if (cluster_.machine.target(c) != b) continue;
      found = true;
      cluster_.faults.channels.push_back(c);
      cluster_.faults.channels.push_back(cluster_.machine.reverse(c));
    }
    if (!found) fail(link.source(), fmt::format("no link joins {} and {}", shown(from), shown(to)));
    const auto failed = [&](RouterId r) {
      return std::binary_search(cluster_.faults.routers.begin(), cluster_.faults.routers.end(), r);
    };
    if (failed(a) || failed(b)) {
      cluster_.notes.push_back(fmt::format(
          "{}:{}: the failed link of {} and {} is at failed node {}, whose links count as failed anyway",
          name_, link.source().begin.line, from, to, failed(a) ? from : to));
    }
  }

  void check_engine() const {
    const Engine& engine = *choose_row(engines(), "engine", cluster_.engine).row;
    if (!engine.name.starts_with("angara-")) {
      throw InputError(
          fmt::format("{} makes no routes of an Angara torus; take one of the angara engines", engine.name));
    }
  }

  const toml::table& file_;
  const std::string& name_;
  std::vector<std::uint32_t> dims_;
  std::vector<std::string> names_;  // by place, "" where there is no node
  std::map<std::string, RouterId> routers_;
  Cluster cluster_;
};

}  // namespace

Cluster parse_cluster(std::string_view text, const std::string& name) {
  return ClusterReader(parse_toml(text, name), name).read();
}

Cluster read_cluster(const std::string& path) {
  return ClusterReader(read_toml(path), path).read();
}

}  // namespace unknot::slurm
