"""Batches of recorded runs, built again."""
import json
import mmap
import os
import subprocess
from typing import Any, Optional, Sequence, Union

from . import _arrays, _build, _process, _wire
from ._errors import JspdlError, PlanError
from ._plans import whole

MAIN = "org.jspdl.python.rebuild.RebuildProcess"


def rebuild(run: Union[str, "os.PathLike[str]"], rank: int, step: int, *, arrays: Optional[str] = None,
            timeout: Optional[float] = None, java_options: Sequence[str] = ()) -> Any:
    """A batch of a recorded run once more, to the bit, as the loader gave it.

    run: the folder that `record=` of a loader, or `jspdl run --record`, wrote.
    rank: whose batch.
    step: which one, counted from 0 over all epochs.
    arrays: "torch", "numpy", "memoryview" or "jax"; None for the first that is installed.
    timeout: seconds to wait; None for no limit.
    java_options: of the process that builds it.

    Its arrays are memory of their own. A batch that would not be the same raises PlanError, which says what differs.
    """
    kind = _arrays.kind(arrays)
    folder = os.path.abspath(os.fspath(run))
    arguments = (MAIN, folder, whole("rank", rank, 0), whole("step", step, 0))
    memory = os.memfd_create("jspdl-rebuilt")
    try:
        said = json.loads(_said(arguments, memory, java_options, timeout))
        if "error" in said:
            raise PlanError(said["error"])
        size = os.fstat(memory).st_size
        buffer = mmap.mmap(memory, size, access=mmap.ACCESS_COPY) if size else bytearray(1)
    finally:
        os.close(memory)
    form = _build.Form(json.loads(said["structure"]), kind, _arrays.maker(kind), None)
    places = len(said["offsets"])
    body = bytes(_wire.ANNOUNCED.size + places * _wire.NUMBER.size) + said["values"].encode()
    return form.build(_Memory(buffer), said["offsets"], body)


def _said(arguments, memory, java_options, timeout):
    """What the process says at its end."""
    child = _process.started(_process.share(), java_options, (*arguments, f"/proc/self/fd/{memory}"), stdout=subprocess.PIPE,
                             pass_fds=(memory,), env=_process.environment())
    try:
        said, _ = child.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        raise JspdlError(f"the batch was not built within {timeout} seconds (timeout=)") from None
    finally:
        if child.poll() is None:
            child.kill()
            child.wait()
    if child.returncode != 0:
        raise JspdlError(f"the process that builds the batch ended with exit code {child.returncode}; what it had to say is on the error stream")
    return said.strip().rpartition(b"\n")[2]    # what a logger may have printed comes before


class _Memory:
    """What a ring of one endless slot is to those who build batches."""
    slot_bytes = 1 << 62

    def __init__(self, buffer):
        self._buffer = buffer

    def view(self, _):
        return self._buffer
