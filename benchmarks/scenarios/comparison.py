"""The page docs/comparison.md: the same images into a Python loop from jspdl, SPDL and PyTorch's DataLoader, on one processor and on all.

Every command makes the same output from the same files in the same order: shorter side to 256 with antialiasing, center crop of 224, batches of 64;
the loop sums each batch. Each has as many workers (threads, or processes of the DataLoader) as processors; jspdl also finds out by itself how many (auto, its default). The first epoch is told from the start of the process,
imports and virtual machine included; speed and CPU time of all processes are those of the last. SPDL takes part if `--spdl` names a Python in which it is installed,
by its own instructions, beside PyTorch.
"""
import os
import pathlib
import statistics
import subprocess

from harness.rounds import Contestant
from scenarios import python
from scenarios.images import DECODERS, HERE, JSPDL, events_of, read_events, read_once

OURS = "jspdl"
TASKS = ("image", "batch")      # of SPDL: what one call decodes


def add_options(parser):
    parser.add_argument("--data", type=pathlib.Path, help="a folder with one folder a class (default: 2,000 sample photographs)")
    parser.add_argument("--layout", choices=("nhwc", "nchw"), default="nchw")
    parser.add_argument("--dtype", choices=("uint8", "float32"), default="float32")
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=6, help="of which the first and the last are told (default 6)")
    parser.add_argument("--processors", default=",".join(sorted({"1", str(len(os.sched_getaffinity(0)))})),
                        help="how many each may use (default: one, and all)")
    parser.add_argument("--python", metavar="PYTHON", default=python.PYTHON,
                        help=f"of jspdl and the DataLoader: one with PyTorch, torchvision, Pillow and OpenCV (default: {python.PYTHON}, with Debian's)")
    parser.add_argument("--spdl", metavar="PYTHON", help="a Python in which SPDL and PyTorch are installed")


def setting(options):
    return {"data": options.data.name, "layout": options.layout, "dtype": options.dtype, "batch": options.batch_size, "epochs": options.epochs,
            "reading": "sum", "transform": "shorter side 256, center crop 224"}


def contestants(options):
    if options.python == python.PYTHON:
        subprocess.run([HERE / "peers" / "install"], check=True)
    environment = python.package()
    subprocess.run([options.python, "-m", "jspdl", "prepare"], check=True, env={**os.environ, **environment}, capture_output=True)
    if options.data is None:
        made = subprocess.run([JSPDL, "sample", "--images", "2000", "--no-progress"], check=True, capture_output=True, text=True)
        options.data = pathlib.Path(made.stdout.strip().splitlines()[-1])
    read_once(options.data)
    same = [str(options.data), "--batch-size", str(options.batch_size), "--epochs", str(options.epochs), "--layout", options.layout,
            "--dtype", options.dtype, "--read"]
    cores = sorted(os.sched_getaffinity(0))
    found = []
    for number in map(int, options.processors.split(",")):
        pinned = ["taskset", "-c", ",".join(map(str, cores[:number]))]

        def play(name, interpreter, program, *more, environment=environment, workers=str(number)):
            found.append(Contestant(f"{name}, {number} processor{'s' if number > 1 else ''}",
                                    [*pinned, interpreter, str(HERE / "peers" / program), *same, *more, "--workers", workers],
                                    read, environment, work=f"{number} processors"))

        play(OURS, options.python, "jspdl_loader.py")
        play(f"{OURS}, auto", options.python, "jspdl_loader.py", workers="auto")
        if options.spdl:
            for task in TASKS:
                play(f"SPDL, a task is {'an' if task == 'image' else 'a'} {task}", options.spdl, "spdl_loader.py", "--task", task, environment={})
        for decoder in DECODERS:
            play(f"DataLoader, {decoder}", options.python, "dataloader.py", "--decoder", decoder, environment={})
    return found


def read(outcome):
    return {**read_events(outcome), **first_epoch(outcome)}


def first_epoch(outcome):
    """Seconds and CPU seconds from the start of the process to the end of its first epoch."""
    at, event = next((at, event) for at, event in events_of(outcome) if event["event"] == "epoch")
    return {"first_epoch_seconds": at, "first_epoch_cpu_seconds": event["cpu_so_far"]}


def summary(results):
    """The page's table."""
    lines = ["", "| loader | images/s | CPU-s per 1,000 | peak memory | first batch | first epoch | its CPU-s |",
             "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"]
    for name in dict.fromkeys(result["name"] for result in results):
        middle = {key: statistics.median(result[key] for result in results if result["name"] == name)
                  for key in ("items_per_second", "cpu_seconds_per_1000_items", "peak_memory_bytes", "first_batch_seconds", "first_epoch_seconds",
                              "first_epoch_cpu_seconds")}
        lines.append(f"| {name} | {middle['items_per_second']:,.0f} | {middle['cpu_seconds_per_1000_items']:.2f} "
                     f"| {middle['peak_memory_bytes'] / 2**20:,.0f} MiB | {middle['first_batch_seconds']:.2f} s "
                     f"| {middle['first_epoch_seconds']:.1f} s | {middle['first_epoch_cpu_seconds']:.1f} |")
    return "\n".join(lines)
