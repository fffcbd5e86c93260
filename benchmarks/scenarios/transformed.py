"""Images that a function in Python of a millisecond changes: jspdl's map in 2 processes against DataLoader with 2 workers.

jspdl decodes in its own process and changes in the helpers, rows of batches or samples before they are batched; DataLoader's workers decode and change. The same images, the same function, batches
of 64; the loop sums each. Speed and CPU time, of all processes, are those of the last epoch.
"""
import os
import pathlib
import subprocess

from harness.rounds import Contestant
from scenarios.images import HERE, JSPDL, read_events, read_once
from scenarios.python import PYTHON, package

OURS = "jspdl"


def add_options(parser):
    parser.add_argument("--data", type=pathlib.Path, help="a folder with one folder a class (default: the sample dataset)")
    parser.add_argument("--workers", type=int, default=2, help="processes of jspdl's map, and workers of the DataLoader (default 2)")
    parser.add_argument("--decoders", default="torchvision", help="of the DataLoader, a,b,c (default torchvision)")
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=3, help="of which the last is measured (default 3)")


def setting(options):
    return {"data": options.data.name, "workers": options.workers, "batch": options.batch_size, "epochs": options.epochs}


def contestants(options):
    subprocess.run([HERE / "peers" / "install"], check=True)
    environment = package()
    if options.data is None:
        made = subprocess.run([JSPDL, "sample", "--images", "2000", "--no-progress"], check=True, capture_output=True, text=True)
        options.data = pathlib.Path(made.stdout.strip().splitlines()[-1])
    read_once(options.data)
    subprocess.run([PYTHON, "-m", "jspdl", "prepare"], check=True, env={**os.environ, **environment}, capture_output=True)
    command = [PYTHON, str(HERE / "peers" / "transformed.py"), str(options.data), "--workers", str(options.workers),
               "--batch-size", str(options.batch_size), "--epochs", str(options.epochs)]
    # Helpers import the function from the program's folder.
    environment["PYTHONPATH"] += f":{HERE / 'peers'}"
    return [Contestant(f"jspdl, {options.workers} processes", [*command, "--loader", "jspdl"], read_events, environment),
            Contestant(f"jspdl, {options.workers} processes, before batches", [*command, "--loader", "jspdl", "--order", "input"], read_events, environment),
            *(Contestant(f"PyTorch + {decoder}, {options.workers} workers", [*command, "--loader", "dataloader", "--decoder", decoder], read_events)
              for decoder in options.decoders.split(","))]
