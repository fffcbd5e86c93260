"""What loader and trainer say to each other, through two pipes; the other side is in Frames.java and Commands.java."""
import os
import select
import struct
import threading
from collections import deque

# Frames: from the loader.
READY, STRUCTURE, BATCH, EPOCH_END, END, FAILED, ANSWER = range(1, 8)
# Commands: to the loader.
START, TAKEN, RELEASE, STATE, STATISTICS, EPOCH, RESUME, CLOSE = range(1, 9)

FRAME = struct.Struct("<IB")
NUMBER = struct.Struct("<q")
ANNOUNCED = struct.Struct("<qqqqI")     # number, generation, when sent (ns, monotonic), structure, arrays
COMMAND = struct.Struct("<BqI")
READ_BYTES = 1 << 16


class Frames:
    """Reads frames; one thread at a time."""

    def __init__(self, descriptor):
        self.descriptor = descriptor
        self.buffer = bytearray()
        self.start = 0
        self.answers = deque()
        self.waiting = deque()

    def ready(self):
        """The next frame that is here already, as (kind, body), or None. Never waits."""
        if self.waiting:
            return self.waiting.popleft()
        return self._parse()

    def read(self, timeout=None):
        """Waits for bytes; False when the loader is gone, None after `timeout` seconds."""
        if timeout is not None and not select.select([self.descriptor], [], [], max(0.0, timeout))[0]:
            return None
        data = os.read(self.descriptor, READ_BYTES)
        if self.start:
            del self.buffer[:self.start]
            self.start = 0
        self.buffer += data
        return bool(data)

    def answer(self):
        """The answer to a question that was asked; None when the loader is gone. Other frames wait for their turn."""
        while not self.answers:
            frame = self._parse()
            if frame is None:
                if not self.read():
                    return None
            elif frame[0] == ANSWER:
                self.answers.append(frame[1])
            else:
                self.waiting.append(frame)
        return self.answers.popleft()

    def _parse(self):
        begin = self.start + FRAME.size
        if len(self.buffer) < begin:
            return None
        length, kind = FRAME.unpack_from(self.buffer, self.start)
        if len(self.buffer) < begin + length:
            return None
        self.start = begin + length
        return kind, bytes(memoryview(self.buffer)[begin:self.start])


class Commands:
    """Sends commands; from any thread, and from the garbage collector in the middle of anything."""
    GROUP = 16

    def __init__(self, descriptor):
        self.descriptor = descriptor
        self.lock = threading.Lock()
        self.later = deque()
        self.gone = False

    def send(self, kind, number=0, body=b""):
        """Sends a command at once, behind those that were put off."""
        with self.lock:
            self._write(self._put_off() + COMMAND.pack(kind, number, len(body)) + body)
        if self.later:
            self.flush()

    def put_off(self, kind, number, now):
        """Sends a command now, or with others later. Never waits for another thread."""
        self.later.append(COMMAND.pack(kind, number, 0))
        if now or len(self.later) >= self.GROUP:
            self.flush()

    def flush(self):
        """Sends what was put off, unless another call is about to."""
        while self.later and self.lock.acquire(blocking=False):
            try:
                self._write(self._put_off())
            finally:
                self.lock.release()

    def _put_off(self):
        commands = []
        while self.later:
            commands.append(self.later.popleft())
        return b"".join(commands)

    def _write(self, data):
        view = memoryview(data)
        while view and not self.gone:
            try:
                view = view[os.write(self.descriptor, view):]
            except OSError:     # the loader is gone, which the reader of its frames will notice
                self.gone = True


def pairs(values):
    """Names and values as the loader reads them when it starts."""
    parts = []
    for item in (text for pair in values.items() for text in pair):
        data = item.encode("utf-8", "surrogateescape")
        parts += [struct.pack("<I", len(data)), data]
    return b"".join(parts)
