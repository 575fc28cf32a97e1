#!/usr/bin/env python3
"""Makes series.csv and expected.csv beside it: what tests/unit/test_{sample,runs,nist}.c expect.

Sums are exact (fractions), roots have 60 digits, and the quantiles of Student's t and of
chi-squared are found by mpmath from the incomplete beta and gamma functions. Nothing here
shares code or method with stats/. Run from any folder: python3 make_stats.py
"""
import os
from fractions import Fraction as F
from mpmath import mp, mpf, betainc, gammainc, findroot, sqrt, log, exp, loggamma

mp.dps = 60
HERE = os.path.dirname(os.path.abspath(__file__))
NIST = os.path.join(HERE, '..', 'data', 'stats', 'nist-strd')
out = []


def real(x):
    return mpf(x.numerator) / mpf(x.denominator) if isinstance(x, F) else mpf(x)


def emit(series, quantity, value):
    if not isinstance(value, str):
        value = mp.nstr(real(value), 20, strip_zeros=True, min_fixed=-5, max_fixed=20)
        value = value[:-2] if value.endswith('.0') else value
    out.append(f'{series},{quantity},{value}')


# ---- distributions -----------------------------------------------------------------------------

def solve(f, low, high):
    return findroot(f, (low, high), solver='anderson', tol=mpf(10) ** -45, maxsteps=200)


def t_upper(a, df):
    """t with P(T > t) = a."""
    f = lambda t: betainc(df / 2, mpf(1) / 2, 0, df / (df + t * t), regularized=True) / 2 - a
    high = mpf(1)
    while f(high) > 0:
        high *= 2
    return solve(f, high / 2 if high > 1 else mpf('0.001'), high)


def chi2_lower(p, df):
    """x with P(X < x) = p."""
    f = lambda x: gammainc(df / 2, 0, x / 2, regularized=True) - p
    low = high = df
    while f(low) > 0:
        low /= 2
    while f(high) < 0:
        high *= 2
    return solve(f, low, high)


def chi2_upper_p(q, df):
    return gammainc(mpf(df) / 2, real(q) / 2, mp.inf, regularized=True)


# ---- statistics --------------------------------------------------------------------------------

def mean(x):
    return sum(x) / len(x)


def squares(x):
    m = mean(x)
    return sum((v - m) ** 2 for v in x)


def variance(x, population=False):
    return squares(x) / (len(x) - (0 if population else 1))


def sd(x, population=False):
    return sqrt(real(variance(x, population)))


def cv(x, population=False):
    return sd(x, population) / real(mean(x))


def acf(x, k):
    m = mean(x)
    return sum((x[t] - m) * (x[t + k] - m) for t in range(len(x) - k)) / squares(x)


def quantile(x, p):
    s = sorted(x)
    h = F(p) * (len(s) - 1)
    lo = h.numerator // h.denominator
    hi = min(lo + 1, len(s) - 1)
    return s[lo] + (h - lo) * (s[hi] - s[lo])


def median(x):
    return quantile(x, F(1, 2))


def mad(x):
    m = median(x)
    return median([abs(v - m) for v in x])


def n_eff(x, more=F(0)):
    n = len(x)
    r1 = acf(x, 1)
    r = min(F(99, 100), max(F(0), r1 + (1 + 4 * r1) / n + more))
    return r, min(F(n), max(F(2), n * (1 - r) / (1 + r)))


def two_levels(x):
    """A gap of the sorted values != 0 above k times the sd within the groups of two or more beside it."""
    s = sorted(v for v in x if v != 0)
    n = len(s)
    limit = 4 if n >= 12 else 5 if n >= 8 else 7
    return n >= 6 and any(
        (s[k] - s[k - 1]) ** 2 * (n - 2) > limit ** 2 * (squares(s[:k]) + squares(s[k:])) for k in range(2, n - 1))


def ljung_box(x, h):
    n = len(x)
    q = n * (n + 2) * sum(acf(x, k) ** 2 / (n - k) for k in range(1, h + 1))
    return q, chi2_upper_p(q, h)


def describe(name, x):
    n = len(x)
    emit(name, 'n', F(n))
    emit(name, 'sum', sum(x))
    emit(name, 'mean', mean(x))
    emit(name, 'sd', sd(x))
    emit(name, 'sd_population', sd(x, True))
    if mean(x) > 0:
        emit(name, 'cv', cv(x))
        emit(name, 'cv_population', cv(x, True))
    emit(name, 'median', median(x))
    emit(name, 'mad', mad(x))
    for p in (0.1, 0.25, 0.9):
        emit(name, f'q{p}', quantile(x, p))
    cut = n // 10
    emit(name, 'trim0.1', mean(sorted(x)[cut:n - cut]))
    if min(x) > 0:
        emit(name, 'geomean', exp(sum(log(real(v)) for v in x) / n))
    emit(name, 'lag1', acf(x, 1))
    if n > 3:
        emit(name, 'lag2', acf(x, 2))
    r, ne = n_eff(x)
    emit(name, 'lag1_corrected', r)
    emit(name, 'n_eff', ne)
    se = sd(x) / sqrt(real(ne))
    emit(name, 'se', se)
    low = n_eff(x, F(80, n * n))[1]
    emit(name, 'n_eff_low', low)
    many = F(1) if n < 6 or n >= 50 else max(F(0), F(n - 20, 30))
    two = n < 50 and two_levels(x)
    if n >= 6:
        emit(name, 'two_levels', F(two and (n <= 20 or n < 50 and 2 * ne < n)))
    if ne >= 5 * many and not (two and (n <= 20 or 2 * ne < n)):
        r1 = acf(x, 1)
        f = min(F(5, 2), max(F(1), F(21, 20) + (F(1, 2) + F(20, n)) * (r1 + (1 + 4 * r1) / n)))
        for conf in (0.95, 0.99):
            tail = (1 - F(conf)) / 2
            half = real(many) * t_upper(tail, real(ne) - 1) * sd(x) / sqrt(real(low))
            half += real(1 - many) * real(f) * t_upper(tail, mpf(n - 1)) * sd(x) / sqrt(mpf(n))
            emit(name, f'low{conf}', real(mean(x)) - half)
            emit(name, f'high{conf}', real(mean(x)) + half)
    if n > 10:
        q, p = ljung_box(x, 10)
        emit(name, 'ljung_box_q', q)
        emit(name, 'ljung_box_p', p)


def worst(name, x):
    for label, population in (('', False), ('_population', True)):
        base = cv(x, population)
        best = None
        for i in range(len(x)):
            rest = x[:i] + x[i + 1:]
            if mean(rest) == 0 and squares(rest) == 0:
                left = mpf(0)
            elif mean(rest) <= 0:
                continue
            else:
                left = cv(rest, population)
            if best is None or abs(left - base) > best[0]:
                best = (abs(left - base), i, left)
        emit(name, 'worst' + label, F(best[1]))
        emit(name, 'cv_without' + label, best[2])


def vangel(k, n, conf):
    a = (1 - F(conf)) / 2
    k, n = mpf(k), mpf(n)
    ends = []
    for p in (1 - a, a):
        u = chi2_lower(real(p), n - 1)
        square = ((u + 2) / n - 1) * k * k + u / (n - 1)
        ends.append(k / sqrt(square) if square > 0 else 'inf')
    return ends


# ---- series ------------------------------------------------------------------------------------

def noise(seed, n, width):
    """Whole numbers 0 .. width-1 by a linear congruential generator (Knuth's MMIX)."""
    state, values = seed, []
    for _ in range(n):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2 ** 64
        values.append((state >> 33) * width // 2 ** 31)
    return values


def wander(seed, n, centre, width):
    """Correlated: each value keeps three quarters of the last distance from the centre."""
    values, place = [], 0
    for e in noise(seed, n, width):
        place = (3 * place) // 4 + e - width // 2
        values.append(centre + place)
    return values


def make_series():
    return {
        'three': [3, 1, 8],
        'five': [2100, 2075, 2250, 2100, 2060],
        'step_ps': [2108000000 + v for v in noise(1, 40, 90000000)],
        'wander_ps': wander(2, 100, 95600000000, 400000000),
        'near_1e15': [10 ** 15 + v for v in noise(3, 50, 3)],
        'one_differs_1e15': [10 ** 15] * 99 + [10 ** 15 + 1],
        'wide': [1 + 3 * 10 ** (i % 16) for i in range(48)],
        'first_is_huge': [10 ** 15] + [7 + v for v in noise(4, 39, 5)],
        'mostly_zero': [0] * 17 + [5000000] + [0] * 7 + [3000000],
        'one_alone': [0, 0, 0, 0, 4096, 0, 0],
        'spike': [1000 + v for v in noise(5, 12, 40) + [8000] + noise(6, 12, 40)],
        'alternating': [1000 + 7 * (-1) ** i for i in range(30)],
        'fractions': [F(float(f'0.{100 + v}')) for v in noise(7, 33, 800)],
        'seven_odd': [5, 5, 6, 9, 1, 5, 7],
        'six_levels': [1003, 1398, 1401, 1000, 1399, 1001],
        'eight_level_once': [1003, 1398, 1004, 1000, 999, 1001, 1002, 998],
        'ten_rising': [1000, 1021, 1018, 1037, 1060, 1044, 1071, 1085, 1079, 1102],
        'twenty': [1000 + v for v in noise(8, 20, 40)],
        'twenty_one': [1000 + v for v in noise(9, 21, 40)],
        'levels_last': [1000 + 400 * (10 < i < 25) + v for i, v in enumerate(noise(10, 32, 9))],
    }


def make_long():
    """Too long for a file: made by the same rule in test_sample.c. Its sum passes 2^64."""
    return [F(10 ** 15 - (i * i * 7919) % 1000003) for i in range(20001)]


def runs_series():
    return {
        'runs_even': [[2108000000 + d + v for v in noise(20 + r, 25, 60000000)]
                      for r, d in enumerate((0, 31000000, -22000000, 8000000, 1500000))],
        'runs_uneven': [[1500 + v for v in noise(31, 4, 300)], [], [1777],
                        [1490 + v for v in noise(33, 9, 200)]],
        'runs_far': [[10 ** 15 + d + v for v in noise(40 + r, 10, 5)]
                     for r, d in enumerate((0, 3, 1))],
        'runs_two': [[100, 110, 105], [120, 118, 131]],
    }


def make_parts():
    """Three ops of one step; the third takes less time when the second takes more."""
    a, b, c = (noise(50 + i, 40, w) for i, w in enumerate((900000, 50000, 20000)))
    c = [v + 20000 - w // 4 for v, w in zip(c, b)]
    return {'part_a': [F(v) for v in a], 'part_b': [F(v) for v in b], 'part_c': [F(v) for v in c]}


def number(v):
    v = F(v)
    return str(int(v)) if v.denominator == 1 else repr(float(v))


def describe_runs(name, runs):
    runs = [r for r in runs if r]
    means = [mean(r) for r in runs]
    m = mean(means)
    emit(name, 'mean', m)
    for label, population in (('', False), ('_population', True)):
        within = mean([variance(r, population) for r in runs if len(r) >= 2])
        emit(name, 'cv_step' + label, sqrt(real(within)) / real(m))
        emit(name, 'cv_run' + label, sd(means, population) / real(m))
    half = t_upper((1 - F(0.95)) / 2, mpf(len(runs) - 1)) * sd(means) / sqrt(mpf(len(runs)))
    emit(name, 'low', real(m) - half)
    emit(name, 'high', real(m) + half)
    values = [v for r in runs for v in r]
    emit(name, 'sum', sum(values))
    emit(name, 'median', median(values))
    emit(name, 'n', F(len(values)))


def nist_values(name):
    values = []
    with open(os.path.join(NIST, name + '.txt'), encoding='ascii') as f:
        for line in f:
            word = line.strip()
            try:
                values.append(F(word))
            except ValueError:
                if word:
                    values = []
    return values


def nist(name):
    exact = nist_values(name)
    stored = [F(float(v)) for v in exact]
    for label, x in (('decimal', exact), ('double', stored)):
        emit(f'{name}.{label}', 'n', F(len(x)))
        emit(f'{name}.{label}', 'mean', mean(x))
        emit(f'{name}.{label}', 'sd', sd(x))
        emit(f'{name}.{label}', 'lag1', acf(x, 1))


def main():
    series = {k: [F(v) for v in x] for k, x in make_series().items()}
    parts = make_parts()
    total = [sum(v) for v in zip(*parts.values())]
    with open(os.path.join(HERE, 'series.csv'), 'w', encoding='ascii') as f:
        lines = list(series.items()) + list(parts.items())
        for name, runs in runs_series().items():
            lines += [(f'{name}.{r}', x) for r, x in enumerate(runs)]
        for name, x in lines:
            f.write(name + ',' + ','.join(map(number, x)) + '\n')
    for name, x in series.items():
        describe(name, x)
        worst(name, x)
    describe('long', make_long())
    for name, runs in runs_series().items():
        describe_runs(name, [[F(v) for v in r] for r in runs])
    for name, x in parts.items():
        mx, mt = mean(x), mean(total)
        shared = sum((v - mx) * (s - mt) for v, s in zip(x, total))
        emit(name, 'jitter_share', shared / squares(total))
    for k, n, conf in ((0.031, 100, 0.95), (0.05, 28.1, 0.95), (0.3, 5, 0.95), (0.9, 4, 0.95),
                       (1.2, 6, 0.95), (1.5, 30, 0.95), (3.0, 30, 0.95), (0.2, 2, 0.95),
                       (0.1, 10, 0.99), (0.1, 10, 0.5)):
        ends = vangel(k, n, conf)
        emit(f'vangel:{k}:{n}:{conf}', 'low', ends[0])
        emit(f'vangel:{k}:{n}:{conf}', 'high', ends[1])
    for name in ('Lew', 'Lottery', 'Mavro', 'Michelso', 'NumAcc1', 'NumAcc2', 'NumAcc3',
                 'NumAcc4', 'PiDigits'):
        nist(name)
    with open(os.path.join(HERE, 'expected.csv'), 'w', encoding='ascii') as f:
        f.write('series,quantity,value\n')
        f.write('\n'.join(out) + '\n')


if __name__ == '__main__':
    main()
