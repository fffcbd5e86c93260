"""Several trainers of a machine that read the same images: one loader for all of them, a loader each, or a DataLoader each.

All get the same batches in the same order and sum each; epochs begin together, and "in step" each batch, as of ranks that average gradients. Images a second are those that all trainers got, so one
loader that decodes each image once may give as many times more as there are trainers. Speed and CPU time, of all processes, are those of
the last epoch. One trainer with a loader of its own, and trainers that load nothing, are measured as well.
"""
import os
import pathlib
import subprocess

from harness import table
from harness.rounds import Contestant
from scenarios.images import HERE, JSPDL, events_of, read_events, read_once
from scenarios.python import PYTHON, package

OURS = "jspdl, shared"


def add_options(parser):
    parser.add_argument("--data", type=pathlib.Path, help="a folder with one folder a class (default: the sample dataset)")
    parser.add_argument("--trainers", type=int, default=8)
    parser.add_argument("--workers", type=int, default=2, help="of each DataLoader (default 2)")
    parser.add_argument("--decoder", default="torchvision", help="of the DataLoader (default torchvision)")
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=3, help="of which the last is measured (default 3)")


def setting(options):
    return {"data": options.data.name, "trainers": options.trainers, "batch": options.batch_size, "epochs": options.epochs}


def contestants(options):
    subprocess.run([HERE / "peers" / "install"], check=True)
    environment = package()
    if options.data is None:
        made = subprocess.run([JSPDL, "sample", "--images", "2000", "--no-progress"], check=True, capture_output=True, text=True)
        options.data = pathlib.Path(made.stdout.strip().splitlines()[-1])
    read_once(options.data)
    subprocess.run([PYTHON, "-m", "jspdl", "prepare"], check=True, env={**os.environ, **environment}, capture_output=True)
    command = [PYTHON, str(HERE / "peers" / "trainers.py"), str(options.data), "--batch-size", str(options.batch_size),
               "--epochs", str(options.epochs)]
    many = [*command, "--trainers", str(options.trainers)]
    return [Contestant(OURS, [*many, "--kind", "shared"], read, environment),
            Contestant(f"{OURS}, in step", [*many, "--kind", "shared", "--in-step"], read, environment),
            Contestant(f"jspdl, {options.trainers} loaders", [*many, "--kind", "own"], read, environment),
            Contestant(f"PyTorch, {options.trainers} DataLoaders",
                       [*many, "--kind", "dataloader", "--workers", str(options.workers), "--decoder", options.decoder], read),
            Contestant("jspdl, 1 trainer", [*command, "--trainers", "1", "--kind", "own"], read, environment, work="1"),
            Contestant("trainers that load nothing", [*many, "--kind", "none"], read_nothing, environment, work="none"),
            Contestant("1 trainer that loads nothing", [*command, "--trainers", "1", "--kind", "none"], read_nothing, environment, work="none")]


def read(outcome):
    return {**read_events(outcome), **memory(outcome)}


def read_nothing(outcome):
    return {"items": 0, "items_per_second": 0.0, "cpu_seconds_per_1000_items": 0.0, "first_batch_seconds": 0.0, **memory(outcome)}


def memory(outcome):
    """Of all trainers and loaders, which the harness does not see where they have a session of their own."""
    said = next(event for _, event in events_of(outcome) if event["event"] == "memory")
    return {key: said[key] for key in ("peak_memory_bytes", "parts", "at_the_end", "processes")}


def summary(results):
    """What loading takes beyond the trainers themselves, and CPU time for each image that all trainers got once."""
    medians = table.medians(results)
    alone = {name: medians[name]["peak_memory_bytes"] for name in ("trainers that load nothing", "1 trainer that loads nothing") if name in medians}
    lines = [""]
    for name, row in medians.items():
        beside = alone.get("1 trainer that loads nothing" if name == "jspdl, 1 trainer" else "trainers that load nothing")
        if row["items"] and beside is not None:
            lines.append(f"{name:33} {(row['peak_memory_bytes'] - beside) / table.MIB:7,.0f} MiB beyond the trainers themselves,"
                         f" {row['cpu_seconds_per_1000_items'] * row['items'] / 1000:6.2f} CPU-s an epoch")
    lines += ["", "What the memory was of, at its peak and at the end (MiB):"]
    for name in medians:
        last = [result for result in results if result["name"] == name][-1]
        lines.append(f"{name:33} " + "; ".join(", ".join(f"{part.replace('_', ' ')} {size / table.MIB:,.0f}" for part, size in last[when].items())
                                              for when in ("parts", "at_the_end")))
    return "\n".join(lines)
