"""The loader as Python sees it: an iterable of batches, epoch by epoch."""
import json
import os
import time
import warnings
import weakref
from collections import deque
from typing import Any, Deque, Dict, Iterator, List, Optional, Sequence, Tuple, Union

from . import _alarm, _arrays, _before_batches, _build, _cuda, _process, _ranks, _report, _share, _state, _trace, _wire
from ._errors import JspdlError, PlanError
from ._mapped import NOT_YET, Epoch
from ._process import Process
from ._ring import Ring, SharedRing, most_slots
from ._state import Position
from ._options import whole
from ._turn import Turn, in_turn
from ._upstream import Upstream

PROMPT_BYTES = 1 << 16      # what is larger is said to be taken when the next is asked for, what is smaller in groups


class Loader(Upstream):
    """Batches of a plan, made by a process of its own and seen through shared memory.

    Each `for` takes one epoch. A batch is whatever the plan yields: a dictionary for images. Its arrays are views of shared
    memory that stay good for as long as they are kept; when the last is gone, the memory is used for another batch. Loading
    begins when the object is made. Threads that use one loader wait for each other, and each batch goes to one of them.
    """

    def __init__(self, settings: Dict[str, Any], *, resume_from: Union[Dict[str, Any], Sequence[Dict[str, Any]], None] = None, prefetch: Optional[int] = None, slots: Optional[int] = None, slot_bytes: int = 256 << 20,
                 arrays: Optional[str] = None, pin_memory: Optional[bool] = None, timeout: Optional[float] = None,
                 trace: Union[str, "os.PathLike[str]", None] = None, share: Union[str, bool, None] = None,
                 record: Union[str, "os.PathLike[str]", None] = None, skip_list: Union[str, "os.PathLike[str]", None] = None, java_options: Sequence[str] = ()) -> None:
        prefetch = whole("prefetch", prefetch, 1, 64) if prefetch is not None else 0
        slot_bytes = whole("slot_bytes", slot_bytes, 1, 1 << 40)
        slots = whole("slots", slots, 4, 1 << 16) if slots is not None else most_slots(slot_bytes)
        if timeout is not None and (not isinstance(timeout, (int, float)) or isinstance(timeout, bool) or not timeout > 0):
            raise PlanError(f"timeout must be a number of seconds above 0, or None for no limit, but was {timeout!r}")
        if isinstance(java_options, str):
            raise PlanError(f"java_options must be a list of options, such as ['-Xmx4g'], but was {java_options!r}")
        self._arrays = _arrays.kind(arrays)
        if pin_memory and self._arrays != "torch":
            raise PlanError(f"pin_memory=True is for tensors, and arrays={self._arrays!r} gives none: leave one of the two out")
        self._assumed: Optional[Tuple[int, int]] = None     # the rank that nobody has given, and the number of ranks
        # A function keeps addresses, which may have secrets in them, out of what shows the attributes of a loader.
        self._another = lambda: Loader(settings, slots=slots, slot_bytes=slot_bytes, arrays="numpy", pin_memory=False, timeout=60, share=False,
                                       java_options=java_options)
        self._of_rank = int(settings.get("rank") or 0)
        self._make = None
        self._pin = pin_memory
        self._pinned = None
        self._timeout = timeout
        # An exception of a signal's handler may come behind any call. So what belongs together is replaced in one step, and what
        # is of a generation says so: sending a restart makes all of it old at once.
        self._restarts: Deque[int] = deque()    # one for each that was sent: their number is the generation of the batches that are ours
        self._at = Position(-1, 0, 0, 0)        # behind what was returned last
        self._begun = (self._at, None)          # behind what was begun last, and its frame
        self._said = self._at                   # what the loader knows of
        self._ready = -1                        # the generation that is ready
        self._resumed = (0, 0, False)           # a generation, how many batches of its first epoch were before it, and whether these were all
        self._size = self._epochs = None
        self._classes: List[str] = []
        self._closed = False
        self._failure = (0, None)               # with its generation; -1 for all
        self._asked = False
        self._iteration = self._ended = 0       # the iterator that is valid, and the one that came to its end last
        self._passes_empty = False              # whether an iteration that begins behind the last batch of an epoch goes on with the next
        self._structures: Dict[int, _build.Form] = {}
        self._turn = Turn()
        self._figures = _report.Trainer()
        self._alarm = _alarm.Alarm()
        self._profiling = None

        if resume_from is not None:
            settings = {**settings, "resume_from": _state.text(resume_from)}
            self._resumed = (0, _state.batches(resume_from), _state.is_complete(resume_from))
        self._trace = _trace.Trace(trace) if trace is not None else None
        self._files: List[Any] = []
        files = {name: os.path.abspath(os.fspath(path)) for name, path in (("record", record), ("skip_list", skip_list)) if path is not None}
        said = {**files, **{name: str(value) for name, value in settings.items() if value is not None},
                **({"trace": self._trace.path} if self._trace is not None else {}), "prefetch": str(prefetch), "parent": str(os.getpid())}
        self._settings = lambda: said
        alone = bool(pin_memory) or trace is not None or bool(files) or (pin_memory is None and self._arrays == "torch" and _cuda.is_likely())
        if share or not alone:
            _share.check(pin_memory, trace, files)
        of_ranks = {"compute_threads": str(_process.processors(os.environ))} if _process.ranks_here(os.environ) > 1 else {}
        shared = _share.ring_and_process(share, {**said, **of_ranks}, slots, slot_bytes, java_options, _wire.release, alone)
        if shared is not None:
            self._pin = False
            self._ring, self._process = shared
        else:
            self._ring = Ring(slots, slot_bytes, _wire.release)
            try:
                self._process = Process(self._ring, java_options)
            except BaseException:
                self._ring.close()
                raise
        self._frames, self._commands = self._process.frames, self._process.commands
        self._commands.released = self._ring.released
        self._end = weakref.finalize(self, _process.end, self._process, self._ring, self._trace)
        if shared is None:
            self._commands.send(_wire.START, 0, _wire.pairs(said))

    # Batches

    @in_turn
    def __iter__(self) -> Iterator[Any]:
        """The batches of the next epoch, or of what is left of an epoch that was resumed. One that was not finished is over."""
        self._usable()
        self._passes_empty = True
        return Epoch(self, self._begin())

    def _begin(self):
        _ranks.refuse_others(self._assumed, _ranks.of_torch(), "this loader was made for")
        self._iteration += 1
        if self._is_touched():
            self._restart(_wire.EPOCH, self._at.epoch + 1)
        return self._iteration

    def _is_empty(self):
        """Whether the state that was resumed from was behind the last batch of its epoch, as it is for trainers that count batches and save before they ask
        for one more: the iteration is for the next epoch, as it would be in the loader that went on. Not for the states of several ranks, which have rests
        of their own."""
        return self._passes_empty and self._was_complete(self._at)

    def _was_complete(self, position):
        generation, _, complete = self._resumed
        return complete and position.generation == generation and position.event == 0

    def _is_touched(self):
        """Whether a batch of the epoch was begun, so that the epoch is over when another iteration begins."""
        begun = self._begun[0]
        return begun.generation == len(self._restarts) and begun.epoch == self._at.epoch

    @in_turn
    def __len__(self) -> int:
        """Batches of an epoch. Raises TypeError if that depends on the data."""
        self._until_ready()
        if self._size is None:
            raise TypeError("how many batches this plan makes depends on its data")
        return self._size

    def __repr__(self) -> str:
        return f"<{self.made_by}: {self._condition()}>"

    def _condition(self):
        state = "closed" if self._closed else "failed" if self._failed() is not None else f"epoch {self._at.epoch}" if self._is_ready() else "starting"
        size = f", {self._size:,} batches an epoch" if self._size is not None else ""
        return f"{state}{size}"

    def _repr_html_(self) -> str:
        """For notebooks: what this loader is, and the images of its first batch, which a process of its own loads (a second or two)."""
        from . import _html
        return _html.page(self)

    def _first(self):
        """The first batch, of a loader of its own."""
        again = self._another()
        try:
            return next(iter(again), None)
        finally:
            again.close()

    @property
    @in_turn
    def epoch(self) -> int:
        """The epoch that the next batch belongs to, from 0."""
        self._until_ready()
        return self._at.epoch + self._was_complete(self._at)

    @property
    @in_turn
    def classes(self) -> List[str]:
        """The names of the classes: label n stands for `classes[n]`. Empty if the source does not name any."""
        self._until_ready()
        return list(self._classes)

    @property
    def class_to_idx(self) -> Dict[str, int]:
        """The label of each class, by its name."""
        return {name: label for label, name in enumerate(self.classes)}

    @in_turn
    def _next(self, iteration):
        if self._profiling is None:
            self._profiling = _cuda.profiling()
        told = self._alarm.took(time.monotonic(), self._figures.waited)
        if told is not None and self._is_ready() and not self._closed:
            import logging
            logging.getLogger("jspdl").warning("%s. %s", told, json.loads(self._ask(_wire.STATISTICS)).get("bottleneck", ""))
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
        self._trace.took(began, self._at.event)
        return batch

    def _take(self, iteration):
        while True:
            batch = self._poll(iteration)
            if batch is not NOT_YET:
                return batch
            self._wait()

    def _poll(self, iteration):
        """The next batch if it is here, else NOT_YET."""
        if iteration == self._ended:
            raise StopIteration
        if iteration != self._iteration:
            raise JspdlError("this iterator is over: another one was begun")
        self._usable()
        if not self._asked:
            self._commands.send(_wire.WANTED)
            self._asked = True
        if self._pinned is not None:
            self._pinned.settle(self._ring.released, self._commands.released, self._ring.ours)
        self._pass_lost()
        self._say(True)
        while (frame := self._frames.ready()) is not None:
            kind, body = frame
            if kind == _wire.BATCH:
                batch = self._batch(frame)
                if batch is not _STALE:
                    return batch
            elif kind == _wire.EPOCH_END and self._number(body) == len(self._restarts):
                number = json.loads(body[8:])["number"]
                if number > self._at.event:     # else a handler raised before the frame was taken away
                    behind = Position(len(self._restarts), number, self._at.epoch + 1, 0)
                    empty = self._is_empty()
                    if not empty:
                        self._ended = iteration
                    self._at = behind
                    self._say(False)
                    self._frames.waiting.popleft()
                    if empty:
                        continue
                    raise StopIteration
                self._frames.waiting.popleft()
            elif kind == _wire.END and self._number(body) == len(self._restarts):      # it stays, for whoever asks again
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
        self._ring.given(slots, offsets, form.sizes)
        waiting = self._frames.waiting
        current = generation == len(self._restarts)
        if current:
            at = self._at
            behind = Position(generation, number, at.epoch, at.batches + 1)
            self._begun = (behind, frame)
        try:
            waiting.popleft()       # from here on the slots are ours to release; until then the frame comes again
            if not current:
                return _STALE
            batch = form.build(self._ring, offsets, body)
            self._at = behind
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

    def _pass_lost(self):
        """Goes on behind a batch that a handler's exception has destroyed after its frame was taken away. Until then it counts as not taken."""
        begun, frame = self._begun
        waiting = self._frames.waiting
        if begun.generation == len(self._restarts) and begun.event > self._at.event and not (waiting and waiting[0] is frame):
            self._at = begun

    def _say(self, now):
        """Says what was taken last, if the loader does not know it yet."""
        at = self._at
        if at is not self._said and at.event and at.generation == len(self._restarts):
            self._commands.put_off(_wire.TAKEN, at.event, now)
            self._said = at

    def _copied(self, form, batch):
        """A batch in its own memory, used when the trainer keeps so many batches that the loader would run out of slots."""
        if not self._figures.copied:
            warnings.warn(f"more than half of the {self._ring.ours} slots are held by batches that are kept; from here on such"
                          " batches are copied. Keep fewer, or raise slots=", RuntimeWarning, stacklevel=8)
        self._figures.copied += 1
        return form.copy(batch)

    def _wait(self):
        self._flush()       # what a handler has left unsaid: the loader might wait for it
        began = time.monotonic()
        try:
            arrived = self._frames.read(self._timeout)
        except OSError:
            self._alive()       # another thread has closed it, meanwhile
            raise
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
                self._pinned = self._ring.pins = _cuda.pins(self._arrays, self._pin)
                if self._pinned is not None:        # which says when what was let go of may be sent
                    self._commands.released = deque()
                elif not isinstance(self._ring, SharedRing):
                    self._commands.send(_wire.UNPINNED)
            if len(self._structures) > 4096:
                self._structures = dict(list(self._structures.items())[-2048:])
            self._structures[self._number(body)] = _build.Form(json.loads(body[8:]), self._arrays, self._make, self._pinned)
        elif kind == _wire.FAILED:
            failure = json.loads(body[8:])
            if self._number(body) in (len(self._restarts), -1):
                self._failure = (self._number(body), failure)
                raise _before_batches.error(failure)
        elif kind == _wire.READY and self._number(body) == len(self._restarts):
            ready = json.loads(body[8:])
            generation, batches, _ = self._resumed
            known = self._size
            self._size, self._epochs, self._classes = ready["size"], ready["epochs"], ready["classes"]
            self._at = Position(len(self._restarts), 0, ready["epoch"], batches if generation == len(self._restarts) else 0)
            self._ready = self._at.generation
            if self._size == 0 and known != 0:
                warnings.warn("an epoch of this loader has no batch: drop_last=True leaves out what does not fill one, and there are fewer samples than"
                              " batch_size= for this rank", RuntimeWarning, stacklevel=2)

    def _until_ready(self):
        self._usable()
        while not self._is_ready():
            frame = self._frames.ready()
            if frame is None:
                self._wait()
            elif frame[0] == _wire.BATCH:
                self._batch(frame)      # of an earlier generation
            else:
                self._note(*frame)
                self._frames.waiting.popleft()

    def _is_ready(self):
        return self._ready == len(self._restarts)

    @staticmethod
    def _number(body):
        return _wire.NUMBER.unpack_from(body)[0]

    def _failed(self):
        generation, failure = self._failure
        return failure if generation in (len(self._restarts), -1) else None

    def _usable(self):
        self._alive()
        if (failure := self._failed()) is not None:
            raise _before_batches.error(failure)

    def _alive(self):
        if self._closed or self._process.has_ended:
            raise JspdlError("the loader is closed")
        if self._process.owner != os.getpid():
            raise JspdlError("a loader cannot be used in a process that was forked: it is parallel by itself, so use"
                             " num_workers=0, or make one in each process")

    def _died(self):
        if self._closed or self._process.has_ended:    # by another thread, meanwhile, or with the interpreter
            raise JspdlError("the loader is closed")
        ended = self._process.how_it_ended()
        self._failure = (-1, {"kind": "loader", "message": f"the loader, process {self._process.pid}, {ended}. It had handed over"
                                                           f" {self._figures.batches} batches"})
        raise _before_batches.error(self._failure[1])

    def _ask(self, kind, number=0):
        self._until_ready()
        self._commands.send(kind, number)
        answer = self._frames.answer()
        if answer is None:
            self._died()
        return answer[8:].decode()

    # State

    @in_turn
    def state_dict(self) -> Dict[str, Any]:
        """Where the trainer stands: behind the batch that it took last. Small, and safe to keep as JSON or by torch.save."""
        self._until_ready()
        return self._state_at(self._at)

    @in_turn
    def load_state_dict(self, state: Union[Dict[str, Any], Sequence[Dict[str, Any]]]) -> None:
        """Resumes from `state`, of a loader with the same plan. A list of the states of all ranks is redistributed."""
        self._load(state)

    def _load(self, state):
        self._alive()
        self._restart(_wire.RESUME, 0, _state.text(state).encode(), _state.batches(state), _state.is_complete(state))
        self._until_ready()

    def _restart(self, kind, number, body=b"", batches=0, complete=False):
        self._resumed = (len(self._restarts) + 1, batches, complete)
        self._commands.send(kind, number, body, self._restarts)

    # Figures

    @in_turn
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
        """Ends the loader's process, waits for it, and removes files of `indices` and `weights`. Batches that are kept stay good."""
        self._closed = True
        passed = self._turn.pass_over(self._wake)
        self._end()
        if passed:      # else a thread may still be about to read
            for end in self._process.files:
                end.close()
        for file in self._files:
            file.close()

    def __enter__(self) -> "Loader":
        return self

    def _wake(self):
        """Ends what another thread waits for."""
        self._commands.send(_wire.CLOSE)


_STALE = object()
