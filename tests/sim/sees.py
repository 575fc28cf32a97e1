#!/usr/bin/env python3
"""Whether an op that is INCONCLUSIVE would have been REGRESSED at the change that it "sees": through the program.

usage: sees.py STEPSTAT [COMPARISONS [WORD...]]     (default 200; worlds with a WORD in their name)

Nothing changes in a first recording. Of the ops that it calls INCONCLUSIVE with a change that it sees, one is drawn; it changes
by that much, in a second recording of the same program. The share of REGRESSED is to be 0.8, 0.77 to 0.85 within the error.
Ops have a CV of 1.5 % between runs, times a lognormal of 0.4."""
import math, os, random, re, sys, tempfile

from odd_runs import compare, rate, t4, table

gauss = lambda rng: rng.gauss(0, 1)
t3 = lambda rng: rng.gauss(0, 1) / math.sqrt(rng.gammavariate(1.5, 2))
# ops, runs, CV of base and of new by a factor, sd of what all ops of a run share, noise of an op
WORLDS = {
    '3 v 3': (40, (3, 3), 1, 0, gauss),
    '5 v 5': (40, (5, 5), 1, 0, gauss),
    '10 v 10': (40, (10, 10), 1, 0, gauss),
    '5 v 5, 10 ops': (10, (5, 5), 1, 0, gauss),
    '5 v 5, 1 op': (1, (5, 5), 1, 0, gauss),
    'heavy tails (t, 4 df), 5 v 5': (40, (5, 5), 1, 0, t4),
    'heavy tails (t, 4 df), 10 v 10': (40, (10, 10), 1, 0, t4),
    'heavy tails (t, 3 df), 5 v 5': (40, (5, 5), 1, 0, t3),
    'shared sd 2 %, 5 v 5': (40, (5, 5), 1, .02, gauss),
    'shared sd 2 %, 10 v 10': (40, (10, 10), 1, .02, gauss),
    'new 4 times as noisy, 5 v 5': (40, (5, 5), 4, 0, gauss),
    'new 4 times as noisy, 10 v 3': (40, (10, 3), 4, 0, gauss),
}


def record(rng, sd, world, changed=None, by=0):
    ops, runs, ratio, shared, draw = world
    sides = []
    for new, n in enumerate(runs):
        common = [shared * draw(rng) for _ in range(n)]
        sides.append([[(ratio if new else 1) * s * draw(rng) + common[r] + (by if new and op == changed else 0)
                       for op, s in enumerate(sd)] for r in range(n)])
    return sides


def undecided(page):
    """Ops, and the change in percent that each sees."""
    return [(int(row['op'][2:]), row['time_detectable_pct']) for row in page['rows']
            if row['time_verdict'] == 'INCONCLUSIVE' and row.get('time_detectable_pct')]


def main():
    program, count = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 200
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, world in WORLDS.items():
            if sys.argv[3:] and not any(word in name for word in sys.argv[3:]):
                continue
            found, sees = [], []
            for seed in range(count):
                rng = random.Random(seed)
                sd = [.015 * math.exp(rng.gauss(0, .4)) for _ in range(world[0])]
                open_ops = undecided(compare(program, folder, record(rng, sd, world), '--min-share=0'))
                if not open_ops:
                    continue
                op, percent = rng.choice(open_ops)
                page = compare(program, folder, record(rng, sd, world, op, math.log1p(percent / 100)), '--min-share=0')
                sees.append(percent)
                found += [row['time_verdict'] == 'REGRESSED' for row in page['rows'] if row['op'] == 'op%02d' % op]
            rows.append([name, str(len(found)), '%.1f %%' % (sum(sees) / len(sees)), rate(found)])
            print(rows[-1], file=sys.stderr, flush=True)
    table(['world', 'ops asked', 'sees (mean)', 'REGRESSED at that change'], rows)


if __name__ == '__main__':
    main()
