"""Which samples an epoch visits: `indices=`, `weights=` and `curriculum=`, as files that the loader reads.

A file lies in a folder that only this user may open and is called by what it holds, so that all who want the same order say the same. Each
loader holds a lock on its files until it is closed; the last removes them, and whoever makes one removes those of loaders that were killed.
"""
import array
import fcntl
import hashlib
import math
import os
import reprlib
import weakref
from typing import Any, Dict, List, Tuple

from . import _share
from ._errors import PlanError
from ._plans import whole

ORDERING = ("indices", "weights", "draws", "replacement", "curriculum")
NPY = b"\x93NUMPY\x01\x00"
Rows = Tuple[bytes, str, Tuple[int, ...]]      # elements, their type as NumPy writes it, and how many there are in each dimension


def chosen(options: Dict[str, Any], shuffle: bool) -> Tuple[Dict[str, Any], List["OrderFile"]]:
    """What a source says of the order that `options` ask for, which are taken out of them, and the files that it names: to be kept with the loader."""
    indices, weights, draws, replacement, curriculum = (options.pop(name, None) for name in ORDERING)
    if indices is not None and weights is not None:
        raise PlanError("indices= and weights= cannot be had at once: both say which samples come")
    if curriculum is not None and (indices is not None or weights is not None):
        raise PlanError("curriculum= cannot be had with indices= or weights=: each says which samples come")
    if weights is None and (draws is not None or replacement is not None):
        raise PlanError("draws= and replacement= go with weights=")
    if indices is None and weights is None and curriculum is None:
        return {}, []
    files: List[OrderFile] = []
    if curriculum is not None:
        return {"order": rising(curriculum, shuffle, files)}, files
    if indices is not None:
        return {"order": {"indices": located("indices", indices, index_rows, shuffle, files)}}, files
    if shuffle:
        raise PlanError("shuffle=True does not go with weights=, which draws at random, by seed=, in every epoch: leave it out")
    said: Dict[str, Any] = {"weights": located("weights", weights, weight_row, shuffle, files)}
    if draws is not None:
        said["draws"] = whole("draws", draws, 1)
    if replacement is not None:
        if not isinstance(replacement, bool):
            raise PlanError(f"replacement must be True or False but was {replacement!r}")
        said["replacement"] = replacement
    return {"order": said}, files


def rising(curriculum: Any, shuffle: bool, files: List["OrderFile"]) -> Dict[str, Any]:
    """What a source says of a curriculum: values, and a limit for them that rises."""
    names = {"values", "from", "to", "over"}
    if not isinstance(curriculum, dict) or not {"values", "from", "over"} <= set(curriculum) <= names:
        raise PlanError("curriculum must be a dictionary such as {'values': lengths, 'from': 128, 'to': 8192, 'over': 100_000}, without 'to' up to"
                        f" the largest value, but was {reprlib.repr(curriculum)}")
    if shuffle:
        raise PlanError("shuffle=True does not go with curriculum=, which draws at random, by seed=, in every epoch: leave it out")
    said: Dict[str, Any] = {"curriculum": located("curriculum", curriculum["values"], value_row, shuffle, files), "over": whole("over", curriculum["over"], 1)}
    for name in ("from", "to"):
        if name in curriculum:
            limit = curriculum[name]
            if isinstance(limit, bool) or not isinstance(limit, (int, float)) or not math.isfinite(limit):
                raise PlanError(f"'{name}' of curriculum must be a finite number but was {limit!r}")
            said[name] = limit
    return said


def value_row(values: Any) -> Rows:
    """Finite numbers, one for each sample."""
    found = as_numpy(values)
    if found is not None and found.size and (found.dtype.kind not in "iuf" or found.ndim != 1):
        raise PlanError(f"the values of curriculum must be numbers in one dimension but are {found.dtype} {list(found.shape)}")
    plain = found.astype("<f8").tolist() if found is not None else listed("curriculum", values)
    for place, value in enumerate(plain):
        if not isinstance(value, (int, float)) or isinstance(value, bool) or not math.isfinite(value):
            raise PlanError(f"the values of curriculum must be finite numbers but number {place} is {value!r}")
    return array.array("d", plain).tobytes(), "<f8", (len(plain),)


def keep(loader, files):
    """The loader, with files that last until it is closed."""
    loader._files = files
    return loader


def located(name, values, rows, shuffle, files):
    """The path of a file with `values`, which is that file's itself if they are a path."""
    if isinstance(values, (str, os.PathLike)):
        path = os.path.abspath(os.fspath(values))
        if not os.path.isfile(path):
            raise PlanError(f"{name}: there is no file at {path}")
        return path
    if callable(values) and not hasattr(values, "__len__"):
        raise PlanError(f"{name} must be numbers, not a function: an array [epochs, places] of indices gives each epoch an order of its own")
    elements, kind, shape = rows(values)
    if shuffle and len(shape) > 1:
        raise PlanError("shuffle=True does not go with indices= of several epochs, which say each epoch's order: leave it out")
    files.append(OrderFile(npy(elements, kind, shape)))
    return files[-1].path


def index_rows(values: Any) -> Rows:
    """Indices in one row, or in one for each epoch."""
    found = as_numpy(values)
    if found is not None:
        if found.size and (found.dtype.kind not in "iu" or found.ndim not in (1, 2)):
            raise PlanError(f"indices must be whole numbers in one dimension, or in two, [epochs, places], but are {found.dtype} {list(found.shape)}"
                            + ("; numpy.flatnonzero(mask) makes indices of a mask" if found.dtype.kind == "b" else ""))
        if not found.size:
            raise PlanError("indices is empty: an epoch would have no sample")
        if int(found.min()) < 0:
            place = int(found.argmin())
            raise PlanError(f"indices must not be negative but number {place} is {int(found.flat[place])}")
        if int(found.max()) > 0x7FFFFFFFFFFFFFFF:
            raise PlanError(f"indices must be below 2^63 but number {int(found.argmax())} is {int(found.max())}")
        wide = int(found.max()) > 0x7FFFFFFF
        return found.astype("<i8" if wide else "<i4").tobytes(), "<i8" if wide else "<i4", found.shape
    nested = listed("indices", values)
    rows = nested if nested and isinstance(nested[0], (list, tuple, range)) else [nested]
    for row in rows:
        if not isinstance(row, (list, tuple, range)) or len(row) != len(rows[0]):
            raise PlanError("indices must be equally many in each epoch")
        for place, index in enumerate(row):
            if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < 1 << 63:
                raise PlanError(f"indices must be whole numbers from 0 but number {place} is {index!r}")
    if not rows[0]:
        raise PlanError("indices is empty: an epoch would have no sample")
    shape = (len(rows), len(rows[0])) if rows[0] is not nested else (len(nested),)
    return array.array("q", (index for row in rows for index in row)).tobytes(), "<i8", shape


def weight_row(values: Any) -> Rows:
    """Weights, one for each sample."""
    found = as_numpy(values)
    if found is not None:
        if found.size and (found.dtype.kind not in "iuf" or found.ndim != 1):
            raise PlanError(f"weights must be numbers in one dimension but are {found.dtype} {list(found.shape)}")
        plain: Any = found.astype("<f8")
        wrong = (~((plain >= 0) & (plain < math.inf))).nonzero()[0]
        place = int(wrong[0]) if len(wrong) else -1
        positive = bool((plain > 0).any())
        elements = plain.tobytes()
    else:
        plain = listed("weights", values)
        if not all(isinstance(weight, (int, float)) and not isinstance(weight, bool) for weight in plain):
            raise PlanError("weights must be numbers in one dimension")
        place = next((n for n, weight in enumerate(plain) if not 0 <= weight < math.inf), -1)
        positive = any(weight > 0 for weight in plain)
        elements = array.array("d", plain).tobytes() if place < 0 else b""
    if place >= 0:
        raise PlanError(f"weights must be finite and not negative but number {place} is {float(plain[place])!r}")
    if not positive:
        raise PlanError("weights must not all be 0: no sample could be drawn")
    return elements, "<f8", (len(plain),)


def as_numpy(values):
    """An array of NumPy; None for a list if NumPy is not installed."""
    try:
        import numpy
    except ImportError:
        return None
    if not isinstance(values, (list, tuple, range)) and not hasattr(values, "__array__"):
        return None
    if isinstance(values, numpy.ma.MaskedArray):
        raise PlanError("indices and weights must not be masked: array.compressed() has those that are not")
    if isinstance(values, (list, tuple)) and bool in set(map(type, values)) and not all(isinstance(value, bool) for value in values):
        raise PlanError("indices and weights must be numbers, and some of these are True or False")
    try:
        return numpy.asarray(values)
    except ValueError as ragged:
        raise PlanError(f"indices and weights must be arrays, in which all rows are equally long: {ragged}") from None


def listed(name, values):
    values = values.tolist() if hasattr(values, "tolist") else values
    if not isinstance(values, (list, tuple, range)):
        advice = ": give list(...) of it, the same in each epoch, or [list(...), ...] with one for each; shuffle= and weights= draw anew" if hasattr(values, "__iter__") else ""
        raise PlanError(f"{name} must be a list, a range or an array of numbers, or the path of a file of them, but was {type(values).__name__}{advice}")
    return values


def npy(elements: bytes, kind: str, shape: Tuple[int, ...]) -> bytes:
    """An NPY file."""
    extents = ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "")
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': ({extents}), }}".encode("ascii")
    header += b" " * (-(len(NPY) + 2 + len(header) + 1) % 64) + b"\n"
    return NPY + len(header).to_bytes(2, "little") + header + elements


class OrderFile:
    """A file that is there until it is closed, or this object goes, for a loader's process to read."""

    def __init__(self, content: bytes) -> None:
        folder = os.path.join(_share.folder("indices= and weights= need"), "orders")
        os.makedirs(folder, 0o700, exist_ok=True)
        prune(folder)
        self.path = os.path.join(folder, hashlib.sha256(content).hexdigest() + ".npy")
        self.close = weakref.finalize(self, end, self.path, opened(self.path, content), os.getpid())


def opened(path, content):
    """A descriptor of the file with a lock that says that it is used, which any number may hold at once."""
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH)
            if is_whole(descriptor, path, content):
                return descriptor
            fcntl.flock(descriptor, fcntl.LOCK_EX)      # it is new, or was left behind by whoever was killed while it wrote
            if is_there(descriptor, path) and not is_whole(descriptor, path, content):
                os.ftruncate(descriptor, 0)
                left = memoryview(content)
                while left:
                    left = left[os.write(descriptor, left):]
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def is_whole(descriptor, path, content):
    return os.fstat(descriptor).st_size == len(content) and is_there(descriptor, path)


def is_there(descriptor, path):
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path, follow_symlinks=False))
    except FileNotFoundError:
        return False


def end(path, descriptor, owner):
    """Lets go of a file, and removes it if nobody else uses it; a forked process leaves it to its parent."""
    if owner == os.getpid():
        remove(path, descriptor)
    os.close(descriptor)


def remove(path, descriptor):
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return      # somebody uses it
    if is_there(descriptor, path):
        os.unlink(path)


def prune(folder):
    """Removes the files of those who were killed."""
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
        except FileNotFoundError:
            continue
        try:
            remove(path, descriptor)
        finally:
            os.close(descriptor)
