"""The loader as Python sees it: an iterable of batches, epoch by epoch."""
import json
import os
import time
import warnings
import weakref
from collections import deque
from typing import Any, Deque, Dict, Iterator, List, Optional, Sequence, Union

from . import _arrays, _build, _cuda, _report, _trace, _wire
from ._errors import JspdlError, LoaderDied, PlanError
from ._mapped import NOT_YET, Batches, Epoch
from ._process import Process
from ._ring import Ring

STATE_VERSION = 1
PROMPT_BYTES = 1 << 16      # what is larger is said to be taken when the next is asked for, what is smaller in groups


class Loader(Batches):
    """Batches of a plan, made by a process of its own and seen through shared memory.

    Each `for` takes one epoch. A batch is whatever the plan yields: a dictionary for images. Its arrays are views of shared
    memory that stay good for as long as they are kept; when the last is gone, the memory is used for another batch. Loading
    begins when the object is made. Used by one thread at a time.
    """

    def __init__(self, settings: Dict[str, Any], *, prefetch: int = 1, slots: int = 64, slot_bytes: int = 256 << 20,
                 arrays: Optional[str] = None, pin_memory: Optional[bool] = None, timeout: Optional[float] = None,
                 trace: Union[str, "os.PathLike[str]", None] = None, java_options: Sequence[str] = ()) -> None:
        self._check("prefetch", prefetch, 1, 64)
        self._check("slots", slots, 4, 1 << 16)
        self._check("slot_bytes", slot_bytes, 1, 1 << 40)
        self._arrays = _arrays.kind(arrays)
        self._of_rank = int(settings.get("rank") or 0)
        self._make = None
        self._pin = pin_memory
        self._pinned = None
        self._timeout = timeout
        self._event = self._epoch = self._taken = 0
        self._size = self._epochs = None
        self._classes: List[str] = []
        self._ready = self._over = self._closed = False
        self._failure = None
        self._restarts: Deque[int] = deque()    # one for each that was sent: the generation of the batches that are ours
        self._unsaid = None         # the batch that was taken and of which the loader does not know it yet
        self._asked = False
        self._iteration = 0
        self._structures: Dict[int, _build.Form] = {}
        self._figures = _report.Trainer()
        self._profiling = None

        self._trace = _trace.Trace(trace) if trace is not None else None
        self._ring = Ring(slots, slot_bytes, lambda slot: _wire.COMMAND.pack(_wire.RELEASE, slot, 0))
        try:
            self._process = Process(self._ring, java_options)
        except BaseException:
            self._ring.close()
            raise
        self._frames, self._commands = self._process.frames, self._process.commands
        self._commands.released = self._ring.released
        self._end = weakref.finalize(self, _end, self._process, self._ring, self._trace)
        self._commands.send(_wire.START, 0, _wire.pairs(
            {**{name: str(value) for name, value in settings.items() if value is not None},
             **({"trace": self._trace.path} if self._trace is not None else {}), "prefetch": str(prefetch), "parent": str(os.getpid())}))

    @staticmethod
    def _check(name, value, least, most):
        if not isinstance(value, int) or not least <= value <= most:
            raise PlanError(f"{name} must be a whole number from {least:,} to {most:,} but was {value!r}")

    # Batches

    def __iter__(self) -> Iterator[Any]:
        """The batches of the next epoch, or of what is left of an epoch that was resumed. One that was not finished is over."""
        self._usable()
        return Epoch(self, self._begin())

    def _begin(self):
        if self._taken:
            self._restart(_wire.EPOCH, self._epoch + 1)
            self._epoch += 1
        self._iteration += 1
        return self._iteration

    def __len__(self) -> int:
        """Batches of an epoch. Raises TypeError if that depends on the data."""
        self._until_ready()
        if self._size is None:
            raise TypeError("how many batches this plan makes depends on its data")
        return self._size

    def __repr__(self) -> str:
        return f"<{self.made_by}: {self._condition()}>"

    def _condition(self):
        state = "closed" if self._closed else "failed" if self._failure is not None else f"epoch {self._epoch}" if self._ready else "starting"
        size = f", {self._size:,} batches an epoch" if self._size is not None else ""
        return f"{state}{size}"

    @property
    def epoch(self) -> int:
        """The epoch that the next batch belongs to, from 0."""
        self._until_ready()
        return self._epoch

    @property
    def classes(self) -> List[str]:
        """The names of the classes: label n stands for `classes[n]`. Empty if the source does not name any."""
        self._until_ready()
        return list(self._classes)

    @property
    def class_to_idx(self) -> Dict[str, int]:
        """The label of each class, by its name."""
        return {name: label for label, name in enumerate(self.classes)}

    def _next(self, iteration):
        if self._profiling is None:
            self._profiling = _cuda.profiling()
        if self._trace is not None:
            return self._traced(iteration)
        if self._profiling():
            with _cuda.record(_trace.NAME):
                return self._take(iteration)
        return self._take(iteration)

    def _traced(self, iteration):
        began = time.monotonic_ns()
        if self._profiling():
            with _cuda.record(_trace.NAME):
                batch = self._take(iteration)
        else:
            batch = self._take(iteration)
        self._trace.took(began, self._event)
        return batch

    def _take(self, iteration):
        while True:
            batch = self._poll(iteration)
            if batch is not NOT_YET:
                return batch
            self._wait()

    def _poll(self, iteration):
        """The next batch if it is here, else NOT_YET."""
        if iteration != self._iteration:
            raise JspdlError("this iterator is over: another one was begun")
        self._usable()
        if not self._asked:
            self._commands.send(_wire.WANTED)
            self._asked = True
        self._say(True)
        while (frame := self._frames.ready()) is not None:
            kind, body = frame
            if kind == _wire.BATCH:
                batch = self._batch(frame)
                if batch is not _STALE:
                    return batch
            elif kind == _wire.EPOCH_END and self._number(body) == len(self._restarts):
                number = json.loads(body[8:])["number"]
                self._commands.put_off(_wire.TAKEN, number, False)
                self._event = number
                self._epoch += 1
                self._taken = 0
                self._iteration += 1
                self._frames.waiting.popleft()
                raise StopIteration
            elif kind == _wire.END and self._number(body) == len(self._restarts):
                self._over = True
                self._frames.waiting.popleft()
                raise StopIteration if self._epochs is None else JspdlError(
                    f"all {self._epochs} epochs have been loaded; more are had by epochs=, or by load_state_dict")
            else:
                self._note(kind, body)
                self._frames.waiting.popleft()
        return NOT_YET

    def _batch(self, frame):
        body = frame[1]
        number, generation, sent, structure, count = _wire.ANNOUNCED.unpack_from(body)
        form = self._structures[structure]
        offsets = form.offsets(body, count)
        slots = {offset // self._ring.slot_bytes for offset in offsets if offset >= 0}
        self._ring.given(slots)
        waiting = self._frames.waiting
        try:
            waiting.popleft()       # from here on the slots are ours to release; until then the frame comes again
            if generation != len(self._restarts):
                return _STALE
            self._event = self._unsaid = number
            self._taken += 1
            batch = form.build(self._ring, offsets, body)
        finally:    # Ctrl-C among the reasons: what nobody has a view of, nobody will let go of
            if not waiting or waiting[0] is not frame:
                for slot in self._ring.unseen(slots):
                    self._commands.put_off(_wire.RELEASE, slot, True)
        if form.bytes < PROMPT_BYTES:
            self._say(False)
        if self._ring.is_crowded():
            batch = self._copied(form, batch)
        self._figures.took(form.bytes, time.monotonic_ns() - sent)
        return batch

    def _say(self, now):
        """Says which batch was taken last, if the loader does not know it yet."""
        if self._unsaid is not None:
            self._commands.put_off(_wire.TAKEN, self._unsaid, now)
            self._unsaid = None

    def _copied(self, form, batch):
        """A batch in its own memory, used when the trainer keeps so many batches that the loader would run out of slots."""
        if not self._figures.copied:
            warnings.warn(f"more than half of the {self._ring.slots} slots are held by batches that are kept; from here on such"
                          " batches are copied. Keep fewer, or raise slots=", RuntimeWarning, stacklevel=5)
        self._figures.copied += 1
        return form.copy(batch)

    def _wait(self):
        self._flush()       # what a handler has left unsaid: the loader might wait for it
        began = time.monotonic()
        arrived = self._frames.read(self._timeout)
        self._figures.waited += time.monotonic() - began
        if arrived is None:
            raise JspdlError(f"no batch within the {self._timeout} s that timeout= allows, after {self._figures.batches} batches;"
                             " the loader goes on, and report() says what it waits for")
        if not arrived:
            self._died()

    # What the loader says of itself

    def _note(self, kind, body):
        if kind == _wire.STRUCTURE:
            if self._make is None:
                self._make = _arrays.maker(self._arrays)
                self._pinned = _cuda.pins(self._arrays, self._pin)
            if len(self._structures) > 4096:
                self._structures = dict(list(self._structures.items())[-2048:])
            self._structures[self._number(body)] = _build.Form(json.loads(body[8:]), self._arrays, self._make, self._pinned)
        elif kind == _wire.FAILED:
            failure = json.loads(body[8:])
            error = {"plan": PlanError, "run": JspdlError}.get(failure["kind"], LoaderDied)
            if self._number(body) in (len(self._restarts), -1):
                self._failure = error(failure["message"])
                raise self._failure
        elif kind == _wire.READY and self._number(body) == len(self._restarts):
            ready = json.loads(body[8:])
            self._ready = True
            self._size, self._epoch, self._epochs = ready["size"], ready["epoch"], ready["epochs"]
            self._classes = ready["classes"]

    def _until_ready(self):
        self._usable()
        later = []
        while not self._ready:
            frame = self._frames.ready()
            if frame is None:
                self._wait()
                continue
            if frame[0] in (_wire.READY, _wire.FAILED, _wire.STRUCTURE):
                self._note(*frame)
            else:
                later.append(frame)
            self._frames.waiting.popleft()
        self._frames.waiting.extendleft(reversed(later))

    @staticmethod
    def _number(body):
        return _wire.NUMBER.unpack_from(body)[0]

    def _usable(self):
        if self._closed:
            raise JspdlError("the loader is closed")
        if self._process.owner != os.getpid():
            raise JspdlError("a loader cannot be used in a process that was forked: it is parallel by itself, so use"
                             " num_workers=0, or make one in each process")
        if self._failure is not None:
            raise type(self._failure)(str(self._failure))

    def _died(self):
        ended = self._process.how_it_ended()
        self._failure = LoaderDied(f"the loader, process {self._process.pid}, {ended}. It had handed over"
                                   f" {self._figures.batches} batches")
        raise self._failure

    def _ask(self, kind, number=0):
        self._until_ready()
        self._commands.send(kind, number)
        answer = self._frames.answer()
        if answer is None:
            self._died()
        return answer[8:].decode()

    # State

    def state_dict(self) -> Dict[str, Any]:
        """Where the trainer stands: behind the batch that it took last. Small, and safe to keep as JSON or by torch.save."""
        self._until_ready()
        return self._state_at((self._event, self._epoch))

    def load_state_dict(self, state: Union[Dict[str, Any], Sequence[Dict[str, Any]]]) -> None:
        """Resumes from `state`, of a loader with the same plan. A list of the states of all ranks is redistributed."""
        states = state if isinstance(state, (list, tuple)) else [state]
        self._failure = None
        self._usable()
        self._restart(_wire.RESUME, 0, state_text(states).encode())
        self._ready = False
        self._until_ready()

    def _restart(self, kind, number, body=b""):
        self._commands.send(kind, number, body, self._restarts)
        self._unsaid = None
        self._event = self._taken = 0
        self._over = False

    # Figures

    def stats(self) -> Dict[str, Any]:
        """What the loader and the handover have done so far; docs/how-to/python.md explains each key."""
        stats = json.loads(self._ask(_wire.STATISTICS))
        if "handover" in stats:
            stats["handover"]["latency_seconds"] = self._figures.latency()
        return {**stats, "trainer": self._figures.values(self._ring.held())}

    def report(self) -> str:
        """The same for a person, with what limits the loading."""
        return _report.text(self.stats())

    # Ends

    def close(self) -> None:
        """Ends the loader's process, and waits for it. Batches that are kept stay good."""
        self._closed = True
        self._end()

    def __enter__(self) -> "Loader":
        return self

    # What a function that is mapped over this loader asks for

    def _kind(self):
        return self._arrays

    def _rank(self):
        return self._of_rank

    def _ring_file(self):
        return self._ring

    def _position(self):
        return self._event, self._epoch

    def _keep_states(self):
        """From here on states are kept until `_passed` says that they are not needed, not until the next batch is taken."""
        self._commands.send(_wire.KEEP)

    def _passed(self, position):
        self._commands.put_off(_wire.DELIVERED, position[0], False)

    def _state_at(self, position):
        """The state behind a batch that was taken, whatever was taken since."""
        event, epoch = position
        checkpoint = self._ask(_wire.STATE, event)      # kept to the letter: it ends with a checksum
        if "error" in (state := json.loads(checkpoint)):
            raise JspdlError(state["error"])
        return {"jspdl_state": STATE_VERSION, "epoch": epoch, "checkpoint": checkpoint}

    def _rewind_to(self, state):
        self.load_state_dict(state)

    def _goes_on(self, failure):
        return False

    def _arrived(self):
        """Whether more frames have come."""
        self._flush()
        arrived = self._frames.read(0)
        if arrived is False:
            self._died()
        return bool(arrived)

    def _descriptors(self):
        return [self._frames.descriptor], []

    def _flush(self):
        self._say(False)
        self._commands.flush()

    def _patience(self):
        return self._timeout


_STALE = object()


def state_text(states):
    """The checkpoints of `states`, one a line."""
    for state in states:
        if not isinstance(state, dict) or state.get("jspdl_state") != STATE_VERSION:
            raise PlanError(f"this is no state of a loader: {str(state)[:80]!r}")
    return "\n".join(state["checkpoint"] for state in states)


def _end(process, ring, trace):
    ended = process.end()
    ring.close()
    if trace is not None and ended:
        trace.finish()
