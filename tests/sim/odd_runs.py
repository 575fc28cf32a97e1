#!/usr/bin/env python3
"""How often odd runs are named, rightly or not, and what disturbed runs do to a verdict: through the program.

usage: odd_runs.py STEPSTAT [COMPARISONS [TABLE...]]     (default 200; tables: name, exchange, disturbed, shows)

name       one run is off by 10 sd in all ops, or none is: shares of comparisons in which it, or any, is named as one
           that lies apart, and in which it is left out as far off. Ops have spreads of their own (log-sd 0.4).
exchange   a run of base and one of new have changed places, or not, at a change of so many sd.
disturbed  a tenth of the runs takes 1.3 to 2 times as long, each op for itself or all ops of a run alike; CV 2 %: shares
           in which the first op is claimed to have changed, in which any other is, and in which Welch's test of all runs
           claims it.
shows      a run of 5 v 5 is 20 % slower in half of 20 ops, which are so much of the step: shares in which it is named, and the median of what is said.
Values are by Python's random generator, seeded with the number of the comparison."""
import json, math, os, random, re, subprocess, sys, tempfile

CLAIMS = {'REGRESSED', 'IMPROVED', 'SLOWER', 'FASTER'}


def t4(rng):
    return rng.gauss(0, 1) / math.sqrt(rng.gammavariate(2, 2) / 4) / math.sqrt(2)


def noise(rng, ops, runs, shared=0, draw=None):
    """Logarithms by run and op, and the sd of each op."""
    draw = draw or (lambda rng: rng.gauss(0, 1))
    sd = [.01 * math.exp(rng.gauss(0, .4)) for _ in range(ops)]
    sides = []
    for n in runs:
        common = [.01 * shared * draw(rng) for _ in range(n)]
        sides.append([[s * draw(rng) + common[r] for s in sd] for r in range(n)])
    return sides, [math.hypot(s, .01 * shared) for s in sd]


def write(path, side, runs):
    with open(path, 'w') as out:
        out.write('run,step,op,time_us\n')
        for r, ops in enumerate(runs):
            for op, x in enumerate(ops):
                out.write('%s%d,1,op%02d,%.9f\n' % (side, r, op, 100 * math.exp(x)))


def compare(program, folder, sides, *options):
    paths = [os.path.join(folder, side + '.csv') for side in ('base', 'new')]
    for path, side, runs in zip(paths, ('base', 'new'), sides):
        write(path, side, runs)
    ran = subprocess.run([program, 'compare', *paths, '--quiet', '--to=json', '-o', '-', *options],
                         capture_output=True, text=True, check=True)
    return json.loads(ran.stdout)


def named(page):
    """The run that lies apart; the runs left out of some op; the exchanged ones."""
    text = ' '.join(page['answer'])
    apart = re.search(r'Run (\w+) is [0-9.]+ % \w+ than the other', text)
    far = [w for note in page['notes'] if note['text'].startswith('far from the other') for w in re.findall(r'\b(?:base|new)\d+', note['text'])]
    exchanged = re.search(r'Runs (\w+) of base and (\w+) of new look exchanged', text)
    return apart and apart[1], far, exchanged and exchanged.groups()


def rate(values):
    return '%.3f' % (sum(map(bool, values)) / len(values))


def table(head, rows):
    print('| ' + ' | '.join(head) + ' |\n|' + ' --- |' * len(head))
    for row in rows:
        print('| ' + ' | '.join(row) + ' |', flush=True)
    print(flush=True)


def name_rows(program, folder, count):
    for ops in (1, 3, 10, 60):
        for runs in (3, 4, 5, 10):
            cells = []
            for shared, draw in ((0, None), (1, None), (0, t4)):
                quiet, odd = [], []
                for seed in range(count):
                    sides, sd = noise(random.Random(seed), ops, (runs, runs), shared, draw)
                    quiet.append(named(compare(program, folder, sides)))
                    sides[0][0] = [x + 10 * s for x, s in zip(sides[0][0], sd)]
                    odd.append(named(compare(program, folder, sides)))
                cells.append(', '.join((rate([a for a, _, _ in quiet]), rate([f for _, f, _ in quiet]),
                                        rate([a == 'base0' or 'base0' in f for a, f, _ in odd]))))
            yield [str(ops), '%d v %d' % (runs, runs), *cells]


def exchange_rows(program, folder, count):
    for ops in (1, 10):
        for runs in (3, 4, 5, 10):
            cells = []
            for change in (0, 10, 30):
                right, wrong = [], []
                for seed in range(count):
                    (base, new), sd = noise(random.Random(seed), ops, (runs, runs))
                    new = [[x + change * s for x, s in zip(run, sd)] for run in new]
                    wrong.append(named(compare(program, folder, (base, new)))[2])
                    base[0], new[0] = new[0], base[0]
                    right.append(change and named(compare(program, folder, (base, new)))[2] == ('base0', 'new0'))
                cells.append(rate(wrong) + (', ' + rate(right) if change else ''))
            yield [str(ops), '%d v %d' % (runs, runs), *cells]


def disturbed_sides(rng, ops, runs, part, change, whole):
    slower = lambda: math.log1p(rng.uniform(.3, 1)) if rng.random() < part else 0
    sides = []
    for up in (0, change):
        sides.append([])
        for _ in range(runs):
            of_run = slower() if whole else 0
            sides[-1].append([rng.gauss(0, .02) + math.log1p(up * (op == 0)) + (of_run if whole else slower())
                              for op in range(ops)])
    return sides


def disturbed_rows(program, folder, count):
    clean = ((10, 0, 0), (10, 0, .03), (10, 0, .05), (5, 0, 0), (5, 0, .05))
    worlds = [(ops, whole, world) for ops in (1, 3, 9, 10, 20, 60) for whole in ((False, True) if ops > 1 else (False,))
              for world in (() if whole else clean) + ((10, .1, 0), (10, .1, .05)) + (() if whole else ((5, .1, 0), (5, .1, .05)))]
    for ops, whole, (runs, part, change) in worlds:
        first, others, welch = [], [], []
        for seed in range(count):
            sides = disturbed_sides(random.Random(seed), ops, runs, part, change, whole)
            page = compare(program, folder, sides, '--margin=0.01%')
            claimed = {row['op'] for row in page['rows'] if row['time_verdict'] in CLAIMS}
            if ops == 1:
                page = compare(program, folder, sides, '--margin=0.01%', '--method=welch')
                welch.append(page['rows'][0]['time_verdict'] in CLAIMS)
            first.append('op00' in claimed)
            others.append(claimed - {'op00'})
        yield [str(ops), '%d v %d' % (runs, runs), 'none' if not part else 'whole runs' if whole else 'each op',
               '%+.0f %%' % (100 * change), rate(first), rate(others) if ops > 1 else '-', rate(welch) if ops == 1 else '-']


def shows_rows(program, folder, count):
    for part in (.05, .1, .2, .24, .26, .3, .5, .8):
        said = []
        for seed in range(count):
            sides, _ = noise(random.Random(seed), 20, (5, 5))
            sides = [[[x + math.log(part if op < 10 else 1 - part) for op, x in enumerate(run)] for run in side] for side in sides]
            sides[1][2] = [x + math.log(1.2) * (op < 10) for op, x in enumerate(sides[1][2])]
            text = ' '.join(compare(program, folder, sides)['answer'])
            said.append(re.search(r'Run new2 is ([0-9.]+) % slower than the other', text))
        sizes = sorted(float(found[1]) for found in said if found)
        yield ['%.2f' % part, rate(said), '%.1f %%' % sizes[len(sizes) // 2] if sizes else '-', '%.1f %%' % (20 * part)]


TABLES = {
    'shows': (shows_rows, ['part of the step', 'named', 'said', 'made']),
    'name': (name_rows, ['ops', 'runs', 'independent: falsely apart, left out; found', 'shared effect', "Student's t, 4"]),
    'exchange': (exchange_rows, ['ops', 'runs', 'no change: false', '10 sd: false, found', '30 sd: false, found']),
    'disturbed': (disturbed_rows, ['ops', 'runs', 'disturbed', 'change', 'first op claimed', 'any other', 'by Welch on all runs']),
}


def main():
    program, count = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 200
    with tempfile.TemporaryDirectory() as folder:
        for name in sys.argv[3:] or TABLES:
            rows, head = TABLES[name]
            table(head, rows(program, folder, count))


if __name__ == '__main__':
    main()
