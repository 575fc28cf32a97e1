#!/usr/bin/env python3
"""The reference of `make bench`: mean and CV per op of four measures of a TensorFlow profile, as one
would write it with the protobuf package of PyPI and Python's own statistics module.
usage: reduce.py PROFILE OUT.csv, or --parse PROFILE (only reads it), or --version

The message classes are built from the table below, so that neither protoc nor TensorFlow is needed.
"""
import csv
import statistics
import sys

import google.protobuf
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.internal import api_implementation

SCHEMA = {
    "ProfileProto": "nodes=1 map int64 ProfileNode; has_trace=2 bool; steps=3 * int64;"
    " id_to_string=4 map int64 string; miss_accelerator_stream=5 bool",
    "ProfileNode": "name=1 string; inputs=2 map int32 int64; outputs=3 map int32 int64;"
    " shape=4 * int64; op_types=5 * string; canonical_device=6 string; host_device=7 string;"
    " float_ops=8 int64; op=9 string; trace=10 CodeDef; attrs=11 map string AttrValue;"
    " execs=12 map int64 ExecProfile; id=13 int64; src_output_index=14 map int64 int32;"
    " output_shapes=15 map int32 Tuple; input_shapes=16 map int32 Tuple",
    "ExecProfile": "run_count=1 int64; all_start_micros=2 int64; latest_end_micros=3 int64;"
    " accelerator_execs=4 map string ExecTime; cpu_execs=5 map string ExecTime;"
    " devices=6 * string; memory_execs=7 * ExecMemory; allocations=11 * AllocationRecord",
    "ExecTime": "times=1 * Tuple",
    "Tuple": "int64_values=1 * int64",
    "ExecMemory": "memory_micros=1 int64; host_temp_bytes=2 int64; host_persistent_bytes=3 int64;"
    " accelerator_temp_bytes=4 int64; accelerator_persistent_bytes=5 int64;"
    " requested_bytes=6 int64; peak_bytes=7 int64; residual_bytes=8 int64; output_bytes=9 int64;"
    " allocator_bytes_in_use=10 int64; output_memory=11 map int32 Memory",
    "Memory": "bytes=1 int64; ptr=2 uint64",
    "AllocationRecord": "alloc_micros=1 int64; alloc_bytes=2 int64",
    "CodeDef": "traces=1 * Trace",
    "Trace": "file=1 string; lineno=2 int32; function=3 string; line=4 string;"
    " func_start_line=5 int32; file_id=6 int64; function_id=7 int64; line_id=8 int64",
    "AttrValue": "list=1 ListValue; s=2 bytes; i=3 int64; f=4 float; b=5 bool; type=6 int32;"
    " shape=7 TensorShape; tensor=8 Tensor",
    "ListValue": "s=2 * bytes; i=3 * int64; f=4 * float; b=5 * bool; type=6 * int32;"
    " shape=7 * TensorShape; tensor=8 * Tensor",
    "TensorShape": "dim=2 * Dim; unknown_rank=3 bool",
    "Dim": "size=1 int64; name=2 string",
    "Tensor": "dtype=1 int32; tensor_shape=2 TensorShape; version_number=3 int32;"
    " tensor_content=4 bytes; float_val=5 * float; int_val=7 * int32",
}
Field = descriptor_pb2.FieldDescriptorProto


def add_field(message, name, number, repeated, kind):
    field = message.field.add(name=name, number=number)
    field.label = Field.LABEL_REPEATED if repeated else Field.LABEL_OPTIONAL
    if kind in SCHEMA or kind.startswith("."):
        field.type = Field.TYPE_MESSAGE
        field.type_name = kind if kind.startswith(".") else ".bench." + kind
    else:
        field.type = getattr(Field, "TYPE_" + kind.upper())


def add_map(message, name, number, key, value):
    entry_name = "".join(part.capitalize() for part in name.split("_")) + "Entry"
    entry = message.nested_type.add(name=entry_name)
    entry.options.map_entry = True
    add_field(entry, "key", 1, False, key)
    add_field(entry, "value", 2, False, value)
    add_field(message, name, number, True, f".bench.{message.name}.{entry_name}")


def profile_class():
    file = descriptor_pb2.FileDescriptorProto(
        name="bench.proto", package="bench", syntax="proto3")
    for name, fields in SCHEMA.items():
        message = file.message_type.add(name=name)
        for field in fields.split(";"):
            label, *kind = field.split()
            field_name, number = label.split("=")
            if kind[0] == "map":
                add_map(message, field_name, int(number), *kind[1:])
            else:
                add_field(message, field_name, int(number), kind[0] == "*", kind[-1])
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file) if hasattr(pool, "Add") else pool.AddSerializedFile(file.SerializeToString())
    descriptor = pool.FindMessageTypeByName("bench.ProfileProto")
    if hasattr(message_factory, "GetMessageClass"):
        return message_factory.GetMessageClass(descriptor)
    return message_factory.MessageFactory(pool).GetPrototype(descriptor)


def micros(execs):
    return sum(t.int64_values[1] for e in execs.values() for t in e.times)


def mean_and_cv(values):
    mean = statistics.fmean(values)
    return mean, 100 * statistics.stdev(values) / mean if mean else 0.0


def reduce_profile(profile):
    steps = {step: i for i, step in enumerate(sorted(profile.steps))}
    for node in profile.nodes.values():
        if not node.execs:
            continue
        series = [[0] * len(steps) for _ in range(4)]
        for step, run in node.execs.items():
            at = steps[step]
            accelerator, cpu = micros(run.accelerator_execs), micros(run.cpu_execs)
            series[0][at] = sum(m.requested_bytes for m in run.memory_execs)
            series[1][at] = accelerator + cpu
            series[2][at] = accelerator
            series[3][at] = cpu
        yield [node.name] + [x for values in series for x in mean_and_cv(values)]


def read_profile(path):
    profile = profile_class()()
    with open(path, "rb") as file:
        profile.ParseFromString(file.read())
    return profile


def main(first, second=None):
    if first == "--version":
        print(f"protobuf {google.protobuf.__version__} ({api_implementation.Type()}),"
              f" Python {sys.version.split()[0]}")
    elif first == "--parse":
        read_profile(second)
    else:
        profile = read_profile(first)
        with open(second, "w", newline="") as file:
            csv.writer(file).writerows(sorted(reduce_profile(profile)))


main(*sys.argv[1:])
