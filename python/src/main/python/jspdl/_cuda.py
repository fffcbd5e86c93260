"""What there is to do when PyTorch, its profiler or CUDA are there; nothing is imported that is not already."""
import os
import sys
from collections import deque
from itertools import repeat, starmap

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
    return Pins(torch.cuda.cudart(), marks)


def marks():
    """An event on the current stream of each device that this process uses: behind all copies that were queued there until now."""
    import torch
    used = getattr(torch._C, "_cuda_hasPrimaryContext", lambda device: device == torch.cuda.current_device())
    events = []
    for device in range(torch.cuda.device_count()):
        if used(device):
            event = torch.cuda.Event()
            event.record(torch.cuda.current_stream(device))
            events.append(event)
    return events


class Pins:
    """Has CUDA pin the part of a slot that is in use, once, so that copies to the device overlap with work there.

    Such a copy may go on when the tensor that it is from is gone: `to("cuda", non_blocking=True)` only queues it. So a slot is free when the copies
    are done that were queued on the current streams until its last view was found to be gone.
    """

    def __init__(self, runtime, marks):
        self._runtime = runtime
        self._marks = marks
        self._bytes = {}
        self._addresses = {}
        self._copying = deque()     # (events, slots), by age

    def settle(self, gone, free, slots, waits=False):
        """Takes what is in `gone` of whom nobody has a view, and puts it into `free` when its copies are done. Of more than a quarter of all `slots`, the
        oldest are waited for if somebody `waits` anyway: the loader may have none left."""
        count = len(gone)
        if count:
            entry = (self._marks(), deque())
            self._copying.append(entry)
            move(gone, entry[1], count)     # those that were gone before the marks were made
        while self._copying:
            events, held = self._copying[0]
            if waits and sum(len(others) for _, others in self._copying) > slots // 4:
                for event in events:
                    event.synchronize()
            elif not all(event.query() for event in events):
                return
            move(held, free, len(held))
            self._copying.popleft()

    def pin(self, view, slot, used, slot_bytes):
        if self._bytes.get(slot, 0) >= used:
            return
        import ctypes
        address = ctypes.addressof(view)
        if slot in self._bytes:
            self._check(self._runtime.cudaHostUnregister(address), "unpin", used)
        size = min(-(-used // PAGE) * PAGE, slot_bytes)
        self._check(self._runtime.cudaHostRegister(address, size, 0), "pin", size)
        self._bytes[slot], self._addresses[slot] = size, address

    def end(self):
        """Unpins all slots, behind all copies: another loader's memory may come to lie at the same addresses."""
        addresses, self._addresses, self._bytes = self._addresses, {}, {}
        try:
            for event in self._marks() if addresses else ():
                event.synchronize()
            for address in addresses.values():
                self._runtime.cudaHostUnregister(address)
        except RuntimeError:        # a device that has failed, or is gone at the end of the program
            pass

    @staticmethod
    def _check(code, what, size):
        if int(code) != 0:
            raise JspdlError(f"CUDA could not {what} {size:,} bytes of shared memory (error {int(code)}); pin_memory=False does without")


def move(source, target, count):
    """Moves `count` elements between queues, without a step of Python in which a handler could raise."""
    target.extend(starmap(source.popleft, repeat((), count)))
