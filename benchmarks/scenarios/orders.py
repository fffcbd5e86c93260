"""Shuffled orders of a million and of a billion samples: memory, and the time to the first one, against numpy's permutation.

The order is computed here and stored there, so numpy stops at 10^8 samples (800 MB).
"""
import pathlib
import subprocess
import sys

from harness.java import find as find_java
from harness.rounds import Contestant
from scenarios.images import read_events

OURS = "jspdl"
HERE = pathlib.Path(__file__).resolve().parent.parent
ROOT = HERE.parent


def add_options(parser):
    parser.add_argument("--items", type=int, default=5_000_000, help="samples that are visited (default 5000000)")


def setting(options):
    return {"items": options.items}


def contestants(options):
    subprocess.run([ROOT / "mvnw", "-q", "-o", "-DskipTests", "-Dfast", "-pl", "benchmarks", "-am", "package"], check=True, cwd=ROOT)
    java = [find_java(), "-Xmx64m", "-XX:+UseSerialGC", "-cp", f"{HERE}/target/benchmarks.jar:{HERE}/target/lib/*",
            "org.jspdl.benchmarks.SampleOrders"]
    found = [Contestant(f"jspdl, 10^{power} samples", [*java, str(10**power), str(options.items)], read_events)
             for power in (6, 9, 12)]
    found += [Contestant(f"numpy, 10^{power} samples",
                         [sys.executable, str(HERE / "peers" / "orders_numpy.py"), str(10**power), str(options.items)], read_events)
              for power in (6, 8)]
    return found
