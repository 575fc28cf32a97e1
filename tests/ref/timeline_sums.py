#!/usr/bin/env python3
"""Sums of TensorFlow timelines without stepstat.

  timeline_sums.py run-metadata MODEL STEP=FILE...   from RunMetadata: all_end_rel_micros, as timeline.py writes it
  timeline_sums.py timeline NAME@STEP=FILE...        from timelines; merged ones are cut in the order of the file
  timeline_sums.py all NAME=FILE...                  per type over all rows, as name,count,sum_us

Rows are source,step,op,type,cpu_us,accelerator_us,calls (no type from RunMetadata). Rules of devices: accelerator time is that of
stream:all; cpu time and calls are those of devices of the session; _SOURCE, RecvTensor and MEMCPY are no ops.
"""
import collections
import csv
import gzip
import json
import re
import sys

HOST = re.compile(r'.*/(device:gpu|gpu|device:cpu|cpu|device:sycl):\d+$')


def read(path):
    with open(path, 'rb') as f:
        data = f.read()
    return gzip.decompress(data) if data[:2] == b'\x1f\x8b' else data


def varint(data, i):
    value = shift = 0
    while True:
        value |= (data[i] & 127) << shift
        shift += 7
        i += 1
        if data[i - 1] < 128:
            return value, i


def fields(data):
    i = 0
    while i < len(data):
        key, i = varint(data, i)
        if key & 7 == 0:
            value, i = varint(data, i)
        elif key & 7 == 2:
            size, i = varint(data, i)
            value, i = data[i:i + size], i + size
        else:
            size = {1: 8, 5: 4}[key & 7]
            value, i = data[i:i + size], i + size
        yield key >> 3, value


def counts(name):
    return name not in ('_SOURCE', 'RecvTensor') and 'MEMCPY' not in name


class Sums:
    def __init__(self):
        self.rows = collections.defaultdict(lambda: [0, 0, 0])
        self.types = {}

    def add(self, step, device, op, kind, dur):
        whole, host = 'stream:all' in device, bool(HOST.match(device))
        if not counts(op) or not (whole or host):
            return
        row = self.rows[step, op]
        row[1 if whole else 0] += dur
        row[2] += host
        if host or op not in self.types:
            self.types[op] = kind

    def write(self, source, out):
        for (step, op), row in sorted(self.rows.items()):
            out.writerow([source, step, op, self.types[op], *row])


def run_metadata(sums, step, path):
    for number, step_stats in fields(read(path)):
        if number != 1:
            continue
        for _, device in (x for x in fields(step_stats) if x[0] == 1):
            parts = list(fields(device))
            name = dict(parts)[1].decode().lower()
            for _, node in (x for x in parts if x[0] == 2):
                f = dict(x for x in fields(node) if x[0] in (1, 2, 5))
                if f.get(2, 0) > 0:
                    sums.add(step, name, f[1].decode().split(':')[0], '', f.get(5, 0))


def executions(path):
    events = json.loads(read(path))['traceEvents']
    names = {e['pid']: e['args']['name'] for e in events if e['ph'] == 'M' and e['name'] == 'process_name'}
    for e in events:
        if e['ph'] == 'X':
            yield e, names[e['pid']].removesuffix(' Compute').lower()


def timeline(sums, step, path):
    begun = set()
    for e, device in executions(path):
        if e['args']['name'] == '_SOURCE':
            if e['pid'] in begun:  # the next of the timelines that were put behind each other
                step, begun = step + 1, set()
            begun.add(e['pid'])
        sums.add(step, device, e['args']['name'], e['args']['op'], e['dur'])


def all_rows(path, out):
    rows = collections.defaultdict(lambda: [0, 0])
    for e, _ in executions(path):
        rows[e['name']][0] += 1
        rows[e['name']][1] += e['dur']
    for name, row in sorted(rows.items()):
        out.writerow([name, *row])


def main():
    out = csv.writer(sys.stdout, lineterminator='\n')
    if sys.argv[1] == 'run-metadata':
        sums = Sums()
        for arg in sys.argv[3:]:
            step, path = arg.split('=', 1)
            run_metadata(sums, int(step), path)
        sums.write(sys.argv[2], out)
        return
    for arg in sys.argv[2:]:
        source, path = arg.split('=', 1)
        if sys.argv[1] == 'all':
            all_rows(path, out)
            continue
        source, step = source.split('@')
        sums = Sums()
        timeline(sums, int(step), path)
        sums.write(source, out)


main()
