"""Frames between trainer and helper, through a socket: a length, a kind, a body; and the open files that come with them."""
import array
import mmap
import os
import socket
import struct
from typing import Any, Deque, List, Optional, Tuple
from collections import deque

from ._errors import JspdlError

# To a helper; and from one.
WORK, TASK = 1, 2
READY, BROKEN, SEGMENT, RESULT, FAILURE, KEPT = 11, 12, 13, 14, 15, 16     # KEPT is a failure behind which the helper ends

HEAD = struct.Struct("<QB")
ORDER = struct.Struct("<qqqI")       # key, epoch, number, segments that are free again
OUTCOME = struct.Struct("<qqqI")     # key, segment or -1, nanoseconds, segments that are no more
MADE = struct.Struct("<qq")          # segment, bytes
STANDING = struct.Struct("<qq")      # key of the task that a helper works at, or -1; row
NUMBER = struct.Struct("<q")
READ_BYTES = 1 << 16
MOST_FILES = 16


def frame(kind: int, body: bytes) -> bytes:
    return HEAD.pack(len(body), kind) + body


def numbers(values: List[int]) -> bytes:
    return array.array("q", values).tobytes()


class Received:
    """Bytes that came in, cut into frames."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.files: Deque[int] = deque()

    def next(self) -> Optional[Tuple[int, bytes]]:
        if len(self.data) < HEAD.size:
            return None
        length, kind = HEAD.unpack_from(self.data)
        if len(self.data) < HEAD.size + length:
            return None
        body = bytes(memoryview(self.data)[HEAD.size:HEAD.size + length])
        del self.data[:HEAD.size + length]
        return kind, body

    def read(self, source: socket.socket) -> bool:
        """Takes what has arrived; False at the end. Waits if the socket does."""
        data, files, flags, _ = socket.recv_fds(source, READ_BYTES, MOST_FILES)
        self.files.extend(files)
        if flags & socket.MSG_CTRUNC:       # what comes next would be taken for the file that is missing
            raise JspdlError("a result cannot be mapped, since this process may open no more files: raise the limit (ulimit -n), or close some")
        self.data += data
        return bool(data)

    def close(self) -> None:
        while self.files:
            os.close(self.files.popleft())


def mapped(descriptor: int, size: int) -> Any:
    """The memory file, mapped; it is closed."""
    try:
        return mmap.mmap(descriptor, size)
    finally:
        os.close(descriptor)
