"""Datasets that can only be iterated over: streams, whose batches come in turn.

Batch n of an epoch of S streams is number n // S of stream n % S; those of streams that have ended are nothing. So a number says where all streams stand.
"""
import hashlib
import os
import sys
from itertools import islice
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple, Union

from . import _ranks, _stacking, _state, _worker
from ._errors import JspdlError, MapError, PlanError
from ._mapped import StreamEnd
from ._state import Position, State
from ._turn import Turn
from ._work import Progress, Task, Work


TORCH_WORKER = "torch.utils.data._utils.worker"


class Reader:
    """One iteration over the dataset, for one stream and epoch, in a helper."""

    def __init__(self, work: "StreamWork", stream: int, epoch: int) -> None:
        self.epoch = epoch
        self.next = 0
        self._work = work
        self._stream = stream
        self._items: Optional[Iterator[Any]] = None

    def take(self, progress: Progress) -> List[Any]:
        """The items of the next batch; fewer at the end."""
        self._work.sow_batch(self.epoch, self._stream, self.next)
        self._tell()
        items: List[Any] = []
        progress.at(0)
        if self._items is None:
            self._items = iter(self._work.dataset)
        for item in islice(self._items, self._work.batch_size):
            items.append(item)
            progress.at(len(items))
        self.next += 1
        return items

    def _tell(self) -> None:
        """Tells the dataset which part is its own, as DataLoader does, and which epoch it is."""
        dataset = self._work.dataset
        _worker.tell(self._stream, self._work.streams)
        self._work.epoch = self.epoch
        os.environ.update(RANK=str(self._work.rank), WORLD_SIZE=str(self._work.world_size))
        worker = sys.modules.get(TORCH_WORKER)
        if worker is not None:
            self._work.tell_torch(worker)
        if self._items is None and hasattr(dataset, "set_epoch"):
            dataset.set_epoch(self.epoch)


class StreamWork(Work):
    """Takes a batch from a stream. A helper that has lost its place, or never had it, reads again what came before."""
    lasting = True

    def __init__(self, dataset: Any, batch_size: int, drop_last: bool, streams: int, collate: Optional[Callable[[List[Any]], Any]], arrays: str,
                 seed: int, rank: Tuple[int, int]) -> None:
        super().__init__(dataset, "from_dataset", True, collate, arrays, seed, rank[0])
        self.dataset = dataset
        self.world_size = rank[1]
        self.epoch = 0          # of what is read, in a helper
        self.name = type(dataset).__qualname__
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.streams = streams
        self._readers: Dict[int, Reader] = {}

    def _check_function(self) -> None:
        """It is a dataset."""

    def run(self, batch: Any, epoch: int, number: int, progress: Progress, stack: Callable[[List[Any], str], Any], seeds: bool) -> Any:
        stream, wanted = batch
        reader = self._readers.pop(stream, None)
        if reader is None or reader.epoch != epoch or reader.next > wanted:
            reader = Reader(self, stream, epoch)
        while reader.next < wanted and len(reader.take(progress)) == self.batch_size:
            pass
        items = reader.take(progress) if reader.next == wanted else []
        progress.at(-1)
        self._readers[stream] = reader      # not one that has failed
        if len(items) < (self.batch_size if self.drop_last else 1):
            return StreamEnd(stream)
        return self.collate(items) if self.collate is not None else _stacking.collate(items, lambda values: stack(values, self.arrays))

    def late(self) -> Dict[str, Callable[[Any], None]]:
        return {**super().late(), TORCH_WORKER: self.tell_torch}

    def tell_torch(self, worker: Any) -> None:
        """Tells the dataset which part is its own, as DataLoader does."""
        stream, streams = _worker.worker_info()
        key = hashlib.blake2b(f"{self.seed}/{self.rank}/{self.epoch}/{stream}".encode(), digest_size=4).digest()
        seed = int.from_bytes(key, "little")        # another one in each process and epoch, which NumPy takes, too
        setattr(worker, "_worker_info", worker.WorkerInfo(id=stream, num_workers=streams, seed=seed, dataset=self.dataset))

    def sow_batch(self, epoch: int, stream: int, number: int) -> None:
        """Seeds what the dataset draws from for one batch."""
        self._sow(epoch, number, stream)

    def lane(self, batch: Any) -> int:
        return int(batch[0])

    def failure(self, task: Task, row: int, what: str, cause: Optional[BaseException] = None) -> MapError:
        stream, number = task.batch
        where = f"item {number * self.batch_size + row}" if row >= 0 else f"batch {number}"
        return self._failure(task, f"{where} of stream {stream}", row, what, cause)


class Streams:
    """What is to be read next, for `Mapped`: pairs of a stream and a number."""
    made_by = "jspdl.from_dataset"

    def __init__(self, streams: int, rank: Tuple[int, int], timeout: Optional[float], resume_from: Union[State, Sequence[State], None],
                 is_given: bool) -> None:
        self._streams = streams
        self._of, self._world_size = rank
        self._assumed = None if is_given else rank
        self._timeout = timeout
        self._turn = Turn()
        self._iteration = 0
        self._at = Position(0, 0, 0, 0) if resume_from is None else self._read(resume_from)
        self._ended: Tuple[int, ...] = ()

    def _read(self, state: Any) -> Position:
        states = _state.listed(state)
        if len(states) not in (1, self._world_size) or any("streams" not in each for each in states):
            raise PlanError("this is no state of a dataset that can only be iterated over" if len(states) == 1 else
                            f"these are the states of {len(states)} ranks, but such a dataset resumes on as many ranks as before, not on {self._world_size}")
        mine = states[self._of if len(states) > 1 else 0]
        if mine["streams"] != self._streams:
            raise PlanError(f"the state is of processes={mine['streams']}, each of which read a part of its own: resume with as many, not {self._streams}")
        return Position(0, int(mine["batches"]), int(mine["epoch"]), int(mine["batches"]))

    def _poll(self, iteration: int) -> Any:
        if iteration != self._iteration:
            raise JspdlError("this iterator is over: another one was begun")
        at = self._at
        if len(self._ended) == self._streams:
            self._at, self._ended = Position(0, 0, at.epoch + 1, 0), ()
            raise StopIteration
        number = at.event
        while number % self._streams in self._ended:
            number += 1
        self._at = Position(0, number + 1, at.epoch, number + 1)
        return number % self._streams, number // self._streams

    def _has_ended(self, stream: int, epoch: int) -> None:
        if epoch == self._at.epoch and stream not in self._ended:   # else it was asked for more before that was known
            self._ended += (stream,)

    def _begin(self) -> int:
        _ranks.refuse_others(self._assumed, _ranks.of_torch(), "this loader was made for")
        self._iteration += 1
        return self._iteration

    def _go(self, destination: Any) -> int:
        if destination is not None:
            at = Position(0, 0, destination, 0) if isinstance(destination, int) else self._read(destination)
            self._at, self._ended = at, ()
        return self._begin()

    def _state_at(self, position: Position) -> State:
        return {"jspdl_state": _state.VERSION, "epoch": position.epoch, "batches": position.batches, "streams": self._streams}

    def _position(self) -> Position:
        return self._at

    def _was_complete(self, position: Position) -> bool:
        return False

    def _condition(self) -> str:
        return f"epoch {self._at.epoch}"

    def _rank(self) -> int:
        return self._of

    def _patience(self) -> Optional[float]:
        return self._timeout

    def _descriptors(self) -> Tuple[List[Any], List[Any]]:
        return [], []

    def _goes_on(self, failure: JspdlError) -> bool:
        return False

    def _arrived(self) -> bool:
        return False

    def _ring_file(self) -> None:
        return None

    def _usable(self) -> None:
        """What can be wrong is wrong with the helpers."""

    def _until_ready(self) -> None:
        """It always is."""

    def _wake(self) -> None:
        """The helpers will have done with what they are at."""

    def _keep_states(self) -> None:
        """A state is a number."""

    def _passed(self, position: Position) -> None:
        """No states are kept."""

    def _flush(self) -> None:
        """There is nobody to tell."""

    def __len__(self) -> int:
        raise TypeError("how many batches this dataset makes depends on its data")

    @property
    def classes(self) -> List[str]:
        return []

    def stats(self) -> Dict[str, Any]:
        return {}

    def close(self) -> None:
        """There is nothing to end."""
