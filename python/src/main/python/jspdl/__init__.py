"""Batches for training, loaded by a JVM beside the trainer and seen through shared memory.

    import jspdl
    for batch in jspdl.images("data/train", size=224, batch_size=64, shuffle=True, seed=1):
        loss = step(batch["image"], batch["label"])
"""
from ._errors import JavaNotFound, JspdlError, LoaderDied, MapError, OptionError, PlanError
from ._from_dataset import from_dataset
from ._helpers import arrays, audio, images, shards, text, video
from ._huggingface import from_huggingface
from ._loader import Loader
from ._options import did_you_mean as _did_you_mean
from ._pixels import IMAGENET_MEAN, IMAGENET_STD
from ._plans import plan
from ._rebuild import rebuild
from ._repeat import repeat_batches
from ._trace import merge_traces
from ._version import __version__
from ._worker import worker_info

__all__ = ["IMAGENET_MEAN", "IMAGENET_STD", "JavaNotFound", "JspdlError", "Loader", "LoaderDied", "MapError", "OptionError", "PlanError", "__version__",
           "arrays", "audio", "from_dataset", "from_huggingface", "images", "merge_traces", "plan", "rebuild", "repeat_batches", "shards", "text", "video", "worker_info"]


def __getattr__(name):
    raise AttributeError(f"module 'jspdl' has no attribute {name!r}{_did_you_mean(name, __all__)}")
