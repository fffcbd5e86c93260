"""Workers that are threads of this process."""
import atexit
import collections
import os
import queue
import sys
import threading
import time
import weakref
from typing import Any, Deque, Dict, List, Optional, Tuple

from . import _stacking, _wire
from ._state import Position
from ._work import End, Progress, Task, Work, words

PATIENCE_SECONDS = 5
INTERRUPTED = 130       # the exit code of what Ctrl-C has ended


class Threads:
    """Applies work to batches in threads. Used by one thread; its own threads know nothing of it, so that it can be forgotten."""

    def __init__(self, work: Work, count: int) -> None:
        self.capacity = 2 * count
        self.broken: Optional[str] = None
        self._work = work
        self._count = count
        self._keys = 0
        self._orders: "queue.SimpleQueue[Optional[Task]]" = queue.SimpleQueue()
        self._figures: Deque[Tuple[bool, int]] = collections.deque()
        self._batches = self._failed = self._nanos = 0
        self._read, self._written = map(_wire.OpenFile, os.pipe())
        os.set_blocking(self._read.number, False)
        os.set_blocking(self._written.number, False)
        self.end = End()
        self._threads = [threading.Thread(target=serve, args=(work, self._orders, self._figures, self._written), daemon=True,
                                          name=f"jspdl-{work.method}-{n}") for n in range(count)]
        self._end = weakref.finalize(self, end, self._threads, self._orders, (self._written, self._read), os.getpid(), self.end)
        for thread in self._threads:
            thread.start()

    def task(self, batch: Any, position: Position) -> Task:
        self._keys += 1
        return Task(self._keys, batch, position)

    def submit(self, task: Task) -> None:
        self._orders.put(task)

    def collect(self) -> None:
        """Notes what has been done since."""
        try:
            while os.read(self._read.number, 4096):
                pass
        except BlockingIOError:
            pass
        while self._figures:
            failed, nanos = self._figures.popleft()
            self._batches += 1
            self._failed += failed
            self._nanos += nanos

    def descriptors(self) -> Tuple[List[Any], List[Any]]:
        return [self._read.number], []

    def forget(self) -> None:
        """Drops what nobody has begun; what was begun is done for nobody."""
        try:
            while True:
                self._orders.get_nowait()
        except queue.Empty:
            pass

    def check(self) -> None:
        """Threads do not fail."""

    def figures(self, elapsed: float) -> Dict[str, Any]:
        self.collect()
        return {"function": self._work.name, "method": self._work.method, "workers": f"{self._count} threads", "batches": self._batches,
                "failed": self._failed, "replaced": 0, "busy_seconds": self._nanos / 1e9,
                "busy_share": self._nanos / 1e9 / (elapsed * self._count) if elapsed else 0.0}

    def close(self) -> None:
        self._end()


def serve(work: Work, orders: "queue.SimpleQueue[Optional[Task]]", figures: Deque[Tuple[bool, int]], wake: _wire.OpenFile) -> None:
    """One thread: applies `work` to what is ordered until None is."""
    while True:
        task = orders.get()
        if task is None:
            return
        began, progress = time.monotonic_ns(), Progress()
        try:
            task.finished(work.run(task.batch, task.epoch, task.number, progress, _stacking.stack, False))
        except BaseException as failure:    # whatever the function raises is the batch's
            task.failed(work.failure(task, progress.row, words(failure), failure))
        figures.append((task.failure is not None, time.monotonic_ns() - began))
        del task        # else its result would be kept until the next
        try:
            os.write(wake.number, b".")
        except BlockingIOError:     # there is enough to wake by
            pass
        except OSError:             # closed meanwhile
            return


def end(threads: List[threading.Thread], orders: "queue.SimpleQueue[Optional[Task]]", files: Tuple[_wire.OpenFile, _wire.OpenFile], owner: int,
        this: End) -> None:
    if owner != os.getpid():
        return
    this.has_come = True
    try:
        while True:
            orders.get_nowait()
    except queue.Empty:
        pass
    for _ in threads:
        orders.put(None)
    until = time.monotonic() + PATIENCE_SECONDS
    for thread in threads:
        if thread is not threading.current_thread():
            thread.join(max(0.0, until - time.monotonic()))
    for file in files:
        file.end()
    busy = [thread for thread in threads if thread.is_alive() and thread is not threading.current_thread()]
    if busy and threading.main_thread().is_alive():
        atexit.register(await_end, busy)
    elif busy:      # the interpreter is about to end
        await_end(busy)


def await_end(threads: List[threading.Thread]) -> None:
    """Waits until the calls that threads are in have returned: an interpreter that is taken apart under them may crash."""
    try:
        for thread in threads:
            if thread.is_alive():
                print(f"jspdl: the program ends when the function has returned that thread {thread.name} is in; Ctrl-C ends it now", file=sys.stderr, flush=True)
                thread.join()
    except KeyboardInterrupt:
        sys.stdout.flush()
        os._exit(INTERRUPTED)
