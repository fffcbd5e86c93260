"""What looking at a run costs: items of ten microseconds and images, each way against plain runs in the same process.

Passes of half a second, plain and looked at in alternation, each a run of its own. "By hand" is the same work on two threads without a
pipeline. Rates and CPU time are those of the passes that were looked at; the differences to plain ones stand below the table. What the
statistics cost, which are always on, is measured by the JMH benchmark StatisticsCost; the diagnosis has a campaign: see docs/campaigns.md.
"""
import json
import pathlib
import statistics
import subprocess

from harness.java import find as find_java
from harness.rounds import Contestant
from scenarios.images import JSPDL, read_events, read_once

OURS = "plain"
HERE = pathlib.Path(__file__).resolve().parent.parent
ROOT = HERE.parent
NUMBERS = {"by hand": "BY_HAND", "plain": "PLAIN", "watched": "WATCHED", "flight recorder": "RECORDED",
           "watched, waits explained": "EXPLAINED", "traced": "TRACED"}
IMAGES = {"watched": "WATCHED", "flight recorder": "RECORDED"}
DIFFERENCES = ("rate_against_plain", "cpu_against_plain")


def add_options(parser):
    parser.set_defaults(rounds=2)
    parser.add_argument("--items", type=int, default=60_000, help="a pass of ten-microsecond items (default 60000)")
    parser.add_argument("--images", type=int, default=600, help="a pass of images (default 600)")
    parser.add_argument("--data", type=pathlib.Path, help="a folder of images (default: the sample dataset)")
    parser.add_argument("--no-build", action="store_true", help="measure what was built before")
    parser.add_argument("--pairs", type=int, default=9, help="passes of each kind (default 9)")


def setting(options):
    return {"items": options.items, "microseconds_per_item": 10, "images": options.images, "pairs": options.pairs}


def contestants(options):
    if not options.no_build:
        subprocess.run([ROOT / "mvnw", "-q", "-o", "-DskipTests", "-Dfast", "-pl", "benchmarks", "-am", "package"], check=True, cwd=ROOT)
    if options.data is None:
        made = subprocess.run([JSPDL, "sample", "--no-progress"], check=True, capture_output=True, text=True)
        options.data = pathlib.Path(made.stdout.strip().splitlines()[-1])
    read_once(options.data)
    base = [find_java(), "-Xmx512m", "--enable-native-access=ALL-UNNAMED", "-cp", f"{HERE}/target/benchmarks.jar:{HERE}/target/lib/*",
            "org.jspdl.benchmarks.WatchCost"]
    found = [Contestant(f"10 us: {name}", [*base, way, str(options.pairs), str(options.items)], read, work="10 us")
             for name, way in NUMBERS.items()]
    found += [Contestant(f"images: {name}", [*base, way, str(options.pairs), str(options.images), str(options.data)], read, work="images")
              for name, way in IMAGES.items()]
    return found


def read(outcome):
    figures = read_events(outcome)
    last = [line for _, line in outcome.lines if '"epoch"' in line][-1]
    return {**figures, **{key: json.loads(last)[key] for key in DIFFERENCES}}


def summary(results):
    """The differences to plain passes: the median over the rounds, and each round's."""
    lines = ["", f"{'against plain passes in the same process':42} {'items/s':>9} {'CPU':>9}   (each round)"]
    for name in dict.fromkeys(result["name"] for result in results):
        mine = [result for result in results if result["name"] == name]
        rate, cpu = (statistics.median(result[key] for result in mine) for key in DIFFERENCES)
        each = ", ".join(f"{result['rate_against_plain']:+.1%} {result['cpu_against_plain']:+.1%}" for result in mine)
        lines.append(f"{name:42} {rate:+9.1%} {cpu:+9.1%}   ({each})")
    return "\n".join(lines)
