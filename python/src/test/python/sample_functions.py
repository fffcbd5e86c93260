"""Functions that the tests of `map(order=)` have the loader call for samples, in helper processes that need no cloudpickle."""
import os
import random
import signal
import sys
import time

try:
    import numpy
except ImportError:
    numpy = None


class Named:
    """An object of the user's."""

    def __init__(self, number):
        self.number = number


def same(sample):
    return sample


def darker(sample):
    sample["image"] //= 2
    return sample


def tensor_darker(sample):
    import torch
    assert isinstance(sample["image"], torch.Tensor)
    return {"image": torch.div(sample["image"], 2, rounding_mode="floor"), "index": sample["index"]}


def others(sample):
    """Other fields, of other shapes and kinds."""
    index = sample["index"]
    if index == 0:
        print("a function that prints")
        os.write(1, b"and not by way of Python\n")
    return {"half": sample["image"][:, ::2].astype("float32"), "mirrored": sample["image"][:, :, ::-1], "index": index, "ratio": index / 2, "flag": index % 2 == 0,
            "name": f"image {index} ß", "object": Named(index), "nested": {"numbers": [index, None]}, "scalar": numpy.float32(index), "none": None,
            "swapped": numpy.array([index], ">i4"), "empty": numpy.empty((0, 3), "int16")}


def growing(sample):
    """Results that are larger for some samples, beyond what those before needed."""
    sample["image"] = numpy.full((1, 1 + 300_000 * (sample["index"] % 3 == 0)), sample["index"], "int32").sum(1)
    sample["more"] = numpy.full(200_000 if sample["index"] // 4 % 2 else 10, sample["index"], "float64")
    return sample


def drawn(sample):
    return {"index": sample["index"], "random": random.random(), "numpy": numpy.random.random(), "process": os.getpid()}


def refused_at_5(sample):
    if sample["index"] == 5:
        raise LookupError("five")
    return sample


def killed_at_5(sample):
    if sample["index"] == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    return sample


def exits_at_5(sample):
    if sample["index"] == 5:
        os._exit(3)
    return sample


KEPT = []


def kept_at_5(sample):
    """Keeps a part of the sixth sample, and a cycle that keeps each until it is collected."""
    if sample["index"] == 5:
        KEPT.append(sample["image"][0])
    cycle = [sample["image"]]
    cycle.append(cycle)
    return sample


def forked(sample):
    """Lets a fork of the helper return, as well as the helper itself."""
    if sample["index"] % 5 == 2:
        os.fork()
    return sample


def written(sample):
    """Writes what looks like an answer to the helper's pipe."""
    if sample["index"] == 5:
        for number in os.listdir("/proc/self/fd"):
            if number not in "012" and os.path.exists(f"/proc/self/fd/{number}") and "pipe" in os.readlink(f"/proc/self/fd/{number}"):
                try:
                    os.write(int(number), b"\x0a\x00\x00\x00\x06" + bytes(8) + b"[]")
                except OSError:
                    pass
    return sample


def waits_at_0(sample):
    """The first sample is done when there is a file, whose name is the variable's."""
    while sample["index"] == 0 and not os.path.exists(os.environ["JSPDL_TEST_FILE"]):
        time.sleep(0.01)
    return sample


def noted(sample):
    with open(os.environ["JSPDL_TEST_FILE"], "ab", buffering=0) as file:
        file.write(b"%d " % sample["index"])
    return sample


def processes(sample):
    return {"pid": os.getpid(), "threads": os.environ.get("OMP_NUM_THREADS", "")}


def slept(sample):
    time.sleep(1000)
    return sample


def no_fields(sample):
    return sample["image"]


def too_large(sample):
    return {"number": 1 << 63 if sample["index"] == 5 else 1}


def impossible(sample):
    return {"function": lambda: sample["index"]}


def ragged(sample):
    return {"image": sample["image"][:, :1 + sample["index"] % 2]}


class Unloadable:
    """What cannot be loaded where it is sent to."""

    def __call__(self, sample):
        return sample

    def __reduce__(self):
        return fail_to_load, ()


def fail_to_load():
    if sys.argv and sys.argv[0] == "-c":
        raise ImportError("no such module here")
    return Unloadable()
