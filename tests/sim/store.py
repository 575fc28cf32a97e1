"""One run against a store: machines drawn for each session, 1 and 20 rows; creep against a pinned reference; several runs of one session.

usage: store.py STEPSTAT [SUITES] [PART...]

Each suite is a store of its own, made with `stepstat record` and judged with `stepstat gate`: 0.05 of 400 suites is known to 0.011."""
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

FIRST = 1764000000  # start of the first session
DAY = 86400


class World:
    """Sessions of `per` runs of `rows` benchmarks; `shared`: part of the variance between sessions that all rows have in common."""

    def __init__(self, seed, rows, between, within, shared):
        self.rng, self.rows, self.between, self.within, self.shared = random.Random(seed), rows, between, within, shared

    def session(self, runs, change=0.0, changed=1):
        common = self.rng.gauss(0, 1)
        own = [self.between * (math.sqrt(self.shared) * common + math.sqrt(1 - self.shared) * self.rng.gauss(0, 1)) for _ in range(self.rows)]
        return [[100 * math.exp(own[g] + self.within * self.rng.gauss(0, 1)) * (1 + change if g < changed else 1) for g in range(self.rows)]
                for _ in range(runs)]


def write(path, sessions, first=FIRST, machine='m1'):
    with open(path, 'w') as f:
        f.write('run,benchmark,time_us,machine,start\n')
        for s, runs in enumerate(sessions):
            for r, values in enumerate(runs):
                for g, value in enumerate(values):
                    f.write(f's{s:03}r{r:02},row{g:02},{value:.5f},{machine},{first + s * DAY + r * 60}\n')


class Suite:
    def __init__(self, program):
        self.program = program
        self.folder = tempfile.TemporaryDirectory()
        with open(self.path('stepstat.yaml'), 'w') as f:
            f.write('report:\n  no-sync: true\n  jobs: 1\n')

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def run(self, *words):
        return subprocess.run([self.program, *words], cwd=self.folder.name, capture_output=True, text=True)

    def record(self, sessions, *words, **how):
        write(self.path('base.csv'), sessions, **how)
        r = self.run('record', 'store', 'base.csv', *words)
        assert r.returncode == 0, r.stderr

    def gate(self, runs, day, *words, machine='m1'):
        """Exit status, verdicts of the rows, and smallest change that the typical row shows."""
        write(self.path('new.csv'), [runs], FIRST + day * DAY, machine)
        r = self.run('gate', *(words or ['--base=store']), '--new', 'new.csv', '--to=json')
        if not r.stdout:
            return r.returncode, [], None, r.stderr
        j = json.loads(r.stdout)
        return r.returncode, [row['time_verdict'] for row in j['rows']], j, r.stderr


CLAIMS = {'REGRESSED', 'IMPROVED', 'SLOWER', 'FASTER'}


def rate(outcomes):
    n = len(outcomes)
    p = sum(outcomes) / n
    return f'{p:.3f} (se {math.sqrt(p * (1 - p) / n):.3f})'


def unchanged(program, suites, pool):
    """A/A: red, any claim."""
    for rows in (1, 20):
        for sessions, per, runs in ((30, 1, 1), (10, 3, 1), (5, 6, 1), (10, 3, 4)):
            for shared in (1.0, 0.0):
                def one(seed):
                    suite = Suite(program)
                    world = World(f'aa {rows} {sessions} {shared} {seed}', rows, 0.08, 0.003, shared)
                    suite.record([world.session(per) for _ in range(sessions)])
                    status, verdicts, _, said = suite.gate(world.session(runs)[:runs], 60)
                    assert verdicts, said
                    return status == 1, any(v in CLAIMS for v in verdicts)
                out = list(pool.map(one, range(suites)))
                print(f'A/A, {rows} rows, {sessions} sessions of {per}, new {runs}, shared {shared}: red {rate([o[0] for o in out])}, '
                      f'any claim {rate([o[1] for o in out])}', flush=True)


def power(program, suites, pool):
    """One row changed: how often it is claimed, at the change that the prototype states."""
    for rows, change in ((1, 0.27), (20, 0.41)):
        def one(seed):
            suite = Suite(program)
            world = World(f'power {rows} {seed}', rows, 0.08, 0.003, 0.5)
            suite.record([world.session(1) for _ in range(30)])
            _, verdicts, j, _ = suite.gate(world.session(1, change)[:1], 60)
            seen = [float(re.search(r'from \+([0-9.]+) %', line)[1]) for line in j['answer'] if 'is seen in' in line]
            return 'REGRESSED' in verdicts or 'SLOWER' in verdicts, seen
        out = list(pool.map(one, range(suites)))
        seen = sorted(x for o in out for x in o[1])
        printed = f'; printed {seen[len(seen) // 2]:.1f} %' if seen else ''
        print(f'{rows} rows, one of them {100 * change:+.0f} %, 30 sessions: found {rate([o[0] for o in out])}{printed}', flush=True)


def creep(program, suites, pool):
    """Twelve commits of +1.2 % each, each night recorded, against a reference of ten sessions beside the last ten."""
    for sd in (0.005, 0.01, 0.02):
        def one(seed):
            suite = Suite(program)
            world = World(f'creep {sd} {seed}', 1, sd, 0.002, 0.0)
            suite.record([world.session(1) for _ in range(10)], '--tag=v1')
            for commit in range(1, 6):
                runs = world.session(1, 1.012 ** commit - 1)
                status, _, _, said = suite.gate(runs, 20 + commit, '--base=store:last=10', '--base=store:tag=v1')
                assert status in (0, 1, 4), said
                if status == 1:
                    return commit
                suite.record([runs], first=FIRST + (20 + commit) * DAY)
            return 13
        out = list(pool.map(one, range(suites)))
        print(f'creep, session sd {100 * sd:.1f} %: red by commit 5 {rate([o <= 5 for o in out])}, median commit {sorted(out)[len(out) // 2]}', flush=True)


def machines(program, suites, pool):
    """A new machine, 30 % slower, is not the old one's regression."""
    def one(seed):
        suite = Suite(program)
        world = World(f'machines {seed}', 3, 0.01, 0.003, 0.5)
        suite.record([world.session(1) for _ in range(10)])
        status, _, _, said = suite.gate(world.session(1, 0.3, 3), 60, machine='m2')
        return status == 3 and 'insufficient: no recorded run of m2' in said
    print(f'another machine, 30 % slower: refused as unknown {rate(list(pool.map(one, range(suites))))}', flush=True)


def blind(program, suites, pool):
    """Exit statuses against 30 nights without a margin: nothing changed, and one row +10 %, which is what a gate that is not blind shows."""
    for rows in (1, 20):
        for sd in (0.01, 0.02, 0.03, 0.08):
            for change in (0, 0.1):
                def one(seed):
                    suite = Suite(program)
                    world = World(f'exit4 {seed}', rows, sd, 0.003, 0.5)
                    suite.record([world.session(1) for _ in range(30)])
                    return suite.gate(world.session(1, change)[:1], 60, '--base=store')[0]
                out = list(pool.map(one, range(suites)))
                print(f'{rows} rows, {100 * sd:.0f} % between, one row {100 * change:+.0f} %: ' +
                      ', '.join(f'exit {status} {rate([o == status for o in out])}' for status in sorted(set(out))), flush=True)


def sides(program, suites, pool):
    """4 v 4 of one session each: refused without a store, judged with one."""
    def one(seed):
        suite = Suite(program)
        world = World(f'sides {seed}', 20, 0.08, 0.003, 0.5)
        suite.record([world.session(4) for _ in range(30)])
        write(suite.path('old.csv'), [world.session(4)])
        new = world.session(4)
        alone = suite.gate(new, 3, '--base', 'old.csv')[0]
        status, verdicts, _, _ = suite.gate(new, 60)
        return alone == 3, status == 1, any(v in CLAIMS for v in verdicts)
    out = list(pool.map(one, range(suites)))
    print(f'4 v 4 of one session each, 20 rows: refused {rate([o[0] for o in out])}; with a store red {rate([o[1] for o in out])}, '
          f'any claim {rate([o[2] for o in out])}', flush=True)


def main():
    program, suites = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 200
    parts = {f.__name__: f for f in (unchanged, power, creep, machines, blind, sides)}
    with ThreadPoolExecutor(2) as pool:
        for name in sys.argv[3:] or parts:
            parts[name](program, suites, pool)


if __name__ == '__main__':
    main()
