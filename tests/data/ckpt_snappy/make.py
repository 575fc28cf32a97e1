#!/usr/bin/env python3
"""Packs the tables of ../ckpt_kinds with snappy, block by block. Python alone: the table after leveldb's
doc/table_format.md, the blocks after snappy's format_description.txt, so that stepstat (which uses libsnappy) had no
part in the files. Run it in this folder; the files do not change when it is run again.

The packer uses literals with their size in the tag and in a byte behind it, copies with offsets of 11, 16 and 32
bits, and copies that overlap what they write; how often, it prints."""
import collections
import shutil

MAGIC = 0xDB4775248B80FB57
RESTART_EVERY = 16
SOURCE = "../ckpt_kinds/"
used = collections.Counter()


# ---- checksum ----

def crc_table():
    for n in range(256):
        for _ in range(8):
            n = n >> 1 ^ (0x82F63B78 if n & 1 else 0)
        yield n


CRC = list(crc_table())


def masked_crc(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ CRC[(crc ^ byte) & 0xFF]
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


# ---- snappy ----

def varint(n):
    out = bytearray()
    while n >= 0x80:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    out.append(n)
    return bytes(out)


def take_varint(data, at):
    n = shift = 0
    while True:
        n |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            return n, at


def literal(data):
    n = len(data) - 1
    if n < 60:
        used["literal"] += 1
        return bytes([n << 2]) + data
    size = 1 if n < 256 else 2
    used["literal, size in %d" % size] += 1
    return bytes([59 + size << 2]) + n.to_bytes(size, "little") + data


def copy(offset, length):
    """Any choice is right where it fits; the widest is taken now and then, so that it occurs."""
    used["overlapping"] += offset < length
    if length % 7 == 0:
        used["copy, 32 bits"] += 1
        return bytes([length - 1 << 2 | 3]) + offset.to_bytes(4, "little")
    if 4 <= length <= 11 and offset < 2048:
        used["copy, 11 bits"] += 1
        return bytes([offset >> 8 << 5 | length - 4 << 2 | 1, offset & 0xFF])
    used["copy, 16 bits"] += 1
    return bytes([length - 1 << 2 | 2]) + offset.to_bytes(2, "little")


def pack(data):
    out, seen, at, start = bytearray(varint(len(data))), {}, 0, 0
    while at < len(data):
        key = data[at:at + 4]
        before = seen.get(key) if len(key) == 4 else None
        seen[key] = at
        if before is None or at - before > 65535:
            at += 1
            continue
        length = 4
        while length < 64 and at + length < len(data) and data[before + length] == data[at + length]:
            length += 1
        if start < at:
            out += literal(data[start:at])
        out += copy(at - before, length)
        at += length
        start = at
    if start < at:
        out += literal(data[start:at])
    return bytes(out)


def unpack(packed):
    size, at = take_varint(packed, 0)
    out = bytearray()
    while at < len(packed):
        tag = packed[at]
        kind, n = tag & 3, tag >> 2
        at += 1
        if kind == 0:
            if n >= 60:
                more = n - 59
                n = int.from_bytes(packed[at:at + more], "little")
                at += more
            out += packed[at:at + n + 1]
            at += n + 1
            continue
        if kind == 1:
            n, offset = (n & 7) + 4, tag >> 5 << 8 | packed[at]
            at += 1
        else:
            wide = 2 if kind == 2 else 4
            n, offset = n + 1, int.from_bytes(packed[at:at + wide], "little")
            at += wide
        assert 0 < offset <= len(out)
        for _ in range(n):
            out.append(out[-offset])
    assert len(out) == size
    return bytes(out)


# ---- tables ----

def entries(block):
    end, at, key = len(block) - 4 - 4 * int.from_bytes(block[-4:], "little"), 0, b""
    while at < end:
        shared, at = take_varint(block, at)
        added, at = take_varint(block, at)
        size, at = take_varint(block, at)
        key = key[:shared] + block[at:at + added]
        at += added
        yield key, block[at:at + size]
        at += size


def plain_block(table, handle):
    offset, at = take_varint(handle, 0)
    size, _ = take_varint(handle, at)
    assert table[offset + size] == 0
    assert masked_crc(table[offset:offset + size + 1]) == int.from_bytes(table[offset + size + 1:offset + size + 5], "little")
    return table[offset:offset + size]


def read_table(table):
    footer = table[-48:]
    _, at = take_varint(footer, 0)
    _, at = take_varint(footer, at)
    for _, handle in entries(plain_block(table, footer[at:])):
        yield from entries(plain_block(table, handle))


def make_block(pairs):
    out, restarts, last = bytearray(), [], b""
    for i, (key, value) in enumerate(pairs):
        shared = 0
        if i % RESTART_EVERY == 0:
            restarts.append(len(out))
        else:
            while shared < min(len(key), len(last)) and key[shared] == last[shared]:
                shared += 1
        out += varint(shared) + varint(len(key) - shared) + varint(len(value)) + key[shared:] + value
        last = key
    for n in (restarts or [0]) + [len(restarts or [0])]:
        out += n.to_bytes(4, "little")
    return bytes(out)


def put_block(file, block):
    packed = pack(block)
    assert unpack(packed) == block
    handle = varint(len(file)) + varint(len(packed))
    stored = packed + b"\1"
    file += stored + masked_crc(stored).to_bytes(4, "little")
    return handle


def make_table(pairs, block_size):
    """A block ends when it has at least so many bytes; its last key is its key in the index."""
    file, index, run = bytearray(), [], []
    for pair in pairs:
        run.append(pair)
        if len(make_block(run)) >= block_size:
            index.append((run[-1][0], put_block(file, make_block(run))))
            run = []
    if run:
        index.append((run[-1][0], put_block(file, make_block(run))))
    footer = put_block(file, make_block([])) + put_block(file, make_block(index))
    return bytes(file) + footer.ljust(40, b"\0") + MAGIC.to_bytes(8, "little")


def repack(name, block_size):
    with open(SOURCE + name, "rb") as f:
        table = f.read()
    with open(name, "wb") as f:
        f.write(make_table(list(read_table(table)), block_size))


repack("v1", 4096)
repack("v1_sharded-00000-of-00002", 4096)
repack("v1_sharded-00001-of-00002", 200)
repack("v2.index", 200)
shutil.copyfile(SOURCE + "v2.data-00000-of-00001", "v2.data-00000-of-00001")
for element in sorted(used):
    print("%6d %s" % (used[element], element))
