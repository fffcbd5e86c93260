"""What looking at a run costs: items of ten microseconds and images, each way against plain runs in the same process.

Passes of one to two seconds, plain and looked at in pairs of random order, each a run of its own, start and diagnosis included. Each pair gives a difference in items/s and
one in CPU time; the median of all pairs stands below the table with the interval in which it lies at 95 %, by the ranks of the
differences and so whatever their distribution, and whether that settles the goal. "Nothing" is plain against plain: what differs there
is the machine. Rates and CPU time in the table are those of the passes that were looked at. "By hand" is the same work on two threads
without a pipeline. What the statistics cost, which are always on, is measured by the JMH benchmark StatisticsCost; the diagnosis has a
campaign: see docs/campaigns.md.
"""
import json
import math
import pathlib
import statistics
import subprocess

from harness.java import find as find_java
from harness.rounds import Contestant
from scenarios.images import JSPDL, read_events, read_once

OURS = "10 us: nothing"
HERE = pathlib.Path(__file__).resolve().parent.parent
ROOT = HERE.parent
NUMBERS = {"nothing": "PLAIN", "watched": "WATCHED", "flight recorder": "RECORDED"}
MORE = {"by hand": "BY_HAND", "watched, waits explained": "EXPLAINED", "traced": "TRACED"}
IMAGES = {"watched": "WATCHED", "flight recorder": "RECORDED"}
DIFFERENCES = ("rate_against_plain", "cpu_against_plain")
# How much of the rate each may cost; "immeasurable" is less than a hundredth.
GOALS = {"10 us: watched": 0.03, "10 us: flight recorder": 0.05, "images: watched": 0.01, "images: flight recorder": 0.05}


def add_options(parser):
    parser.set_defaults(rounds=1)
    parser.add_argument("--items", type=int, default=200_000, help="a pass of ten-microsecond items (default 200000)")
    parser.add_argument("--images", type=int, default=2_000, help="a pass of images (default 2000)")
    parser.add_argument("--data", type=pathlib.Path, help="a folder of images (default: the sample dataset)")
    parser.add_argument("--no-build", action="store_true", help="measure what was built before")
    parser.add_argument("--pairs", type=int, default=16, help="pairs of passes in each process (default 16)")
    parser.add_argument("--all", action="store_true", help="also " + ", ".join(MORE))


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
             for name, way in {**NUMBERS, **(MORE if options.all else {})}.items()]
    found += [Contestant(f"images: {name}", [*base, way, str(options.pairs), str(options.images), str(options.data)], read, work="images")
              for name, way in IMAGES.items()]
    return found


def read(outcome):
    figures = read_events(outcome)
    last = [line for _, line in outcome.lines if '"epoch"' in line][-1]
    return {**figures, **{key: json.loads(last)[key] for key in DIFFERENCES}}


def summary(results):
    """The differences to plain passes: the median over all pairs, where it lies, and what that says of the goal."""
    lines = ["", f"{'against plain passes in the same process':42} {'items/s':>8} {'at 95 %':>18} {'CPU':>8} {'at 95 %':>18}"]
    for name in dict.fromkeys(result["name"] for result in results):
        mine = [result for result in results if result["name"] == name]
        rates, cpus = (sorted(difference for result in mine for difference in result[key]) for key in DIFFERENCES)
        verdict = settled(-interval(rates)[1], -interval(rates)[0], GOALS[name]) if name in GOALS else ""
        lines.append(f"{name:42} {said(rates)} {said(cpus)}  {verdict}".rstrip())
    return "\n".join(lines)


def said(differences):
    low, high = interval(differences)
    return f"{statistics.median(differences):+8.1%} {f'{low:+.1%} to {high:+.1%}':>18}"


def interval(differences):
    """Where the median lies with a certainty of 95 %: between two of the sorted `differences`, by their ranks alone."""
    count = len(differences)
    below, tail = 0, 0.5 ** count       # the chance that at most `below` of them lie below the median
    while below < count // 2 and tail + math.comb(count, below + 1) * 0.5 ** count <= 0.025:
        below += 1
        tail += math.comb(count, below) * 0.5 ** count
    return differences[below], differences[count - 1 - below]


def settled(least, most, goal):
    """What a cost between `least` and `most` says of a goal."""
    return f"under {goal:.0%}: " + ("yes" if most < goal else "no" if least > goal else "not settled")
