#!/usr/bin/env python3
"""Checks examples/resnet_tower/ops.{csv,txt,md} against numbers that stepstat had no part in.

The dump is taken apart by the forty lines below (protobuf's wire format, field numbers of
tfprof_log.proto), the rules are done again with Python's re, sums are exact (fractions), roots have
50 digits, Student's t comes from mpmath (`pip install mpmath`). Run: python3 check_example.py
Every number in ops.csv is compared (15 digits, 12 for the interval), every number in the tables of
ops.txt and ops.md within half a unit of its last digit, and the numbers of the first two sentences.
"""
import csv
import os
import re
from fractions import Fraction as F
from mpmath import mp, mpf, betainc, exp, findroot, log, sqrt

mp.dps = 50
HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLE = os.path.join(HERE, '..', '..', '..', 'examples', 'resnet_tower')


# ---- the dump ------------------------------------------------------------------------------------

def varint(b, i):
    n = shift = 0
    while True:
        n |= (b[i] & 127) << shift
        shift += 7
        i += 1
        if b[i - 1] < 128:
            return n, i


def fields(b):
    """[(field number, value)]: int for varints, bytes for everything with a length."""
    i, out = 0, []
    while i < len(b):
        key, i = varint(b, i)
        if key & 7 == 0:
            value, i = varint(b, i)
        else:
            assert key & 7 == 2, key
            size, i = varint(b, i)
            value, i = b[i:i + size], i + size
        out.append((key >> 3, value))
    return out


def get(message, number, default=b''):
    return next((v for f, v in message if f == number), default)


def packed(b):
    i, out = 0, []
    while i < len(b):
        n, i = varint(b, i)
        out.append(n)
    return out


def times(execution, number):
    """(start, length) of all executions of one kind, over all devices."""
    out = []
    for f, entry in execution:
        if f == number:
            for g, t in fields(get(fields(entry), 2)):
                out.append(tuple(packed(get(fields(t), 1))))
    return out


data = open(os.path.join(EXAMPLE, 'profile_14'), 'rb').read()
steps, nodes = set(), []
for f, v in fields(data):
    if f == 3:
        steps.update(packed(v) if isinstance(v, bytes) else [v])
    elif f == 1:
        nodes.append(fields(get(fields(v), 2)))
steps = sorted(steps)
N = len(steps)
ops, span = {}, {s: [] for s in steps}
for node in nodes:
    name = get(node, 1).decode()
    values = {}
    for f, entry in node:
        if f != 12:
            continue
        entry = fields(entry)
        step, e = get(entry, 1, 0), fields(get(entry, 2))
        assert not times(e, 4), 'this check knows no accelerators'
        requested = sum(get(fields(m), 6, 0) for g, m in e if g == 7)
        values[step] = (sum(t[1] for t in times(e, 5)), requested)
        span[step] += times(e, 5)
    if values:
        assert name not in ops
        ops[name] = (get(node, 9).decode(), get(node, 6).decode(), values)


# ---- rules.yaml, once more -----------------------------------------------------------------------

EXCLUDE = [r'^_(arg|retval)_', r'^(ConstantFolding|GroupCrossDeviceControlEdges_\d+)/', r'/_\d+$']
RENAME = [(r'(^|/)v(_1)?/tower_\d/', r'\1', 0), (r'(^|/)cg/', r'\1', 0),
          (r'/(conv2d|batchnorm\d+)/', '/', 1), (r'/(Conv2D|FusedBatchNorm|MaxPool|Relu)_grad/', '/', 1)]
TYPES = [('optimizer', r'^Momentum(/|$)|/Momentum$'), ('averaging', r'^average/')]
yaml = open(os.path.join(EXAMPLE, 'rules.yaml')).read()
for pattern in EXCLUDE + [p for t, p in TYPES]:
    assert f"'{pattern}'" in yaml, pattern
for pattern, text, count in RENAME:
    assert "'s#%s#%s#%s'" % (pattern, text.replace('\\', '$'), '' if count else 'g') in yaml, pattern

rows, hidden, total = {}, [[0, 0] for s in steps], [[0, 0] for s in steps]
hidden_count = 0
for name, (kind, device, values) in ops.items():
    new = name
    for pattern, text, count in RENAME:
        new = re.sub(pattern, text, new, count=count)
    out = any(re.search(p, name) for p in EXCLUDE)
    hidden_count += out
    if not out:
        kind = next((t for t, p in TYPES if re.search(p, name)), kind)
        row = rows.setdefault(new, {'type': set(), 'device': set(), 'ran': set(),
                                    'value': [[0, 0] for s in steps]})
        row['type'].add(kind)
        row['device'].add(device)
        row['ran'].update(values)
    for i, s in enumerate(steps):
        for q in (0, 1):
            v = values.get(s, (0, 0))[q]
            total[i][q] += v
            (hidden if out else row['value'])[i][q] += v


# ---- statistics ----------------------------------------------------------------------------------

def real(x):
    return mpf(x.numerator) / mpf(x.denominator)


def t_quantile(df):
    """97.5 %"""
    f = lambda t: betainc(df / 2, mpf(1) / 2, 0, df / (df + t * t), regularized=True) / 2 - mpf('0.025')
    return findroot(f, (mpf(1), mpf(50)), solver='anderson', tol=mpf(10) ** -40, maxsteps=200)


T = {}


def describe(x, everything):
    n, mean = len(x), F(sum(x), len(x))
    d = [v - mean for v in x]
    squares = sum(v * v for v in d)
    r = {'mean': mean, 'sum': sum(x), 'min': min(x), 'max': max(x), 'share': F(100 * sum(x), sum(everything))}
    r['median'] = F(sorted(x)[(n - 1) // 2] + sorted(x)[n // 2], 2)
    middle, away = r['median'], sorted(abs(v - r['median']) for v in x)
    r = {k: real(F(v)) for k, v in r.items()}
    mad = real(F(away[(n - 1) // 2] + away[n // 2], 2))
    robust = 100 * mpf('1.482602218505602') * mad / real(middle) if middle > 0 else None
    r['sd'] = sqrt(real(F(squares) / (n - 1)))
    r['cv'] = 100 * r['sd'] / r['mean'] if squares else mpf(0)
    n_eff = n_low = F(n)
    if squares:
        lag1 = sum(a * b for a, b in zip(d, d[1:])) / squares
        lag1 += (1 + 4 * lag1) / n
        n_eff, n_low = (min(max(n * (1 - r1) / (1 + r1), 2), n)
                        for r1 in (min(max(lag1 + more, F(0)), F(99, 100)) for more in (0, F(80, n * n))))
    r['se'] = r['sd'] / sqrt(real(n_eff))
    r['low'] = r['high'] = None
    if n_eff >= 5:
        if n_eff not in T:
            T[n_eff] = t_quantile(real(n_eff - 1))
        half = T[n_eff] * r['sd'] / sqrt(real(n_low))
        # No time and no size is negative.
        if half <= r['mean']:
            r['low'], r['high'] = r['mean'] - half, r['mean'] + half
        elif half <= log(10) * r['mean']:
            r['low'], r['high'] = r['mean'] * exp(-half / r['mean']), r['mean'] * exp(half / r['mean'])
    whole = F(sum(everything), n)
    variance = sum((v - whole) ** 2 for v in everything)
    r['jitter'] = real(100 * F(sum(a * (b - whole) for a, b in zip(d, everything))) / variance) if variance else None
    r['robustcv'] = robust if squares else mpf(0)
    return r


def both(value):
    return [describe([v[q] for v in value], [v[q] for v in total]) for q in (0, 1)]


checked = {}


def near(what, text, expected, tolerance):
    checked[what[0]] = checked.get(what[0], 0) + 1
    if expected is None or text in ('', '-'):
        assert expected is None and text in ('', '-'), (what, text, expected)
    else:
        assert abs(mpf(text) - expected) <= tolerance, (what, text, mp.nstr(expected, 20))


# ---- ops.csv -------------------------------------------------------------------------------------

table = list(csv.DictReader(open(os.path.join(EXAMPLE, 'ops.csv'), newline='')))
assert sorted(r['op'] for r in table) == sorted(rows) and len(table) == len(rows)
stats = {op: both(row['value']) for op, row in rows.items()}
stats['[%d ops not selected]' % hidden_count] = both(hidden)
stats['all ops'] = both(total)
before = None
for r in table:
    row, op = rows[r['op']], r['op']
    one = lambda values: next(iter(values)) if len(values) == 1 else ''
    assert (r['run'], r['type'], r['device']) == ('profile_14', one(row['type']), one(row['device'])), r
    assert (r['ran'], r['steps']) == (str(len(row['ran'])), str(N)), r
    for q, (measure, unit) in enumerate((('time', 'us'), ('requested', 'bytes'))):
        for stat, value in stats[op][q].items():
            if stat == 'robustcv':  # in the tables for people only
                continue
            column = '%s_%s_%s' % (measure, stat, 'pct' if stat in ('cv', 'share', 'jitter') else unit)
            digits = 12 if stat in ('low', 'high') else 15
            scale = abs(value) if value else mpf(0)
            if stat == 'jitter':  # a difference of large sums: the sums have the digits
                scale = max(scale, mpf(1))
            near(('ops.csv', op, column), r[column], value, scale * mpf(10) ** (1 - digits))
    here = (-stats[op][0]['mean'], op.encode())
    assert before is None or before < here, ('order', op)
    before = here
assert set(table[0]) == {'run', 'op', 'type', 'device', 'ran', 'steps', 'short', 'notes'} | {
    '%s_%s_%s' % (m, s, 'pct' if s in ('cv', 'share', 'jitter') else u)
    for m, u in (('time', 'us'), ('requested', 'bytes')) for s in stats['all ops'][0] if s != 'robustcv'}


# ---- ops.txt and ops.md --------------------------------------------------------------------------

UNIT = {'us': 1, 'ms': 1000, 's': 10**6, '%': 1, 'B': 1, 'KB': 10**3, 'MB': 10**6, 'GB': 10**9}


def printed(what, cell, expected):
    if cell == '>100%':
        assert expected > 100, (what, expected)
        return
    if re.fullmatch(r'0 (us|ms|s|[KMG]?B)', cell):
        assert expected == 0, (what, expected)
        return
    m = re.fullmatch(r'(-?\d+(?:\.(\d+))?) ?(%|us|ms|s|[KMG]?B)(?: ?\(?[a-z]\)?)?', cell)
    if not m:
        return near(what, cell, expected, 0)
    unit = UNIT[m[3]]
    near(what, m[1], expected / unit, mpf(10) ** -len(m[2] or '') / 2 * (1 + mpf(10) ** -9))


SHORT = {r['short']: r['op'] for r in table}
assert len(SHORT) == len(table) and all(len(s) <= 48 for s in SHORT)
assert all(r['short'] == r['op'] for r in table if len(r['op']) <= 48)


def line(file, cells):
    if len(cells) > 9:
        assert cells[9] in ('', SHORT.get(cells[0])), cells
    cells = [SHORT.get(cells[0], cells[0])] + cells[1:9]
    op, kind, time, ci, share, cv, jitter, requested, ran = cells
    t, b = stats[op]
    if op in rows:
        assert kind == next(iter(rows[op]['type'])) and ran == '%d/%d' % (len(rows[op]['ran']), N), cells
    half = None if t['low'] is None else 100 * (t['high'] - t['mean']) / t['mean']
    for cell, value in ((time, t['mean']), (ci, half), (share, t['share']), (cv, t['cv']),
                        (jitter, t['jitter']), (requested, b['mean'])):
        printed((file, op), cell, value)


def sentences(file, text):
    s = stats['all ops'][0]
    wall, busy = [], 0
    for step in steps:
        end = 0
        for a, length in sorted(span[step]):
            busy += max(0, a + length - max(a, end))
            end = max(end, a + length)
        wall.append(max(a + b for a, b in span[step]) - min(a for a, b in span[step]))
    w = describe(wall, wall)
    m = re.search(r'A step takes (.*?) \[(.*?), (.*?)\], CV (.*?)  ?\((.*?) of op time on .*?, at least one busy (.*?)\)\.', text)
    low, high = m[2] + ' ms', m[3] + ' ms'
    for cell, value in ((m[1], w['mean']), (low, w['low']), (high, w['high']), (m[4], w['cv']),
                        (m[5], s['mean']), (m[6], mpf(100) * busy / sum(wall))):
        printed((file, 'sentence'), cell, value)
    assert re.search(r'No selected op stands out in the jitter of the op time: in %d steps even the largest share, \d+ %% of \S+, may be\s+chance\.' % N, text)
    assert '%d run x %d steps (%d..%d), %d ops on cpu:0 and cpu:1' % (1, N, steps[0], steps[-1], len(ops)) in text


text = open(os.path.join(EXAMPLE, 'ops.txt')).read()
sentences('ops.txt', text)
lines = text.split('\n')
start = next(i for i, l in enumerate(lines) if re.match(r'op +type', l))
TOKEN = r'\S+(?: \S+)*'
heads = [m.span() for m in re.finditer(TOKEN, lines[start])]
seen = 0
for l in lines[start + 1:]:
    if not l:
        break
    cells = [''] * len(heads)
    cut = l[heads[-1][0]:].strip() if len(heads) > 9 else ''
    l = l[:heads[-1][0]] if len(heads) > 9 else l
    for m in re.finditer(TOKEN, l):  # below the head that it overlaps; a cell may be blank
        cells[next(i for i, (a, b) in enumerate(heads) if m.start() < b and a < m.end())] = m[0]
    if len(heads) > 9:
        cells[9] = cut
    line('ops.txt', cells)
    seen += 1
assert seen == len(stats), seen

text = open(os.path.join(EXAMPLE, 'ops.md')).read()
sentences('ops.md', text)
seen = 0
for l in text.split('\n'):
    cells = [c.strip().strip('`').strip() for c in l.strip('|').split(' | ')]
    if not l.startswith('| ') or cells[0] in ('op', 'short', ':---'):
        continue
    if re.match(r'\[\d+ other ', cells[0]):  # they follow, folded
        continue
    if len(cells) == 2:  # whole names
        assert SHORT[cells[0]] == cells[1]
        continue
    if cells[0].startswith('[') and cells[0] not in stats:  # the sum of what is folded, here row by row
        continue
    line('ops.md', cells)
    seen += 1
assert seen == len(stats), seen
print(', '.join('%s: %d numbers' % item for item in checked.items()) + ': all as computed here')
