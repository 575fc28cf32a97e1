#!/usr/bin/env python3
"""Sums durations by name with jax.profiler.ProfileData (PyPI's jax): what one would take instead.

usage: xplane_peer.py FILE.xplane.pb    (prints the CPU time of that, without starting Python)
"""
import sys
import time

import jax

start = time.process_time()
total, events = {}, 0
for plane in jax.profiler.ProfileData.from_file(sys.argv[1]).planes:
    for line in plane.lines:
        for event in line.events:
            events += 1
            total[event.name] = total.get(event.name, 0) + event.duration_ns
cpu = time.process_time() - start
print(f"  ProfileData of jax {jax.__version__}: {events} events, {cpu:.2f} s of CPU, {events / cpu / 1e6:.2f} M events/s")
