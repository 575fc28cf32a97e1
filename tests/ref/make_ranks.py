"""Makes ranks_series.csv and ranks.csv: jobs with slow ranks, and who is named with which p.

Written from doc/statistics.md ("Several ranks") with NumPy and SciPy; it shares nothing with
stats/job. Usage: make_ranks.py (pip install numpy scipy), in this folder.
"""
import numpy as np
from scipy import stats

ALPHA, SHARE, LEAST, SPREAD, SPREAD_DF, SPREAD_MOST = 0.05, 0.5, 0.01, 0.005, 2, 0.03


def relative(x, m):
    with np.errstate(invalid="ignore", divide="ignore"):
        y = 2 * (x - m) / (x + m)
    return np.where((x == m), 0.0, y)


def noise(y):
    """Variance of the mean of a series, and its degrees of freedom."""
    n, d = len(y), y - y.mean()
    squares = float(d @ d)
    if squares == 0:
        return 0.0, n - 1.0
    r1 = float(d[:-1] @ d[1:]) / squares
    r = min(0.99, max(0.0, r1 + (1 + 4 * r1) / n))
    worth = min(n, max(2.0, n * (1 - r) / (1 + r)))
    return squares / (n - 1) / worth, worth - 1


def tail(effect, s2, v, own, own_df, n):
    """The smaller p of t with the degrees of freedom of the others, and of the widest spread that ranks have, which is known."""
    out = []
    for spread, df in ((s2, n - 1), (max(s2, v, SPREAD_MOST**2), np.inf)):
        shared = max(spread, v) * (1 + 1 / n)
        df = min(df, (shared + own) ** 2 / (shared**2 / df + own**2 / own_df) if shared**2 / df + own**2 / own_df > 0 else np.inf)
        out.append(float(stats.t.sf(effect / np.sqrt(shared + own), df)))
    return min(out)


def p_value(rank, others, grid):
    levels = np.array([o["level"] for o in others])
    n, v = len(levels), np.mean([o["noise"] for o in others])
    df = n - 1
    s2 = levels.var(ddof=1)
    s2 = max(s2, (SPREAD_DF * SPREAD**2 + df * s2) / (SPREAD_DF + df))
    own = max(0.0, rank["noise"] - v)
    effect = rank["level"] - levels.mean()
    return 1.0 if effect < LEAST else tail(effect - grid, s2, v, own, rank["df"], n)


def resolution(x):
    values = x[~np.isnan(x)]
    return float(np.gcd.reduce(values.astype(np.int64))) if (values == np.rint(values)).all() else 0.0


def look(x, members, known, q):
    """(tests, [(rank, p, is known)]) of one group in one matrix."""
    part = x[members]
    centre = np.nanmedian(part, axis=0)
    grid = float(relative(centre + q, centre).mean())
    ranks = []
    for r in members:
        y = relative(x[r], centre)
        y = y[~np.isnan(x[r])]
        if len(y) >= 3:
            v, df = noise(y)
            ranks.append({"rank": r, "level": float(y.mean()), "noise": v, "df": df})
    rest = sorted((r for r in ranks if r["rank"] not in known), key=lambda r: -r["level"])
    out = [(r["rank"], p_value(r, rest, grid), True) for r in ranks if r["rank"] in known and len(rest) >= 2]
    if len(rest) < 3:
        return 0, out, len(ranks)
    most = min(16, max(1, len(rest) // 8))
    for j in range(most):
        best = p_value(rest[j], rest[j + 1:], grid)
        for i in range(j + 1, most):
            last = p_value(rest[i], rest[i + 1:], grid)
            if last <= ALPHA * SHARE / len(rest):
                best = min(best, max(last, p_value(rest[j], rest[i + 1:], grid)))
        out.append((rest[j]["rank"], best, False))
    return len(rest), out, len(ranks)


def described(x, q):
    """The ranks x[rank, step] that one is held against, as parts of their mean: (levels' variance,
    mean noise, mean, what they have in common in each step, grid, variance of a value)."""
    ranks, steps = x.shape
    mean = x.mean()
    y = x / mean
    level, step = y.mean(axis=1), y.mean(axis=0) - 1
    rest = y - level[:, None] - step
    squares, products = float((rest**2).sum()), float((rest[:, :-1] * rest[:, 1:]).sum())
    worth = steps
    if squares > 1e-25:
        r1 = products / squares
        r = min(0.99, max(0.0, r1 + (1 + 4 * r1) / steps))
        worth = min(steps, max(2.0, steps * (1 - r) / (1 + r)))
    variance = squares / ((ranks - 1) * (steps - 1))
    return level.var(ddof=1), variance / worth, mean, step, q / mean, variance


def row_p(x, rank, others, q):
    n = len(others)
    s2, v, mean, step, grid, variance = described(x[others], q)
    y = x[rank] / mean - step
    own_noise, own_df = noise(y)
    df = n - 1
    s2 = max(s2, (SPREAD_DF * SPREAD**2 + df * s2) / (SPREAD_DF + df))
    own = max(0.0, own_noise - v)
    bounded = relative(x[rank] / mean, 1 + step).mean() + variance / 2
    effect = min(x[rank].mean() / mean - 1, bounded)
    return 1.0 if effect < LEAST else tail(effect - grid, s2, v, own, own_df, n)


def look_at_row(x, members, known, q):
    """(tests, [(rank, p, is known, excess)], ranks) of one group in a row without gaps."""
    ranks = len(members)
    if x.shape[1] < 3 or ranks < 3:
        return 0, [], ranks
    excess = lambda r, others: float(x[r].mean() - x[others].mean())
    rest = sorted((r for r in members if r not in known), key=lambda r: -x[r].sum())
    out = []
    if len(rest) >= 2:
        out = [(r, row_p(x, r, rest, q), True, excess(r, rest)) for r in members if r in known]
    if len(rest) < 3:
        return 0, out, ranks
    most = min(16, max(1, len(rest) // 8))
    for j in range(most):
        best = row_p(x, rest[j], rest[j + 1:], q)
        for i in range(j + 1, most):
            last = row_p(x, rest[i], rest[i + 1:], q)
            if last <= ALPHA * SHARE / len(rest):
                best = min(best, max(last, row_p(x, rest[j], rest[i + 1:], q)))
        out.append((rest[j], best, False, excess(rest[j], rest[j + 1:])))
    return len(rest), out, ranks


def without_gaps(x):
    """Ranks that have a value at all, and the steps in which all of these have one."""
    ranks = [r for r in range(len(x)) if not np.isnan(x[r]).all()]
    return ranks, x[:, ~np.isnan(x[ranks]).any(axis=0)]


def describe(x, members, rank):
    part = x[members]
    d = x[rank] - np.nanmedian(part, axis=0)
    slowest = 0
    for t in range(x.shape[1]):
        column = part[:, t]
        column = column[~np.isnan(column)]
        if len(column) > 1 and x[rank, t] == column.max() and (column == column.max()).sum() == 1:
            slowest += 1
    return int((~np.isnan(d)).sum()), slowest, float(np.nanmean(d))


def culprits(matrices, group):
    """matrices[0] is the whole; (row or -1, rank, ranks, steps, slowest in, excess, p)."""
    groups = [[r for r in range(len(group)) if group[r] == g] for g in sorted(set(group))]
    known, found, tests, known_tests = set(), [], 0, {}
    for row, x in enumerate(matrices, -1):
        of_whole = 0
        if row >= 0:
            present, x = without_gaps(x)
        for members in groups:
            if row < 0:
                n, out, ranks = look(x, members, known, resolution(x))
                out = [(*o, None) for o in out]
            else:
                members = [r for r in members if r in present]
                q = resolution(x[members]) if members else 0
                n, out, ranks = look_at_row(x, members, known, q)
            of_whole += n
            for rank, p, is_known, excess in out:
                if is_known:
                    known_tests[rank] = known_tests.get(rank, 0) + 1
                of = list(describe(x, members, rank))
                of[2] = of[2] if excess is None else excess
                found.append([row, rank, ranks, *of, p, is_known])
        if row < 0:
            for f in found:
                f[6] = min(1, f[6] * of_whole / SHARE)
            known = {f[1] for f in found if f[6] <= ALPHA}
        else:
            tests += of_whole
    for f in found:
        if f[0] >= 0:
            f[6] = min(1, f[6] * (known_tests[f[1]] if f[7] else tests) / SHARE)
    named = [f[:7] for f in found if f[6] <= ALPHA]
    return sorted(named, key=lambda f: (f[0] >= 0, -f[5], f[0], f[1]))


def rows(rng, count, ranks, steps, sd, spread):
    base = np.exp(rng.uniform(np.log(1e4), np.log(1e6), count))
    x = rng.normal(0, sd, (count, ranks, steps)) + rng.normal(0, 0.03, steps)
    return base[:, None, None] * np.exp(x + rng.normal(0, spread, (count, ranks, 1)))


def cases(rng):
    x = rows(rng, 3, 8, 12, 0.02, 0.005)
    x[:, 5] *= 1.08
    yield "eight", x, [0] * 8
    x = rows(rng, 4, 8, 12, 0.02, 0.005)
    x[2, 3] *= 1.25
    yield "one_row", x, [0] * 8
    x = rows(rng, 2, 16, 10, 0.02, 0.005)
    x[:, 3] *= 1.10
    x[:, 9] *= 1.12
    yield "hiding", x, [0] * 16
    x = rows(rng, 2, 15, 10, 0.02, 0.005)
    x[:, 1::3] *= 1.4
    x[:, 2] *= 1.5
    x[1, 7] *= 1.3
    x[:, 3] *= 0.8
    yield "stages", x, [r % 3 for r in range(15)]
    x = rows(rng, 2, 6, 15, 0.02, 0.005)
    x[:, 4, ::3] *= 1.9
    x[:, 4] *= 1.2
    yield "spiky", x, [0] * 6
    x = rows(rng, 2, 7, 9, 0.02, 0.005)
    x[:, 6] *= 1.2
    x = np.rint(x)
    x[:, 1, 2:4] = np.nan
    x[:, 6, 8] = np.nan
    x[:, 2, 1:] = np.nan
    x[1, 3] = np.nan
    yield "missing", x, [0] * 7
    x = rows(rng, 3, 8, 20, 0.02, 0.005)
    x[:, 0] *= 1.15
    x = np.rint(x / (x.mean(axis=(1, 2), keepdims=True) / 7)) * 1000 + 1000
    yield "grid", x, [0] * 8
    x = rows(rng, 2, 4, 6, 0.02, 0.005)
    x[:, 2] *= 0.8
    yield "fast", x, [0] * 4


def main():
    rng = np.random.default_rng(20240301)
    with open("ranks_series.csv", "w") as series, open("ranks.csv", "w") as expected:
        for name, x, group in cases(rng):
            x = np.rint(x)
            x = np.concatenate([x.sum(axis=0, keepdims=True), x])
            ranks, steps = x.shape[1:]
            series.write(f"{name}.size,{ranks},{steps},{len(x) - 1}\n")
            series.write(f"{name}.group,{','.join(map(str, group))}\n")
            for row, matrix in enumerate(x, -1):
                words = ("nan" if np.isnan(v) else f"{v:.0f}" for v in matrix.ravel())
                series.write(f"{name}.{row},{','.join(words)}\n")
            named = culprits(list(x), group)
            expected.write(f"{name}.count,{len(named)}\n")
            for i, (row, rank, n, steps_of, slowest, excess, p) in enumerate(named):
                expected.write(f"{name}.{i},{row},{rank},{n},{steps_of},{slowest},{excess:.17g},{p:.17g}\n")


main()
