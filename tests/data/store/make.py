"""Tables of nights of one suite, made: python3 make.py writes them beside itself."""
import math
import os
import random

HERE = os.path.dirname(os.path.abspath(__file__))
FIRST, DAY = 1763175600, 86400  # 2025-11-15T03:00:00Z


def table(name, nights, first=0, factor=(1, 1, 1), machine='EPYC 7763, 4 processors', runs=2, seed='nights'):
    rng = random.Random(f'{seed} {name}')
    with open(os.path.join(HERE, name), 'w') as f:
        f.write('run,benchmark,time_us,machine,commit,start\n')
        for night in range(nights):
            common = rng.gauss(0, 0.01)
            for run in range(runs):
                for row, base in enumerate((100, 250, 40)):
                    y = base * factor[row] * math.exp(common + rng.gauss(0, 0.003) + rng.gauss(0, 0.002))
                    t = FIRST + (first + night) * DAY + run * 300
                    f.write(f'n{night:02}r{run},{"decode prefill sample".split()[row]},{y:.3f},"{machine}",{(first + night) * 7919 + 4096:07x},{t}\n')


table('nights.csv', 12)
table('later.csv', 8, first=20, factor=(1.12, 1, 1))
table('new.csv', 1, first=40, runs=1)
table('slow.csv', 1, first=40, factor=(1, 1.2, 1), runs=3)
table('other.csv', 1, first=40, machine='another')
table('first.csv', 1, first=-3)
table('one-night.csv', 1, first=39, runs=4)
