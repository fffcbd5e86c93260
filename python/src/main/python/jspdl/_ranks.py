"""Which part of the data is this process's: its rank, as given, or as torchrun or torch.distributed say. Nothing is imported that is not already."""
import os
import sys
from typing import Any, Mapping, Optional, Tuple

from ._errors import PlanError
from ._options import whole


Rank = Tuple[int, int]      # and how many there are


def ranks(rank: Any, world_size: Any, environment: Mapping[str, str] = os.environ) -> Rank:
    """The rank and the number of ranks: as given, or as torchrun says, or torch.distributed, which must not say otherwise."""
    if (rank is None) != (world_size is None):
        raise PlanError("rank and world_size are given together or not at all")
    if rank is None:
        found = of_torch()
        half = {"RANK", "WORLD_SIZE"}.difference(environment)
        if found is not None and len(half) == 1:    # Lightning sets one of them, and begins torch.distributed before it asks for loaders
            environment = {"RANK": str(found[0]), "WORLD_SIZE": str(found[1]), **environment}
            half = set()
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
        if found is not None and "RANK" not in environment and "WORLD_SIZE" not in environment:
            rank, world_size = found
        refuse_others((rank, world_size), found, "the environment says")
    rank, world_size = whole("rank", rank, 0), whole("world_size", world_size, 1)
    if rank >= world_size:
        raise PlanError(f"rank must be below world_size, but was {rank} of {world_size}")
    return rank, world_size


def refuse_others(assumed: Optional[Rank], found: Optional[Rank], who: str) -> None:
    """Refuses a rank that nobody has given and that is not torch.distributed's: processes would load each other's part of the data."""
    if assumed is not None and found is not None and found != assumed:
        raise PlanError(f"{who} rank {assumed[0]} of {assumed[1]} and torch.distributed says rank {found[0]} of {found[1]}: give rank= and world_size=, which say"
                        " what part of the data this process loads (0 and 1 for all of it), or make the loader behind init_process_group")


def of_torch() -> Optional[Rank]:
    """This process's rank and how many there are, as torch.distributed says once the program has begun it; None where it has not."""
    distributed = sys.modules.get("torch.distributed")
    if distributed is None or not distributed.is_available() or not distributed.is_initialized():
        return None
    return distributed.get_rank(), distributed.get_world_size()
