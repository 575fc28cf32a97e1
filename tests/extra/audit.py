#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""No finding on files that are whole: stepstat audit on the traces and dumps of tests/data.

audit.py STEPSTAT

Files with a true defect are listed below with the reason; each must have just that finding.
"""

import glob
import json
import os
import subprocess
import sys

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data")
WHOLE = ["kineto/*.json.gz", "onnxruntime/*.json.gz", "jax_trace/*.json.gz",
         "timeline_py/*.json.gz", "tf_timeline/*.json*", "tf_host/*", "models/*/*"]
# what was made to be odd: a node whose start is 0, times beyond 64 bits, an execution without a start
TRUE = {"synth0.": ["clock-jump"], "synth1.": ["clock-jump"],
        "odd/big": ["time-range"], "odd/partial": ["start-missing"]}


def known(name):
    for part, codes in TRUE.items():
        if part in name:
            return codes
    return []


def main():
    program, wrong, checked = sys.argv[1], [], 0
    for pattern in WHOLE:
        for name in sorted(glob.glob(os.path.join(DATA, pattern))):
            if not os.path.isfile(name):
                continue
            run = subprocess.run([program, "audit", "--to=json", name], capture_output=True,
                                 text=True)
            if run.returncode == 3:  # no profile: what is expected of one, a README
                continue
            checked += 1
            found = sorted(row["code"] for row in json.loads(run.stdout)["rows"])
            if found != known(name) or run.returncode != bool(found):
                wrong.append("%s: %s, expected %s, status %d"
                             % (name, found, known(name), run.returncode))
    for line in wrong:
        print(line)
    print("audit: %d whole files, %d differences" % (checked, len(wrong)))
    return bool(wrong) or checked < 40


if __name__ == "__main__":
    sys.exit(main())
