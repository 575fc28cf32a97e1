"""What `gate --base=nights` says of new.csv, by plain arithmetic on the logarithms: python3 gate.py NIGHTS.csv prints for each row the change with its
interval at 95 %, degrees of freedom, and the change that is seen in 80 % where it is one of three rows; then the median of these."""
import collections
import csv
import math
import os
import statistics
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def tail(t, df, n=2000):
    """P(|T| > t), by Simpson's rule over the angle atan(t / sqrt(df))."""
    c = 2 * math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(math.pi)
    a = math.atan(t / math.sqrt(df))
    h = (math.pi / 2 - a) / n
    return c * h / 3 * sum((1 if i in (0, n) else 4 if i % 2 else 2) * max(0, math.cos(a + i * h)) ** (df - 1) for i in range(n + 1))


def quantile(p, df):
    low, high = 0, 1000
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if tail(middle, df) > p else (low, middle)
    return low


def main():
    new = {row["benchmark"]: math.log(float(row["time_us"])) for row in csv.DictReader(open(os.path.join(HERE, "new.csv")))}
    nights = collections.defaultdict(lambda: collections.defaultdict(list))
    for row in csv.DictReader(open(sys.argv[1])):
        nights[row["benchmark"]][row["run"].split("r")[0]].append(math.log(float(row["time_us"])))
    seen = []
    for name, of in nights.items():
        mean, runs = [statistics.mean(v) for v in of.values()], sum(map(len, of.values()))
        within = sum((x - statistics.mean(v)) ** 2 for v in of.values() for x in v) / (runs - len(of))
        between = statistics.variance(mean) * (1 + 1 / len(of))
        more = within * max(0, 1 - statistics.mean(1 / len(v) for v in of.values()))
        df = (between + more) ** 2 / (between ** 2 / (len(of) - 1) + more ** 2 / (runs - len(of)))
        se, change = math.sqrt(between + more), new[name] - statistics.mean(mean)
        seen.append(math.expm1((quantile(0.05 / 3, df) + quantile(0.4, df)) * se))
        print(name, "%+.1f %% [%+.1f, %+.1f], df %.2f, sees %.1f %%" % (*(100 * math.expm1(change + k * quantile(0.05, df) * se) for k in (0, -1, 1)), df, 100 * seen[-1]))
    print("typical %.1f %%" % (100 * statistics.median(seen)))


if __name__ == "__main__":
    main()
