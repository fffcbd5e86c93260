"""Where a trainer stands in what a loader delivers, and how that is kept."""
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Union

from ._errors import PlanError

VERSION = 1
State = Dict[str, Any]


class Position(NamedTuple):
    """Behind an event of a generation: a batch, or the end of an epoch."""
    generation: int     # how often the loader was told to go elsewhere before; -1 for none at all
    event: int          # its number in the generation
    epoch: int          # that the next batch belongs to
    batches: int        # of this epoch that were before


def made(position: Position, checkpoint: str, size: Optional[int]) -> State:
    """The state behind `position` in an epoch of `size` batches, of which the loader has made `checkpoint`."""
    whole = {"complete": True} if size is not None and position.batches >= size > 0 else {}
    return {"jspdl_state": VERSION, "epoch": position.epoch, "batches": position.batches, **whole, "checkpoint": checkpoint}


def listed(state: Union[State, Sequence[State]]) -> List[State]:
    """A state, or those of all ranks, as a list of states; refuses all else."""
    states: List[Any] = list(state) if isinstance(state, (list, tuple)) else [state]
    if not states:
        raise PlanError("there is no state in an empty list, as of files that were not found: give the states of all ranks, or None for the beginning")
    for each in states:
        if not isinstance(each, dict) or each.get("jspdl_state") != VERSION:
            raise PlanError(f"this is no state of a loader: {str(each)[:80]!r}")
    return states


def text(state: Union[State, Sequence[State]]) -> str:
    """The checkpoints, one a line."""
    states = listed(state)
    if any(not isinstance(each.get("checkpoint"), str) for each in states):
        raise PlanError("this is the state of a dataset that can only be iterated over, or a part of a state")
    return "\n".join(each["checkpoint"] for each in states)


def is_complete(state: Union[State, Sequence[State]]) -> bool:
    """Whether nothing is left of the epoch, as far as a state of one rank says so."""
    states = listed(state)
    return len(states) == 1 and states[0].get("complete") is True


def batches(state: Union[State, Sequence[State]]) -> int:
    """How many batches of the epoch were before; of several ranks the most, so that no number comes twice."""
    return max((int(each.get("batches", 0)) for each in listed(state)), default=0)
