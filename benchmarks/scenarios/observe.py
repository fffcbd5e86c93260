"""What looking at a run costs: items of ten microseconds and images, each way against plain runs in the same process.

Short passes in groups of four, plain, looked at, looked at, plain, or the other way round by chance, each a run of its own, start and
diagnosis included. Each group gives a difference in items/s and one in CPU time, in which what drifts evenly cancels; the median of all
groups stands below the table with the interval in which it lies at 95 %, by the ranks of the differences and so whatever their
distribution, and whether that settles the goal. A group in which somebody else, the host of a virtual machine included, had too much
of the processors is left out and counted. "Nothing" is plain against plain: what differs there is the machine. Rates and CPU time in the table are those of the passes that were looked at. "By
hand" is the same work on two threads without a pipeline. What the statistics cost, which are always on, is measured by the JMH benchmark
StatisticsCost; the diagnosis has a campaign: see docs/campaigns.md.
"""
import json
import math
import os
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
PASSES = ("plain", "looked")
SECONDS, CPU_SECONDS, OTHERS_SECONDS = range(3)
# The most that others may have of the processors during a group. Ticks of 10 ms make twice as much of a few of them.
MOST_OF_OTHERS = 0.08
# How much of the rate each may cost; "immeasurable" is less than a hundredth.
GOALS = {"10 us: watched": 0.03, "10 us: flight recorder": 0.05, "images: watched": 0.01, "images: flight recorder": 0.05}


def add_options(parser):
    parser.set_defaults(rounds=1)
    parser.add_argument("--items", type=int, default=100_000, help="a pass of ten-microsecond items (default 100000)")
    parser.add_argument("--images", type=int, default=768, help="a pass of images (default 768)")
    parser.add_argument("--data", type=pathlib.Path, help="a folder of images (default: the sample dataset)")
    parser.add_argument("--no-build", action="store_true", help="measure what was built before")
    parser.add_argument("--groups", type=int, default=24, help="groups of four passes in each process (default 24)")
    parser.add_argument("--all", action="store_true", help="also " + ", ".join(MORE))


def setting(options):
    return {"items": options.items, "microseconds_per_item": 10, "images": options.images, "groups": options.groups}


def contestants(options):
    if not options.no_build:
        subprocess.run([ROOT / "mvnw", "-q", "-o", "-DskipTests", "-Dfast", "-pl", "benchmarks", "-am", "package"], check=True, cwd=ROOT)
    if options.data is None:
        made = subprocess.run([JSPDL, "sample", "--images", "2000", "--no-progress"], check=True, capture_output=True, text=True)
        options.data = pathlib.Path(made.stdout.strip().splitlines()[-1])
    read_once(options.data)
    base = [find_java(), "-Xmx512m", "--enable-native-access=ALL-UNNAMED", "-cp", f"{HERE}/target/benchmarks.jar:{HERE}/target/lib/*",
            "org.jspdl.benchmarks.WatchCost"]
    found = [Contestant(f"10 us: {name}", [*base, way, str(options.groups), str(options.items)], read, work="10 us")
             for name, way in {**NUMBERS, **(MORE if options.all else {})}.items()]
    found += [Contestant(f"images: {name}", [*base, way, str(options.groups), str(options.images), str(options.data)], read, work="images")
              for name, way in IMAGES.items()]
    return found


def read(outcome):
    figures = read_events(outcome)
    last = [line for _, line in outcome.lines if '"epoch"' in line][-1]
    return {**figures, **{key: json.loads(last)[key] for key in PASSES}}


def summary(results):
    """The differences to plain passes: the median over all groups, where it lies, and what that says of the goal."""
    lines = ["", f"{'against plain passes in the same process':42} {'groups':>9} {'items/s':>8} {'at 95 %':>18} {'CPU':>8} {'at 95 %':>18}"]
    for name in dict.fromkeys(result["name"] for result in results):
        found = [group for result in results if result["name"] == name for group in groups(result)]
        calm = [group for group in found if others(group) <= MOST_OF_OTHERS]
        counted = f"{len(calm)} of {len(found)}"
        if not calm:
            lines.append(f"{name:42} {counted:>9} all disturbed")
            continue
        rates = [seconds(plain, SECONDS) / seconds(looked, SECONDS) - 1 for plain, looked in calm]
        cpus = [seconds(looked, CPU_SECONDS) / seconds(plain, CPU_SECONDS) - 1 for plain, looked in calm]
        low, high = interval(rates)
        verdict = settled(-high, -low, GOALS[name]) if name in GOALS else ""
        lines.append(f"{name:42} {counted:>9} {said(rates)} {said(cpus)}  {verdict}".rstrip())
    return "\n".join(lines)


def groups(result):
    """Two plain passes and the two looked at beside them, over and over."""
    plain, looked = (result[key] for key in PASSES)
    return [(plain[i:i + 2], looked[i:i + 2]) for i in range(0, len(plain), 2)]


def seconds(passes, which):
    return sum(each[which] for each in passes)


def others(group):
    """The part of the processors that others had during a group."""
    passes = [*group[0], *group[1]]
    return seconds(passes, OTHERS_SECONDS) / seconds(passes, SECONDS) / os.cpu_count()


def said(differences):
    low, high = interval(differences)
    return f"{statistics.median(differences):+8.1%} {f'{low:+.1%} to {high:+.1%}':>18}"


def interval(differences):
    """Where the median lies with a certainty of 95 %: between two of the sorted `differences`, by their ranks alone."""
    ranked = sorted(differences)
    count = len(ranked)
    below, tail = 0, 0.5 ** count       # the chance that at most `below` of them lie below the median
    while below < count // 2 and tail + math.comb(count, below + 1) * 0.5 ** count <= 0.025:
        below += 1
        tail += math.comb(count, below) * 0.5 ** count
    return ranked[below], ranked[count - 1 - below]


def settled(least, most, goal):
    """What a cost between `least` and `most` says of a goal."""
    return f"under {goal:.0%}: " + ("yes" if most < goal else "no" if least > goal else "not settled")
