// SPDX-License-Identifier: Apache-2.0
#include "unknot/formats/machines/nccl_topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <pugixml.hpp>
#include <unordered_map>
#include <utility>
#include <vector>

#include "unknot/formats/draft/fabric_draft.hpp"
#include "unknot/formats/machines/nccl_figures.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"
#include "unknot/support/text/xml_text.hpp"
#include "unknot/topology/machines/box_plans.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kMostProcessors = kMostGpusOfABox;
constexpr std::uint32_t kDeepestPci = 32;
constexpr std::uint64_t kMostLinksOfAPair = 65535;
constexpr std::uint64_t kMostMegabits = 0xFFFFFFFFU;

class NcclReader {
 public:
  NcclReader(std::string_view text, const std::string& file) : xml_(text, file), file_(file) {}

  BoxPlan run() {
    const pugi::xml_node system = xml_.root("system");
    for (const pugi::xml_node& child : system.children()) {
      if (is(child, "cpu")) read_processor(child);
    }
    if (gpus_.empty()) {
      throw InputError(file_ +
                       ": no <gpu> in this topology, expected a server as NCCL writes it where "
                       "NCCL_TOPO_DUMP_FILE is set");
    }
    join_processors();
    for (const Gpu& gpu : gpus_) read_gpu_links(gpu);
    add_gpu_pairs();
    return plan();
  }

 private:
  enum class PartKind : std::uint8_t { gpu, processor, pci, nvswitch, card };
  struct Processor {
    std::uint32_t part = 0;
    std::string_view host;
    std::uint32_t megabits = 0;
  };
  struct Gpu {
    pugi::xml_node node;
    std::uint32_t part = 0, processor = 0;  // processor: index into processors_
    std::uint64_t order = 0;
  };

  static bool is(const pugi::xml_node& node, const char* name) { return std::strcmp(node.name(), name) == 0; }

  std::string_view required(const pugi::xml_node& node, const char* name) {
    const pugi::xml_attribute found = node.attribute(name);
    if (!found) xml_.fail(node, fmt::format("<{}> lacks the attribute '{}'", node.name(), name));
    return found.value();
  }
  std::uint64_t number(const pugi::xml_node& node, const char* name, std::uint64_t max) {
    const std::string_view value = required(node, name);
    Cursor cursor(value);
    const auto n = cursor.decimal(max);
    if (!n || !cursor.at_end())
      xml_.fail(node, fmt::format("{}=\"{}\": expected a whole number up to {}", name, shown(value), max));
    return *n;
  }
  /// Nothing where there is none, or a negative one: NCCL's word for "not known".
  std::optional<std::uint64_t> known_number(const pugi::xml_node& node, const char* name, std::uint64_t max) {
    const pugi::xml_attribute found = node.attribute(name);
    if (!found || found.value()[0] == '-') return std::nullopt;
    return number(node, name, max);
  }
  std::uint32_t fitting(const pugi::xml_node& node, std::uint64_t megabits) {
    if (megabits > kMostMegabits) xml_.fail(node, fmt::format("<{}> is too fast to be true", node.name()));
    return static_cast<std::uint32_t>(megabits);
  }

  std::uint32_t add_part(PartKind kind, std::string name) {
    kinds_.push_back(kind);
    names_.push_back(std::move(name));
    return static_cast<std::uint32_t>(kinds_.size() - 1);
  }
  void join(std::uint32_t a, std::uint32_t b, std::uint32_t there, std::uint32_t back) {
    links_.push_back({a, b, there, back, 0, false});
  }
  void join(std::uint32_t a, std::uint32_t b, std::uint32_t megabits) { join(a, b, megabits, megabits); }

  /// Devices are known by host and bus id.
  static std::string key_of(std::string_view host, std::string_view busid) {
    return fmt::format("{} {}", host, busid);
  }

  void read_processor(const pugi::xml_node& node) {
    if (processors_.size() == kMostProcessors)
      xml_.fail(node, fmt::format("more than {} processors", kMostProcessors));
    const auto of = [&](const char* name) -> std::int64_t {
      const auto n = known_number(node, name, 0xFFFFFFFFU);
      return n ? static_cast<std::int64_t>(*n) : -1;
    };
    const NcclProcessor type{node.attribute("arch").value(), node.attribute("vendor").value(), of("familyid"),
                             of("modelid")};
    const std::uint32_t part = add_part(PartKind::processor, fmt::format("cpu{}", processors_.size()));
    processors_.push_back({part, node.attribute("host_hash").value(), nccl_processor_megabits(type)});
    for (const pugi::xml_node& child : node.children()) {
      if (is(child, "pci")) read_pci(child, part, 1);
      if (is(child, "nic")) {
        const std::uint32_t card = add_card();
        join(part, card, kNcclLocalMegabits);
        read_ports(child, card);
      }
    }
  }

  std::uint32_t add_card() { return add_part(PartKind::card, fmt::format("card{}", card_parts_++)); }

  void read_pci(const pugi::xml_node& node, std::uint32_t parent, std::uint32_t depth) {
    if (depth > kDeepestPci) xml_.fail(node, fmt::format("<pci> inside of {} others", kDeepestPci));
    const std::string_view busid = required(node, "busid");
    const std::string_view type = required(node, "class");
    const std::string key = key_of(processors_.back().host, busid);
    const std::uint32_t line = xml_.line_of(node);
    if (const auto [known, is_new] = lines_.emplace(key, line); !is_new)
      xml_.fail(node, fmt::format("the device {} is already on line {}", shown(busid), known->second));
    const std::uint32_t megabits = fitting(
        node, nccl_pci_megabits(node.attribute("link_speed").value(), number(node, "link_width", 1024)));
    bool device = false;
    for (const pugi::xml_node& child : node.children()) {
      if (is(child, "gpu")) {
        if (device) xml_.fail(child, "a second GPU in this device, expected one");
        device = true;
        read_gpu(child, key, parent, megabits);
      } else if (is(child, "nic")) {
        const std::uint32_t card = add_card();
        join(parent, card, megabits);
        read_ports(child, card);
        device = true;
      }
    }
    if (device || type.starts_with("0x02") || type.starts_with("0x03") || type.starts_with("0x0680")) return;
    const std::uint32_t part = add_part(PartKind::pci, fmt::format("pci{}", pci_parts_++));
    join(parent, part, megabits);
    for (const pugi::xml_node& child : node.children()) {
      if (is(child, "pci")) read_pci(child, part, depth + 1);
    }
  }

  void read_gpu(const pugi::xml_node& node, const std::string& key, std::uint32_t parent,
                std::uint32_t megabits) {
    if (gpus_.size() == kMostGpusOfABox) xml_.fail(node, fmt::format("more than {} GPUs", kMostGpusOfABox));
    if (known_number(node, "mlopart", 64)) xml_.fail(node, "a GPU in parts (mlopart), expected whole ones");
    const std::uint64_t dev = number(node, "dev", 65535);
    const std::uint32_t part = add_part(PartKind::gpu, {});
    gpus_.push_back({node, part, static_cast<std::uint32_t>(processors_.size() - 1),
                     known_number(node, "rank", 0xFFFFFFFFU).value_or(dev)});
    gpu_at_.emplace(key, part);
    join(parent, part, megabits);
  }

  void read_ports(const pugi::xml_node& nic, std::uint32_t card) {
    for (const pugi::xml_node& node : nic.children("net")) {
      const std::uint64_t dev = number(node, "dev", 65535);
      const std::uint64_t speed = known_number(node, "speed", kMostMegabits).value_or(0);
      cards_.push_back({card, static_cast<std::uint32_t>(known_number(node, "rail", 65535).value_or(dev)),
                        speed == 0 ? kNcclUnknownCardMegabits : static_cast<std::uint32_t>(speed)});
    }
  }

  /// All of a host with one another, each way as the one that it begins at.
  void join_processors() {
    for (std::size_t a = 0; a < processors_.size(); ++a) {
      for (std::size_t b = a + 1; b < processors_.size(); ++b) {
        if (processors_[a].host != processors_[b].host) continue;
        join(processors_[a].part, processors_[b].part, processors_[a].megabits, processors_[b].megabits);
      }
    }
  }

  void read_gpu_links(const Gpu& gpu) {
    for (const pugi::xml_node& node : gpu.node.children()) {
      const bool nvlink = is(node, "nvlink");
      if (nvlink || is(node, "xgmi")) {
        const std::uint32_t each = nvlink ? nccl_nvlink_megabits(number(gpu.node, "sm", 65535))
                                          : nccl_xgmi_megabits(required(gpu.node, "gcn"));
        read_fast_link(gpu, node, fitting(node, number(node, "count", kMostLinksOfAPair) * each));
      } else if (is(node, "c2c")) {  // megabytes a second of each of several links to the GPU's processor
        const std::uint64_t each = number(node, "bw", kMostMegabits);
        const std::uint64_t megabits = each * 8 * number(node, "count", kMostLinksOfAPair);
        if (megabits > 0) join(processors_[gpu.processor].part, gpu.part, fitting(node, megabits));
      }
    }
  }

  void read_fast_link(const Gpu& gpu, const pugi::xml_node& node, std::uint32_t megabits) {
    if (megabits == 0) return;
    const std::string_view type = required(node, "tclass");
    if (type.starts_with("0x03")) {
      const auto found = gpu_at_.find(key_of(processors_[gpu.processor].host, required(node, "target")));
      if (found == gpu_at_.end()) return;
      if (found->second == gpu.part) xml_.fail(node, "a link from a GPU to itself");
      std::uint32_t& sum = pairs_[{gpu.part, found->second}];
      sum = fitting(node, std::uint64_t{sum} + megabits);
    } else if (type.starts_with("0x068001")) {
      join(processors_[gpu.processor].part, gpu.part, megabits);
    } else {
      if (!nvswitch_) nvswitch_ = add_part(PartKind::nvswitch, "nvswitch");
      join(gpu.part, *nvswitch_, megabits);
    }
  }

  void add_gpu_pairs() {
    for (const auto& [ends, megabits] : pairs_) {
      const auto back = pairs_.find({ends.second, ends.first});
      if (back == pairs_.end()) {
        links_.push_back({ends.first, ends.second, megabits, 0, 0, true});
      } else if (ends.first < ends.second) {
        join(ends.first, ends.second, megabits, back->second);
      }
    }
  }

  /// GPUs first, by their order; the others as they came.
  BoxPlan plan() {
    std::stable_sort(gpus_.begin(), gpus_.end(),
                     [](const Gpu& a, const Gpu& b) { return a.order < b.order; });
    BoxPlan result = plain_box(static_cast<std::uint32_t>(gpus_.size()));
    std::vector<std::uint32_t> number(kinds_.size(), 0);
    for (std::uint32_t g = 0; g < gpus_.size(); ++g) number[gpus_[g].part] = g;
    for (std::uint32_t part = 0; part < kinds_.size(); ++part) {
      if (kinds_[part] == PartKind::gpu) continue;
      number[part] = static_cast<std::uint32_t>(result.gpus.size() + result.others.size());
      result.others.push_back(std::move(names_[part]));
    }
    result.links = std::move(links_);
    for (BoxPlan::Link& link : result.links) {
      link.a = number[link.a];
      link.b = number[link.b];
    }
    result.cards = std::move(cards_);
    for (BoxPlan::Card& card : result.cards) card.part = number[card.part];
    return result;
  }

  XmlText xml_;
  const std::string& file_;
  std::vector<PartKind> kinds_;  // by part, in the order of the file
  std::vector<std::string> names_;
  std::vector<Processor> processors_;
  std::vector<Gpu> gpus_;
  std::vector<BoxPlan::Link> links_;
  std::vector<BoxPlan::Card> cards_;
  std::unordered_map<std::string, std::uint32_t> lines_, gpu_at_;  // by key_of()
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>
      pairs_;  // megabits from one GPU to another
  std::optional<std::uint32_t> nvswitch_;
  std::uint32_t card_parts_ = 0, pci_parts_ = 0;
};

}  // namespace

BoxPlan read_nccl_box(std::string_view text, const std::string& name) {
  return NcclReader(text, name).run();
}

Network read_nccl_topology(std::string_view text, const std::string& name) {
  MachinePlan plan;
  plan.kinds.push_back({"box", 1, read_nccl_box(text, name)});
  plan.rails = 0;
  Network network = machine_network(plan).described_as(name);
  require_connected(network, name);
  return network;
}

bool looks_like_nccl_topology(std::string_view head) {
  const std::size_t begin = head.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  return begin != std::string_view::npos && head[begin] == '<' &&
         head.find("<system") != std::string_view::npos && head.find("<cpu") != std::string_view::npos;
}

}  // namespace unknot
