#!/usr/bin/python3
"""A trainer that validates after each epoch: two loaders of ours, in one virtual machine (`--kind together`) or in one each (`apart`).

Says what dataloader.py says of training, and of each validation how long its first batch took, from the call that makes the loader the first time.
"""
import argparse
import os
import sys
import time

import jspdl
from dataloader import say
from trainers import SAMPLE_SECONDS, Memory, cpu_seconds, with_children


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--kind", choices=("together", "apart"), required=True)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=3)
    return parser.parse_args()


def main():
    options = arguments()
    own = {"share": True} if options.kind == "together" else {"share": False}
    train = jspdl.images(options.folder, size=224, batch_size=options.batch_size, random_resized_crop=True, flip=0.5, shuffle=True, seed=1, **own)
    import torch    # as trainers do; the loader starts meanwhile
    say("versions", jspdl=jspdl.__version__, torch=torch.__version__)
    roots = {os.getpid(), train._process.pid}
    memory = Memory(lambda: with_children(roots), {os.getpid()})
    memory.start()
    valid = None
    for epoch in range(options.epochs):
        started, cpu, items = time.monotonic(), cpu_seconds(with_children(roots)), 0
        for batch in train:
            if epoch == 0 and items == 0:
                say("first_batch")
            items += len(batch["image"])
            batch["image"].sum()
        say("epoch", epoch=epoch, items=items, seconds=time.monotonic() - started, cpu_seconds=cpu_seconds(with_children(roots)) - cpu)
        started, cpu, items, first = time.monotonic(), cpu_seconds(with_children(roots)), 0, None
        if valid is None:
            valid = jspdl.images(options.folder, size=224, resize=256, batch_size=options.batch_size, **own)
            roots.add(valid._process.pid)
        for batch in valid:
            first = first or time.monotonic() - started
            items += len(batch["image"])
            batch["image"].sum()
        say("validation", epoch=epoch, items=items, first_batch_seconds=first, seconds=time.monotonic() - started, cpu_seconds=cpu_seconds(with_children(roots)) - cpu)
    time.sleep(2 * SAMPLE_SECONDS)
    memory.done.set()
    memory.join()
    say("memory", peak_memory_bytes=memory.peak, parts=memory.parts, at_the_end=memory.last, processes=len(with_children(roots)))
    train.close()
    valid.close()


if __name__ == "__main__":
    sys.exit(main())
