"""The memory that trainer and loader have both mapped; it never has a name in a file system."""
import ctypes
import mmap
import os
import weakref

ALIGNMENT = 2 << 20


class Ring:
    """Slots of one size. A slot is the loader's again when every view of it is gone."""

    def __init__(self, slots, slot_bytes, on_release):
        self.slots = slots
        self.slot_bytes = -(-slot_bytes // ALIGNMENT) * ALIGNMENT
        self.descriptor = unnamed_file()
        try:
            os.ftruncate(self.descriptor, self.slots * self.slot_bytes)
            self.map = mmap.mmap(self.descriptor, self.slots * self.slot_bytes)
        except BaseException:
            os.close(self.descriptor)
            raise
        self.held = {}
        self._whole = ctypes.c_ubyte * self.slot_bytes
        self._on_release = on_release

    def forget_file(self):
        """Closes the file, once the loader has inherited it; the mapping stays."""
        os.close(self.descriptor)

    def view(self, slot):
        """The memory of `slot`, as an object with the buffer protocol. `slot` is released when the last user of it is gone."""
        owner = self._whole.from_buffer(self.map, slot * self.slot_bytes)
        held, released = self.held, self._on_release

        def gone(_):
            released(slot)
            held.pop(slot, None)

        held[slot] = weakref.ref(owner, gone)
        return owner

    def close(self):
        """Lets go of the mapping; it stays for those views that there still are."""
        try:
            self.map.close()
        except BufferError:
            pass    # closed when the last view is gone


def unnamed_file():
    """An open file in memory, which a child process inherits by its number."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("jspdl", os.MFD_CLOEXEC)
    return os.open("/dev/shm", os.O_TMPFILE | os.O_RDWR | os.O_CLOEXEC, 0o600)
