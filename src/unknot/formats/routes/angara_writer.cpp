// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>

#include "unknot/angara/source_routes.hpp"
#include "unknot/angara/torus.hpp"
#include "unknot/formats/routes/angara_grammar.hpp"
#include "unknot/formats/routes/angara_tables.hpp"
#include "unknot/formats/text/text_block.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/files/file.hpp"

namespace unknot {
namespace {

const Network& checked(const Network& network, const Routing& routing) {
  require_fit(network, routing);
  if (routing.routes() == nullptr) {
    throw InputError(fmt::format(
        "format angara holds source routes, and {} gives forwarding tables by destination", routing.engine));
  }
  if (routing.flow_control != FlowControl::bubble)
    throw InputError("format angara is for bubble flow control, and these source routes are for credits");
  if (const std::string trouble = angara::Torus::trouble(network); !trouble.empty())
    throw InputError(fmt::format("format angara does not fit this network: {}", trouble));
  return network;
}

/// " +X2 -K1": the directions of a code with their counts, in direction order.
void put_steps(const angara::Torus& torus, angara::RouteCode code, std::string& text) {
  for (std::uint32_t d = 0; d < torus.directions(); ++d) {
    const auto direction = static_cast<angara::Direction>(d);
    const std::int32_t steps = code.steps(torus.dimension(direction));
    if (steps == 0 || (steps > 0) != torus.positive(direction)) continue;
    text += ' ';
    text += torus.direction_name(direction);
    text += std::to_string(std::abs(steps));
  }
}

}  // namespace

struct AngaraTables::State {
  State(const Network& fabric, const Routing& source_routes)
      : network(checked(fabric, source_routes)), routing(source_routes), torus(fabric), encoder(torus) {
    for (const TerminalId t : network.terminals()) names.push_back(angara_name(network.terminal_name(t)));
    (void)angara_grammar::nodes_by_name(network);  // refuses a name that two have
  }
  const Network& network;
  const Routing& routing;
  angara::Torus torus;
  angara::RouteEncoder encoder;
  std::vector<std::string> names;  // by terminal, as written
};

AngaraTables::AngaraTables(const Network& network, const Routing& routing)
    : state_(std::make_unique<const State>(network, routing)) {}
AngaraTables::~AngaraTables() = default;

std::string AngaraTables::header() const {
  const angara::Torus& torus = state_->torus;
  return fmt::format("{}\n{}{}\n{}{}\n", angara_grammar::kMagic, angara_grammar::kTorus,
                     angara_grammar::extents(torus), angara_grammar::kOrder, angara_grammar::order(torus));
}

std::string AngaraTables::section(TerminalId terminal) const {
  const Network& network = state_->network;
  const angara::Torus& torus = state_->torus;
  const std::uint32_t node = network.router_of(terminal).value;
  std::string text = fmt::format("\nnode {} at", state_->names[terminal.value]);
  for (std::uint32_t d = 0; d < torus.dimensions(); ++d)
    text += fmt::format(" {}", torus.coordinate(node, d));
  text += '\n';
  std::uint32_t lines = 0;
  for (const TerminalId to : network.terminals()) {
    const auto route = state_->routing.routes()->route(terminal, to);
    if (route.empty()) continue;
    const auto code = state_->encoder.code(node, route);
    if (!code) {
      throw InputError(
          fmt::format("the route of {} to {} breaks the direction order: no packet header holds it",
                      network.terminal_name(terminal), network.terminal_name(to)));
    }
    const auto step = [&](std::optional<angara::Direction> d) {
      return d ? torus.direction_name(*d) : std::string("-");
    };
    text += state_->names[to.value];
    text += ' ';
    text += step(code->first_step());
    put_steps(torus, *code, text);
    text += ' ';
    text += step(code->last_step());
    text += '\n';
    ++lines;
  }
  text += fmt::format("end {}\n", lines);
  return text;
}

void write_angara(const Network& network, const Routing& routing, const std::string& path) {
  const AngaraTables tables(network, routing);
  constexpr std::size_t kLine = 24;
  write_file(path, [&](const FileSink& sink) {
    sink(tables.header());
    write_blocks(sink, network.terminal_count(), records_a_block(kLine * (network.terminal_count() + 1)),
                 [&](std::uint32_t begin, std::uint32_t end, TextBlock& block) {
                   for (TerminalId t(begin); t.value < end; ++t.value) block.append(tables.section(t));
                 });
  });
}

std::string angara_node_text(const Network& network, const Routing& routing, TerminalId terminal) {
  const AngaraTables tables(network, routing);
  return tables.header() + tables.section(terminal);
}

}  // namespace unknot
