// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <pybind11/numpy.h>

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "unknot/support/error.hpp"

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

/// The array, which nobody can change.
inline py::array read_only(py::array made) {
  made.attr("setflags")(py::arg("write") = false);
  return made;
}

/// What a caller gives as an array of numbers that count. InputError, which names `name`, for what a
/// conversion would change: fractions, and numbers that Number does not hold.
template <class Number>
py::array_t<Number, py::array::c_style> whole_numbers(const py::object& given, const char* name) {
  const py::array numbers = py::array::ensure(given);
  if (!numbers) {
    PyErr_Clear();
    throw InputError(fmt::format("{}: expected an array of whole numbers", name));
  }
  if (numbers.size() > 0) {  // an empty one is of floats where nothing else is said
    const char kind = numbers.dtype().kind();
    if (kind != 'i' && kind != 'u') {
      throw InputError(fmt::format("{}: expected an array of whole numbers, not of {}", name,
                                   py::str(numbers.dtype()).cast<std::string>()));
    }
    const py::int_ least(numbers.attr("min")()), most(numbers.attr("max")());
    for (const py::int_& number : {least, most}) {
      if (number < py::int_(std::numeric_limits<Number>::min()) ||
          number > py::int_(std::numeric_limits<Number>::max())) {
        throw InputError(fmt::format("{}: {} is out of range", name,
                                     py::str(static_cast<py::handle>(number)).cast<std::string>()));
      }
    }
  }
  return numbers.cast<py::array_t<Number, py::array::c_style | py::array::forcecast>>();
}

}  // namespace unknot::python
