"""What goes through when samples are made to batches, and batches to samples: mappings, tuples and lists, of whatever type."""
import array
import collections.abc
from collections import UserString, defaultdict
from typing import Any, Callable, Dict, Iterable, List, Optional, Set

MAPPING, SEQUENCE = "mapping", "sequence"
# Sequences that are one value each.
WHOLE = (str, bytes, bytearray, memoryview, range, array.array, UserString)
KNOWN: Dict[type, str] = {dict: MAPPING, list: SEQUENCE, tuple: SEQUENCE}


class Parts(list):      # type: ignore[type-arg]
    """The list that a batch of lists becomes, part by part, as opposed to one with an entry for each sample. Users get plain lists."""


def kind(value: Any) -> Optional[str]:
    """Whether it consists of named parts, or of parts in a row; None for all else."""
    known = KNOWN.get(type(value))
    if known is not None:
        return known
    if isinstance(value, collections.abc.Mapping):
        return MAPPING
    return SEQUENCE if isinstance(value, collections.abc.Sequence) and not isinstance(value, WHOLE) else None


def mapping(like: Any, fields: Dict[Any, Any]) -> Any:
    """The fields as a mapping of the type that `like` has, or as a dictionary, if that cannot be made of them."""
    if type(like) is dict:
        return fields
    try:
        made = type(like)(like.default_factory, fields) if isinstance(like, defaultdict) else type(like)(fields)
        return made if list(made) == list(fields) and all(made[name] is part for name, part in fields.items()) else fields
    except Exception:       # whatever a type of somebody's own wants
        return fields


def sequence(like: Any, parts: List[Any]) -> Any:
    """The parts as a sequence of the type that `like` has, or as a tuple or list, if that cannot be made of them."""
    if type(like) is list:
        return parts
    plain = tuple(parts) if isinstance(like, tuple) else parts
    if type(like) is tuple:
        return plain
    try:
        made = type(like)(*parts) if isinstance(like, tuple) and hasattr(like, "_fields") else type(like)(parts)
        return made if len(made) == len(parts) and all(one is other for one, other in zip(made, parts)) else plain
    except Exception:
        return plain


def unmarked(batch: Any) -> Any:
    """A batch as users get it: with lists in place of `Parts`."""
    if type(batch) is Parts:
        return [unmarked(part) for part in batch]
    of = kind(batch) if type(batch) is not list else None
    if of == MAPPING:
        fields = {name: unmarked(part) for name, part in batch.items()}
        return batch if all(part is batch[name] for name, part in fields.items()) else mapping(batch, fields)
    if of == SEQUENCE:
        parts = [unmarked(part) for part in batch]
        return batch if all(part is before for part, before in zip(parts, batch)) else sequence(batch, parts)
    return batch


def lengths(batch: Any, collated: bool) -> Set[Optional[int]]:
    """How many rows what the batch consists of has; None among them for what has none.

    collated: whether the batch was made of samples here, so that what went through is taken apart again; else lists and arrays alone have rows.
    """
    if type(batch) is list:
        return {len(batch)}
    of = kind(batch)
    if of is None:
        shape = getattr(batch, "shape", None)
        return {int(shape[0]) if shape is not None and len(shape) > 0 else None}
    if not collated:
        return {None}
    parts: Iterable[Any] = batch.values() if of == MAPPING else batch
    return set().union(*(lengths(part, True) for part in parts))


def rows_of(batch: Any) -> Callable[[int], Any]:
    """A function that gives a sample of the batch by its number."""
    of = kind(batch) if type(batch) is not list else None
    if of == MAPPING:
        fields = [(name, rows_of(part)) for name, part in batch.items()]
        return lambda number: mapping(batch, {name: part(number) for name, part in fields})
    if of == SEQUENCE:
        parts = [rows_of(part) for part in batch]
        like = [] if type(batch) is Parts else batch
        return lambda number: sequence(like, [part(number) for part in parts])
    return lambda number: batch[number]
