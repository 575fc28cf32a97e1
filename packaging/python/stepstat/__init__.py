# SPDX-License-Identifier: Apache-2.0
"""stepstat: statistics of step-by-step profiles of machine-learning runs.

    import stepstat
    stepstat.report("runs/base", by="type").to_pandas()
    stepstat.gate("runs/base", "runs/new", margin="2%").green

Each function runs the program that this package brings along; its options are those of the command line, with underscores.
The environment variable STEPSTAT names another program, for development.
"""
from . import callbacks, jax, torch
from ._commands import compare, events, gate, observations, report
from ._program import Error, NotFoundError, OptionError, program, version
from ._tables import Comparison, Events, Gate, Observations, Report, Table

__all__ = [
    "Comparison", "Error", "Events", "Gate", "NotFoundError", "Observations", "OptionError", "Report", "Table",
    "callbacks", "compare", "events", "gate", "jax", "observations", "program", "report", "torch", "version",
]
__version__ = version()
