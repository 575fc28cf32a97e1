"""Makes the traces of this folder: a small model trained by PyTorch on 8 ranks (gloo, CPU), 3 runs.

Usage: python make_gloo.py FOLDER    (writes FOLDER/run{1,2,3}/rank{0..7}.json.gz)

Rank 5 multiplies its matrices EXTRA more times in each step: it is the slow one. Gradients are
averaged by hand, one all_reduce a layer, after the backward pass, so that the wait of the other
ranks is in the collectives and nowhere else.

The work of a step is long against the time slices of the machine (two cores for eight ranks), so
that all ranks get as much of it; a short step is as long as its rank is interrupted.
"""
import gzip
import os
import shutil
import socket
import sys

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.profiler import ProfilerActivity, profile, schedule

RANKS, RUNS, STEPS, WARMUP, SLOW, EXTRA = 8, 3, 6, 3, 5, 12
WIDTH, BATCH, LAYERS = 256, 4096, 2


def step(layers, slow_by):
    x = torch.randn(BATCH, WIDTH)
    for _ in range(1 + slow_by):
        y = x
        for layer in layers:
            y = torch.tanh(y @ layer)
        grads = [x.t() @ y for _ in layers]
    for grad in grads:
        dist.all_reduce(grad)
    for layer, grad in zip(layers, grads):
        layer.sub_(grad, alpha=1e-4 / RANKS)


def work(rank, run, port, folder):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    torch.set_num_threads(1)
    torch.manual_seed(100 * run + rank)
    dist.init_process_group("gloo", rank=rank, world_size=RANKS)
    layers = [torch.randn(WIDTH, WIDTH) / 16 for _ in range(LAYERS)]
    path = os.path.join(folder, f"rank{rank}.json")
    with profile(activities=[ProfilerActivity.CPU],
                 schedule=schedule(wait=0, warmup=WARMUP, active=STEPS, repeat=1),
                 on_trace_ready=lambda p: p.export_chrome_trace(path)) as prof:
        for _ in range(WARMUP + STEPS):
            step(layers, EXTRA if rank == SLOW else 0)
            prof.step()
    dist.barrier()
    dist.destroy_process_group()
    with open(path, "rb") as source, gzip.GzipFile(path + ".gz", "wb", 9, mtime=0) as packed:
        shutil.copyfileobj(source, packed)
    os.remove(path)


def main(folder):
    for run in range(1, RUNS + 1):
        where = os.path.join(folder, f"run{run}")
        os.makedirs(where, exist_ok=True)
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            port = s.getsockname()[1]
        mp.start_processes(work, args=(run, port, where), nprocs=RANKS, start_method="fork")


if __name__ == "__main__":
    with torch.no_grad():
        main(sys.argv[1])
