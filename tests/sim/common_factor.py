#!/usr/bin/env python3
"""Ops against each other under a factor that all ops of a run share: through the program.

usage: common_factor.py STEPSTAT [COMPARISONS [WORD...]]     (default 200; worlds with a WORD in their name)

The factor has a standard deviation of 5 %, an op's own noise 0.2 % (log-sd 0.4 from op to op). `changed` of the ops are
5 % slower. For the verdicts as they are, for the answer that the program gives beside them by itself, and with
--normalize: comparisons in which an op that did not change is claimed to have, power, share of false claims, and how
often the intervals of unchanged and changed ops hold the truth; and comparisons in which it speaks of two groups."""
import json, math, os, random, sys, tempfile

from odd_runs import CLAIMS, compare, table

UP = .05
# ops, runs, part that changed, by, loadings from 1 - x to 1 + x, Student's t with 4 df, recorded in rounds with a drift
WORLDS = {
    'A/A, 60 ops, 3 v 3': (60, 3, 0, UP, 0),
    'A/A, 60 ops, 5 v 5': (60, 5, 0, UP, 0),
    'A/A, 60 ops, 10 v 10': (60, 10, 0, UP, 0),
    'A/A, 12 ops, 5 v 5': (12, 5, 0, UP, 0),
    'A/A, 20 ops, 10 v 3': (20, (10, 3), 0, UP, 0),
    'a tenth +5 %, 60 ops, 3 v 3': (60, 3, .1, UP, 0),
    'a tenth +5 %, 60 ops, 5 v 5': (60, 5, .1, UP, 0),
    'a tenth +5 %, 60 ops, 10 v 10': (60, 10, .1, UP, 0),
    'a tenth +5 %, 12 ops, 5 v 5': (12, 5, .1, UP, 0),
    'a tenth +1 %, 60 ops, 5 v 5': (60, 5, .1, .01, 0),
    'a fifth +5 %, 60 ops, 5 v 5': (60, 5, .2, UP, 0),
    '40 % +5 %, 60 ops, 5 v 5': (60, 5, .4, UP, 0),
    '40 % +5 %, 60 ops, 10 v 10': (60, 10, .4, UP, 0),
    '40 % +5 %, 20 ops, 5 v 5': (20, 5, .4, UP, 0),
    '40 % +0.5 %, 60 ops, 5 v 5': (60, 5, .4, .005, 0),
    '55 % +5 %, 60 ops, 5 v 5': (60, 5, .55, UP, 0),
    'all +5 %, 60 ops, 5 v 5': (60, 5, 1, UP, 0),
    'A/A, loadings 0.5 to 1.5, 60 ops, 5 v 5': (60, 5, 0, UP, .5),
    'a tenth +5 %, loadings 0.5 to 1.5, 60 ops, 5 v 5': (60, 5, .1, UP, .5),
    '40 % +5 %, loadings 0.5 to 1.5, 60 ops, 5 v 5': (60, 5, .4, UP, .5),
}


def sides_of(rng, ops, runs, part, up, load):
    loading = [1 + load * rng.uniform(-1, 1) for _ in range(ops)]
    own = [.002 * math.exp(rng.gauss(0, .4)) for _ in range(ops)]
    changed = round(part * ops)
    sides = []
    for new, n in enumerate(runs if isinstance(runs, tuple) else (runs, runs)):
        sides.append([])
        for _ in range(n):
            factor = rng.gauss(0, .05)
            sides[-1].append([factor * l + rng.gauss(0, s) + (math.log1p(up) if new and op < changed else 0)
                              for op, (l, s) in enumerate(zip(loading, own))])
    return sides, changed


class Tally:
    def __init__(self):
        self.any = self.found = self.true = self.asked = self.groups = 0
        self.false, self.held = [], {True: [], False: []}

    def add(self, rows, verdict, low, high, changed, up, groups):
        """Interval and verdict of each row by the names of their columns; rows without are not asked."""
        if not any(verdict in row for row in rows):
            return
        self.asked += 1
        self.groups += groups
        claims = [(int(row['op'][2:]) < changed, row[verdict] in ('REGRESSED', 'SLOWER')) for row in rows if row.get(verdict) in CLAIMS]
        right = sum(true and worse for true, worse in claims)
        self.any += len(claims) > right
        self.found, self.true = self.found + right, self.true + changed
        self.false.append((len(claims) - right) / max(1, len(claims)))
        for row in rows:
            if row.get(low) is not None:
                is_changed = int(row['op'][2:]) < changed
                self.held[is_changed].append(row[low] <= (100 * up if is_changed else 0) <= row[high])

    def cell(self):
        rate = lambda a, b: '%.3f' % (a / b) if b else '-'
        return ', '.join((rate(self.any, self.asked), rate(self.found, self.true), rate(sum(self.false), len(self.false)),
                          rate(sum(self.held[False]), len(self.held[False])),
                          rate(sum(self.held[True]), len(self.held[True])), rate(self.groups, self.asked)))


def rows_of(program, folder, count, words):
    for name, (ops, runs, part, up, load) in WORLDS.items():
        if words and not any(word in name for word in words):
            continue
        plain, beside, normalized = Tally(), Tally(), Tally()
        for seed in range(count):
            sides, changed = sides_of(random.Random(seed), ops, runs, part, up, load)
            page = compare(program, folder, sides, '--margin=0.1%', '--min-share=0')
            groups = any('two groups' in line or ' lie apart from' in line for line in page['answer'])
            plain.add(page['rows'], 'time_verdict', 'time_low_pct', 'time_high_pct', changed, up, False)
            beside.add(page['rows'], 'time_against_verdict', 'time_against_low_pct', 'time_against_high_pct', changed, up, groups)
            page = compare(program, folder, sides, '--margin=0.1%', '--min-share=0', '--normalize')
            groups = any('two groups' in line or ' lie apart from' in line for line in page['answer'])
            normalized.add(page['rows'], 'time_verdict', 'time_low_pct', 'time_high_pct', changed, up, groups)
        yield [name, plain.cell(), '%d of %d' % (beside.asked, count), beside.cell(), normalized.cell()]


def main():
    program, count = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 200
    with tempfile.TemporaryDirectory() as folder:
        table(['world', 'verdicts', 'second answer', 'against the others', '--normalize'],
              rows_of(program, folder, count, sys.argv[3:]))


if __name__ == '__main__':
    main()
