"""A function of the user's, and what it takes to apply it to a batch or to each of its samples; the same in threads and in processes."""
import hashlib
import random
import sys
from typing import Any, Callable, Dict, Iterator, List, Optional

from . import _containers, _stacking
from ._errors import MapError, PlanError
from ._state import Position


class Work:
    """What is done with each batch. Sent to helper processes as it is."""
    lasting = False     # whether nothing comes behind a failure

    def __init__(self, function: Callable[[Any], Any], method: str, samples: bool, collate: Optional[Callable[[List[Any]], Any]], arrays: str,
                 seed: int, rank: int) -> None:
        self.function = function
        self.method = method
        self.samples = samples
        self.collate = collate
        self.yields = arrays
        self.arrays = "numpy" if arrays == "jax" else arrays    # what the function gets
        self.seed = seed
        self.rank = rank
        self.name = name_of(function)
        self.collated = False   # whether batches were made of samples by a function or dataset below, and not by one of the user's
        self.sown = 0           # what is drawn from was seeded with it last

    def check(self) -> None:
        self._check_function()
        if self.collate is not None and not callable(self.collate):
            raise PlanError(f"collate must be a function of a list of results but was {self.collate!r}")
        if not isinstance(self.seed, int) or isinstance(self.seed, bool):
            raise PlanError(f"seed must be a whole number but was {self.seed!r}")
        from . import _arrays
        _arrays.kind(self.yields)

    def _check_function(self) -> None:
        if not callable(self.function):
            raise PlanError(f"{self.method} needs a function but was given {self.function!r}")

    def run(self, batch: Any, epoch: int, number: int, progress: "Progress", stack: Callable[[List[Any], str], Any], seeds: bool) -> Any:
        """What becomes of `batch`, number `number` of its epoch. `progress` says which row it is at, whatever happens."""
        batch = _stacking.converted(batch, self.arrays)
        if not self.samples:
            progress.at(-1)
            if seeds:
                self._sow(epoch, number, -1)
            return self.function(_containers.unmarked(batch) if self.collated else batch)
        results = []
        for row, sample in enumerate(rows(batch, self.collated)):
            progress.at(row)
            if seeds:
                self._sow(epoch, number, row)
            results.append(self.function(sample))
        progress.at(-1)
        return self.collate(results) if self.collate is not None else _stacking.collate(results, lambda values: stack(values, self.arrays if seeds else self.yields))

    def _sow(self, epoch: int, number: int, row: int) -> None:
        """Seeds what the function may draw from, so that it draws the same in whichever process it runs."""
        self.sow(f"{self.rank}/{epoch}/{number}/{row}")

    def sow(self, *of: Any) -> None:
        """The same by whatever tells what is drawn for from all else."""
        key = hashlib.blake2b("/".join(map(str, (self.seed, *of))).encode(), digest_size=8).digest()
        self.sown = int.from_bytes(key, "little")
        random.seed(self.sown)
        for name in ("numpy.random", "torch"):
            module = sys.modules.get(name)
            if module is not None:
                self.late()[name](module)

    def late(self) -> Dict[str, Callable[[Any], None]]:
        """What is to be done with modules that the function imports when it is called, which is too late for `sow`."""
        return {"numpy.random": lambda module: module.seed(self.sown & 0xFFFFFFFF), "torch": lambda module: module.default_generator.manual_seed(self.sown >> 1)}

    def failure(self, task: "Task", row: int, what: str, cause: Optional[BaseException] = None) -> MapError:
        """The exception for a batch that failed, at a row of it or as a whole (-1)."""
        number = task.number
        where = f"sample {row} of batch {number}" if row >= 0 else f"batch {number}"
        if row >= 0 and self.method == "from_dataset":
            where = f"item {int(task.batch[row])}, {where}"
        return self._failure(task, where, row, what, cause)

    def _failure(self, task: "Task", where: str, row: int, what: str, cause: Optional[BaseException]) -> MapError:
        failure = MapError(f"{self.method}({self.name}) failed at {where} of epoch {task.epoch}: {what}")
        failure.function, failure.epoch, failure.batch, failure.sample = self.name, task.epoch, task.number, row if row >= 0 else None
        failure.__cause__ = cause
        return failure

    def lane(self, batch: Any) -> Optional[int]:
        """Which worker is to do this batch, by its number; None for any."""
        return None


def words(failure: BaseException) -> str:
    """An exception's kind and message, though its own `__str__` may fail."""
    try:
        return f"{type(failure).__name__}: {failure}"
    except Exception as other:
        return f"{type(failure).__name__}, whose message cannot be had ({type(other).__name__})"


class Progress:
    """Which row is worked at."""

    def __init__(self) -> None:
        self.row = -1

    def at(self, row: int) -> None:
        self.row = row


class End:
    """Whether workers have been ended, for a thread that is in the middle of using them when the interpreter ends."""
    has_come = False


class Task:
    """A batch that is under way. `position` is where its loader stood behind it; None for a failure that lasts."""
    __slots__ = ("number", "batch", "position", "epoch", "done", "result", "failure", "lasting", "dropped", "key")

    def __init__(self, key: int, batch: Any, position: Optional[Position]) -> None:
        self.key = key
        self.batch = batch
        self.position = position
        self.epoch, self.number = (position.epoch, position.batches - 1) if position is not None else (-1, -1)
        self.done = self.lasting = self.dropped = False
        self.result: Any = None
        self.failure: Optional[BaseException] = None

    def finished(self, result: Any) -> None:
        self.result, self.batch, self.done = result, None, True

    def failed(self, failure: BaseException, lasting: bool = False) -> "Task":
        self.failure, self.batch, self.lasting, self.done = failure, None, lasting, True
        return self


def rows(batch: Any, collated: bool) -> Iterator[Any]:
    """The samples of a batch; see `_containers.lengths`."""
    named = _containers.kind(batch) == _containers.MAPPING
    lengths = {name: _containers.lengths(part, collated) for name, part in (batch.items() if named else ((None, batch),))}
    counts = set().union(*lengths.values())
    count = next(iter(counts)) if len(counts) == 1 else None
    if count is None:
        if not named:
            advice = ", or have what makes it return a dictionary or a list of samples" if isinstance(batch, tuple) else ""
            raise PlanError(f"the batch, a {type(batch).__name__}, does not consist of samples: use map_batches{advice}")
        said = ", ".join(f"{name}: {'no rows' if not found or None in found else ' and '.join(map(str, found))}" for name, found in lengths.items())
        raise PlanError(f"the batch does not consist of samples, as its fields have different numbers of rows ({said}): use map_batches")
    return map(_containers.rows_of(batch), range(count))


def name_of(function: Any) -> str:
    """What messages call a function."""
    inner = getattr(function, "func", None)      # functools.partial
    if inner is not None and not hasattr(function, "__qualname__"):
        return f"partial({name_of(inner)})"
    return str(getattr(function, "__qualname__", None) or type(function).__qualname__)
