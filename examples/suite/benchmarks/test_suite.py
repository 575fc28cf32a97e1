"""A few things that a program does often; no two take the same time."""
import hashlib
import json
import re
import zlib

import tools

NUMBERS = [(i * 7919) % 10007 for i in range(3000)]
LINES = ["%d 10.0.%d.%d GET /a/%d 200" % (i, i % 7, i % 251, n) for i, n in enumerate(NUMBERS)]
RECORDS = json.dumps([{"id": n, "name": "x" * (n % 13), "tags": ["a", "b"]} for n in NUMBERS[:400]])
BYTES = " ".join(LINES).encode()


def test_sort(benchmark):
    benchmark(sorted, NUMBERS)


def test_count(benchmark):
    benchmark(tools.count, LINES)


def test_parse(benchmark):
    benchmark(tools.parse, RECORDS)


def test_dump(benchmark):
    records = json.loads(RECORDS)
    benchmark(json.dumps, records)


def test_match(benchmark):
    pattern = re.compile(r"(\d+)\.(\d+)\.(\d+)\.(\d+)")
    benchmark(lambda: [m.group(3) for line in LINES[:800] if (m := pattern.search(line))])


def test_split(benchmark):
    benchmark(lambda: [line.split() for line in LINES])


def test_join(benchmark):
    benchmark(tools.join, LINES)


def test_sha256(benchmark):
    benchmark(lambda: hashlib.sha256(BYTES).hexdigest())


def test_compress(benchmark):
    benchmark(zlib.compress, BYTES, 1)


def test_crc(benchmark):
    benchmark(zlib.crc32, BYTES)


def test_set(benchmark):
    benchmark(lambda: {n % 997 for n in NUMBERS})


def test_primes(benchmark):
    benchmark(tools.primes, 3000)
