"""Objects with arrays from one process to another: pickled, and their arrays placed in shared memory instead."""
import importlib.util
import io
import pickle
import sys
from typing import Any, Callable, Dict, List, Optional, Tuple

from . import _stacking

try:
    from cloudpickle import Pickler  # type: ignore[import]
except ImportError:
    Pickler = pickle.Pickler

ALIGNMENT = 64
# kind, element type, shape, offset
Placement = Tuple[str, str, Tuple[int, ...], int]


class Rows:
    """Rows that are to become one array, which the pickler places; so each is copied once."""

    def __init__(self, values: List[Any], kind: str) -> None:
        own, element, shape = _stacking.equal_rows(values)
        self.values = values
        self.own = own
        self.kind = "torch" if own == "numpy" and kind == "torch" else own
        self.element = element
        self.shape = (len(values), *shape)


class As:
    """An array of NumPy that becomes one of another kind where it is read."""

    def __init__(self, array: Any, kind: str) -> None:
        self.array = array
        self.kind = kind


def stack(values: List[Any], kind: str) -> Any:
    """What `_stacking.stack` does, later."""
    if _stacking.are_numbers(values):
        if kind != "torch" or "torch" in sys.modules or importlib.util.find_spec("numpy") is None:
            return _stacking.numbers(values, kind)
        import numpy    # a process that needs no tensors does without PyTorch, which takes more memory than all else in it
        return As(numpy.asarray(values, _stacking.element_of(values, kind)), kind)
    return Rows(values, kind)


class Resolved:
    """Pickles conjugated and negated tensors as what they are: PyTorch before 2.1 forgets that they are."""

    def reducer_override(self, value: Any) -> Any:
        torch = sys.modules.get("torch")
        if torch is not None and isinstance(value, torch.Tensor) and value.layout is torch.strided and (value.is_conj() or value.is_neg()):
            return value.resolve_conj().resolve_neg().__reduce_ex__(5)
        others = getattr(super(), "reducer_override", None)
        return others(value) if others is not None else NotImplemented


class ByValue(Resolved, Pickler):
    """By cloudpickle, if it is installed."""


class ByName(Resolved, pickle.Pickler):
    """By pickle, which names functions and classes."""


def dumps(value: Any, pickler: Any = ByValue) -> bytes:
    """`value` for other processes."""
    file = io.BytesIO()
    pickler(file, protocol=5).dump(value)
    return file.getvalue()


class Placer(ByValue):
    """Pickles an object with a note for each array of where it is to lie; what lies where is in `placed`."""

    def __init__(self, file: Any, before: Optional[Callable[[Any], Optional[Placement]]] = None) -> None:
        super().__init__(file, protocol=5)
        self.placed: List[Tuple[Any, Placement]] = []       # which keeps the arrays, so that their numbers stay theirs
        self._known: Dict[int, Placement] = {}
        self.size = 0
        self._before = before

    def persistent_id(self, value: Any) -> Any:
        if isinstance(value, Rows):
            return self._place(value, value.kind, value.element, value.shape)
        if isinstance(value, As):
            return self._place(value.array, value.kind, value.array.dtype.name, value.array.shape)
        described = _stacking.described(value)
        if described is None or not is_plain(value):
            return None
        if self._before is not None:
            there = self._before(value)
            if there is None and isinstance(value, memoryview):
                return ("bytes", value.tobytes(), value.format, value.shape)
            return there
        return self._place(value, *described) if elements(described[2]) or isinstance(value, memoryview) else None

    def _place(self, value: Any, kind: str, element: str, shape: Tuple[int, ...]) -> Placement:
        if id(value) in self._known:
            return self._known[id(value)]
        placement = self._known[id(value)] = (kind, element, shape, self.size)
        self.placed.append((value, placement))
        self.size += -(-bytes_of(element, shape) // ALIGNMENT) * ALIGNMENT
        return placement


def is_plain(value: Any) -> bool:
    """Whether an array is its elements only: kinds of arrays of others know more, such as a unit or how to multiply; a gradient is more, too."""
    numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
    if numpy is not None and isinstance(value, (numpy.ndarray, numpy.generic)):
        return type(value) in (numpy.ndarray, numpy.memmap)
    return torch is None or not isinstance(value, torch.Tensor) or (type(value) is torch.Tensor and not value.requires_grad)


def pickled(value: Any, before: Optional[Callable[[Any], Optional[Placement]]] = None) -> Tuple[bytes, List[Tuple[Any, Placement]], int]:
    """`value` without its arrays, the arrays with where each is to lie, and how many bytes that takes."""
    file = io.BytesIO()
    placer = Placer(file, before)
    placer.dump(value)
    return file.getvalue(), placer.placed, placer.size


class Unplacer(pickle.Unpickler):
    """Reads what `Placer` wrote, with arrays that are views of `buffer`."""

    def __init__(self, data: bytes, buffer: Any, kind: Optional[str] = None) -> None:
        super().__init__(io.BytesIO(data))
        self._buffer = buffer
        self._kind = kind

    def load(self) -> Any:
        try:
            return super().load()
        finally:
            check_sparse()

    def persistent_load(self, placement: Any) -> Any:
        if placement[0] == "bytes":
            _, data, element, shape = placement
            return memoryview(bytearray(data)).cast("B").cast(element, shape) if shape else memoryview(bytearray(data)).cast(element)
        kind, element, shape, offset = placement
        return view(self._kind or kind, element, shape, self._buffer, offset)


def loads(data: bytes) -> Any:
    """What was pickled, in memory of its own."""
    try:
        return pickle.loads(data)
    finally:
        check_sparse()


def check_sparse() -> None:
    """PyTorch lists the sparse tensors that are unpickled until somebody has them checked, as `torch.load` does: it would keep them, and the memory that they
    lie in, for good."""
    utils = sys.modules.get("torch._utils")
    if getattr(utils, "_sparse_tensors_to_validate", None):
        getattr(utils, "_validate_loaded_sparse_tensors")()


def view(kind: str, element: str, shape: Tuple[int, ...], buffer: Any, offset: int) -> Any:
    """An array over a part of `buffer`, which it keeps."""
    if kind == "torch":
        import torch
        dtype, count = getattr(torch, element, None), elements(shape)
        if dtype is None:       # PyTorch before 2.3 has no unsigned numbers of more than 8 bits
            return view("numpy", element, shape, buffer, offset)
        return torch.frombuffer(buffer, dtype=dtype, count=count, offset=offset).view(shape) if count else torch.empty(shape, dtype=dtype, device="cpu")
    if kind in ("numpy", "jax"):
        import numpy
        return _stacking.as_kind(numpy.ndarray(shape, numpy.dtype(element), buffer, offset), kind)
    part: Any = memoryview(buffer).cast("B")[offset:offset + bytes_of(element, shape)]
    return part.cast(element, shape) if len(part) else part


def fill(buffer: Any, placed: List[Tuple[Any, Placement]]) -> None:
    """Copies the arrays to where they were placed."""
    for value, (kind, element, shape, offset) in placed:
        if isinstance(value, Rows):
            into = view(value.own, element, shape, buffer, offset)
            for row, each in enumerate(value.values):
                copy(into, row, each)
        else:
            own = _stacking.described(value)
            copy(view("numpy" if own is not None and own[0] == "numpy" else kind, element, (1, *shape), buffer, offset), 0, value)


def copy(into: Any, row: int, value: Any) -> None:
    if isinstance(into, memoryview):
        flat = into.cast("B")
        flat[row * value.nbytes:(row + 1) * value.nbytes] = value.tobytes()
    elif hasattr(value, "detach"):
        into[row].copy_(value.detach())
    else:
        into[row] = value


def elements(shape: Tuple[int, ...]) -> int:
    count = 1
    for extent in shape:
        count *= extent
    return count


def bytes_of(element: str, shape: Tuple[int, ...]) -> int:
    return elements(shape) * (_stacking.SIZES.get(element) or WIDTHS.get(element) or 1)      # 8-bit floats


WIDTHS = {"bool": 1, "int8": 1, "uint8": 1, "int16": 2, "uint16": 2, "float16": 2, "bfloat16": 2, "int32": 4, "uint32": 4, "float32": 4, "int64": 8,
          "uint64": 8, "float64": 8, "complex32": 4, "complex64": 8, "complex128": 16}
