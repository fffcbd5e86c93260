"""A helper of the loader's: a fresh interpreter that applies the user's function to samples, one at a time, until the loader is gone.

Started as `main(file, bytes, loader)`: the memory that both have mapped, and the loader's process. What they say to each other goes through standard
input and output; what the function prints goes to the error stream. The other side is Helper.java.
"""
import base64
import ctypes
import gc
import json
import mmap
import os
import struct
import sys
import threading
import weakref
from typing import Any, BinaryIO, Callable, Dict, List, Optional, Tuple

from . import _arrays, _build, _helper, _late, _place, _stacking
from ._work import Work, words

WORK, CALL, GRANT, READY, BROKEN, RESULT, FAILURE, NEED, KEPT = range(1, 10)
FRAME = struct.Struct("<IB")
CALLED = struct.Struct("<qQqqII")        # number of the call, seed, where results may lie, how many bytes, bytes of the structure, arrays
NUMBER = struct.Struct("<q")
ALIGNMENT = 64
MOST_FORMS = 1024
# What the loader calls the types that NumPy, PyTorch and memory views have.
TYPES = {**{name: name.upper() for name in _stacking.NUMPY}, "bfloat16": "BFLOAT16", **{name: element for element, name in _arrays.TORCH.items()}}
FORMATS = {form: element for element, form in _arrays.FORMATS.items()}


class Channel:
    """Frames between loader and helper."""

    def __init__(self, commands: BinaryIO, answers: BinaryIO) -> None:
        self._commands = commands
        self._answers = answers

    def next(self) -> Optional[Tuple[int, bytes]]:
        """The next frame; None when the loader is gone."""
        header = self._commands.read(FRAME.size)
        if len(header) < FRAME.size:
            return None
        length, kind = FRAME.unpack(header)
        body = self._commands.read(length)
        return (kind, body) if len(body) == length else None

    def send(self, kind: int, body: bytes) -> None:
        self._answers.write(FRAME.pack(len(body), kind) + body)
        self._answers.flush()


class Samples:
    """Samples as the loader writes them, and results as it reads them."""

    def __init__(self, memory: mmap.mmap, channel: Channel) -> None:
        self.memory = memory
        self._channel = channel
        self._process = os.getpid()
        self._call = b""
        self._whole = ctypes.c_ubyte * len(memory)
        self._address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
        self._forms: Dict[Tuple[bytes, str], Any] = {}

    def serve(self, work: Work, body: bytes) -> Tuple[int, bytes]:
        """Does one sample; what the loader is told of it."""
        self._call = body[:NUMBER.size]
        # All arrays of the sample refer to this object, so it tells whether one of them is kept.
        owner = self._whole.from_buffer(self.memory)
        seen = weakref.ref(owner)
        kind, said = self._done(work, body, owner)
        _helper.end_forks(self._process)
        del owner
        if seen() is not None:
            gc.collect()        # what is not kept may be part of a cycle
            if seen() is not None:
                kind, said = KEPT, failed(KEPT_SAMPLE, None)
        return kind, self._call + said

    def _done(self, work: Work, body: bytes, owner: Any) -> Tuple[int, bytes]:
        _, seed, begin, size, structure, count = CALLED.unpack_from(body)
        try:
            sample, places = self._sample(work, body, structure, count, owner)
            work.sow(seed)
            result = work.function(sample)
            _helper.end_forks(self._process)    # before it writes where by now another sample's results may lie
            return RESULT, self._result(result, places, begin, size)
        except BaseException as failure:    # SystemExit and all: what the function raises is the sample's
            return FAILURE, failed(_helper.told(failure), _helper.cause(failure))

    def _sample(self, work: Work, body: bytes, structure: int, count: int, owner: Any) -> Tuple[Any, List[Tuple[int, int]]]:
        """The sample, and where its arrays lie: where they begin and how many bytes they have."""
        at = CALLED.size
        described = body[at:at + structure]
        form = self._forms.get((described, work.arrays))
        if form is None:
            if len(self._forms) >= MOST_FORMS:
                self._forms.clear()
            form = self._forms[described, work.arrays] = _build.Form(json.loads(described), work.arrays, _arrays.maker(work.arrays), None)
        at += structure
        offsets = struct.unpack_from(f"<{count}q", body, at)
        sample = form.over(owner, offsets, body[at + 8 * count:])
        return _stacking.converted(sample, work.arrays), [(offset, size) for offset, size in zip(offsets, form.sizes) if offset >= 0]

    def _result(self, result: Any, places: List[Tuple[int, int]], begin: int, size: int) -> bytes:
        """The fields of a result as JSON, with their arrays in memory that the loader has shown."""
        if not isinstance(result, dict) or not all(isinstance(name, str) for name in result):
            raise TypeError(f"the function must return a dictionary of the sample's fields but returned {type(result).__name__}"
                            if not isinstance(result, dict) else "the names of the fields that the function returns must be texts")
        fields: List[List[Any]] = []
        copied: List[Tuple[List[Any], Any]] = []
        needed = 0
        for name, value in result.items():
            name = str(name)
            array = as_array(value)
            if array is None:
                fields.append([name, *as_value(value)])
                continue
            element, shape, array = array
            field = [name, "array", element, list(shape), -1]
            fields.append(field)
            length = _arrays.elements(shape) * _arrays.BYTES[element]
            if length == 0:
                continue
            there = self._offset(array)
            if there is not None and any(first <= there and there + length <= first + many for first, many in places):
                field[-1] = there
            else:
                field[-1] = needed
                copied.append((field, array))
                needed += -(-length // ALIGNMENT) * ALIGNMENT
        if needed > size:
            self._channel.send(NEED, self._call + NUMBER.pack(needed))
            granted = self._channel.next()
            if granted is None:
                os._exit(1)
            begin, = NUMBER.unpack(granted[1])
        for field, array in copied:
            field[-1] += begin
            self._write(array, field[-1])
        return NUMBER.pack(needed) + json.dumps(fields).encode()

    def _offset(self, array: Any) -> Optional[int]:
        """Where an array lies in the shared memory, as the loader would read it there; None if it does not."""
        if hasattr(array, "data_ptr"):
            address, whole = array.data_ptr(), array.is_contiguous() and not array.is_conj() and not array.is_neg()
        elif hasattr(array, "__array_interface__"):
            address, whole = array.__array_interface__["data"][0], array.flags.c_contiguous and array.dtype.isnative
        else:
            return None
        return address - self._address if whole and 0 <= address - self._address < len(self.memory) else None

    def _write(self, array: Any, offset: int) -> None:
        if isinstance(array, memoryview):
            self.memory[offset:offset + array.nbytes] = array.tobytes()
        elif hasattr(array, "data_ptr"):
            _place.view("torch", str(array.dtype)[6:], tuple(array.shape), self.memory, offset).copy_(array.detach())
        else:
            import numpy
            numpy.ndarray(array.shape, array.dtype.newbyteorder("="), self.memory, offset)[...] = array


def as_array(value: Any) -> Optional[Tuple[str, Tuple[int, ...], Any]]:
    """(type, shape, array) of an array or a number; None for all else."""
    if isinstance(value, (bool, int, float, complex)) and not is_enum(value):
        number, form = ("BOOL", "?") if isinstance(value, bool) else ("INT64", "q") if isinstance(value, int) else (
            ("FLOAT64", "d") if isinstance(value, float) else ("COMPLEX128", ""))
        try:
            data = struct.pack(f"={form}", value) if form else struct.pack("=dd", value.real, value.imag)
        except struct.error:
            raise ValueError(f"{value} is no whole number of 64 bits: return an array of a type that holds it, or a text") from None
        return number, (), memoryview(data)
    found = _stacking.described(value)
    if found is None:
        return None
    kind, name, shape = found
    element = FORMATS.get(name) if kind == "memoryview" else TYPES.get(name)
    if element is None or (kind == "memoryview" and value.itemsize != _arrays.BYTES[element]):
        return None
    if kind == "numpy":
        import numpy
        value = numpy.asarray(value)
    return element, shape, value


def is_enum(value: Any) -> bool:
    """Whether it is more than a number, such as a constant of an enumeration."""
    enum = sys.modules.get("enum")
    return enum is not None and isinstance(value, enum.Enum)


def as_value(value: Any) -> Tuple[str, str]:
    """What is no array: texts as such, all else as Python writes it down."""
    if type(value) is str:      # pylint: disable=unidiomatic-typecheck
        try:
            value.encode()
            return "text", value
        except UnicodeEncodeError:      # of a name of a file that is no UTF-8
            pass
    return "object", base64.b64encode(_place.dumps(value, _place.ByName)).decode()


def failed(message: str, raised: Optional[bytes]) -> bytes:
    said: Dict[str, Any] = {"message": message, "raised": base64.b64encode(raised).decode() if raised is not None else None}
    return json.dumps(said).encode()


KEPT_SAMPLE = ("the function keeps an array of the sample, or a part of one, beyond its call. Another sample will be written there: keep a"
               " copy, by numpy.array(...) or .clone()")


def main(file: str, length: int, loader: int) -> None:
    commands, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    threading.Thread(target=_helper.watch, args=(loader,), daemon=True, name="jspdl-loader").start()
    channel = Channel(open(commands, "rb"), open(answers, "wb"))
    frame = channel.next()
    if frame is None:
        return
    try:
        work = _place.loads(frame[1])
        _late.follow(work.late())
        maker: Callable[..., Any] = _arrays.maker(work.arrays)
        del maker
    except BaseException as failure:
        channel.send(BROKEN, words(failure).encode(errors="replace"))
        return
    try:
        descriptor = os.open(file, os.O_RDWR | os.O_CLOEXEC)
        samples = Samples(mmap.mmap(descriptor, length), channel)
        os.close(descriptor)
    except OSError as failure:
        channel.send(BROKEN, f"the loader's memory at {file} cannot be mapped: {failure}".encode(errors="replace"))
        return
    try:
        channel.send(READY, b"")
        while (frame := channel.next()) is not None:
            channel.send(*(answer := samples.serve(work, frame[1])))
            if answer[0] == KEPT:       # what the function has kept would be another sample's: nothing is to be made of that
                break
    except BrokenPipeError:
        pass        # the loader is gone
    finally:
        os._exit(0)     # what the function has left behind, such as threads, must not keep the process
