"""Loaders beside programs that burn the processors: the commands of `comparison` on all processors, beside 0, 1, 2, ... of these.

An experiment of SPDL's paper. The burners are programs of Python that add numbers, at the same priority, on the same processors. Speed and CPU time are those of the last
epoch, and the summary tells what is left of the speed that each loader has alone.
"""
import dataclasses
import os
import statistics
import sys

from scenarios import comparison
from scenarios.comparison import HERE, OURS, setting  # noqa: F401 (what a scenario is asked for)


def add_options(parser):
    comparison.add_options(parser)
    parser.set_defaults(processors=str(len(os.sched_getaffinity(0))))
    parser.add_argument("--burners", default="0,1,2,4", help="how many programs burn beside the loader (default 0,1,2,4)")


def contestants(options):
    found = []
    for contestant in comparison.contestants(options):
        pinned, command = contestant.command[:3], contestant.command[3:]       # taskset holds the burners, too
        for number in map(int, options.burners.split(",")):
            found.append(dataclasses.replace(contestant, name=named(contestant.name, number),
                                             command=[*pinned, sys.executable, str(HERE / "peers" / "beside.py"), str(number), *command]))
    return found


def named(loader, number):
    return f"{loader.rpartition(', ')[0]}, {number} burner{'' if number == 1 else 's'}"


def summary(results):
    """Images per second by the number of burners, and the part that is left of those alone."""
    speeds = {}
    for result in results:
        loader, _, burners = result["name"].rpartition(", ")
        speeds.setdefault(loader, {}).setdefault(int(burners.split()[0]), []).append(result["items_per_second"])
    numbers = sorted({number for each in speeds.values() for number in each})
    lines = ["", "| loader | " + " | ".join(f"{number} burners" for number in numbers) + " |", "| --- |" + " ---: |" * len(numbers)]
    for loader, each in speeds.items():
        middle = {number: statistics.median(values) for number, values in each.items()}
        alone = middle.get(0)
        lines.append(f"| {loader} | " + " | ".join(
            "-" if number not in middle else f"{middle[number]:,.0f}" + (f" ({middle[number] / alone:.0%})" if alone and number else "")
            for number in numbers) + " |")
    return "\n".join(lines)
