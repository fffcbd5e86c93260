"""A helper process: a fresh interpreter that applies the user's function to batches, until its trainer is gone.

Started as `main(socket, ring, ring_bytes, standing, trainer)`: numbers of files that it inherits, and of the trainer's process.
"""
import atexit
import contextlib
import ctypes
import gc
import mmap
import os
import pickle
import socket
import sys
import threading
import time
import traceback
import weakref
from typing import Any, Dict, List, Optional, Tuple

from . import _channel, _late, _place, _ring, _wire
from ._work import Progress, Work, words

SMALLEST = 1 << 16
MOST_FREE = 3
LOOK_SECONDS = 1
KEPT = ("the function keeps an array of the batch, or a part of one, beyond its call. Another batch will be written there: keep a copy, by numpy.array(...)"
        " or .clone(), or use threads=")


class Standing(Progress):
    """Says in shared memory what is worked at: whoever finds the process dead can read it there."""

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self._memory = _channel.mapped(descriptor, mmap.PAGESIZE)
        self.process = os.getpid()
        self.key = -1

    def begin(self, key: int) -> None:
        self.key = key
        self.at(-1)

    def at(self, row: int) -> None:
        end_forks(self.process)
        self.row = row
        _channel.STANDING.pack_into(self._memory, 0, self.key, row)


class Segments:
    """The memory files that results lie in, each free again when the trainer says so."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._made: Dict[int, Any] = {}
        self._free: List[int] = []
        self._count = 0

    def released(self, numbers: List[int]) -> None:
        self._free += numbers

    def take(self, size: int) -> Tuple[int, Any, List[int]]:
        """A segment of at least `size` bytes, and those that were dropped for being of other sizes."""
        fitting = [number for number in self._free if size <= len(self._made[number]) <= max(4 * size, SMALLEST)]
        if fitting:
            number = min(fitting, key=lambda each: len(self._made[each]))
            self._free.remove(number)
            return number, self._made[number], []
        dropped = self._free[:-MOST_FREE] if len(self._free) > MOST_FREE else []
        for number in dropped:
            self._free.remove(number)
            self._made.pop(number).close()
        length = -(-max(size, 1) * 5 // 4 // SMALLEST) * SMALLEST
        descriptor = _ring.unnamed_file()
        try:
            os.ftruncate(descriptor, length)
            number = self._count
            self._count += 1
            self._made[number] = mmap.mmap(descriptor, length)
            socket.send_fds(self._connection, [_channel.frame(_channel.SEGMENT, _channel.MADE.pack(number, length))], [descriptor])
        finally:
            os.close(descriptor)
        return number, self._made[number], dropped


def main(connection: int, ring: int, ring_bytes: int, standing: int, trainer: int) -> None:
    code = 1
    try:
        answer(connection, ring, ring_bytes, standing, trainer)
        code = 0
    except (BrokenPipeError, ConnectionResetError):
        code = 0        # the trainer is gone
    except BaseException:
        traceback.print_exc()
    finally:
        leave(code)


def answer(connection: int, ring: int, ring_bytes: int, standing: int, trainer: int) -> None:
    """Does what it is told until it is told no more."""
    channel = socket.socket(fileno=connection)
    threading.Thread(target=watch, args=(trainer,), daemon=True, name="jspdl-trainer").start()
    memory = mmap.mmap(ring, ring_bytes) if ring >= 0 else None
    received = _channel.Received()
    segments = Segments(channel)
    work: Optional[Work] = None
    progress = Standing(standing)
    while True:
        order = received.next()
        if order is None:
            if not received.read(channel):
                return
            continue
        kind, body = order
        if kind == _channel.WORK:
            work = loaded(channel, body)
        elif work is not None:
            serve(channel, work, segments, memory, progress, body)


def leave(code: int) -> None:
    """Ends this process as interpreters end, with the function's threads and what it has registered for the end, but without taking the interpreter apart: threads of
    libraries may be in the middle of anything, and need what is theirs until the end."""
    try:
        getattr(threading, "_shutdown")()       # as `multiprocessing` does
        atexit._run_exitfuncs()
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):
                stream.flush()
        os._exit(code)


def end_forks(helper: int) -> None:
    """Ends this process if it is a fork of the helper, which a function has let return: memory and connection are not its own."""
    if os.getpid() != helper:
        os._exit(0)


def watch(trainer: int) -> None:
    """Ends this process with its trainer, whose end the socket does not tell while a process that was forked from it has it open."""
    try:
        descriptor = os.pidfd_open(trainer)
    except ProcessLookupError:
        os._exit(1)
    except (AttributeError, OSError):   # an old kernel, a sandbox that forbids it, or a Python built without it
        while os.getppid() == trainer:
            time.sleep(LOOK_SECONDS)
        os._exit(1)
    if os.getppid() != trainer:
        os._exit(1)
    _wire.await_any([descriptor], [], None)
    os._exit(1)


def loaded(channel: socket.socket, body: bytes) -> Optional[Work]:
    try:
        work = _place.loads(body)
    except BaseException as failure:
        channel.sendall(_channel.frame(_channel.BROKEN, words(failure).encode(errors="replace")))
        return None
    channel.sendall(_channel.frame(_channel.READY, b""))
    assert isinstance(work, Work)
    _late.follow(work.late())
    return work


def serve(channel: socket.socket, work: Work, segments: Segments, ring: Any, progress: Standing, body: bytes) -> None:
    """Does one task and sends what came of it."""
    began = time.monotonic_ns()
    key, epoch, number, free = _channel.ORDER.unpack_from(body)
    end = _channel.ORDER.size + 8 * free
    segments.released(list(memoryview(body[_channel.ORDER.size:end]).cast("q")))
    progress.begin(key)
    # All arrays of the batch refer to this object, so it tells whether one of them is kept.
    memory = (ctypes.c_ubyte * len(ring)).from_buffer(ring) if ring is not None else None
    seen = weakref.ref(memory) if memory is not None else None
    kind, segment, dropped, data = outcome(work, segments, memory, progress, epoch, number, body[end:])
    del memory
    if seen is not None and seen() is not None:
        gc.collect()        # what is not kept may be part of a cycle
        if seen() is not None:
            if segment >= 0:
                segments.released([segment])
            kind, segment, data = _channel.KEPT, -1, pickle.dumps((-1, KEPT, None))
    spent = time.monotonic_ns() - began
    channel.sendall(_channel.frame(kind, _channel.OUTCOME.pack(key, segment, spent, len(dropped)) + _channel.numbers(dropped) + data))
    progress.begin(-1)
    if kind == _channel.KEPT:       # what the function has kept would be another batch's: nothing is to be made of that
        os._exit(0)


def outcome(work: Work, segments: Segments, memory: Any, progress: Standing, epoch: int, number: int, sent: bytes) -> Tuple[int, int, List[int], bytes]:
    """What came of a task: its kind, the segment of its arrays or -1, the segments that are no more, and the rest."""
    segment = -1
    dropped: List[int] = []
    try:
        batch = _place.Unplacer(sent, memory, None).load()
        result = work.run(batch, epoch, number, progress, _place.stack, True)
        end_forks(progress.process)
        data, placed, size = _place.pickled(result)
        if placed:
            segment, into, dropped = segments.take(size)
            _place.fill(into, placed)
        return _channel.RESULT, segment, dropped, data
    except BaseException as failure:    # SystemExit and all: what the function raises is the batch's
        end_forks(progress.process)
        if segment >= 0:
            segments.released([segment])
        return _channel.FAILURE, -1, dropped, pickle.dumps((progress.row, told(failure), cause(failure)))


def told(failure: BaseException) -> str:
    """The exception as one reads it, with where the user's function was."""
    lines = traceback.format_exception(type(failure), failure, failure.__traceback__)
    return f"{words(failure)}\n\nIn the helper process {os.getpid()}:\n{''.join(lines)}".rstrip()


def cause(failure: BaseException) -> Optional[bytes]:
    """The exception itself, if it can be sent."""
    try:
        data = pickle.dumps(failure)
        _place.loads(data)
        return data
    except BaseException:       # whatever its parts do when they are pickled
        return None


