"""What watching costs: items of ten microseconds, plain, watched, with explained waits, traced, and with a flight recorder.

Speed and CPU time are those of the second pass in the same process. The diagnosis has a campaign of its own: see docs/campaigns.md.
"""
import pathlib
import subprocess

from harness.java import find as find_java
from harness.rounds import Contestant
from scenarios.images import read_events

OURS = "plain"
HERE = pathlib.Path(__file__).resolve().parent.parent
ROOT = HERE.parent
WAYS = {"plain": "PLAIN", "watched": "WATCHED", "watched, waits explained": "EXPLAINED", "traced": "TRACED"}


def add_options(parser):
    parser.add_argument("--items", type=int, default=100_000, help="a pass (default 100000)")


def setting(options):
    return {"items": options.items, "microseconds_per_item": 10}


def contestants(options):
    subprocess.run([ROOT / "mvnw", "-q", "-o", "-DskipTests", "-Dfast", "-pl", "benchmarks", "-am", "package"], check=True, cwd=ROOT)
    base = [find_java(), "-Xmx512m"]
    tail = ["-cp", f"{HERE}/target/benchmarks.jar:{HERE}/target/lib/*", "org.jspdl.benchmarks.WatchCost"]
    found = [Contestant(name, [*base, *tail, way, str(options.items)], read_events) for name, way in WAYS.items()]
    recorder = "-XX:StartFlightRecording:filename=/dev/null,settings=default"
    found.append(Contestant("flight recorder", [*base, recorder, *tail, "PLAIN", str(options.items)], read_events))
    return found
