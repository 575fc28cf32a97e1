#!/usr/bin/env python3
"""A reference of `make bench`: Welch's t test of the logarithms of the run means, op by op, with SciPy.
usage: ttest.py VALUES.npy OUT.csv, or --version

VALUES.npy is what make_runs writes beside its .obs files: [runs of base, then of new][ops][steps].
OUT.csv: number of the op, difference of the logarithms, p.
"""
import csv
import sys

import numpy
import scipy
from scipy.stats import ttest_ind


def main(first, second=None):
    if first == "--version":
        print(f"SciPy {scipy.__version__}, NumPy {numpy.__version__}")
        return
    log_mean = numpy.log(numpy.load(first).mean(axis=2))
    base, new = numpy.split(log_mean, 2)
    p = ttest_ind(new, base, equal_var=False).pvalue
    difference = new.mean(axis=0) - base.mean(axis=0)
    with open(second, "w", newline="") as file:
        csv.writer(file).writerows(zip(range(len(p)), difference.tolist(), p.tolist()))


main(*sys.argv[1:])
