#!/usr/bin/env python3
"""How often a comparison of a program with itself claims a change where ops come and go: through the program.

usage: kinds.py STEPSTAT [COMPARISONS [WORLD...]]     (default 200; all worlds)

Prints for each world, with 5 v 5 and 10 v 10 runs of 20 steps, the share of comparisons in which an op is claimed
to have changed, in which an op is NEW or GONE, in which the gate is red (status 1), in which there is no answer
(`no step is left`), and in which steps are left out as of another kind; in worlds of clean kinds also the share in
which the kinds are those that were made. Tables are made by Python's random generator, seeded with the number of the
comparison."""
import csv, json, os, random, subprocess, sys, tempfile

STEPS = 20
CLAIMS = {'REGRESSED', 'IMPROVED', 'SLOWER', 'FASTER', 'MORE', 'LESS', 'NEW', 'GONE'}
BASE = [20 + 8 * i for i in range(6)]  # us, of ops that always run




def experts(top, count, share):
    """`top` of `count` experts run; they take `share` of the time."""
    time = sum(BASE) * share / (1 - share) / top
    return lambda rng: [(6 + e, time) for e in rng.sample(range(count), top)]


def blocks(count, ops, p):
    return lambda rng: [(6 + b * ops + k, 80) for b in range(count) if rng.random() < p for k in range(ops)]


def buckets(overlap):
    """Kernels of a length of its own; `overlap`: the share of steps that have those of the next length, too."""
    def step(rng):
        label = rng.randrange(6 - bool(overlap))
        longer = rng.random() < overlap
        return [(6 + 3 * b + k, 60 + 20 * b) for b in (label, label + 1)[:1 + longer] for k in range(3)]
    return step


WORLDS = {  # the ops of a step beside those that always run; whether they make clean kinds
    '2 of 8 experts, 50 % of the time': (experts(2, 8, .5), False),
    '2 of 8 experts, 90 % of the time': (experts(2, 8, .9), False),
    '12 blocks of 4 ops, p 0.5': (blocks(12, 4, .5), False),
    '6 lengths, half of the steps have two': (buckets(.5), False),
    '24 ops, p 0.5': (blocks(24, 1, .5), False),
    '24 ops, p 0.7': (blocks(24, 1, .7), False),
    '12 blocks of 4 ops, p 0.8': (blocks(12, 4, .8), False),
    '1 of 8 experts, 90 % of the time': (experts(1, 8, .9), True),
    '6 clean lengths': (buckets(0), True),
}


def write(path, side, runs, step, rng):
    """Returns the ops of each step, by run and number."""
    made = {}
    with open(path, 'w') as out:
        out.write('run,step,op,time_us\n')
        for run in range(runs):
            factor = {}
            for number in range(1, STEPS + 1):
                ran = [*enumerate(BASE), *step(rng)]
                made['%s%d' % (side, run), str(number)] = tuple(op for op, _ in ran)
                for op, time in ran:
                    own = factor.setdefault(op, rng.lognormvariate(0, .005))
                    out.write('%s%d,%d,op%03d,%.2f\n' % (side, run, number, op, time * own * rng.lognormvariate(0, .03)))
    return made


def are_as_made(program, sides, made):
    """The kinds of a report of both sides together: one for each set of ops."""
    table = subprocess.run([program, 'report', *sides, '--table=steps', '--to=csv', '--quiet'],
                           capture_output=True, text=True, check=True).stdout
    found = {(made[row['run'], row['step']], row['kind']) for row in csv.DictReader(table.splitlines())}
    return len(found) == len({ops for ops, _ in found}) == len({kind for _, kind in found})


def compare(program, folder, runs, step, clean, seed):
    rng = random.Random(seed)
    sides = [os.path.join(folder, side + '.csv') for side in ('base', 'new')]
    made = {**write(sides[0], 'base', runs, step, rng), **write(sides[1], 'new', runs, step, rng)}
    ran = subprocess.run([program, 'gate', *sides, '--quiet', '--min-share=0', '--to=json', '-o', '-'],
                         capture_output=True, text=True)
    if not ran.stdout.startswith('{'):
        return {'no answer': True}
    page = json.loads(ran.stdout)
    verdicts = {row['time_verdict'] for row in page['rows']}
    return {'any claim': verdicts & CLAIMS, 'NEW or GONE': verdicts & {'NEW', 'GONE'}, 'red': ran.returncode == 1,
            'left out': any('of another kind' in note['text'] for note in page['notes']),
            'as made': clean and are_as_made(program, sides, made)}


def main():
    program, count = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 200
    shown = ['any claim', 'NEW or GONE', 'red', 'no answer', 'left out', 'as made']
    print('| world | runs | ' + ' | '.join(shown) + ' |')
    print('| --- ' * (2 + len(shown)) + '|')
    with tempfile.TemporaryDirectory() as folder:
        for name, (step, clean) in WORLDS.items():
            if len(sys.argv) > 3 and not any(word in name for word in sys.argv[3:]):
                continue
            for runs in (5, 10):
                found = [compare(program, folder, runs, step, clean, seed) for seed in range(count)]
                rates = [sum(bool(f.get(key)) for f in found) / count for key in shown]
                print('| %s | %d v %d | %s |' % (name, runs, runs, ' | '.join(
                    '%.3f' % rate if clean or key != 'as made' else '-' for key, rate in zip(shown, rates))), flush=True)


if __name__ == '__main__':
    main()
