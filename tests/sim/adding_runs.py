#!/usr/bin/env python3
"""How often a t test at 5 % is significant at some look, if runs are added to both sides one by one
from 3 on and nothing changed: by 5, 10 and 20 runs a side. The figures are in doc/comparison.md."""
import math
import random

# Two-sided 5 % points of t with 2 (n - 1) degrees of freedom, by n.
T = {3: 2.776, 4: 2.447, 5: 2.306, 6: 2.228, 7: 2.179, 8: 2.145, 9: 2.120, 10: 2.101, 11: 2.086, 12: 2.074,
     13: 2.064, 14: 2.056, 15: 2.048, 16: 2.042, 17: 2.037, 18: 2.032, 19: 2.028, 20: 2.024}


def first_claim(draw):
    base, new = [], []
    for n in range(1, 21):
        base.append(draw.gauss(0, 1))
        new.append(draw.gauss(0, 1))
        if n < 3:
            continue
        means = sum(base) / n, sum(new) / n
        squares = sum((x - means[0]) ** 2 for x in base) + sum((x - means[1]) ** 2 for x in new)
        if abs(means[0] - means[1]) > T[n] * math.sqrt(2 / n * squares / (2 * n - 2)):
            return n
    return None


draw, count = random.Random(1), 20000
claims = [first_claim(draw) for _ in range(count)]
for runs in (5, 10, 20):
    print("%2d runs a side: %.3f" % (runs, sum(n is not None and n <= runs for n in claims) / count))
