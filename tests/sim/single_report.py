#!/usr/bin/env python3
"""How often report's intervals of one run hold the mean, and how often it names an op for its jitter.

Prints the tables "One report" of doc/statistics-simulation.md. Usage: single_report.py PROGRAM [REPORTS [TABLE]]
(TABLE: intervals or jitter; NumPy; 200 reports a line, 20 series a report of intervals; seed 39).
"""
import csv
import io
import os
import subprocess
import sys
import tempfile

import numpy as np

PROGRAM, REPORTS = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 200
SERIES = 20
NAMED, TOGETHER = 'varies from step to step with', 'get longer together'
SHARES = np.array([400, 250, 150, 100, 80, 60, 50, 40, 30, 20.])


def report(x, *options):
    """x: steps by ops, us."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'x.csv')
        with open(path, 'w', encoding='ascii') as f:
            f.write('run,step,op,measure,value,unit\n')
            f.writelines(f'r,{i + 1},op{k:02},time,{v:.6f},us\n' for i, row in enumerate(x) for k, v in enumerate(row))
        return subprocess.run([PROGRAM, 'report', path, '--config=none', *options], check=True,
                              stdout=subprocess.PIPE, text=True).stdout


def ar(rng, n, k, phi):
    x = np.empty((n, k))
    x[0] = rng.standard_normal(k)
    for i in range(1, n):
        x[i] = phi * x[i - 1] + np.sqrt(1 - phi * phi) * rng.standard_normal(k)
    return x


def levels(rng, n, k, leave):
    high = np.empty((n, k), bool)
    high[0] = rng.random(k) < 0.5
    for i in range(1, n):
        high[i] = high[i - 1] ^ (rng.random(k) < leave)
    return high


def intervals(name, draw, mean):
    """Shown; of these with the mean; of these with every step."""
    rng, shown, hold, every = np.random.default_rng(39), 0, 0, 0
    for _ in range(REPORTS):
        x = draw(rng)
        for row in csv.DictReader(io.StringIO(report(x, '--to=csv', '-o', '-', '--quiet', '--stats=mean,ci'))):
            if not row['op'].startswith('op') or not row['time_low_us']:
                continue
            low, high, own = float(row['time_low_us']), float(row['time_high_us']), x[:, int(row['op'][2:])]
            shown, hold, every = shown + 1, hold + (low <= mean <= high), every + (low < own.min() and own.max() < high)
    hold, every = (hold / shown, every / shown) if shown else (np.nan, np.nan)
    print(f'| {name} | {shown / REPORTS / SERIES:.3f} | {hold:.3f} | {every:.3f} |', flush=True)


def jitter(name, draw):
    rng, counts = np.random.default_rng(39), np.zeros(3)
    for _ in range(REPORTS):
        text = report(draw(rng))
        said = text.split(NAMED)[1].split('\n')[0] if NAMED in text else ''
        counts += [bool(said), 'op00' in said, TOGETHER in text]
    print('| ' + name + ' | ' + ' | '.join(f'{c / REPORTS:.3f}' for c in counts) + ' |', flush=True)


def together(n, common, own, first=1.):
    move = np.ones(len(SHARES))
    move[0] = first
    return lambda rng: SHARES * (1 + common(rng, n)[:, None] * move) * (1 + own * rng.standard_normal((n, len(SHARES))))


def print_intervals():
    print('| world | shown | of these, with the mean | with every step |\n| --- | --- | --- | --- |')
    for n in (6, 10, 20, 30):
        for phi in (0, 0.3, 0.6):
            intervals(f'{n} steps, lag-1 {phi}', lambda rng: 100 + 5 * ar(rng, n, SERIES, phi), 100)
    for n in (6, 20):
        intervals(f'{n} steps, two levels at random', lambda rng: 100 + 40 * (rng.random((n, SERIES)) < 0.5) +
                  2 * rng.standard_normal((n, SERIES)), 120)
        intervals(f'{n} steps, two levels that last 10', lambda rng: 100 + 40 * levels(rng, n, SERIES, 0.1) +
                  2 * rng.standard_normal((n, SERIES)), 120)
        intervals(f'{n} steps, lognormal 0.3', lambda rng: 100 * np.exp(0.3 * rng.standard_normal((n, SERIES)) - 0.045), 100)
    print()


def print_jitter():
    print('| world | an op is named | the first | all together |\n| --- | --- | --- | --- |')
    normal = lambda rng, n: 0.03 * rng.standard_normal(n)
    for n in (10, 50):
        jitter(f'{n} steps, common 3 %, own 1 %', together(n, normal, 0.01))
        jitter(f'{n} steps, common 3 %, own 3 %', together(n, normal, 0.03))
        jitter(f'{n} steps, common 3 % with lag-1 0.9, own 1 %',
               together(n, lambda rng, n: 0.03 * ar(rng, n, 1, 0.9)[:, 0], 0.01))
        jitter(f'{n} steps, common 1 % of abs(t(2)), own 1 %',
               together(n, lambda rng, n: 0.01 * np.abs(rng.standard_t(2, n)), 0.01))
        jitter(f'{n} steps, all independent 3 %', lambda rng: 100 * (1 + 0.03 * rng.standard_normal((n, 20))))
        for own in (0.01, 0.03):
            jitter(f'{n} steps, the first moves twice, own {100 * own:g} %', together(n, normal, own, 2.))


if __name__ == '__main__':
    tables = {'intervals': print_intervals, 'jitter': print_jitter}
    for table in sys.argv[3:] or tables:
        tables[table]()
