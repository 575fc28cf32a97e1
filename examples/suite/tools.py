import json


def count(lines):
    seen = {}
    for line in lines:
        word = line[-3:]
        seen[word] = seen.get(word, 0) + 1
    return seen


def parse(text):
    return [r["id"] for r in json.loads(text)]


def join(lines):
    text = ""
    for line in lines:
        text = text + line + "\n"
    return text


def primes(most):
    sieve = bytearray([1]) * most
    for i in range(2, int(most ** 0.5) + 1):
        if sieve[i]:
            sieve[i * i::i] = bytes(len(range(i * i, most, i)))
    return [i for i in range(2, most) if sieve[i]]
