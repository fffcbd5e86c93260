"""Traces of loader and trainer on one clock: the loader's trace with the trainer's handovers, merged with that of PyTorch."""
import json
import os
import time
from typing import Union

from ._errors import PlanError

MOST = 100_000
Path = Union[str, "os.PathLike[str]"]
NAME = "jspdl: next batch"


class Trace:
    """The handovers of a loader, added to the trace that it writes itself."""

    def __init__(self, path):
        self.path = os.path.abspath(os.fspath(path))
        folder = os.path.dirname(self.path)
        if not os.path.isdir(folder):
            raise PlanError(f"the trace cannot be written: there is no folder {folder}")
        if os.path.exists(self.path):
            os.unlink(self.path)
        self._spans = []

    def took(self, began, number):
        """Records that the trainer waited for batch `number` from `began` (time.monotonic_ns) until now."""
        if len(self._spans) < MOST:
            self._spans.append((began, time.monotonic_ns(), number))

    def finish(self):
        """Adds the handovers to the file, once the loader has ended; and how far the clock is from that of the calendar."""
        try:
            with open(self.path, encoding="utf-8") as file:
                trace = json.load(file)
        except (OSError, ValueError):       # the loader was killed
            trace = {"displayTimeUnit": "ms", "otherData": {}, "traceEvents": []}
        process = os.getpid()
        events = trace["traceEvents"]
        events.append({"ph": "M", "name": "process_name", "pid": process, "tid": 1, "args": {"name": "trainer"}})
        events += [{"ph": "X", "name": NAME, "pid": process, "tid": 1, "ts": began / 1000, "dur": (ended - began) / 1000,
                    "args": {"batch": number}} for began, ended, number in self._spans]
        trace["otherData"]["unix_minus_monotonic_ns"] = str(unix_minus_monotonic())
        with open(self.path, "w", encoding="utf-8") as file:
            json.dump(trace, file)


def unix_minus_monotonic():
    """How far the two clocks are apart, in nanoseconds: of several readings the one that was interrupted least."""
    readings = []
    for _ in range(20):
        began, now, ended = time.monotonic_ns(), time.time_ns(), time.monotonic_ns()
        readings.append((ended - began, now - (began + ended) // 2))
    return min(readings)[1]


def merge_traces(trace: Path, profile: Path, path: Path) -> None:
    """Merges a loader's `trace` and a `profile` of torch.profiler (export_chrome_trace) into the file `path`, on the profile's clock.

    Open it at ui.perfetto.dev. Both are paths of JSON files; the loader must have been closed.
    """
    with open(trace, encoding="utf-8") as file:
        ours = json.load(file)
    with open(profile, encoding="utf-8") as file:
        theirs = json.load(file)
    if not isinstance(theirs, dict):
        raise PlanError(f"{profile} does not say when its clock began: this PyTorch was built without Kineto")
    try:
        shift = int(ours["otherData"]["unix_minus_monotonic_ns"]) - int(theirs.get("baseTimeNanoseconds", 0))
    except KeyError:
        raise PlanError(f"{trace} is no trace of a loader that was closed") from None
    for event in ours["traceEvents"]:
        if "ts" in event:
            event["ts"] += shift / 1000
    theirs["traceEvents"] += ours["traceEvents"]
    with open(path, "w", encoding="utf-8") as file:
        json.dump(theirs, file)
