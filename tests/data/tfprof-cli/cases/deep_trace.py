"""Writes a dump of three ops whose code traces are ten deep: deep_trace.py OUT

conv, 100 us: m0.py:10:level_0 to m9.py:19:level_9, by ids of strings. matmul, 40 us: the first five of them, then
n5.py:25 to n9.py:29 with a function of a long name, as strings. The gradient of conv, 3 us, has a trace of its own that
does not count.
"""
import sys


def varint(n):
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def number(field, n):
    return varint(field << 3) + varint(n)


def part(field, *parts):
    data = b"".join(p if isinstance(p, bytes) else p.encode() for p in parts)
    return varint(field << 3 | 2) + varint(len(data)) + data


def frame(file, line, function):
    return part(1, file, number(2, line), function)


def node(key, name, op, frames, micros):
    cpu = "/job:localhost/replica:0/task:0/device:cpu:0"
    time = part(1, part(1, varint(1000), varint(micros)))
    run = number(1, 1) + number(2, 1000) + number(3, 1000 + micros) + part(5, part(1, cpu), part(2, time))
    own = part(1, name) + part(5, op) + part(5, cpu) + part(6, cpu) + part(9, op) + part(10, *frames)
    return part(1, number(1, key), part(2, own, part(12, number(1, 0), part(2, run)), number(13, key)))


ids = [frame(number(6, 100 + i), 10 + i, number(7, 200 + i)) for i in range(10)]
words = [frame(part(1, "/src/n%d.py" % i), 20 + i, part(3, "a_function_of_a_long_name")) for i in range(5, 10)]
strings = {100 + i: "/src/m%d.py" % i for i in range(10)} | {200 + i: "level_%d" % i for i in range(10)}
with open(sys.argv[1], "wb") as out:
    out.write(node(0, "net/conv", "Conv2D", ids, 100))
    out.write(node(1, "net/matmul", "MatMul", ids[:5] + words, 40))
    out.write(node(2, "gradients/net/conv_grad/Back", "Conv2DBackpropInput", words[:1], 3))
    out.write(number(2, 1) + part(3, varint(0)))
    for key, text in strings.items():
        out.write(part(4, number(1, key), part(2, text)))
