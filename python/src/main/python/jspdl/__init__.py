"""Batches for training, loaded by a JVM beside the trainer and seen through shared memory.

    import jspdl
    for batch in jspdl.images("data/train", size=224, batch_size=64, shuffle=True, seed=1):
        loss = step(batch["image"], batch["label"])
"""
from ._errors import JavaNotFound, JspdlError, LoaderDied, PlanError
from ._keep import keep
from ._loader import Loader
from ._plans import images, plan
from ._version import __version__

__all__ = ["JavaNotFound", "JspdlError", "Loader", "LoaderDied", "PlanError", "__version__", "images", "keep", "plan"]
