#!/usr/bin/python3
"""Several trainers of one machine that read the same images at once: over one shared loader of ours, over a loader each, or over a DataLoader each.

Begins every epoch in all trainers together, and with --in-step every batch, as ranks do that average their gradients. Says what dataloader.py says, of all trainers; `items` are those that all of them got.
CPU time and memory are those of the trainers, their workers and loaders, which may belong to another session than this program.
"""
import argparse
import importlib
import json
import os
import pathlib
import subprocess
import sys
import threading
import time

from dataloader import TICKS, say

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from harness import process  # noqa: E402 (after the path is set)

SAMPLE_SECONDS = 0.25


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--kind", choices=("shared", "own", "dataloader", "none"), required=True)
    parser.add_argument("--trainers", type=int, default=8)
    parser.add_argument("--workers", type=int, default=2, help="of each DataLoader")
    parser.add_argument("--decoder", default="pil", help="of the DataLoader")
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--layout", default="nchw")
    parser.add_argument("--dtype", default="float32")
    parser.add_argument("--resize", type=int, default=256)
    parser.add_argument("--size", type=int, default=224)
    parser.add_argument("--augment", action="store_true")
    parser.add_argument("--in-step", action="store_true", help="no trainer takes a batch before all have read the one before")
    parser.add_argument("--name", help="of the shared loader; given to the trainers, which this program starts")
    return parser.parse_args()


def loader_of(options):
    """What a trainer iterates over, how it gets a batch's images, and the number of the loader's process, or 0."""
    if options.kind == "dataloader":
        from torch.utils.data import DataLoader
        from folder import Images
        decoder = importlib.import_module(f"decode_{options.decoder}")
        images = Images(options.folder, decoder.loader(options), options)
        return DataLoader(images, batch_size=options.batch_size, num_workers=options.workers, persistent_workers=True), lambda batch: batch[0], 0
    import jspdl
    loader = jspdl.images(options.folder, size=options.size, resize=options.resize, batch_size=options.batch_size, layout=options.layout,
                          dtype=options.dtype, share=options.name if options.kind == "shared" else False)
    return loader, lambda batch: batch["image"], loader._process.pid


def train(options):
    """One trainer: an epoch for each line that comes in."""
    loader, images, pid = loader_of(options) if options.kind != "none" else ((), None, 0)
    import torch    # as trainers do; the loader starts meanwhile
    print(json.dumps({"loader": pid, "torch": torch.__version__}), flush=True)
    for epoch, _ in enumerate(sys.stdin):
        items = 0
        if epoch == 0 and options.kind == "none":
            print("first", flush=True)
        for batch in loader:
            if epoch == 0 and items == 0:
                print("first", flush=True)
            these = images(batch)
            items += len(these)
            these.sum()
            if options.in_step:
                print("step", flush=True)
                sys.stdin.readline()
        print(json.dumps({"items": items}), flush=True)


class Memory(threading.Thread):
    """The most memory that the processes had at any moment, each page counted once: all of it, and its parts then; and the parts when it was looked at last."""

    def __init__(self, pids, trainers):
        super().__init__(daemon=True)
        self.pids = pids
        self.trainers = trainers
        self.done = threading.Event()
        self.peak = 0
        self.parts = self.last = {}

    def run(self):
        while not self.done.wait(SAMPLE_SECONDS):
            pids = self.pids()
            of = {pid: process.pss_bytes(pid) for pid in pids}
            mapped = sum(shared for _, shared in of.values())
            batches = max(mapped, process.open_shared_memory_bytes(pids))
            self.last = {"batches": batches, "trainers": sum(pss - shared for pid, (pss, shared) in of.items() if pid in self.trainers),
                         "loaders_and_workers": sum(pss - shared for pid, (pss, shared) in of.items() if pid not in self.trainers)}
            if sum(self.last.values()) > self.peak:
                self.peak, self.parts = sum(self.last.values()), self.last


def with_children(roots):
    """The processes of `roots` and all that they have started."""
    parents = {}
    for name in os.listdir("/proc"):
        if name.isdigit() and (fields := stat(name)) is not None:
            parents.setdefault(int(fields[1]), []).append(int(name))
    found, left = [], list(roots)
    while left:
        pid = left.pop()
        if pid not in found:
            found.append(pid)
            left += parents.get(pid, [])
    return found


def stat(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()
    except OSError:
        return None


def cpu_seconds(pids):
    return sum((int(fields[11]) + int(fields[12])) / TICKS for pid in pids if (fields := stat(pid)) is not None)


def go(trainers):
    for trainer in trainers:
        trainer.stdin.write("go\n")
        trainer.stdin.flush()


def heard(trainers):
    """The next line of each."""
    return [trainer.stdout.readline() for trainer in trainers]


def main():
    options = arguments()
    if options.name is not None:
        train(options)
        return
    command = [sys.executable, *sys.argv, "--name", f"benchmark-{os.getpid()}"]
    trainers = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(options.trainers)]
    ready = [json.loads(trainer.stdout.readline()) for trainer in trainers]
    roots = {*(trainer.pid for trainer in trainers), *(each["loader"] for each in ready if each["loader"])}
    say("versions", torch=ready[0]["torch"], trainers=options.trainers)
    memory = Memory(lambda: with_children(roots), {trainer.pid for trainer in trainers})
    memory.start()
    for epoch in range(options.epochs):
        started, cpu = time.monotonic(), cpu_seconds(with_children(roots))
        go(trainers)
        if epoch == 0:
            heard(trainers)
            say("first_batch", trainers=options.trainers)
        while (lines := heard(trainers))[0] == "step\n":
            go(trainers)
        ended = [json.loads(line) for line in lines]
        seconds = time.monotonic() - started
        say("epoch", epoch=epoch, items=sum(each["items"] for each in ended), seconds=seconds, cpu_seconds=cpu_seconds(with_children(roots)) - cpu)
    time.sleep(2 * SAMPLE_SECONDS)
    memory.done.set()
    memory.join()
    say("memory", peak_memory_bytes=memory.peak, parts=memory.parts, at_the_end=memory.last, processes=len(with_children(roots)))
    for trainer in trainers:
        trainer.stdin.close()
    sys.exit(max(trainer.wait() for trainer in trainers))


if __name__ == "__main__":
    main()
