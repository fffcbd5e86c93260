#!/usr/bin/python3
"""Batches of bytes, made in another process and taken by a loop that does nothing: ours without --workers, PyTorch's with."""
import argparse
import time

import torch
from dataloader import cpu_seconds, say
from torch.utils.data import DataLoader, Dataset


class Filled(Dataset):
    def __init__(self, size, count):
        self.size, self.count = size, count

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        return torch.full((self.size,), index % 256, dtype=torch.uint8)


def ours(options):
    import jspdl
    plan = {"source": {"range": {"size": options.batches}}, "steps": [{"filled-tensor": {"bytes": options.bytes}, "cpu": 1}]}
    return jspdl.plan(plan, epochs=1, arrays="torch")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bytes", type=int, required=True)
    parser.add_argument("--batches", type=int, required=True)
    parser.add_argument("--workers", type=int)
    options = parser.parse_args()
    loader = ours(options) if options.workers is None else DataLoader(
        Filled(options.bytes, options.batches), batch_size=None, num_workers=options.workers,
        persistent_workers=options.workers > 0)      # alive when their CPU time is read
    say("versions", torch=torch.__version__)
    started, cpu, items = 0.0, 0.0, 0
    for number, _ in enumerate(loader):
        if number == 0:
            say("first_batch")
        if number == options.batches // 2:
            started, cpu, items = time.monotonic(), cpu_seconds(), 0
        items += 1
    seconds = time.monotonic() - started
    figures = {}
    if options.workers is None:
        figures["hand_over_microseconds"] = 1e6 * loader.stats()["trainer"]["seconds_since_sent"]
    say("epoch", items=items, seconds=seconds, cpu_seconds=cpu_seconds() - cpu, **figures)


if __name__ == "__main__":
    main()
