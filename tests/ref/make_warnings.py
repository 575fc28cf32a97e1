#!/usr/bin/env python3
"""Makes warnings_series.csv and warnings.csv beside it: what tests/unit/test_{drift,modes,sign}.c expect.

Fits by numpy.linalg.lstsq on a design matrix and by trying every split, tails by scipy, binomial
probabilities by whole numbers. Nothing here shares code with stats/. Debian 12: python3-scipy
1.10.1. Run from any folder: /usr/bin/python3 make_warnings.py
"""
import math
import os
from fractions import Fraction
import numpy as np
from scipy import stats

HERE = os.path.dirname(os.path.abspath(__file__))
rng = np.random.default_rng(20260101)
series, expected = [], []


def line(out, name, values):
    out.append(','.join([name] + [f'{float(v):.17g}' for v in values]))


# ---- drift -------------------------------------------------------------------------------------

def taken_in(x, low, high):
    return np.minimum(high, np.maximum(low, x))


def by_mad(x):
    mad = stats.median_abs_deviation(x)
    far = 3 * mad / stats.norm.ppf(0.75)
    return taken_in(x, np.median(x) - far, np.median(x) + far) if mad > 0 else x


def batches(e, parameters):
    """Sum of the squared sums of batches as long as their number, over that of independent values."""
    size = math.isqrt(len(e))
    of = e[:len(e) // size * size].reshape(-1, size)
    return (of.sum(1) ** 2).sum() / (of ** 2).sum() * len(of) / (len(of) - parameters) if len(of) >= 6 else 1


def lasting(e, r):
    """Inflation by c phi^k of the lags: phi from the mean of lags 2 to 8, where independent values have it once in a hundred, over r."""
    n = len(e)
    mean = np.mean(np.correlate(e, e, 'full')[n + 1:n + 8]) / (e @ e) if n >= 32 else 0
    if not mean > stats.norm.ppf(0.99).round(3) / math.sqrt(7 * n):
        return 1
    phi = min(1, (mean + 4 * (1 + mean) / n) / r) ** 0.25 if r else 1
    return 1 + 2 * r / (1 - min(0.99, phi))


def line_lasts(x):
    """The mean of these lags about a line, in its sd."""
    t = np.arange(len(x))
    fit = stats.linregress(t, by_mad(x))
    e = by_mad(x) - fit.intercept - fit.slope * t
    return np.mean(np.correlate(e, e, 'full')[len(e) + 1:len(e) + 8]) / (e @ e) * math.sqrt(7 * len(e))


def p_of(y, design, null, costs, pairs, parameters):
    """F test of `design` against `null`, as if there were n_eff values; pairs: neighbours."""
    n = len(y)
    fit = lambda d: y - d @ np.linalg.lstsq(d, y, rcond=None)[0]
    e, e0 = fit(design), fit(null)
    r1 = sum(e[i] * e[i + 1] for i in pairs) / (e @ e)
    r = r1 + (costs + 4 * r1) / n + math.sqrt((1 - r1 * r1) / n)
    r = min(0.99, max(0, r))
    inflation = max((1 + r) / (1 - r), batches(e, parameters), lasting(e, r))
    n_eff = max(3, n / inflation)
    f = (e0 @ e0 - e @ e) / (e @ e / (n - 2)) / inflation
    return stats.f.sf(f, 1, n_eff - 2)


def level(x):
    return np.mean(np.sort(x)[int(0.34 * len(x)):len(x) - int(0.34 * len(x))])


def drift(name, x):
    x = np.asarray(x, float)
    n, t = len(x), np.arange(len(x))
    one = np.ones(n)
    y = by_mad(x)
    slope = stats.linregress(t, y).slope
    trend_p = p_of(y, np.stack([one, t], 1), one[:, None], 2, range(n - 1), 2)
    order = np.sort(y)
    y = taken_in(y, order[2], order[-3])
    left = {k: np.sum((y[:k] - y[:k].mean()) ** 2) + np.sum((y[k:] - y[k:].mean()) ** 2)
            for k in range(3, n - 2)}
    at = min(left, key=left.get)
    p = p_of(y, np.stack([t < at, t >= at], 1).astype(float), one[:, None], 4,
             [i for i in range(n - 1) if i != at - 1], 3)
    p = min(1, max(p * len(left), 2 / math.comb(n, at)))
    line(series, f'drift.{name}', x)
    line(expected, f'drift.{name}', [slope * (n - 1) / by_mad(x).mean(), trend_p, at,
                                     level(x[at:]) / level(x[:at]) - 1, p])


def stretch(name, x):
    """Every stretch of three values or more with as many before and after it."""
    n = len(x)
    y = by_mad(x)
    order = np.sort(y)
    y = taken_in(y, order[2], order[-3])
    inside = lambda a, b: (np.arange(n) >= a) & (np.arange(n) < b)
    left = {(a, b): sum(np.sum((y[m] - y[m].mean()) ** 2) for m in (inside(a, b), ~inside(a, b)))
            for a in range(3, n - 5) for b in range(a + 3, n - 2)}
    a, b = min(left, key=left.get)
    m = inside(a, b)
    joined = np.concatenate([np.flatnonzero(~m), np.flatnonzero(m)])  # what is outside is one series
    pairs = [i for i in range(n - 1) if i != n - (b - a) - 1]
    p = p_of(y[joined], np.stack([~m, m], 1).astype(float)[joined], np.ones((n, 1)), 6, pairs, 4)
    line(series, f'stretch.{name}', x)
    line(expected, f'stretch.{name}', [a, b, min(1, max(p * (n - 6) ** 2 / 2, 2 * n / math.comb(n, b - a)))])


def wander(n, phi):
    e = [rng.normal()]
    for _ in range(n - 1):
        e.append(phi * e[-1] + rng.normal() * math.sqrt(1 - phi * phi))
    return np.round(np.array(e), 3)


def make_drift():
    drift('white', 1000 + 10 * wander(40, 0))
    drift('short', 1000 + 10 * wander(10, 0))
    drift('wander', 1000 + 10 * wander(60, 0.5))
    drift('slope', 1000 + 10 * wander(50, 0) + np.arange(50))
    drift('falls', 1000 + 10 * wander(50, 0.3) - 2 * np.arange(50))
    drift('up', 1000 + 10 * wander(60, 0) + 40 * (np.arange(60) >= 23))
    drift('down', 1000 + 10 * wander(35, 0) - 30 * (np.arange(35) >= 31))
    drift('spikes', 1000 + 10 * wander(60, 0) + 9000 * np.isin(np.arange(60), (1, 20, 41, 55)))
    drift('grid', np.round(2 + 0.4 * wander(80, 0) + (np.arange(80) >= 50)))
    drift('ps', 2e12 + np.round(1e10 * wander(60, 0.2)))


def make_stretch():
    global rng
    rng = np.random.default_rng(20261129)
    stretch('back', 1000 + 10 * wander(60, 0) + 30 * ((np.arange(60) >= 20) & (np.arange(60) < 33)))
    stretch('down', 1000 + 10 * wander(90, 0.4) - 40 * ((np.arange(90) >= 61) & (np.arange(90) < 84)))
    stretch('none', 1000 + 10 * wander(50, 0))
    stretch('long', 1000 + 10 * wander(400, 0) + 12 * ((np.arange(400) >= 101) & (np.arange(400) < 250)))
    drift('walk', 1000 + 10 * wander(100, 0.95) + 10 * wander(100, 0))
    drift('few', 1000 + 10 * wander(40, 0.95) + 6 * wander(40, 0))
    drift('lasts', 1000 + 10 * wander(31, 0.97) + 6 * wander(31, 0))
    drift('lasting', 1000 + 10 * wander(32, 0.97) + 6 * wander(32, 0))
    for name, low, high in (('under', 2.1, 2.3), ('over', 2.35, 2.6)):
        x = 1000 + 10 * wander(60, 0.2)
        while not low < line_lasts(x) < high:
            x = 1000 + 10 * wander(60, 0.2)
        drift(name, x)
    drift('long walk', 1000 + 10 * wander(300, 0.97) + 10 * wander(300, 0))


# ---- modes -------------------------------------------------------------------------------------

def modes(name, x, resolution=0):
    x = np.sort(np.asarray(x, float))
    n, least = len(x), max(5, math.ceil(len(x) / 10))
    best = min((np.var(x[:k]) * k + np.var(x[k:]) * (n - k), k)
               for k in range(least, n - least + 1) if x[k - 1] < x[k])[1]
    a, b = x[:best], x[best:]
    spread = sum(max(np.var(g, ddof=1), resolution ** 2 / 12) for g in (a, b))
    line(series, f'modes.{name}', rng.permutation(x))
    line(expected, f'modes.{name}', [resolution, a.mean(), b.mean(), len(b) / n,
                                     math.sqrt(2) * (b.mean() - a.mean()) / math.sqrt(spread)])


def make_modes():
    modes('normal', np.round(100 + rng.normal(size=60), 3))
    modes('exponential', np.round(rng.exponential(size=45), 3))
    modes('half', np.round(100 + rng.normal(size=60) + 8 * (np.arange(60) < 30), 3))
    modes('tenth', np.round(100 + rng.normal(size=70) + 20 * (np.arange(70) < 7), 3))
    modes('few', np.round(100 + rng.normal(size=11) + 30 * (np.arange(11) < 5), 3))
    modes('grid', np.round(10 + rng.normal(size=50) + 20 * (np.arange(50) < 20)), 1)


# ---- signs -------------------------------------------------------------------------------------

def sign(above, below):
    n, k = above + below, min(above, below)
    p = min(Fraction(1), Fraction(2 * sum(math.comb(n, i) for i in range(k + 1)), 2 ** n))
    assert abs(float(p) / stats.binomtest(above, n).pvalue - 1) < 1e-9
    line(expected, f'sign.{above}.{below}', [p])


def main():
    make_drift()
    make_modes()
    for above, below in ((287, 13), (1, 0), (5, 0), (0, 6), (3, 3), (8, 2), (60, 40), (150, 151),
                         (0, 300), (600, 500), (5000, 5400)):
        sign(above, below)
    make_stretch()
    for name, lines in (('warnings_series.csv', series), ('warnings.csv', expected)):
        with open(os.path.join(HERE, name), 'w', encoding='ascii') as f:
            f.write('\n'.join(lines) + '\n')


if __name__ == '__main__':
    main()
