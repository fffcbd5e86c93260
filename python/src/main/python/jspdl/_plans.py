"""Loaders of plans, and what all loaders check."""
import json
import operator
import os
from typing import Any, Dict, Optional, Sequence, Union

from ._errors import PlanError
from ._loader import Loader
from ._options import checked, whole


@checked(Loader.__init__)
def plan(plan: Union[str, "os.PathLike[str]", Dict[str, Any]], *, epochs: Optional[int] = None,
         seed: Optional[int] = None, rank: Optional[int] = None, world_size: Optional[int] = None, resume_from: Union[Dict[str, Any], Sequence[Dict[str, Any]], None] = None,
         folder: Union[str, "os.PathLike[str]", None] = None, **loader: Any) -> Loader:
    """What a plan loads: a path of a YAML or JSON file, or the plan itself as a dictionary.

    epochs: passes over the source; None for what the plan says, or for as many as are asked for.
    seed: the key of randomness in steps, instead of the plan's.
    rank, world_size: for sources that don't say theirs; None for RANK and WORLD_SIZE as torchrun sets them.
    resume_from: the `state_dict()` to resume from; or a list, of all ranks.
    folder: where relative paths begin; None for the plan's own folder, or the current one.
    loader: prefetch, slots, slot_bytes, arrays, pin_memory, timeout, trace, share, record, skip_list, java_options; see docs/how-to/python.md.
    """
    rank, world_size = ranks(rank, world_size)
    settings: Dict[str, Any] = {"rank": rank, "world_size": world_size}
    if epochs is not None:
        settings["epochs"] = whole("epochs", epochs, 1)
    if seed is not None:
        settings["seed"] = whole("seed", seed, -(1 << 63))
    if isinstance(plan, dict):
        settings["name"] = "plan.json"
        try:
            settings["plan"] = json.dumps(plan, indent=1, default=operator.index)     # NumPy's whole numbers
        except (TypeError, ValueError) as failure:
            raise PlanError(f"the plan must consist of dictionaries, lists, texts, numbers and booleans: {failure}") from None
    elif isinstance(plan, (str, os.PathLike)):
        file = os.path.abspath(os.fspath(plan))
        if not os.path.isfile(file):
            raise PlanError(f"there is no plan at {file}")
        settings["name"] = file
        folder = folder if folder is not None else os.path.dirname(file)
    else:
        raise PlanError(f"a plan is a path or a dictionary but was {type(plan).__name__}")
    settings["folder"] = os.path.abspath(os.fspath(folder) if folder is not None else os.curdir)
    return Loader(settings, resume_from=resume_from, **loader)


def ranks(rank, world_size, environment=os.environ):
    """The rank and the number of ranks: as given, or as torchrun says."""
    if (rank is None) != (world_size is None):
        raise PlanError("rank and world_size are given together or not at all")
    if rank is None:
        half = {"RANK", "WORLD_SIZE"}.difference(environment)
        if len(half) == 1 and environment.get("WORLD_SIZE", "0") != "1" and environment.get("RANK", "1") != "0":
            missing, = half
            there = "RANK" if missing == "WORLD_SIZE" else "WORLD_SIZE"
            raise PlanError(f"{there}={environment[there]} is set in the environment and {missing} is not, so it is not known which part of the data is"
                            f" this process's: set both, as torchrun does, or neither, or give rank= and world_size=")
        try:
            rank, world_size = int(environment.get("RANK", "0")), int(environment.get("WORLD_SIZE", "1"))
        except ValueError:
            raise PlanError(f"RANK={environment.get('RANK')!r} and WORLD_SIZE={environment.get('WORLD_SIZE')!r} in the"
                            " environment must be numbers") from None
    rank, world_size = whole("rank", rank, 0), whole("world_size", world_size, 1)
    if rank >= world_size:
        raise PlanError(f"rank must be below world_size, but was {rank} of {world_size}")
    return rank, world_size


def choice(name, value, choices):
    if value not in choices:
        raise PlanError(f"{name} must be one of {', '.join(map(str, choices))} but was {value!r}")
    return value


def number(name, value, least, most):
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not least <= value <= most:
        raise PlanError(f"{name} must be a number from {least} to {most} but was {value!r}")
    return value


def numbers(name, value, count, least, most):
    if not isinstance(value, (list, tuple)) or len(value) != count:
        raise PlanError(f"{name} must be {count} numbers but was {value!r}")
    return [number(name, each, least, most) for each in value]
