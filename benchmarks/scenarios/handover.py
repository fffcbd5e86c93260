"""Batches of bytes into a Python loop that does nothing: what handing over costs, beside writing the batch once.

38,535,168 bytes are 64 images of 224 x 224 as floats. The peers are PyTorch's DataLoader with workers that send what they have
filled, through shared memory too. Speed and CPU time are those of the second half. Items are batches.

Two moments matter: how long a batch that the trainer waits for takes from its announcement until the trainer has it, and how long
a trainer that computes longer than that asks for a batch that is there already.
"""
import json
import statistics

from harness.rounds import Contestant
from scenarios.images import HERE, ROOT, read_events
from scenarios.python import PYTHON, package

OURS = "jspdl"
COMPUTES = "jspdl, trainer that computes"
LARGE = 38_535_168
STEP_SECONDS = 0.005
MOMENTS = ("waited_for_microseconds", "there_already_microseconds")


def add_options(parser):
    parser.add_argument("--bytes", type=int, default=LARGE, help=f"of a batch (default {LARGE:,})")
    parser.add_argument("--batches", type=int, default=1000, help="of ours (default 1,000)")
    parser.add_argument("--peer-batches", type=int, default=120, help="of a peer, which takes 50 ms for a large one (default 120)")


def setting(options):
    return {"bytes": options.bytes, "batches": options.batches, "peer_batches": options.peer_batches}


def contestants(options):
    def numbers(batches):
        return ["--bytes", str(options.bytes), "--batches", str(batches)]

    program = str(HERE / "peers" / "handover.py")
    environment = package(ROOT / "benchmarks/target/classes")
    return [Contestant("jspdl", [PYTHON, program, *numbers(options.batches)], read, environment, work=None),
            Contestant(COMPUTES, [PYTHON, program, *numbers(options.batches // 4), "--step", str(STEP_SECONDS)], read, environment,
                       work=COMPUTES),
            *[Contestant(f"PyTorch, {n} workers", [PYTHON, program, *numbers(options.peer_batches), "--workers", str(n)], read,
                         work=None) for n in (1, 2)]]


def read(outcome):
    last = [json.loads(line) for _, line in outcome.lines if line.startswith("{")][-1]
    return {**read_events(outcome), **{name: last.get(name) for name in MOMENTS}}


def summary(results):
    lines = ["", "us, medians of rounds: waited for, from the announcement; there already, from asking:"]
    for name in dict.fromkeys(result["name"] for result in results):
        found = {moment: [result[moment] for result in results if result["name"] == name and result[moment] is not None]
                 for moment in MOMENTS}
        lines += [f"{name:33} {moment.removesuffix('_microseconds').replace('_', ' '):15} {statistics.median(values):7.1f}"
                  f" ({min(values):.1f}-{max(values):.1f})" for moment, values in found.items() if values]
    return "\n".join(lines)
