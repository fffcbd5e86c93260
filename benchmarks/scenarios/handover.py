"""Batches of bytes into a Python loop that does nothing: what handing over costs, beside writing the batch once.

38,535,168 bytes are 64 images of 224 x 224 as floats. The peers are PyTorch's DataLoader with workers that send what they have
filled, through shared memory too. Speed and CPU time are those of the second half. Items are batches.
"""
import json

from harness.rounds import Contestant
from scenarios.images import HERE, ROOT, read_events
from scenarios.python import PYTHON, package

OURS = "jspdl"
LARGE = 38_535_168


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
            *[Contestant(f"PyTorch, {n} workers", [PYTHON, program, *numbers(options.peer_batches), "--workers", str(n)], read,
                         work=None) for n in (1, 2)]]


def read(outcome):
    last = [json.loads(line) for _, line in outcome.lines if line.startswith("{")][-1]
    return {**read_events(outcome), "hand_over_microseconds": last.get("hand_over_microseconds")}
