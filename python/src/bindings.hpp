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

/// Name of a file, or a spec in place of one: text, or anything with __fspath__.
struct PathText {
  std::string text;
};

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
void bind_live(py::module_& module);
void bind_live_lanes(py::module_& module);
void bind_simulate(py::module_& module);
void bind_collective(py::module_& module);
void bind_commands(py::module_& module);
/// Of all that has been bound.
void give_signatures(py::module_& module);

/// Numbers from Python as ids; IndexError for those that the network does not have.
RouterId router_at(const Network& network, std::int64_t index);
TerminalId terminal_at(const Network& network, std::int64_t index);
ChannelId channel_at(const Network& network, std::int64_t index);

}  // namespace unknot::python

namespace pybind11::detail {

template <>
struct type_caster<unknot::python::PathText> {
  PYBIND11_TYPE_CASTER(unknot::python::PathText, const_name("str | os.PathLike[str]"));

  bool load(handle source, bool /*convert*/) {
    const object path = reinterpret_steal<object>(PyOS_FSPath(source.ptr()));
    PyObject* bytes = nullptr;
    if (!path || PyUnicode_FSConverter(path.ptr(), &bytes) == 0) {
      PyErr_Clear();
      return false;
    }
    const object whole = reinterpret_steal<object>(bytes);
    value.text.assign(PyBytes_AS_STRING(bytes), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes)));
    return true;
  }
  static handle cast(const unknot::python::PathText& path, return_value_policy /*policy*/,
                     handle /*parent*/) {
    return PyUnicode_DecodeFSDefault(path.text.c_str());
  }
};

}  // namespace pybind11::detail
