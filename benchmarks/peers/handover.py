#!/usr/bin/python3
"""Batches of bytes, made in another process and taken by a loop that does nothing: ours without --workers, PyTorch's with."""
import argparse
import statistics
import time

import torch
from dataloader import cpu_seconds, say
from torch.utils.data import DataLoader, Dataset

LEAST = 5      # batches of a kind, for a median


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


class Moments:
    """What becomes of single batches of ours, read off the hand-over: those that were waited for, and those that were there already."""

    def __init__(self, loader):
        self.sent = 0
        self.waited_for, self.there_already = [], []
        take = loader._figures.took

        def took(size, nanos):
            self.sent = time.monotonic_ns() - nanos
            take(size, nanos)

        loader._figures.took = took

    def took(self, asked):
        now = time.monotonic_ns()
        if self.sent > asked:
            self.waited_for.append(now - self.sent)
        else:
            self.there_already.append(now - asked)

    def figures(self):
        return {"waited_for_microseconds": microseconds(self.waited_for), "there_already_microseconds": microseconds(self.there_already)}


def microseconds(nanos):
    return statistics.median(nanos) / 1e3 if len(nanos) >= LEAST else None


def work(seconds):
    """A trainer that computes on its processor."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bytes", type=int, required=True)
    parser.add_argument("--batches", type=int, required=True)
    parser.add_argument("--workers", type=int)
    parser.add_argument("--step", type=float, default=0, help="seconds that the trainer computes between batches (default 0)")
    options = parser.parse_args()
    loader = ours(options) if options.workers is None else DataLoader(
        Filled(options.bytes, options.batches), batch_size=None, num_workers=options.workers,
        persistent_workers=options.workers > 0)      # alive when their CPU time is read
    say("versions", torch=torch.__version__)
    moments = Moments(loader) if options.workers is None else None
    started, cpu, items = 0.0, 0.0, 0
    batches = iter(loader)
    for number in range(options.batches):
        asked = time.monotonic_ns()
        batch = next(batches)
        if moments is not None and number > options.batches // 2:
            moments.took(asked)
        if number == 0:
            say("first_batch")
        if number == options.batches // 2:
            started, cpu, items = time.monotonic(), cpu_seconds(), 0
        items += 1
        if options.step:
            work(options.step)
        del batch
    seconds = time.monotonic() - started
    figures = moments.figures() if moments is not None else {}
    say("epoch", items=items, seconds=seconds, cpu_seconds=cpu_seconds() - cpu, **figures)


if __name__ == "__main__":
    main()
