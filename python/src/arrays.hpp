// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/numpy.h>

#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace unknot::python {

namespace py = pybind11;

/// A read-only NumPy array on memory of `owner`, which it keeps alive. Values is a number, or an id that is
/// nothing but a 32-bit number.
template <class Number, class Values>
py::array view(std::span<const Values> values, const py::handle& owner, std::vector<py::ssize_t> shape = {}) {
  static_assert(sizeof(Number) == sizeof(Values) && std::is_standard_layout_v<Values>);
  if (shape.empty()) shape = {static_cast<py::ssize_t>(values.size())};
  py::array made(py::dtype::of<Number>(), std::move(shape), reinterpret_cast<const Number*>(values.data()),
                 owner);
  made.attr("setflags")(py::arg("write") = false);
  return made;
}

/// A NumPy array that owns what the vector had: nothing is copied.
template <class Number>
py::array_t<Number> adopt(std::vector<Number>&& values, std::vector<py::ssize_t> shape = {}) {
  if (shape.empty()) shape = {static_cast<py::ssize_t>(values.size())};
  auto kept = std::make_unique<std::vector<Number>>(std::move(values));
  const Number* const data = kept->data();
  const py::capsule owner(kept.release(), [](void* at) { delete static_cast<std::vector<Number>*>(at); });
  return py::array_t<Number>(std::move(shape), data, owner);
}

}  // namespace unknot::python
