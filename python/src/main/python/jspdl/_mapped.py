"""A loader with a function applied to what it yields: in threads, or in processes of its own."""
import os
import time
from collections import deque
from typing import TYPE_CHECKING, Any, Callable, Deque, Dict, Iterator, List, NamedTuple, Optional, Sequence, Union

from . import _containers, _cuda, _state, _trace, _wire
from ._errors import JspdlError, MapError, PlanError
from ._state import Position, State
from ._turn import Turn, in_turn
from ._work import Task, Work

if TYPE_CHECKING:
    from ._dataset import LoaderDataset

NOT_YET = object()
MOST_WORKERS = 256


class StreamEnd:
    """In place of a batch: there are no more of this stream."""

    def __init__(self, stream: int) -> None:
        self.stream = stream


class Place(NamedTuple):
    """Where a loader of results stands; replaced in one step, between any two of which a handler's exception may come."""
    position: Optional[Position]    # behind what was yielded last, in what is delivered below; None until it was gone to
    destination: Any                # where to go: an epoch, a state, those of all ranks, or where the loader below stands, for None
    yielded: bool                   # whether something was, since the iteration began
    ended: int                      # the iteration that came to its end last


class Batches:
    """What all loaders can do."""
    made_by = "jspdl.Loader"
    _collates = False       # whether batches are collated here of what a function or dataset gave

    def map(self, function: Callable[[Any], Any], *, threads: Optional[int] = None, processes: Optional[int] = None,
            collate: Optional[Callable[[List[Any]], Any]] = None, arrays: Optional[str] = None, seed: int = 0, order: Optional[str] = None) -> Any:
        """Applies `function` to each sample of each batch; what it returns is collated to batches again.

            train = jspdl.images("data/train", size=256, shuffle=True).map(augment, processes=4)

        A sample is a row of the batch: a dictionary of the rows of its arrays, which must all have the same length. The function returns
        anything that can be pickled; arrays and numbers are stacked, mappings, tuples and lists go through, everything else becomes a list.

        threads, processes: how many, of one of the two. Threads share the interpreter's lock, which NumPy and PyTorch release in large
            operations only. Processes are fresh interpreters, which get the function by cloudpickle if it is installed, else by pickle;
            they see the loader's shared memory, and their results come by shared memory.
        collate: makes a batch of the list of results, where they are.
        arrays: what the function gets and batches consist of: "torch", "numpy" or "memoryview"; None for the loader's kind.
            "jax": the function gets NumPy's, and stacked results are JAX's.
        seed: what `random`, NumPy and PyTorch are seeded with for each sample, in processes: by it, the rank, the epoch, the batch and the row.
        order: "input" or "completion", for a loader itself and `processes`: samples are changed *before* they are batched, as a stage of the loader's
            pipeline, which calls the processes by itself; docs/how-to/python.md says what differs. It is the loader that is returned.
        """
        if order is not None:
            return self._map_samples(function, threads, processes, collate, arrays, seed, order)
        return Mapped(self, Work(function, "map", True, collate, self._for_functions("map", arrays), seed, self._rank()), threads, processes)

    def map_batches(self, function: Callable[[Any], Any], *, threads: Optional[int] = None, processes: Optional[int] = None,
                    arrays: Optional[str] = None, seed: int = 0) -> "Mapped":
        """Applies `function` to each batch: `loader.map_batches(function, threads=2)`. Options as for `map`.

        The batches keep their order, as many as workers and as many again are under way, and `state_dict()` counts those that were yielded.
        """
        return Mapped(self, Work(function, "map_batches", False, None, self._for_functions("map_batches", arrays), seed, self._rank()), threads, processes)

    def _map_samples(self, function: Callable[[Any], Any], threads: Optional[int], processes: Optional[int], collate: Any, arrays: Optional[str], seed: int,
                     order: str) -> Any:
        raise PlanError(f"map(order=) is for samples before they are batched, and {self.made_by} yields batches: give order= to the map of the loader itself")

    def _for_functions(self, method: str, arrays: Optional[str]) -> str:
        if self._kind() == "jax":
            raise PlanError(f"{method}: functions get arrays of NumPy, so give the loader arrays='numpy', and arrays='jax' to its last map")
        return arrays or self._kind()

    def dataset(self) -> "LoaderDataset":
        """The loader as a `torch.utils.data.IterableDataset`."""
        from ._dataset import LoaderDataset
        return LoaderDataset(self)

    def __getitem__(self, index: Any) -> Any:
        raise TypeError("a loader gives its batches one after the other, by `for batch in loader`, and none by its number; where a dataset is expected, as by"
                        " DataLoader, give loader.dataset(), with batch_size=None and num_workers=0")

    def __bool__(self) -> bool:
        return True     # whatever its length, which need not be known

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __reduce__(self) -> Any:
        raise TypeError("a loader cannot be sent to another process: it is parallel by itself, so use num_workers=0, or make"
                        " one in each process")

    def close(self) -> None:
        raise NotImplementedError

    def _kind(self) -> str:
        raise NotImplementedError

    def _rank(self) -> int:
        raise NotImplementedError


class Epoch:
    """The iterator over one epoch of a loader."""

    def __init__(self, loader: Any, iteration: int) -> None:
        self._loader = loader
        self._iteration: Optional[int] = iteration

    def __iter__(self) -> "Epoch":
        return self

    def __next__(self) -> Any:
        if self._iteration is None:
            raise StopIteration
        try:
            return self._loader._next(self._iteration)
        except StopIteration:
            self._iteration = None
            raise


class Mapped(Batches):
    """What `map` and `map_batches` return: a loader of the results. Threads wait for each other; closing it closes the loader below.

    The batches come in their order. What is under way when a loop is left is dropped, and `state_dict()` stands behind the batch that was
    yielded last, or that failed last: the loop may go on after a `MapError`, with the next batch.
    """

    def __init__(self, upstream: Any, work: Work, threads: Optional[int], processes: Optional[int]) -> None:
        if (threads is None) == (processes is None):
            raise PlanError(f"{work.method} needs either threads= or processes=, the number of workers")
        count = threads if threads is not None else processes
        if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= MOST_WORKERS:
            raise PlanError(f"{'threads' if processes is None else 'processes'} must be a whole number from 1 to {MOST_WORKERS} but was {count!r}")
        work.check()
        self._upstream = upstream
        self._turn: Turn = upstream._turn       # what one thread does with this is done with that, too
        self._work = work
        work.collated = getattr(upstream, "_collates", False)
        self._collates = work.samples and work.collate is None
        upstream._usable()
        upstream._keep_states()
        if threads is not None:
            from ._threads import Threads
            self._workers: Any = Threads(work, count)
        else:
            from ._pool import Processes
            self._workers = Processes(work, count, upstream._ring_file())
        workers = f"threads={count}" if threads is not None else f"processes={count}"
        self.made_by = f"{upstream.made_by}.{work.method}({work.name}, {workers})"
        self._owner = os.getpid()
        self._pending: Deque[Task] = deque()
        self._iteration = self._upstream_iteration = 0
        self._place = Place(None, None, False, 0)
        self._end: Optional[Position] = None    # behind the epoch, once upstream has come to it
        self._torn = False          # an exception of a handler came in between: what is under way cannot be trusted
        self._keeps = True          # nobody further down counts what is yielded
        self._closed = False
        self._passes_empty = False  # whether an iteration that begins behind the last batch of an epoch goes on with the next
        self._began: Optional[float] = None

    # Batches

    @in_turn
    def __iter__(self) -> Iterator[Any]:
        """The results of the next epoch's batches, or of what is left of an epoch that was resumed."""
        self._usable()
        self._passes_empty = True
        self._begin()
        return Epoch(self, self._iteration)

    def __len__(self) -> int:
        return len(self._upstream)

    def __repr__(self) -> str:
        return f"<{self.made_by}: {self._upstream._condition() if not self._closed else 'closed'}>"

    def _repr_html_(self) -> str:
        """For notebooks; the contact sheet is of what the functions are given."""
        import html
        below = getattr(self._upstream, "_repr_html_", None)
        return f"<pre>{html.escape(repr(self))}</pre>{below() if below is not None else ''}"

    def __enter__(self) -> "Mapped":
        return self

    @property
    @in_turn
    def epoch(self) -> int:
        """The epoch that the next batch belongs to, from 0."""
        position = self._position()
        return position.epoch + (not self._place.yielded and self._was_complete(position))

    @property
    def classes(self) -> List[str]:
        """As of the loader below."""
        return self._upstream.classes

    @property
    def class_to_idx(self) -> Dict[str, int]:
        """As of the loader below."""
        return self._upstream.class_to_idx

    def _begin(self) -> int:
        self._iteration += 1
        position, destination, yielded, ended = self._place
        if yielded:     # an epoch that was left is over
            epoch = position.epoch if position is not None else destination["epoch"]
            self._place = Place(None, epoch + 1, False, ended)
        elif self._pending or self._end is not None:    # nothing was yielded, so it is not
            self._torn = True
        self._settle()
        return self._iteration

    def _go(self, destination: Any) -> int:
        """Begins an iteration somewhere else, or anew for None."""
        self._passes_empty = False
        if destination is not None:
            self._place = Place(None, destination, False, self._place.ended)
        return self._begin()

    def _settle(self) -> Position:
        """Goes where it is to stand, if it is not there: to another place, or back to what was yielded last after an exception in the middle of
        anything. The place is kept until that is done, so that the same may come in the middle of this."""
        position, destination, yielded, ended = self._place
        if position is not None:
            if not self._torn:
                return position
            destination = self._upstream._state_at(position)
            self._place = Place(None, destination, yielded, ended)
        self._torn = True
        self._pending.clear()
        self._workers.forget()
        self._end = None
        self._upstream_iteration = self._upstream._go(destination)
        there: Position = self._upstream._position()
        self._place = Place(there, None, yielded, ended)
        self._torn = False
        return there

    @in_turn
    def _next(self, iteration: int) -> Any:
        if _cuda.profiling()():
            with _cuda.record(_trace.NAME):
                return self._take(iteration)
        return self._take(iteration)

    def _take(self, iteration: int) -> Any:
        while True:
            result = self._poll(iteration)
            if result is not NOT_YET:
                return _containers.unmarked(result) if self._collates else result
            self._wait()

    def _poll(self, iteration: int) -> Any:
        """The next result if it is there, else NOT_YET."""
        place = self._place
        if iteration == place.ended:
            raise StopIteration
        if iteration != self._iteration:
            raise JspdlError("this iterator is over: another one was begun")
        self._usable()
        self._settle()
        if self._began is None:
            self._began = time.monotonic()
        self._torn = True
        self._workers.collect()
        self._open()
        if self._workers.broken is not None:
            self._torn = False
            self._workers.check()
        self._fill()
        while self._pending and isinstance(end := self._pending[0].result, StreamEnd):
            self._upstream._has_ended(end.stream, self._pending[0].epoch)
            self._place = Place(self._pending[0].position, None, place.yielded, place.ended)
            self._pending.popleft()
            self._fill()
        first = self._pending[0] if self._pending else None
        if first is None and self._end is not None:
            behind = self._end
            at = self._place.position
            # Of an epoch of which nothing was left, as the state that was resumed from says; see the loader's.
            empty = self._passes_empty and not place.yielded and at is not None and self._was_complete(at)
            self._place, self._end = Place(None, None, False, place.ended if empty else iteration), None
            self._tell(behind)
            self._torn = False
            if empty:
                return self._poll(iteration)
            raise StopIteration
        if first is None or not first.done or first.lasting:
            self._torn = False
            if first is not None and first.failure is not None:
                raise first.failure     # and again
            return NOT_YET
        self._place = Place(first.position, None, True, place.ended)
        self._pending.popleft()
        self._tell(first.position)
        self._torn = False
        if first.failure is not None:
            raise first.failure
        return first.result

    def _fill(self) -> None:
        """Takes what there is from upstream, as much as may be under way."""
        while self._end is None and len(self._pending) < self._workers.capacity:
            if self._pending and self._pending[-1].lasting:
                return
            try:
                batch = self._upstream._poll(self._upstream_iteration)
            except StopIteration:
                self._end = self._upstream._position()
                return
            except JspdlError as failure:
                lasting = not self._upstream._goes_on(failure)
                self._pending.append(Task(0, None, None if lasting else self._upstream._position()).failed(failure, lasting))
                continue
            if batch is NOT_YET:
                if self._upstream._arrived():
                    continue
                return
            task = self._workers.task(batch, self._upstream._position())
            self._pending.append(task)
            self._workers.submit(task)

    def _wait(self) -> None:
        """Waits until a result, or a batch that there is room for, may have come."""
        room = self._end is None and len(self._pending) < self._workers.capacity
        reads, writes = self._descriptors() if room else self._workers.descriptors()
        self._upstream._flush()
        timeout = self._upstream._patience()
        try:
            there = _wire.await_any(reads, writes, timeout)
        except (OSError, ValueError):
            self._open()        # another thread has closed it, meanwhile
            raise
        if not there:
            raise JspdlError(f"no batch within the {timeout} s that timeout= allows; {self.made_by} goes on, and report() says what it waits for")

    def _open(self) -> None:
        if self._closed or self._workers.end.has_come:
            raise JspdlError("the loader is closed")

    def _usable(self) -> None:
        self._open()
        if self._owner != os.getpid():
            raise JspdlError("a loader cannot be used in a process that was forked: it is parallel by itself, so use"
                             " num_workers=0, or make one in each process")
        self._workers.check()

    # What a loader on top of this one asks for

    def _kind(self) -> str:
        return self._work.yields

    def _rank(self) -> int:
        return self._work.rank

    def _position(self) -> Position:
        return self._settle()

    def _was_complete(self, position: Position) -> bool:
        return bool(self._upstream._was_complete(position))

    def _keep_states(self) -> None:
        self._keeps = False

    def _tell(self, position: Optional[Position]) -> None:
        if self._keeps and position is not None:
            self._passed(position)

    def _passed(self, position: Any) -> None:
        self._upstream._passed(position)

    def _state_at(self, position: Any) -> State:
        return self._upstream._state_at(position)

    def _goes_on(self, failure: JspdlError) -> bool:
        return isinstance(failure, MapError) and self._workers.broken is None and not (self._pending and self._pending[0].lasting)

    def _arrived(self) -> bool:
        self._workers.collect()
        return bool(self._pending and self._pending[0].done) or self._upstream._arrived()

    def _descriptors(self) -> Any:
        reads, writes = self._workers.descriptors()
        more_reads, more_writes = self._upstream._descriptors()
        return [*reads, *more_reads], [*writes, *more_writes]

    def _flush(self) -> None:
        self._upstream._flush()

    def _patience(self) -> Optional[float]:
        return self._upstream._patience()

    def _wake(self) -> None:
        self._upstream._wake()

    def _until_ready(self) -> None:
        self._upstream._until_ready()

    def _condition(self) -> str:
        return self._upstream._condition()

    def _ring_file(self) -> Any:
        return self._upstream._ring_file()

    # State, figures, ends

    @in_turn
    def state_dict(self) -> State:
        """Where the trainer stands: behind the batch that was yielded last, whatever is under way."""
        return self._state_at(self._position())

    @in_turn
    def load_state_dict(self, state: Union[State, Sequence[State]]) -> None:
        """Resumes from `state`; a list of the states of all ranks is redistributed."""
        self._place = Place(None, _state.listed(state), False, self._place.ended)
        self._settle()

    def stats(self) -> Dict[str, Any]:
        """As of the loader below, and `functions`: what each function cost."""
        stats = self._upstream.stats()
        return {**stats, "functions": [*stats.get("functions", []), self._figures()]}

    @in_turn
    def _figures(self) -> Dict[str, Any]:
        figures: Dict[str, Any] = self._workers.figures(time.monotonic() - self._began if self._began is not None else 0.0)
        return figures

    def report(self) -> str:
        """The same for a person."""
        from . import _report
        return _report.text(self.stats())

    def close(self) -> None:
        """Ends the workers, and the loader below. Batches that are kept stay good."""
        self._closed = True
        self._turn.pass_over(self._wake)
        self._pending.clear()
        self._workers.close()
        self._upstream.close()
