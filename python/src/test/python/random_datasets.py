"""Datasets of items of random structure, types and values, each of which follows from a seed and its number, and functions of them: for helper processes, too."""
import collections
import enum
import random

import numpy
import torch
from torch.utils.data import Dataset, IterableDataset, get_worker_info

Pair = collections.namedtuple("Pair", "left right")


class Color(enum.IntEnum):
    RED = 1
    BLUE = 7


class Record(collections.UserDict):
    """A mapping that is no dictionary, as those of tokenizers are."""


class Words(tuple):
    """A tuple of somebody's own."""


class Line(collections.UserList):
    """A sequence that is no list."""


MAPPINGS = (dict, collections.OrderedDict, lambda fields: collections.defaultdict(list, fields), Record)
SEQUENCES = (tuple, list, Words, Line, collections.deque)
NUMPY = ("bool", "int8", "int16", "int32", "int64", "uint8", "float16", "float32", "float64", "complex64", "complex128")
TORCH = (*NUMPY, "bfloat16")


def node(chance, depth):
    """A function that makes a part of an item by a source of randomness. Everything else about the part is decided here."""
    kind = chance.choice(("mapping", "sequence", "pair", *["leaf"] * (2 if depth == 3 else 6))) if depth else "leaf"
    if kind == "leaf":
        return leaf(chance)
    parts = [node(chance, depth - 1) for _ in range(2 if kind == "pair" else chance.randrange(1, 4))]
    if kind == "pair":
        return lambda values: Pair(*(part(values) for part in parts))
    if kind == "sequence":
        make = chance.choice(SEQUENCES)
        return lambda values: make([part(values) for part in parts])
    make, names = chance.choice(MAPPINGS), chance.choice((str, int))
    return lambda values: make({names(n): part(values) for n, part in enumerate(parts)})


def leaf(chance):
    kind = chance.choice(("plain", "array", "array", "tensor", "tensor"))
    if kind == "plain":
        return chance.choice((
            lambda values: values.randrange(-(1 << 63), 1 << 63), lambda values: values.random() < 0.5, lambda values: values.uniform(-1e300, 1e300),
            lambda values: values.choice(("", "text", "\u00e9\0")), lambda values: values.randbytes(2), lambda values: values.choice(list(Color)),
            lambda values: values.choice((True, 5, 1 << 40))))
    shape = tuple(chance.choice((0, 1, 2, 3, 3)) for _ in range(chance.choice((0, 1, 1, 2, 3))))
    layout = chance.choice(("plain", "plain", "turned", "strided", "read-only", "number"))
    if kind == "array":
        element = chance.choice(NUMPY)
        return lambda values: laid_out(numbers(values, shape, element, layout), layout)
    dtype = getattr(torch, chance.choice(TORCH))
    return lambda values: turned(torch.from_numpy(numbers(values, shape, "int64", layout)).to(dtype), layout)


def numbers(values, shape, element, layout):
    whole = (*shape[::-1], ) if layout == "turned" else (*shape, 2) if layout == "strided" else shape
    drawn = numpy.array([values.randrange(100) for _ in range(int(numpy.prod(whole)))], "int64").reshape(whole)
    return numpy.asarray(drawn % 2 == 0 if element == "bool" else drawn.astype(element))


def laid_out(array, layout):
    if layout == "turned":
        return array.T
    if layout == "strided":
        return array[..., 1]
    if layout == "read-only":
        array.flags.writeable = False
    return array[()] if layout == "number" else array       # a scalar of NumPy, if it has no dimension


def turned(tensor, layout):
    if layout == "turned":
        return tensor.permute(tuple(range(tensor.dim())[::-1]))
    return tensor[..., 1] if layout == "strided" else tensor


class Items(Dataset):
    """`size` items of the structure that `seed` gives."""

    def __init__(self, seed, size):
        self.seed = seed
        self.size = size

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        if not 0 <= index < self.size:
            raise IndexError(index)
        return node(random.Random(self.seed), 3)(random.Random(f"{self.seed}/{index}"))


class Numbered(Items):
    """The same with their numbers."""

    def __getitem__(self, index):
        return {"index": index, "item": super().__getitem__(index)}


class Stream(IterableDataset):
    """The same one behind the other, of which each worker takes its part; fails at `broken`."""

    def __init__(self, items, broken=None):
        self.items = items
        self.broken = broken

    def __iter__(self):
        worker = get_worker_info()
        for index in range(worker.id if worker else 0, len(self.items), worker.num_workers if worker else 1):
            if index == self.broken:
                raise RuntimeError("broken")
            yield self.items[index]


def values(part):
    """What a part of an item is, as texts, whichever library holds it."""
    if isinstance(part, (torch.Tensor, numpy.ndarray, numpy.generic)):
        return str((part * 1).tolist())     # numbers in place of True and False, which become numbers beside numbers
    if isinstance(part, collections.abc.Mapping):
        return {name: values(each) for name, each in part.items()}
    if isinstance(part, (tuple, list, Line, collections.deque)):
        return [values(each) for each in part]
    return str(int(part)) if isinstance(part, int) else repr(part)


def told(item):
    """The number and the values of an item, and what holds its parts."""
    inner = item["item"]
    return [item["index"], str(values(inner)), type(inner).__name__ if isinstance(inner, (collections.abc.Mapping, tuple, list, Line, collections.deque)) else ""]


def counted(batch):
    """The batch, and whether all of it came as users get it."""
    return {"index": batch["index"], "kinds": str(kinds(batch["item"]))}


def kinds(part):
    if isinstance(part, collections.abc.Mapping):
        return [type(part).__name__, *map(kinds, part.values())]
    if isinstance(part, (tuple, list, Line, collections.deque)):
        return [type(part).__name__, *(kinds(each) for each in part if not isinstance(each, (str, bytes)))]
    return type(part).__name__
