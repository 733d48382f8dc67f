// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <sstream>

#include "collective/schedules.hpp"
#include "drawing/cases.hpp"
#include "drawing/xml.hpp"
#include "unknot/drawing/step_picture.hpp"
#include "unknot/drawing/svg.hpp"
#include "unknot/drawing/time_space.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/support/error.hpp"

namespace unknot::drawing {
namespace {

using testing::crowded_case;
using testing::DrawingCase;
using testing::Element;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using testing::XmlParser;

double value(const Element& element, const char* key) {
  return std::stod(element.attribute(key));
}

/// The point after the letter that the text of a path begins with.
Point first_point(const std::string& path) {
  std::istringstream in(path.substr(1));
  Point p;
  in >> p.x >> p.y;
  return p;
}

std::string along(std::span<const NodeId> path) {
  std::string text = ", along";
  for (const NodeId n : path) text += " " + std::to_string(n.value);
  return text;
}

/// A node of a panel, by the number that its tool tip begins with.
struct Shape {
  std::uint32_t node = 0;
  Point centre;
  double radius = 0;
};

std::vector<Shape> shapes_of(const Element& panel) {
  std::vector<Shape> shapes;
  for (const Element* circle : panel.all("circle", "node")) {
    shapes.push_back({static_cast<std::uint32_t>(std::stoul(circle->title())),
                      {value(*circle, "cx"), value(*circle, "cy")},
                      value(*circle, "r")});
  }
  for (const Element* square : panel.all("rect", "node")) {
    const double half = value(*square, "width") / 2;
    shapes.push_back({static_cast<std::uint32_t>(std::stoul(square->title())),
                      {value(*square, "x") + half, value(*square, "y") + half},
                      half / 0.85});
  }
  return shapes;
}

/// Distance to the border of the nearest place of a node.
double gap(const std::vector<Shape>& shapes, NodeId node, Point p) {
  double least = std::numeric_limits<double>::max();
  for (const Shape& shape : shapes) {
    if (shape.node == node.value) least = std::min(least, std::abs(length(p - shape.centre) - shape.radius));
  }
  return least;
}

void expect_steps_drawn(const DrawingCase& one, const std::string& what) {
  const std::string svg = draw_steps(one.network, one.problem, one.schedule, {what, 3});
  const Element root = XmlParser::parse(svg);
  EXPECT_EQ(root.title(), fmt::format("{} on {}, {} step{} (lower bound 3)", one.problem.collective, what,
                                      one.schedule.step_count(), one.schedule.step_count() == 1 ? "" : "s"));
  const auto panels = root.all("g", "panel");
  ASSERT_EQ(panels.size(), one.schedule.step_count()) << what;
  for (std::uint32_t step = 0; step < panels.size(); ++step) {
    const std::vector<Shape> shapes = shapes_of(*panels[step]);
    const auto transfers = panels[step]->all("g", "transfer");
    ASSERT_EQ(transfers.size(), one.schedule.step_end(step) - one.schedule.step_begin(step)) << what;
    for (std::uint32_t i = 0; i < transfers.size(); ++i) {
      const std::uint32_t t = one.schedule.step_begin(step) + i;
      EXPECT_THAT(transfers[i]->title(), StartsWith(fmt::format("step {}: ", step + 1)));
      EXPECT_THAT(transfers[i]->title(), EndsWith(along(one.schedule.path(t))));
      const auto way = transfers[i]->all("path", "way");
      const auto tip = transfers[i]->all("path", "tip");
      ASSERT_EQ(way.size(), 1U);
      ASSERT_EQ(tip.size(), 1U);
      EXPECT_LT(gap(shapes, one.schedule.distributor(t), first_point(way[0]->attribute("d"))), 0.3) << what;
      const std::string arrows = tip[0]->attribute("d");
      EXPECT_EQ(std::count(arrows.begin(), arrows.end(), 'M') + 1,
                static_cast<std::ptrdiff_t>(one.schedule.path(t).size()));
      const std::size_t last = arrows.rfind('M');
      EXPECT_LT(gap(shapes, one.schedule.receiver(t), first_point(arrows.substr(last))), 0.3) << what;
    }
  }
}

void expect_channels_drawn(const DrawingCase& one, const std::string& what) {
  const Element root = XmlParser::parse(draw_time_space(one.problem, one.schedule, {what, {}}));
  std::map<std::string, double> row;  // by its label
  for (const Element* label : root.all("text", "end")) {
    if (label->text.find("\xE2\x86\x92") != std::string::npos) row[label->text] = value(*label, "y");
  }
  const NodeGraph& graph = *one.problem.graph;
  ASSERT_EQ(row.size(), graph.arc_count());
  std::vector<double> columns;
  for (const Element* head : root.all("text", "head")) columns.push_back(value(*head, "x"));
  ASSERT_EQ(columns.size(), one.schedule.step_count());
  const auto transfers = root.all("g", "transfer");
  ASSERT_EQ(transfers.size(), one.schedule.transfer_count()) << what;
  for (std::uint32_t step = 0; step < one.schedule.step_count(); ++step) {
    for (std::uint32_t t = one.schedule.step_begin(step); t < one.schedule.step_end(step); ++t) {
      const auto path = one.schedule.path(t);
      EXPECT_THAT(transfers[t]->title(), EndsWith(along(path)));
      std::size_t hop = 1;
      for (const Element& bar : transfers[t]->children) {
        if (bar.name != "rect") continue;
        ASSERT_LT(hop, path.size());
        const double y = row.at(fmt::format("{}\xE2\x86\x92{}", path[hop - 1].value, path[hop].value));
        EXPECT_NEAR(value(bar, "y") + value(bar, "height") / 2, y - 3.5, 1.5) << what;
        const double middle = value(bar, "x") + value(bar, "width") / 2;
        EXPECT_NEAR(middle, columns[step], 25) << what;
        ++hop;
      }
      EXPECT_EQ(hop, path.size()) << what;
    }
  }
}

TEST(Drawings, ShowEveryTransferOfEveryCollective) {
  for (const std::string& spec : testing::drawn_topologies()) {
    for (const CollectiveRow& row : collectives()) {
      const DrawingCase one = crowded_case(spec, row.name);
      expect_steps_drawn(one, spec + " " + row.name);
      expect_channels_drawn(one, spec + " " + row.name);
    }
  }
}

TEST(Drawings, AreTheSameAgain) {
  for (const char* spec : {"torus:4x4", "jellyfish:routers=12,degree=3"}) {
    const DrawingCase one = crowded_case(spec, "AAS");
    const DrawingCase two = crowded_case(spec, "AAS");
    EXPECT_EQ(draw_steps(one.network, one.problem, one.schedule),
              draw_steps(two.network, two.problem, two.schedule));
    EXPECT_EQ(draw_time_space(one.problem, one.schedule), draw_time_space(two.problem, two.schedule));
  }
}

TEST(Drawings, MarkWhoSendsWhoGetsItAndWhoHasIt) {
  const Network network = make_network("hypercube:3");
  const Problem problem = testing::problem_on("hypercube:3", "OAB");
  const Schedule schedule = testing::recursive_doubling(3);
  const auto marked = [&](const Problem& p, const Schedule& s, const std::string& style) {
    std::vector<std::size_t> count;
    const Element root = XmlParser::parse(draw_steps(network, p, s));
    for (const Element* panel : root.all("g", "panel")) count.push_back(panel->all("circle", style).size());
    return count;
  };
  EXPECT_THAT(marked(problem, schedule, "sends"), ::testing::ElementsAre(1, 2, 4));
  EXPECT_THAT(marked(problem, schedule, "new"), ::testing::ElementsAre(1, 2, 4));
  EXPECT_THAT(marked(problem, schedule, "has"), ::testing::ElementsAre(0, 0, 0));
  const Problem reduction = testing::problem_on("hypercube:3", "AOR");
  const Schedule backwards = time_reversed(schedule, Delivery::reduction);
  EXPECT_THAT(marked(reduction, backwards, "sends"), ::testing::ElementsAre(4, 2, 1));  // collectors
  EXPECT_THAT(marked(reduction, backwards, "has"), ::testing::ElementsAre(0, 4, 6));
  const Problem exchange = testing::problem_on("hypercube:3", "AAS");
  EXPECT_THAT(marked(exchange, testing::hypercube_exchange(3), "new"), ::testing::ElementsAre(0, 0, 0, 0));
}

TEST(Drawings, SayHowManyChannelsAreInUse) {
  const Network network = make_network("hypercube:3");
  const Problem exchange = testing::problem_on("hypercube:3", "AAS");
  const std::string steps = draw_steps(network, exchange, testing::hypercube_exchange(3));
  EXPECT_THAT(steps, HasSubstr("24 of 24 channels, 100 %"));
  const Problem broadcast = testing::problem_on("hypercube:3", "OAB");
  EXPECT_THAT(draw_time_space(broadcast, testing::recursive_doubling(3)),
              HasSubstr("step 2: 2 of 24 channels, 8 %"));
}

TEST(Drawings, MarkWhatIsWrong) {
  const Network network = make_network("ring:6");
  const Problem problem = testing::problem_on("ring:6", "OAB");
  Schedule schedule;
  schedule.add_step();
  schedule.add(NodeId(0), testing::nodes({0, 1}));
  schedule.add(NodeId(0), testing::nodes({0, 1, 2}));
  schedule.add(NodeId(0), testing::nodes({0, 3}));
  schedule.add(NodeId(0), testing::nodes({5}));
  const Element steps = XmlParser::parse(draw_steps(network, problem, schedule));
  std::vector<std::string> titles;
  for (const Element* mark : steps.all("circle", "clash")) titles.push_back(mark->title());
  EXPECT_THAT(titles,
              ::testing::ElementsAre("no channel from 0 to 3", "2 messages on 0 to 1, which carries 1"));
  EXPECT_EQ(steps.all("circle", "new").size(), 3U);  // 1, 2 and the legend: nothing gets to 3
  const Element rows = XmlParser::parse(draw_time_space(problem, schedule));
  ASSERT_EQ(rows.all("rect", "clash").size(), 1U);
  EXPECT_EQ(rows.all("rect", "clash")[0]->title(), "2 messages on 0 to 1, which carries 1");
  EXPECT_NO_THROW(XmlParser::parse(draw_steps(network, problem, Schedule())));
  EXPECT_NO_THROW(XmlParser::parse(draw_time_space(problem, Schedule())));
}

TEST(Drawings, HostileNamesAreText) {
  const std::string hostile = "</title><script>alert('&\"\x01\xFF')</script>";
  NetworkBuilder builder;
  builder.add_routers(2);
  builder.add_cable(RouterId(0), RouterId(1));
  builder.add_terminal(RouterId(0));
  builder.add_terminal(RouterId(1));
  builder.labels().router_name = {hostile, "]]>"};
  const Network network = std::move(builder).build();
  const Problem problem = make_collective(std::make_shared<const NodeGraph>(network), "OAS");
  Schedule schedule;
  schedule.add_step();
  schedule.add(NodeId(0), testing::nodes({0, 1}));
  for (const std::string& svg : {draw_steps(network, problem, schedule, {hostile, 1}),
                                 draw_time_space(problem, schedule, {hostile, 1})}) {
    const Element root = XmlParser::parse(svg);
    std::vector<const Element*> scripts;
    root.collect([](const Element& e) { return e.name == "script"; }, scripts);
    EXPECT_TRUE(scripts.empty());
    EXPECT_THAT(root.title(), HasSubstr("<script>alert('&\""));
  }
}

TEST(Drawings, RefuseWhatIsTooLarge) {
  const auto refused = [](const std::string& spec, const Schedule& schedule) -> std::string {
    const Problem problem = testing::problem_on(spec, "OAB");
    for (const bool steps : {true, false}) {
      try {
        (void)(steps ? draw_steps(make_network(spec), problem, schedule)
                     : draw_time_space(problem, schedule));
        ADD_FAILURE() << spec;
      } catch (const InputError& error) {
        if (!steps) return error.what();
      }
    }
    return "";
  };
  EXPECT_EQ(refused("ring:257", Schedule()), "a drawing takes at most 256 nodes; there are 257");
  Schedule strange;
  strange.add_step();
  strange.add(NodeId(0), testing::nodes({0, 4}));
  EXPECT_EQ(refused("ring:4", strange), "step 1: there is no node 4 to draw");
  Schedule crowd;
  crowd.add_step();
  for (std::uint32_t i = 0; i <= kMostHops / 4; ++i) crowd.add(NodeId(0), testing::nodes({0, 1, 2, 3}));
  EXPECT_THAT(refused("ring:4", crowd), HasSubstr("at most 200000 channels over all transfers"));
  EXPECT_NO_THROW(draw_steps(make_network("ring:256"), testing::problem_on("ring:256", "OAB"), Schedule()));
}

}  // namespace
}  // namespace unknot::drawing
