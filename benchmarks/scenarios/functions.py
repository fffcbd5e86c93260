"""A dataset in Python whose items take a millisecond of NumPy: jspdl.from_dataset against PyTorch's DataLoader.

The same items in the same batches, in as many helper processes as the DataLoader has workers. Speed and CPU time are those of the second epoch.
"""
from harness.rounds import Contestant
from scenarios.images import HERE, read_events
from scenarios.python import PYTHON, package

OURS = "jspdl, 2 processes"


def add_options(parser):
    parser.add_argument("--items", type=int, default=4000, help="of an epoch (default 4,000)")
    parser.add_argument("--batch-size", type=int, default=64)


def setting(options):
    return {"items": options.items, "batch": options.batch_size, "epochs": 2}


def contestants(options):
    command = [PYTHON, str(HERE / "peers" / "functions.py"), "--workers", "2", "--items", str(options.items), "--batch-size", str(options.batch_size)]
    return [Contestant(OURS, [*command, "--loader", "jspdl"], read_events, package()),
            Contestant("PyTorch, 2 workers", [*command, "--loader", "dataloader"], read_events)]
