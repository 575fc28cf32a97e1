#!/usr/bin/env python3
"""Home-made rules of gates in worlds where nothing changed, or something did: the table of doc/sound-rules.md.

usage: false_rules.py [SIMULATIONS]  (20,000: a rate of 0.2 is known to 0.003; no packages; seed 46)"""
import math
import random
import statistics
import sys

N = int(sys.argv[1]) if len(sys.argv) > 1 else 20000
rng = random.Random(46)


def rate(rule, n=N):
    p = sum(rule() for _ in range(n)) / n
    return f'{100 * p:.1f} %'


def noise(cv):
    return math.exp(rng.gauss(0, cv))


def best_of_nights(cv, nights=90, margin=0.05):
    return lambda: noise(cv) > (1 + margin) * min(noise(cv) for _ in range(nights))


def z_over_two(metrics, runs=5):
    def red():
        for _ in range(metrics):
            base = [rng.gauss(0, 1) for _ in range(runs)]
            if rng.gauss(0, 1) - statistics.mean(base) > 2 * statistics.stdev(base):
                return True
        return False
    return red


def one_session_each(rows, runs=4, between=0.08, within=0.003):
    """Welch's t over the runs at 0.05, here with the normal's 6 degrees of freedom at equal variances: |t| > 2.447."""
    def red():
        common = rng.gauss(0, between), rng.gauss(0, between)
        for _ in range(rows):
            side = [[c + rng.gauss(0, within) for _ in range(runs)] for c in common]
            se = math.sqrt(sum(statistics.variance(x) / runs for x in side))
            if abs(statistics.mean(side[1]) - statistics.mean(side[0])) > 2.447 * se:
                return True
        return False
    return red


def any_over(metrics, cv, margin):
    """More than the margin above the mean of five runs, any metric."""
    return lambda: any(noise(cv) > (1 + margin) * statistics.mean(noise(cv) for _ in range(5)) for _ in range(metrics))


def hidden(change, broken, nights=30, cv=0.02, margin=0.05):
    """A real change against the mean of the last nights, three of which were broken (slower by so much): found at all?"""
    def red():
        base = [noise(cv) * (broken if i < 3 else 1) for i in range(nights)]
        return (1 + change) * noise(cv) > (1 + margin) * statistics.mean(base)
    return red


def greens_only(cv=0.02, nights=30, kept_above=0.03):
    """The base keeps only nights that a rule called green: it drifts down, and its spread shrinks."""
    def red():
        base = []
        while len(base) < nights:
            x = noise(cv)
            if len(base) < 3 or x < (1 + kept_above / 3) * statistics.mean(base):
                base.append(x)
        mean, sd = statistics.mean(base), statistics.stdev(base)
        return noise(cv) - mean > 2.045 * sd * math.sqrt(1 + 1 / nights)
    return red


def retry(p=0.05, tries=3):
    """A real +4 % at CV 2 % against a mean that is known, red above 5 % three times in a row only."""
    return lambda: all(1.06 * noise(0.02) > 1.05 for _ in range(tries))


for words, rule in (
        ('more than 5 % above the best of 90 nights, CV 1.5 %', best_of_nights(0.015)),
        ('more than 5 % above the best of 90 nights, CV 2 %', best_of_nights(0.02)),
        ('z > 2 by the mean and sd of 5 runs, 1 metric', z_over_two(1)),
        ('z > 2 by the mean and sd of 5 runs, 20 metrics', z_over_two(20)),
        ('5 % above the mean of 5 runs, CV 3 %, 20 metrics', any_over(20, 0.03, 0.05)),
        ('t over 4 v 4 runs, one session a side (8 % between, 0.3 % within), 1 row', one_session_each(1)),
        ('the same, 20 rows', one_session_each(20)),
        ('prediction from 30 nights of which red ones were left out', greens_only())):
    print(f'red though nothing changed: {rate(rule, N if "90" not in words else N // 4)}  {words}')
for words, rule in (
        ('+12 % against the mean of 30 nights, none broken', hidden(0.12, 1)),
        ('+12 % against the mean of 30 nights, three of which took twice as long', hidden(0.12, 2)),
        ('+6 %, red only if three tries in a row are above 5 %', retry())):
    print(f'red, and something changed: {rate(rule)}  {words}')
