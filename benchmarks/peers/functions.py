#!/usr/bin/python3
"""A dataset in Python, whose items take about a millisecond of NumPy each, through jspdl.from_dataset or through PyTorch's DataLoader.

Says what dataloader.py says. PYTHONPATH and JSPDL_CLASSPATH say where jspdl is.
"""
import argparse
import time

import numpy
from dataloader import cpu_seconds, say

SHAPE = (3, 96, 96)


class Computed:
    """Items that are computed, the same work for each."""

    def __init__(self, size, work):
        self.size = size
        self.work = work

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        array = numpy.full(SHAPE, index, "float32")
        for _ in range(self.work):
            array = numpy.sqrt(array * array + 1)
        return array, index


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--loader", choices=("jspdl", "dataloader"), required=True)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--items", type=int, default=4000)
    parser.add_argument("--work", type=int, default=64, help="rounds of arithmetic for an item")
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=2)
    return parser.parse_args()


def made(options, dataset):
    if options.loader == "jspdl":
        import jspdl
        return jspdl.from_dataset(dataset, batch_size=options.batch_size, processes=options.workers, arrays="torch")
    from torch.utils.data import DataLoader
    return DataLoader(dataset, batch_size=options.batch_size, num_workers=options.workers, persistent_workers=True)


def main():
    options = arguments()
    import torch
    dataset = Computed(options.items, options.work)
    began = time.monotonic()
    for n in range(100):
        dataset[n]
    item = (time.monotonic() - began) / 100
    loader = made(options, dataset)
    say("versions", torch=torch.__version__, numpy=numpy.__version__, item_microseconds=round(item * 1e6))
    for epoch in range(options.epochs):
        started, cpu, items = time.monotonic(), cpu_seconds(), 0
        for arrays, _ in loader:
            if epoch == 0 and items == 0:
                say("first_batch", shape=list(arrays.shape), dtype=str(arrays.dtype))
            items += len(arrays)
        say("epoch", epoch=epoch, items=items, seconds=time.monotonic() - started, cpu_seconds=cpu_seconds() - cpu)


if __name__ == "__main__":
    main()
