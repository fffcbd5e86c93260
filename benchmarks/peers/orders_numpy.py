"""Visits samples in the order of numpy's permutation, epoch after epoch: what most Python samplers do."""
import argparse
import json
import time

import numpy


def visit(size, items, seed):
    total, left = 0, items
    while left:
        order = numpy.random.default_rng(seed).permutation(size)
        seed += 1
        for index in order[:left].tolist() if size <= 10**7 else map(int, order[:left]):
            total += index
        left -= min(left, size)
    return total


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("size", type=int)
    parser.add_argument("items", type=int)
    options = parser.parse_args()
    print(json.dumps({"event": "versions", "numpy": numpy.__version__}), flush=True)
    total = visit(options.size, 1, 0)
    print(json.dumps({"event": "first_batch"}), flush=True)
    for epoch in range(2):
        start, cpu = time.perf_counter(), time.process_time()
        total += visit(options.size, options.items, epoch)
        print(json.dumps({"event": "epoch", "items": options.items, "seconds": time.perf_counter() - start,
                          "cpu_seconds": time.process_time() - cpu, "sum": total}), flush=True)


if __name__ == "__main__":
    main()
