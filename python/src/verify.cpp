// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/verify.hpp"

#include <fmt/format.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "long_work.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/support/error.hpp"

namespace unknot::python {
namespace {

/// A verdict, and the network that its ids are of.
struct NetworkVerdict {
  std::shared_ptr<Network> network;
  Verdict verdict;
};

NetworkVerdict verdict_on(const NetworkRouting& made, bool certificate, std::uint32_t threads,
                          const py::object& progress) {
  require_fit(*made.network, made.routing);
  return {made.network, run_long(progress, [&](Progress& sink) {
            return verify(*made.network, made.routing, {.threads = threads, .certificate = certificate},
                          sink);
          })};
}

py::object witness_of(const NetworkVerdict& v) {
  if (!v.verdict.witness) return py::none();
  py::list steps;
  for (const WitnessStep& step : v.verdict.witness->steps) {
    steps.append(py::dict("channel"_a = step.from.channel.value, "lane"_a = step.from.lane,
                          "source"_a = step.source.value, "destination"_a = step.destination.value));
  }
  return steps;
}

py::object certificate_of(const py::object& self) {
  const auto& v = self.cast<const NetworkVerdict&>();
  if (!v.verdict.certificate) return py::none();
  const Certificate& proof = *v.verdict.certificate;
  return view<std::uint32_t>(std::span<const std::uint32_t>(proof.number), self,
                             {proof.lanes, v.network->channel_count()});
}

bool proves(const NetworkRouting& made, const py::object& certificate) {
  const auto numbers = whole_numbers<std::uint32_t>(certificate, "certificate");
  if (numbers.ndim() != 2 || numbers.shape(1) != made.network->channel_count()) {
    throw InputError(fmt::format("certificate: an array of lanes by {} channels is expected",
                                 made.network->channel_count()));
  }
  const Certificate proof{made.network->fingerprint(), static_cast<std::uint32_t>(numbers.shape(0)),
                          std::vector<std::uint32_t>(numbers.data(), numbers.data() + numbers.size())};
  const py::gil_scoped_release release;
  return check_certificate(*made.network, made.routing, proof, nullptr);
}

std::vector<std::string> findings_of(const NetworkVerdict& v) {
  std::vector<std::string> lines;
  for (const Finding& finding : v.verdict.findings) lines.push_back(describe(*v.network, finding));
  return lines;
}

std::string text_of(const NetworkVerdict& v) {
  return v.verdict.witness ? describe(*v.network, *v.verdict.witness) : std::string();
}

}  // namespace

void bind_verify(py::module_& module) {
  using V = NetworkVerdict;
  py::class_<V>(module, "Verdict",
                "What the independent checker found, over all ordered pairs of terminals. True: every pair "
                "is delivered, and nothing can deadlock.")
      .def_property_readonly("pairs", [](const V& v) { return v.verdict.pairs; })
      .def_property_readonly("unroutable_pairs", [](const V& v) { return v.verdict.unroutable_pairs; })
      .def_property_readonly("looping_pairs", [](const V& v) { return v.verdict.looping_pairs; })
      .def_property_readonly(
          "longer_pairs", [](const V& v) { return v.verdict.longer_pairs; },
          "Delivered by more hops than the shortest path has.")
      .def_property_readonly("lanes_used", [](const V& v) { return v.verdict.lanes_used; })
      .def_property_readonly("max_hops", [](const V& v) { return v.verdict.max_hops; })
      .def_property_readonly("mean_hops", [](const V& v) { return v.verdict.mean_hops(); })
      .def_property_readonly(
          "dependencies", [](const V& v) { return v.verdict.dependencies; },
          "Arcs of the channel dependency graph, all lanes.")
      .def_property_readonly("deadlock_free", [](const V& v) { return v.verdict.deadlock_free; })
      .def_property_readonly("complete", [](const V& v) { return v.verdict.complete(); })
      .def_property_readonly("loop_free", [](const V& v) { return v.verdict.loop_free(); })
      .def_property_readonly("minimal", [](const V& v) { return v.verdict.minimal(); })
      .def_property_readonly(
          "witness", &witness_of,
          "A shortest circle of channels that wait for each other, and the flows that hold them: a list of "
          "dictionaries channel, lane, source, destination; None: there is none.")
      .def_property_readonly("witness_text", &text_of, "The same for people; empty: there is none.")
      .def_property_readonly("findings", &findings_of, "The first pairs that are wrong, a sentence each.")
      .def_property_readonly(
          "certificate", &certificate_of,
          "By lane and channel: numbers that every dependency goes up by; 4294967295: not used. None unless "
          "asked for.")
      .def(
          "write_certificate",
          [](const V& v, const PathText& path) {
            if (!v.verdict.certificate)
              throw py::value_error("there is no certificate: verify(..., certificate=True)");
            write_certificate(*v.network, *v.verdict.certificate, path.text);
          },
          "path"_a)
      .def("__bool__", [](const V& v) { return v.verdict.complete() && v.verdict.deadlock_free; })
      .def("__repr__", [](const V& v) {
        return fmt::format("<unknot.Verdict: {}, {} of {} pairs without a route>",
                           v.verdict.deadlock_free ? "deadlock-free" : "can deadlock",
                           v.verdict.unroutable_pairs, v.verdict.pairs);
      });
  module.def("verify", &verdict_on, "routing"_a, "certificate"_a = false, "threads"_a = 0,
             "progress"_a = py::none(),
             "Checks a routing by whomever: delivery, loops, lengths, and deadlock freedom.");
  module.def("check_certificate", &proves, "routing"_a, "certificate"_a,
             "Whether every dependency of the routing goes from a smaller to a larger number: a proof "
             "without a search.");
}

}  // namespace unknot::python
