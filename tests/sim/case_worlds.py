#!/usr/bin/env python3
"""Comparisons of a program with itself in worlds that others made: throttled halves, mixtures, factors with loadings, wild
noise, coarse clocks, kernels that are chosen by run, a drift: through the program.

usage: case_worlds.py STEPSTAT [COMPARISONS [WORD...]]     (default 200; worlds with a WORD in their name)

Shares of comparisons in which an op is claimed to have changed, in which one is REGRESSED or IMPROVED, and in which the
intervals of the ops that are not claimed hold 0. 60 ops of 50 to 1100 us, run CV 1 %, 6 steps of CV 2 %; exceptions by name."""
import math, os, random, subprocess, sys, tempfile, json

from odd_runs import CLAIMS, rate, table

OPS, STEPS = 60, 6
normal = lambda rng: rng.gauss(0, 1)
t2 = lambda rng: rng.gauss(0, 1) / math.sqrt(rng.expovariate(1))


def throttled(rng, runs, part):
    half = set(rng.sample(range(OPS), OPS // 2))
    slow = [rng.random() < part for _ in range(runs)]
    return lambda run, op: .01 * normal(rng) + (.14 if slow[run] and op in half else 0)


def factor(rng, runs, sd, loading):
    of_op, of_run = [loading(rng) for _ in range(OPS)], [sd * normal(rng) for _ in range(runs)]
    return lambda run, op: .005 * normal(rng) + of_run[run] * of_op[op]


def mixture(rng, runs, part):
    """A share of the steps, by run and op, takes 30 % more."""
    two = set(rng.sample(range(OPS), int(part * OPS)))
    def of(run, op):
        share = rng.random() if op in two else 0
        return .01 * normal(rng) + math.log1p(.3 * share)
    return of


plain = lambda draw, sd: lambda rng, runs: lambda run, op: sd * draw(rng)
drift = lambda order: lambda rng, runs: (lambda at: lambda run, op: .01 * normal(rng) + .03 * at[run] / (runs - 1))(order(rng, runs))
WORLDS = {  # runs a side, deviation of an op in a run, grid in us, ops whose name is chosen by run
    'half of the ops throttled in 0.3 of the runs': ((3, 5, 10), lambda rng, n: throttled(rng, n, .3), 0, 0),
    'half of the ops throttled in 0.1 of the runs': ((3, 5, 10), lambda rng, n: throttled(rng, n, .1), 0, 0),
    'a fifth of the ops a mixture of two': ((3, 5, 10), lambda rng, n: mixture(rng, n, .2), 0, 0),
    'all ops a mixture of two': ((3, 5, 10), lambda rng, n: mixture(rng, n, 1), 0, 0),
    'a factor of 2 %, loadings normal': ((3, 5, 10), lambda rng, n: factor(rng, n, .02, normal), 0, 0),
    'a factor of 2 %, loadings 0 to 2': ((3, 5, 10), lambda rng, n: factor(rng, n, .02, lambda rng: 2 * rng.random()), 0, 0),
    "Student's t, 2 df": ((3, 5, 10), plain(t2, .01), 0, 0),
    '2 runs a side': ((2,), plain(normal, .015), 0, 0),
    'whole us on 2 to 30 us': ((5,), plain(normal, .01), 1, 0),
    'the name of 6 ops chosen by run': ((5, 10), plain(normal, .005), 0, 6),
    'a drift of 3 %, base first': ((5,), drift(lambda rng, n: range(n)), 0, 0),
    'a drift of 3 %, random order': ((5,), drift(lambda rng, n: rng.sample(range(n), n)), 0, 0),
}


def write(path, rng, times, runs, deviation, grid, named):
    with open(path, 'w') as out:
        out.write('run,step,op,time_us\n')
        for run in runs:
            for op, time in enumerate(times):
                name = 'op%02d' % op + ('_k%d' % rng.randrange(2) if op < named else '')
                level = time * math.exp(deviation(run, op))
                for step in range(STEPS):
                    value = level * math.exp(.02 * normal(rng))
                    out.write('r%d,%d,%s,%.9f\n' % (run, step, name, math.floor(value / grid + .5) * grid if grid else value))


def main():
    program, count, rows = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 200, []
    with tempfile.TemporaryDirectory() as folder:
        base, new = os.path.join(folder, 'base.csv'), os.path.join(folder, 'new.csv')
        for name, (sizes, world, grid, named) in WORLDS.items():
            for runs in sizes if not sys.argv[3:] or any(word in name for word in sys.argv[3:]) else ():
                claimed, beyond, held = [], [], []
                for seed in range(count):
                    rng = random.Random(seed)
                    low, high = (2, 30) if grid else (50, 1100)
                    times = [math.exp(rng.uniform(math.log(low), math.log(high))) for _ in range(OPS)]
                    deviation = world(rng, 2 * runs)
                    write(base, rng, times, range(runs), deviation, grid, named)
                    write(new, rng, times, range(runs, 2 * runs), deviation, grid, named)
                    ran = subprocess.run([program, 'compare', base, new, '--quiet', '--to=json', '-o', '-', '--min-share=0'],
                                         capture_output=True, text=True, check=True)
                    found = json.loads(ran.stdout)['rows']
                    words = [row['time_verdict'] for row in found]
                    claimed.append(CLAIMS & set(words))
                    beyond.append({'REGRESSED', 'IMPROVED'} & set(words))
                    held += [row['time_low_pct'] <= 0 <= row['time_high_pct'] for row in found
                             if row['time_verdict'] not in CLAIMS and row['time_low_pct'] is not None and row['time_high_pct'] is not None]
                rows.append([name, '%d v %d' % (runs, runs), rate(claimed), rate(beyond), rate(held)])
                print(rows[-1], file=sys.stderr, flush=True)
    table(['world', 'runs', 'claimed', 'REGRESSED, IMPROVED', 'intervals hold 0'], rows)


if __name__ == '__main__':
    main()
