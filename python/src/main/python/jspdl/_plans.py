"""Plans from keyword arguments, for the usual cases."""
import json
import math
import os

from ._errors import PlanError
from ._loader import Loader, state_text

DTYPES = {"uint8": 1, "float32": 4, "float16": 2, "bfloat16": 2}
SLOT_BYTES = 256 << 20
SMALL_BYTES = 1 << 20       # labels and the like, behind the images


def plan(plan, *, epochs=None, seed=None, rank=None, world_size=None, state=None, folder=None, **loader):
    """What a plan loads: a path of a YAML or JSON file, or the plan itself as a dictionary.

    epochs: passes over the source; None for what the plan says, or for as many as are asked for.
    seed: the key of randomness in steps, instead of the plan's.
    rank, world_size: for sources that don't say theirs; None for RANK and WORLD_SIZE as torchrun sets them.
    state: where to go on, as `state_dict()` gave it; or a list, of all ranks.
    folder: where relative paths begin; None for the plan's own folder, or the current one.
    loader: ahead, slots, slot_bytes, arrays, pin, timeout, java_options; see docs/how-to/python.md.
    """
    rank, world_size = ranks(rank, world_size)
    settings = {"rank": rank, "world_size": world_size}
    if epochs is not None:
        settings["epochs"] = whole("epochs", epochs, 1)
    if seed is not None:
        settings["seed"] = whole("seed", seed, -(1 << 63))
    if state is not None:
        settings["state"] = state_text(state if isinstance(state, (list, tuple)) else [state])
    if isinstance(plan, dict):
        settings["name"] = "plan.json"
        try:
            settings["plan"] = json.dumps(plan, indent=1)
        except (TypeError, ValueError) as failure:
            raise PlanError(f"the plan must consist of dictionaries, lists, texts, numbers and truth values: {failure}") from None
    elif isinstance(plan, (str, os.PathLike)):
        file = os.path.abspath(os.fspath(plan))
        if not os.path.isfile(file):
            raise PlanError(f"there is no plan at {file}")
        settings["name"] = file
        folder = folder if folder is not None else os.path.dirname(file)
    else:
        raise PlanError(f"a plan is a path or a dictionary but was {type(plan).__name__}")
    settings["folder"] = os.path.abspath(os.fspath(folder) if folder is not None else os.curdir)
    return Loader(settings, **loader)


def images(path=None, *, size=224, resize=None, batch_size=64, shuffle=False, seed=0, layout="nchw", dtype="float32",
           drop_last=False, workers=None, order="input", skip=None, decode=None, slot_bytes=None, **options):
    """Images of a folder with one sub-folder for each class, or of a file list: decoded, resized, cropped, in batches.

    Yields dictionaries: `image` [N, 3, size, size] from 0 to 1 (see layout and dtype), `label` and `index` [N], int64.

    path: the folder or list; None for the sample dataset.
    size, resize: pixels of the crop from the middle, and of the shorter side before it; None for size * 8/7.
    shuffle, seed: another order in every epoch, given by the seed.
    layout: "nchw" or "nhwc". dtype: "float32", "float16", "bfloat16", or "uint8" from 0 to 255.
    drop_last: leaves out an incomplete last batch. order: "input" is reproducible, "completion" waits for no slow image.
    workers: images that are decoded at once; None for one on each processor.
    skip: files that may be broken and left out: a number of them, or a share of all such as 0.01. None for none.
    decode: further parameters of the plan's operation `allot-rows`, as a dictionary.
    options: of `plan`.
    """
    whole("size", size, 1)
    whole("batch_size", batch_size, 1)
    if dtype not in DTYPES:
        raise PlanError(f"dtype must be one of {', '.join(DTYPES)} but was {dtype!r}")
    if layout not in ("nchw", "nhwc"):
        raise PlanError(f"layout must be nchw or nhwc but was {layout!r}")
    if order not in ("input", "completion"):
        raise PlanError(f"order must be input or completion but was {order!r}")
    if path is not None and not os.path.exists(path):
        raise PlanError(f"there is no folder or file list at {os.path.abspath(path)}")
    order_of_files = {"shuffle": bool(shuffle), "seed": whole("seed", seed, -(1 << 63))}
    source = ({"sample-images": order_of_files} if path is None
              else {"images": {"path": os.path.abspath(os.fspath(path)), **order_of_files}})
    rows = {"batch": batch_size, "size": size, "resize": resize if resize is not None else round(size * 8 / 7),
            "layout": layout, "dtype": dtype, **(decode or {})}
    stage = {"cpu": workers if workers is not None else "processors", "order": order}
    described = {
        "name": "images",
        "source": source,
        "steps": [
            {"allot-rows": rows},
            {"read-image": {}, "name": "read", **stage},
            {"decode-image": {}, "name": "decode", **stage, **failure(skip)},
            {"batch": {"size": batch_size, "remainder": "drop" if drop_last else "keep"}},
            {"gather-images": {}},
        ],
        "sink": 1,
    }
    if slot_bytes is None:
        # A pool rounds up by at most a quarter.
        slot_bytes = max(SLOT_BYTES, math.ceil(batch_size * size * size * 3 * DTYPES[dtype] * 1.25) + SMALL_BYTES)
    return plan(described, slot_bytes=slot_bytes, **options)


def failure(skip):
    if skip is None:
        return {}
    if isinstance(skip, int) and not isinstance(skip, bool) and skip > 0:
        return {"failure": {"skip": skip}}
    if isinstance(skip, float) and 0 < skip < 1:
        return {"failure": {"skip-rate": skip}}
    raise PlanError(f"skip must be a number of files, or a share between 0 and 1, but was {skip!r}")


def whole(name, value, least):
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise PlanError(f"{name} must be a whole number of at least {least} but was {value!r}")
    return value


def ranks(rank, world_size, environment=os.environ):
    """The rank and the number of ranks: as given, or as torchrun says."""
    if (rank is None) != (world_size is None):
        raise PlanError("rank and world_size are given together or not at all")
    if rank is None:
        try:
            rank, world_size = int(environment.get("RANK", "0")), int(environment.get("WORLD_SIZE", "1"))
        except ValueError:
            raise PlanError(f"RANK={environment.get('RANK')!r} and WORLD_SIZE={environment.get('WORLD_SIZE')!r} in the"
                            " environment must be numbers") from None
    whole("rank", rank, 0)
    whole("world_size", world_size, 1)
    if rank >= world_size:
        raise PlanError(f"rank must be below world_size, but was {rank} of {world_size}")
    return rank, world_size
