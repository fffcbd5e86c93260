"""Workers that are processes: fresh interpreters, each with a socket, a few tasks in hand, and memory files for its results."""
import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
import weakref
from collections import deque
from typing import Any, Deque, Dict, List, Optional, Tuple

from . import _channel, _place, _process, _ring, _stacking
from ._errors import JspdlError, MapError, PlanError
from ._state import Position
from ._work import End, Task, Work

try:
    import cloudpickle  # type: ignore[import]
except ImportError:
    cloudpickle = None

# Nothing is imported before the path is the trainer's: the first entry is the current folder, whatever lies there.
BOOT = "import sys; sys.path[:] = sys.argv[6:]; from jspdl._helper import main; main(*map(int, sys.argv[1:6]))"
IN_HAND = 2             # tasks of one helper: one to work at, one that lies ready
MOST_STARTS = 3         # in a row that come to nothing
PATIENCE_SECONDS = 5
# Beyond a size that arrays often have, the C library gives memory back as soon as it is freed, and the next array takes its pages from the system one by
# one, which takes NumPy as long as the arithmetic. What is kept between two calls is bounded by the second number.
ALLOCATION = {"MALLOC_MMAP_THRESHOLD_": str(32 << 20), "MALLOC_TRIM_THRESHOLD_": str(16 << 20)}
ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")}


class Held(weakref.ref):
    """A segment that somebody has a view of."""
    __slots__ = ("number",)
    number: int


class Helper:
    """One helper, as the trainer sees it."""

    def __init__(self, work: bytes, ring: Optional[Tuple[int, int]]) -> None:
        self.tasks: Deque[Task] = deque()
        self.segments: Dict[int, Any] = {}
        self.held: Dict[int, Held] = {}
        self.released: Deque[Held] = deque()
        self.received = _channel.Received()
        self.outgoing = bytearray(_channel.frame(_channel.WORK, work))
        self.ready = False
        self.torn = False       # an exception of a handler came in the middle of sending or receiving
        self.connection, theirs = socket.socketpair()
        self.connection.setblocking(False)
        theirs.setblocking(True)        # whatever socket.setdefaulttimeout says
        standing = _ring.unnamed_file()
        try:
            os.ftruncate(standing, 4096)
            self.standing = _channel.mapped(os.dup(standing), 4096)
            _channel.STANDING.pack_into(self.standing, 0, -1, -1)
            files = (theirs.fileno(), standing, *([ring[0]] if ring is not None else []))
            numbers = (theirs.fileno(), *(ring if ring is not None else (-1, 0)), standing, os.getpid())
            self.child = subprocess.Popen(
                ["/bin/sh", "-c", _process.WITHOUT_INTERRUPTS, sys.executable, "-c", BOOT, *map(str, numbers), *(entry for entry in sys.path if isinstance(entry, str))],
                stdin=subprocess.DEVNULL, pass_fds=files, env={**ONE_THREAD, **ALLOCATION, **os.environ})
        except BaseException:
            self.connection.close()
            raise
        finally:
            theirs.close()
            os.close(standing)

    def end(self) -> None:
        self.connection.close()
        self.received.close()

    def wait(self, patience: float) -> int:
        """Its exit code; it is killed if it takes longer than that to end."""
        try:
            return self.child.wait(max(0.0, patience))
        except subprocess.TimeoutExpired:
            self.child.kill()
            return self.child.wait()


class Processes:
    """Applies work to batches in helper processes. Used by one thread."""

    def __init__(self, work: Work, count: int, ring: Optional[Any]) -> None:
        if not sys.executable:
            raise PlanError("processes= needs sys.executable, which this interpreter does not know: use threads=")
        self.capacity = IN_HAND * count
        self._work = work
        self._ring = ring
        self._sent = sent(work)
        self._owner = os.getpid()
        self._keys = self._starts = self._replaced = self._batches = self._failed = self._nanos = 0
        self.broken: Optional[str] = None
        self._helpers: List[Helper] = []
        self.end = End()
        self._end = weakref.finalize(self, end, self._helpers, self._owner, self.end)
        for _ in range(count):
            self._helpers.append(self._start())

    def _start(self) -> Helper:
        try:
            return Helper(self._sent, self._ring.file() if self._ring is not None else None)
        except OSError as failure:
            raise JspdlError(f"a helper process for {self._work.name} could not be started by {sys.executable}: {failure}") from failure

    # Tasks

    def task(self, batch: Any, position: Position) -> Task:
        self._keys += 1
        return Task(self._keys, batch, position)

    def submit(self, task: Task) -> None:
        """Gives the task to the helper of its lane, or to the one that has fewest."""
        lane = self._work.lane(task.batch)
        self._give(min(self._helpers, key=lambda helper: len(helper.tasks)) if lane is None else self._helpers[lane % len(self._helpers)], task)

    def _give(self, helper: Helper, task: Task) -> None:
        data, _, _ = _place.pickled(task.batch, self._in_ring)
        helper.torn = True
        free = []
        while helper.released:
            free.append(helper.released.popleft().number)
            helper.held.pop(free[-1], None)
        helper.tasks.append(task)
        helper.outgoing += _channel.frame(
            _channel.TASK, _channel.ORDER.pack(task.key, task.epoch, task.number, len(free)) + _channel.numbers(free) + data)
        self._send(helper)

    def _in_ring(self, array: Any) -> Any:
        """Where an array lies in the loader's memory, for those who have mapped it; None if it does not."""
        kind, element, shape = _stacking.described(array)       # type: ignore[misc]
        if self._ring is None or not _place.elements(shape):
            return None
        if kind == "numpy":
            address, whole = array.__array_interface__["data"][0], array.flags.c_contiguous and array.flags.writeable and array.dtype.isnative
        elif kind == "torch":
            address, whole = array.data_ptr(), array.is_contiguous() and not array.is_conj() and not array.is_neg()
        else:
            whole = array.c_contiguous and not array.readonly
            address = ctypes.addressof(ctypes.c_char.from_buffer(array)) if whole else 0
        offset = self._ring.offset(address) if whole else None
        if offset is None:
            return None
        if self._work.arrays != kind and kind != "memoryview" and self._work.arrays != "memoryview" and element in _stacking.NUMPY:
            kind = self._work.arrays
        return kind, element, shape, offset

    def forget(self) -> None:
        """What is under way is nobody's any more; its memory is kept until it is done."""
        for helper in self._helpers:
            for task in helper.tasks:
                task.dropped = True

    def check(self) -> None:
        if self.broken is not None:
            raise MapError(self.broken)

    # Helpers

    def collect(self) -> None:
        """Sends what was not sent, and takes what was answered."""
        for helper in tuple(self._helpers):
            if helper.torn:
                self._replace(helper, "its connection was interrupted", False)
                continue
            self._send(helper)
            self._receive(helper)

    def _send(self, helper: Helper) -> None:
        helper.torn = True
        while helper.outgoing:
            try:
                del helper.outgoing[:helper.connection.send(helper.outgoing, socket.MSG_NOSIGNAL)]
            except BlockingIOError:
                break
            except OSError:     # it is gone, which the reading tells
                helper.outgoing.clear()
        helper.torn = False

    def _receive(self, helper: Helper) -> None:
        helper.torn = True
        gone = False
        while not gone:
            try:
                gone = not helper.received.read(helper.connection)
            except BlockingIOError:
                break
            except OSError:
                gone = True
        while (said := helper.received.next()) is not None:
            self._handle(helper, *said)
        helper.torn = False
        if gone:
            self._replace(helper, "", True)

    def _handle(self, helper: Helper, kind: int, body: bytes) -> None:
        if kind == _channel.READY:
            helper.ready = True
            self._starts = 0
        elif kind == _channel.BROKEN:
            self.broken = (f"{self._work.method}({self._work.name}): the function cannot be loaded in a helper process: {body.decode()}."
                            f"{'' if cloudpickle is not None else ' Put it into a module of its own, or install cloudpickle'}")
        elif kind == _channel.SEGMENT:
            number, size = _channel.MADE.unpack(body)
            helper.segments[number] = _channel.mapped(helper.received.files.popleft(), size)
        else:
            self._outcome(helper, kind, body)

    def _outcome(self, helper: Helper, kind: int, body: bytes) -> None:
        key, segment, nanos, count = _channel.OUTCOME.unpack_from(body)
        end_of_numbers = _channel.OUTCOME.size + 8 * count
        for number in memoryview(body[_channel.OUTCOME.size:end_of_numbers]).cast("q"):
            helper.segments.pop(number)
        task = helper.tasks.popleft()
        assert task.key == key, f"task {key} was answered in place of {task.key}"
        self._batches += 1
        self._nanos += nanos
        owner = self._view(helper, segment) if segment >= 0 else None
        if kind == _channel.KEPT:       # before the batch's memory is another's: until it is gone, it may write there
            helper.child.kill()
            helper.child.wait()
        data = body[end_of_numbers:]
        if task.dropped:
            return
        if kind != _channel.RESULT:
            row, told, cause = _place.loads(data)
            self._failed += 1
            task.failed(self._work.failure(task, row, told, raised(cause)), self._work.lasting)
            return
        try:
            task.finished(_place.Unplacer(data, owner, "jax" if self._work.yields == "jax" else None).load())
        except Exception as failure:
            self._failed += 1
            task.failed(self._work.failure(task, -1, "what the function returned cannot be read in this process: "
                                           f"{type(failure).__name__}: {failure}", failure), self._work.lasting)

    @staticmethod
    def _view(helper: Helper, segment: int) -> Any:
        """The memory of a segment, which is the helper's again when the last view of it is gone."""
        memory = helper.segments[segment]
        owner = (ctypes.c_ubyte * len(memory)).from_buffer(memory)
        reference = Held(owner, helper.released.append)     # type: ignore[arg-type]
        reference.number = segment
        helper.held[segment] = reference
        return owner

    def _replace(self, helper: Helper, why: str, ended: bool) -> None:
        """Another helper in place of one that is gone: the task that it was at has failed, the others are done by the new one."""
        if self.end.has_come:
            return
        if not ended:
            helper.child.kill()
        helper.end()
        code = helper.wait(PATIENCE_SECONDS)
        self._starts += ended and not helper.ready
        if self.broken is None and self._starts >= MOST_STARTS:
            self.broken = (f"{self._work.method}({self._work.name}): {self._starts} helper processes in a row ended before they had loaded the"
                            f" function, the last one, process {helper.child.pid}, {how(code)}")
        key, row = _channel.STANDING.unpack_from(helper.standing)
        at = self._helpers.index(helper)
        if self.broken is not None:
            del self._helpers[at]
            return
        self._helpers[at] = fresh = self._start()
        self._replaced += 1
        for task in helper.tasks:
            if task.key == key and ended and not task.dropped:
                self._failed += 1
                task.failed(self._work.failure(task, row, f"its helper process {helper.child.pid} {how(code)}"), self._work.lasting)
            elif not task.dropped and not task.done:
                self._give(fresh, task)

    # Waiting, figures, the end

    def descriptors(self) -> Tuple[List[Any], List[Any]]:
        return [helper.connection for helper in self._helpers], [helper.connection for helper in self._helpers if helper.outgoing]

    def figures(self, elapsed: float) -> Dict[str, Any]:
        return {"function": self._work.name, "method": self._work.method, "workers": f"{len(self._helpers)} processes", "batches": self._batches,
                "failed": self._failed, "replaced": self._replaced, "busy_seconds": self._nanos / 1e9,
                "busy_share": self._nanos / 1e9 / (elapsed * max(1, len(self._helpers))) if elapsed else 0.0}

    def pids(self) -> List[int]:
        return [helper.child.pid for helper in self._helpers]

    def close(self) -> None:
        self._end()


def end(helpers: List[Helper], owner: int, this: End) -> None:
    """Ends the helpers: at once if they are idle, else when they have done what they are at, or after some seconds."""
    if owner != os.getpid():
        return
    this.has_come = True
    for helper in helpers:
        helper.end()
    until = time.monotonic() + PATIENCE_SECONDS
    for helper in helpers:
        helper.wait(until - time.monotonic())


def sent(work: Work) -> bytes:
    """The work as helpers read it; refuses functions that they could not find."""
    advice = "use cloudpickle (pip install cloudpickle), threads=, or a function at the top of a module that is not the main program"
    if cloudpickle is None:
        for function in (work.function, work.collate):
            if getattr(function, "__module__", None) == "__main__":
                raise PlanError(f"{work.method}({work.name}): {function!r} is defined in the main program, where a fresh process cannot find"
                                f" it: {advice}")
    try:
        return _place.dumps(work, _place.ByValue if cloudpickle is not None else _place.ByName)
    except Exception as failure:
        raise PlanError(f"{work.method}({work.name}): the function cannot be sent to a process: {failure}"
                        f"{'' if cloudpickle is not None else f': {advice}'}") from failure


def raised(cause: Optional[bytes]) -> Optional[BaseException]:
    """What the function raised in a helper; None if that cannot be had here."""
    try:
        failure = _place.loads(cause) if cause is not None else None
    except Exception:       # modules are other ones here, or have changed since
        return None
    return failure if isinstance(failure, BaseException) else None


def how(code: int) -> str:
    """What became of a process, in words."""
    if code >= 0:
        return f"ended with exit code {code}"
    name = signal.Signals(-code).name if -code in set(signal.Signals) else str(-code)
    return f"was killed by {name}" + ("; if nobody did that, the system was short of memory (dmesg says so)" if name == "SIGKILL" else "")
