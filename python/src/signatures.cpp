// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>

#include "bindings.hpp"

/// Signatures that inspect reads. pybind11 writes "name(x: int = 1) -> str" into the first line of a
/// docstring; Python takes one that is followed by a line "--", without types. [CPython, typeobject.c:
/// __text_signature__]
namespace unknot::python {
namespace {

/// End of what begins at `from` and is closed before one of `ends`, brackets and quotes counted.
std::size_t end_of(std::string_view text, std::size_t from, std::string_view ends) {
  int depth = 0;
  char quote = 0;
  for (std::size_t i = from; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == '\\') {
        ++i;
      } else if (c == quote) {
        quote = 0;
      }
      continue;
    }
    if (depth == 0 && ends.find(c) != std::string_view::npos) return i;
    if (c == '\'' || c == '"') quote = c;
    depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
  }
  return std::string_view::npos;
}

/// Numbers, texts, None, True, False, {} and [] as they are; of anything else that there is a default.
std::string default_of(std::string_view text) {
  constexpr std::string_view kPlain[] = {"None", "True", "False", "{}", "[]"};
  const bool plain = std::find(std::begin(kPlain), std::end(kPlain), text) != std::end(kPlain);
  const bool literal = !text.empty() && (text[0] == '\'' || text[0] == '"' || text[0] == '-' ||
                                         std::isdigit(static_cast<unsigned char>(text[0])) != 0);
  return std::string(plain || literal ? text : "...");
}

/// "(network, engine='unknot')" of "network: unknot.Network, engine: str = 'unknot'". Nothing where the text
/// is no signature, as of functions with several.
std::optional<std::string> text_signature(std::string_view doc, std::string_view name) {
  if (!doc.starts_with(name) || doc.size() <= name.size() || doc[name.size()] != '(') return std::nullopt;
  const std::size_t open = name.size() + 1, close = end_of(doc, open, ")");
  if (close == std::string_view::npos || !doc.substr(close).starts_with(") -> ")) return std::nullopt;
  std::string made = "(";
  for (std::size_t at = open; at < close;) {
    const std::size_t end = std::min(end_of(doc, at, ",)"), close);
    const std::string_view parameter = doc.substr(at, end - at);
    const std::size_t colon = end_of(parameter, 0, ":"), equals = end_of(parameter, 0, "=");
    std::string_view of_name = parameter.substr(0, std::min({colon, equals, parameter.size()}));
    while (of_name.ends_with(' ')) of_name.remove_suffix(1);
    if (made.size() > 1) made += ", ";
    made += of_name;
    if (equals != std::string_view::npos) {
      std::string_view value = parameter.substr(equals + 1);
      while (value.starts_with(' ')) value.remove_prefix(1);
      made += "=" + default_of(value);
    }
    at = end + 1;
    while (at < close && doc[at] == ' ') ++at;
  }
  return made + ")";
}

void give_signature(PyObject* function) {
  PyMethodDef* const definition = reinterpret_cast<PyCFunctionObject*>(function)->m_ml;
  if (definition->ml_doc == nullptr) return;
  const std::string doc = definition->ml_doc, name = definition->ml_name;
  const std::optional<std::string> signature = text_signature(doc, name);
  if (!signature) return;
  // pybind11 frees it with the function, and has made it with strdup().
  std::free(const_cast<char*>(definition->ml_doc));
  definition->ml_doc = ::strdup((name + *signature + "\n--\n\n" + doc).c_str());
}

void give_signatures(const py::dict& members) {
  for (const auto& [name, member] : members) {
    PyObject* function = member.ptr();
    if (PyInstanceMethod_Check(function)) function = PyInstanceMethod_GET_FUNCTION(function);
    if (Py_TYPE(function) == &PyStaticMethod_Type) {
      const py::object inner = member.attr("__func__");
      if (PyCFunction_Check(inner.ptr())) give_signature(inner.ptr());
    } else if (PyCFunction_Check(function)) {
      give_signature(function);
    } else if (PyType_Check(function)) {
      give_signatures(py::dict(member.attr("__dict__")));
    }
  }
}

}  // namespace

void give_signatures(py::module_& module) {
  give_signatures(py::dict(module.attr("__dict__")));
}

}  // namespace unknot::python
