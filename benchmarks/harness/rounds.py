"""Plays the contestants against each other: A B C, A B C, ..., so that a slow minute of the machine hits all alike."""
import dataclasses
import os
import sys
from typing import Callable

from harness import process


@dataclasses.dataclass(frozen=True)
class Contestant:
    """A command, and how its figures are read from what it printed."""
    name: str
    command: list
    read: Callable      # Outcome -> dict of figures, see FIGURES
    environment: dict = dataclasses.field(default_factory=dict)
    work: str | None = ""       # contestants of the same work must report the same number of items; None: there is no such number


# The figures of every contestant: the last epoch's, then those of the whole process.
FIGURES = ("items", "items_per_second", "cpu_seconds_per_1000_items", "first_batch_seconds")


def play(contestants, count):
    """The results of all rounds, one dict for each run."""
    results = []
    for number in range(1, count + 1):
        for contestant in contestants:
            load = os.getloadavg()[0]
            outcome = process.run(contestant.command, contestant.environment)
            figures = contestant.read(outcome)
            missing = [key for key in FIGURES if key not in figures]
            if missing:
                raise RuntimeError(f"{contestant.name} did not report {', '.join(missing)}")
            same = next((result for result in results if result["work"] == contestant.work), figures)
            if contestant.work is not None and figures["items"] != same["items"]:
                raise RuntimeError(f"{contestant.name} made {figures['items']} items, {same['name']} made"
                                   f" {same['items']}: they do not do the same work")
            results.append({
                "work": contestant.work,
                "name": contestant.name,
                "round": number,
                "peak_pss_bytes": outcome.peak_pss_bytes,
                "peak_memory_bytes": outcome.peak_memory_bytes,
                "peak_rss_sum_bytes": outcome.peak_rss_bytes,
                "processes": outcome.peak_processes,
                **figures,      # which may know better: of processes that are in no session of the command's
                "whole_seconds": round(outcome.seconds, 3),
                "whole_cpu_seconds": round(outcome.cpu_seconds, 3),
                "sampling_cpu_seconds": round(outcome.sampling_cpu_seconds, 3),
                "load_before": round(load, 2),
            })
            print(f"round {number}/{count}  {contestant.name:33} {figures['items_per_second']:9,.0f} items/s",
                  file=sys.stderr, flush=True)
    return results


def versions(results):
    """What each contestant said it is made of; taken out of the results, being the same in every round."""
    found = {}
    for result in results:
        found[result["name"]] = result.pop("versions", None)
    return found
