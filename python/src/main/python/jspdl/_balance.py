"""Batches of samples of shards that cost the same on all ranks: `balance=`, as the source of a plan."""
import reprlib
from typing import Any, Dict

from ._errors import PlanError
from ._options import flag
from ._plans import whole

NAMES = {"cost", "budget", "squared", "also"}
OF_WINDOWS = ("interleave", "window", "max-failures", "where", "block")


def alone(**given: Any) -> None:
    """Refuses what does not go with batches of equal cost."""
    for name, value in given.items():
        if value is not None:
            why = {"batch_size": "the budget says how much is in a batch", "drop_last": "ranks get equally many batches already, see even=",
                   "max_failures": "a sample that fails would take its batch along, and ranks would end apart"}
            raise PlanError(f"{name}= does not go with balance=: {why.get(name, 'samples are found by their numbers, and all are needed')}")


def source(balance: Any, shards: Dict[str, Any]) -> Dict[str, Any]:
    """What a source of batches of equal cost says, where one of samples would say `shards`."""
    if not isinstance(balance, dict) or not {"cost", "budget"} <= set(balance) <= NAMES or not isinstance(balance["cost"], str):
        raise PlanError("balance must be a dictionary such as {'cost': 'txt.bytes', 'budget': 262_144}, with 'squared' and 'also' if need be, but was "
                        + reprlib.repr(balance))
    also = balance.get("also", [])
    also = [also] if isinstance(also, str) else also
    if not isinstance(also, (list, tuple)) or not all(isinstance(name, str) for name in also):
        raise PlanError(f"'also' of balance must be names of costs but was {also!r}")
    said = {name: value for name, value in shards.items() if name not in OF_WINDOWS}
    return {**said, "cost": balance["cost"], "budget": whole("budget", balance["budget"], 1), "squared": flag("squared", balance.get("squared", False)),
            "also": list(also)}
