"""A loader without cost: a few batches, repeated."""
from typing import Any, Iterable, Iterator, Optional


class RepeatedBatches:
    """Serves the first `count` batches of `loader` in turn, `length` of them in each epoch."""

    def __init__(self, loader, count, length):
        self._batches = []
        for batch in loader:
            self._batches.append(batch)
            if len(self._batches) == count:
                break
        if not self._batches:
            raise ValueError("the loader has no batch to repeat")
        self._length = length if length is not None else len(loader)

    def __iter__(self) -> Iterator[Any]:
        for index in range(self._length):
            yield self._batches[index % len(self._batches)]

    def __len__(self) -> int:
        return self._length


def repeat_batches(loader: Iterable[Any], count: int = 3, length: Optional[int] = None) -> RepeatedBatches:
    """Repeats `count` batches of `loader` indefinitely: no loader can make training faster than this, so measure against it."""
    return RepeatedBatches(loader, count, length)
