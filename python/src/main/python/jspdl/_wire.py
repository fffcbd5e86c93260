"""What loader and trainer say to each other, through a socket and a pipe; the other side is in FrameWriter.java and CommandReader.java."""
import math
import os
import select
import socket
import struct
from collections import deque
from itertools import chain, islice
from operator import attrgetter

# Frames: from the loader.
READY, STRUCTURE, BATCH, EPOCH_END, END, FAILED, ANSWER, ATTACHED = range(1, 9)
# Commands: to the loader.
START, TAKEN, RELEASE, STATE, STATISTICS, EPOCH, RESUME, CLOSE, MORE, WANTED, KEEP, DELIVERED, UNPINNED, PLAN = range(1, 15)

FRAME = struct.Struct("<IB")
NUMBER = struct.Struct("<q")
ANNOUNCED = struct.Struct("<qqqqI")     # number, generation, when sent (ns, monotonic), structure, arrays
COMMAND = struct.Struct("<BqI")
READ_BYTES = 1 << 16
MOST_SECONDS = 1_000_000    # of waiting that the system counts; more is for ever


def await_any(reads, writes, timeout):
    """Waits until one of the files can be read or written, or has ended; False after `timeout` seconds, None for no limit. Numbers of files may be
    above 1,023, where `select` ends."""
    wanted = {}
    for events, files in ((select.POLLIN, reads), (select.POLLOUT, writes)):
        for file in files:
            number = file if isinstance(file, int) else file.fileno()
            wanted[number] = wanted.get(number, 0) | events
    poll = select.poll()
    for number, events in wanted.items():
        poll.register(number, events)
    return bool(poll.poll(None if timeout is None or timeout > MOST_SECONDS else math.ceil(1000 * max(0.0, timeout))))


class OpenFile:
    """An open file, by its number, which stays taken for as long as anybody may use it: were it closed while another thread is about to read, that thread would
    read from whatever is opened next, such as the pipe of another loader."""

    def __init__(self, number):
        self.number = number

    def end(self):
        """Lets go of the file: whoever still reads comes to its end, and what is written goes nowhere."""
        if self.number < 0:
            return
        try:
            nothing = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        except OSError:     # for want of a number
            self.close()
            return
        try:
            os.dup2(nothing, self.number, inheritable=False)
        finally:
            os.close(nothing)

    def close(self):
        """Gives the number back; nobody uses it any more."""
        number, self.number = self.number, -1
        if number >= 0:
            os.close(number)

    def __del__(self, close=os.close):
        if self.number >= 0:
            close(self.number)


class OpenSocket(OpenFile):
    """One end of a connection. What is sent to a process that is gone is an error and nothing else: written to a pipe, it would end a trainer in which SIGPIPE
    does what it does by default."""

    def __init__(self, connected):
        connected.setblocking(True)     # whatever socket.setdefaulttimeout says
        super().__init__(connected.fileno())
        self.socket = connected

    def close(self):
        self.number = -1
        self.socket.close()

    def __del__(self):
        self.socket.close()


class Frames:
    """Reads frames; one thread at a time. An exception of a signal's handler, such as that of Ctrl-C, loses none of them."""

    def __init__(self, file):
        self.file = file
        self.data = (b"", 0, deque())       # bytes, how many of them are used up, what was read since; replaced in one go
        self.answers = deque()
        self.waiting = deque()

    def ready(self):
        """The next frame that is here already, as (kind, body), or None. Never waits. It is given until it is taken from `waiting`."""
        while not self.waiting and self._parse():
            self.answers.clear()    # whoever asked was interrupted
        return self.waiting[0] if self.waiting else None

    def read(self, timeout=None):
        """Waits for bytes; False when the loader is gone, None after `timeout` seconds."""
        data, begin, blocks = self.data
        if not blocks:      # else a handler raised behind the reading below: what was read is all that is waited for
            if timeout is not None and not await_any([self.file.number], [], timeout):
                return None
            # Read and kept without a step of Python in between: handlers of signals run between steps.
            try:
                blocks.extend(map(os.read, (self.file.number,), (READ_BYTES,)))
            except ConnectionResetError:    # a socket's way of saying that the other side was killed
                return False
        self.data = (data[begin:] + b"".join(blocks), 0, deque())
        return bool(blocks[-1])

    def answer(self):
        """The answer to a question that was asked; None when the loader is gone. Other frames wait for their turn."""
        while not self.answers:
            if not self._parse() and not self.read():
                return None
        return self.answers.popleft()

    def _parse(self):
        """Puts one frame where it belongs; whether there was a whole one."""
        data, start, blocks = self.data
        begin = start + FRAME.size
        if len(data) < begin:
            return False
        length, kind = FRAME.unpack_from(data, start)
        end = begin + length
        if len(data) < end:
            return False
        body = data[begin:end]
        queue, frame = (self.answers, body) if kind == ANSWER else (self.waiting, (kind, body))
        self.data = (data, end, blocks)
        queue.append(frame)
        return True


class Commands:
    """Sends commands; from any thread, and from the garbage collector in the middle of anything.

    What is sent at once is small enough for the system to keep it together, so there is no lock to be left behind when a
    signal's handler raises an exception.
    """
    GROUP = 16
    SENT_BYTES = select.PIPE_BUF
    SENT = SENT_BYTES // COMMAND.size
    PART = SENT_BYTES - COMMAND.size

    def __init__(self, file):
        self._send = file.socket.send
        self.later = deque()
        self.released = deque()     # slots that were let go of, as the ring notes them
        self.gone = False

    def send(self, kind, number=0, body=b"", sent=None):
        """Sends a command at once, behind those that were put off; a long body in parts. Adds to `sent` in the same step, if given."""
        self.flush()
        while len(body) > self.PART:
            self._write((COMMAND.pack(MORE, 0, self.PART) + body[:self.PART],))
            body = body[self.PART:]
        self._write((COMMAND.pack(kind, number, len(body)) + body,), sent)

    def put_off(self, kind, number, now):
        """Sends a command now, or with others later."""
        self.later.append(COMMAND.pack(kind, number, 0))
        if now or len(self.later) + len(self.released) >= self.GROUP:
            self.flush()

    def flush(self):
        """Releases what was let go of, and sends what was put off, in one write: each may wake a thread on another processor. Slots come first: what the
        loader begins when it hears that a batch was taken goes there."""
        while self.later or self.released:
            try:
                for queue in (self.later, self.released):
                    if not queue or queue[-1] is not None:      # a handler may have left a mark of the end behind
                        queue.append(None)
                self._write(chain(map(attrgetter("command"), islice(iter(self.released.popleft, None), self.SENT // 2)),
                                  islice(iter(self.later.popleft, None), self.SENT // 2)))
            except IndexError:      # another thread has sent it
                pass

    def _write(self, commands, sent=None):
        written = sent if sent is not None else deque(maxlen=0)
        try:
            # Taken and sent without a step of Python in between, as in Frames.read.
            if not self.gone:
                written.extend(map(self._send, map(b"".join, (commands,)), (socket.MSG_NOSIGNAL,)))
            else:
                deque(commands, 0)
        except OSError:     # the loader is gone, which the reader of its frames will notice
            self.gone = True


def release(slot):
    """The command that gives a slot back."""
    return COMMAND.pack(RELEASE, slot, 0)


def pairs(values):
    """Names and values as the loader reads them when it starts."""
    parts = []
    for item in (text for pair in values.items() for text in pair):
        data = item.encode("utf-8", "surrogateescape")
        parts += [struct.pack("<I", len(data)), data]
    return b"".join(parts)
