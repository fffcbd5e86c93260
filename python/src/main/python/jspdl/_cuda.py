"""What there is to do when PyTorch, its profiler or CUDA are there; nothing is imported that is not already."""
import os
import sys

from ._errors import JspdlError

PAGE = 2 << 20


def profiling():
    """A function that says whether PyTorch's profiler is recording, at next to no cost."""
    torch = sys.modules.get("torch")
    enabled = getattr(getattr(torch, "autograd", None), "_profiler_enabled", None)
    return enabled if enabled is not None else lambda: False


def record(name):
    return sys.modules["torch"].profiler.record_function(name)


def is_likely():
    """Whether there are devices; without importing PyTorch."""
    return os.path.exists("/dev/nvidiactl")


def pins(arrays, wanted):
    """What pins slots, or None: as `wanted`, or whenever CUDA is there."""
    if wanted is False or arrays != "torch":
        return None
    import torch
    if not torch.cuda.is_available():
        if wanted:
            raise JspdlError("pin_memory=True needs CUDA, which PyTorch does not find here")
        return None
    return Pins(torch.cuda.cudart())


class Pins:
    """Has CUDA pin the part of a slot that is in use, once, so that copies to the device overlap with work there."""

    def __init__(self, runtime):
        self._runtime = runtime
        self._bytes = {}

    def pin(self, view, slot, used, slot_bytes):
        if self._bytes.get(slot, 0) >= used:
            return
        import ctypes
        address = ctypes.addressof(view)
        if slot in self._bytes:
            self._check(self._runtime.cudaHostUnregister(address), "unpin", used)
        size = min(-(-used // PAGE) * PAGE, slot_bytes)
        self._check(self._runtime.cudaHostRegister(address, size, 0), "pin", size)
        self._bytes[slot] = size

    @staticmethod
    def _check(code, what, size):
        if int(code) != 0:
            raise JspdlError(f"CUDA could not {what} {size:,} bytes of shared memory (error {int(code)}); pin_memory=False does without")
