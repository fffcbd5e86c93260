"""A dataset of the user's as a source: order, batches, ranks and states are the loader's; helpers get the items."""
import os
import sys
from typing import Any, Callable, Dict, List, Optional, Sequence, Union

from . import _arrays, _process
from ._errors import PlanError
from ._mapped import Batches, Mapped
from ._options import checked, flag
from ._orders import ORDERING, chosen, keep
from ._plans import choice, plan, whole
from ._ranks import ranks
from ._streams import StreamWork, Streams
from ._work import Progress, Work


class Fetch:
    """Gets an item of a dataset by its index."""

    def __init__(self, dataset: Any) -> None:
        self.dataset = dataset
        self.__qualname__ = type(dataset).__qualname__
        self.__module__ = type(dataset).__module__

    def __call__(self, index: Any) -> Any:
        return self.dataset[int(index)]

    def __repr__(self) -> str:
        return f"the dataset's class, {self.__qualname__},"


class ItemWork(Work):
    """Gets the items of a batch. In processes, where the trainer's own dataset is not, one that counts epochs is told them."""

    def __init__(self, dataset: Any, collate: Optional[Callable[[List[Any]], Any]], arrays: str, seed: int, rank: int) -> None:
        super().__init__(Fetch(dataset), "from_dataset", True, collate, arrays, seed, rank)
        self._epoch = -1

    def run(self, batch: Any, epoch: int, number: int, progress: Progress, stack: Callable[[List[Any], str], Any], seeds: bool) -> Any:
        if seeds and epoch != self._epoch:
            if hasattr(self.function.dataset, "set_epoch"):     # type: ignore[attr-defined]
                self.function.dataset.set_epoch(epoch)          # type: ignore[attr-defined]
            self._epoch = epoch
        return super().run(batch, epoch, number, progress, stack, seeds)


def is_stream(dataset: Any) -> bool:
    """Whether it is an `IterableDataset` of PyTorch, which has a `__getitem__` that fails, and may have a length."""
    data = sys.modules.get("torch.utils.data")
    return data is not None and isinstance(dataset, data.IterableDataset)


@checked(plan, *ORDERING)
def from_dataset(dataset: Any, *, batch_size: int = 64, shuffle: bool = False, seed: int = 0, drop_last: bool = False,
                 processes: Optional[int] = None, threads: Optional[int] = None, collate: Optional[Callable[[List[Any]], Any]] = None,
                 arrays: Optional[str] = None, even: str = "count", timeout: Optional[float] = None, rank: Optional[int] = None,
                 world_size: Optional[int] = None, resume_from: Union[Dict[str, Any], Sequence[Dict[str, Any]], None] = None, **options: Any) -> Mapped:
    """Items of a dataset of yours, in batches: `__len__` and `__getitem__`, or `__iter__` alone, as datasets of PyTorch have them.

        jspdl.from_dataset(MyDataset("data"), batch_size=64, shuffle=True, seed=1, processes=4)

    Yields what the items are, collated: arrays and numbers are stacked, mappings, tuples and lists go through, everything else becomes a list.

    processes, threads: where items are got, of one of the two; None for a process on each processor. Processes are fresh interpreters, to which the
        dataset is sent once, by cloudpickle if it is installed, else by pickle. `random`, NumPy and PyTorch are seeded for each item, and `set_epoch(epoch)`
        of the dataset is called if there is one.
    collate: makes a batch of a list of items, where they are.
    arrays: what stacked numbers and arrays of NumPy become: "torch", "numpy", "jax" or "memoryview"; None for the first that is installed. Tensors stay tensors,
        but for "jax".
    batch_size, shuffle, seed, indices, weights, draws, replacement, curriculum, drop_last, even, timeout, rank, world_size, resume_from: as for `images`.
    options: of `plan`.

    A dataset that can only be iterated over (`IterableDataset`) is read in processes, one unless `processes` says more. Each iterates over the whole and
    must choose its part, by `torch.utils.data.get_worker_info()` and RANK, which is set there; their batches come in turn. `set_epoch(epoch)` is called if there is one.
    It is resumed by reading again what came before. An exception in it ends the epoch.
    """
    if isinstance(dataset, type):
        raise PlanError(f"from_dataset needs a dataset, but was given the class {dataset.__qualname__}: make one of it, {dataset.__qualname__}(...)")
    if isinstance(dataset, Batches):
        raise PlanError("from_dataset was given a loader, which makes batches already: use it as it is, or loader.map and loader.map_batches to change what it"
                        " yields")
    batch_size, seed = whole("batch_size", batch_size, 1), whole("seed", seed, -(1 << 63))
    shuffle, drop_last = flag("shuffle", shuffle), flag("drop_last", drop_last)
    kind = _arrays.kind(arrays)
    if options.get("pin_memory"):
        raise PlanError("pin_memory=True is for what loaders decode; what functions and datasets return is ordinary memory, which tensor.pin_memory() copies")
    if hasattr(dataset, "__len__") and hasattr(dataset, "__getitem__") and not is_stream(dataset):
        if processes is None and threads is None:
            processes = _process.processors(os.environ)
        order, files = chosen(options, shuffle)
        source = {"size": whole("len(dataset)", len(dataset), 1), "shuffle": shuffle, "seed": seed,
                  "even": choice("even", even, ("count", "uneven")), **order}
        upstream: Any = keep(plan({"name": "dataset", "source": {"indices": source}, "steps": [
            {"batch": {"batch-size": batch_size, "drop-last": drop_last}}]}, seed=seed, arrays="memoryview", timeout=timeout, rank=rank,
            world_size=world_size, resume_from=resume_from, **options), files)
        work: Work = ItemWork(dataset, collate, kind, seed, upstream._rank())
    elif hasattr(dataset, "__iter__") and not hasattr(dataset, "__next__"):
        if threads is not None or shuffle or even != "count" or options:
            wrong = "threads" if threads is not None else "shuffle" if shuffle else "even" if even != "count" else next(iter(options))
            raise PlanError(f"{wrong}= needs a dataset with __len__ and __getitem__, which {type(dataset).__qualname__} lacks: what can only be iterated"
                            " over is read in processes, in the order that it has")
        streams: int = whole("processes", 1 if processes is None else processes, 1)
        processes = streams
        of = ranks(rank, world_size)
        upstream = Streams(streams, of, timeout, resume_from, rank is not None)
        work = StreamWork(dataset, batch_size, drop_last, streams, collate, kind, seed, of)
    else:
        raise PlanError(f"from_dataset needs a dataset, with __len__ and __getitem__, or with __iter__, which can be iterated over in each epoch, but"
                        f" was given {type(dataset).__qualname__}")
    try:
        return Mapped(upstream, work, threads, processes)
    except BaseException:
        upstream.close()
        raise
