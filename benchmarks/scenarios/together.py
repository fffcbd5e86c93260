"""Training and validation of one program: both loaders in one virtual machine (`share=True`), or in one each.

Training is augmented and shuffled, validation is not; the loop sums each batch. Speed and CPU time, of all processes, are those of the last epoch of training;
the summary has those of validation, whose first one meets code that training has warmed up or not, and memory at its peak and at the end.
"""
import os
import pathlib
import statistics
import subprocess

from harness.rounds import Contestant
from harness.table import MIB
from scenarios.images import HERE, JSPDL, events_of, read_events, read_once
from scenarios.python import PYTHON, package

OURS = "in one virtual machine"


def add_options(parser):
    parser.add_argument("--data", type=pathlib.Path, help="a folder with one folder a class (default: the sample dataset)")
    parser.add_argument("--python", default=PYTHON, help=f"one with PyTorch (default {PYTHON})")
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=3, help="of which the last is measured (default 3)")


def setting(options):
    return {"data": options.data.name, "batch": options.batch_size, "epochs": options.epochs}


def contestants(options):
    environment = package()
    if options.data is None:
        made = subprocess.run([JSPDL, "sample", "--no-progress"], check=True, capture_output=True, text=True)
        options.data = pathlib.Path(made.stdout.strip().splitlines()[-1])
    read_once(options.data)
    subprocess.run([options.python, "-m", "jspdl", "prepare"], check=True, env={**os.environ, **environment}, capture_output=True)
    command = [options.python, str(HERE / "peers" / "together.py"), str(options.data), "--batch-size", str(options.batch_size), "--epochs", str(options.epochs)]
    return [Contestant(name, [*command, "--kind", kind], read, environment) for name, kind in ((OURS, "together"), ("in one each", "apart"))]


def read(outcome):
    said = [event for _, event in events_of(outcome)]
    memory = next(event for event in said if event["event"] == "memory")
    validations = [{key: event[key] for key in ("first_batch_seconds", "seconds", "cpu_seconds")} for event in said if event["event"] == "validation"]
    return {**read_events(outcome), **{key: memory[key] for key in ("peak_memory_bytes", "at_the_end", "processes")}, "validations": validations}


def summary(results):
    lines = ["", "| loaders | first batch of the first validation | its CPU-s | of the last | its CPU-s | at the end, beside Python |", "| --- | ---: | ---: | ---: | ---: | ---: |"]
    for name in dict.fromkeys(result["name"] for result in results):
        mine = [result for result in results if result["name"] == name]

        def middle(of, mine=mine):
            return statistics.median(of(result) for result in mine)

        first, last = ([middle(lambda result, at=at, key=key: result["validations"][at][key]) for key in ("first_batch_seconds", "cpu_seconds")] for at in (0, -1))
        beside = middle(lambda result: sum(size for part, size in result["at_the_end"].items() if part != "trainers")) / MIB
        lines.append(f"| {name} | {first[0]:.3f} s | {first[1]:.2f} | {last[0]:.3f} s | {last[1]:.2f} | {beside:,.0f} MiB |")
    return "\n".join(lines)
