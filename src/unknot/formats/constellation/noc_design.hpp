// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/formats/constellation/noc_relation.hpp"
#include "unknot/tables/adaptive/channel_relation.hpp"

/// Configurations of Constellation as it publishes them (its test/Configs.scala): docs/generators.md.
namespace unknot {

/// One configuration: NoCParams, as Constellation takes them.
class NocDesign final : public ChannelRelation {
 public:
  struct Parts {
    std::uint32_t nodes = 0;
    std::uint32_t links = 0;  ///< between nodes, each with its virtual channels
    std::uint32_t ingresses = 0, egresses = 0, flows = 0;
    std::string topology, relation;  ///< names
    NocRelation rule;
    std::vector<VirtualChannel> channels;
    std::vector<NocChannel> seen;             ///< the same as relations see them
    std::vector<Flow> classes;                ///< flows that the rule treats alike
    std::vector<std::vector<bool>> blocking;  ///< vNetBlocking, by blocker and blockee
  };
  explicit NocDesign(Parts parts);

  [[nodiscard]] const Parts& parts() const { return parts_; }
  [[nodiscard]] bool allows(Channel from, Channel next, const Flow& flow) const override;
  [[nodiscard]] bool is_escape(Channel channel, std::uint32_t subnet) const override;
  [[nodiscard]] bool must_move(std::uint32_t mover, std::uint32_t stalled) const override {
    return parts_.blocking[mover][stalled];
  }

 private:
  Parts parts_;
};

/// True when the text has a class that extends another, and NoCParams.
bool looks_like_noc_configurations(std::string_view head);
/// Classes without parameters, in their order. InputError where the text is no Scala.
std::vector<std::string> noc_configurations(std::string_view text, const std::string& file);

/// The configuration of this name: a class that extends NoCTesterConfig or NoCEvalConfig, perhaps through
/// classes of the file. Topologies and relations of Constellation's catalogue, numbers of virtual channels,
/// ingresses, egresses and flows as expressions; what the network cannot depend on (routers, buffers, widths,
/// what tests need) is passed over. InputError with file and line for anything else, for what Constellation
/// refuses, and beyond 4,096 nodes, 65,536 virtual channels or 256 virtual networks.
std::unique_ptr<NocDesign> read_noc_configuration(std::string_view text, const std::string& file,
                                                  const std::string& name);

}  // namespace unknot
