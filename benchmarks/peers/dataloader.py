#!/usr/bin/python3
"""PyTorch's DataLoader over a folder of images: shorter side to 256, center crop 224, antialiased, in batches; or, augmented,
random resized crop, flip and normalization.

Prints one JSON object a line: `versions`, `first_batch`, and `epoch` with its items, seconds and CPU seconds (workers included).
Moments are of the monotonic clock, which all processes share.
"""
import argparse
import importlib
import json
import os
import pathlib
import time

TICKS = os.sysconf("SC_CLK_TCK")


def say(event, **values):
    print(json.dumps({"event": event, "at": time.monotonic(), **values}), flush=True)


def cpu_seconds():
    """CPU time of this process, and of those that it and they have started, as far as they live: workers, loaders and their helpers."""
    spent, started = {}, {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        spent[int(name)] = (int(fields[11]) + int(fields[12])) / TICKS
        started.setdefault(int(fields[1]), []).append(int(name))
    total, left = time.process_time(), list(started.get(os.getpid(), []))
    while left:
        pid = left.pop()
        total += spent[pid]
        left += started.get(pid, [])
    return total


def play(options, batches, images):
    """Goes through the epochs, of which each call of `batches` gives one, and says how long each took; `images` gets a batch's."""
    for epoch in range(options.epochs):
        started, cpu, items = time.monotonic(), cpu_seconds(), 0
        for batch in batches():
            these = images(batch)
            if epoch == 0 and items == 0:
                say("first_batch", shape=list(these.shape), dtype=str(these.dtype))
            items += len(these)
            if options.read:
                these.sum()
        say("epoch", epoch=epoch, items=items, seconds=time.monotonic() - started, cpu_seconds=cpu_seconds() - cpu,
            cpu_so_far=cpu_seconds())


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path, help="one folder a class")
    parser.add_argument("--decoder", choices=("torchvision", "pil", "opencv"), required=True)
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--resize", type=int, default=256)
    parser.add_argument("--size", type=int, default=224)
    parser.add_argument("--layout", choices=("nhwc", "nchw"), default="nhwc")
    parser.add_argument("--dtype", choices=("uint8", "float32"), default="uint8")
    parser.add_argument("--augment", action="store_true", help="random resized crop and flip; normalized if floats")
    parser.add_argument("--read", action="store_true", help="read every batch once, as a trainer does")
    return parser.parse_args()


def main():
    options = arguments()
    import torch
    from torch.utils.data import DataLoader

    decoder = importlib.import_module(f"decode_{options.decoder}")
    from folder import Images

    images = Images(options.folder, decoder.loader(options), options)
    loader = DataLoader(images, batch_size=options.batch_size, num_workers=options.workers,
                        persistent_workers=options.workers > 0)
    say("versions", torch=torch.__version__, **decoder.versions())
    play(options, lambda: loader, lambda batch: batch[0])


if __name__ == "__main__":
    main()
