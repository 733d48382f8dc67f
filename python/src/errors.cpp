// SPDX-License-Identifier: Apache-2.0
#include "bindings.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/support/error.hpp"

namespace unknot::python {
namespace {

/// Raises an exception of the module, with attributes.
template <class... Attributes>
void raise(const char* type, const char* message, Attributes&&... attributes) {
  const py::object exception = py::module_::import("unknot._unknot").attr(type)(message);
  (void)std::initializer_list<int>{(exception.attr(attributes.first) = attributes.second, 0)...};
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): the signature that pybind11 asks for
void translate(std::exception_ptr error) {
  try {
    if (error) std::rethrow_exception(error);
  } catch (const InputError& e) {
    const py::object file = e.file().empty() ? py::object(py::none()) : py::object(py::str(e.file()));
    const py::object line = e.line() == 0 ? py::object(py::none()) : py::object(py::int_(e.line()));
    raise("InputError", e.what(), std::pair("file", file), std::pair("line", line));
  } catch (const RoutingFailure& e) {
    raise("RoutingFailure", e.what(), std::pair("lanes_needed", py::int_(e.lanes_needed())));
  } catch (const Interrupted&) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
  }
}

void add(py::module_& module, const char* name, const char* text, PyObject* base) {
  const std::string whole = std::string("unknot.") + name;
  module.attr(name) =
      py::reinterpret_steal<py::object>(PyErr_NewExceptionWithDoc(whole.c_str(), text, base, nullptr));
}

}  // namespace

void bind_errors(py::module_& module) {
  add(module, "InputError",
      "Bad input: a file, a spec, or values that do not go together.\n\nAttributes file and line say where, "
      "or are None.",
      PyExc_ValueError);
  add(module, "RoutingFailure",
      "An engine cannot do what was asked on this network.\n\nAttribute lanes_needed: lanes that would be "
      "enough, or 0.",
      PyExc_RuntimeError);
  py::register_exception_translator(&translate);
}

}  // namespace unknot::python
