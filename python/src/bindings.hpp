// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"

/// The extension module unknot._unknot, one source for each room of the library.
namespace unknot::python {

namespace py = pybind11;
using py::literals::operator""_a;
/// An argument that is not None.
inline py::arg operator""_given(const char* name, std::size_t /*length*/) {
  return py::arg(name).none(false);
}

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

/// Whole numbers are what Python counts with (__index__), NumPy's too: pybind11's own casters cut fractions
/// that are no `float`.
template <class Number>
struct WholeCaster {
  PYBIND11_TYPE_CASTER(Number, const_name("int"));

  bool load(handle source, bool /*convert*/) {
    const object index = reinterpret_steal<object>(PyNumber_Index(source.ptr()));
    bool fits = static_cast<bool>(index);
    if constexpr (std::is_signed_v<Number>) {
      const long long number = fits ? PyLong_AsLongLong(index.ptr()) : 0;
      fits = fits && std::in_range<Number>(number);
      value = static_cast<Number>(number);
    } else {
      const unsigned long long number = fits ? PyLong_AsUnsignedLongLong(index.ptr()) : 0;
      fits = fits && std::in_range<Number>(number);
      value = static_cast<Number>(number);
    }
    if (PyErr_Occurred() == nullptr) return fits;
    PyErr_Clear();
    return false;
  }
  static handle cast(Number number, return_value_policy /*policy*/, handle /*parent*/) {
    if constexpr (std::is_signed_v<Number>) {
      return PyLong_FromLongLong(number);
    } else {
      return PyLong_FromUnsignedLongLong(number);
    }
  }
};
template <>
struct type_caster<std::uint16_t> : WholeCaster<std::uint16_t> {};
template <>
struct type_caster<std::uint32_t> : WholeCaster<std::uint32_t> {};
template <>
struct type_caster<std::uint64_t> : WholeCaster<std::uint64_t> {};
template <>
struct type_caster<std::int64_t> : WholeCaster<std::int64_t> {};

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
