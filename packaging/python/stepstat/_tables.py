# SPDX-License-Identifier: Apache-2.0
"""What the functions return: tables that become those of pandas, Polars and Arrow, and the report around them.

None of these libraries is needed; each is imported when it is asked for.
"""
from __future__ import annotations

import collections
import csv
import html
import io
import math
import re
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Sequence, Tuple, Type, TypeVar

from ._program import OptionError

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

# Columns of CSV that are texts even where all of them look like numbers.
TEXTS = frozenset(("run", "rank", "group", "process", "lane", "device", "op", "type", "shape", "kind", "measure", "unit"))
# Those that are whole numbers; all others that look like numbers may have a fraction.
INTEGERS = frozenset(("step", "index", "depth", "bytes"))
ROWS_SHOWN = 10
# What a notebook shows of a report, by the end of the column's name after its measure; all of it is in the tables.
SHOWN_STATS = ("op", "name", "fact", "value", "run", "step", "series", "ran", "mean", "low", "high", "share", "cv", "jitter",
               "base", "new", "change", "difference", "verdict", "wall")


def _kind(values: Sequence[Any]) -> str:
    """text, int, float or bool: what all values of a column are that are there."""
    kinds = {type(value) for value in values if value is not None}
    if not kinds:
        return "float"
    if kinds == {bool}:
        return "bool"
    if kinds == {int}:
        return "int"
    if kinds <= {int, float}:
        return "float"
    return "text"


class Table:
    """Rows and columns. A value that is not known is None; units are in the names of the columns."""

    WORDS = "object", "String"  # what texts are in pandas and Polars

    def __init__(self, name: str, columns: Sequence[Tuple[str, str]], values: Sequence[List[Any]]) -> None:
        self.name = name
        self.kinds: Dict[str, str] = dict(columns)
        self._values: Dict[str, List[Any]] = {column: v for (column, _), v in zip(columns, values)}
        for column, kind in columns:
            if kind == "float":
                self._values[column] = [None if v is None else float(v) for v in self._values[column]]
            elif kind == "text":
                self._values[column] = [v if v is None or isinstance(v, str) else str(v) for v in self._values[column]]

    @property
    def columns(self) -> List[str]:
        return list(self.kinds)

    def __len__(self) -> int:
        return len(next(iter(self._values.values()))) if self._values else 0

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        for row in zip(*(self[column] for column in self.kinds)):
            yield dict(zip(self.kinds, row))

    def __getitem__(self, column: str) -> List[Any]:
        """The values of a column."""
        return self._values[column]

    @property
    def json(self) -> List[Dict[str, Any]]:
        """The rows, as json.dumps() accepts them."""
        return list(self)

    def to_pandas(self) -> "pandas.DataFrame":
        """As a pandas.DataFrame. Unknown numbers are NaN, or NA in columns of whole numbers."""
        import pandas
        made = {}
        for column, kind in self.kinds.items():
            values = self._values[column]
            dtype = {"float": "float64", "text": self.WORDS[0], "bool": "boolean", "int": "int64"}[kind]
            if kind == "int" and None in values:
                dtype = "Int64"
            made[column] = pandas.Series(values, dtype=dtype)
        return pandas.DataFrame(made)

    def to_polars(self) -> "polars.DataFrame":
        """As a polars.DataFrame."""
        import polars
        types = {"float": polars.Float64, "int": polars.Int64, "bool": polars.Boolean, "text": getattr(polars, self.WORDS[1])}
        return polars.DataFrame([polars.Series(c, self._values[c], dtype=types[k], strict=True) for c, k in self.kinds.items()])

    def to_arrow(self) -> "pyarrow.Table":
        """As a pyarrow.Table."""
        import pyarrow
        types = {"float": pyarrow.float64(), "int": pyarrow.int64(), "bool": pyarrow.bool_(), "text": pyarrow.string()}
        return pyarrow.table({c: pyarrow.array(self._values[c], type=types[k]) for c, k in self.kinds.items()})

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """For libraries that take Arrow's tables: polars.DataFrame(table), duckdb, pyarrow.table(table). By way of pyarrow."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        return "<stepstat %s: %d rows, %d columns>" % (self.name, len(self), len(self.kinds))

    def _html_of(self, columns: Sequence[str]) -> str:
        parts = ["<table><thead><tr>"]
        parts += ["<th>%s</th>" % html.escape(column) for column in columns]
        parts.append("</tr></thead><tbody>")
        for i in range(min(len(self), ROWS_SHOWN)):
            cells = (_cell(self[column][i]) for column in columns)
            parts.append("<tr>%s</tr>" % "".join(cells))
        parts.append("</tbody></table>")
        if len(self) > ROWS_SHOWN:
            parts.append("<p>%d of %d rows; all: <code>.to_pandas()</code></p>" % (ROWS_SHOWN, len(self)))
        return "".join(parts)

    def _repr_html_(self) -> str:
        return self._html_of(self.columns)


def _cell(value: Any) -> str:
    if value is None:
        return "<td></td>"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        text = "{:,}".format(value) if isinstance(value, int) else "{:,.2f}".format(value)
        return '<td style="text-align: right">%s</td>' % text
    return '<td style="text-align: left">%s</td>' % html.escape(str(value))


def _csv_column(name: str, texts: List[Optional[str]]) -> Tuple[str, List[Any]]:
    """The kind and the values of a column of CSV; an empty field is None."""
    if name in TEXTS:
        return "text", texts
    kind, number = ("int", int) if name in INTEGERS else ("float", float)
    try:
        return kind, [None if text is None else number(text) for text in texts]
    except ValueError:
        return "text", texts


Made = TypeVar("Made", bound="_CsvTable")


class _CsvTable(Table):
    notes: List[str]

    @classmethod
    def of_csv(cls: Type[Made], name: str, text: str, notes: Sequence[str] = ()) -> Made:
        rows = csv.reader(io.StringIO(text, newline=""))
        header = next(rows, [])
        columns: List[List[Optional[str]]] = [[] for _ in header]
        for row in rows:
            for values, field in zip(columns, row):
                values.append(field if field else None)
        made = [_csv_column(column, texts) for column, texts in zip(header, columns)]
        table = cls(name, [(column, kind) for column, (kind, _) in zip(header, made)], [values for _, values in made])
        table.notes = list(notes)
        return table


class Observations(_CsvTable):
    """run, step, op, measure, value, unit (doc/observations.md). Rows without a step or an op are about ops, steps, or the source."""


class Events(_CsvTable):
    """run, step, process, lane, device, op, type, start_us, dur_us, self_us, depth, bytes, rank, index, kind.

    With pyarrow it holds the Parquet file that the program wrote, some bytes an event, and reads the columns that are asked for.
    """

    WORDS = "category", "Categorical"

    @classmethod
    def of_parquet(cls, data: bytes, notes: Sequence[str] = ()) -> "Events":
        from pyarrow import parquet, types
        table = cls("events", [], [])
        table.notes = list(notes)
        table._data = data
        metadata = parquet.ParquetFile(io.BytesIO(data))
        table._rows = metadata.metadata.num_rows
        table.kinds = {field.name: "int" if types.is_integer(field.type) else "float" if types.is_floating(field.type) else "text"
                       for field in metadata.schema_arrow}
        return table

    _data: Optional[bytes] = None
    _rows = 0

    def _arrow(self, columns: Sequence[str]) -> "pyarrow.Table":
        from pyarrow import parquet
        words = [column for column in columns if self.kinds[column] == "text"]
        return parquet.ParquetFile(io.BytesIO(self._data or b""), read_dictionary=words).read(columns)

    def __len__(self) -> int:
        return super().__len__() if self._data is None else self._rows

    def __getitem__(self, column: str) -> List[Any]:
        if self._data is not None and column not in self._values and column in self.kinds:
            self._values[column] = self._arrow([column]).column(0).to_pylist()
        return self._values[column]

    def to_arrow(self) -> "pyarrow.Table":
        return super().to_arrow() if self._data is None else self._arrow(self.columns)

    def to_polars(self) -> "polars.DataFrame":
        import polars
        return super().to_polars() if self._data is None else polars.DataFrame(self.to_arrow())

    def to_pandas(self) -> "pandas.DataFrame":
        if self._data is None:
            return super().to_pandas()
        import pandas
        import pyarrow
        made = {}
        for column, kind in self.kinds.items():  # one after the other, so that one is there twice
            values = self._arrow([column]).column(0)
            whole = kind == "int" and values.null_count
            made[column] = values.to_pandas(types_mapper={pyarrow.int64(): pandas.Int64Dtype()}.get if whole else None)
        return pandas.DataFrame(made, copy=False)


def _keys(rows: Sequence[Dict[str, Any]], labels: Sequence[str]) -> List[str]:
    """A name for each row: of as many labels as it takes to tell it from those of the same name, and a number where these do not."""
    made = [""] * len(rows)
    alike = list(range(len(rows)))
    for label in labels:
        for i in alike:
            text = re.sub("[^A-Za-z0-9_./-]", "_", "%s/%s" % (made[i], rows[i][label] or ""))
            made[i] = "/".join(part for part in text.split("/") if part.strip("."))  # as of a path, of which there is one spelling
        counts = collections.Counter(made)
        alike = [i for i in alike if counts[made[i]] > 1]
    for number, i in enumerate(alike, 1):
        made[i] = "%s/%d" % (made[i], number)
    return made


class Report:
    """A report: sentences, tables, notes. json is the whole document (doc/outputs.md, schema report-1.json)."""

    def __init__(self, document: Dict[str, Any], notes: Sequence[str] = (), status: int = 0) -> None:
        self.json = document
        self.status = status
        self.messages: List[str] = list(notes)
        self.tables: Dict[str, Table] = {}
        for name, part in [(document.get("table"), document), *document.items()]:
            if isinstance(name, str) and isinstance(part, dict) and "columns" in part and "rows" in part:
                self.tables[name] = _json_table(name, part)

    @property
    def heading(self) -> List[str]:
        """What was read."""
        return list(self.json.get("heading", []))

    @property
    def answer(self) -> List[str]:
        """The sentences above the table."""
        return list(self.json.get("answer", []))

    @property
    def rows(self) -> List[Dict[str, Any]]:
        """The rows of the main table."""
        return list(self.json.get("rows", []))

    @property
    def notes(self) -> List[str]:
        """The notes below the table."""
        return [note["text"] for note in self.json.get("notes", [])]

    def table(self, name: Optional[str] = None) -> Table:
        """A table of the report: "ops", "steps", "totals", "facts" ... (.tables has all); without a name the main one."""
        name = name or str(self.json.get("table", ""))
        if name not in self.tables:
            raise KeyError("no table %r; there are %s" % (name, ", ".join(self.tables) or "none"))
        return self.tables[name]

    def __len__(self) -> int:
        """The number of rows of the main table."""
        return len(self.rows)

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        """The rows of the main table."""
        return iter(self.rows)

    def metrics(self, top: int = 10, prefix: str = "stepstat/") -> Dict[str, float]:
        """The numbers that a tracker of experiments logs, by name: {"stepstat/step_time/mean_us": 17154.2, ...}.

        They are those of the steps as a whole (of a report; compare and gate say the step's change in .answer), and those of the first rows.
        What is not known is left out. In names whatever is not a letter of ASCII, a digit, or one of _ . - / becomes _, which every tracker
        takes. A row has the same name for each top: device, type and run are in it where the table has several rows of the op.
        """
        if isinstance(top, bool) or not isinstance(top, int) or top < 0:
            raise OptionError("top: expected a number of rows from 0 on, found %r" % (top,))
        found: Dict[str, float] = {}
        if "exit_status" in self.json:
            found[prefix + "exit_status"] = float(self.status)
        for name, place, labels in (("totals", "", ("series", "run")), (str(self.json.get("table")), "op/", ("op", "device", "type", "run"))):
            if name not in self.tables:
                continue
            table = self.tables[name]
            columns = [column for column in self._shown(table) if table.kinds[column] in ("float", "int")]
            rows = list(table)
            for row, key in zip(rows[:top if place else None], _keys(rows, [label for label in labels if label in table.kinds])):
                for column in columns:
                    if row[column] is not None and math.isfinite(row[column]):
                        found["%s%s%s/%s" % (prefix, place, key, column)] = float(row[column])
        return found

    def to_pandas(self, table: Optional[str] = None) -> "pandas.DataFrame":
        return self.table(table).to_pandas()

    def to_polars(self, table: Optional[str] = None) -> "polars.DataFrame":
        return self.table(table).to_polars()

    def to_arrow(self, table: Optional[str] = None) -> "pyarrow.Table":
        return self.table(table).to_arrow()

    def __str__(self) -> str:
        return "\n".join(self.heading + self.answer)

    def __repr__(self) -> str:
        return "<stepstat %s: %s>" % (self.json.get("command", "report"), " ".join(self.answer[:1]))

    def _shown(self, table: Table) -> List[str]:
        measure = None
        shown = []
        part = self.json if table.name == self.json.get("table") else self.json[table.name]
        stats = {c["name"]: (c.get("measure"), c.get("stat")) for c in part["columns"]}
        for column in table.columns:
            of, stat = stats.get(column, (None, column))
            measure = measure or of
            if stat in SHOWN_STATS and (of is None or of == measure) and any(v is not None for v in table[column]):
                shown.append(column)
        return shown

    def _repr_html_(self) -> str:
        parts = ["<p>%s</p>" % html.escape(line) for line in self.heading]
        parts += ["<p><b>%s</b></p>" % html.escape(line) for line in self.answer]
        if self.json.get("table") in self.tables:
            table = self.table()
            parts.append(table._html_of(self._shown(table)))
        if self.notes:
            parts.append("<ul>%s</ul>" % "".join("<li>%s</li>" % html.escape(note) for note in self.notes))
        return "".join(parts)


class Comparison(Report):
    """Two configurations, tested: a verdict in each row."""


class Gate(Comparison):
    """Red or green. status: 0 green, 1 red, 3 unusable, 4 blind or undecided, 5 only improvements (where asked)."""

    @property
    def green(self) -> bool:
        return self.status in (0, 5)

    @property
    def result(self) -> str:
        """The line that says why."""
        return str(self.json.get("result", ""))

    @property
    def checks(self) -> List[Dict[str, Any]]:
        return list(self.json.get("checks", []))

    def __repr__(self) -> str:
        return "<stepstat gate: %s>" % self.result


def _json_kind(column: Dict[str, Any], values: Sequence[Any]) -> str:
    """The kind does not depend on whether a mean happens to be whole, or on what is known in this report."""
    kind = _kind(values)
    is_estimate = column.get("measure") is not None or column.get("dimension") not in ("none", "count", None)
    if kind == "int" and is_estimate:
        return "float"
    if all(value is None for value in values):
        return "float" if is_estimate and column.get("stat") not in ("verdict", "evidence") else "text"
    return kind


def _json_table(name: str, part: Dict[str, Any]) -> Table:
    columns, values = [], []
    for column in part["columns"]:
        found = [row.get(column["name"]) for row in part["rows"]]
        columns.append((column["name"], _json_kind(column, found)))
        values.append(found)
    return Table(name, columns, values)
