// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <pugixml.hpp>

#include "unknot/collective/nccl/nccl_graph.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/number.hpp"
#include "unknot/support/text/scanner.hpp"
#include "unknot/support/text/xml_text.hpp"

namespace unknot::nccl {
namespace {

constexpr std::array<std::string_view, 9> kLinkTypes = {"LOC", "NVL", "NVB", "PIX", "PXB",
                                                        "P2C", "PXN", "PHB", "SYS"};
constexpr std::array<std::string_view, 10> kGraphAttributes = {
    "id",         "pattern",      "crossnic",  "nchannels", "speedintra",
    "speedinter", "latencyinter", "typeintra", "typeinter", "samechannels"};
constexpr double kMostSpeed = 1e6;

class GraphReader {
 public:
  GraphReader(std::string_view text, const std::string& file) : xml_(text, file) {}

  std::vector<Graph> run() {
    const pugi::xml_node root = xml_.root("graphs");
    attributes(root, std::array<std::string_view, 2>{"version", "name"});
    if (number(root, "version", 1U << 20U) != 1) xml_.fail(root, "graphs of another version than 1");
    std::vector<Graph> result;
    elements(root, {"graph"}, [&](const pugi::xml_node& node) {
      Graph graph = read_graph(node);
      for (const Graph& before : result) {
        if (before.id == graph.id) {
          xml_.fail(node, fmt::format("graph {} is on line {} already", static_cast<std::uint32_t>(graph.id),
                                      before.line));
        }
      }
      result.push_back(std::move(graph));
    });
    if (result.empty()) xml_.fail(root, "no <graph>");
    return result;
  }

 private:
  std::string_view text(const pugi::xml_node& node, const char* name) {
    const pugi::xml_attribute found = node.attribute(name);
    if (!found) xml_.fail(node, fmt::format("<{}> lacks the attribute '{}'", node.name(), name));
    return found.value();
  }
  std::uint64_t number(const pugi::xml_node& node, const char* name, std::uint64_t most, int base = 10) {
    std::string_view digits = text(node, name);
    const std::string_view written = digits;
    if (base == 16 && (digits.starts_with("0x") || digits.starts_with("0X"))) digits.remove_prefix(2);
    const auto value = number_in<std::uint64_t>(digits, base);
    if (!value || *value > most) {
      xml_.fail(node, fmt::format("{}=\"{}\" of <{}>: expected a {}number up to {}", name, shown(written),
                                  node.name(), base == 16 ? "hexadecimal " : "", most));
    }
    return *value;
  }
  double speed(const pugi::xml_node& node, const char* name) {
    const auto value = number_in<double>(text(node, name));
    if (!value || !(*value >= 0) || *value > kMostSpeed) {
      xml_.fail(node, fmt::format("{}=\"{}\" of <{}>: expected a number from 0 to {}", name,
                                  shown(text(node, name)), node.name(), kMostSpeed));
    }
    return *value;
  }
  std::string link_type(const pugi::xml_node& node, const char* name) {
    const std::string_view value = text(node, name);
    if (std::find(kLinkTypes.begin(), kLinkTypes.end(), value) == kLinkTypes.end()) {
      xml_.fail(node, fmt::format("{}=\"{}\" of <{}>: expected LOC, NVL, NVB, PIX, PXB, P2C, PXN, PHB or SYS",
                                  name, shown(value), node.name()));
    }
    return std::string(value);
  }
  template <class Names>
  void attributes(const pugi::xml_node& node, const Names& names) {
    std::vector<std::string_view> seen;
    for (const pugi::xml_attribute& a : node.attributes()) {
      if (std::find(names.begin(), names.end(), a.name()) == names.end()) {
        xml_.fail(node,
                  fmt::format("<{}> has an attribute '{}' that is not known", node.name(), shown(a.name())));
      }
      if (std::find(seen.begin(), seen.end(), a.name()) != seen.end())
        xml_.fail(node, fmt::format("<{}> has the attribute '{}' twice", node.name(), a.name()));
      seen.emplace_back(a.name());
    }
  }
  template <class Read>
  void elements(const pugi::xml_node& node, const std::vector<std::string_view>& names, Read read) {
    for (const pugi::xml_node& child : node.children()) {
      if (std::find(names.begin(), names.end(), child.name()) == names.end()) {
        xml_.fail(child.type() == pugi::node_element ? child : node,
                  fmt::format("<{}> inside of <{}> is not known", shown(child.name()), node.name()));
      }
      read(child);
    }
  }

  Graph read_graph(const pugi::xml_node& node) {
    attributes(node, kGraphAttributes);
    Graph graph;
    graph.line = xml_.line_of(node);
    graph.id = static_cast<GraphId>(number(node, "id", 4));
    graph.pattern = static_cast<Pattern>(number(node, "pattern", 6));
    if (static_cast<std::uint32_t>(graph.pattern) == 0) xml_.fail(node, "pattern=\"0\": expected 1 to 6");
    graph.cross_nic = number(node, "crossnic", 1) == 1;
    const std::uint64_t channels = number(node, "nchannels", kMostGraphChannels);
    graph.speed_intra = speed(node, "speedintra");
    graph.speed_inter = speed(node, "speedinter");
    if (node.attribute("latencyinter")) graph.latency_inter = speed(node, "latencyinter");
    graph.type_intra = link_type(node, "typeintra");
    graph.type_inter = link_type(node, "typeinter");
    graph.same_channels = number(node, "samechannels", 1) == 1;
    elements(node, {"channel"}, [&](const pugi::xml_node& child) {
      if (graph.channels.size() == kMostGraphChannels)
        xml_.fail(child, fmt::format("more than {} channels", kMostGraphChannels));
      graph.channels.push_back(read_channel(child));
    });
    if (channels != graph.channels.size())
      xml_.fail(node, fmt::format("nchannels=\"{}\" of a graph with {}", channels, graph.channels.size()));
    return graph;
  }

  GraphChannel read_channel(const pugi::xml_node& node) {
    attributes(node, std::array<std::string_view, 0>{});
    GraphChannel channel;
    channel.line = xml_.line_of(node);
    elements(node, {"net", "gpu"}, [&](const pugi::xml_node& child) {
      elements(child, {}, [](const pugi::xml_node&) {});
      const std::uint64_t dev = number(child, "dev", UINT64_MAX >> 1U, 16);
      if (std::string_view(child.name()) == "net") {
        attributes(child, std::array<std::string_view, 1>{"dev"});
        if (channel.nets.size() == 2) xml_.fail(child, "a third <net> of a channel, which has two");
        channel.nets.push_back(dev);
        return;
      }
      attributes(child, std::array<std::string_view, 2>{"dev", "rank"});
      if (channel.gpus.size() == kMostGraphGpus)
        xml_.fail(child, fmt::format("more than {} GPUs", kMostGraphGpus));
      GraphGpu gpu{dev, std::nullopt};
      if (child.attribute("rank")) gpu.rank = static_cast<std::uint32_t>(number(child, "rank", 0x7FFFFFFFU));
      channel.gpus.push_back(gpu);
    });
    return channel;
  }

  XmlText xml_;
};

}  // namespace

std::vector<Graph> parse_graphs(std::string_view text, const std::string& file) {
  return GraphReader(text, file).run();
}

bool is_graphs(std::string_view text) {
  const std::size_t begin = text.find("<graphs");
  return begin != std::string_view::npos && begin < text.find("<algo") &&
         text.find_first_not_of(" \t\r\n") != std::string_view::npos &&
         text[text.find_first_not_of(" \t\r\n")] == '<';
}

}  // namespace unknot::nccl
