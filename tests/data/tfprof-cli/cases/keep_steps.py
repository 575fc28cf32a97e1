"""Writes a dump again with some of its steps: keep_steps.py DUMP.gz OUT STEP..."""
import gzip
import sys


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at


def put(value):
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def fields(data):
    """Number, wire type, value, and the bytes of the whole field."""
    at = 0
    while at < len(data):
        start = at
        tag, at = varint(data, at)
        value, end = varint(data, at)
        if tag & 7 == 2:
            value, end = data[end:end + value], end + value
        yield tag >> 3, tag & 7, value, data[start:end]
        at = end


def key(entry):
    return next((v for n, _, v, _ in fields(entry) if n == 1), 0)


def message(number, parts):
    data = b"".join(parts)
    return put(number << 3 | 2) + put(len(data)) + data


def node(data):
    return [raw for n, _, v, raw in fields(data) if n != 12 or key(v) in steps]


def entry(data):
    return [message(2, node(v)) if n == 2 else raw for n, _, v, raw in fields(data)]


steps = [int(word) for word in sys.argv[3:]]
with gzip.open(sys.argv[1]) as file, open(sys.argv[2], "wb") as out:
    for number, kind, value, raw in fields(file.read()):
        if number == 1:
            raw = message(1, entry(value))
        elif number == 3:
            raw = message(3, map(put, steps)) if kind == 2 else raw if value in steps else b""
        out.write(raw)
