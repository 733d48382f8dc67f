// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <string>

#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"

/// The extension module unknot._unknot, one source for each room of the library.
namespace unknot::python {

namespace py = pybind11;
using py::literals::operator""_a;

/// A routing and the network it is valid for: Python's Routing.
struct NetworkRouting {
  std::shared_ptr<Network> network;
  Routing routing;
};

// In the order in which the module calls them: a type is known before a signature names it.
void bind_errors(py::module_& module);
void bind_catalogues(py::module_& module);
void bind_network(py::module_& module);
void bind_routing(py::module_& module);
void bind_verify(py::module_& module);
void bind_load(py::module_& module);
void bind_simulate(py::module_& module);
void bind_collective(py::module_& module);

/// Numbers from Python as ids; IndexError for those that the network does not have.
RouterId router_at(const Network& network, std::int64_t index);
TerminalId terminal_at(const Network& network, std::int64_t index);
ChannelId channel_at(const Network& network, std::int64_t index);

}  // namespace unknot::python
