# SPDX-License-Identifier: Apache-2.0
"""What Python expects of objects, for those of the extension module: signatures of classes, copies, pickles, dicts, HTML."""

from __future__ import annotations

import html
import inspect
import os
import tempfile
from typing import Any

from . import _unknot

#: Results that a function returns: read-only, and nothing but their properties.
RESULTS = (
    _unknot.Congestion,
    _unknot.LoadPoint,
    _unknot.LoadStatistics,
    _unknot.LowerBound,
    _unknot.ScheduleVerdict,
    _unknot.Solution,
    _unknot.Verdict,
    _unknot.WorkloadReport,
)


class Kept:
    """A result that was pickled: the same properties, repr and truth value; what the program knew beside them is gone."""

    def __init__(self, type_name: str, values: dict[str, Any], text: str, truth: bool) -> None:
        vars(self).update(values)
        self._kept = (type_name, values, text, truth)

    def as_dict(self) -> dict[str, Any]:
        return dict(self._kept[1])

    def __repr__(self) -> str:
        return self._kept[2]

    def __bool__(self) -> bool:
        return self._kept[3]

    def __setattr__(self, name: str, value: Any) -> None:
        if "_kept" in vars(self):
            raise AttributeError(f"{self._kept[0]} is read-only")
        super().__setattr__(name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        return Kept, self._kept

    def _repr_html_(self) -> str:
        return _html(self._kept[0], self.as_dict())


def _properties(cls: type) -> list[str]:
    return [name for name, member in vars(cls).items() if isinstance(member, property)]


def _plain(value: Any) -> Any:
    return value.as_dict() if hasattr(value, "as_dict") else value


def _as_dict(self: Any) -> dict[str, Any]:
    """The properties by name; arrays stay arrays."""
    return {name: _plain(getattr(self, name)) for name in _properties(type(self))}


def _routing_as_dict(self: Any) -> dict[str, Any]:
    """The properties by name; no table where sources choose the whole route."""
    names = [name for name in _properties(type(self)) if self.has_tables or name != "table"]
    return {name: _plain(getattr(self, name)) for name in names}


def _html(title: str, values: dict[str, Any]) -> str:
    rows = ""
    for name, value in values.items():
        if hasattr(value, "shape") or isinstance(value, (list, dict)) and len(value) > 8:
            value = f"{type(value).__name__} of {len(value)}"
        rows += f"<tr><th style='text-align:left'>{html.escape(name)}</th><td>{html.escape(str(value))}</td></tr>"
    return f"<table><caption>{html.escape(title)}</caption>{rows}</table>"


def _result_html(self: Any) -> str:
    return _html(f"unknot.{type(self).__name__}", self.as_dict())


def _reduce_result(self: Any) -> tuple[Any, ...]:
    return Kept, (f"unknot.{type(self).__name__}", self.as_dict(), repr(self), bool(self))


def _read_only(self: Any, _memo: Any = None) -> Any:
    return self  # nothing of it can be changed


def _written(write: Any) -> bytes:
    with tempfile.TemporaryDirectory(prefix="unknot-") as folder:
        path = os.path.join(folder, "file.json")
        write(path, "json")
        with open(path, "rb") as file:
            return file.read()


def _network_of(text: bytes) -> Any:
    with tempfile.TemporaryDirectory(prefix="unknot-") as folder:
        path = os.path.join(folder, "network.json")
        with open(path, "wb") as file:
            file.write(text)
        return _unknot.network(path)


def _reduce_network(self: Any) -> tuple[Any, ...]:
    return _network_of, (_written(self.write),)


def _routing_of(network: Any, text: bytes) -> Any:
    with tempfile.TemporaryDirectory(prefix="unknot-") as folder:
        path = os.path.join(folder, "tables.json")
        with open(path, "wb") as file:
            file.write(text)
        return _unknot.read_tables(network, path)


def _reduce_routing(self: Any) -> tuple[Any, ...]:
    return _routing_of, (self.network, _written(self.write))


def _network_html(self: Any) -> str:
    names = ("description", "router_count", "terminal_count", "channel_count")
    return _html("unknot.Network", {name: getattr(self, name) for name in names})


def _routing_html(self: Any) -> str:
    names = ("engine", "virtual_lanes", "lanes_needed", "note")
    return _html("unknot.Routing", {"network": self.network.description, **{name: getattr(self, name) for name in names}})


def _schedule_html(self: Any) -> str:
    values = {"step_count": self.step_count, "transfer_count": self.transfer_count}
    for number, step in enumerate(self.steps):
        if number == 8:
            values["..."] = f"{self.step_count - number} steps more"
            break
        values[f"step {number}"] = f"{len(step)} transfers"
    return _html("unknot.Schedule", values)


def _collective_html(self: Any) -> str:
    values = {name: getattr(self, name) for name in _properties(type(self))}
    return _html("unknot.Collective", {**values, "network": self.network.description})


def _schedule_of(steps: Any) -> Any:
    return _unknot.Schedule(steps)


def _equal_routing(self: Any, other: object) -> bool:
    """Told the same way in a file of tables, on equal networks."""
    if self is other:
        return True
    return isinstance(other, _unknot.Routing) and _reduce_routing(self)[1] == _reduce_routing(other)[1]


def _equal_collective(self: Any, other: object) -> bool:
    if self is other:
        return True
    return isinstance(other, _unknot.Collective) and self.__getstate__() == other.__getstate__()


def install() -> None:
    """Gives the classes of the extension module what is above."""
    for cls in RESULTS:
        cls.as_dict = _as_dict
        cls._repr_html_ = _result_html
        cls.__reduce__ = _reduce_result
        cls.__copy__ = cls.__deepcopy__ = _read_only
    for cls, reduce, text, as_dict in (
        (_unknot.Network, _reduce_network, _network_html, _as_dict),
        (_unknot.Routing, _reduce_routing, _routing_html, _routing_as_dict),
    ):
        cls.__reduce__ = reduce
        cls.as_dict = as_dict
        cls.__copy__ = cls.__deepcopy__ = _read_only
        cls._repr_html_ = text
    _unknot.Routing.__eq__ = _equal_routing
    _unknot.Routing.__hash__ = lambda self: hash((self.engine, self.network))
    _unknot.Collective.__eq__ = _equal_collective
    _unknot.Collective.__hash__ = lambda self: hash((self.name, self.network))
    _unknot.Schedule.__reduce__ = lambda self: (_schedule_of, (self.steps,))
    _unknot.Schedule.as_dict = _as_dict
    _unknot.Schedule._repr_html_ = _schedule_html
    _unknot.Collective.as_dict = _as_dict
    _unknot.Collective._repr_html_ = _collective_html
    _unknot.Collective.__copy__ = _unknot.Collective.__deepcopy__ = _read_only
    for cls in vars(_unknot).values():
        if isinstance(cls, type) and "__init__" in vars(cls) and not issubclass(cls, BaseException):
            signature = inspect.signature(cls.__init__)
            cls.__signature__ = signature.replace(parameters=list(signature.parameters.values())[1:], return_annotation=inspect.Signature.empty)
