// SPDX-License-Identifier: Apache-2.0
#include "bindings.hpp"
#include "unknot/collective/model/catalogue.hpp"
#include "unknot/collective/solvers/solver.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/formats/fabric/fabric_catalogue.hpp"
#include "unknot/formats/tables/table_catalogue.hpp"
#include "unknot/simulate/settings/presets.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"
#include "unknot/traffic/workloads/workload_catalogue.hpp"

namespace unknot::python {
namespace {

template <class Row>
py::dict row_of(const Row& row) {
  py::dict made("name"_a = row.name, "summary"_a = row.summary);
  if constexpr (requires { row.parameters; }) {
    py::list parameters;
    for (const Parameter& parameter : row.parameters) {
      py::dict one("name"_a = parameter.name, "help"_a = parameter.help);
      one["default"] = parameter.fallback;
      parameters.append(one);
    }
    made["parameters"] = parameters;
  }
  if constexpr (requires { row.examples; }) made["examples"] = row.examples;
  if constexpr (requires { row.promise; }) {
    made["deadlock_free"] = row.promise.deadlock_free;
    made["minimal"] = row.promise.minimal;
  }
  return made;
}

/// `rows` gives a catalogue: a function of the module that lists it as dictionaries.
template <class Rows>
void add(py::module_& module, const char* name, const char* text, Rows rows) {
  module.def(
      name,
      [rows] {
        py::list all;
        for (const auto& row : rows()) all.append(row_of(row));
        return all;
      },
      text);
}

}  // namespace

void bind_catalogues(py::module_& module) {
  add(module, "topologies", "Families of networks: name, summary, parameters, examples of specs.",
      &topologies);
  add(module, "engines", "Routing engines: name, summary, parameters, and what they promise.", &engines);
  add(module, "patterns", "Traffic patterns.", &patterns);
  add(module, "workloads", "Exchanges that end.", &workloads);
  add(module, "collectives", "Collective communications.", &collectives);
  add(module, "solvers", "Solvers that design schedules.", &solvers);
  add(module, "presets", "Named settings of the simulator.", &simulate::presets);
  add(module, "fabric_formats", "Formats of fabrics.", &fabric_formats);
  add(module, "table_formats", "Formats of routing tables.", &table_formats);
}

}  // namespace unknot::python
