"""Functions that the tests of `map` have helper processes apply: in a module of their own, so that they need no cloudpickle."""
import os
import random
import signal
import time

try:
    import numpy
except ImportError:
    numpy = None


class Refused(Exception):
    """Of two arguments, so that pickle can send it."""

    def __init__(self, name, number):
        super().__init__(name, number)
        self.number = number


def numbered(batch):
    """What tells a batch of `filled` from others, and that its data arrived."""
    data = bytes(memoryview(batch["data"]))
    assert data == bytes([batch["number"] % 256]) * len(data)
    return batch["number"]


def doubled(batch):
    return {"data": batch["data"] * 2, "number": batch["number"]}


def slow_first(batch):
    time.sleep(0.2 if batch["number"] % 4 == 0 else 0)
    return batch["number"]


def refused_at_3(batch):
    if batch["number"] == 3:
        raise Refused("three", 3)
    return batch["number"]


def killed_at_3(batch):
    if batch["number"] == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return batch["number"]


def killed_at_row(sample):
    if int(sample["index"]) == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    return int(sample["index"])


def described(sample):
    """All that a result may consist of."""
    return {"pixels": sample["image"].astype("float32") / 2, "sum": float(sample["image"].sum()), "name": f"image {int(sample['index'])}",
            "pair": (int(sample["index"]), True)}


def drawn(sample):
    return random.random() + (numpy.random.rand() if numpy is not None else 0)


def uneven(sample):
    return numpy.zeros(1 + int(sample["index"]) % 2)


def slept(batch):
    time.sleep(60)


def process(batch):
    return os.getpid()
