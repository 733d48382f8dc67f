# SPDX-License-Identifier: Apache-2.0
"""Every command of unknot as a function, with its options by name.

    from unknot import commands
    answer = commands.place("torus:4x4,p=2", stencil="4x4", engine="updn")
    answer["congestion"]            # what `unknot place ... --json` prints, as a dict
    answer.exit_code, bool(answer)  # 0 and True: the answer is yes

Operands come in the order of the command line, options by name: `--lane-scheme` is lane_scheme, and one whose name is a word
of Python has an underscore behind it (from_). True gives a flag, None and False leave an option out, a list gives it several
times, or joins what the option takes joined by commas. Networks and routings stand for their files. Bad input raises
InputError; an answer "no" does not raise.
"""

from __future__ import annotations

import html
import inspect
import json
import keyword
import os
import tempfile
from typing import Any

from . import _unknot

_SEQUENCES = (list, tuple)  # one of the commands is called list
_LIST = list


class Answer(dict):
    """The document of --json as a dict, with the exit code: 0, the answer is yes; 1, it is no. Its truth value is the answer."""

    exit_code: int

    def __init__(self, exit_code: int, document: dict[str, Any]) -> None:
        super().__init__(document)
        self.exit_code = exit_code

    def __bool__(self) -> bool:
        return self.exit_code == 0

    def __reduce__(self) -> tuple[Any, ...]:
        return Answer, (self.exit_code, dict(self))

    def _repr_html_(self) -> str:
        return ("" if self else "<p>The answer is no.</p>") + _table(self)


def _table(value: Any) -> str:
    if isinstance(value, dict):
        rows = "".join(f"<tr><th style='text-align:left'>{html.escape(str(k))}</th><td>{_table(v)}</td></tr>" for k, v in value.items())
        return f"<table>{rows}</table>"
    if isinstance(value, _LIST) and value and all(isinstance(row, dict) for row in value):
        names = _LIST(dict.fromkeys(name for row in value for name in row))
        head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
        rows = "".join("<tr>" + "".join(f"<td>{_table(row.get(name, ''))}</td>" for name in names) + "</tr>" for row in value)
        return f"<table><tr>{head}</tr>{rows}</table>"
    return html.escape(json.dumps(value) if isinstance(value, (_LIST, bool)) or value is None else str(value))


class _Files:
    """Files for what is no text: they live as long as the command runs."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._count = 0
        self._names: dict[str, str] = {}

    def __enter__(self) -> _Files:
        return self

    def __exit__(self, *_: object) -> None:
        if self._folder is not None:
            self._folder.cleanup()

    def _path(self) -> str:
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="unknot-")
        self._count += 1
        return os.path.join(self._folder.name, f"{self._count}.json")

    def word(self, value: Any) -> str:
        if isinstance(value, (_unknot.Network, _unknot.Routing)):
            path = self._path()
            value.write(path, "json")
            self._names[path] = value.description if isinstance(value, _unknot.Network) else value.engine
            return path
        if isinstance(value, (str, bytes, os.PathLike)):
            text = os.fsdecode(value)
            if "\0" in text:
                raise _unknot.InputError(f"{text!r}: a name has no character 0")
            return text
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return repr(value)
        if hasattr(value, "__index__") or hasattr(value, "__float__"):  # NumPy's numbers
            return repr(value.__index__() if hasattr(value, "__index__") else float(value))
        raise TypeError(f"expected text, a number, a path, a Network or a Routing, not {type(value).__name__}")

    def named(self, value: Any) -> Any:
        """The same document, in which what was given goes by its own name: the file is gone by then."""
        if isinstance(value, dict):
            return {key: self.named(one) for key, one in value.items()}
        if isinstance(value, _SEQUENCES):
            return [self.named(one) for one in value]
        return self._names.get(value, value) if isinstance(value, str) else value


def _python_name(option: str) -> str:
    name = "output" if option == "o" else option.lower().replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def _words(row: dict[str, Any], options: dict[str, dict[str, Any]], operands: tuple[Any, ...], given: dict[str, Any], files: _Files) -> list[str]:
    words = [row["name"]]
    for value in operands:
        words += [files.word(one) for one in value] if isinstance(value, _SEQUENCES) else [files.word(value)]
    for word in words:
        if word.startswith("-") and word != "-":
            raise _unknot.InputError(f"'{word}' begins with '-': options are given by keyword")
    for name, value in given.items():
        if name not in options:
            raise TypeError(f"{_python_name(row['name'])}() has no option '{name}'")
        option = options[name]
        if value is None or value is False:
            continue
        if not option["takes_value"]:
            if value is not True:
                raise TypeError(f"{name} is a flag: True or False")
            words.append(option["word"])
            continue
        if value is True:
            raise TypeError(f"{name} needs a value")
        if isinstance(value, _SEQUENCES):
            texts = [files.word(one) for one in value]
            texts = texts if option["repeats"] else [",".join(texts)]
        else:
            texts = [files.word(value)]
        for text in texts:
            words += [f"{option['word']}={text}"] if option["word"].startswith("--") else [option["word"], text]
    return words


def _document(row: dict[str, Any], options: dict[str, dict[str, Any]]) -> str:
    text = row["summary"] + ".\n\n" + (row["details"] + "\n\n" if row["details"] else "")
    for option in row["options"]:
        fallback = f" (default {option['fallback']})" if option["fallback"] else ""
        text += f"{_python_name(option['name'])}{fallback}\n    " + " ".join(option["help"].split()) + "\n"
    return text + "\nOn the command line:\n" + "".join(f"    {example}\n" for example in row["examples"])


def _make(row: dict[str, Any]) -> Any:
    given_always = ("json", "quiet")
    row["options"] = [option for option in row["options"] if option["name"] not in given_always]
    options = {_python_name(option["name"]): option for option in row["options"] if not option["operand"]}

    def command(*operands: Any, **given: Any) -> Answer:
        with _Files() as files:
            words = _words(row, options, operands, given, files)
            code, document = _unknot._run_command(words + ["--json", "--quiet"])
            return Answer(code, files.named(json.loads(document)))

    Parameter = inspect.Parameter
    parameters = [Parameter("operands", Parameter.VAR_POSITIONAL)]
    parameters += [Parameter(name, Parameter.KEYWORD_ONLY, default=False if not option["takes_value"] else None) for name, option in options.items()]
    command.__name__ = command.__qualname__ = _python_name(row["name"])
    command.__signature__ = inspect.Signature(parameters, return_annotation=Answer)  # type: ignore[attr-defined]
    command.__doc__ = _document(row, options)
    return command


__all__ = ["Answer"]
for _row in _unknot._command_rows():
    _name = _python_name(_row["name"])
    globals()[_name] = _make(_row)
    __all__.append(_name)
