"""Items of random structure and types, as datasets and functions return them: collated in threads and through the memory of helpers, every value is that of its sample."""
import collections
import enum
import math
import random
import unittest

from jspdl import _place, _stacking
from support import CAMPAIGN, chosen_seed, numpy

try:
    import torch
except ImportError:
    torch = None

CASES = 100_000 if CAMPAIGN else 400
Pair = collections.namedtuple("Pair", "left right")


class Color(enum.IntEnum):
    RED = 1
    BLUE = 7


class Matrix(numpy.ndarray if numpy is not None else object):
    """A kind of array of somebody's own."""


class Structure:
    """Makes samples that have equal structure, shapes and types, as far as these can be stacked, and other values."""

    def __init__(self, chance):
        self.chance = chance
        self.make = self.node(3)

    def node(self, depth):
        kind = self.chance.choice(("dict", "tuple", "list", "pair") if depth == 3 else ("dict", "tuple", "list", "pair", *["leaf"] * 6) if depth else ("leaf",))
        if kind == "leaf":
            return self.leaf()
        parts = [self.node(depth - 1) for _ in range(2 if kind == "pair" else self.chance.randrange(1, 4))]
        if kind == "dict":
            return lambda: {f"field {n}": part() for n, part in enumerate(parts)}
        if kind == "pair":
            return lambda: Pair(*(part() for part in parts))
        return lambda: (tuple if kind == "tuple" else list)(part() for part in parts)

    def leaf(self):
        chance = self.chance
        kinds = [self.plain]
        if numpy is not None:
            kinds += [self.array] * 3
        if torch is not None:
            kinds += [self.tensor] * 3
        return chance.choice(kinds)()

    def plain(self):
        chance = self.chance
        return chance.choice((
            lambda: chance.randrange(-(1 << 63), 1 << 63), lambda: chance.randrange(1 << 53), lambda: chance.random() < 0.5, chance.random,
            lambda: chance.choice((math.inf, -math.inf, math.nan, -0.0, 1e-320)), lambda: complex(chance.random(), -chance.random()),
            lambda: "text \udcff\0" * chance.randrange(3), lambda: chance.randbytes(chance.randrange(4)), lambda: None, lambda: chance.choice(list(Color)),
            lambda: chance.choice((None, "x", b"y")), lambda: {1, chance.randrange(9)}, lambda: range(chance.randrange(5)),
            lambda: chance.choice((True, 5, 1 << 40)), lambda: chance.choice((1, 0.25))))

    def shape(self):
        return tuple(self.chance.choice((0, 1, 1, 2, 3, 5)) for _ in range(self.chance.choice((0, 1, 1, 2, 2, 3))))

    def array(self):
        chance, shape = self.chance, self.shape()
        element = numpy.dtype(chance.choice((*_stacking.NUMPY, ">f4", ">i8", ">u2", "<M8[s]", "<m8[ms]", "S3", "U2", "O", "longdouble", [("a", "<i4"), ("b", ">f8")])))
        layout = chance.choice(("plain", "plain", "fortran", "reversed", "strided", "readonly", "broadcast", "scalar", "matrix", "masked", "unaligned"))

        def make():
            whole = numpy.frombuffer(chance.randbytes(element.itemsize * math.prod(shape) * 2), element).copy() if element.kind not in "SUOb" else (
                numpy.array([chance.choice((0, 1)) if element.kind == "b" else f"{chance.randrange(9)}" for _ in range(2 * math.prod(shape))], element))
            if layout == "strided":
                return whole[::2].reshape(shape) if not shape else whole.reshape(*shape, 2)[..., chance.choice((0, 1))]
            made = whole[:math.prod(shape)].reshape(shape)
            if layout == "fortran":
                return numpy.asfortranarray(made)
            if layout == "reversed":
                return made[::-1] if shape else made
            if layout == "readonly":
                made.flags.writeable = False
            if layout == "broadcast":
                return numpy.broadcast_to(made[:1], shape) if shape and shape[0] else made
            if layout == "scalar":
                return made.flat[0] if made.size and not shape else made
            if layout == "matrix":
                return made.view(Matrix)
            if layout == "masked":
                return numpy.ma.masked_array(made, mask=[chance.random() < 0.5] * len(made) if len(shape) == 1 else False) if element.names is None else made
            if layout == "unaligned" and element.kind not in "O" and made.size:
                off = numpy.empty(made.nbytes + 1, "uint8")
                off[1:] = numpy.frombuffer(made.tobytes(), "uint8")
                return numpy.ndarray(shape, element, off, 1)
            return made
        return make

    def tensor(self):
        chance, shape = self.chance, self.shape()
        names = ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex64", "complex128")
        dtype = getattr(torch, chance.choice(names))
        layout = chance.choice(("plain", "plain", "transposed", "strided", "expanded", "conjugate", "negative", "grad", "parameter", "sparse", "csr", "quantized",
                                "channels-last", "half of a storage"))

        def filled(shape):
            count = math.prod(shape)
            made = torch.tensor([chance.randrange(-100, 100) for _ in range(count)], dtype=torch.float64).reshape(shape)
            return (made > 0) if dtype == torch.bool else (made.abs() if dtype == torch.uint8 else made).to(dtype)

        def make():
            floats = dtype.is_floating_point or dtype.is_complex
            if layout == "transposed" and len(shape) > 1:
                return filled((*shape[:-2], shape[-1], shape[-2])).transpose(-1, -2)
            if layout == "strided":
                return filled((*shape, 2))[..., chance.choice((0, 1))]
            if layout == "expanded" and shape:
                return filled((1, *shape[1:])).expand(shape)
            if layout == "conjugate" and dtype.is_complex:
                return filled(shape).conj()
            if layout == "negative" and dtype.is_complex:
                return filled(shape).conj().imag
            if layout == "grad" and floats:
                return filled(shape).requires_grad_() * 1
            if layout == "parameter" and floats:
                return torch.nn.Parameter(filled(shape))
            if layout == "sparse" and dtype not in (torch.bool, torch.float16, torch.bfloat16) and shape:
                return filled(shape).to_sparse()
            if layout == "csr" and dtype in (torch.float32, torch.float64) and len(shape) == 2 and math.prod(shape):
                return filled(shape).to_sparse_csr()
            if layout == "quantized" and math.prod(shape):
                return torch.quantize_per_tensor(filled(shape).real.to(torch.float32) if dtype.is_complex else filled(shape).to(torch.float32), 0.5, 3, torch.qint8)
            if layout == "channels-last" and len(shape) == 3:
                return filled((1, *shape)).contiguous(memory_format=torch.channels_last)[0]
            if layout == "half of a storage" and shape:
                return filled((2, *shape))[1]
            return filled(shape)
        return make


def values(part):
    """What an item is, bit by bit, as texts: NaN equals NaN, and -0.0 not 0.0."""
    if isinstance(part, dict):
        return {name: values(each) for name, each in part.items()}
    if isinstance(part, (tuple, list)):
        return [values(each) for each in part]
    if torch is not None and isinstance(part, torch.Tensor):
        plain = part.detach()
        plain = plain.dequantize() if plain.is_quantized else plain.to_dense() if plain.layout is not torch.strided else plain
        return values(plain.resolve_conj().resolve_neg().to(torch.float64 if plain.dtype in (torch.bfloat16, torch.float16) else plain.dtype).tolist())
    if numpy is not None and isinstance(part, numpy.ma.MaskedArray):
        return [repr(part.tolist()), repr(part.data.tolist())]
    if numpy is not None and isinstance(part, (numpy.ndarray, numpy.generic)):
        return values(part.tolist()) if part.dtype.kind in "biufc" and part.dtype.itemsize < 16 or part.dtype.kind == "c" and part.dtype.itemsize == 16 else [
            repr(part.tolist()), part.dtype.newbyteorder("=").str]
    if isinstance(part, memoryview):
        return values(part.tolist())
    return repr(int(part) if isinstance(part, Color) else part)     # a number where numbers are stacked


def numeric(text):
    """A number however it is written: of Python, NumPy or an enumeration."""
    try:
        return complex(text)
    except ValueError:
        return {"True": 1, "False": 0}.get(text, text)


def picked(sample, batch, n):
    """Row n of a batch that was collated from samples of this structure."""
    if isinstance(sample, dict):
        return {name: picked(each, batch[name], n) for name, each in sample.items()}
    if isinstance(sample, (tuple, list)):
        return [picked(each, part, n) for each, part in zip(sample, batch)]
    return batch[n]


def is_same(left, right):
    """Whether two results of `values` are the same; numbers may have become wider."""
    if isinstance(left, dict):
        return isinstance(right, dict) and list(left) == list(right) and all(is_same(left[name], right[name]) for name in left)
    if isinstance(left, list):
        return isinstance(right, list) and len(left) == len(right) and all(map(is_same, left, right))
    if left == right:
        return True
    left, right = numeric(left), numeric(right)
    return isinstance(left, (int, complex)) and left == right


class Generated(unittest.TestCase):
    def by_helper(self, samples, kind):
        """As a helper collates, and a trainer sees it."""
        result = _stacking.collate(samples, lambda rows: _place.stack(rows, kind))
        data, placed, size = _place.pickled(result)
        memory = memoryview(bytearray(size))
        _place.fill(memory, placed)
        del result, placed
        return _place.Unplacer(data, memory).load()

    def by_thread(self, samples, kind):
        return _stacking.collate(samples, lambda rows: _stacking.stack(rows, kind))

    def test_each_row_of_a_batch_is_what_its_sample_was_however_it_came(self):
        first = chosen_seed() * 1_000_000
        refused = collections.Counter()
        for seed in range(first, first + CASES):
            chance = random.Random(seed)
            make = Structure(chance).make
            samples = [make() for _ in range(chance.randrange(1, 5))]
            expected = [values(sample) for sample in samples]
            for kind in [name for name, there in (("numpy", numpy), ("torch", torch), ("memoryview", True)) if there]:
                for way in (self.by_thread, self.by_helper):
                    with self.subTest(seed=seed, kind=kind, way=way.__name__):
                        try:
                            batch = way(samples, kind)
                        except (ValueError, TypeError, RuntimeError) as failure:
                            refused[str(failure)[:40]] += 1
                            continue
                        for n, (sample, meant) in enumerate(zip(samples, expected)):
                            found = values(picked(sample, batch, n))
                            self.assertTrue(is_same(meant, found), f"sample {n} was {meant} and became {found}")
        self.assertLess(sum(refused.values()), CASES, refused)       # of six times as many


if __name__ == "__main__":
    unittest.main()
