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


KEPT = []


def kept_at_2(batch):
    """Keeps the third batch, a copy of each other one, and a cycle that keeps each until it is collected."""
    KEPT.append(batch["data"] if batch["number"] == 2 else bytes(batch["data"]))
    cycle = [batch["data"]]
    cycle.append(cycle)
    return batch["number"]


def beside_first(batch):
    """Each batch beside the first that this process was given, which it keeps."""
    KEPT.append(batch["data"])
    return {"data": batch["data"], "first": KEPT[0]}


class Several:
    """An object with arrays that are more than their elements."""

    def __init__(self, number):
        self.matrix = numpy.matrix([[number, 1], [1, number]])
        self.plain = numpy.full(3, number)


def several(batch):
    return Several(batch["number"])


class Mute(Exception):
    """Without a message that can be had."""

    def __str__(self):
        raise ValueError("no words")


def mute_at_3(batch):
    if batch["number"] == 3:
        raise Mute
    return batch["number"]


class Impostor(Exception):
    """What is no exception when it is read again."""

    def __reduce__(self):
        return str, ("not an exception",)


def impostor_at_3(batch):
    if batch["number"] == 3:
        raise Impostor("three")
    return batch["number"]


def masked(sample):
    return numpy.ma.masked_array([1.0, 2.0, 3.0], mask=[False, int(sample["index"]) % 2 == 1, False])


def counted(batch):
    """Numbers of NumPy as keys, and one as a value."""
    return {"counts": dict(zip(*numpy.unique(numpy.asarray(batch["index"]) % 2, return_counts=True))), "least": batch["index"].min()}


def swapped(batch):
    """Numbers of the other byte order, in the loader's memory."""
    batch["data"][:8] = (0, 0, 0, 1, 0, 0, 0, batch["number"])
    return {"data": batch["data"][:8].view(">i4"), "number": batch["number"]}


def kind(batch):
    return type(batch["image"]).__module__


def listed(batch):
    return batch["number"], batch["data"].tolist()


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


class Squares:
    """A map-style dataset."""

    def __init__(self, size, broken=None):
        self.size = size
        self.broken = broken

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        if index == self.broken:
            raise Refused("item", index)
        return {"index": index, "square": numpy.full((2, 3), index * index, "float32"), "name": f"item {index}"}


class Told:
    """A map-style dataset that counts epochs, in whichever process it is."""
    epoch = None

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __len__(self):
        return 5

    def __getitem__(self, index):
        return {"index": index, "epoch": self.epoch}


def first_number(items):
    return items[0]["number"]


class Counting:
    """A dataset that can only be iterated over: thousands of its worker, and what is drawn at each. Without workers, it has one."""

    def __init__(self, sizes, broken=None):
        self.sizes = sizes
        self.broken = broken
        self.epoch = None

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __iter__(self):
        stream = self.stream() if len(self.sizes) > 1 else 0
        for number in range(self.sizes[stream]):
            if number == self.broken:
                raise Refused("item", number)
            yield {"number": 1000 * stream + number, "epoch": self.epoch, "drawn": random.random()}

    @staticmethod
    def stream():
        from jspdl import worker_info
        return worker_info()[0]


def itself(batch):
    return batch


def copied(batch):
    """The same in memory of the helper's."""
    data = batch["data"]
    return {"number": batch["number"], "data": data.copy() if hasattr(data, "copy") else memoryview(bytearray(data))}


def first(items):
    return items[0]


class Endless:
    """Items as batches of `filled` are, without end."""

    def __iter__(self):
        number = 0
        while True:
            data = bytes([number % 256]) * 5_000
            yield {"number": number, "data": numpy.frombuffer(data, "uint8") if numpy is not None else memoryview(data)}
            number += 1


def is_right(batch, bytes=bytes, memoryview=memoryview, len=len):
    """Whether a batch of `filled` holds its number all over; also when the names of the interpreter are gone."""
    data = bytes(memoryview(batch["data"]))
    return len(data) == 5_000 and data == bytes([batch["number"] % 256]) * 5_000


def processes_of(loader):
    """The processes of a loader and of the functions over it, as text."""
    pids = []
    while loader is not None:
        workers, process = getattr(loader, "_workers", None), getattr(loader, "_process", None)
        pids += workers.pids() if hasattr(workers, "pids") else []
        pids += [process.pid] if process is not None else []
        loader = getattr(loader, "_upstream", None)
    return " ".join(map(str, pids))
