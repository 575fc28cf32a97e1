#!/usr/bin/env python3
"""Reference values of stats/odd by NumPy and SciPy: prints tests/ref/odd_runs.csv.

NAME.x: the values, row by row, runs of base first. NAME.run: rows, runs of base and of new, the run, shift, t, df and p
(Bonferroni) of the largest deletion residual, each found by leaving the run out and fitting again. NAME.pair: the
indexes and p of the best of all exchanges, all of them tried."""
import numpy as np
from scipy import stats


def run_of(x, n1):
    runs = x.shape[1]
    sides = [range(n1), range(n1, runs)]
    spread = np.sqrt(sum(((x[:, s] - x[:, s].mean(1, keepdims=True)) ** 2).sum(1) for s in map(list, sides)) / (runs - 2))
    z = np.mean([(row - np.where(np.arange(runs) < n1, row[:n1].mean(), row[n1:].mean())) / s for row, s in zip(x, spread)], 0)
    best = None
    for own, other in (sides, sides[::-1]):
        if len(own) < 3:
            continue
        for r in own:
            rest = [i for i in own if i != r]
            df = len(rest) - 1 + len(other) - 1
            s2 = (((z[rest] - z[rest].mean()) ** 2).sum() + ((z[list(other)] - z[list(other)].mean()) ** 2).sum()) / df
            t = (z[r] - z[rest].mean()) / np.sqrt(s2 * (1 + 1 / len(rest)))
            p = 2 * stats.t.sf(abs(t), df)
            if best is None or p < best[-1]:
                best = (r, (x[:, r] - x[:, rest].mean(1)).mean(), t, df, p)
    return *best[:-1], min(1, best[-1] * runs)


def pair_of(x, n1):
    runs = x.shape[1]
    m = np.median(x, 1, keepdims=True)
    z = np.median((x - m) / np.median(abs(x - m), 1, keepdims=True), 0)
    within = lambda y: ((y[:n1] - y[:n1].mean()) ** 2).sum() + ((y[n1:] - y[n1:].mean()) ** 2).sum()
    tried = []
    for i in range(n1):
        for j in range(n1, runs):
            y = z.copy()
            y[[i, j]] = y[[j, i]]
            tried.append((within(y), i, j - n1))
    least, i, j = min(tried)
    df = runs - 4
    p = stats.f.sf((within(z) - least) / 2 / (least / df), 2, df) if least < within(z) else 1
    return i, j, min(1, p * n1 * (runs - n1))


def show(name, x, n1):
    x = np.round(x, 6)
    print(name + '.x,' + ','.join('%.6f' % v for v in x.ravel()))
    print(name + '.run,%d,%d,%d,%d,%.15g,%.15g,%d,%.15g' % (len(x), n1, x.shape[1] - n1, *run_of(x, n1)))
    print(name + '.pair,%d,%d,%.15g' % pair_of(x, n1))


def main():
    rng = np.random.default_rng(39)
    noise = lambda rows, runs: 5 + rng.standard_normal((rows, 1)) + .01 * rng.standard_normal((rows, runs))
    show('none', noise(6, 8), 4)
    show('one_row', noise(1, 7), 4)
    x = noise(12, 10)
    x[:, 2] += .1
    show('apart', x, 5)
    x = noise(3, 9)
    x[:, 7] -= .15
    show('of_new', x, 6)
    x = noise(4, 6)
    x[:, 0] += .3
    show('two_of_base', x[:, :5], 2)
    x = noise(5, 9)
    x[:, 4:] += .2
    x[:, [1, 6]] = x[:, [6, 1]]
    show('exchanged', x, 4)


if __name__ == '__main__':
    main()
