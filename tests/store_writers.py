"""Writers of one store at once, each killed at random, again and again: no run that was reported as recorded is lost, none is half.
Then taggers of the same runs at once, some killed: no tag that was reported is lost.

usage: store_writers.py STEPSTAT [ROUNDS] [SEED]"""
import os
import random
import subprocess
import sys
import tempfile
import time

WRITERS = 8


def main():
    program, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 20
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 46
    rng = random.Random(seed)
    killed = reported = finished = 0
    with tempfile.TemporaryDirectory() as folder:
        store = os.path.join(folder, 'store')
        said = set()
        for number in range(rounds):
            writers = []
            for w in range(WRITERS):
                path = os.path.join(folder, f'{w}.csv')
                with open(path, 'w') as f:
                    f.write('run,step,op,time_us,machine,start\n')
                    for run in range(3):
                        f.write(f'r{run},1,x,{rng.randrange(10**6, 10**7)},m,{1764000000 + number * 7200 + run}\n')
                out = open(os.path.join(folder, f'{w}.out'), 'w+')
                p = subprocess.Popen([program, 'record', store, path], stdout=out, stderr=subprocess.STDOUT)
                writers.append((p, out))
            for p, _ in rng.sample(writers, len(writers)):
                if rng.random() < 0.75:
                    time.sleep(rng.random() * 0.006)
                    p.kill()
            for p, out in writers:
                killed += p.wait() == -9
                finished += p.returncode == 0
                out.seek(0)
                for line in out.read().splitlines():
                    assert line.startswith('recorded '), line
                    if ':' in line:
                        said.add(line.split()[1].rstrip(':') + '.obs')
                out.close()
        reported = len(said)
        there = {name for name in os.listdir(store) if not name.startswith('.')}
        lost = said - there
        assert not lost, f'{len(lost)} runs were reported and are not there: {sorted(lost)[:3]}'
        for name in there:
            r = subprocess.run([program, os.path.join(store, name), '--to=csv'], capture_output=True, text=True)
            assert r.returncode == 0, f'{name}: {r.stderr}'
        # The next writer takes away what killed ones left.
        with open(os.path.join(folder, '0.csv'), 'w') as f:
            f.write('run,step,op,time_us,machine,start\nlast,1,x,5,m,1764900000\n')
        subprocess.run([program, 'record', store, os.path.join(folder, '0.csv')], check=True, stdout=subprocess.DEVNULL)
        left = [name for name in os.listdir(store) if name.startswith('.')]
        assert not left, left
        listed = subprocess.run([program, 'list', store, '--to=csv'], capture_output=True, text=True, check=True)
        assert len(listed.stdout.splitlines()) == len(there) + 2 and not listed.stderr, listed.stderr
    print(f'seed {seed}: {rounds} rounds of {WRITERS} writers, {killed} killed, {finished} finished; {reported} runs reported, '
          f'{len(there)} there, all whole')
    assert killed > rounds and finished > rounds


def tags():
    program, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 20
    rng, said = random.Random(47), set()
    with tempfile.TemporaryDirectory() as folder:
        path, store = os.path.join(folder, 'n.csv'), os.path.join(folder, 'store')
        with open(path, 'w') as f:
            f.write('run,step,op,time_us,machine,start\n')
            for run in range(12):
                f.write(f'r{run},1,x,{100 + run},m,{1764000000 + run * 7200}\n')
        subprocess.run([program, 'record', store, path], check=True, stdout=subprocess.DEVNULL)
        for number in range(-(-rounds // 4)):
            taggers = {name: subprocess.Popen([program, 'tag', store, 'last=12', name], stdout=subprocess.PIPE, text=True)
                       for name in (f't{number}-{w}' for w in range(4))}
            if number % 2:
                time.sleep(rng.random() * 0.02)
                taggers[f't{number}-0'].kill()
            for name, p in taggers.items():
                out = p.communicate(timeout=60)[0]
                assert p.returncode in (0, -9), out
                if p.returncode == 0:
                    assert out.endswith(f'tag {name} on 12 runs\n'), out
                    said.add(name)
        for name in said:
            r = subprocess.run([program, 'list', f'{store}:tag={name}', '--to=csv'], capture_output=True, text=True, check=True)
            assert len(r.stdout.splitlines()) == 13, f'{name} was reported on 12 runs and is on {len(r.stdout.splitlines()) - 1}'
    print(f'{len(said)} tags of 12 runs reported by four at once, all there')


main()
tags()
