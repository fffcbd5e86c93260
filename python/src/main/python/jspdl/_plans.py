"""Loaders of plans, and what all loaders check."""
import json
import numbers as kinds
import operator
import os
from typing import Any, Dict, Optional, Sequence, Union

from ._errors import PlanError
from ._loader import Loader
from ._options import checked, whole
from ._ranks import ranks


class Weighed(Dict[str, Any]):
    """A plan with a budget of memory, in which samples weigh what they take in a batch: so that batches that the trainer has not taken can count."""


@checked(Loader.__init__)
def plan(plan: Union[str, "os.PathLike[str]", Dict[str, Any]], *, epochs: Optional[int] = None,
         seed: Optional[int] = None, rank: Optional[int] = None, world_size: Optional[int] = None, resume_from: Union[Dict[str, Any], Sequence[Dict[str, Any]], None] = None,
         folder: Union[str, "os.PathLike[str]", None] = None, **loader: Any) -> Loader:
    """What a plan loads: a path of a YAML or JSON file, or the plan itself as a dictionary.

    epochs: passes over the source; None for what the plan says, or for as many as are asked for.
    seed: the key of randomness in steps, instead of the plan's.
    rank, world_size: for sources that don't say theirs; None for RANK and WORLD_SIZE as torchrun sets them, or for those of torch.distributed where the
        program has begun it.
    resume_from: the `state_dict()` to resume from; or a list, of all ranks.
    folder: where relative paths begin; None for the plan's own folder, or the current one.
    loader: prefetch, slots, slot_bytes, arrays, pin_memory, timeout, trace, share, record, skip_list, java_options; see docs/how-to/python.md.
    """
    said = rank is not None
    rank, world_size = ranks(rank, world_size)
    settings: Dict[str, Any] = {"rank": rank, "world_size": world_size}
    if epochs is not None:
        settings["epochs"] = whole("epochs", epochs, 1)
    if seed is not None:
        settings["seed"] = whole("seed", seed, -(1 << 63))
    if isinstance(plan, dict):
        if isinstance(plan, Weighed):
            settings["one_budget"] = "true"
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
    made = Loader(settings, resume_from=resume_from, **loader)
    made._assumed = None if said else (rank, world_size)
    return made


def choice(name, value, choices):
    if value not in choices:
        raise PlanError(f"{name} must be one of {', '.join(map(str, choices))} but was {value!r}")
    return value


def number(name, value, least, most):
    if not isinstance(value, kinds.Real) or isinstance(value, bool) or not least <= value <= most:
        raise PlanError(f"{name} must be a number from {least} to {most} but was {value!r}")
    return operator.index(value) if isinstance(value, kinds.Integral) else float(value)


def numbers(name, value, count, least, most):
    value = value.tolist() if hasattr(value, "tolist") else value       # of NumPy or PyTorch
    if not isinstance(value, (list, tuple)) or len(value) != count:
        raise PlanError(f"{name} must be {count} numbers but was {value!r}")
    return [number(name, each, least, most) for each in value]
