"""Results of samples as a batch: arrays and numbers are stacked, mappings, tuples and lists go through, all else becomes a list."""
import array
import sys
from typing import Any, Callable, List, Optional, Tuple

from . import _arrays, _containers
from ._containers import MAPPING, SEQUENCE

NUMPY = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64", "complex64", "complex128")
# Of PyTorch, those whose bytes are known; others are objects.
TORCH = (*NUMPY, "bfloat16", "complex32", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e8m0fnu")
SIZES = {"c": 1, "b": 1, "B": 1, "?": 1, "h": 2, "H": 2, "i": 4, "I": 4, "q": 8, "Q": 8, "l": 8, "L": 8, "f": 4, "d": 8}


def collate(values: List[Any], stack: Callable[[List[Any]], Any]) -> Any:
    """One batch of the results `values`."""
    first = values[0] if values else None
    kind = _containers.kind(first)
    for row, value in enumerate(values):
        if type(value) is not type(first) and _containers.kind(value) != kind:
            raise ValueError(f"results must be of one kind, but sample 0 is {type(first).__name__} and sample {row} {type(value).__name__}")
    if kind == MAPPING:
        for row, value in enumerate(values):
            if value.keys() != first.keys():
                raise ValueError(f"results must have the same fields, but sample 0 has {list(first)} and sample {row} {list(value)}")
        return _containers.mapping(first, {name: collate([value[name] for value in values], stack) for name in first})
    if kind == SEQUENCE:
        for row, value in enumerate(values):
            if type(value) is not type(first) or len(value) != len(first):
                raise ValueError(f"results must have the same parts, but sample 0 is a {type(first).__name__} of {len(first)} and sample {row} a"
                                 f" {type(value).__name__} of {len(value)}")
        parts = [collate([value[n] for value in values], stack) for n in range(len(first))]
        return _containers.Parts(parts) if type(first) is list else _containers.sequence(first, parts)
    if values and all(is_number(value) or described(value) is not None for value in values):
        return stack(values)
    return values


def is_number(value: Any) -> bool:
    """Whether it is one of Python's."""
    return isinstance(value, (bool, int, float, complex))


def are_numbers(values: List[Any]) -> bool:
    """Whether they are numbers, some of them Python's: beside them, an array of one element is none."""
    return any(map(is_number, values)) and all(is_number(value) or (found := described(value)) is not None and found[2] == () for value in values)


def described(value: Any) -> Optional[Tuple[str, str, Tuple[int, ...]]]:
    """(kind, element type, shape) of an array in this process's memory; None for everything else."""
    numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
    if numpy is not None and isinstance(value, (numpy.ndarray, numpy.generic)):
        masked = sys.modules.get("numpy.ma")
        if masked is not None and isinstance(value, masked.MaskedArray):    # which is more than its elements
            return None
        return ("numpy", value.dtype.name, tuple(value.shape)) if value.dtype.name in NUMPY else None
    if torch is not None and isinstance(value, torch.Tensor):
        plain = value.device.type == "cpu" and value.layout is torch.strided and not value.is_quantized
        name = str(value.dtype)[6:]
        return ("torch", name, tuple(value.shape)) if plain and name in TORCH else None
    if isinstance(value, memoryview):
        return ("memoryview", value.format, tuple(value.shape or ())) if value.format in SIZES else None
    return None


def converted(value: Any, kind: str) -> Any:
    """A batch whose arrays are of the kind that a function is to get, over the same memory, as far as NumPy and PyTorch both have their types."""
    of = _containers.kind(value)
    if of == MAPPING:
        return _containers.mapping(value, {name: converted(part, kind) for name, part in value.items()})
    if of == SEQUENCE:
        parts = [converted(part, kind) for part in value]
        return value if all(part is before for part, before in zip(parts, value)) else _containers.sequence(value, parts)
    found = described(value)
    if found is None or is_scalar(value):
        return value
    if found[0] == "torch" and kind == "numpy" and found[1] in NUMPY:
        return value.detach().resolve_conj().resolve_neg().numpy()
    if found[0] == "numpy" and kind == "torch":
        return to_torch(value)
    return value


def is_scalar(value: Any) -> bool:
    """Whether it is a number of NumPy, which may be the key of a dictionary: an array of no dimensions may not."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.generic)


def equal_rows(values: List[Any]) -> Tuple[str, str, Tuple[int, ...]]:
    """What all of the arrays are; says which differ."""
    first = described(values[0])
    for row, value in enumerate(values):
        other = described(value)
        if other != first or other is None or first is None:
            kinds = first is not None and other is not None and first[0] != other[0]
            raise ValueError(f"results cannot be stacked: sample 0 is {words(values[0], first, kinds)}, sample {row} is {words(value, other, kinds)}. Return"
                             " equal shapes and types, or give collate=, a function of the list of results")
    assert first is not None
    return first


def words(value: Any, described_as: Optional[Tuple[str, str, Tuple[int, ...]]], kinds: bool) -> str:
    if described_as is None:
        return type(value).__name__
    kind, element, shape = described_as
    return f"{element} {list(shape)}{f' of {kind}' if kinds else ''}"


def stack(values: List[Any], kind: str) -> Any:
    """The rows as one array of `kind`, in memory of its own."""
    if are_numbers(values):
        return numbers(values, kind)
    own, element, shape = equal_rows(values)
    if own == "torch":
        import torch
        stacked = torch.stack(values)
        return as_kind(stacked.detach().resolve_conj().resolve_neg().numpy(), kind) if kind == "jax" and element in NUMPY else stacked
    if own == "memoryview":
        data: Any = memoryview(bytearray(b"".join(value.tobytes() for value in values)))
        return data.cast(element, (len(values), *shape)) if element != "B" or shape else data
    import numpy
    return as_kind(numpy.stack([numpy.asarray(value) for value in values]), kind)      # a matrix of NumPy would stay of two dimensions


def element_of(values: List[Any], kind: str) -> str:
    """The type of numbers as an array, as wide as Python's; refuses whole numbers that would become others."""
    values = plain(values)
    whole = [value for value in values if isinstance(value, int)]
    changed: Optional[int] = None
    if len(whole) < len(values):
        element = "complex128" if any(isinstance(value, complex) for value in values) else "float64"
        changed = next((value for value in whole if not is_float(value)), None)
    elif all(isinstance(value, bool) for value in whole):
        element = "bool"
    else:
        element = "int64" if kind in ("torch", "memoryview") or all(-1 << 63 <= value < 1 << 63 for value in whole) else "uint64"
        least, most = (-1 << 63, 1 << 63) if element == "int64" else (0, 1 << 64)
        changed = next((value for value in whole if not least <= value < most), None)
    if changed is not None and not (kind == "memoryview" and len(whole) < len(values)):     # that is a list
        raise ValueError(f"results cannot be stacked: as {element} {changed} would be another number. Return arrays of a type that holds all of"
                         " them, or texts")
    return element


def plain(values: List[Any]) -> List[Any]:
    """Numbers of NumPy and PyTorch, which may stand beside those of Python, as Python's."""
    return [value.item() if (found := described(value)) is not None and found[2] == () and hasattr(value, "item") else value for value in values]


def numbers(values: List[Any], kind: str) -> Any:
    """Numbers, of which some are Python's, as an array."""
    values = plain(values)
    element = element_of(values, kind)
    if kind == "torch":
        import torch
        return torch.tensor(values, dtype=getattr(torch, element), device="cpu")
    if kind in ("numpy", "jax"):
        import numpy
        return as_kind(numpy.asarray(values, element), kind)
    if element == "int64" and not any(isinstance(value, bool) for value in values):
        return memoryview(array.array("q", values))
    return memoryview(array.array("d", values)) if all(isinstance(value, float) for value in values) else list(values)


def is_float(value: int) -> bool:
    """Whether there is a float of the same value."""
    try:
        return float(value) == value
    except OverflowError:
        return False


def as_kind(stacked: Any, kind: str) -> Any:
    """An array of NumPy as one of JAX, or as a tensor, if that is the kind and PyTorch has the type."""
    return _arrays.to_jax(stacked) if kind == "jax" else to_torch(stacked) if kind == "torch" else stacked


def to_torch(value: Any) -> Any:
    """An array of NumPy as a tensor, over the same memory where PyTorch can have that, or as it is, if PyTorch lacks the type."""
    import torch
    if not hasattr(torch, value.dtype.name):
        return value
    whole = value.dtype.isnative and value.flags.writeable and value.flags.aligned and all(
        step >= 0 and step % value.itemsize == 0 for step in value.strides)
    return torch.from_numpy(value if whole else value.astype(value.dtype.newbyteorder("=")))
