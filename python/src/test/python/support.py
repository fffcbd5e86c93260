"""What the tests share: plans over the operations of TestOperations.java, and looks at processes from outside."""
import contextlib
import os
import select
import subprocess
import sys
import textwrap
import threading
import time

import jspdl

try:
    import numpy
except ImportError:
    numpy = None

ARRAYS = "numpy" if numpy is not None else "memoryview"
PATIENCE = 280      # seconds after which a test has failed, on the slowest machine
CAMPAIGN = os.environ.get("JSPDL_CAMPAIGN") == "true"
HERE = os.path.dirname(os.path.abspath(__file__))
IMAGES = os.path.normpath(os.path.join(HERE, "../../../../media/src/test/resources/jpeg"))


def __getattr__(name):
    """`torch`, or None, for those who ask for it by name: importing it takes longer than most tests."""
    if name != "torch":
        raise AttributeError(name)
    try:
        import torch
    except ImportError:
        torch = None
    return torch


def chosen_seed():
    """What random choices follow from: the same in every build, another one in each campaign."""
    return int(os.environ.get("JSPDL_SEED", time.time_ns() % 1_000_000 if CAMPAIGN else 24))


def steps(size, *steps, **more):
    """A plan over the numbers 0 to `size` - 1."""
    return {"source": {"range": {"size": size}}, "steps": list(steps), **more}


def filled(size, count=1000, ring=True, *before, **more):
    """A plan whose item n is `count` bytes of n."""
    return steps(size, *before, {"filled": {"bytes": count, "ring": ring}, "cpu": 2, "order": "input"}, **more)


def load(plan, **options):
    options.setdefault("arrays", ARRAYS)
    options.setdefault("timeout", PATIENCE)
    return jspdl.plan(plan, **options)


def is_filled(batch, count=1000):
    """Whether a batch of `filled` holds what its number says, all over."""
    data = bytes(memoryview(batch["data"]))
    return data == bytes([batch["number"] % 256]) * count


def ring_bytes(loader):
    """The memory that the slots of a loader take, whoever has them mapped."""
    return os.fstat(loader._ring.descriptor).st_blocks * 512


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def support_children(pid):
    """The processes that a process has started, and that have not ended."""
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        direct = file.read().split()
    others = [name for name in os.listdir(f"/proc/{pid}/task") if name != str(pid)]
    for task in others:
        with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as file:
            direct += file.read().split()
    return [int(child) for child in direct if alive(int(child))]


def ends(pid, seconds=PATIENCE):
    """Whether a process, which need not be a child, ends within some time."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([descriptor], [], [], seconds)[0])
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def trainer(program, **popen):
    """A trainer in a process of its own; it prints the number of its loader's process first. It takes interrupts even if a shell started the
    tests in the background, where they are ignored."""
    lines = "import jspdl, os, signal, sys\nfrom support import *\n" \
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n" + textwrap.dedent(program)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([HERE, os.environ.get("PYTHONPATH", "")])}
    process = subprocess.Popen([sys.executable, "-B", "-c", lines], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env=environment, **popen)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()


def released(gate):
    """Has whoever waits at the end of a pipe that is read, or comes to it soon, go on in a moment: a thread that waits there keeps its loader from ending.
    Returns the timer."""
    held = os.open(gate, os.O_RDWR | os.O_CLOEXEC)      # which waits for no reader
    timer = threading.Timer(0.5, os.close, (held,))
    timer.start()
    return timer


def shared_files():
    """What lies in the shared-memory file system under our name, and the memory files that a process of ours has open."""
    return [name for name in os.listdir("/dev/shm") if "jspdl" in name]
